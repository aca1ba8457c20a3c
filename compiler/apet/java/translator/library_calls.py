"""Calls without a source: an operation of their own, and one more for each element where the cost grows with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.translator import lambdas, library_types
from apet.java.translator.generics import returned_by
from apet.java.translator.layout import READERS
from apet.program import syntax as s
from apet.program import types
from apet.program.syntax.declarations import Method
from apet.program.translator import operations
from apet.program.translator.facts import Evaluated, Fact, Instance, Lengths
from apet.program.translator.sized_calls import TARGET, SizedCall, for_each_element, size_of
from apet.program.translator.visits import visit_box

if TYPE_CHECKING:
    from apet.java.translator.translator import JavaTranslator

SIZED = {
    **dict.fromkeys(("Arrays.hashCode", "Arrays.toString"), SizedCall(0)),
    **dict.fromkeys(("Arrays.fill", "Arrays.equals"), SizedCall(0, block=0)),
    "Arrays.sort": SizedCall(0, sorts=True),
    "Arrays.copyOf": SizedCall(1, is_length=False, block=0),
    "Arrays.copyOfRange": SizedCall(2, is_length=False, less=1, block=0),
    "System.arraycopy": SizedCall(4, is_length=False, block=0),
    "Collections.sort": SizedCall(0, sorts=True),
    **dict.fromkeys(("Collections.reverse", "Collections.shuffle", "Collections.max", "Collections.min"), SizedCall(0)),
    "array.clone": SizedCall(TARGET, block=TARGET),
}
"""Calls by class and method whose cost depends on a size."""
_TEXT = frozenset(("append", "insert", "reverse", "delete", "deleteCharAt", "replace"))
_NUMBER = frozenset(("add", "subtract", "multiply", "divide", "mod", "remainder", "pow", "negate", "abs", "max", "min"))
SELF = {"StringBuilder": _TEXT, "StringBuffer": _TEXT, "BigInteger": _NUMBER, "BigDecimal": _NUMBER}
"""Methods whose result has the type of what they are called on, by class."""


def library_call(
    t: JavaTranslator,
    e: s.MethodCall,
    owner: str | None,
    target: Evaluated,
    arguments: Sequence[Evaluated],
    method: Method | None,
) -> Evaluated:
    """A call without a source that is opened: an operation, and the lambdas that it is given."""
    kind = target.type if owner is None else types.Type(owner)
    named = _owner_name(e, kind, target, method) if e.target is not None or method is not None else owner or ""
    stream = lambdas.stream(e.name, owner or kind.name, target, arguments)
    if stream is not None and named == "" and owner is None:
        named = kind.name

    name = operations.library_name(named, e.name) + _suffix(t, named, e.name, arguments)
    result = t.library(name, e.at, (target, *arguments), *_result(named, e, method, target, arguments))
    if e.name in READERS:
        visit_box(t, result, e.at)
    sized = SIZED.get(f"{named}.{e.name}")
    if sized is not None:
        for_each_element(t, e, operations.library_name(named, e.name), sized, target, arguments)
    lambdas.handed_over(t, e.name, target, arguments, e.at)
    lambdas.element_work(t, e.name, target, e.at)
    return result if stream is None else stream._replace(value=result.value)


def _suffix(t: JavaTranslator, owner: str, method: str, arguments: Sequence[Evaluated]) -> str:
    """What tells one overload from another that costs several times as much: what is appended to a text."""
    if method != "append" or owner not in ("StringBuilder", "StringBuffer") or len(arguments) != 1:
        return ""
    kind = arguments[0].type
    if kind in (types.UNKNOWN, types.CHAR, types.BOOLEAN):
        return ""
    if t.conversions.is_numeric(kind):
        return "_double" if kind in (types.FLOAT, types.DOUBLE) else "_int"
    return "_String" if types.is_string(kind) or kind.dimensions or kind.name == "CharSequence" else "_Object"


def _owner_name(e: s.MethodCall, kind: types.Type, target: Evaluated, method: Method | None) -> str:
    if e.target is None:
        return "" if method is None else method.owner
    if isinstance(target.fact, Instance):
        return target.fact.type.name
    if kind.dimensions:
        return "array"
    if kind == types.UNKNOWN and isinstance(e.target, s.FieldAccess):
        return e.target.name
    return kind.name


def _result(
    owner: str, e: s.MethodCall, method: Method | None, target: Evaluated, arguments: Sequence[Evaluated]
) -> tuple[types.Type, Fact]:
    """The type of a call's result, and what is known of it."""
    if method is not None:
        return method.result, None
    if owner == "array" and e.name == "clone":
        return target.type, target.fact

    if owner == "Arrays" and e.name in ("copyOf", "copyOfRange") and arguments:
        size = size_of(SIZED[f"Arrays.{e.name}"], target, arguments)
        return arguments[0].type, Lengths((size, *(None,) * (arguments[0].type.dimensions - 1)))
    if e.name in SELF.get(target.type.name, ()):
        return target.type, None

    element = returned_by(target.type, e.name)
    if element != types.UNKNOWN:
        return element, None
    if e.name in library_types.PARSERS:
        return library_types.PARSERS[e.name], None
    if e.name in ("nanoTime", "currentTimeMillis"):
        return types.LONG, None
    if e.name in library_types.RESULTS:
        return library_types.RESULTS[e.name], None

    is_text = e.name == "toString" or owner == "String"
    return (types.STRING if is_text else types.UNKNOWN), None
