"""Expressions of programs as translations see them: what parsers of several languages agree on.

Terms are frozen; their last field is their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from apet.program.ir import LineColumn
from apet.program.types import Type

if TYPE_CHECKING:
    from apet.program.syntax.declarations import Class
    from apet.program.syntax.statements import CodeBlock, Statement


@dataclass(frozen=True, slots=True)
class Formal:
    """A formal of a method."""

    type: Type
    name: str


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal; `kind` is its type: int, long, float, double, char, boolean, String, null."""

    kind: str
    text: str
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Identifier:
    """A simple name; also `this` and `super`."""

    name: str
    at: LineColumn


@dataclass(frozen=True, slots=True)
class FieldAccess:
    """`target.name`: a field, a length, or a qualified name."""

    target: Expression
    name: str
    at: LineColumn


@dataclass(frozen=True, slots=True)
class ArrayAccess:
    """`array[index]`; a row of C's arrays of arrays is in place: its address is computed, nothing is loaded."""

    array: Expression
    subscript: Expression
    at: LineColumn
    in_place: bool = False


@dataclass(frozen=True, slots=True)
class UnaryOp:
    """`+ - ! ~`."""

    operator: str
    operand: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Increment:
    """`++` or `--`, before or after its operand."""

    operator: str
    operand: Expression
    prefix: bool
    at: LineColumn


@dataclass(frozen=True, slots=True)
class BinaryOp:
    """An operator of two operands."""

    operator: str
    left: Expression
    right: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Assign:
    """`=` and its compound forms; `operator` is "" for the plain one, else `+`, `<<`, ..."""

    operator: str
    target: Expression
    value: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Cast:
    """`(type) operand`."""

    type: Type
    operand: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class InstanceOf:
    """`operand instanceof type`; `bindings` are the variables of its pattern."""

    operand: Expression
    type: Type
    bindings: tuple[tuple[Type, str], ...]
    at: LineColumn


@dataclass(frozen=True, slots=True)
class MethodCall:
    """`target.name(arguments)`; `target` may be None; `this` and `super` as names are constructors."""

    target: Expression | None
    name: str
    arguments: tuple[Expression, ...]
    at: LineColumn


@dataclass(frozen=True, slots=True)
class New:
    """`new type(arguments)`; `body` is the anonymous class behind it, if there is one."""

    type: Type
    arguments: tuple[Expression, ...]
    at: LineColumn
    body: Class | None = None


@dataclass(frozen=True, slots=True)
class Lambda:
    """`formals -> body`; types that are not written are ""."""

    formals: tuple[Formal, ...]
    body: Expression | CodeBlock
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Reference:
    """`target::name`; `name` is `new` for a constructor."""

    target: Expression
    name: str
    at: LineColumn


@dataclass(frozen=True, slots=True)
class NewArray:
    """`new element[sizes]...`; `type` has all dimensions; `initial` is an `ArrayLiteral` or None; `operation` makes it:
    `new`, a function of C's library, or "" for memory that is there already."""

    type: Type
    sizes: tuple[Expression, ...]
    initial: Expression | None
    at: LineColumn
    operation: str = "new"


@dataclass(frozen=True, slots=True)
class ArrayLiteral:
    """`{a, b, ...}`."""

    items: tuple[Expression, ...]
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Opaque:
    """An expression that is only counted: a class literal, a template; `kind` says which."""

    kind: str
    at: LineColumn


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of an element, a member or a variable, as C computes it."""

    operand: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Comma:
    """Two expressions in order, with the value of the second."""

    left: Expression
    right: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class SwitchCase:
    """One arm of a switch: its labels (none for `default`), and whether it is an arrow, which never falls through."""

    labels: tuple[Expression, ...]
    statements: tuple[Statement, ...]
    arrow: bool
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Switch:
    """`switch`, as a statement or an expression."""

    selector: Expression
    cases: tuple[SwitchCase, ...]
    at: LineColumn


Operand = Literal | Identifier | FieldAccess | ArrayAccess | ArrayLiteral | Lambda | Reference | Opaque
OfC = AddressOf | Comma
Making = New | NewArray
Operation = UnaryOp | Increment | BinaryOp | Assign | Conditional | Cast | InstanceOf | MethodCall | Making | OfC
Expression = Operand | Operation | Switch
EXPRESSIONS: tuple[type, ...] = get_args(Expression)
