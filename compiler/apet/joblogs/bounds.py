"""Bounds of every schedule that keeps no core idle while a task waits, as formulas in `cores`, `spread`, `jobs` and
`data`.

Of a unit with work W, longest task m, n tasks on N cores, with turnaround g:

    lower = max(m, W / N)                         what takes so long, and what cores can do
    upper = (W + n g) / N + (1 - 1 / N) m         R. L. Graham, 1969, theorem 1

Of a segment, the longest path of delays and such times; all work of it with the least head and tail; what must run
between two times (`intervals`); above, all work with the longest path of delays and (1 - 1 / N) m, or what is on no
chain beside it (`chains`). Segments add. With x = 1 / N every path is a line in x, so that the
longest is the maximum of a few of them (`envelope`). `spread` makes every task shorter below and longer above. With
more data W, m and delays grow along lines, of units that split W and n alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational
from apet.joblogs.chains import ChainTerm, chain_terms
from apet.joblogs.envelope import MOST_LINES, PathLine, envelope, longest
from apet.joblogs.heads import heads, tails
from apet.joblogs.job_log import US
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.segments import segments


class SegmentBounds(NamedTuple):
    """Bounds of the time of a segment beside delays that are always there; `delays` are those, in seconds, and
    `delay_growth` is what more data adds to them."""

    name: str
    delays: Rational
    delay_growth: Rational
    lower: NodeId
    upper: NodeId


class BoundBuilder:
    """Formulas of one work graph. `more` is 1 + spread, `less` 1 - spread, `inverse` 1 / cores.

    With `data` over that of the log, `grown` is max(0, data - 1) and `shrunk` min(0, data - 1).
    """

    def __init__(self, graph: Graph, work: WorkGraph, cores: NodeId | None = None) -> None:
        self.graph, self.work = graph, work
        self.cores, spread = graph.symbol("cores") if cores is None else cores, graph.symbol("spread")
        self.inverse = graph.over(graph.one, self.cores)
        self.rest = graph.minus(graph.one, self.inverse)
        self.less, self.more = graph.minus(graph.one, spread), graph.plus(graph.one, spread)
        self.data = graph.scale(graph.symbol("data"), 1 / Fraction(work.size))
        more = graph.shift(self.data, -1)
        self.grown, self.shrunk = graph.maximum([graph.zero, more]), graph.minimum([graph.zero, more])
        one_job = graph.compare("==", graph.symbol("jobs"), graph.one)
        self.as_logged = graph.times(one_job, graph.compare("==", more, graph.zero))

    def segments(self) -> list[SegmentBounds]:
        """Bounds by segment, in order."""
        return [
            self._of_unit(part[0]) if len(part) == 1 else self._of_several(part) for part in segments(self.work.units)
        ]

    def all_work(self) -> tuple[NodeId, NodeId]:
        """The least and the most time that the work of all units keeps all cores busy."""
        return self.graph.times(self.less, self._over_cores(self._work(self.work.lean))), self._busy(self.work.units)

    def growing(self, start: Rational, growth: Rational) -> NodeId:
        """So many seconds, and what more data adds."""
        return self.graph.shift(self.graph.scale(self.data, growth), start - growth)

    def least(self, seconds: Rational) -> NodeId:
        """What is left of times on less data: nothing shrinks by more than the data."""
        return self.graph.shift(self.graph.scale(self.shrunk, seconds), seconds)

    def _of_unit(self, k: int) -> SegmentBounds:
        unit, lean = self.work.units[k], self.work.lean[k]
        delays = seconds(unit.delay + unit.tail), seconds(unit.delay_growth)
        if not unit.holds:
            return SegmentBounds(unit.name, *delays, self.graph.zero, self.graph.zero)

        longest = self._tasks(_of_task(lean, lean.longest, lean.hold_of_longest))
        least = self.graph.maximum([self._if_fixed(longest), self._over_cores(self._work([lean]))])
        hold = self._tasks(_of_task(unit, unit.longest_hold, unit.longest_hold))
        path = self.graph.shift(self.graph.times(self.rest, hold), seconds(unit.late))
        upper = self.graph.plus(self._busy([unit]), self.graph.times(self.more, self._if_merged(path, path)))
        upper = self._chained(upper, [replace(unit, delay=0, tail=0)], [[]])
        return SegmentBounds(unit.name, *delays, self.graph.times(self.less, least), upper)

    def _of_several(self, part: Sequence[int]) -> SegmentBounds:
        """Units beside each other; nothing of their delays is outside the bounds."""
        place = {k: n for n, k in enumerate(part)}
        units, lean = [self.work.units[k] for k in part], [self.work.lean[k] for k in part]
        before = [[place[p] for p in unit.before if p in place] for unit in units]
        jobs = sorted({unit.job for unit in units if unit.holds} or {unit.job for unit in units})
        name = f"jobs {jobs[0]} to {jobs[-1]}" if len(jobs) > 1 else f"stages of job {jobs[0]}"
        return SegmentBounds(name, 0, 0, self._lower(lean, before), self._upper(units, before))

    def _lower(self, units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> NodeId:
        g = self.graph

        def weights(unit: WorkUnit) -> list[PathLine]:
            delays = unit.delay + unit.tail, unit.delay_growth
            longest = _of_task(unit, unit.longest, unit.hold_of_longest, *delays)
            work = PathLine(delays[0], 0, unit.work, delays[1], slope_growth=unit.growth * unit.work)
            return [work] if self.work.following else [longest, work]

        paths = []
        for line in envelope(before, [weights(unit) for unit in units]):
            work = self.growing(seconds(line.slope), seconds(line.slope_growth))
            tasks = self.graph.times(self.less, g.plus(self._tasks(line), self._over_cores(work)))
            paths.append(g.plus(tasks, self.growing(seconds(line.delays), seconds(line.delay_growth))))
        ends = self.least(seconds(_least_ends(units, before)))
        work = g.plus(self._over_cores(self._work(units)), ends)
        return g.maximum([*paths, *self._intervals(units, before), self.graph.times(self.less, work)])

    def _intervals(self, units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> list[NodeId]:
        """What must run between two times, of tasks that stay as they are; of less data nothing shrinks by more than
        the data."""
        g = self.graph
        if self.work.following or any(unit.splits for unit in units):
            return []
        from apet.joblogs.intervals import interval_lines

        lines = [
            g.shift(g.scale(self.inverse, seconds(line.work)), seconds(line.outside))
            for line in interval_lines(units, before)
        ]
        return [g.times(g.times(self.less, g.shift(self.shrunk, 1)), line) for line in lines]

    def _upper(self, units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> NodeId:
        """Times on a path are convex in the data: below that of the log they lie under the line from none to it; above
        it they grow by no more than the path of the greatest growths."""
        g = self.graph
        path = self._longest_path(before, [_upper_line(unit, 1) for unit in units])
        nothing = self._longest_path(before, [_upper_line(unit, 0) for unit in units])
        most = longest(before, [[_growth(unit)] for unit in units], 0).at(1, 0)
        less = g.times(self.shrunk, g.minus(path, nothing))
        grown = g.scale(self.grown, seconds(most))
        path = g.plus(path, less, grown)
        if self.work.following:
            tasks = self._longest_path(before, [_upper_line(unit, 1)._replace(delays=0) for unit in units])
            path = self._if_merged(path, g.plus(tasks, grown))

        # a path of delays D and tasks M becomes D + (1 + s) M = (1 + s)(D + M) - s D, and D is at least the shortest
        spread = g.minus(self.more, g.one)
        shortest = g.times(spread, self.least(seconds(_shortest_delays(units, before))))
        upper = g.minus(g.plus(self._busy(units), self.graph.times(self.more, path)), shortest)
        return self._chained(upper, units, before)

    def _chained(self, upper: NodeId, units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> NodeId:
        """What several chains take off an upper bound: for one job as it was logged, whose tasks stay as they are."""
        g = self.graph
        if self.work.following:
            return upper
        terms = chain_terms(units, before, self.work.turnaround)
        if not terms:
            return upper
        chained = g.times(self.more, g.minimum([self._chain_term(term, terms[0].over) for term in terms]))
        saved = g.maximum([g.zero, g.minus(upper, chained)])
        return g.minus(upper, g.times(self.as_logged, saved))

    def _chain_term(self, term: ChainTerm, of_one: int) -> NodeId:
        """One term, which where there are fewer cores than chains is above that of one chain, with `of_one` over it."""
        g = self.graph
        others = g.maximum([g.one, g.shift(self.cores, 1 - term.chains)])
        bound = g.shift(g.over(g.const(seconds(term.over)), others), seconds(term.path))
        too_many = g.compare("<", self.cores, g.const(term.chains))
        return g.plus(bound, g.scale(too_many, seconds(of_one)))

    def _longest_path(self, before: Sequence[Sequence[int]], weights: Sequence[PathLine]) -> NodeId:
        units = [[line] for line in weights]
        lines = envelope(before, units)
        if len(lines) == MOST_LINES:  # perhaps not all: what holds for x = 0 holds for all
            lines = [longest(before, units, 0)._replace(slope=0)]
        pieces = [(seconds(line.delays + line.tasks), seconds(line.slope)) for line in lines]
        return self.graph.maximum(
            self.graph.shift(self.graph.scale(self.inverse, slope), start) for start, slope in pieces
        )

    def _tasks(self, line: PathLine) -> NodeId:
        """Longest tasks; of units that split they stay as they are on more data."""
        tasks = self.growing(seconds(line.tasks), seconds(line.task_growth))
        return self.graph.plus(tasks, self.graph.scale(self.shrunk, seconds(line.split_growth)))

    def _work(self, units: Sequence[WorkUnit]) -> NodeId:
        growth = sum(unit.growth * unit.work for unit in units)
        return self.growing(seconds(sum(unit.work for unit in units)), seconds(growth))

    def _busy(self, units: Sequence[WorkUnit]) -> NodeId:
        """How long the work and the turnarounds of units keep all cores busy, at the most."""
        g = self.graph
        work = self.graph.times(self.more, self._over_cores(self._work(units)))
        turnaround = seconds(self.work.turnaround)
        splitting = [len(unit.holds) for unit in units if unit.splits]
        tasks = g.plus(
            g.const(sum(len(unit.holds) for unit in units)),
            g.scale(self.grown, sum(splitting)),
            g.scale(g.call("ceil", [self.grown]), len(splitting)),  # a part of a task is one more
        )
        return g.plus(work, self._over_cores(g.scale(tasks, turnaround)))

    def _over_cores(self, seconds: NodeId) -> NodeId:
        return self.graph.times(self.inverse, seconds)

    def _if_fixed(self, longest: NodeId) -> NodeId:
        """A longest task, which is split on more cores where numbers of tasks follow them."""
        g = self.graph
        if not self.work.following:
            return longest
        return g.times(g.compare("<=", self.cores, g.const(self.work.cores)), longest)

    def _if_merged(self, path: NodeId, tasks: NodeId) -> NodeId:
        """A path with no more than `tasks` in tasks: these are joined on fewer cores if their numbers follow them."""
        g = self.graph
        if not self.work.following:
            return path
        joined = g.shift(g.call("ceil", [g.scale(self.inverse, self.work.cores)]), -1)
        return g.plus(path, g.times(joined, g.minimum([path, tasks])))


def _of_task(unit: WorkUnit, time: int, hold: int, delays: int = 0, delay_growth: int = 0) -> PathLine:
    """A path of one task of a unit, of which only the hold grows, behind delays."""
    growth = unit.growth * hold
    return PathLine(delays, time, 0, delay_growth, *((0, growth) if unit.splits else (growth, 0)))


def _upper_line(unit: WorkUnit, data: int) -> PathLine:
    """Delays, and (1 - x) times the longest hold with the latest result; with the log's data, or with none."""
    delays = unit.delay + unit.tail + (data - 1) * unit.delay_growth
    hold = unit.longest_hold * (1 + (data - 1) * unit.growth)
    return PathLine(delays, hold + unit.late, -hold)


