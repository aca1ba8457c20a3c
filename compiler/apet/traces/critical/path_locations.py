"""A path by what is in the trace: by names of actions, and by loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Literal

import numpy

from apet.traces.bounds.transfers import Array
from apet.traces.critical.critical_path import OfAction, OfPlace, Parts
from apet.traces.critical.placing import Placing
from apet.traces.critical.shares import Shares
from apet.traces.fold.folded import Folded, Kind, nested
from apet.traces.replay.program import LEAVE, MASK, SHIFT, Programs

COMPUTE, END = "compute", "end"
AT_END = 1 << 62
"""More than any number of an action."""


class Places:
    """By kind of ranks and by slot, computing before it apart: seconds of steps by kind, and executions."""

    def __init__(self, folded: Folded, programs: Programs, steps: Array, shares: Shares) -> None:
        self.folded = folded
        self.seconds = [numpy.zeros((len(kind.slots) + 1, 2, shares.seconds.shape[1])) for kind in folded.kinds]
        self.times = [numpy.zeros((len(kind.slots) + 1, 2), numpy.int64) for kind in folded.kinds]

        placing = Placing(folded)
        actions_of, rank_of = _actions(programs, steps)
        order = numpy.argsort(rank_of, kind="stable")
        ranks, first = numpy.unique(rank_of[order], return_index=True)

        for rank, mine in zip(ranks.tolist(), numpy.split(order, first)[1:], strict=True):
            actions = actions_of[mine]
            kind = placing.kind(rank)
            slots, computes = placing.placed(rank, actions)
            groups = 2 * slots + computes
            sums = shares.of(mine).sums(groups, 2 * len(self.times[kind]))
            self.seconds[kind] += sums.reshape(self.seconds[kind].shape)
            once = numpy.unique(actions, return_index=True)[1]
            self.times[kind] += numpy.bincount(groups[once], minlength=sums.shape[0]).reshape(-1, 2)

    def by_action(self) -> tuple[OfAction, ...]:
        """By name; those with most of it first."""
        sums_by_name: dict[str, tuple[int, Array]] = {}
        for kind, seconds, times in zip(self.folded.kinds, self.seconds, self.times, strict=True):
            for slot, computes in zip(*map(numpy.ndarray.tolist, numpy.nonzero(times)), strict=True):
                name = _name(kind, slot, bool(computes))
                number, sum_before = sums_by_name.get(name, (0, 0.0))
                sums_by_name[name] = number + int(times[slot, computes]), sum_before + seconds[slot, computes]
        rows = [OfAction(name, number, Parts(*sums.tolist())) for name, (number, sums) in sums_by_name.items()]
        return tuple(sorted(rows, key=lambda row: (-row.parts.total_s, row.action)))

    def rows(self) -> Iterator[OfPlace]:
        """Loops and actions with any of it, in the order of the trace; those of all kinds of ranks together.

        The k-th loop of n iterations in a loop is taken for the same in all kinds, and so is the k-th action of a name.
        """
        top = _Node("loop", "", 1, 0)
        for kind, seconds, times in zip(self.folded.kinds, self.seconds, self.times, strict=True):
            if times.any():
                _add(top, kind, seconds, times)
        return _listed(top, count(), -1, 0)


def _actions(programs: Programs, steps: Array) -> tuple[Array, Array]:
    """By step the number of its action, and whose it is; for floors of collectives rank 0 stands for all."""
    actions, ranks = numpy.zeros(len(steps), numpy.int64), numpy.maximum(steps["rank"], 0)
    for rank in numpy.unique(ranks).tolist():
        mine = steps["rank"] == rank
        actions[mine] = numpy.asarray(programs.origins[rank])[steps["place"][mine]]
    floors = steps["rank"] < 0
    if floors.any():
        own = numpy.asarray(programs.operations[0])
        leaves = numpy.asarray(programs.origins[0])[(own & MASK) == LEAVE]
        actions[floors] = numpy.append(leaves, AT_END)[steps["what"][floors] >> SHIFT]
    return actions, ranks


class _Node:
    """A loop or an action of some kinds of ranks, the next one in the same loop, and the first one in itself."""

    __slots__ = ("action", "children", "first", "line", "next", "ranks", "seconds", "times", "what")

    def __init__(self, what: Literal["loop", "action"], action: str, times: int, line: int) -> None:
        self.what, self.action, self.times, self.line = what, action, times, line
        self.seconds: Array = numpy.zeros(len(Parts._fields))
        self.ranks: dict[int, None] = {}
        self.first: _Node | None = None
        self.next: _Node | None = None
        self.children: dict[tuple[object, ...], _Node] = {}

    def inside(self) -> Iterator[_Node]:
        """What is in it, in order."""
        each = self.first
        while each is not None:
            yield each
            each = each.next


class _Within:
    """How far one kind has come in a loop: how often there was what, and what was there last."""

    def __init__(self, node: _Node) -> None:
        self.node = node
        self.last: _Node | None = None
        self.counts: dict[tuple[object, ...], int] = {}

    def count(self, *what: object) -> tuple[object, ...]:
        """What comes next, and how often there has been the same."""
        self.counts[what] = self.counts.get(what, 0) + 1
        return *what, self.counts[what]

    def enter(self, key: tuple[object, ...], new: Callable[[], _Node]) -> _Node:
        """The same as in kinds before, if there is one."""
        node = self.node.children.get(key)
        if node is None:
            node = self.node.children[key] = new()
            if self.last is None:
                self.node.first, node.next = node, self.node.first
            else:
                self.last.next, node.next = node, self.last.next
        self.last = node
        return node


def _add(top: _Node, kind: Kind, seconds: Array, times: Array) -> None:
    around = [_Within(top)]

    for what, k, _ in (*nested(kind), ("slot", len(kind.slots), 0)):
        place = around[-1]
        if what == "end":
            around.pop()
        elif what == "loop":
            loop = kind.loops[k]
            iterations = loop.times if loop.counts is None else int(loop.counts.total)
            key = place.count("loop", iterations)
            around.append(_Within(place.enter(key, partial(_Node, "loop", "", iterations, loop.line))))
        else:
            key = place.count(_name(kind, k, False))
            line = kind.slots[k].line if k < len(kind.slots) else 0
            for computes in (True, False):
                node = place.enter((computes, *key), partial(_Node, "action", _name(kind, k, computes), 0, line))
                if times[k, int(computes)]:
                    node.times += int(times[k, int(computes)])
                    for each in (*(outer.node for outer in around), node):
                        each.seconds += seconds[k, int(computes)]
                        each.ranks.update(dict.fromkeys(kind.ranks))


def _listed(node: _Node, numbers: Iterator[int], within: int, depth: int) -> Iterator[OfPlace]:
    for each in node.inside():
        parts = Parts(*each.seconds.tolist())
        if parts.total_s > 0:
            number, ranks = next(numbers), tuple(sorted(each.ranks))
            yield OfPlace(ranks, each.what, each.action, each.times, each.line, within, depth, parts)
            yield from _listed(each, numbers, number, depth + 1)


def _name(kind: Kind, slot: int, computes: bool) -> str:
    if computes:
        return COMPUTE
    return kind.slots[slot].action if slot < len(kind.slots) else END
