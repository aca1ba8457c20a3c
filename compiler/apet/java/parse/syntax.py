"""Java syntax as this front end sees it, on one page: what two parsers agree on.

Terms are frozen and carry their place, line and column from 1, as the last field. Classes with their members are in
`declarations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, get_args

if TYPE_CHECKING:
    from apet.java.parse.declarations import Class


class Place(NamedTuple):
    """Line and column, both from 1."""

    line: int
    column: int


class Type(NamedTuple):
    """A type by its simple name (`int`, `String`, `Random`; "" where it is inferred) and its array dimensions."""

    name: str
    dimensions: int = 0


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
    at: Place


@dataclass(frozen=True, slots=True)
class Name:
    """A simple name; also `this` and `super`."""

    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Member:
    """`target.name`: a field, a length, or a qualified name."""

    target: Expression
    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Index:
    """`array[index]`."""

    array: Expression
    subscript: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class Unary:
    """`+ - ! ~`."""

    operator: str
    operand: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class Step:
    """`++` or `--`, before or after its operand."""

    operator: str
    operand: Expression
    prefix: bool
    at: Place


@dataclass(frozen=True, slots=True)
class Binary:
    """An operator of two operands."""

    operator: str
    left: Expression
    right: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class Assign:
    """`=` and its compound forms; `operator` is "" for the plain one, else `+`, `<<`, ..."""

    operator: str
    target: Expression
    value: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class Conditional:
    """`condition ? then : otherwise`."""

    condition: Expression
    then: Expression
    otherwise: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class Cast:
    """`(type) operand`."""

    type: Type
    operand: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class InstanceOf:
    """`operand instanceof ...`; `bindings` are the variables of its pattern."""

    operand: Expression
    bindings: tuple[tuple[Type, str], ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Call:
    """`target.name(arguments)`; `target` may be None; `this` and `super` as names are constructors."""

    target: Expression | None
    name: str
    arguments: tuple[Expression, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class New:
    """`new type(arguments)`; `body` is the anonymous class behind it, if there is one."""

    type: Type
    arguments: tuple[Expression, ...]
    at: Place
    body: Class | None = None


@dataclass(frozen=True, slots=True)
class Lambda:
    """`formals -> body`; types that are not written are ""."""

    formals: tuple[Formal, ...]
    body: Expression | Block
    at: Place


@dataclass(frozen=True, slots=True)
class Reference:
    """`target::name`; `name` is `new` for a constructor."""

    target: Expression
    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class NewArray:
    """`new element[sizes]...`; `type` has all dimensions; `initial` is an `ArrayLiteral` or None."""

    type: Type
    sizes: tuple[Expression, ...]
    initial: Expression | None
    at: Place


@dataclass(frozen=True, slots=True)
class ArrayLiteral:
    """`{a, b, ...}`."""

    items: tuple[Expression, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Opaque:
    """An expression that is only counted: a class literal, a template; `kind` says which."""

    kind: str
    at: Place


# Statements


@dataclass(frozen=True, slots=True)
class Declarator:
    """One variable of a declaration, with its own type."""

    type: Type
    name: str
    initial: Expression | None
    at: Place


@dataclass(frozen=True, slots=True)
class Local:
    """A declaration of local variables."""

    declarators: tuple[Declarator, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Do:
    """An expression as a statement."""

    expression: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class If:
    """`if`; `otherwise` is None where there is no `else`."""

    condition: Expression
    then: Statement
    otherwise: Statement | None
    at: Place


@dataclass(frozen=True, slots=True)
class While:
    """`while`."""

    condition: Expression
    body: Statement
    at: Place


@dataclass(frozen=True, slots=True)
class DoWhile:
    """`do ... while`."""

    body: Statement
    condition: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class For:
    """`for (start; condition; updates)`."""

    start: tuple[Statement, ...]
    condition: Expression | None
    updates: tuple[Expression, ...]
    body: Statement
    at: Place


@dataclass(frozen=True, slots=True)
class ForEach:
    """`for (type name : iterable)`."""

    type: Type
    name: str
    iterable: Expression
    body: Statement
    at: Place


@dataclass(frozen=True, slots=True)
class Block:
    """`{ ... }`."""

    statements: tuple[Statement, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Return:
    """`return`."""

    value: Expression | None
    at: Place


@dataclass(frozen=True, slots=True)
class Jump:
    """`break` or `continue`, with its label or ""."""

    kind: str
    label: str
    at: Place


@dataclass(frozen=True, slots=True)
class Yield:
    """`yield value` of a switch expression."""

    value: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class Throw:
    """`throw`."""

    value: Expression
    at: Place


@dataclass(frozen=True, slots=True)
class Case:
    """One arm of a switch: its labels (none for `default`), and whether it is an arrow, which never falls through."""

    labels: tuple[Expression, ...]
    statements: tuple[Statement, ...]
    arrow: bool
    at: Place


@dataclass(frozen=True, slots=True)
class Switch:
    """`switch`, as a statement or an expression."""

    selector: Expression
    cases: tuple[Case, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Try:
    """`try`; `start` are its resources; `handlers` its `catch` blocks; `last` its `finally`."""

    start: tuple[Statement, ...]
    body: Statement
    handlers: tuple[Statement, ...]
    last: Statement | None
    at: Place


@dataclass(frozen=True, slots=True)
class Synchronized:
    """`synchronized (lock) body`."""

    lock: Expression
    body: Statement
    at: Place


@dataclass(frozen=True, slots=True)
class Labelled:
    """`label: body`."""

    label: str
    body: Statement
    at: Place


@dataclass(frozen=True, slots=True)
class LocalClass:
    """A class declared among statements."""

    declared: Class
    at: Place


@dataclass(frozen=True, slots=True)
class Empty:
    """What takes no time: `;`, an assertion (they are off by default)."""

    at: Place


Operand = Literal | Name | Member | Index | Call | New | NewArray | ArrayLiteral | Lambda | Reference | Opaque
Operation = Unary | Step | Binary | Assign | Conditional | Cast | InstanceOf
Expression = Operand | Operation | Switch
LoopStatement = For | While | DoWhile | ForEach
Leaving = Return | Jump | Yield | Throw
Compound = Block | If | Switch | Try | Synchronized | Labelled
Statement = Local | Do | LoopStatement | Leaving | Compound | LocalClass | Empty
EXPRESSIONS: tuple[type, ...] = get_args(Expression)
STATEMENTS: tuple[type, ...] = get_args(Statement)
