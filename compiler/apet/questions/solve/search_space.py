"""The range of the sought value, and the direction in which the bounds move with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from apet.cost import CostModel
from apet.formula.algebra.reduction import substitute
from apet.formula.formula import Formula
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.interval import AskedRange, Interval, Number
from apet.prediction.binding import Bound, bind
from apet.prediction.predictor import Predictor
from apet.questions.solve.errors import BadRange, NotInFormula, RangeNeeded
from apet.questions.solve.solution import SearchSpace
from apet.questions.steady_state import steady_range


def processor_space(predictor: Predictor, within: AskedRange | None, among: Sequence[int] = ()) -> SearchSpace:
    """The numbers of processors to consider: all that there are, those within a range, or those `among` some."""
    most = predictor.most_processors
    low, high = within or (Interval(among[0], among[-1]) if among else Interval(1, most))
    _check_order("P", low, high)
    if low != int(low) or high != int(high):
        _refuse("P", low, high, "a number of processors is whole", "write --range 2..16")
    if low < 1 or high > most:
        reason = f"{predictor.origin} has 1 to {most} processors"
        _refuse("P", low, high, reason, "choose a range among them")
    return SearchSpace("P", int(low), int(high), True)


def parameter_space(
    predictor: Predictor,
    processors: int | None,
    settings: Mapping[str, Number | Interval],
    name: str,
    within: AskedRange | None,
) -> SearchSpace:
    """The range of a parameter: as given, else as declared with numbers. `ApetError` if it is none, or not in T."""
    app = predictor.app
    declared = app.settable(name)
    if declared and name not in moving(app):
        _absent(app, name)
    ends = within or (app.declared_range(name, predictor.deployed(processors).P) if declared else Interval(0, 1))
    if ends is None:
        raise ApetError(RangeNeeded(None, None, name))
    low, high = ends
    _check_order(name, low, high)
    low, high = steady_range(predictor, processors, settings, name, Interval(low, high))
    space = SearchSpace(name, low, high, name in app.whole or name in app.processors)
    if name in app.processors:
        return _numbered(predictor, processors, space)
    bound = _bound(predictor, processors, settings, space)  # refuses unknown names, and ends that are not allowed
    if not _dependent(app, name, bound):
        _absent(app, name)

    return space


def _numbered(predictor: Predictor, processors: int | None, space: SearchSpace) -> SearchSpace:
    """The numbers that a named processor may have."""
    count = predictor.deployed(processors).P
    if any(end != int(end) or not 0 <= end <= count for end in (space.low, space.high)):
        _refuse(space.name, space.low, space.high, f"there are processors 0 to {count}", "choose a range among them")
    return space


def directions(
    predictor: Predictor, processors: int | None, settings: Mapping[str, Number | Interval], space: SearchSpace
) -> tuple[int | None, ...]:
    """How the lower and the upper bound move with a parameter: see `direction_of_symbol`; None where unproved."""
    from apet.formula.extremes.monotone import direction_of_symbol

    if space.name in predictor.app.processors or space.name in predictor.app.shaping:
        return (None,)
    app = predictor.settled(processors, {**settings, space.name: Interval(space.low, space.high)}).app
    bound = bind(app, predictor.deployed(processors).P, {**settings, space.name: Interval(space.low, space.high)})
    if space.name not in bound.box(app.graph):
        return (0, 0)
    box = {n: Interval(v, v) for n, v in bound.points.items()} | bound.box(app.graph)
    nodes = [substitute(app.graph, root.node, bound.derived) for root in (app.lower, app.upper)]
    return tuple(direction_of_symbol(app.graph, node, space.name, box) for node in nodes)


def _bound(
    predictor: Predictor, processors: int | None, settings: Mapping[str, Number | Interval], space: SearchSpace
) -> Bound:
    count = predictor.deployed(processors).P
    return bind(predictor.app, count, {**settings, space.name: Interval(space.low, space.high)})


def _roots(app: CostModel) -> tuple[NodeId, ...]:
    return (app.T_total.node, app.lower.node, app.upper.node)


def moving(app: CostModel) -> set[str]:
    """The parameters in the time, and those on which defaults of such parameters depend."""
    names = [*app.parameters, *(["tasks"] if app.needs_shares else [])]
    return {*app.shaping, *app.with_sources(names)}


def _dependent(app: CostModel, name: str, bound: Bound) -> bool:
    """Whether the time contains a parameter once all others have their values."""
    if (name == "tasks" and app.needs_shares) or name in app.shaping:
        return True
    if name not in bound.box(app.graph):
        return name in moving(app)
    nodes = (substitute(app.graph, root, bound.derived) for root in _roots(app))
    return any(name in Formula(app.graph, node).parameters for node in nodes)


def _absent(app: CostModel, name: str) -> None:
    others = ", ".join(n for n in (*app.parameters, *sorted(moving(app) - set(app.parameters))) if n != name)
    raise ApetError(NotInFormula(None, None, app.name, name, others or "no parameter"))


def _check_order(name: str, low: Number, high: Number) -> None:
    if low > high:
        _refuse(name, low, high, "the lower end is above the upper one", "write low..high")


def _refuse(name: str, low: Number, high: Number, reason: str, advice: str) -> None:
    raise ApetError(BadRange(None, None, name, _number_text(low), _number_text(high), reason, advice))


def _number_text(value: int | float | Fraction) -> str:
    return str(value) if isinstance(value, int) else f"{float(value):g}"
