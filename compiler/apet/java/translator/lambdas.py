"""Lambdas, method references and objects of anonymous classes: what is called when they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import as_value
from apet.program.ir import LineColumn, Op, ParameterKind
from apet.program.syntax.declarations import Method
from apet.program.translator import functions
from apet.program.translator.facts import Evaluated, Fact, Functional, Lengths, Stream, names_of, shown

if TYPE_CHECKING:
    from apet.java.translator.translator import JavaTranslator

PER_ELEMENT = frozenset(
    (
        *("map", "mapToInt", "mapToLong", "mapToDouble", "mapToObj", "flatMap", "filter", "peek", "reduce", "collect"),
        *("forEach", "forEachOrdered", "anyMatch", "allMatch", "noneMatch", "takeWhile", "dropWhile", "removeIf"),
        *("replaceAll", "setAll", "parallelSetAll", "parallelPrefix"),
    )
)
"""Calls that give every element to a lambda."""
ENDING_EARLY = frozenset(("allMatch", "anyMatch", "dropWhile", "noneMatch", "takeWhile"))
"""Those that stop where the lambda says so."""
KEEPING = frozenset(
    (
        *("map", "mapToInt", "mapToLong", "mapToDouble", "mapToObj", "peek", "boxed", "parallel", "sequential"),
        *("asDoubleStream", "asLongStream"),
    )
)
KEEPING_ORDER = ("sorted", "unordered", "onClose")
NUMBERS = {"IntStream": types.INT, "LongStream": types.LONG, "DoubleStream": types.DOUBLE}
STREAMS = {"mapToInt": "IntStream", "mapToLong": "LongStream", "mapToDouble": "DoubleStream"}
STREAMS |= {"mapToObj": "Stream", "boxed": "Stream", "asDoubleStream": "DoubleStream", "asLongStream": "LongStream"}
OPERANDS = {"Int": types.INT, "Long": types.LONG, "Double": types.DOUBLE}
COMBINING = frozenset(
    (
        "andThen",
        "compose",
        "negate",
        "and",
        "or",
        "reversed",
        "thenComparing",
        "thenComparingInt",
        "thenComparingDouble",
    )
)
"""Methods of the library's functional interfaces that have bodies."""
RESULTS = {"sum", "max", "min", "reduce"}


def lambda_value(t: JavaTranslator, e: s.Lambda) -> Evaluated:
    """A lambda is an object; what it does is written where it is called."""
    return Evaluated(types.Type("lambda"), Functional(_method_of(t, e)), t.op("new", None))


def _method_of(t: JavaTranslator, e: s.Lambda) -> Method:
    """A lambda as a method of the class around it, made once."""
    # Another file may have a lambda at the same line and column.
    if e.at not in t.program.lambdas or t.program.lambdas[e.at][0] is not e:
        body = e.body
        block = body if isinstance(body, s.CodeBlock) else s.CodeBlock((s.Return(body, e.at),), e.at)
        name = f"lambda_{e.at.line}"
        method = Method(t.owner, name, e.formals, types.UNKNOWN, True, False, lambda: block, e.at)
        t.program.lambdas[e.at] = (e, method)

    method = t.program.lambdas[e.at][1]
    capture(t, method)
    return method


def capture(t: JavaTranslator, method: Method) -> None:
    """What a method inside another knows of the variables around it."""
    inside = {formal.name for formal in method.formals} | set(method.facts.declared)
    visible = {n: k for n, k in t.types.items() if n not in inside}
    t.state.captured[method] = (visible, {n: v for n, v in t.facts.items() if n not in inside and _lasting(t, v)})


def _lasting(t: JavaTranslator, fact: Fact) -> bool:
    """Whether what is known where a lambda is made may be written where it runs: parameters of the model may."""
    return isinstance(fact, Functional) or names_of(fact) <= t.state.parameters.keys()


def is_call(method: str) -> bool:
    """Whether a method of a functional interface calls its lambda; the others make another one of it."""
    return method not in COMBINING


def formals_of(interface: str, count: int) -> list[types.Type]:
    """What the methods of java.util.function take: `IntBinaryOperator` two of int, `Function` an object."""
    kind = next((k for word, k in OPERANDS.items() if interface.startswith(word)), types.UNKNOWN)
    return [kind] * count


def handed_over(t: JavaTranslator, name: str, target: Evaluated, passed: Sequence[Evaluated], at: LineColumn) -> None:
    """Lambdas given to a library call run as often as the stream has elements, or the array that it works on."""
    kind, length = types.UNKNOWN, None
    if isinstance(target.fact, Stream):
        length, kind = target.fact
    if length is None and passed and isinstance(passed[0].fact, Lengths) and name in PER_ELEMENT:
        length = passed[0].fact.lengths[0]
        kind = types.element(passed[0].type) if name.startswith("parallelP") else types.INT
    is_known = name in PER_ELEMENT and name not in ENDING_EARLY
    functions.handed_over(t, name, passed, at, shown(length) if is_known else None, kind)


def stream(name: str, owner: str, target: Evaluated, arguments: Sequence[Evaluated]) -> Evaluated | None:
    """What is known of a stream: how many elements of which type it has; None for what is no stream."""
    if owner in NUMBERS and name in ("range", "rangeClosed") and len(arguments) == 2:
        low, high = arguments[0].number, arguments[1].number
        length = None if low is None or high is None else high - low + (name == "rangeClosed")
        return Evaluated(types.Type(owner), Stream(length, NUMBERS[owner]))
    if (owner in ("Arrays", "Stream") or owner in NUMBERS) and name in ("stream", "of") and arguments:
        first = arguments[0]
        if first.type.dimensions:
            kind = types.element(first.type)
            length = first.fact.lengths[0] if isinstance(first.fact, Lengths) else None
            words = {v: k for k, v in NUMBERS.items()}
            return Evaluated(types.Type(words.get(kind, "Stream")), Stream(length, kind))
        return Evaluated(types.Type(owner), Stream(as_value(len(arguments)), first.type))
    if not isinstance(target.fact, Stream):
        return None

    if name in KEEPING or name in KEEPING_ORDER:
        kind = types.Type(STREAMS.get(name, target.type.name))
        element = NUMBERS.get(kind.name, target.fact.element if name in KEEPING_ORDER else types.UNKNOWN)
        return Evaluated(kind, Stream(target.fact.length, element))

    if name in ("filter", "distinct", "limit", "skip", "takeWhile", "dropWhile"):
        return Evaluated(target.type, Stream(None, target.fact.element))
    if name == "count":
        return Evaluated(types.LONG)
    if name == "sum":
        return Evaluated(target.fact.element)
    if name == "toArray":
        return Evaluated(types.Type(target.fact.element.name, 1), Lengths((target.fact.length,)))
    return None


def element_work(t: JavaTranslator, name: str, target: Evaluated, at: LineColumn) -> None:
    """`sum`, `max` and the like: one operation for each element where their number is known."""
    fact = target.fact
    if not isinstance(fact, Stream) or name not in RESULTS or not t.conversions.is_numeric(fact.element):
        return
    many = shown(fact.length)
    if many is None:
        many = t.note(
            f"elements_{at.line}",
            f"elements of the stream that {name} takes, on average",
            at,
            kind=ParameterKind.STREAM,
            member=name,
        )

    operation = name if name in ("max", "min") else "sum"
    kind = t.conversions.unary_promoted(fact.element)
    body = (Op(operation, kind, (), t.value()),)
    t.out.append(functions.repeated(many, body, at))
