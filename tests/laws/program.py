"""Programs as the oracle sees them: a tree of their own, which prints itself as PAMELA-E.

Nothing here knows the product.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from tests.laws.formulas import Apply, Exact, Formula, Numeral, Variable, tidy


@dataclass(frozen=True, slots=True)
class HeldResource:
    """What `use` holds: a processor where there is no name."""

    name: str | None
    subscripts: tuple[Formula, ...]

    def __str__(self) -> str:
        subscripts = ", ".join(map(str, self.subscripts))
        return subscripts if self.name is None else f"{self.name}[{subscripts}]" if subscripts else self.name


@dataclass(frozen=True, slots=True)
class Execution:
    name: str
    processor: Formula

    def __str__(self) -> str:
        return f"{self.name}[{self.processor}]"


@dataclass(frozen=True, slots=True)
class Waiting:
    seconds: Formula

    def __str__(self) -> str:
        return f"delay({self.seconds})"


@dataclass(frozen=True, slots=True)
class Transmission:
    sender: Formula
    receiver: Formula
    size: Formula

    def __str__(self) -> str:
        return f"send[{self.sender}, {self.receiver}]({self.size})"


@dataclass(frozen=True, slots=True)
class Occupancy:
    resource: HeldResource
    body: Term

    def __str__(self) -> str:
        if isinstance(self.body, Waiting) and isinstance(self.body.seconds, Numeral | Apply):
            return f"use({self.resource}, {self.body.seconds})"
        return f"use({self.resource}, {self.body})"


@dataclass(frozen=True, slots=True)
class Several:
    """`a; b` or `a || b`."""

    at_once: bool
    parts: tuple[Term, ...]

    def __str__(self) -> str:
        return f"{{ {(' || ' if self.at_once else '; ').join(map(str, self.parts))} }}"


@dataclass(frozen=True, slots=True)
class Rounds:
    """`seq` or `par` over an index."""

    at_once: bool
    index: str
    low: Formula
    high: Formula
    body: Term

    def __str__(self) -> str:
        return f"{'par' if self.at_once else 'seq'} ({self.index} = {self.low}, {self.high}) {self.body}"


@dataclass(frozen=True, slots=True)
class Waited:
    """A part of a graph that another one comes after, or one member of it."""

    name: str
    subscripts: tuple[Formula, ...]

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(str, self.subscripts))}]" if self.subscripts else self.name


@dataclass(frozen=True, slots=True)
class MemberRange:
    index: str
    low: Formula
    high: Formula

    def __str__(self) -> str:
        return f"{self.index} = {self.low}, {self.high}"


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A part of a graph, with a member for all values of its indices."""

    name: str
    ranges: tuple[MemberRange, ...]
    body: Term
    after: tuple[Waited, ...]

    def __str__(self) -> str:
        ranges = f"[{', '.join(map(str, self.ranges))}]" if self.ranges else ""
        after = f" after {', '.join(map(str, self.after))}" if self.after else ""
        return f"{self.name}{ranges}: {self.body}{after}"


@dataclass(frozen=True, slots=True)
class Network:
    """A task graph."""

    parts: tuple[GraphNode, ...]

    def __str__(self) -> str:
        return f"graph {{ {'; '.join(map(str, self.parts))} }}"


@dataclass(frozen=True, slots=True)
class Choice:
    probability: Formula
    then: Term
    otherwise: Term

    def __str__(self) -> str:
        return f"if ({self.probability}) {{ {self.then} }} else {{ {self.otherwise} }}"


@dataclass(frozen=True, slots=True)
class Invocation:
    """An equation's process with values for its subscripts and formals."""

    name: str
    subscripts: tuple[Formula, ...]
    arguments: tuple[Formula, ...]

    def __str__(self) -> str:
        subscripts = f"[{', '.join(map(str, self.subscripts))}]" if self.subscripts else ""
        return f"{self.name}{subscripts}" + (f"({', '.join(map(str, self.arguments))})" if self.arguments else "")


Term = Execution | Waiting | Transmission | Occupancy | Several | Rounds | Network | Choice | Invocation


# Whole programs


@dataclass(frozen=True, slots=True)
class Defined:
    """An equation, subscripts and formals being variables in its body."""

    subscripts: tuple[str, ...]
    formals: tuple[str, ...]
    body: Term


