"""Java syntax as this front end sees it, on one page: what two parsers agree on.

Terms are frozen and carry their place, line and column from 1, as the last field. Bodies of methods are read when they
are first asked for, so that a large file costs what is reachable from its entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, get_args

from apet.java.parse.declarations import Class as Class
from apet.java.parse.declarations import Field as Field
from apet.java.parse.declarations import Formal as Formal
from apet.java.parse.declarations import Method as Method
from apet.java.parse.declarations import Unit as Unit
from apet.java.parse.statement_terms import Block as Block
from apet.java.parse.statement_terms import Case as Case
from apet.java.parse.statement_terms import Declarator as Declarator
from apet.java.parse.statement_terms import Do as Do
from apet.java.parse.statement_terms import DoWhile as DoWhile
from apet.java.parse.statement_terms import Empty as Empty
from apet.java.parse.statement_terms import For as For
from apet.java.parse.statement_terms import ForEach as ForEach
from apet.java.parse.statement_terms import If as If
from apet.java.parse.statement_terms import Jump as Jump
from apet.java.parse.statement_terms import Labelled as Labelled
from apet.java.parse.statement_terms import Local as Local
from apet.java.parse.statement_terms import LocalClass as LocalClass
from apet.java.parse.statement_terms import Return as Return
from apet.java.parse.statement_terms import Switch as Switch
from apet.java.parse.statement_terms import Synchronized as Synchronized
from apet.java.parse.statement_terms import Throw as Throw
from apet.java.parse.statement_terms import Try as Try
from apet.java.parse.statement_terms import While as While
from apet.java.parse.statement_terms import Yield as Yield


class Unused:
    """Names for what has none; a second one of a name gets a number."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def __call__(self, wanted: str) -> str:
        """A name that has not been given yet."""
        self._given[wanted] = self._given.get(wanted, 0) + 1
        return wanted if self._given[wanted] == 1 else f"{wanted}_{self._given[wanted]}"


class Place(NamedTuple):
    """Line and column, both from 1."""

    line: int
    column: int


class Type(NamedTuple):
    """A type by its simple name (`int`, `String`, `Random`; "" where it is inferred) and its array dimensions."""

    name: str
    dimensions: int = 0


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


Expression = (
    Literal
    | Name
    | Member
    | Index
    | Unary
    | Step
    | Binary
    | Assign
    | Conditional
    | Cast
    | InstanceOf
    | Call
    | New
    | Lambda
    | Reference
    | NewArray
    | ArrayLiteral
    | Opaque
    | Switch
)
Statement = (
    Local
    | Do
    | If
    | While
    | DoWhile
    | For
    | ForEach
    | Block
    | Return
    | Jump
    | Yield
    | Throw
    | Switch
    | Try
    | Synchronized
    | Labelled
    | LocalClass
    | Empty
)
EXPRESSIONS: tuple[type, ...] = get_args(Expression)
STATEMENTS: tuple[type, ...] = get_args(Statement)
