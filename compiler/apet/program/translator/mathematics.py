"""Functions of mathematics: operations of a core, with their values where these are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, apply
from apet.program.ir import Operand
from apet.program.translator import operations
from apet.program.translator.arithmetic import converted
from apet.program.translator.facts import Evaluated

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


def of_math(t: Translator, e: s.MethodCall, arguments: Sequence[Evaluated]) -> Evaluated:
    """A function of `Math`: an operation of a core."""
    if e.name == "random":
        return Evaluated(types.DOUBLE, None, t.op("call_random", None, variable="random"))
    numbers = [g.number for g in arguments]
    if e.name in operations.MATH_OF_OPERANDS and arguments:
        kind = t.conversions.unary_promoted(arguments[0].type)
        for g in arguments[1:]:
            kind = t.conversions.promoted(kind, g.type)
        result = kind
    else:
        kind, result = types.DOUBLE, operations.MATH_RESULTS.get(e.name, types.DOUBLE)

    values = [converted(t, g, kind) for g in arguments]
    fact = _math_fact(e.name, [n for n in numbers if n is not None]) if all(n is not None for n in numbers) else None
    if arguments and all(v.value < 0 for v in values) and fact is not None and fact.constant is not None:
        return Evaluated(result, fact)
    squares = e.name == "pow" and len(numbers) == 2 and numbers[1] is not None and numbers[1].constant == 2
    operation = t.op(e.name, kind, *values, operand=Operand.SQUARE if squares else None)
    return Evaluated(result, fact, operation, any(v.loaded for v in values))


def _math_fact(name: str, numbers: list[Value]) -> Value | None:
    if name in ("max", "min", "abs", "floor", "ceil", "sqrt") and numbers:
        return apply(name, *numbers)
    if name == "pow" and len(numbers) == 2:
        return apply("^", *numbers)
    return None
