"""Which language translates which files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.program.translation import Translation

FRONT_ENDS: dict[str, Callable[..., Translation]] = {}
"""What translates sources of a language, by the ending of their files: a language enters itself here."""
