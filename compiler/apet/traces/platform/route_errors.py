"""What can be wrong with a platform that was read without a mistake."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class Unconnected(Diagnostic):
    """Two hosts that should exchange messages, with no way between them."""

    message: ClassVar[str] = "{platform} has no way from host {sender} to host {receiver}: {reason}"
    hint: ClassVar[str] = "add a route, or place the ranks elsewhere with --hostfile"
    platform: str
    sender: str
    receiver: str
    reason: str
