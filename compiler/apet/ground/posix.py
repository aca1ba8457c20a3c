"""What needs a POSIX system says so, where it is called."""

from __future__ import annotations

import sys

from apet.ground.diagnostics import ApetError, Diagnostic


class NeedsPosix(Diagnostic):
    """Process groups, locks or signals that Windows does not have."""

    message = "{what} needs a POSIX system, such as Linux or macOS"
    hint = "on Windows: in the Windows Subsystem for Linux; predictions and replays work everywhere"


def need_posix(what: str) -> None:
    """`ApetError` on Windows."""
    if sys.platform == "win32":
        raise ApetError(NeedsPosix(None, None, what))
