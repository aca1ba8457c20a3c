"""How long processes take that run at once and wait for each other, where nothing else runs.

Branches that share no resource do not wait for each other: the last of them decides. Branches that share some end when
the last of them does, and not before the servers of each resource have done their work.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from apet.questions.quantiles.distributions import Law, Laws
from apet.simulator.engine import ResourceServer

Loads = Mapping[str, Mapping[Law, float]]
Competitor = tuple[Law, Loads, int]
"""The time that a branch takes alone, what it loads, and how many such branches there are."""


class BranchContention:
    """Branches at once on the servers of an engine, by label.

    `exact` tells whether all laws so far are those of the runs themselves: no branch waits for anything, or all of them
    do nothing but hold one server in turn.
    """

    def __init__(self, laws: Laws, servers: Mapping[str, ResourceServer]) -> None:
        self.laws = laws
        self.servers = servers
        self.exact = True

    def at_once(self, branches: Sequence[Competitor]) -> Law:
        """The law of the time until the last of the branches ends; of what shares resources, where the greatest mean
        decides."""
        spans: defaultdict[Law, float] = defaultdict(float)
        for group in _sharing(branches):
            spans[self._of_group(group)] += 1
        for span, loads, n in branches:
            if not loads:
                spans[span] += n
        return self.laws.greatest(spans)

    def _of_group(self, group: Sequence[Competitor]) -> Law:
        """Branches that wait for each other: the last of them alone, or the load of a resource."""
        if len(group) == 1 and group[0][2] == 1:
            return group[0][0]
        spans: defaultdict[Law, float] = defaultdict(float)
        held: dict[str, defaultdict[Law, float]] = {}
        for span, loads, n in group:
            spans[span] += n
            for label, times in loads.items():
                load = held.setdefault(label, defaultdict(float))
                for law, m in times.items():
                    load[law] += n * m

        self.exact = self.exact and self._is_one_queue(group, held)
        return self._slowest(self.laws.greatest(spans), held)

    def in_order(self, longest: Law, held: Loads) -> Law:
        """The law of the time of parts in an order, by that of the longest path and what all parts load."""
        self.exact = False
        return self._slowest(longest, held)

    def _slowest(self, span: Law, held: Loads) -> Law:
        """What decides in the mean: a time that nobody shortens, or the work of the servers of a resource."""
        candidates = [span]
        for label, load in held.items():
            candidates.append(self.laws.scaled(self.laws.total(load), 1 / self.servers[label].free))
        return max(candidates, key=lambda law: law.mean)

    def _is_one_queue(self, group: Sequence[Competitor], held: Mapping[str, object]) -> bool:
        """Whether branches hold one server, one after the other, and do nothing else."""
        if len(held) > 1:
            return False
        [label] = held
        alone = all(span is self.laws.total(loads[label]) for span, loads, _ in group)
        return alone and self.servers[label].free == 1


def _sharing(branches: Sequence[Competitor]) -> list[list[Competitor]]:
    """The branches that hold anything, those together that share a resource with each other or with a third."""
    leader: dict[str, str] = {}

    def find(label: str) -> str:
        while leader[label] != label:
            leader[label] = label = leader[leader[label]]
        return label

    for _, loads, _ in branches:
        first = None
        for label in loads:
            leader.setdefault(label, label)
            if first is None:
                first = find(label)
            else:
                leader[find(label)] = first

    groups: dict[str, list[Competitor]] = {}
    for branch in branches:
        if branch[1]:
            groups.setdefault(find(next(iter(branch[1]))), []).append(branch)
    return list(groups.values())
