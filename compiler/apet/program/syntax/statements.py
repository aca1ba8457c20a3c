"""Statements of programs as translations see them; a `switch` may also be an expression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, get_args

from apet.program.ir import LineColumn
from apet.program.syntax.expressions import Expression, Switch
from apet.program.types import Type

if TYPE_CHECKING:
    from apet.program.syntax.declarations import Class


class Team(NamedTuple):
    """Threads that share the rounds of a loop: `chunk` rounds in turn, 0 for equal parts; `next_free` where a chunk is
    that of whoever is free. `reduced` are the variables that each has for itself, with their operators."""

    chunk: int
    next_free: bool
    reduced: tuple[tuple[str, str], ...]


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


LoopStatement = For | While | DoWhile | ForEach
Leaving = Return | Jump | Yield | Throw
Compound = CodeBlock | If | Switch | Try | Synchronized | Labelled
Statement = LocalVariables | Do | LoopStatement | Leaving | Compound | LocalClass | EmptyStatement
STATEMENTS: tuple[type, ...] = get_args(Statement)