@dataclass(frozen=True, slots=True)
class ServerCount:
    """The declared number of servers of a resource, in terms of its subscripts."""

    subscripts: tuple[str, ...]
    count: Formula


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """What a parameter is set to: one value, or all from low to high. `whole`: only whole ones."""

    low: Exact
    high: Exact
    whole: bool = True
    declared: str = ""

    def points(self) -> list[Exact]:
        """Some values between the ends; all of them where they are whole."""
        if self.low == self.high:
            return [self.low]
        if self.whole:
            return list(range(int(self.low), int(self.high) + 1))
        return [self.low, self.high, tidy(Fraction(self.low + self.high) / 2)]


@dataclass(frozen=True)
class DrawnProgram:
    """A model with the values of its parameters, and the number of the machine model that it runs on."""

    body: Term
    equations: Mapping[str, Defined] = field(default_factory=dict)
    resources: Mapping[str, ServerCount] = field(default_factory=dict)
    parameters: Mapping[str, ParameterValue] = field(default_factory=dict)
    processors: Mapping[str, int] = field(default_factory=dict)
    machine: int = 0
    branches: str = "probability"

    def __str__(self) -> str:
        """The model's text, with what it does not use left out."""
        variables, names = self.variables, self.names
        lines = [f"param {n}{v.declared};" for n, v in self.parameters.items() if n in variables]
        lines += ["param P;"] if "P" in variables else []
        lines += [_declaration(n, d) for n, d in self.resources.items() if n in names]
        lines += [f"L = {self.body};"]
        lines += [_equation(n, d) for n, d in self.equations.items() if n in names]
        return "\n".join(lines) + "\n"

    @cached_property
    def reached(self) -> tuple[object, ...]:
        """The nodes of the entry, the equations that it calls, and the server counts of resources that these use."""
        reached = list(nodes(self.body))
        for of in (self.equations, self.resources):
            called = _names(reached)
            reached += [n for name, part in of.items() if name in called for n in nodes(part)]
        return tuple(reached)

    @cached_property
    def variables(self) -> set[str]:
        """The names of parameters, indices, formals and processors that are used."""
        return {n.name for n in self.reached if isinstance(n, Variable)}

    @cached_property
    def names(self) -> set[str]:
        """The names of equations and resources that are used."""
        return _names(self.reached)

    @cached_property
    def has_single_members(self) -> bool:
        """Whether members of a graph's part wait for single members."""
        return any(isinstance(n, Waited) and n.subscripts for n in self.reached)

    def is_closed(self) -> bool:
        """Whether every variable is a parameter, bound somewhere, or a free name that is always a whole subscript."""
        reached = self.reached
        bound = {n.index for n in reached if isinstance(n, Rounds | MemberRange)}
        bound |= {name for n in reached if isinstance(n, Defined | ServerCount) for name in n.subscripts}
        bound |= {name for n in reached if isinstance(n, Defined) for name in n.formals}
        whole = (s for n in reached for s in _subscripts(n) if isinstance(s, Variable))
        inside = {o.name for n in reached if isinstance(n, Apply) for o in n.operands if isinstance(o, Variable)}
        processors = self.processors.keys() & {s.name for s in whole} - inside
        return self.variables <= bound | {"P"} | self.parameters.keys() | processors

    def settings(self) -> dict[str, Exact | tuple[Exact, Exact]]:
        """The values to be set, of what the text uses; two ends for a range."""
        used = {n: v for n, v in self.parameters.items() if n in self.variables}
        ranges = {n: v.low if v.low == v.high else (v.low, v.high) for n, v in used.items()}
        return {**ranges, **{n: p for n, p in self.processors.items() if n in self.variables}}


def nodes(node: object) -> Iterator[object]:
    """A tree's nodes: everything made by the classes above, with the names that they hold."""
    yield node
    for name in getattr(node, "__slots__", ()):
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            yield from nodes(part)


def _subscripts(node: object) -> tuple[Formula, ...]:
    """What stands between the brackets of a process or a named resource."""
    match node:
        case Execution(_, processor):
            return (processor,)
        case Transmission(sender, receiver, _):
            return (sender, receiver)
        case Invocation(_, subscripts, _):
            return subscripts
        case HeldResource(name, subscripts) if name is not None:
            return subscripts
    return ()


def _names(reached: Iterable[object]) -> set[str]:
    return {n.name for n in reached if isinstance(n, Invocation | HeldResource) and n.name is not None}


def _declaration(name: str, declared: ServerCount) -> str:
    subscripts = f"[{', '.join(declared.subscripts)}]" if declared.subscripts else ""
    return f"resource {name}{subscripts} servers {declared.count};"


def _equation(name: str, equation: Defined) -> str:
    call = Invocation(name, tuple(map(Variable, equation.subscripts)), tuple(map(Variable, equation.formals)))
    return f"{call} = {equation.body};"