def _growth(unit: WorkUnit) -> PathLine:
    """What as much data again adds to the delays and the longest task of a unit."""
    return PathLine(unit.delay_growth, 0 if unit.splits else unit.growth * unit.longest_hold, 0)


def seconds(microseconds: Rational) -> Rational:
    """Whole microseconds as exact seconds."""
    exact = Fraction(microseconds) / US
    return exact.numerator if exact.denominator == 1 else exact


def _least_ends(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> int:
    """The least time before the first task of a segment and after the last, of whichever units; without tasks, all."""
    ahead, behind = heads(units, before), tails(units, before)
    having = [k for k, unit in enumerate(units) if unit.holds]
    if not having:
        return max((head + tail for head, tail in zip(ahead, behind, strict=True)), default=0)
    return min(ahead[k] for k in having) + min(behind[k] for k in having)


def _shortest_delays(units: Sequence[WorkUnit], before: Sequence[Sequence[int]]) -> int:
    """The least sum of delays along a path from a first unit to a last one."""
    ends, inner = list[int](), set[int]()
    for unit, needed in zip(units, before, strict=True):
        inner |= set(needed)
        ends.append(min((ends[p] for p in needed), default=0) + unit.delay + unit.tail)
    return min((end for k, end in enumerate(ends) if k not in inner), default=0)
