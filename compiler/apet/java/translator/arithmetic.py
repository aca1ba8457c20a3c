"""Conversions and operators of two operands: which operation each is, and the symbolic value that comes out."""

from __future__ import annotations

from apet.java.parse import conversions
from apet.java.translator import operations
from apet.java.translator.facts import Evaluated
from apet.java.translator.frame import MethodFrame
from apet.java.translator.layout import BOXES
from apet.java.translator.state import TranslationState
from apet.program import types
from apet.program.algebra import Value, apply
from apet.program.arithmetic import computed, narrowed, truncated
from apet.program.ir import VALUE
from apet.program.types import Type


def converted(frame: MethodFrame, value: Evaluated, wanted: types.Type) -> Evaluated:
    """A value in another type; a conversion of what is no literal takes an operation."""
    if is_box(value.type) and types.is_primitive(wanted):
        value = opened(frame, value)
    source, target = conversions.unboxed(value.type), conversions.unboxed(wanted)
    is_array = wanted.dimensions > 0  # of C, where a number may become a pointer
    if types.is_primitive(value.type) and not (types.is_primitive(wanted) or is_array or wanted == types.UNKNOWN):
        plain = converted(frame, value, target) if is_box(wanted) else value
        return boxed(frame, plain, wanted)
    if not conversions.is_numeric(source) or not conversions.is_numeric(target):
        return value._replace(type=wanted if wanted != types.UNKNOWN else value.type)
    fact = value.fact
    if conversions.is_integral(target) and not conversions.is_integral(source) and isinstance(fact, Value):
        fact = truncated(fact)
    narrow = target.name in types.NARROW and target.name != source.name
    if narrow and isinstance(fact, Value):
        fact = narrowed(fact, target.name)
    if target.name in types.UNSIGNED and isinstance(fact, Value):
        fact = in_range(frame.state, fact, target.name)
    is_same = conversions.unary_promoted(source) == conversions.unary_promoted(target) and not narrow
    if value.value < 0 or is_same or types.differ_in_sign(source, target):
        return Evaluated(wanted, fact, value.value, value.loaded)
    return Evaluated(wanted, fact, frame.op(f"cast_{source.name}", target, value), value.loaded)


def combine(frame: MethodFrame, operator: str, left: Evaluated, right: Evaluated) -> Evaluated:
    """An operator of two operands that are both evaluated."""
    loaded = left.loaded or right.loaded
    if operator in operations.COMPARISONS:
        kind = conversions.promoted(left.type, right.type)
        a, b = converted(frame, left, kind), converted(frame, right, kind)
        fact = None
        if left.number is not None and right.number is not None:
            fact = apply(operator, left.number, right.number)
        if left.value < 0 and right.value < 0 and fact is not None and fact.constant is not None:
            return Evaluated(types.BOOLEAN, fact)
        return Evaluated(types.BOOLEAN, fact, frame.op("compare", kind, a, b), loaded)
    if operator == "+" and (types.is_string(left.type) or types.is_string(right.type)):
        return Evaluated(types.STRING, None, frame.op("concat", types.STRING, left, right))

    if operator in operations.SHIFTS:
        kind, a, b = conversions.unary_promoted(left.type), left, right
    elif left.type.dimensions and right.type.dimensions:  # two pointers of C: how far they are apart
        kind, a, b = types.LONG, left, right
    else:
        kind = conversions.promoted(left.type, right.type)
        a, b = converted(frame, left, kind), converted(frame, right, kind)
    if operator == "<<" and isinstance(right.fact, Value):
        right = right._replace(fact=in_range(frame.state, right.fact, f"{kind.name} <<"))
    fact = in_range(
        frame.state, computed(operator, left.number, right.number, conversions.is_integral(kind)), kind.name
    )
    if left.value < 0 and right.value < 0 and left.number is not None and right.number is not None:
        return Evaluated(kind, fact)

    name = operations.arithmetic(operator)
    if right.value < 0 and name in ("div", "mod") and conversions.is_integral(kind):
        return Evaluated(kind, fact, frame.op(name, kind, a, variable=_divisor(right)), loaded)
    return Evaluated(kind, fact, frame.op(name, kind, a, b), loaded)


def _divisor(right: Evaluated) -> str:
    """Whether a constant divisor is a power of two: a compiler makes a shift of such a division."""
    divisor = None if right.number is None else right.number.integer
    if divisor is None or divisor <= 0:
        return "constant"
    return "power" if divisor & (divisor - 1) == 0 else "constant"


def in_range(state: TranslationState, value: Value | None, kind: str) -> Value | None:
    """A whole number as its type holds it (15.17.1): of one that depends on what a task is given, the low bits only
    where the task has been seen to be given so much."""
    if value is None or kind not in types.COMPUTED:
        return value
    if value.constant is None and value.names <= state.parameters.keys():
        state.ranges[value, kind] = None
    is_wrapped = value.constant is not None or (value, kind) in state.wrapped
    return narrowed(value, kind) if is_wrapped else value


CACHED = ("boolean", "byte", "char")
"""What has all its boxes beforehand, or those that are usual: of `char` the letters of ASCII."""
SMALL = range(-128, 128)
"""Whole numbers whose boxes are there beforehand."""


def is_box(kind: Type) -> bool:
    """Whether a type is that of boxes."""
    return kind.name in BOXES and not kind.dimensions


def boxed(frame: MethodFrame, value: Evaluated, wanted: Type) -> Evaluated:
    """A number in a new object, or in one of those that are there beforehand."""
    kind = next((box for box, plain in conversions.BOXES.items() if plain == value.type.name), "")
    number = value.number.integer if value.number is not None else None
    is_there = conversions.is_integral(value.type) and number in SMALL
    if kind not in BOXES or value.type.name in CACHED or is_there:
        return value._replace(type=wanted)
    return Evaluated(wanted, value.fact, frame.op("new", None, value, variable=str(BOXES[kind])))


def opened(frame: MethodFrame, value: Evaluated) -> Evaluated:
    """The number in a box."""
    plain = conversions.unboxed(value.type)
    if value.value < 0:
        return value._replace(type=plain)
    return Evaluated(plain, value.fact, frame.op("field_access", None, value, variable=VALUE), True)
