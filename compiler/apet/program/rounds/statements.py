"""The statements that rounds depend on, as a reader of any language writes them.

A value that is not known (a read of memory, a call, a comparison of others than whole numbers) is `Unknown`; whatever
else an expression does must be written as `Assign`. Numbers are whole and have no largest one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operator = Literal["+", "-", "*", "/", "%", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||"]


@dataclass(frozen=True, slots=True)
class Whole:
    value: int


@dataclass(frozen=True, slots=True)
class Name:
    name: str


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any whole number; `parts` are evaluated for what they assign."""

    parts: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic, or a comparison or connective that is 1 or 0; `/` and `%` go towards 0 as in C and Java,
    `>>` goes down."""

    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expression


@dataclass(frozen=True, slots=True)
class Choice:
    condition: Expression
    first: Expression
    second: Expression


@dataclass(frozen=True, slots=True)
class Assign:
    """`name = value`; its value is the new one, or as a postfix step the old one."""

    name: str
    value: Expression
    is_postfix: bool = False


Expression = Whole | Name | Unknown | Binary | Not | Choice | Assign


@dataclass(frozen=True, slots=True)
class Do:
    expression: Expression


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    first: Statement
    second: Statement


@dataclass(frozen=True, slots=True)
class Block:
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """While the condition holds; `updates` run after each body and `continue`; `label` tells loops apart."""

    condition: Expression
    body: Statement
    updates: tuple[Expression, ...] = ()
    is_do: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Jump:
    kind: Literal["break", "continue", "return"]
    label: str = ""


Statement = Do | If | Block | Loop | Jump


def names_in(node: object) -> set[str]:
    """The variables that statements read or assign."""
    if isinstance(node, tuple):
        return {n for one in node for n in names_in(one)}
    own = {node.name} if isinstance(node, Name | Assign) else set()
    return own | {n for key in getattr(node, "__slots__", ()) for n in names_in(getattr(node, key))}


def deciding(statement: Statement) -> set[str]:
    """The variables that conditions depend on, by what they are assigned."""
    tested, sources, waiting = set[str](), dict[str, set[str]](), list[object]([statement])
    while waiting:
        match node := waiting.pop():
            case If(condition) | Loop(condition) | Choice(condition) | Binary("&&" | "||", condition):
                tested |= names_in(condition)
            case Assign(name, value):
                sources.setdefault(name, set()).update(names_in(value))
        waiting += node if isinstance(node, tuple) else [getattr(node, key) for key in getattr(node, "__slots__", ())]

    while more := {n for name in tested for n in sources.get(name, ())} - tested:
        tested |= more
    return tested
