"""The task graph of an application, and the order that its flows leave: the data that front ends and reports share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apet.model.precedence import Order, Prime, decomposed, reduced, topological


@dataclass(frozen=True, slots=True)
class BatchNode:
    """A batch: its number of tasks, what they run and where they run, as text."""

    name: str
    number: str
    task: str
    place: str


@dataclass(frozen=True, slots=True)
class Arc:
    """The target begins when the source has ended; `size` is what one task of the source hands on, "" for nothing."""

    source: str
    target: str
    size: str


@dataclass(frozen=True, slots=True)
class TaskGraph:
    """Batches in the order of the file, and flows between them; acyclic."""

    title: str
    nodes: tuple[BatchNode, ...]
    arcs: tuple[Arc, ...]


class BatchOrder(NamedTuple):
    """The order of batches: taken apart, by their place in `names`; and as the flows that no others imply."""

    names: tuple[str, ...]
    order: Order
    after: tuple[tuple[str, ...], ...]

    @property
    def is_series_parallel(self) -> bool:
        """Whether `;` and `||` say it."""
        waiting = [self.order]
        while waiting:
            order = waiting.pop()
            if isinstance(order, Prime):
                return False
            waiting += () if isinstance(order, int) else order.parts
        return True


Successors = Mapping[str, Iterable[str]]


def cycle(names: Sequence[str], successors: Successors) -> list[str]:
    """Names that follow each other in a circle, the first one again at the end; empty if there is none."""
    finished: set[str] = set()
    for start in names:
        path: list[str] = []
        waiting: list[tuple[str, bool]] = [(start, True)]
        while waiting:
            name, entering = waiting.pop()
            if not entering:
                finished.add(path.pop())
            elif name in path:
                return [*path[path.index(name) :], name]
            elif name not in finished:
                path.append(name)
                waiting.append((name, False))
                waiting += [(n, True) for n in successors.get(name, ())]

    return []


def levels(names: Sequence[str], successors: Successors) -> dict[str, int]:
    """The most flows on a way from the beginning to each name; only for graphs without a cycle."""
    level = dict.fromkeys(names, 0)
    for name in sorted_by_flow(names, successors):
        for after in successors.get(name, ()):
            if after in level:
                level[after] = max(level[after], level[name] + 1)
    return level


def sorted_by_flow(names: Sequence[str], successors: Successors) -> list[str]:
    """The names, each behind all that come before it; otherwise in the given order. Only without a cycle."""
    missing = dict.fromkeys(names, 0)
    for name in names:
        for after in successors.get(name, ()):
            if after in missing:
                missing[after] += 1

    ready = [n for n in names if not missing[n]]
    ordered: list[str] = []
    while ready:
        name = ready.pop(0)
        ordered.append(name)
        for after in successors.get(name, ()):
            if after in missing:
                missing[after] -= 1
                if not missing[after]:
                    ready.append(after)
    return ordered


def order(names: Sequence[str], successors: Successors) -> BatchOrder:
    """The order that flows leave; only without a cycle."""
    places = {name: k for k, name in enumerate(names)}
    after = [set[int]() for _ in names]
    for name in names:
        for later in successors.get(name, ()):
            after[places[later]].add(places[name])
    direct = reduced(after, topological(after))
    flows = tuple(tuple(names[k] for k in sorted(before)) for before in direct)
    return BatchOrder(tuple(names), decomposed(after), flows)
