"""Declarations of a model as they are read, before names are resolved."""

from __future__ import annotations

from apet.ground.records import NamedTuple
from apet.ground.source import Span
from apet.model.terms import Expression, Invoke, Process


class ParameterItem(NamedTuple):
    """`param` as read."""

    name: str
    value: Expression | None
    bounds: tuple[Expression, Expression] | None
    span: Span


class TableItem(NamedTuple):
    """`param` with a table, as read."""

    name: str
    entries: list[Expression]
    span: Span


class FunctionItem(NamedTuple):
    """`def` as read."""

    name: str
    formals: list[str]
    body: Expression
    span: Span


class IncludeItem(NamedTuple):
    """`include` as read."""

    path: str
    span: Span


class ResourceItem(NamedTuple):
    """`resource` as read."""

    name: str
    formals: list[str]
    servers: Expression | None
    span: Span


class EquationItem(NamedTuple):
    """`call = branches` as read."""

    left: Invoke
    branches: list[Process]
    span: Span


class MemberRange(NamedTuple):
    """`i = low, high` behind the name of a part."""

    index: str  # type: ignore[assignment]  # hides tuple.index, which no range needs
    low: Expression
    high: Expression
    span: Span


class PartName(NamedTuple):
    """The name of a part of a graph, as read."""

    name: str
    ranges: list[MemberRange]
    span: Span


class ContinuationItem(NamedTuple):
    """Another stretch of the equation before it."""

    branches: list[Process]
    span: Span
