"""Bounds of every schedule that keeps no core idle while a task waits, as formulas in `cores`, `spread` and `jobs`.

Of a unit with work W, longest task m, n tasks on N cores, with turnaround g:

    lower = max(m, W / N)                         what takes so long, and what cores can do
    upper = (W + n g) / N + (1 - 1 / N) m         R. L. Graham, 1969, theorem 1

Of a segment, the longest path of delays and such times; all work of it with the least head and tail; above, all work
with the longest path of delays and (1 - 1 / N) m. Segments add. With x = 1 / N every path is a line in x, so that the
longest is the maximum of a few of them (`envelope`). `spread` makes every task shorter below and longer above.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational
from apet.joblogs.envelope import MOST_LINES, NOTHING, PathLine, envelope, longest
from apet.joblogs.job_log import US
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.segments import segments


class SegmentBounds(NamedTuple):
    """Bounds of the time of a segment beside delays that are always there; `delays` are those, in seconds."""

    name: str
    delays: Rational
    lower: NodeId
    upper: NodeId


class BoundBuilder:
    """Formulas of one work graph. `more` is 1 + spread, `less` 1 - spread, `inverse` 1 / cores."""

    def __init__(self, graph: Graph, work: WorkGraph) -> None:
        self.graph, self.work = graph, work
        self.cores, spread = graph.symbol("cores"), graph.symbol("spread")
        self.inverse = graph.over(graph.one, self.cores)
        self.rest = graph.minus(graph.one, self.inverse)
        self.less, self.more = graph.minus(graph.one, spread), graph.plus(graph.one, spread)

    def segments(self) -> list[SegmentBounds]:
        """Bounds by segment, in order."""
        return [
            self._of_unit(part[0]) if len(part) == 1 else self._of_several(part) for part in segments(self.work.units)
        ]

    def all_work(self) -> tuple[NodeId, NodeId]:
        """The least and the most time that the work of all units keeps all cores busy."""
        least = sum(unit.work for unit in self.work.lean)
        return self._scaled(self.less, self._over_cores(least)), self._busy(self.work.units)

    def _of_unit(self, k: int) -> SegmentBounds:
        unit, lean = self.work.units[k], self.work.lean[k]
        delays = _seconds(unit.delay + unit.tail)
        if not unit.holds:
            return SegmentBounds(unit.name, delays, self.graph.zero, self.graph.zero)

        least = self.graph.maximum([self._if_fixed(_seconds(lean.longest)), self._over_cores(lean.work)])
        path = self.graph.plus(
            self.graph.scale(self.rest, _seconds(unit.longest_hold)), self.graph.const(_seconds(unit.late))
        )
        upper = self.graph.plus(self._busy([unit]), self._scaled(self.more, self._if_merged(path)))
        return SegmentBounds(unit.name, delays, self._scaled(self.less, least), upper)

    def _of_several(self, part: Sequence[int]) -> SegmentBounds:
        """Units beside each other; nothing of their delays is outside the bounds."""
        place = {k: n for n, k in enumerate(part)}
        units, lean = [self.work.units[k] for k in part], [self.work.lean[k] for k in part]
        before = [[place[p] for p in unit.before if p in place] for unit in units]
        jobs = sorted({unit.job for unit in units if unit.holds} or {unit.job for unit in units})
        name = f"jobs {jobs[0]} to {jobs[-1]}" if len(jobs) > 1 else f"stages of job {jobs[0]}"
        return SegmentBounds(name, 0, self._lower(lean, before), self._upper(units, before))

    def _lower(self, units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> NodeId:
        g = self.graph

        def weight(k: int, x: Fraction) -> PathLine:
            unit = units[k]
            delays = unit.delay + unit.tail
            longest, work = PathLine(delays, unit.longest, 0), PathLine(delays, 0, unit.work)
            return work if self.work.following or work.at(x) > longest.at(x) else longest

        paths = []
        for line in envelope(before, weight):
            tasks = g.plus(g.const(_seconds(line.tasks)), self._over_cores(line.slope))
            paths.append(g.shift(self._scaled(self.less, tasks), _seconds(line.delays)))
        ends = _least_head(units, before) + _least_tail(units, before)
        work = g.shift(self._over_cores(sum(unit.work for unit in units)), _seconds(ends))
        return g.maximum([*paths, self._scaled(self.less, work)])

    def _upper(self, units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> NodeId:
        g = self.graph

        def weight(k: int, x: Fraction) -> PathLine:
            unit = units[k]
            return PathLine(unit.delay + unit.tail, unit.longest_hold + unit.late, -unit.longest_hold)

        lines = envelope(before, weight)
        if len(lines) == MOST_LINES:  # perhaps not all: what holds for x = 0 holds for all
            top = max(longest(before, weight, Fraction(0)), key=lambda line: line.at(Fraction(0)), default=NOTHING)
            lines = [top._replace(slope=0)]
        path = g.maximum(
            g.plus(g.const(_seconds(line.delays + line.tasks)), self._over_cores(line.slope)) for line in lines
        )
        # a path of delays D and tasks M becomes D + (1 + s) M = (1 + s)(D + M) - s D, and D is at least the shortest
        spread = g.minus(self.more, g.one)
        shortest = g.scale(spread, -_seconds(_shortest_delays(units, before)))
        return g.plus(self._busy(units), self._scaled(self.more, self._if_merged(path)), shortest)

    def _busy(self, units: Sequence[WorkUnit]) -> NodeId:
        """How long the work and the turnarounds of units keep all cores busy, at the most."""
        work = self._scaled(self.more, self._over_cores(sum(unit.work for unit in units)))
        turnarounds = sum(len(unit.holds) for unit in units) * self.work.turnaround
        return self.graph.plus(work, self._over_cores(turnarounds))

    def _over_cores(self, microseconds: int) -> NodeId:
        return self.graph.scale(self.inverse, _seconds(microseconds))

    def _scaled(self, factor: NodeId, node: NodeId) -> NodeId:
        return self.graph.times(factor, node)

    def _if_fixed(self, longest: Rational) -> NodeId:
        """A longest task, which is split on more cores where numbers of tasks follow them."""
        g = self.graph
        if not self.work.following:
            return g.const(longest)
        return g.scale(g.compare("<=", self.cores, g.const(self.work.cores)), longest)

    def _if_merged(self, path: NodeId) -> NodeId:
        """A path, whose tasks are joined on fewer cores where numbers of tasks follow them."""
        g = self.graph
        if not self.work.following:
            return path
        return g.times(path, g.call("ceil", [g.scale(self.inverse, self.work.cores)]))


def _seconds(microseconds: int) -> Rational:
    exact = Fraction(microseconds, US)
    return exact.numerator if exact.denominator == 1 else exact


def _least_head(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> int:
    """The least time before the first task of a segment, over all units that have tasks."""
    ends, heads = list[int](), list[int]()
    for unit, needed in zip(units, before, strict=True):
        head = max((ends[p] for p in needed), default=0) + unit.delay
        heads += [head] if unit.holds else []
        ends.append(head + unit.longest + unit.tail if unit.holds else head + unit.tail)
    return min(heads, default=max(ends, default=0))


def _least_tail(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> int:
    """The least time after the last task of a unit, over all units that have tasks."""
    after = [0] * len(units)
    for k in range(len(units) - 1, -1, -1):
        unit = units[k]
        whole = after[k] + unit.delay + unit.longest + unit.tail
        for p in before[k]:
            after[p] = max(after[p], whole)
    return min((after[k] + unit.tail for k, unit in enumerate(units) if unit.holds), default=0)


def _shortest_delays(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> int:
    """The least sum of delays along a path from a first unit to a last one."""
    ends, inner = list[int](), set[int]()
    for unit, needed in zip(units, before, strict=True):
        inner |= set(needed)
        ends.append(min((ends[p] for p in needed), default=0) + unit.delay + unit.tail)
    return min((end for k, end in enumerate(ends) if k not in inner), default=0)
