"""The smallest input that comes to the same, within a budget: halves, quarters and so on are left out."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.fuzz.trial import TrialOutcome, outcome

SECONDS = 20.0


def smallest(read: Callable[[str], object], path: Path, content: bytes, result: TrialOutcome) -> bytes:
    """A part of the content with the same kind of outcome."""
    until, size = time.monotonic() + SECONDS, max(1, len(content) // 2)
    while time.monotonic() < until:
        at, before = 0, len(content)
        while at < len(content) and time.monotonic() < until:
            shorter = content[:at] + content[at + size :]
            path.write_bytes(shorter)
            if outcome(read, str(path)).kind == result.kind:
                content = shorter
            else:
                at += size
        if size == 1 and len(content) == before:
            break
        size = max(1, size // 2)

    return content
