"""What is counted for a site: sums of counters, and the counters' numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple


class Term(NamedTuple):
    """A part of a count: a counter, what of it ("first", "second", "missed", "sum"), and how often it counts."""

    counter: int
    what: str
    times: int = 1


Sum = tuple[Term, ...]


class Tally(NamedTuple):
    """How the count of a site comes from counters."""

    first: Sum = ()
    second: Sum = ()
    missed: Sum = ()
    total: Sum = ()
    chosen: tuple[tuple[int, tuple[int, ...], tuple[int, ...]], ...] = ()
    """Of a case: the counter of its switch, the keys that lead to it, and those of the cases before it."""
    counters: tuple[int, ...] = ()
    """Counters that have more to tell: classes, visits, times."""

    def used(self) -> Iterator[int]:
        """The counters that it comes from."""
        yield from (t.counter for t in (*self.first, *self.second, *self.missed, *self.total))
        yield from (number for number, _, _ in self.chosen)
        yield from self.counters

    def joined(self, other: Tally) -> Tally:
        """What both count together."""
        return Tally(
            self.first + other.first,
            self.second + other.second,
            self.missed + other.missed,
            self.total + other.total,
            self.chosen + other.chosen,
            self.counters + other.counters,
        )


class Numbers:
    """Numbers of counters, for all classes of a program; those of loops, and whether they count."""

    def __init__(self) -> None:
        self.next = 0
        self.loops: dict[int, tuple[bool, bool]] = {}
        """By counter of a jump that decides on a further round: whether a counter is compared there, and whether it
        jumps for one."""

    def new(self) -> int:
        """The next number."""
        self.next += 1
        return self.next - 1


def mean(number: int) -> Tally:
    """A counter of values: how many, and their sum."""
    return Tally((Term(number, "first"),), total=(Term(number, "sum"),))


def first_of(tallies: Iterable[Tally | None]) -> Tally | None:
    """All that is counted together; None where nothing is."""
    found = [t for t in tallies if t is not None]
    if not found:
        return None
    whole = found[0]
    for one in found[1:]:
        whole = whole.joined(one)
    return whole


def amount(terms: Sum, counts: Mapping[int, Mapping[str, float]]) -> float:
    """What a sum of counters comes to."""
    return sum(t.times * counts[t.counter][t.what] for t in terms)
