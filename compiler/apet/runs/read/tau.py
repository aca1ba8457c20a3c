"""TAU's text profiles: `profile.NODE.CONTEXT.THREAD`, times in microseconds.

S. S. Shende and A. D. Malony, The TAU parallel performance system, 2006. A line of a function is
`"name" calls subroutines exclusive inclusive profilecalls GROUP="…"`. With several metrics each has a folder of its
own, `MULTI__TIME`.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Sequence

from apet.ground.source import Source, Span
from apet.runs.read.profile import ProfiledRun, broken

NAME = re.compile(r"profile\.\d+\.\d+\.\d+")
_HEAD = re.compile(r"(\d{1,9})\s+templated_functions(?:_MULTI)?(?:_(\S+))?")
_CLOCKS = ("TIME", "CLOCK")
_WITHIN = (" => ", "[CONTEXT] ", "[INTERMEDIATE] ")
"""Parts of the names of entries that count again what others count: call paths, and contexts of samples."""
_FUNCTION = re.compile(r'"((?:[^"\\]|\\.)*)"\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)')
MICROSECONDS = 1e-6


def profiles_in(folder: str) -> list[str]:
    """The profiles of a folder, or of its folder for the time; none if it is no folder."""
    if not os.path.isdir(folder):
        return []
    entries = sorted(os.listdir(folder))
    for within in (e for e in entries if e.startswith("MULTI__") and any(c in e.upper() for c in _CLOCKS)):
        return profiles_in(os.path.join(folder, within))
    return [os.path.join(folder, e) for e in entries if NAME.fullmatch(e)]


def recognises(text: str) -> bool:
    """Whether a text is a profile of TAU."""
    return _HEAD.match(text.lstrip()) is not None


def read(source: Source) -> ProfiledRun:
    """The run of a single thread."""
    return read_threads([source])


def read_threads(sources: Sequence[Source]) -> ProfiledRun:
    """One run from the profiles of its threads: the longest thread's time, functions as means over threads."""
    threads = [_thread(source) for source in sources]
    functions = defaultdict[str, float](float)
    for thread in threads:
        for name, seconds in thread.functions.items():
            functions[name] += seconds / len(threads)
    return ProfiledRun(max(t.total for t in threads), functions)


def _thread(source: Source) -> ProfiledRun:
    head = _HEAD.match(source.text.lstrip())
    if head is None:
        raise broken(source, "TAU", "its first line does not count templated_functions")
    if head[2] and not any(word in head[2].upper() for word in _CLOCKS):
        start = source.text.index(head[2])
        problem = f"it counts {head[2]}, which is no time"
        raise broken(source, "TAU", problem, Span(start, start + len(head[2])))

    functions, total, at, left = defaultdict[str, float](float), 0.0, 0, int(head[1])
    for number, line in enumerate(source.text.splitlines(keepends=True)):
        place = Span(at, at + max(len(line.rstrip()), 1))
        at += len(line)
        if number == 0 or line.startswith("#") or not line.strip() or not left:
            continue
        row = _FUNCTION.match(line)
        numbers = _numbers(row.groups()[1:]) if row else None
        if row is None or numbers is None:
            problem = f"line {number + 1} is no function with calls, subroutines, exclusive and inclusive time"
            raise broken(source, "TAU", problem, place)
        left -= 1
        if any(part in row[1] + " " for part in _WITHIN):
            continue
        functions[" ".join(row[1].split())] += numbers[2] * MICROSECONDS
        total = max(total, numbers[3] * MICROSECONDS)
    return ProfiledRun(total, functions)


def _numbers(words: Sequence[str]) -> list[float] | None:
    try:
        numbers = [float(w) for w in words]
    except ValueError:
        return None
    return numbers if all(0 <= x < float("inf") for x in numbers) else None
