"""The C core: replays traces, bounds and folds them, and sums up columns of sweeps.

In go arrays of numbers, out come arrays of numbers; nothing in it knows Python. It is built where APET is installed
(`hatch_build.py`), one library of all `*.c` in this folder. What Python may call and which structures both share stands
once, in `boundary.h`: the library hands that page over as text, and `library.py` makes the structures and the types of
arguments from it. Start with `boundary.h`, then `walk.h` (the way through programs) and `replay.c`.
"""

from __future__ import annotations

from apet.core.library import Struct, library, structure

__all__ = ["Struct", "library", "structure"]
