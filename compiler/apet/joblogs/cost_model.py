"""A log as a cost model: bounds by segment, and an estimate between them where the replay of the log lies.

The replay itself is no formula. The estimate divides the distance between the bounds in one ratio, fitted to replays at
core counts around the log's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from apet.cost.cost_model import NOWHERE, CostModel, InputRange, graph_of, named_terms, of_inputs
from apet.formula.algebra.reduction import substitute
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.notes import Note, NoteKind
from apet.ground.source import Source
from apet.joblogs import errors
from apet.joblogs.allocation import Allocation
from apet.joblogs.bounds import BoundBuilder, SegmentBounds, seconds
from apet.joblogs.data import MOST_DATA
from apet.joblogs.heads import heads
from apet.joblogs.job_log import US
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.trust import NO_BOUNDS, own_error
from apet.joblogs.what_if import makespan, on_cores
from apet.model.terms import Binary, Name

MOST_CORES, MOST_JOBS = 100_000, 1_000
WIDEST_SPREAD = Fraction(1, 2)
MOST_TERMS = 24
"""Segments that are terms of their own; the shorter ones are one term together."""
SCHEDULES = "any order of tasks that leaves no core idle while one waits, if tasks take what they took ± spread"
PROPORTIONAL = "and grow in proportion to data where they read it"
COMING = ", on executors that come as fast as the slowest did"
FITTED = "and grow with data along fitted lines"
AROUND = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))


def joblog_model(path: str, work: WorkGraph, notes: Sequence[str] = (), *, own: WorkGraph | None = None) -> CostModel:
    """The run time in `cores`, `spread`, `jobs` at once and `data`; `ApetError` where the run of `own`, the work as it
    was logged, is missed by far."""
    error = 0.0 if own is None else own_error(own)
    if abs(error) > NO_BOUNDS:
        raise ApetError(errors.UntrustedLog(None, None, path, f"{abs(error):.0%}".replace("%", " %")))

    inputs = _inputs(work)
    graph = graph_of(inputs)
    bounds = _JobBounds(graph, work)
    ratio = bounds.ratio()
    terms = bounds.terms(ratio)
    delays = bounds.delays

    return CostModel(
        source=Source(path, ""),
        graph=graph,
        T0=Formula(graph, delays),
        T_total=Formula(graph, graph.plus(delays, *(node for _, node in terms))),
        lower=Formula(graph, bounds.lower),
        upper=Formula(graph, bounds.upper),
        resources=named_terms(graph, terms),
        kind="jobs",
        quantity="run time from a job log",
        sure=work.sure,
        unsure="as assumed",
        bracket=f"{SCHEDULES}, {FITTED if work.fitted else PROPORTIONAL}{COMING if work.allocation else ''}",
        base="driver",
        breaks={
            **({} if work.following else dict.fromkeys(("executors", "executor_cores"), ())),
            **dict.fromkeys(("spread", "jobs", "data"), ()),
            "cores": (work.cores, work.cores + 1) if work.following else (),
        },
        notes=tuple(Note(NoteKind.DATA, text) for text in notes),
        **of_inputs(inputs),
    )


def job_bounds(work: WorkGraph) -> tuple[Formula, Formula]:
    """The lower and the upper bound of `joblog_model` alone, for which nothing is replayed."""
    graph = graph_of(_inputs(work))
    bounds = _JobBounds(graph, work)
    return Formula(graph, bounds.lower), Formula(graph, bounds.upper)


def _inputs(work: WorkGraph) -> tuple[InputRange, ...]:
    return (
        *_core_counts(work),
        InputRange("spread", 0, 0, WIDEST_SPREAD),
        InputRange("jobs", 1, 1, MOST_JOBS, True),
        InputRange("data", work.size, Fraction(work.size) / MOST_DATA, work.size * MOST_DATA),
    )


def _core_counts(work: WorkGraph) -> list[InputRange]:
    """`cores`, which unless set are those of so many `executors`, where all executors of the log are alike."""
    most = max(MOST_CORES, work.cores)
    executors, rest = divmod(work.cores, work.per_executor)
    if rest:
        return [InputRange("cores", work.cores, 1, most, True)]

    product = Binary("*", Name("executors", NOWHERE), Name("executor_cores", NOWHERE), NOWHERE)
    return [
        InputRange("executors", executors, 1, most // work.per_executor, True),
        InputRange("executor_cores", work.per_executor, 1, most // executors, True),
        InputRange("cores", product, 1, most, True),
    ]


class _JobBounds:
    """The formulas of one log, and what of them is the driver's."""

    def __init__(self, graph: Graph, work: WorkGraph) -> None:
        self.graph, self.work = graph, work
        self.values: dict[str, Any] = {"cores": work.cores, "spread": 0, "jobs": 1, "data": work.size}
        builder = BoundBuilder(graph, work)
        self.segments = builder.segments()

        delays = sum((s.delays for s in self.segments), Fraction(0))
        self.delays = builder.growing(delays, sum((s.delay_growth for s in self.segments), Fraction(0)))

        jobs = graph.symbol("jobs")
        least, most = builder.all_work()
        self.others = graph.times(graph.minus(jobs, graph.one), most)

        alone = graph.plus(self.delays, *(s.lower for s in self.segments))
        self.lower = graph.maximum([alone, graph.plus(graph.times(jobs, least), builder.least(self._ends()))])
        self.upper = graph.plus(self.delays, *(s.upper for s in self.segments), self.others)
        self.requests = graph.zero  # what of it is lost while executors come
        if work.allocation is not None:
            fixed, self.upper = self.upper, self._with_requests(work.allocation)
            self.requests = graph.minus(self.upper, fixed)

    def _ends(self) -> Fraction:
        """Delays before the first task and after the last, of whichever job."""
        first = next((k for k, s in enumerate(self.segments) if s.lower != self.graph.zero), 0)
        last = next((k for k, s in enumerate(reversed(self.segments)) if s.lower != self.graph.zero), 0)
        outer = [*self.segments[:first], *self.segments[len(self.segments) - last :]]
        return Fraction(sum(s.delays for s in outer))

    def _with_requests(self, allocation: Allocation) -> NodeId:
        """The upper bound with what is lost while executors come, each time that tasks become ready. After k rounds of
        requests there are 2^(k+1) - 1 executors, if tasks wait for so long: a bound for each k. And what those that are
        always there need."""
        g, slots = self.graph, allocation.slots
        times = sum(1 for unit in self.work.units if unit.holds)
        ahead = heads(self.work.units, [unit.before for unit in self.work.units])
        ready = min((ahead[k] for k, unit in enumerate(self.work.units) if unit.holds), default=0)
        absent = max(0, max(allocation.first, default=0) - ready)  # the initial ones, when the first tasks are ready

        cores = g.symbol("cores")
        executors = g.call("floor", [g.scale(cores, Fraction(1, slots))])  # whole ones, or one that is smaller
        cores = g.maximum([g.minimum([cores, g.const(slots)]), g.scale(executors, slots)])

        def of_cores(most: int) -> NodeId:
            return substitute(g, self.upper, {g.symbol("cores"): g.minimum([cores, g.const(most)])})

        bounds = list[NodeId]()
        for k in self._rounds(allocation, times):
            lost = g.scale(g.symbol("jobs"), times * seconds(allocation.ramp + k * allocation.round))
            bounds.append(g.shift(g.plus(of_cores(slots * (2 ** (k + 1) - 1)), lost), seconds(absent)))
        if least := allocation.rules.least:
            bounds.append(g.shift(of_cores(least * slots), seconds(max(allocation.first))))
        return g.minimum(bounds)

    def _rounds(self, allocation: Allocation, times: int) -> list[int]:
        """The numbers of rounds whose bounds are least for some number of cores."""
        upper, needed = Formula(self.graph, self.upper), set[int]()
        counts = [min(MOST_CORES, allocation.slots * (2 ** (k + 1) - 1)) for k in range(MOST_CORES.bit_length())]
        alone = [float(upper.evaluate({**self.values, "cores": cores})) for cores in counts]
        for at in range(len(counts)):
            bounds = [alone[min(k, at)] + times * k * allocation.round / US for k in range(len(counts))]
            needed.add(min(range(len(counts)), key=bounds.__getitem__))
        return sorted(needed)

    def ratio(self) -> Fraction:
        """How far from the lower bound to the upper the replay lies: least squares over cores around the log's."""
        lower, upper = Formula(self.graph, self.lower), Formula(self.graph, self.upper)
        above = squared = 0.0
        for factor in AROUND:
            cores = max(1, round(self.work.cores * factor))
            values = {**self.values, "cores": cores}
            low, high = float(lower.evaluate(values)), float(upper.evaluate(values))
            estimate = makespan(self.work, cores, on_cores(self.work, cores)) / US
            above += (estimate - low) * (high - low)
            squared += (high - low) ** 2
        share = above / squared if squared else 0.0
        return Fraction(f"{min(max(share, 0.0), 1.0):.2f}")

    def terms(self, ratio: Fraction) -> list[tuple[str, NodeId]]:
        """What segments add to the estimate: the longest at the log's cores by name, the others together."""
        named = [(s.name, self._between(s, ratio)) for s in self.segments if s.upper != self.graph.zero]
        sizes = {name: float(Formula(self.graph, node).evaluate(self.values)) for name, node in named}
        largest = set(sorted(sizes, key=lambda name: -sizes[name])[:MOST_TERMS])
        rest = [node for name, node in named if name not in largest]
        terms = [(name, node) for name, node in named if name in largest]
        if rest:
            terms.append((f"{len(rest)} other segments", self.graph.plus(*rest)))
        if self.requests != self.graph.zero:
            terms.append(("executors that come", self.graph.scale(self.requests, ratio)))
        return [*terms, ("other jobs", self.others)]

    def _between(self, segment: SegmentBounds, ratio: Fraction) -> NodeId:
        g = self.graph
        return g.plus(g.scale(segment.lower, 1 - ratio), g.scale(segment.upper, ratio))
