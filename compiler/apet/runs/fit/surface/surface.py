"""The fit of an experiment: predictions with intervals, how far to trust them, and the likeliest formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.runs import errors
from apet.runs.experiments import FAR_APART, Experiment
from apet.runs.fit.surface.blend import Blended, blended
from apet.runs.fit.surface.fitted import SurfaceFit, SurfacePoint
from apet.runs.fit.surface.intervals import TRUST, Design, dependent, design_of, deviations, quantiles
from apet.runs.fit.surface.one_parameter import over_one
from apet.runs.fit.surface.phases import UNEXPLAINED
from apet.runs.fit.surface.term_library import Array
from apet.runs.surface_law import LawFactor, LawTerm, PhaseLaw, SurfaceLaw

if TYPE_CHECKING:
    from apet.runs.fit.surface.average import SumTerm

MOST_POINTS = 150
"""More are thinned out: the time of a fit grows with their cube."""
MOST_PARAMETERS = 5
FARTHEST = 4.0
"""Times the largest value: so far intervals are calibrated."""
NEARLY = 1e-9
ROUGH, BETTER = 4.0, 0.6
"""The misfit that no prediction should rest on; how much less it must be in another regime."""
MOST_SCATTERED = 0.1
"""The share of points whose repetitions are far apart beyond which medians do not tell what a run takes."""
LEAST_REGIME_POINTS, LEAST_REGIME_VALUES = 8, 3
LINES_ONLY = "a sum and a product fit alike; add the run {corner}"
TOGETHER = "parameters that vary only together cannot be distinguished; add runs in which one alone changes"


def fit_surface(experiment: Experiment, targets: Sequence[Sequence[float]]) -> SurfaceFit:
    """Predict run times at values of all parameters; `ApetError` where there are too few points."""
    check(experiment)
    if len(experiment.parameters) == 1:
        return over_one(experiment, targets)
    used, notes = _thinned(experiment)
    corner = used.largest
    at = np.array([corner, *targets], dtype=float)
    with np.errstate(over="ignore", under="ignore"):
        blend = blended(used, at)
        used, blend, regime = _regime(used, blend, at)
    notes = (*notes, *regime)

    design = design_of(used)
    z, z_targets = (np.log(v / np.array(used.largest)) for v in (np.array([p.x for p in used.points]), at))
    widths = deviations(blend, z, z_targets)
    points = tuple(_prediction(used, blend, design, k, at[k], float(widths[k])) for k in range(1, len(at)))
    law = _law(used, blend)
    law = law.scaled(math.exp(blend.logs[0]) / law.seconds(corner))
    trust, remarks = _trust(used, blend, design, np.array([p.spread for p in points]), at[1:])
    return SurfaceFit(experiment, points, trust, law, (*notes, *remarks), design)


def check(experiment: Experiment) -> None:
    """`ApetError` where there are too few points for a fit, or too many parameters."""
    parameters, count = len(experiment.parameters), len(experiment.points)
    if parameters > MOST_PARAMETERS:
        advised = f"at most {MOST_PARAMETERS} can vary: fix others with --where"
        raise ApetError(errors.TooFewPoints(None, None, count, f"{parameters} parameters", advised))
    if parameters == 0:
        fixed = ", ".join(f"{n} is {v if isinstance(v, str) else f'{v:.12g}'}" for n, v in experiment.constants.items())
        raise ApetError(errors.NoParameterVaries(None, None, fixed))
    if count < parameters + 2:
        advised = f"measure {parameters + 2} or more; 8 make a good design: apet measure --plan n=100:1600,P=1:16"
        over = "1 parameter" if parameters == 1 else f"{parameters} parameters"
        raise ApetError(errors.TooFewPoints(None, None, count, over, advised))


def _thinned(experiment: Experiment) -> tuple[Experiment, tuple[Note, ...]]:
    """At most so many points: evenly through the design, the largest corner and the ends included."""
    count = len(experiment.points)
    if count <= MOST_POINTS:
        return experiment, ()
    keep = sorted({round(k * (count - 1) / (MOST_POINTS - 1)) for k in range(MOST_POINTS)})
    for k, _ in enumerate(experiment.parameters):
        values = [p.x[k] for p in experiment.points]
        keep += [values.index(max(values)), values.index(min(values))]
    note = Note(NoteKind.POINTS, f"{len(set(keep))} of {count:,} are used, evenly through the design")
    return experiment.only(sorted(set(keep))), (note,)


def _regime(used: Experiment, blend: Blended, at: Array) -> tuple[Experiment, Blended, tuple[Note, ...]]:
    """Another regime where sums explain the runs badly: those above a value of a parameter, if they fit much better."""
    if blend.scale <= UNEXPLAINED:
        return used, blend, ()
    best, chosen, note = blend, used, tuple[Note, ...]()

    for k, parameter in enumerate(used.parameters):
        for value in used.values(k)[1:3]:
            part = used.only([i for i, p in enumerate(used.points) if p.x[k] >= value])
            if len(part.points) < LEAST_REGIME_POINTS or part.largest != used.largest:
                continue
            if min(len(part.values(j)) for j in range(len(part.parameters))) < LEAST_REGIME_VALUES:
                continue
            other = blended(part, at)
            if other.scale < min(BETTER * blend.scale, best.scale):
                best, chosen = other, part
                left_out = f"runs below {parameter.name} = {value:.12g} follow other laws and are left out"
                note = (Note(NoteKind.REGIMES, left_out),)
    return chosen, best, note


def _prediction(used: Experiment, blend: Blended, design: Design, k: int, x: Array, spread: float) -> SurfacePoint:
    smallest = [used.values(j)[0] for j in range(len(x))]
    outside = max(max(v / high, low / v) for low, v, high in zip(smallest, x, used.largest, strict=True))
    error = quantiles(design, outside)
    t, low, high = (math.exp(blend.logs[k] + q * spread) for q in (error.median, error.below, error.above))

    if not (t > 0 and math.isfinite(high)):
        where = ", ".join(f"{p.name} = {v:.6g}" for p, v in zip(used.parameters, x, strict=True))
        largest = ", ".join(f"{v:.6g}" for v in used.largest)
        raise ApetError(errors.OutOfReach(None, None, where, largest))

    parts = {p.name: math.exp(p.averaged.logs[k]) for p in blend.phases}
    total = sum(parts.values())
    return SurfacePoint(
        tuple(map(float, x)), t, Interval(low, high), spread, {n: t * v / total for n, v in parts.items()}
    )


def _law(used: Experiment, blend: Blended) -> SurfaceLaw:
    names = tuple(p.name for p in used.parameters)
    fits = blend.phases or (blend.whole,)
    phases = [PhaseLaw(p.name, law_terms(p.averaged.likeliest, used.largest)) for p in fits]
    return SurfaceLaw(names, tuple(p for p in phases if p.terms))


def law_terms(terms: Sequence[SumTerm], largest: Sequence[float]) -> tuple[LawTerm, ...]:
    """Terms that are 1 at the largest corner as terms of the parameters themselves."""
    result = []
    for coefficient, shapes in terms:
        value = LawTerm(1.0, tuple(LawFactor(*shape) for shape in shapes))
        at_corner = value.seconds(largest)
        if at_corner > 0:  # a logarithm is 0 at 1: such a term is nothing
            result.append(value._replace(coefficient=coefficient / at_corner))
    return tuple(result)


def _trust(used: Experiment, blend: Blended, design: Design, widths: Array, targets: Array) -> tuple[str, list[Note]]:
    typical = float(np.median(widths)) if len(widths) else 0.0
    trust = next((word for word, most in TRUST.items() if typical < most), "low")
    notes = []
    if design is Design.LINES:
        corner = ", ".join(f"{p.name}={v:.12g}" for p, v in zip(used.parameters, used.largest, strict=True))
        together = dependent(np.array([p.x for p in used.points]))
        only = Note(NoteKind.ONLY_LINES, LINES_ONLY.format(corner=corner))
        notes.append(Note(NoteKind.TOGETHER, TOGETHER) if together else only)
        trust = "low"

    for k, parameter in enumerate(used.parameters):
        if len(used.values(k)) == 2:
            shapes = f"of {parameter.name} only constant, linear and inverse shapes can be distinguished"
            notes.append(Note(NoteKind.TWO_VALUES, shapes))
            trust = "fair" if trust == "high" else trust
        far = max((float(x[k]) for x in targets), default=0.0) / used.largest[k]
        if far > FARTHEST * (1 + NEARLY):
            reach = f"intervals hold up to {FARTHEST:g} times"
            notes.append(Note(NoteKind.FAR, f"{parameter.name} is {far:.3g} times beyond the largest run; {reach}"))
            trust = "low"

    if sum(p.scatter > FAR_APART for p in used.points) > MOST_SCATTERED * len(used.points):
        trust = "low"
    if blend.scale > ROUGH:
        notes.append(Note(NoteKind.ROUGH, "no sum of terms explains the runs"))
        trust = "low"
    return trust, notes
