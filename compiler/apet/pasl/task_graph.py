"""The task graph of an application, and the order that its flows leave: the data that front ends and reports share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple


class BatchNode(NamedTuple):
    """A batch: its number of tasks, what they run and where they run, as text."""

    name: str
    number: str
    task: str
    place: str


class Arc(NamedTuple):
    """The target begins when the source has ended; `size` is what one task of the source hands on, "" for nothing."""

    source: str
    target: str
    size: str


class TaskGraph(NamedTuple):
    """Batches in the order of the file, and flows between them; acyclic."""

    title: str
    nodes: tuple[BatchNode, ...]
    arcs: tuple[Arc, ...]


class InSequence(NamedTuple):
    """One part after the other, with a barrier between them; `strict` where the flows ask for every barrier."""

    parts: tuple[Order, ...]
    strict: bool


class AtOnce(NamedTuple):
    """Parts that run at the same time and are joined at the end."""

    parts: tuple[Order, ...]


Order = str | InSequence | AtOnce
"""A batch by its name, or batches in order."""

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


def order(names: Sequence[str], successors: Successors) -> Order:
    """How barriers and parallel parts keep the order of an acyclic graph.

    A series-parallel order is kept exactly: parts that no flow joins run at once; parts of which all of one come before
    all of the next stand in series (Valdes, Tarjan and Lawler, 1982: modular decomposition of the order, where a part
    that is neither is prime). In a prime part batches run level by level, which keeps the order and adds to it.
    """
    after: dict[str, set[str]] = {}
    for name in reversed(sorted_by_flow(names, successors)):
        after[name] = {n for one in successors.get(name, ()) for n in (one, *after[one])}
    return _decomposed(list(names), after)


def _decomposed(names: list[str], after: Mapping[str, set[str]]) -> Order:
    if len(names) == 1:
        return names[0]

    def ordered(a: str, b: str) -> bool:
        return b in after[a] or a in after[b]

    apart = _components(names, ordered)
    if len(apart) > 1:
        return AtOnce(tuple(_decomposed(part, after) for part in apart))
    series = _components(names, lambda a, b: not ordered(a, b))
    if len(series) > 1:
        series.sort(key=lambda part: -len(after[part[0]] & set(names) - set(part)))
        return InSequence(tuple(_decomposed(part, after) for part in series), True)
    level = levels(names, after)
    rows = [[n for n in names if level[n] == k] for k in range(max(level.values()) + 1)]
    return InSequence(tuple(row[0] if len(row) == 1 else AtOnce(tuple(row)) for row in rows), False)


def _components(names: list[str], joined: Callable[[str, str], bool]) -> list[list[str]]:
    """The names in parts that nothing joins; each part, and the parts, in the given order."""
    left, components = list(names), list[list[str]]()
    while left:
        part, waiting = {left[0]}, [left[0]]
        while waiting:
            one = waiting.pop()
            fresh = [n for n in left if n not in part and joined(one, n)]
            part.update(fresh)
            waiting += fresh
        components.append([n for n in left if n in part])
        left = [n for n in left if n not in part]
    return components
