"""Refusals of predictions: what a model requires and these values do not give, at its place in the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from apet.cost import Application, CostModel
from apet.cost.cost import ENTRY, FIRST, LAST, SHARE, SPARE, UNDEFINED, WHOLE, Requirement
from apet.formula.algebra.exclusions import excluded
from apet.formula.algebra.reduction import substitute
from apet.formula.graph.sums import whole
from apet.ground.diagnostics import ApetError, Diagnostic, raise_all
from apet.ground.interval import Interval, Number
from apet.prediction import errors
from apet.prediction.deployment import Deployment
from apet.prediction.evaluation_errors import describe

Values = Mapping[str, Number | Interval]
ADVICE = {
    "duration": "durations are seconds, 0 or more",
    "size": "sizes are bytes, 0 or more",
    "probability": "keep it in [0, 1]",
    "number of servers": "a resource needs a whole number of servers, 1 or more",
}
NO_STEADY_STATE = "there is no steady state: lower the arrival rate or the demands, or take more servers"


def refuse_negative(
    app: CostModel, required: Sequence[Requirement], numbers: Sequence[Number], deployment: Deployment, values: Values
) -> None:
    """`ApetError` for what is required to be 0 or more and is below, once for each place."""
    below = [(r, v) for r, v in zip(required, numbers, strict=True) if v < 0]
    raise_all(list({r.span: _negative(app, r, value, deployment, values) for r, value in below}.values()))


def refuse_undecided(app: CostModel, bounds: Sequence[Number], values: Values) -> None:
    """`ApetError` for what is negative nowhere that was tried, and not proved to be negative nowhere."""
    unsure = [
        r for r, bound in zip(app.requirements, bounds, strict=True) if bound < 0 and not _excluded(app, r, values)
    ]
    raise_all([_undecided(app, r, values) for r in unsure])


def _excluded(app: CostModel, requirement: Requirement, values: Values) -> bool:
    """Whether a condition excludes what is required, once those parameters that are numbers are put in."""
    g = app.graph
    numbers = {g.symbol(n): g.const(whole(Fraction(v))) for n, v in values.items() if not isinstance(v, Interval)}
    node = substitute(g, requirement.guarded(g).node, numbers)
    return g.nonnegative(node) or excluded(g, g.one, node)


def _undecided(app: CostModel, requirement: Requirement, values: Values) -> Diagnostic:
    kind, span = requirement.kind, requirement.span
    if kind in UNDEFINED:
        return errors.NotEvaluable(app.source, span, describe(values), f"{kind} in these ranges, as far as is known")
    return errors.UndecidedSign(app.source, span, kind, describe(values), ADVICE.get(kind, NO_STEADY_STATE))


def _negative(
    app: CostModel, requirement: Requirement, value: Number, deployment: Deployment, values: Values
) -> Diagnostic:
    from apet.prediction.witness import witness  # only a mistake needs the search

    kind, span = requirement.kind, requirement.span
    where = witness(app, requirement, deployment, values) if isinstance(app, Application) else None
    setting = f"{describe(values)}{where or ''}"
    if kind in UNDEFINED:
        return errors.NotEvaluable(app.source, span, setting, kind)
    if where is not None:
        value = where.number
    elif kind == LAST:
        value = deployment.P - value
    if kind in (FIRST, LAST):
        reason = f"there is no processor {value}; there are 0 to {deployment.P}{where or ''}"
        return errors.NoSuchProcessor(app.source, span, reason)

    if kind == SHARE:
        reason = f"there is no processor with this number that has a share; they are 1 to {deployment.P}{where or ''}"
        return errors.NoSuchProcessor(app.source, span, reason)
    if kind == ENTRY:
        return errors.NoSuchEntryHere(app.source, span, setting)
    if kind == WHOLE:
        return errors.FractionalSubscriptHere(app.source, span, setting)

    if kind.startswith(SPARE):
        setting = describe({n: v for n, v in values.items() if n != "P"})
        station, used = kind.removeprefix(SPARE), f"{1 - float(value):.6g}"
        return errors.Saturated(app.source, span, station, used, setting)

    special = {"probability": "outside [0, 1]", "number of servers": "less than 1 or not whole"}
    what = special.get(kind, f"{float(value):g}, below 0")
    advice = ADVICE.get(kind, NO_STEADY_STATE)
    return errors.NegativeHere(app.source, span, kind, what, setting, advice)


def with_place(app: CostModel, error: ApetError, deployment: Deployment, values: Values) -> ApetError:
    """The error, with the place of the expression that has no value where it is found, else that of the entry."""
    [first, *others] = error.diagnostics
    placeless = first.span is None and isinstance(first, errors.FROM_EVALUATION)
    if others or not placeless or not isinstance(app, Application):
        return error
    from apet.prediction.witness import without_value  # only a mistake needs the search

    place = without_value(app, deployment, values)
    return ApetError(first.replace(source=app.source, span=place or app.model.equations[app.entry].span))
