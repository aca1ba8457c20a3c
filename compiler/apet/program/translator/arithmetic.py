"""Conversions and operators of two operands: which operation each is, and the symbolic value that comes out."""

from __future__ import annotations

from apet.program import types
from apet.program.algebra import Value, apply
from apet.program.arithmetic import computed, narrowed, truncated
from apet.program.ir import Operand
from apet.program.translator import operations
from apet.program.translator.facts import Evaluated
from apet.program.translator.frame import MethodFrame
from apet.program.translator.state import TranslationState


def converted(frame: MethodFrame, value: Evaluated, wanted: types.Type) -> Evaluated:
    """A value in another type; a conversion of what is no literal takes an operation."""
    conversions = frame.conversions
    if conversions.box_bytes(value.type) and types.is_primitive(wanted):
        value = conversions.opened(frame, value)
    source, target = conversions.unboxed(value.type), conversions.unboxed(wanted)
    is_array = wanted.dimensions > 0  # of C, where a number may become a pointer
    if types.is_primitive(value.type) and not (types.is_primitive(wanted) or is_array or wanted == types.UNKNOWN):
        plain = converted(frame, value, target) if conversions.box_bytes(wanted) else value
        return conversions.boxed(frame, plain, wanted)
    if target == types.BOOLEAN and conversions.is_numeric(source):  # of C
        return value._replace(type=wanted, fact=None if value.number is None else apply("!=", value.number, 0))
    if not conversions.is_numeric(source) or not conversions.is_numeric(target):
        return value._replace(type=wanted if wanted != types.UNKNOWN else value.type)
    fact = value.fact
    if conversions.is_integral(target) and not conversions.is_integral(source) and isinstance(fact, Value):
        fact = truncated(fact)
    narrow = target.name in types.NARROW and target.name != source.name
    if narrow and isinstance(fact, Value):
        fact = narrowed(fact, target.name)
    is_smaller = conversions.is_integral(source) and types.has_smaller_numbers(target, source)
    if (target.name in types.UNSIGNED or is_smaller) and isinstance(fact, Value):
        fact = in_range(frame.state, fact, target.name)
    is_same = conversions.unary_promoted(source) == conversions.unary_promoted(target) and not narrow
    if value.value < 0 or is_same or types.differ_in_sign(source, target):
        return Evaluated(wanted, fact, value.value, value.loaded)
    return Evaluated(wanted, fact, frame.op(f"cast_{source.name}", target, value), value.loaded)


def combine(frame: MethodFrame, operator: str, left: Evaluated, right: Evaluated) -> Evaluated:
    """An operator of two operands that are both evaluated."""
    loaded = left.loaded or right.loaded
    if operator in operations.COMPARISONS:
        kind = frame.conversions.promoted(left.type, right.type)
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
        kind, a, b = frame.conversions.unary_promoted(left.type), left, right
    elif left.type.dimensions and right.type.dimensions:  # two pointers of C: how far they are apart
        kind, a, b = types.LONG, left, right
    else:
        kind = frame.conversions.promoted(left.type, right.type)
        a, b = converted(frame, left, kind), converted(frame, right, kind)
    if operator == ">>>" and left.number is not None:
        frame.state.take_nonnegative(frame.method, left.number)
    if operator == "<<" and isinstance(right.fact, Value):
        right = right._replace(fact=in_range(frame.state, right.fact, f"{kind.name} <<"))
    fact = in_range(
        frame.state, computed(operator, left.number, right.number, frame.conversions.is_integral(kind)), kind.name
    )
    if left.value < 0 and right.value < 0 and left.number is not None and right.number is not None:
        return Evaluated(kind, fact)

    name = operations.arithmetic(operator)
    if right.value < 0 and name in ("div", "mod") and frame.conversions.is_integral(kind):
        return Evaluated(kind, fact, frame.op(name, kind, a, operand=_divisor(right)), loaded)
    return Evaluated(kind, fact, frame.op(name, kind, a, b), loaded)


def _divisor(right: Evaluated) -> Operand:
    """Whether a constant divisor is a power of two: a compiler makes a shift of such a division."""
    divisor = None if right.number is None else right.number.integer
    if divisor is None or divisor <= 0:
        return Operand.CONSTANT
    return Operand.POWER if divisor & (divisor - 1) == 0 else Operand.CONSTANT


def in_range(state: TranslationState, value: Value | None, kind: str) -> Value | None:
    """A whole number as its type holds it (15.17.1): of one that depends on what a task is given, the low bits only
    where the task has been seen to be given so much."""
    if value is None or kind not in types.COMPUTED:
        return value
    if value.constant is None and value.names <= state.parameters.keys():
        state.ranges[value, kind] = None
    is_wrapped = value.constant is not None or (value, kind) in state.wrapped
    return narrowed(value, kind) if is_wrapped else value


def stays_in_range(state: TranslationState, value: Value, kind: str) -> bool:
    """Whether a whole type holds a number, as far as that is known: of one that depends on what a task is given it is
    taken to, unless the task has been seen to be given so much."""
    if value.constant is not None:
        return types.is_held(value.constant, kind)
    if value.names <= state.parameters.keys():
        state.ranges[value, kind] = None
    return (value, kind) not in state.wrapped
