"""Lambdas, method references and objects of anonymous classes: what is called when they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.java.parse import conversions
from apet.java.translator.facts import Evaluated, Functional, Lengths, Stream, shown
from apet.java.translator.invocation import invoke
from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, as_value
from apet.program.ir import NO_VALUE, CodeLoop, Items, LineColumn, Op, ParameterKind
from apet.program.symbols import HIDDEN
from apet.program.syntax.declarations import Method

if TYPE_CHECKING:
    from apet.java.translator.translator import Translator

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


def lambda_value(t: Translator, e: s.Lambda) -> Evaluated:
    """A lambda is an object; what it does is written where it is called."""
    return Evaluated(types.Type("lambda"), Functional(_method_of(t, e)), t.op("new", None))


def _method_of(t: Translator, e: s.Lambda) -> Method:
    """A lambda as a method of the class around it, made once."""
    # Another file may have a lambda at the same line and column.
    if e.at not in t.state.lambdas or t.state.lambdas[e.at][0] is not e:
        body = e.body
        block = body if isinstance(body, s.CodeBlock) else s.CodeBlock((s.Return(body, e.at),), e.at)
        name = f"lambda_{e.at.line}"
        method = Method(t.owner, name, e.formals, types.UNKNOWN, True, False, lambda: block, e.at)
        t.state.lambdas[e.at] = (e, method)

    method = t.state.lambdas[e.at][1]
    capture(t, method)
    return method


def capture(t: Translator, method: Method) -> None:
    """What a method inside another knows of the variables around it."""
    inside = {formal.name for formal in method.formals} | set(method.facts.declared)
    visible = {n: k for n, k in t.types.items() if n not in inside}
    t.state.captured[method] = (visible, {n: v for n, v in t.facts.items() if n not in inside and _lasting(t, v)})


def _lasting(t: Translator, fact: object) -> bool:
    """Whether what is known where a lambda is made may be written where it runs: parameters of the model may."""
    if isinstance(fact, Functional):
        return True
    values = fact.lengths if isinstance(fact, Lengths) else (fact,)
    names = {n for v in values for n in (getattr(v, "names", ()) or ())}
    return bool(values) and names <= t.state.parameters.keys()


def reference(t: Translator, e: s.Reference) -> Evaluated:
    """`X::name`: the method of that name, if there is one and it has a source."""
    owner = e.target.name if isinstance(e.target, s.Identifier | s.FieldAccess) else t.owner
    owner = t.owner if owner in ("this", "super") else t.types.get(owner, types.Type(owner)).name
    declaring = t.state.program.get(owner)
    named = declaring.constructors if declaring is not None and e.name == "new" else ()
    if declaring is not None and e.name != "new":
        named = tuple(m for c in t.state.program.line(owner) for m in c.named.get(e.name, ()))

    bodies = [m for m in named if m.has_body]
    fact = Functional(bodies[0]) if len(bodies) == 1 else None
    if fact is None:
        t.unsupported("a method reference without one source is counted where it is made, not where it is called", e.at)
    made = t.op("new", None) if t.state.program.makes_functions else NO_VALUE
    return Evaluated(types.Type("lambda"), fact, made)


def is_call(method: str) -> bool:
    """Whether a method of a functional interface calls its lambda; the others make another one of it."""
    return method not in COMBINING


def formals_of(interface: str, count: int) -> list[types.Type]:
    """What the methods of java.util.function take: `IntBinaryOperator` two of int, `Function` an object."""
    kind = next((k for word, k in OPERANDS.items() if interface.startswith(word)), types.UNKNOWN)
    return [kind] * count


def call_function(t: Translator, fact: Functional, arguments: Sequence[Evaluated], at: LineColumn) -> Evaluated:
    """A call of a method of a functional interface whose lambda is known."""
    method, arguments = fact.method, list(arguments)
    if len(arguments) == len(method.formals) + 1 and not method.static:
        arguments = arguments[1:]
    typed = _typed(t, method, arguments) if len(arguments) == len(method.formals) else None
    if typed is None:
        return Evaluated(types.UNKNOWN)
    return invoke(t, typed, arguments, Evaluated(types.UNKNOWN), at)


def _typed(t: Translator, method: Method, arguments: Sequence[Evaluated]) -> Method:
    """A lambda whose formals have no types takes those of the arguments."""
    if all(x.type != types.UNKNOWN for x in method.formals):
        return method
    kinds = tuple(x.type if x.type != types.UNKNOWN else g.type for x, g in zip(method.formals, arguments, strict=True))
    key = (method, kinds)
    if key not in t.state.typed:
        formals = tuple(s.Formal(k, x.name) for k, x in zip(kinds, method.formals, strict=True))
        typed = Method(method.owner, method.name, formals, method.result, True, False, lambda: method.body, method.at)
        t.state.typed[key] = typed

    typed = t.state.typed[key]
    if method in t.state.captured:
        t.state.captured[typed] = t.state.captured[method]
    return typed


def handed_over(t: Translator, name: str, target: Evaluated, passed: Sequence[Evaluated], at: LineColumn) -> None:
    """Lambdas given to a library call run as often as the stream has elements, else so often as a parameter says."""
    for one in passed:
        if not isinstance(one.fact, Functional):
            continue
        method = one.fact.method
        stream = target.fact if isinstance(target.fact, Stream) else None
        kind = stream.element if stream is not None else types.UNKNOWN
        length = stream.length if stream is not None else None
        if length is None and passed and isinstance(passed[0].fact, Lengths) and name in PER_ELEMENT:
            length = passed[0].fact.lengths[0]
            kind = types.element(passed[0].type) if name.startswith("parallelP") else types.INT

        many = shown(length) if name in PER_ELEMENT and name not in ENDING_EARLY else None
        if many is None or many.names <= t.state.parameters.keys():
            text = f"calls of {method.name} by {name}, on average"
            many = t.note(f"calls_{at.line}", text, method.at, many, kind=ParameterKind.LAMBDA, member=name)
        with t.writing() as items:
            arguments = [
                Evaluated(k if k != types.UNKNOWN else kind, None, t.value()) for k in (x.type for x in method.formals)
            ]
            call_function(t, one.fact, arguments, at)
        t.out.append(_repeated(many, tuple(items), at))


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


def element_work(t: Translator, name: str, target: Evaluated, at: LineColumn) -> None:
    """`sum`, `max` and the like: one operation for each element where their number is known."""
    fact = target.fact
    if not isinstance(fact, Stream) or name not in RESULTS or not conversions.is_numeric(fact.element):
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
    kind = conversions.unary_promoted(fact.element)
    body = (Op(operation, kind, (), t.value()),)
    t.out.append(_repeated(many, body, at))


def _repeated(many: Value, body: Items, at: LineColumn) -> CodeLoop:
    """As many rounds as a stream has elements, or as a parameter says on average."""
    is_counted = many.is_whole() and not any(n.startswith(("calls_", "elements_")) for n in many.names)
    low, high = (as_value(1), many) if is_counted else (None, None)
    return CodeLoop(f"k{HIDDEN}{at.line}", low, high, many, body, False, 1, "", as_value(0), at)
