"""Java syntax as this front end sees it, on one page: what two parsers agree on.

Terms are frozen; their last field is their place. Classes with their members are in `declarations`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from apet.java.parse.c_terms import AddressOf as AddressOf
from apet.java.parse.c_terms import Comma as Comma
from apet.java.parse.c_terms import Team as Team
from apet.program.ir import LineColumn as LineColumn
from apet.program.types import Type

if TYPE_CHECKING:
    from apet.java.parse.declarations import Class


@dataclass(frozen=True, slots=True)
class Formal:
    """A formal of a method."""

    type: Type
    name: str


# Expressions


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


# Statements


@dataclass(frozen=True, slots=True)
class Declarator:
    """One variable of a declaration, with its own type."""

    type: Type
    name: str
    initial: Expression | None
    at: LineColumn


@dataclass(frozen=True, slots=True)
class LocalVariables:
    """A declaration of local variables."""

    declarators: tuple[Declarator, ...]
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Do:
    """An expression as a statement."""

    expression: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class If:
    """`if`; `otherwise` is None where there is no `else`."""

    condition: Expression
    then: Statement
    otherwise: Statement | None
    at: LineColumn


@dataclass(frozen=True, slots=True)
class While:
    """`while`."""

    condition: Expression
    body: Statement
    at: LineColumn


@dataclass(frozen=True, slots=True)
class DoWhile:
    """`do ... while`."""

    body: Statement
    condition: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class For:
    """`for (start; condition; updates)`."""

    start: tuple[Statement, ...]
    condition: Expression | None
    updates: tuple[Expression, ...]
    body: Statement
    at: LineColumn
    team: Team | None = None


@dataclass(frozen=True, slots=True)
class ForEach:
    """`for (type name : iterable)`."""

    type: Type
    name: str
    iterable: Expression
    body: Statement
    at: LineColumn


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """`{ ... }`."""

    statements: tuple[Statement, ...]
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Return:
    """`return`."""

    value: Expression | None
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Jump:
    """`break` or `continue`, with its label or ""."""

    kind: str
    label: str
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Yield:
    """`yield value` of a switch expression."""

    value: Expression
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Throw:
    """`throw`."""

    value: Expression
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


@dataclass(frozen=True, slots=True)
class Try:
    """`try`; `start` are its resources; `handlers` its `catch` blocks of classes `caught`; `last` its `finally`."""

    start: tuple[Statement, ...]
    body: Statement
    handlers: tuple[Statement, ...]
    caught: tuple[tuple[Type, ...], ...]
    last: Statement | None
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Synchronized:
    """`synchronized (lock) body`."""

    lock: Expression
    body: Statement
    at: LineColumn


@dataclass(frozen=True, slots=True)
class Labelled:
    """`label: body`."""

    label: str
    body: Statement
    at: LineColumn


@dataclass(frozen=True, slots=True)
class LocalClass:
    """A class declared among statements."""

    declared: Class
    at: LineColumn


@dataclass(frozen=True, slots=True)
class EmptyStatement:
    """What takes no time: `;`, an assertion (they are off by default)."""

    at: LineColumn


Operand = Literal | Identifier | FieldAccess | ArrayAccess | ArrayLiteral | Lambda | Reference | Opaque
OfC = AddressOf | Comma
Making = New | NewArray
Operation = UnaryOp | Increment | BinaryOp | Assign | Conditional | Cast | InstanceOf | MethodCall | Making | OfC
Expression = Operand | Operation | Switch
LoopStatement = For | While | DoWhile | ForEach
Leaving = Return | Jump | Yield | Throw
Compound = CodeBlock | If | Switch | Try | Synchronized | Labelled
Statement = LocalVariables | Do | LoopStatement | Leaving | Compound | LocalClass | EmptyStatement
EXPRESSIONS: tuple[type, ...] = get_args(Expression)
STATEMENTS: tuple[type, ...] = get_args(Statement)
