"""Static methods of the JDK that are operations of a core: those of `Math`, and one-liners of other classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.parse import conversions
from apet.java.translator import operations
from apet.java.translator.arithmetic import converted
from apet.java.translator.facts import Evaluated
from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, apply
from apet.program.ir import SQUARE

if TYPE_CHECKING:
    from apet.java.translator.translator import Translator

TESTS = {"isNaN": ("compare",), "isInfinite": ("abs", "compare"), "isFinite": ("abs", "compare")}
"""What tells of a floating-point number that it is not an ordinary one."""
BOXES = ("Integer", "Long", "Double", "Float")


def of_short_method(t: Translator, e: s.MethodCall, owner: str, arguments: Sequence[Evaluated]) -> Evaluated | None:
    """A one-liner of a class of boxes or of `Objects` as what stands in it; None for other methods."""
    if owner == "Objects" and e.name in ("isNull", "nonNull") and len(arguments) == 1:
        return Evaluated(types.BOOLEAN, None, t.op("compare", arguments[0].type, arguments[0]))
    if owner == "Objects" and e.name == "requireNonNull" and arguments:
        t.op("compare", arguments[0].type, arguments[0])
        return arguments[0]
    if owner not in BOXES or not arguments:
        return None

    kind = conversions.unboxed(types.Type(owner))
    if e.name in TESTS and len(arguments) == 1 and kind in (types.DOUBLE, types.FLOAT):
        tested = converted(t, arguments[0], kind)
        for name in TESTS[e.name]:
            tested = Evaluated(types.BOOLEAN, None, t.op(name, kind, tested))
        return tested
    if e.name in ("max", "min") and len(arguments) == 2:
        return of_math(t, e, [converted(t, g, kind) for g in arguments])
    if e.name == "sum" and len(arguments) == 2:
        summands = [converted(t, g, kind) for g in arguments]
        return Evaluated(kind, None, t.op("sum", kind, *summands), any(g.loaded for g in summands))
    return None


def of_math(t: Translator, e: s.MethodCall, arguments: Sequence[Evaluated]) -> Evaluated:
    """A function of `Math`: an operation of a core."""
    if e.name == "random":
        return Evaluated(types.DOUBLE, None, t.op("call_random", None, variable="random"))
    numbers = [g.number for g in arguments]
    if e.name in operations.MATH_OF_OPERANDS and arguments:
        kind = conversions.unary_promoted(arguments[0].type)
        for g in arguments[1:]:
            kind = conversions.promoted(kind, g.type)
        result = kind
    else:
        kind, result = types.DOUBLE, operations.MATH_RESULTS.get(e.name, types.DOUBLE)

    values = [converted(t, g, kind) for g in arguments]
    fact = _math_fact(e.name, [n for n in numbers if n is not None]) if all(n is not None for n in numbers) else None
    if arguments and all(v.value < 0 for v in values) and fact is not None and fact.constant is not None:
        return Evaluated(result, fact)
    squares = e.name == "pow" and len(numbers) == 2 and numbers[1] is not None and numbers[1].constant == 2
    operation = t.op(e.name, kind, *values, variable=SQUARE if squares else "")
    return Evaluated(result, fact, operation, any(v.loaded for v in values))


def _math_fact(name: str, numbers: list[Value]) -> Value | None:
    if name in ("max", "min", "abs", "floor", "ceil", "sqrt") and numbers:
        return apply(name, *numbers)
    if name == "pow" and len(numbers) == 2:
        return apply("^", *numbers)
    return None
