"""An experiment over one parameter is a curve: the same prediction, interval and formula."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apet.runs.experiments import Experiment
from apet.runs.fit.methods import extrapolate
from apet.runs.fit.surface.fitted import SurfaceFit, SurfacePoint
from apet.runs.fit.surface.intervals import design_of
from apet.runs.measurements import Curve, Extrapolated
from apet.runs.scaling_laws import Law, PhaseSum, Sum, seconds
from apet.runs.surface_law import LawFactor, LawTerm, PhaseLaw, SurfaceLaw

WHOLE = "whole run"


def over_one(experiment: Experiment, targets: Sequence[Sequence[float]]) -> SurfaceFit:
    """Predictions by the methods made for curves."""
    curve = Curve(experiment.name, experiment.parameters[0].role, experiment.runs, experiment.unit)
    result = extrapolate(curve, [x[0] for x in targets])
    law = result.law if result.law is not None else Sum(())
    points = tuple(_point(p, law) for p in result.predictions)
    phases = tuple(PhaseLaw(name, _terms(part)) for name, part in _parts(law))
    design = design_of(experiment)
    return SurfaceFit(experiment, points, result.trust, SurfaceLaw(experiment.names, phases), result.flags, design)


def _parts(law: Law) -> Sequence[tuple[str, Law]]:
    return list(zip(law.names, law.parts, strict=True)) if isinstance(law, PhaseSum) else [(WHOLE, law)]


def _terms(law: Law) -> tuple[LawTerm, ...]:
    powers = law.terms if isinstance(law, Sum) else ()
    return tuple(LawTerm(p.coefficient, (LawFactor(p.exponent, p.logarithms),)) for p in powers)


def _point(p: Extrapolated, law: Law) -> SurfacePoint:
    """Phases take the shares that their laws have."""
    parts = {name: max(seconds(part, p.n), 0.0) for name, part in _parts(law)}
    total = sum(parts.values())
    shares = {name: p.t * x / total for name, x in parts.items()} if total > 0 and np.isfinite(total) else {WHOLE: p.t}
    return SurfacePoint((p.n,), p.t, p.interval, p.spread, shares, p.law_interval)
