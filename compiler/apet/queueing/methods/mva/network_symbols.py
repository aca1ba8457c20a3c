"""Demands, think times, arrival rates and numbers of servers of a network as symbols of a graph."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from apet.formula import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval, Number
from apet.queueing.data.networks import Network


class NetworkSymbols:
    """Demands, think times and arrival rates as symbols: `D_cpu`, `Z`, `rate`; of several classes `D_cpu_class`.

    Numbers of servers have the names that the file gives them.
    """

    def __init__(self, low: Network, high: Network) -> None:
        self.graph, self.network = Graph(), low
        self.values: dict[str, Number | Interval] = {}
        several = len(low.classes) > 1
        self.stations = _identifiers([s.name for s in low.stations])
        self.classes = _identifiers([c.name for c in low.classes])
        self.suffix = [f"_{name}" if several else "" for name in self.classes]

        self.demand = [
            [self._symbol(f"D_{s}{suffix}", a, b) for s, a, b in zip(self.stations, *rows, strict=True)]
            for suffix, *rows in zip(self.suffix, low.demands(), high.demands(), strict=True)
        ]
        self.counts = {
            k: self.graph.symbol(count.name) for count in low.counts for kind, k in count.places if kind == "servers"
        }
        self.values |= {count.name: count.value for count in low.counts}
        both = list(zip(low.classes, high.classes, strict=True))
        self.think = [self._symbol(f"Z{self.suffix[c]}", a.think, b.think) for c, (a, b) in enumerate(both)]
        self.rate = [
            self._symbol(f"rate{self.suffix[c]}", a.arrival_rate or 0.0, b.arrival_rate or 0.0)
            for c, (a, b) in enumerate(both)
        ]

    def _symbol(self, name: str, low: float, high: float) -> NodeId:
        """A symbol; what is 0 is left out of the formulas."""
        if not high:
            return self.graph.zero
        self.values[name] = low if low == high else Interval(low, high)
        return self.graph.symbol(name)

    def speed(self, k: int, jobs: int) -> Fraction | NodeId:
        """How fast a station works with so many jobs; a node where its number of servers has a name."""
        if self.network.stations[k].is_delay:
            return Fraction(jobs)
        if k in self.counts:
            return self.graph.minimum([self.graph.const(jobs), self.counts[k]])
        speeds = self.network.exact_speed(k)
        return speeds[min(jobs, len(speeds)) - 1]

    def peak(self, k: int) -> NodeId:
        """The greatest speed of a station."""
        return self.counts.get(k, self.graph.const(max(self.network.exact_speed(k))))

    def is_plain(self, k: int) -> bool:
        """Whether a station is one server or a delay, whatever parameters are."""
        return self.network.is_plain(k) and k not in self.counts

    def most_servers(self, k: int) -> int:
        """From how many jobs on a station works at full speed."""
        highs = [c.high for c in self.network.counts if ("servers", k) in c.places]
        return highs[0] if highs else len(self.network.exact_speed(k))

    def name(self, what: str, c: int) -> str:
        """`X`, or `X[class]` where there are several."""
        return f"{what}[{self.network.classes[c].name}]" if len(self.classes) > 1 else what


def _identifiers(names: Sequence[str]) -> list[str]:
    """Names that can be parts of identifiers, each once."""
    identifiers: list[str] = []
    for i, name in enumerate(names, start=1):
        plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or str(i)
        identifiers.append(plain if plain not in identifiers else f"{plain}_{i}")
    return identifiers
