"""The C core: replays traces, bounds and folds them, sums up columns of sweeps, and simulates jobs with precedence.

In: arrays of numbers and lines of traces. Out: arrays of numbers; nothing in it knows Python. It is built where APET is
installed (`hatch_build.py`), one library of all `*.c` here. What Python may call and which structures both share stands
once, in `boundary.h`: the library hands that page over as text, and `boundary.py` makes structures and types from it.
Start at `boundary.h`, then `walk.h` (the one way through programs) and `replay.c`.
"""

from __future__ import annotations

from apet.core.boundary import Struct, library, structure

__all__ = ["Struct", "library", "structure"]
