"""Methods that a JVM goes on compiling in a run: its log of compilations (that of `-XX:+PrintCompilation`).

Compiled code is thrown away (`made not entrant`) where it was made for what turned out otherwise: a class that had not
been met, a branch that had not been taken. Twice is usual while a program warms up, and three or four times where a run
goes over from counters to clocks. A method that loses its code again and again is in part interpreted, and takes longer
than any cost of operations says.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

OPTIMISED = 4
"""The tier of HotSpot's optimising compiler."""
OFTEN = 5
_DISCARDED = re.compile(
    rf"^(?:\[(?P<ms>\d+)ms\])?.* {OPTIMISED} {{6,}}(?P<owner>[\w.$]+)::(?P<method>[\w$<>]+) .*made not entrant",
    re.MULTILINE,
)
_OWN = re.compile(r"apet\.|Apet\w+$|ProfileRun$")
"""Classes of the harness, which a task without counters never runs."""
Span = tuple[int, int]
"""From and to which time, in milliseconds since 1970."""


def logging(folder: str) -> list[str]:
    """The flags with which a JVM writes its compilations into a file of a folder."""
    return [f"-Xlog:jit+compilation=debug:file={_log(folder)}:timemillis:filecount=0"]


def recompiled(folder: str, settling: Span = (0, 0)) -> dict[str, int]:
    """By method, how often optimised code was thrown away; of those where that happened `OFTEN` times or more.

    While it is `settling`, a run goes over from counters to clocks, which throws away code by itself.
    """
    if not os.path.exists(_log(folder)):
        return {}
    text = Path(_log(folder)).read_text(encoding="utf-8", errors="replace")
    own = (m for m in _DISCARDED.finditer(text) if not _OWN.match(m["owner"]))
    discarded = Counter(
        f"{m['owner']}.{m['method']}" for m in own if not settling[0] <= int(m["ms"] or -1) <= settling[1]
    )
    return {method: times for method, times in discarded.items() if times >= OFTEN}


def _log(folder: str) -> str:
    return os.path.join(folder, "compilations.log")
