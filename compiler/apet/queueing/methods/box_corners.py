"""The corners of a box of problems, and the extremes of the results there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any

from apet.queueing.data.jobs import Scenario
from apet.queueing.data.problems import Problem, Result

Place = tuple[int, ...]
ALL_CORNERS = 6
"""Up to this many intervals all corners are tried."""
MOST_POINTS = 200
INSIDE, FEWER_INSIDE = 64, 8
"""Pieces of a single interval, whose inside is searched as well; of jobs with precedence, which take longer to
solve."""


class ProblemBox:
    """Two problems that differ in some numbers; `places` says where: the indices on the way to each."""

    def __init__(self, low: Problem, high: Problem) -> None:
        self.low, self.high = low, high
        self.places = tuple(_places(low, high, ()))

    def at(self, upper: frozenset[Place]) -> Problem:
        """The problem with the numbers at these places at their upper ends."""
        return self._joined(lambda place, a, b: b if place in upper else a)

    def between(self, share: float) -> Problem:
        """The problem with all numbers so far between their ends."""
        return self._joined(lambda place, a, b: a + share * (b - a))

    def _joined(self, join: Callable[[Place, float, float], float]) -> Problem:
        problem: Problem = _joined(self.low, self.high, join)
        return problem


def extremes(box: ProblemBox, solve: Callable[[Problem], Result]) -> tuple[Result, Result, int]:
    """The least and greatest of each number over the points tried, and how many these were.

    One interval: points inside as well, evenly apart. Few: all corners. Many: all low, all high, each alone at its
    other end, and for each number of the result the corner that these single steps point to.
    """
    tried: dict[frozenset[Place], Result] = {}

    def corner(upper: frozenset[Place]) -> Result:
        if upper not in tried:
            tried[upper] = solve(box.at(upper))
        return tried[upper]

    inside: list[Result] = []
    if len(box.places) == 1:
        pieces = FEWER_INSIDE if isinstance(box.low, Scenario) else INSIDE
        inside = [solve(box.between(i / pieces)) for i in range(1, pieces)]
    if len(box.places) <= ALL_CORNERS:
        for choice in product((False, True), repeat=len(box.places)):
            corner(frozenset(p for p, high in zip(box.places, choice, strict=True) if high))
    else:
        _guided(box, corner)
    every = [*tried.values(), *(inside or [solve(box.between(0.5))])]
    return _best(every, min), _best(every, max), len(every)


def _guided(box: ProblemBox, corner: Callable[[frozenset[Place]], Result]) -> None:
    nothing, everything = frozenset[Place](), frozenset(box.places)
    start, end = list(numbers(corner(nothing))), list(numbers(corner(everything)))
    up = [list(numbers(corner(frozenset((p,))))) for p in box.places[: MOST_POINTS // 2]]
    down = [list(numbers(corner(everything - {p}))) for p in box.places[: MOST_POINTS // 2]]
    corners = dict.fromkeys(
        frozenset(p for p, row in zip(box.places, rows, strict=False) if (row[i] > base[i]) == rise)
        for rows, base, rise in ((up, start, True), (up, start, False), (down, end, False), (down, end, True))
        for i in range(len(start))
    )

    for upper in list(corners)[:MOST_POINTS]:
        corner(upper)


def numbers(value: Any) -> Iterator[float]:
    """All floats of a result, in order."""
    if isinstance(value, float):
        yield value
    else:
        for part in _parts(value) or ():
            yield from numbers(part)


def _parts(value: Any) -> list[Any] | None:
    """The members of a list, tuple or record; None of anything else."""
    if is_dataclass(value):
        return [getattr(value, f.name) for f in fields(value)]
    return list(value) if isinstance(value, tuple | list) else None


def _places(low: Any, high: Any, place: Place) -> Iterator[Place]:
    parts = _parts(low)
    if parts is not None:
        for i, (a, b) in enumerate(zip(parts, _parts(high) or (), strict=True)):
            yield from _places(a, b, (*place, i))
    elif isinstance(low, float) and low != high:
        yield place


def _joined(low: Any, high: Any, join: Callable[[Place, float, float], float], place: Place = ()) -> Any:
    """A value of the same shape; floats that differ are joined."""
    parts = _parts(low)
    if parts is not None:
        pairs = enumerate(zip(parts, _parts(high) or (), strict=True))
        return _like(low, [_joined(a, b, join, (*place, i)) for i, (a, b) in pairs])
    return join(place, low, high) if isinstance(low, float) and low != high else low


def _best(results: list[Any], choose: Callable[[list[Any]], Any]) -> Any:
    """A result of the least, or greatest, of every float."""
    first = results[0]
    if isinstance(first, float):
        return choose(results)
    parts = [_parts(r) for r in results]
    if parts[0] is None or len({len(p or ()) for p in parts}) > 1:  # notes, of which there may be more or fewer
        return first
    return _like(first, [_best(list(same), choose) for same in zip(*(p or () for p in parts), strict=True)])


def _like(value: Any, parts: list[Any]) -> Any:
    is_record = hasattr(value, "_fields") or is_dataclass(value)
    return type(value)(*parts) if is_record else type(value)(parts)
