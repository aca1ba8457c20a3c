"""Tasks with predecessors as a tree of parts one after the other and parts at the same time.

A partial order is series-parallel if it falls apart again and again: into parts without any order between them, or
into parts of which each is entirely before the next (J. Valdes, R. E. Tarjan and E. L. Lawler, SIAM J. Computing 11(2),
1982). What falls apart in neither way (a pipeline of several items) is kept as a block, to be laid on a timeline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from apet.queueing.data.jobs import JobTask


class Leaf(NamedTuple):
    """One task, by number."""

    task: int


class Series(NamedTuple):
    """Parts one after the other."""

    parts: tuple[Tree, ...]


class TreeFork(NamedTuple):
    """Parts at the same time."""

    parts: tuple[Tree, ...]


class TimelineBlock(NamedTuple):
    """Tasks whose order is no tree, predecessors first."""

    tasks: tuple[int, ...]


Tree = Leaf | Series | TreeFork | TimelineBlock


def tree(tasks: Sequence[JobTask]) -> Tree:
    """The tree of a job's tasks, whose predecessors come first."""
    ancestors: list[frozenset[int]] = []
    for task in tasks:
        ancestors.append(frozenset(task.predecessors).union(*(ancestors[p] for p in task.predecessors)))

    def ordered(a: int, b: int) -> bool:
        return a in ancestors[b] or b in ancestors[a]

    return _part(list(range(len(tasks))), ordered, ancestors)


def _part(tasks: list[int], ordered: Callable[[int, int], bool], ancestors: Sequence[frozenset[int]]) -> Tree:
    if len(tasks) == 1:
        return Leaf(tasks[0])
    apart = _groups(tasks, ordered)
    if len(apart) > 1:
        return TreeFork(tuple(_part(group, ordered, ancestors) for group in apart))
    stages = _groups(tasks, lambda a, b: not ordered(a, b))
    if len(stages) > 1:
        stages.sort(key=lambda group: len(ancestors[group[0]].intersection(tasks)))
        return Series(tuple(_part(group, ordered, ancestors) for group in stages))
    return TimelineBlock(tuple(tasks))


def _groups(tasks: Iterable[int], related: Callable[[int, int], bool]) -> list[list[int]]:
    """What relations connect."""
    left, groups = list(tasks), []
    while left:
        group, waiting = [], [left.pop(0)]
        while waiting:
            one = waiting.pop()
            group.append(one)
            near = [t for t in left if related(one, t)]
            left = [t for t in left if t not in near]
            waiting += near
        groups.append(sorted(group))

    return groups
