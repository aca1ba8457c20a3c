"""What a file holds, and how the runs of several lines or files become those of a curve."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from apet.ground.notes import Note, NoteKind
from apet.runs.measurements import Run

FAR_OFF = 1.5
"""Ratio from which a repetition is worth a note: other work on the machine makes it."""
MEASURED_TWICE = 2


class FileRuns(NamedTuple):
    """What a file holds: the name and kind of the curve (either may be empty), and its runs in any order; the unit of
    what was measured, and notes."""

    name: str
    kind: str
    runs: list[Run]
    unit: str = "s"
    notes: tuple[Note, ...] = ()


def merged(readings: Iterable[Run], unit: str = "s") -> tuple[tuple[Run, ...], tuple[Note, ...]]:
    """Runs by ascending n, each n once; and what a reader of the result should know."""
    lines = list(readings)
    notes = list[Note]()
    if any(b.n < a.n for a, b in pairwise(lines)):
        notes.append(Note(NoteKind.UNSORTED, "the runs were put in the order of n"))
    by_n = dict[float, list[Run]]()

    for reading in lines:
        by_n.setdefault(reading.n, []).append(reading)
    runs = tuple(_one(n, by_n[n]) for n in sorted(by_n))
    notes += _far_off(runs, unit)
    return runs, tuple(notes)


def _one(n: float, readings: Sequence[Run]) -> Run:
    if len(readings) == 1:
        return readings[0]
    times = tuple(t for r in readings for t in (r.repetitions or (r.t,)))
    names = dict.fromkeys(name for r in readings for name in r.phases)
    phases = {name: statistics.median([r.phases[name] for r in readings if name in r.phases]) for name in names}
    return Run(n, statistics.median(times), times, phases)


def _far_off(runs: Sequence[Run], unit: str) -> list[Note]:
    """Repetitions a factor of 1.5 or more from the median of the others, if those agree with each other.

    Only the longest or the shortest can be such: from any other one those two are apart by more.
    """
    notes = []
    for run in runs:
        if len(run.repetitions) <= MEASURED_TWICE:
            continue
        ordered = sorted(run.repetitions)
        for time, others in ((ordered[-1], ordered[:-1]), (ordered[0], ordered[1:])):
            middle = statistics.median(others)
            ratio = max(time, middle) / min(time, middle)
            if ratio >= FAR_OFF and math.log(ratio) > 3 * math.log(others[-1] / others[0]):
                one = f"one of {len(run.repetitions)} runs at n = {run.n:.12g} took {time:.4g} {unit}".rstrip()
                notes.append(Note(NoteKind.REPETITIONS, f"{one}, the others about {middle:.4g} {unit}".rstrip()))

    return notes
