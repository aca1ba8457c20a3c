"""The application model: process terms and expressions on one page.

Terms are immutable and carry their place in the source as the last field. They are named tuples, because a model of
100,000 statements makes a million of them. Compare them by identity or by walking: nested tuples compare and hash
recursively in C, which a deep model would overflow.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from apet.ground.records import NamedTuple
from apet.ground.source import Source, Span

# Expressions


class Number(NamedTuple):
    """An exact literal, units applied: seconds for times, bytes for sizes."""

    value: int | Fraction
    unit: str  # "" | "s" | "B" | "B/s" | "FLOP" | "FLOP/s"
    span: Span


class Name(NamedTuple):
    """A parameter, an index, an equation's formal, or a free name (a named processor or resource)."""

    name: str
    span: Span


class Unary(NamedTuple):
    """`-x` or `+x`."""

    operator: str
    operand: Expression
    span: Span


class Binary(NamedTuple):
    """`+ - * / % ^` and the comparisons `== != < <= > >=` (1 if true, else 0)."""

    operator: str
    left: Expression
    right: Expression
    span: Span


class Invoke(NamedTuple):
    """`NAME[subscripts](arguments)`; as an expression a function or a built-in like `share[p]`, as a process a step.

    `subscripts` or `arguments` is None where the brackets are absent.
    """

    name: str
    subscripts: tuple[Expression, ...] | None
    arguments: tuple[Expression, ...] | None
    span: Span


class SumOver(NamedTuple):
    """`sum(i = a, b, e)`: the sum of e over the integers i from a to b; 0 if there is none."""

    index: str  # type: ignore[assignment]  # hides tuple.index, which no term needs
    low: Expression
    high: Expression
    body: Expression
    span: Span


class Lookup(NamedTuple):
    """`NAME[index]` of a table: the entry of that number, from 1, or an error."""

    table: EntryTable
    index: Expression  # type: ignore[assignment]  # hides tuple.index, which no term needs
    span: Span


Expression = Number | Name | Unary | Binary | Invoke | SumOver | Lookup

# Processes. Those that are made of others are made of processes as they are written, or of resolved ones: `resolved`.

P = TypeVar("P")


class Delay(NamedTuple):
    """Takes `time` seconds, holds nothing."""

    time: Expression
    span: Span


class Use(NamedTuple):
    """Holds one server of a resource for the whole of `body`.

    `resource` is a Name, or an Invoke with subscripts, or any expression: the number of a processor.
    `use(r, t)` is `use(r, delay(t))`.
    """

    resource: Expression
    body: Process
    span: Span


class Sequence(NamedTuple, Generic[P]):
    """One after the other; nothing if empty."""

    steps: tuple[P, ...]
    span: Span


class Parallel(NamedTuple, Generic[P]):
    """All at once, joined at the end."""

    branches: tuple[P, ...]
    span: Span


class Loop(NamedTuple, Generic[P]):
    """`seq` or `par` over the integers `index` from `low` to `high`; nothing if there is none."""

    kind: str  # "seq" | "par"
    index: str  # type: ignore[assignment]  # hides tuple.index, which no term needs
    low: Expression
    high: Expression
    body: P
    span: Span


class Branch(NamedTuple, Generic[P]):
    """`if`: `probability` is that of `then`; None leaves it free. `otherwise` is empty where there is no `else`."""

    probability: Expression | None
    then: P
    otherwise: P
    span: Span


class GraphPart(NamedTuple, Generic[P]):
    """`NAME: body after a, b` in a graph.

    `after` names the parts that must have ended before the body begins, each an `Invoke` without arguments. A part with
    ranges, `NAME[i = a, b, j = c, d]: …`, has as its body one `par` loop for each of them, the first outermost:
    `dimensions` loops, whose indices are in force in the subscripts of `after` as well. A member that lies in none of
    the ranges of the part that is named holds nobody up.
    """

    name: str
    body: P
    dimensions: int
    after: tuple[Invoke, ...]
    span: Span  # of the name


class PartGraph(NamedTuple, Generic[P]):
    """`graph { … }`: each part begins when those that it comes after have ended, the graph ends with its last part."""

    parts: tuple[GraphPart[P], ...]
    span: Span  # of the word `graph`


Composed: TypeAlias = "Sequence[P] | Parallel[P] | Loop[P] | Branch[P] | PartGraph[P]"
Process: TypeAlias = "Invoke | Delay | Use | Composed[Process]"
"""A process as it is written: what an `Invoke` and the resource of a `Use` mean, `resolve` says."""

# Declarations


class Parameter(NamedTuple):
    """`param NAME [= value] [in [low, high]]`."""

    name: str
    value: Expression | None
    low: Expression | None
    high: Expression | None
    span: Span  # of the name


class EntryTable(NamedTuple):
    """`param NAME = [entry, …]`: literals, all with one unit or without one."""

    name: str
    entries: tuple[int | Fraction, ...]
    unit: str  # "" | "s" | "B" | "B/s" | "FLOP" | "FLOP/s"
    span: Span  # of the name


class UserFunction(NamedTuple):
    """`def NAME(formals) = body`: an expression that is put in where the function is called."""

    name: str
    formals: tuple[str, ...]
    body: Expression
    span: Span  # of the name


class ResourceDeclaration(NamedTuple):
    """`resource NAME[subscripts] [servers e]`; `servers` is None for one server."""

    name: str
    subscripts: tuple[str, ...]
    servers: Expression | None
    span: Span  # of the name


class Equation(NamedTuple, Generic[P]):
    """`NAME[subscripts](formals) = body`; the formals are plain names."""

    name: str
    subscripts: tuple[str, ...]
    formals: tuple[str, ...]
    body: P
    span: Span  # of the name


class Model(NamedTuple):
    """A whole application model. Dictionaries are in source order; `entry` names the equation to begin with.

    Functions are put in where they are called, and so are loops with steps: no process or expression has one.
    """

    source: Source
    parameters: dict[str, Parameter]
    resources: dict[str, ResourceDeclaration]
    equations: dict[str, Equation[Process]]
    entry: str
    tables: Mapping[str, EntryTable] = MappingProxyType({})
    functions: Mapping[str, UserFunction] = MappingProxyType({})


FUNCTIONS: dict[str, tuple[int, int | None]] = {
    "min": (1, None),
    "max": (1, None),
    "ceil": (1, 1),
    "floor": (1, 1),
    "abs": (1, 1),
    "log": (1, 1),
    "log2": (1, 1),
    "sqrt": (1, 1),
}
"""Function name to its least and greatest number of arguments (None: any)."""

BUILTINS: dict[str, int] = {"share": 1}
"""Values that the machine model supplies, with their number of subscripts: `share[p]` tasks of processor p."""

BUILTIN_ARGUMENTS: dict[str, int] = {"share": 1}
"""How many arguments a built-in may have: `share[p](m)` deals m tasks, `share[p]` those of the parameter `tasks`."""
