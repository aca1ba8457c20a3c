"""Statements of Java, as `syntax` has them: frozen terms whose last field is their place, line and column from 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.java.parse.syntax import Class, Expression, Place, Statement, Type


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
