"""What one run with counters showed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from apet.ground.diagnostics import Advisory
from apet.java.bytecode.tallies import Tally, amount
from apet.java.errors import AssumedArguments, Recompiled, UnseenExceptions
from apet.java.profile.asked import Site
from apet.java.profile.call_times import CallTimes


class Count(NamedTuple):
    """What a site has counted: evaluations, entries or calls from outside; how often true, rounds, all calls;
    mispredictions; and the sum of its values."""

    first: int
    second: int
    missed: int
    total: float


class CountedRun(NamedTuple):
    """What one run showed: counts by site, numbers of fields, lengths of arrays, sizes it was given, its
    method, means over the objects of a class (`Tree.size`, `Tree.nodes[1]` for the length of an array), calls by the
    class that a site of kind "class" met, how long calls of the library took, and how often optimised code of a method
    was thrown away, of those that lost it often."""

    sites: Mapping[Site, Count]
    fields: Mapping[str, float]
    arrays: Mapping[str, tuple[float, ...]]
    sizes: tuple[int, ...]
    entry: str = "run"
    means: Mapping[str, float] = {}
    classes: Mapping[Site, Mapping[str, int]] = {}
    times: CallTimes = CallTimes()
    recompiled: Mapping[str, int] = {}
    visits: Mapping[Site, Sequence[float]] = {}
    """By site of kind "visit": visits, lines that were not near, out of order and in order, and the sum of the lines
    visited since the last visit of these."""
    assumed: Sequence[str] = ()
    """Arguments of the run that nobody has set, `Graph: V = 64`."""
    unseen: int = 0
    """How often an exception was handled that no throw of the program shows."""

    @property
    def advice(self) -> list[Advisory]:
        """What the run showed that a prediction does not know of."""
        advice: list[Advisory] = [Recompiled(None, None, name, str(times)) for name, times in self.recompiled.items()]
        if self.unseen:
            advice.append(UnseenExceptions(None, None, f"{self.unseen:,}"))
        if self.assumed:
            advice.append(AssumedArguments(None, None, self.entry, ", ".join(self.assumed)))
        return advice


_WHAT = ("first", "second", "missed", "sum")


@dataclass
class Told:
    """Counters by number; what switches chose by key; classes that calls met, by counter; visits; fields by name,
    lengths of arrays, means over objects; from and to when it settled; assumed arguments; how
    often the entry was run, and an exception handled that no throw of the program shows."""

    counters: dict[int, dict[str, float]] = field(default_factory=dict)
    chosen: dict[int, dict[int, int]] = field(default_factory=dict)
    classes: dict[int, dict[str, int]] = field(default_factory=dict)
    visits: dict[int, list[float]] = field(default_factory=dict)
    fields: dict[str, float] = field(default_factory=dict)
    arrays: dict[str, tuple[float, ...]] = field(default_factory=dict)
    means: dict[str, float] = field(default_factory=dict)
    settling: tuple[int, int] = (0, 0)
    assumed: list[str] = field(default_factory=list)
    runs: int = 1
    unseen: int = 0

    @classmethod
    def read(cls, lines: Iterable[Sequence[str]]) -> Told:
        """Read the lines of a report."""
        told = cls()
        for kind, name, *rest in lines:
            told._line(kind, name, rest)
        return told

    def _line(self, kind: str, name: str, rest: Sequence[str]) -> None:
        match kind:
            case "site":
                self.counters[int(name)] = dict(zip(_WHAT, map(float, rest), strict=True))
            case "chosen":
                self.chosen.setdefault(int(name), {})[int(rest[0])] = int(rest[1])
            case "class":
                self.classes.setdefault(int(name), {})[rest[0]] = int(rest[1])
            case "visits":
                self.visits[int(name)] = [float(v) for v in rest]
            case "field":
                self.fields[name] = float(rest[0])
            case "mean":
                self.means[name] = float(rest[0])
            case "array":
                self.arrays[name] = tuple(map(float, rest))
            case "unseen":
                self.unseen = int(rest[0])
            case "runs":
                self.runs = int(rest[0])
            case "settling":
                self.settling = int(name), int(rest[0])
            case "assumed":
                self.assumed.append(" ".join(rest))
            case "missed":
                # Of a later run, which the predictor has been taught for.
                counter, (asked, missed) = self.counters[int(name)], map(float, rest)
                counter["missed"] = missed * counter["first"] / asked

    def count(self, tally: Tally) -> Count:
        """What a site has counted."""
        first, second, missed, total = (
            amount(terms, self.counters) for terms in (tally.first, tally.second, tally.missed, tally.total)
        )
        for number, mine, earlier in tally.chosen:
            counts = self.chosen.get(number, {})
            first += sum(counts.values()) - sum(counts.get(k, 0) for k in earlier)
            second += sum(counts.get(k, 0) for k in mine)
        return Count(round(first), round(second), round(missed), total)

    def classes_of(self, tally: Tally, anonymous: Mapping[str, int]) -> dict[str, int]:
        """Calls by the class that they met; an anonymous one is called after its line."""
        calls: dict[str, int] = {}
        for number in tally.counters:
            for name, many in self.classes.get(number, {}).items():
                above, _, own = name.partition("#")
                shown = f"{above}{anonymous.get(own, 0)}" if own else name
                calls[shown] = calls.get(shown, 0) + many
        return calls


def most(counts: Iterable[Count]) -> Count | None:
    """Of the methods that a place may mean, what the one counted that was called most."""
    return max(counts, key=lambda c: c.first, default=None)
