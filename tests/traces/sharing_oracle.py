"""Max-min fair sharing of links between flows, weighted and bounded (D. Bertsekas and R. Gallager, Data Networks,
1992).

A flow of weight 1 / p and bound b gets rate x; it uses the share w of x on each of its links. Rates rise together,
x = lambda / p, until a link is full or a bound is reached; what is fixed is taken off, and the rest goes on. A FATPIPE
link limits the flow that needs most of it, and fixes all flows on it at that level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from apet.traces.replay.costs import Path

FULL = 1e-12
"""Relative excess of demand over capacity below which a link binds nobody."""
SAME_LEVEL = 1e-5
"""Bounds times p (bytes) that differ by less are reached together."""


class Flow:
    """A transfer in progress: its path, bytes left at the moment `since`, and its rate of progress."""

    __slots__ = ("bandwidth_factor", "left", "message", "number", "path", "rate", "since", "speed")

    def __init__(self, path: Path, left: float, bandwidth_factor: float, message: int) -> None:
        self.path = path
        self.left = left
        self.bandwidth_factor = bandwidth_factor
        self.message = message
        self.rate = 0.0
        self.speed = 0.0
        self.since = 0.0
        self.number = 0


def harmless(capacities: Sequence[float], paths: Iterable[Path]) -> list[bool]:
    """Whether a link as a FATPIPE limits none of these flows: each alone fits, and all have the same p."""
    fits, penalties = [True] * len(capacities), dict[int, tuple[float, float]]()
    for path in paths:
        for k, share in path.uses:
            fits[k] = fits[k] and share * path.bound <= capacities[k] * (1 + FULL)
            low, high = penalties.get(k, (path.penalty, path.penalty))
            penalties[k] = min(low, path.penalty), max(high, path.penalty)
    equal = [k not in penalties or penalties[k][1] <= penalties[k][0] * (1 + FULL) for k in range(len(fits))]
    return [fit and same for fit, same in zip(fits, equal, strict=True)]


class Links:
    """All links: capacities, whether shared, which flows use them, and how much these would like; FATPIPE links that
    are `harmless` are left out."""

    def __init__(self, capacities: Sequence[float], shared: Sequence[bool], harmless: Sequence[bool] = ()) -> None:
        self.capacity = list(capacities)
        self.shared = list(shared)
        self.harmless = list(harmless) or [False] * len(self.capacity)
        self.flows: list[dict[Flow, float]] = [{} for _ in capacities]
        self.load = [0.0] * len(capacities)
        self.filling = [0] * len(capacities)

    def enter(self, flow: Flow) -> None:
        """A flow begins to use its links."""
        bound = flow.path.bound
        for k, share in flow.path.uses:
            self.flows[k][flow] = share
            self.load[k] += share * bound
            self.filling[k] += share * bound >= self.capacity[k] * (1 - FULL)

    def leave(self, flow: Flow) -> None:
        """A flow has ended."""
        bound = flow.path.bound
        for k, share in flow.path.uses:
            users = self.flows[k]
            del users[flow]
            self.load[k] = self.load[k] - share * bound if users else 0.0
            self.filling[k] -= share * bound >= self.capacity[k] * (1 - FULL)

    def tight(self, k: int) -> bool:
        """Whether a link may limit its flows; a FATPIPE does where a flow would fill it."""
        if self.shared[k]:
            return self.load[k] > self.capacity[k] * (1 + FULL)
        return self.filling[k] > 0 and len(self.flows[k]) > 1 and not self.harmless[k]

    def around(self, links: Iterable[int]) -> tuple[list[Flow], list[int]]:
        """All flows that share tight links with those on the given ones, directly or by way of others, and these
        links."""
        waiting, seen = list(links), dict[int, None]()
        found: dict[Flow, None] = {}
        while waiting:
            k = waiting.pop()
            if k in seen:
                continue
            seen[k] = None
            for flow in self.flows[k]:
                if flow not in found:
                    found[flow] = None
                    waiting += [i for i, _ in flow.path.uses if i not in seen and self.tight(i)]
        return list(found), list(seen)

    def rates(self, flows: Sequence[Flow], links: Sequence[int]) -> list[float]:
        """The rates of flows, which are all that use the given links."""
        binding = [k for k in links if self.tight(k)]
        if not binding:
            return [f.path.bound for f in flows]
        return _Filling(self, flows, binding).solve()


class _Filling:
    """Progressive filling of some links."""

    def __init__(self, links: Links, flows: Sequence[Flow], binding: Sequence[int]) -> None:
        self.links, self.flows, self.binding = links, flows, binding
        self.rate: dict[Flow, float] = {}
        self.left = {k: links.capacity[k] for k in binding}
        self.weight = {k: self._weight(k) for k in binding}

    def _weight(self, k: int) -> float:
        parts = [share / f.path.penalty for f, share in self.links.flows[k].items() if f not in self.rate]
        if not parts:
            return 0.0
        return sum(parts) if self.links.shared[k] else max(parts)

    def solve(self) -> list[float]:
        while len(self.rate) < len(self.flows):
            levels = {k: self.left[k] / w for k, w in self.weight.items() if w > 0}
            if not levels:
                break
            level = min(levels.values())
            tied = self._tied([k for k, v in levels.items() if v <= level * (1 + FULL)])
            least = min(f.path.bound * f.path.penalty for f in tied)
            if least < level:
                self._fix({f: f.path.bound for f in tied if f.path.bound * f.path.penalty < least + SAME_LEVEL})
            else:
                self._fix({f: level / f.path.penalty for f in tied})
        return [self.rate.get(f, f.path.bound) for f in self.flows]

    def _tied(self, full: Sequence[int]) -> list[Flow]:
        found = dict.fromkeys(f for k in full for f in self.links.flows[k] if f not in self.rate)
        return list(found)

    def _fix(self, rates: dict[Flow, float]) -> None:
        self.rate |= rates
        touched = set[int]()
        for flow, rate in rates.items():
            for k, share in flow.path.uses:
                if k in self.left:
                    touched.add(k)
                    if self.links.shared[k]:
                        self.left[k] = max(0.0, self.left[k] - share * rate)
                        self.weight[k] -= share / flow.path.penalty
        for k in touched:
            if not self.links.shared[k] or all(f in self.rate for f in self.links.flows[k]):
                self.weight[k] = self._weight(k)
