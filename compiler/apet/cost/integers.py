"""Which parameters must be whole numbers: those that bound loops, number processors or servers, or stand in a `%`."""

from __future__ import annotations

from enum import IntEnum

from apet.model import resolved, terms
from apet.model.literals import literal_value
from apet.model.resolved import ResolvedModel, Step
from apet.model.terms import Expression
from apet.model.walk import bound_expressions, operands, scoped

Names = frozenset[str]


class Whole(IntEnum):
    """How whole the value of an expression must be: not at all, in the end of a loop, which is rounded, or exactly."""

    NOT = 0
    ROUNDED = 1
    EXACT = 2


ALWAYS, NONE = frozenset(("P", "tasks")), Names()


def whole_parameters(model: ResolvedModel, *, sums: bool = True) -> Names:
    """The names of parameters that stand where only a whole number makes sense.

    `seq (i = 1, n)` makes n one, and so does `seq (i = 1, n - 1)`; `seq (i = 1, n / m)` does not, as the loop runs to
    the integer below n / m, nor does `seq (i = 1, n * q)` with a q of 0.5. Without `sums`, only those that stand alone.
    """
    declared = model.model.parameters
    broken = frozenset(name for name, parameter in declared.items() if not sums or _is_fraction(parameter))
    names = set(ALWAYS)
    for resource in model.model.resources.values() if declared else ():
        if resource.servers is not None:
            names |= _needed(resource.servers, broken, Whole.EXACT).difference(resource.subscripts)

    for step, hidden in scoped(model.equations) if declared else ():
        count, whole = _whole_expressions(step), Whole.ROUNDED if isinstance(step, terms.Loop) else Whole.EXACT
        for place, (expression, bound) in enumerate(bound_expressions(step)):
            if not isinstance(expression, terms.Number):
                names |= _needed(expression, broken, whole if place < count else Whole.NOT) - hidden.union(bound)
    return frozenset(names & declared.keys())


def _is_fraction(parameter: terms.Parameter) -> bool:
    """Whether a parameter is declared with a value or an end of its range that is not whole."""
    declared = (literal_value(e) for e in (parameter.value, parameter.low, parameter.high))
    return any(value is not None and value % 1 for value in declared)


def _whole_expressions(step: Step) -> int:
    """How many of the expressions of a step, the first ones, must be whole."""
    match step:
        case resolved.Call(equation, _, _):
            return len(equation.subscripts)
        case resolved.Operation():
            return 1
        case resolved.Message() | terms.Loop():
            return 2
        case resolved.Hold(member, _, _):
            return len(member.subscripts)
        case terms.PartGraph(parts, _):
            return sum(len(a.subscripts or ()) for p in parts for a in p.after)
        case _:
            return 0


def _needed(expression: Expression, broken: Names, whole: Whole) -> Names:
    """The names that must be whole for an expression to have a meaning, where its value must be so."""
    names = (_alone(expression) or _decisive(expression, broken, whole) or NONE) if whole else NONE
    *before, last = operands(expression) or (None,)
    inside = _inside(expression)
    for operand in before:
        names |= _needed(operand, broken, inside)
    if last is None:
        return names
    if isinstance(expression, terms.SumOver):
        return names | (_needed(last, broken, Whole.NOT) - {expression.index})
    return names | _needed(last, broken, inside)


def _inside(expression: Expression) -> Whole:
    """How whole the parts of an expression must be: a remainder's operands, an entry's number, a sum's ends."""
    if isinstance(expression, terms.SumOver):
        return Whole.ROUNDED
    is_remainder = isinstance(expression, terms.Binary) and expression.operator == "%"
    return Whole.EXACT if is_remainder or isinstance(expression, terms.Lookup) else Whole.NOT


def _alone(expression: Expression) -> Names:
    while isinstance(expression, terms.Unary):
        expression = expression.operand
    return frozenset((expression.name,)) if isinstance(expression, terms.Name) else NONE


def _decisive(expression: Expression, broken: Names, whole: Whole) -> Names | None:
    """The names of which an expression is whole only if they are; None where it need not be whole at all."""
    match expression:
        case terms.Number(value, _, _):
            return None if value % 1 else NONE
        case terms.Name(name, _):
            return None if name in broken else frozenset((name,))
        case terms.Binary("^") if whole is not Whole.EXACT:
            return None
        case terms.Binary("/") | terms.Invoke("sqrt" | "log" | "log2"):
            return None
        case terms.Unary() | terms.Binary("+" | "-" | "*" | "^") | terms.Invoke("min" | "max" | "abs", None):
            inner = [_decisive(operand, broken, whole) for operand in operands(expression)]
            return None if None in inner else NONE.union(*(names or NONE for names in inner))
        case _:
            return NONE
