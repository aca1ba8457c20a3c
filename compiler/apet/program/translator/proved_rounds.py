"""Rounds of a loop that no closed form of its counters gives: what `program.rounds` proves of it."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple, assert_never

from apet.program import rounds, types
from apet.program import syntax as s
from apet.program.algebra import Value, apply, as_value, quotient
from apet.program.rounds import bounds as b
from apet.program.rounds import statements as r
from apet.program.translator.arithmetic import in_range
from apet.program.translator.facts import Fact, shown
from apet.program.translator.motions import logarithm
from apet.program.translator.variables import symbol_of

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

MOST_NODES = 150
"""Loops with more operators and calls than these are not looked at: that would take long and seldom prove anything."""


class ProvedRounds(NamedTuple):
    """Least and most rounds each time that a loop is entered, in names of the model."""

    low: Value
    high: Value


class NotConvertedError(Exception):
    """A statement that may leave the loop, or does what no variable shows."""


def proved_rounds(t: Translator, loop: s.For | s.While | s.DoWhile, start: Mapping[str, Fact]) -> ProvedRounds | None:
    """What is proved of a loop's rounds where it cannot end by a jump; `t` has forgotten what the loop assigns."""
    conversion = _Conversion(t)
    try:
        statement = conversion.loop(loop)
    except NotConvertedError:
        return None
    values = dict(conversion.constants)
    for name in conversion.read:
        fact = start.get(name)
        if isinstance(fact, Value) and shown(fact) is not None and fact.is_whole():
            values[name] = fact

    # Numbers that are known at the start are written before the loop: more can be proved of them.
    known = [r.Do(r.Assign(n, r.Whole(v.integer))) for n, v in values.items() if v.integer is not None]
    found = rounds.rounds_of(r.Block((*known, statement)), sorted({*conversion.read, *conversion.constants}))[
        conversion.label(loop)
    ]
    high = None if found.upper is None else _value(found.upper, values)
    if high is None or not conversion.stays_in_range(high, values, r.deciding(statement)):
        return None
    low = None if found.lower is None else _value(found.lower, values)
    least = as_value(1 if isinstance(loop, s.DoWhile) else 0)
    return ProvedRounds(least if low is None else low, high)


def _value(bound: b.Bound, values: Mapping[str, Value]) -> Value | None:
    """A bound in names of the model; None where it names what is not known."""
    match bound:
        case b.Plain(polynomial):
            if not polynomial.names <= values.keys():
                return None
            total = as_value(0)
            for monomial, factor in polynomial.terms.items():
                product = as_value(Fraction(factor))
                for name in monomial:
                    product = product * values[name]
                total = total + product
            return total
        case b.Joined(kind, parts):
            numbers = [_value(p, values) for p in parts]
            known = [n for n in numbers if n is not None]
            if len(known) < len(numbers):
                return None
            answer = known[0]
            for number in known[1:]:
                answer = (
                    answer + number if kind == "+" else answer * number if kind == "*" else apply(kind, answer, number)
                )
            return answer
        case b.Ceiling(of, by):
            inner, divisor = _value(of, values), _value(by, values)
            return None if inner is None or divisor is None else apply("ceil", quotient(inner, divisor))
        case b.Digits(of, base):
            inner = _value(of, values)
            return None if inner is None else logarithm(as_value(base), inner, as_value(1))
        case b.Power(base, exponent):
            inner = _value(exponent, values)
            return None if inner is None else apply("^", base, inner)
        case b.Where():
            return None
        case _:
            assert_never(bound)


