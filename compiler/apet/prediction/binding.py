"""Values for the parameters of an application: defaults, what the user sets, and what they may be."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction

from apet.cost import Application, CostModel
from apet.cost.cost import ENTRY, WHOLE, Requirement
from apet.cost.expressions import Expressions
from apet.cost.integers import whole_parameters
from apet.formula.algebra.reduction import substitute
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError, Diagnostic, nearest, raise_all
from apet.ground.interval import GREATEST, Interval, Number, in_short
from apet.ground.records import NamedTuple
from apet.model.errors import EmptyBounds
from apet.model.terms import Expression, Parameter
from apet.model.walk import names_in
from apet.prediction import errors
from apet.prediction.processor_count import solved_for_processors

Values = dict[str, Number | Interval]

MOST_LISTED = 20
"""Names of parameters in a hint."""


class Bound(NamedTuple):
    """Values of all parameters; `derived` are the defaults that depend on an interval, in terms of those given."""

    values: Values
    derived: dict[NodeId, NodeId]

    @property
    def points(self) -> dict[str, Number]:
        """The parameters with one value."""
        return {n: v for n, v in self.values.items() if not isinstance(v, Interval)}

    def points_of(self, names: Iterable[str]) -> dict[str, Number]:
        """Those of these parameters with one value."""
        return {n: v for n in names if n in self.values and not isinstance(v := self.values[n], Interval)}

    def box(self, graph: Graph) -> dict[str, Interval]:
        """The parameters that range over an interval of their own."""
        dependent = {graph.symbol(n): n for n in self.values}
        names = {dependent[k] for k in self.derived}
        return {n: v for n, v in self.values.items() if isinstance(v, Interval) and n not in names}


def bind(app: CostModel, processors: int, settings: Mapping[str, Number | Interval]) -> Bound:
    """The values of all parameters that the formulas need; `ApetError` with everything that is wrong.

    A default may depend on other parameters; an interval among them makes it one.
    """
    diagnostics: list[Diagnostic] = []
    values: Values = {"P": processors}
    bound = Bound(values, {})

    for name, value in settings.items():
        diagnostic = _refused(app, name, value) or _no_processor(app, processors, name, value)
        if diagnostic is None:
            values[name] = _tidy(value)
        else:
            diagnostics.append(diagnostic)

    raise_all(diagnostics)
    values |= solved_for_processors(app, processors, values)
    for parameter in app.declared.values():
        if parameter.name not in values and parameter.value is not None:
            _default(app, parameter, bound)

    needed = set(app.parameters) | ({"tasks"} if app.needs_shares else set())
    if app.free_branches and app.setting.branches == "probability":
        needed |= app.free_branches.keys()  # also where both sides take the same time
    diagnostics += _missing(app, needed, values)
    for parameter in app.declared.values():
        diagnostics += (_outside if parameter.name in values else _empty)(app, parameter, bound)

    raise_all(diagnostics)
    return bound


def _refused(app: CostModel, name: str, value: Number | Interval) -> Diagnostic | None:
    ends: tuple[Number, ...] = (value.lo, value.hi) if isinstance(value, Interval) else (value,)
    if any(isinstance(e, float) and not math.isfinite(e) for e in ends):
        return errors.ParameterOutside(None, None, name, _shown(value), "not a finite number", "give a finite number")
    if any(not -GREATEST <= e <= GREATEST for e in ends):
        advice = "give a number below 1e300"
        return errors.ParameterOutside(None, None, name, _shown(value), "too large", advice)
    if name == "P":
        return errors.ProcessorsFromMachines(None, None, _shown(value))
    names = [*(p for p in app.declared if p != "P"), *app.free_branches, *sorted(app.processors)]
    if name not in names:
        listed = ", ".join(names[:MOST_LISTED]) + (", …" if len(names) > MOST_LISTED else "") or "none"
        is_table = isinstance(app, Application) and name in app.model.tables
        near = f"; it is a table: '{name}=[1, 2]', or a file" if is_table else nearest(name, names)
        return errors.UnknownParameter(None, None, name, near, listed)

    return None


def _no_processor(app: CostModel, processors: int, name: str, value: Number | Interval) -> Diagnostic | None:
    """What is wrong with the number of a named processor."""
    if name not in app.processors:
        return None
    low, high = value if isinstance(value, Interval) else (value, value)
    if low == high and low == int(low) and 0 <= low <= processors:
        return None
    reason = f"there is no such processor; there are 0 to {processors}"
    advice = f"{name} is the name of one processor: give it a whole number; 0 is the coordinator"
    return errors.ParameterOutside(None, None, name, _shown(value), reason, advice)


def _tidy(value: Number | Interval) -> Number | Interval:
    """Exact values: an int where whole, else a fraction."""
    if isinstance(value, Interval):
        ends = Interval(_exact(value.lo), _exact(value.hi))
        return ends.lo if ends.is_point else ends
    return _exact(value)


def _exact(value: Number) -> int | Fraction:
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def _default(app: CostModel, parameter: Parameter, bound: Bound) -> None:
    """Put in a default, after the defaults that it depends on."""
    values = bound.values
    assert parameter.value is not None
    for name in names_in(parameter.value):
        other = app.declared[name]
        if name not in values and other.value is not None:
            _default(app, other, bound)
        if name not in values:
            return

    x = Expressions(app.graph, app.source, app.processors)
    with x.recording() as required:
        node = substitute(app.graph, x.node(parameter.value, {}), bound.derived)
    for r in required:
        _refuse_without_value(app, parameter.value, r, bound)
    value = _value(app, node, parameter.value, bound)
    values[parameter.name] = value
    if isinstance(value, Interval):
        bound.derived[app.graph.symbol(parameter.name)] = node


def _refuse_without_value(app: CostModel, expression: Expression, required: Requirement, bound: Bound) -> None:
    """`ApetError` where a default has no value: its divisor is 0, its subscript of a table no number of an entry."""
    node = substitute(app.graph, required.node, bound.derived)
    value = _value(app, node, expression, bound)
    if (value.lo if isinstance(value, Interval) else value) >= 0:
        return
    if required.kind in (ENTRY, WHOLE):
        setting = ", ".join(f"{n} = {_shown(v)}" for n, v in bound.values.items() if n in names_in(expression))
        raise ApetError(errors.NoSuchEntryHere(app.source, required.span, setting))
    raise ApetError(_without_value(app, node, expression, bound, required.kind))


def _value(app: CostModel, node: NodeId, expression: Expression, bound: Bound) -> Number | Interval:
    """The value of a node of parameters; its range where it depends on an interval."""
    parameters = Formula(app.graph, node).parameters
    ranges = any(isinstance(bound.values.get(n), Interval) for n in parameters)
    box = bound.box(app.graph) if ranges else {}
    try:
        names = {n for n in parameters if n in box}
        if not names:
            return Plan(app.graph, [node]).run(MappingEnvironment(bound.points_of(parameters)))[0]
        from apet.prediction.parameter_ranges import range_of  # the search is not needed at a point

        return range_of(app, node, bound.points, {n: box[n] for n in names})
    except EvaluationError as error:
        raise ApetError(_without_value(app, node, expression, bound, str(error))) from None


def _without_value(app: CostModel, node: NodeId, expression: Expression, bound: Bound, reason: str) -> Diagnostic:
    """An expression of parameters that has no value for those that it depends on."""
    needed = [n for n in Formula(app.graph, node).parameters if n in bound.values]
    setting = ", ".join(f"{n} = {_shown(bound.values[n])}" for n in needed)
    return errors.NoValue(app.source, expression.span, f" for {setting}" if setting else "", reason)


def _missing(app: CostModel, needed: set[str], values: Values) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    source = app.source
    declared = list(app.declared)
    needed = _asked_for(app, needed - set(values), values)

    for name in sorted(needed - set(values), key=lambda n: (declared.index(n) if n in declared else len(declared), n)):
        if name in app.declared:
            diagnostics.append(errors.MissingParameter(source, app.declared[name].span, name))
        elif name in app.free_branches:
            diagnostics.append(errors.MissingProbability(source, app.free_branches[name], name))
        elif name in app.processors:
            diagnostics.append(errors.FreeProcessor(None, None, name))
    return diagnostics


def _asked_for(app: CostModel, missing: set[str], values: Values) -> set[str]:
    """What has to be given a value: in place of a parameter with a default, what that default depends on."""
    dependencies, waiting = set[str](), list(missing)
    while waiting:
        name = waiting.pop()
        declared = app.declared.get(name)
        inner = [] if declared is None or declared.value is None else list(names_in(declared.value))
        below = [n for n in inner if n not in values and n in app.declared and n != name]
        if not below:
            dependencies.add(name)
        waiting += [n for n in below if n not in dependencies]
    return dependencies


def _outside(app: CostModel, parameter: Parameter, bound: Bound) -> list[Diagnostic]:
    """What is wrong with a parameter's value: its declared range, wholeness, sign."""
    name, value = parameter.name, bound.values[parameter.name]
    low, high = value if isinstance(value, Interval) else (value, value)
    value_text = _shown(value)
    if not (low >= -GREATEST and high <= GREATEST):
        advice = "give a number below 1e300"
        return [errors.ParameterOutside(app.source, parameter.span, name, value_text, "too large", advice)]
    if name in app.whole and (low != int(low) or high != int(high)):
        reason = "it must be a whole number: it bounds a loop, numbers a processor or stands in a %"
        advice = "give a whole number"
        if isinstance(app, Application) and name not in whole_parameters(app.resolved, sums=False):
            advice += f", or declare it with a fraction: param {name} = {math.floor(low) + 0.5};"
        return [errors.ParameterOutside(app.source, parameter.span, name, value_text, reason, advice)]

    if parameter.low is None or parameter.high is None:
        if low < 0:
            advice = f"declare the range if it may be negative: param {name} in [-1, 1];"
            return [errors.ParameterOutside(app.source, parameter.span, name, value_text, "it is negative", advice)]
        return []
    ends = [_end(app, e, bound) for e in (parameter.low, parameter.high)]
    if low < ends[0] or high > ends[1]:
        reason = f"outside its declared range [{_shown(ends[0])}, {_shown(ends[1])}]"
        widened = ", or widen it in the model" if app.on_machines else ""
        advice = f"choose a value in the range{widened}"
        return [errors.ParameterOutside(app.source, parameter.span, name, value_text, reason, advice)]

    return []


def _empty(app: CostModel, parameter: Parameter, bound: Bound) -> list[Diagnostic]:
    """The range of a parameter without a value that holds no number."""
    if parameter.low is None or parameter.high is None:
        return []
    if not all(n in bound.values for e in (parameter.low, parameter.high) for n in names_in(e)):
        return []
    low, high = (_end(app, e, bound) for e in (parameter.low, parameter.high))
    if low <= high:
        return []
    reason = f"its range is empty: {_shown(low)} is above {_shown(high)}"
    return [EmptyBounds(app.source, parameter.span, parameter.name, reason)]


def _end(app: CostModel, expression: Expression, bound: Bound) -> Number:
    node = Expressions(app.graph, app.source, app.processors).node(expression, {})
    end = _value(app, substitute(app.graph, node, bound.derived), expression, bound)
    return end.hi if isinstance(end, Interval) else end


def _shown(value: Number | Interval) -> str:
    if isinstance(value, Interval):
        return f"{in_short(value.lo)}..{in_short(value.hi)}"
    return in_short(value)
