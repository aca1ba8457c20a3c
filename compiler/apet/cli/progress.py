"""A line on the terminal that says how far a long work is."""

from __future__ import annotations

import sys

WIDTH = 24


def show(what: str, part: float) -> None:
    """Say on standard error what runs and how much is done; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        return
    filled = round(WIDTH * min(max(part, 0.0), 1.0))
    bar = "#" * filled + "." * (WIDTH - filled)
    end = "\r\x1b[K" if part >= 1 else ""
    sys.stderr.write(f"\r\x1b[K[{bar}] {part:4.0%} {what}{end}")
    sys.stderr.flush()