class _Conversion:
    """A loop as the statements that rounds depend on; `constants` are values that it reads and does not change."""

    def __init__(self, t: Translator) -> None:
        self.t = t
        self.read: set[str] = set()
        self.constants: dict[str, Value] = {}
        self.declared_types: dict[str, types.Type] = {}
        self.steps: dict[str, list[r.Expression]] = {}  # what a round adds to a variable
        self.jumps: set[str] = set()  # variables that change by what nothing bounds
        self.nodes = 0

    @staticmethod
    def label(loop: s.LoopStatement) -> str:
        return f"{loop.at.line}:{loop.at.column}"

    def loop(self, loop: s.LoopStatement, may_break: bool = False) -> r.Loop:
        match loop:
            case s.For(_, condition, updates, body, _):
                held = r.Whole(1) if condition is None else self.expression(condition)
                steps = tuple(self.expression(u) for u in updates)
                return r.Loop(held, self.statement(body, may_break), steps, label=self.label(loop))
            case s.While(condition, body, _):
                return r.Loop(self.expression(condition), self.statement(body, may_break), label=self.label(loop))
            case s.DoWhile(body, condition, _):
                return r.Loop(
                    self.expression(condition), self.statement(body, may_break), is_do=True, label=self.label(loop)
                )
            case s.ForEach():
                return r.Loop(r.Unknown(), self.statement(loop.body, may_break), label=self.label(loop))
            case _:
                assert_never(loop)

    def statement(self, statement: s.Statement, may_break: bool) -> r.Statement:
        match statement:
            case s.CodeBlock(inner, _):
                return r.Block(tuple(self.statement(one, may_break) for one in inner))
            case s.LocalVariables(declarators, _):
                return r.Block(tuple(self.declared(d) for d in declarators))
            case s.Do(expression, _):
                return r.Do(self.expression(expression))
            case s.If(condition, then, otherwise, _):
                other = r.Block(()) if otherwise is None else self.statement(otherwise, may_break)
                return r.If(self.expression(condition), self.statement(then, may_break), other)
            case s.For():
                return r.Block((*(self.statement(one, False) for one in statement.start), self.loop(statement, True)))
            case s.While() | s.DoWhile() | s.ForEach():
                return self.loop(statement, True)
            case s.Jump("continue", "", _):
                return r.Jump("continue")
            case s.Jump("break", "", _) if may_break:
                return r.Jump("break")
            case s.EmptyStatement():
                return r.Block(())
            case _:
                raise NotConvertedError

    def declared(self, d: s.Declarator) -> r.Statement:
        value = r.Unknown() if d.initial is None else self.expression(d.initial)
        self.declared_types[d.name] = d.type
        return r.Do(r.Assign(d.name, value) if _is_exact(d.type) else r.Unknown((value,)))

    def is_number(self, name: str) -> bool:
        return _is_exact(self.declared_types.get(name) or self.t.types.get(name, types.UNKNOWN))

    def expression(self, e: s.Expression) -> r.Expression:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise NotConvertedError
        number = self.number(e)
        return self.unknown(e) if number is None else number

    def number(self, e: s.Expression) -> r.Expression | None:
        """Arithmetic of whole numbers."""
        match e:
            case s.Literal("int" | "long", text, _):
                number = symbol_of(self.t, e)
                return r.Unknown() if number is None or number.integer is None else r.Whole(number.integer)
            case s.Literal("boolean", text, _):
                return r.Whole(int(text == "true"))
            case s.Identifier(name, _) if self.is_number(name):
                self.read.add(name)
                return r.Name(name)
            case s.FieldAccess() | s.Identifier():
                return self.constant(e)
            case s.Increment(operator, s.Identifier(name, _), prefix, _) if self.is_number(name):
                self.read.add(name)
                step = r.Binary("+" if operator == "++" else "-", r.Name(name), r.Whole(1))
                return self.assigned(name, step, not prefix)
            case s.Assign(operator, s.Identifier(name, _), value, _) if self.is_number(name):
                self.read.add(name)
                new = self.expression(value)
                return self.assigned(name, self.joined(r.Name(name), operator, new) if operator else new)
            case s.BinaryOp(operator, left, right, _):
                return self.joined(self.expression(left), operator, self.expression(right))
            case s.UnaryOp("!", operand, _):
                return r.Not(self.expression(operand))
            case s.UnaryOp("-", operand, _):
                return r.Binary("-", r.Whole(0), self.expression(operand))
            case s.UnaryOp("+", operand, _):
                return self.expression(operand)
            case s.Conditional(condition, then, otherwise, _):
                return r.Choice(self.expression(condition), self.expression(then), self.expression(otherwise))
            case s.Cast(type, operand, _):
                inner = self.expression(operand)
                return inner if _is_exact(type) and not isinstance(inner, r.Unknown) else r.Unknown((inner,))
            case _:
                return None

    def unknown(self, e: s.Expression) -> r.Expression:
        """What may be any number; its parts are read for what they assign."""
        match e:
            case s.UnaryOp(operator, operand, _) if operator == "~":
                return r.Unknown((self.expression(operand),))
            case s.ArrayAccess(_, subscript, _):
                return r.Unknown((self.expression(subscript),))
            case s.Increment(_, operand, _, _):
                return r.Unknown((self.expression(operand),))
            case s.Assign(_, target, value, _):
                return r.Unknown((self.expression(target), self.expression(value)))
            case s.MethodCall(target, _, arguments, _):
                parts = arguments if target is None else (target, *arguments)
                return r.Unknown(tuple(self.expression(p) for p in parts))
            case s.New(_, arguments, _, None):
                return r.Unknown(tuple(self.expression(p) for p in arguments))
            case s.NewArray(_, sizes, None, _):
                return r.Unknown(tuple(self.expression(p) for p in sizes))
            case _:
                raise NotConvertedError

    def constant(self, e: s.FieldAccess | s.Identifier) -> r.Expression:
        """A field or length that the loop does not change is a parameter of it."""
        if isinstance(e, s.Identifier) and e.name in self.declared_types:
            return r.Unknown()
        value = symbol_of(self.t, e)
        if value is None or shown(value) is None or not value.is_whole():
            return r.Unknown()
        name = f"constant {value}"
        self.constants[name] = value
        return r.Name(name)

    def assigned(self, name: str, new: r.Expression, is_after: bool = False) -> r.Assign:
        """An assignment, and how far it moves the variable."""
        match new:
            case r.Binary("+" | "-", r.Name(old), step) | r.Binary("+", step, r.Name(old)) if (
                old == name and self.is_fixed(step)
            ):
                self.steps.setdefault(name, []).append(step)
            case _ if name in _added(new):
                self.jumps.add(name)
        return r.Assign(name, new, is_after)

    def stays_in_range(self, most: Value, values: Mapping[str, Value], deciding: AbstractSet[str]) -> bool:
        """Whether none of the variables that decide leaves the range of its type in so many rounds: the proof knows of
        no ranges. What depends on arguments is looked at when they are known."""
        for name, steps in self.steps.items():
            if name in self.declared_types or name not in deciding:
                continue  # it begins anew in each round, or no condition depends on it
            moved = [step.value if isinstance(step, r.Whole) else None for step in steps]
            start = values.get(name)
            if start is None or len(steps) > len([step for step in moved if step is not None]):
                return False
            far = start + most * as_value(max(abs(step or 0) for step in moved) * len(moved))
            near = start - most * as_value(max(abs(step or 0) for step in moved) * len(moved))
            kind = self.t.types.get(name, types.INT).name
            for end in (far, near):
                held = in_range(self.t.state, end, kind)
                if held is None or held.terms != end.terms:
                    return False
        return self.jumps.isdisjoint(deciding)

    def is_fixed(self, e: r.Expression) -> bool:
        """Whether the loop does not change a value: what it assigns is forgotten."""
        match e:
            case r.Whole():
                return True
            case r.Name(name):
                return name in self.constants or isinstance(self.t.facts.get(name), Value)
            case r.Binary(_, left, right):
                return self.is_fixed(left) and self.is_fixed(right)
            case _:
                return False

    def joined(self, left: r.Expression, operator: str, right: r.Expression) -> r.Expression:
        if isinstance(left, r.Unknown) or isinstance(right, r.Unknown):
            # Whether they are whole numbers is not known, but for connectives that does not matter.
            match operator:
                case "&&" | "||":
                    return r.Binary(operator, left, right)
                case _:
                    return r.Unknown((left, right))
        if operator in ("*", "<<") and not (self.is_fixed(left) and self.is_fixed(right)):
            return r.Unknown((left, right))  # what a loop multiplies may leave the range of its type
        match operator:
            case "+" | "-" | "*" | "/" | "%" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||" | ">>":
                return r.Binary(operator, left, right)
            case "<<" if isinstance(right, r.Whole) and 0 <= right.value < 31:
                return r.Binary("*", left, r.Whole(1 << right.value))
            case ">>>":
                return r.Choice(r.Binary(">=", left, r.Whole(0)), r.Binary(">>", left, right), r.Unknown())
            case _:
                return r.Unknown((left, right))


def _added(e: r.Expression) -> set[str]:
    """Variables that a value has as terms of sums."""
    match e:
        case r.Name(name):
            return {name}
        case r.Binary("+" | "-", left, right):
            return _added(left) | _added(right)
        case r.Choice(_, then, otherwise):
            return _added(then) | _added(otherwise)
        case _:
            return set()


def _is_exact(type: types.Type) -> bool:
    return type.name in ("int", "long") and not type.dimensions
