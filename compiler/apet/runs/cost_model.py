"""Fits of measured runs as cost models, and as times of operations.

The estimate is the method's law where the law is what it predicts; where several laws are averaged, the prediction in
pieces. The lower and upper formula are the ends of the interval that shall hold 90 % of such runs, in pieces.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from apet.cost.cost_model import CostModel, InputRange, graph_of, named_terms, of_inputs
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.notes import Note, NoteKind
from apet.ground.source import Source
from apet.machine.fitted import FittedPieces, FittedTime
from apet.runs.fit.methods import FARTHEST, extrapolate
from apet.runs.measurements import Curve, Extrapolation, quantity
from apet.runs.scaling_laws import LEAST_SHARE, MOST_SHARE, Law, PhaseSum, node, seconds
from apet.runs.straight_pieces import exact_number, node_of, pieces_of

REACH = 64
"""Predictions reach so many times the largest run, as those of how far a time reaches."""
SAME = 1e-9
USUAL = 2
"""Without a value, twice the largest run is predicted."""
GROWTH = 2.0


class _Fit(NamedTuple):
    low: FittedPieces
    middle: FittedPieces
    high: FittedPieces
    law: Law | None
    extrapolation: Extrapolation


def runs_model(path: str, curve: Curve, method: str = "auto", notes: Sequence[Note] = ()) -> CostModel:
    """The prediction of a curve by a method as a cost model in `n`, or in the processors `P`; `ApetError`."""
    fit = _fitted(curve, method)
    by_processors = curve.kind == "procs"
    first, last = curve.runs[0].n, curve.runs[-1].n
    most = int(REACH * last)
    whole = all(r.n == round(r.n) for r in curve.runs)
    middle, low, high = (exact_number(value) for value in (USUAL * last, first, REACH * last))
    inputs = () if by_processors else (InputRange("n", middle, low, high, whole),)
    graph = graph_of(inputs)
    n = graph.symbol("P" if by_processors else "n")
    terms: Sequence[tuple[str, NodeId]] = ()

    if fit.law is None:
        total = node_of(graph, fit.middle, n)
    else:
        total, terms = node(graph, fit.law, n), _phases(graph, fit.law, n)

    lower, upper = node_of(graph, fit.low, n), node_of(graph, fit.high, n)
    alone = graph.zero if terms else total
    knots = sorted({k for p in (fit.low, fit.middle, fit.high) for k in p.knots})
    return CostModel(
        source=Source(path, ""),
        graph=graph,
        T0=Formula(graph, alone),
        T_total=Formula(graph, total),
        lower=Formula(graph, lower),
        upper=Formula(graph, upper),
        resources=named_terms(graph, terms),
        kind="runs",
        unit=curve.unit,
        quantity=f"{quantity(curve.unit)} from {len(curve.runs)} runs, method {method}",
        sure=False,
        bracket="90 % of such runs",
        base="fit",
        breaks={"P" if by_processors else "n": tuple(knots[1:-1])},
        notes=(*notes, *_remarks(curve, fit.extrapolation)),
        usual_processors=int(USUAL * last) if by_processors else None,
        most_processors=most if by_processors else 1,
        **of_inputs(inputs),
    )


def fitted_time(path: str, curve: Curve, method: str = "auto") -> FittedTime:
    """The prediction of a curve as the time of an operation whose argument is n; `ApetError`."""
    fit = _fitted(curve, method)
    low, high = fit.low.rising(upward=False), fit.high.rising(upward=True)
    return FittedTime(path, low, high, (curve.runs[0].n,), (REACH * curve.runs[-1].n,))


def _fitted(curve: Curve, method: str) -> _Fit:
    def sampled(targets: Sequence[float]) -> list[tuple[float, ...]]:
        extrapolation = extrapolate(curve, targets, method).predictions
        return [(max(float(p.interval.lo), p.t * LEAST), p.t, float(p.interval.hi)) for p in extrapolation]

    first, last = curve.runs[0].n, curve.runs[-1].n
    begin = {r.n for r in curve.runs}
    begin |= {last * GROWTH**k for k in range(round(math.log2(REACH)) + 1)}
    low, middle, high = pieces_of(sampled, sorted(begin))
    extrapolation = extrapolate(curve, [first, last, USUAL * last, REACH * last], method)
    law = extrapolation.law
    same = law is not None and all(abs(seconds(law, p.n) / p.t - 1) < SAME for p in extrapolation.predictions)
    return _Fit(low, middle, high, law if same else None, extrapolation)


LEAST = 1e-6
"""Of the prediction: a lower end of 0 has no logarithm."""


def _phases(graph: Graph, law: Law, n: NodeId) -> tuple[tuple[str, NodeId], ...]:
    """The phases of a law of several, each with its part of what no phase accounts for."""
    if not isinstance(law, PhaseSum):
        return ()
    over = graph.one
    if law.share != (1.0, 0.0):
        line = graph.add([(n, exact_number(law.share[1]))], exact_number(law.share[0]))
        bounded = graph.maximum([graph.const(exact_number(LEAST_SHARE)), line])
        over = graph.minimum([graph.const(exact_number(MOST_SHARE)), bounded])

    return tuple(
        (name, graph.over(node(graph, part, n), over)) for name, part in zip(law.names, law.parts, strict=True)
    )


def _remarks(curve: Curve, extrapolation: Extrapolation) -> tuple[Note, ...]:
    """What a reader should know of the intervals."""
    largest = curve.runs[-1].n
    where = f"{FARTHEST * largest:.12g}"
    flags = [f for f in extrapolation.flags if f.kind not in (NoteKind.FAR, NoteKind.BELOW)]
    holds = f"intervals hold 90 % of such runs up to {where}, {FARTHEST} times the largest run"
    return (Note(NoteKind.BOUNDS, holds), *flags)
