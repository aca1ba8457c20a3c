"""What a call names that can be read only once."""

from __future__ import annotations

import os
import stat


def comes_once(word: str) -> bool:
    """Whether a word of a call names what can be read only once: standard input or a pipe."""
    try:
        return word == "-" or stat.S_ISFIFO(os.stat(word).st_mode)
    except (OSError, ValueError):
        return False
