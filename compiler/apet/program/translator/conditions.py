"""Conditions: short-circuit operators, `?:`, and the named probability of a branch."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Function, Value, as_value
from apet.program.ir import NEGATED, CodeBranch, Condition, LineColumn, ParameterKind
from apet.program.translator.facts import Evaluated, merged
from apet.program.translator.variables import symbol_of

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator


class TestResult:
    """A condition that has been evaluated: the probability that it holds, and what is known of the comparison."""

    def __init__(self, probability: Value, condition: Condition) -> None:
        self.probability = probability
        self.condition = condition


def test(t: Translator, e: s.Expression, usual: Value | None) -> TestResult:
    """Write the operations of a condition and name its probability, which is `usual` where nothing else is known."""
    tested = t.evaluate(e)
    inner, negated = e, False
    while isinstance(inner, s.UnaryOp) and inner.operator == "!":
        inner, negated = inner.operand, not negated
    compared = isinstance(inner, s.BinaryOp | s.InstanceOf)
    if not compared and tested.value >= 0:
        t.op("compare", types.BOOLEAN, tested)
    condition = comparison(t, inner, negated)
    condition = Condition(condition.relation, condition.left, condition.right, (tested.value,))
    constant = tested.number.constant if tested.number is not None else None
    if constant is not None:
        return TestResult(as_value(int(bool(constant))), condition)

    default = _guess(inner, condition) if usual is None else usual
    holds = t.note(
        f"q_{e.at.line}", f"probability of `{text_of(t, e)}`", e.at, default, unit=True, kind=ParameterKind.TEST
    )
    if isinstance(inner, s.InstanceOf):
        t.not_instance(inner, holds if negated else 1 - holds)
    return TestResult(holds, condition)


def comparison(t: Translator, e: s.Expression, negated: bool = False) -> Condition:
    """The two sides of a comparison as far as they are known, without writing operations."""
    if not isinstance(e, s.BinaryOp) or e.operator not in NEGATED:
        return Condition("", None, None)
    left, right = symbol_of(t, e.left), symbol_of(t, e.right)
    return Condition(NEGATED[e.operator] if negated else e.operator, left, right)


def _guess(e: s.Expression, condition: Condition) -> Value | None:
    """The share of remainders that are as asked for; None for what only a run can tell."""
    for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
        if side is None or other is None or other.constant is None or len(side.terms) != 1:
            continue
        (monomial, factor), *_ = side.terms
        if factor != 1 or len(monomial) != 1 or not isinstance(monomial[0], Function) or monomial[0].name != "%":
            continue
        divisor = monomial[0].arguments[1].integer
        if divisor and divisor > 0 and condition.relation in ("==", "!="):
            share = Fraction(1, divisor)
            return as_value(share if condition.relation == "==" else 1 - share)

    return None


def text_of(t: Translator, e: s.Expression) -> str:
    """How a condition is shown in the comment of its probability: from its leftmost part to the end of its line."""
    place, inner = e.at, e
    while True:
        match inner:
            case s.BinaryOp(_, left, _, _):
                inner = left
            case s.FieldAccess(target, _, _) | s.ArrayAccess(target, _, _):
                inner = target
            case s.MethodCall(target, _, _, _) if target is not None:
                inner = target
            case _:
                break
        place = min(place, inner.at)

    text = t.shown(LineColumn(place.line, place.column), 200)
    whole = isinstance(e, s.BinaryOp) and e.operator in ("&&", "||")
    return cut(text, 50, () if whole else ("&&", "||"))


def cut(text: str, most: int = 50, ends: tuple[str, ...] = ()) -> str:
    """A text up to the bracket that closes more than it opens, its first semicolon, or one of the operators `ends`."""
    depth = 0
    for k, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth < 0 or c in "{;?" or (depth == 0 and text[k : k + 2] in ends):
            text = text[:k].rstrip()
            break
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def logical(t: Translator, e: s.BinaryOp) -> Evaluated:
    """`&&` and `||`: the right side runs only where the left one does not decide."""
    left = test(t, e.left, None)
    weight = left.probability
    if e.operator == "||":
        weight = 1 - weight
    before = dict(t.facts)
    with t.writing() as items:
        right = t.evaluate(e.right)
        if not isinstance(e.right, s.BinaryOp | s.UnaryOp | s.InstanceOf) and right.value >= 0:
            t.op("compare", types.BOOLEAN, right)

    # The right side may not have run: only what holds either way is known.
    t.keep_common(before, t.facts)
    if weight.constant == 0:
        return Evaluated(types.BOOLEAN, as_value(int(e.operator == "||")), left.condition.inputs[0])
    if weight.constant == 1:
        t.out += items
        return right
    t.out.append(CodeBranch(weight, tuple(items), (), left.condition, e.at))
    value = t.op("either", None, *left.condition.inputs, right)
    return Evaluated(types.BOOLEAN, None, value, right.loaded)


def conditional(t: Translator, e: s.Conditional) -> Evaluated:
    """`?:`: a branch with a value."""
    decision = test(t, e.condition, None)
    before = dict(t.facts)
    with t.writing() as then:
        left = t.evaluate(e.then)
    between, t.facts = t.facts, before

    with t.writing() as otherwise:
        right = t.evaluate(e.otherwise)
    t.keep_common(between, t.facts)
    t.out.append(CodeBranch(decision.probability, tuple(then), tuple(otherwise), decision.condition, e.at))
    value = t.op("either", None, *decision.condition.inputs, left, right)
    kind = t.conversions.promoted(left.type, right.type)
    kind = kind if kind != types.OBJECT else left.type
    return Evaluated(kind, merged(left.fact, right.fact), value, left.loaded or right.loaded)
