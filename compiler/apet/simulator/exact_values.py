"""Expressions whose value in floating point may lie on the wrong side of a jump: they are computed as predictions are.

`floor(log(1000) / log(10))` is 3, and 2 in floats; `sqrt(n^2 + 1) - n` may be nothing in floats. Only logarithms, roots
and broken powers are concerned, and only below a rounding, a comparison, a remainder or a difference: everything else
is exact already, or as close as a float can be.
"""

from __future__ import annotations

from apet.cost.expressions import Expressions
from apet.formula.columns.long_loops import LongLoopPlan
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import EvaluationError
from apet.formula.graph.graph import Graph
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.source import Source
from apet.model import terms
from apet.model.evaluate import Builtin, Evaluator, Scope
from apet.model.terms import Binary, Expression, Invoke, SumOver
from apet.model.walk import COMPARISONS, names_in, operands

JUMPING = ("ceil", "floor", "%", "-", *COMPARISONS)
BROKEN = ("log", "log2", "sqrt")


def may_jump(expression: Expression, rounded: bool) -> bool:
    """Whether a float is not enough for an expression; `rounded`: its value is rounded or compared in turn."""
    jumps = rounded or isinstance(expression, SumOver) or _operation(expression) in JUMPING
    if jumps:
        return _is_broken(expression)
    return any(may_jump(operand, False) for operand in operands(expression))


def exactly(expression: Expression, source: Source, builtin: Builtin, in_floats: Evaluator) -> Evaluator:
    """A function from a scope to the value; `in_floats` stands in where there is none, and says why."""
    graph = Graph()
    for name in names_in(expression):
        graph.assume(name, None)
    expressions = Expressions(graph, source, frozenset())
    try:
        with expressions.recording() as required:
            node = expressions.node(expression, {})
        plan = LongLoopPlan(graph, [node, *(r.node for r in required)])
    except (ApetError, ArithmeticError, ValueError):
        return in_floats

    def value(scope: Scope) -> Number:
        values = {name: number for name, number in scope.items() if not isinstance(number, str)}
        environment = MappingEnvironment(values, lambda name, places, amounts: builtin(name, (*places, *amounts)))
        try:
            number, *holds = plan.run(environment)
            if any(h < 0 for h in holds):
                return in_floats(scope)
            return number if isinstance(number, int) else float(number)
        except (EvaluationError, ArithmeticError, LookupError, ValueError):
            return in_floats(scope)

    return value


def _is_broken(expression: Expression) -> bool:
    """Whether a value that is no fraction may occur in an expression."""
    if isinstance(expression, Binary) and expression.operator == "^":
        exponent = expression.right
        if not (isinstance(exponent, terms.Number) and exponent.value == int(exponent.value)):
            return True
    return _operation(expression) in BROKEN or any(map(_is_broken, operands(expression)))


def _operation(expression: Expression) -> str:
    if isinstance(expression, Binary):
        return expression.operator
    return expression.name if isinstance(expression, Invoke) else ""
