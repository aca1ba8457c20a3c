"""Fits over several parameters as cost models: every question can be asked of them, in all their parameters.

The estimate is the likeliest formula, scaled to the blend at the largest corner. The bounds are the formula times what
holds the intervals of the blend there and at 2 and 4 times the largest values, in powers of the distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from apet.cost.cost_model import CostModel, InputRange, graph_of, named_terms, of_inputs
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.notes import Note, NoteKind
from apet.ground.source import Source
from apet.runs.experiments import PROCESSORS, Experiment
from apet.runs.fit.surface.fitted import SurfaceFit
from apet.runs.fit.surface.surface import FARTHEST, fit_surface
from apet.runs.measurements import quantity
from apet.runs.straight_pieces import exact_number
from apet.runs.surface_law import node

HOLDS = f"intervals hold 90 % of such runs up to {FARTHEST:g} times the largest runs"

REACH = 64
DIGITS = 5
"""Of the numbers in formulas, which people read: far more than any fit is worth."""
STEPS, FEW_STEPS = (1.0, 2.0, 4.0), (1.0, 4.0)
USUAL = 2
MOST_PROBED = 3
"""Parameters for which all steps are tried together."""


def surface_model(path: str, experiment: Experiment, notes: Sequence[Note] = ()) -> CostModel:
    """The prediction of an experiment as a cost model in its parameters; `ApetError`."""
    corner = experiment.largest
    steps = STEPS if len(corner) <= MOST_PROBED else FEW_STEPS
    probes = [tuple(c * s for c, s in zip(corner, by, strict=True)) for by in product(steps, repeat=len(corner))]
    fit = fit_surface(experiment, probes)
    at = {p.name for p in experiment.parameters if p.role == PROCESSORS and p.name == "P"}
    inputs = tuple(_input(experiment, k) for k, p in enumerate(experiment.parameters) if p.name not in at)
    graph = graph_of(inputs)
    symbols = [graph.symbol(p.name) for p in experiment.parameters]

    phases = [(p.name, node(graph, p.terms, symbols, DIGITS)) for p in fit.law.phases]
    total = graph.plus(*(n for _, n in phases))
    terms = phases if len(phases) > 1 else []
    lower, upper = (_bound(graph, symbols, total, fit, high) for high in (False, True))
    largest_p = corner[[p.name for p in experiment.parameters].index("P")] if at else 1
    return CostModel(
        source=Source(path, ""),
        graph=graph,
        T0=Formula(graph, graph.zero if terms else total),
        T_total=Formula(graph, total),
        lower=Formula(graph, lower),
        upper=Formula(graph, upper),
        resources=named_terms(graph, terms),
        kind="runs",
        unit=experiment.unit,
        quantity=f"{quantity(experiment.unit)} from {len(experiment.points)} points over {', '.join(experiment.names)}",
        sure=False,
        bracket="90 % of such runs",
        base="fit",
        breaks={p.name: (exact_number(c),) for p, c in zip(experiment.parameters, corner, strict=True)},
        notes=(*notes, Note(NoteKind.BOUNDS, HOLDS), *_remarks(fit)),
        usual_processors=int(USUAL * largest_p) if at else None,
        most_processors=int(REACH * largest_p) if at else 1,
        **of_inputs(inputs),
    )


def _remarks(fit: SurfaceFit) -> list[Note]:
    return [note for note in fit.notes if note.kind is not NoteKind.FAR]


def _input(experiment: Experiment, k: int) -> InputRange:
    values = experiment.values(k)
    whole = all(v == round(v) for v in values)
    middle, low, high = (exact_number(v) for v in (USUAL * values[-1], values[0], REACH * values[-1]))
    return InputRange(experiment.parameters[k].name, middle, low, high, whole)


def _bound(graph: Graph, symbols: Sequence[NodeId], total: NodeId, fit: SurfaceFit, high: bool) -> NodeId:
    """The formula times a constant and powers of how far each parameter is beyond its largest value."""
    corner, sign = fit.experiment.largest, 1 if high else -1
    off = {
        p.x: sign * math.log(float(p.interval.hi if high else p.interval.lo) / fit.law.seconds(p.x))
        for p in fit.predictions
    }
    inside = [abs(math.log(p.t / fit.law.seconds(p.x))) for p in fit.experiment.points]
    constant = max(off[corner], 1.1 * sorted(inside)[int(0.9 * (len(inside) - 1))])

    exponents = []
    for k in range(len(corner)):
        alone = [(x[k] / corner[k], v) for x, v in off.items() if x[k] > corner[k] and _others_same(x, corner, k)]
        exponents.append(max([0.0, *((v - constant) / math.log(f) for f, v in alone)]))
    jointly = [
        (v - constant) / reached
        for x, v in off.items()
        if (reached := sum(e * math.log(a / c) for e, a, c in zip(exponents, x, corner, strict=True))) > 0
    ]
    stretch = max([1.0, *jointly])
    factors = [total, graph.const(exact_number(math.exp(sign * constant), DIGITS))]
    for n, c, exponent in zip(symbols, corner, exponents, strict=True):
        beyond = graph.maximum([graph.scale(n, 1 / Fraction(exact_number(c))), graph.one])
        factors.append(graph.call("pow", [beyond, graph.const(exact_number(sign * stretch * exponent, DIGITS))]))
    return graph.times(*factors)


def _others_same(x: Sequence[float], corner: Sequence[float], k: int) -> bool:
    return all(a == c for j, (a, c) in enumerate(zip(x, corner, strict=True)) if j != k)
