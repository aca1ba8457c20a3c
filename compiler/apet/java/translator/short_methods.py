"""Static methods of the JDK that are operations of a core: those of `Math`, and one-liners of other classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.translator.arithmetic import converted
from apet.program.translator.facts import Evaluated
from apet.program.translator.mathematics import of_math

if TYPE_CHECKING:
    from apet.java.translator.translator import JavaTranslator

TESTS = {"isNaN": ("compare",), "isInfinite": ("abs", "compare"), "isFinite": ("abs", "compare")}
"""What tells of a floating-point number that it is not an ordinary one."""
BOXES = ("Integer", "Long", "Double", "Float")


def of_short_method(t: JavaTranslator, e: s.MethodCall, owner: str, arguments: Sequence[Evaluated]) -> Evaluated | None:
    """A one-liner of a class of boxes or of `Objects` as what stands in it; None for other methods."""
    if owner == "Objects" and e.name in ("isNull", "nonNull") and len(arguments) == 1:
        return Evaluated(types.BOOLEAN, None, t.op("compare", arguments[0].type, arguments[0]))
    if owner == "Objects" and e.name == "requireNonNull" and arguments:
        t.op("compare", arguments[0].type, arguments[0])
        return arguments[0]
    if owner not in BOXES or not arguments:
        return None

    kind = t.conversions.unboxed(types.Type(owner))
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
