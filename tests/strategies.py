"""Hypothesis strategies: random PAMELA-E models as texts, with the machines to run them on.

Every model is valid and cannot deadlock: what a process asks for while it holds something comes later in the order
disk, port, processor, network. Durations are quarters of a second, so that sums are exact and ties are common.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st
from tests.machine_table import Ends, Table

OPERATIONS = ("sum_double", "mpy_double", "compare")
DISK, PORT, CPU, NETWORK, NOTHING = range(5)
MOST_UNROLLED = 150
DEEPEST = 4

Draw = Callable[[st.SearchStrategy[Any]], Any]


@dataclass(frozen=True)
class Case:
    """A model's text, its machines, and the network it runs on."""

    text: str
    table: Table
    topology: str

    def __str__(self) -> str:
        return f"{self.text}// {self.topology}, {self.table}"


@dataclass(frozen=True)
class Features:
    """What the models may contain."""

    branches: bool = False
    nested: bool = True
    sends: bool = True
    equations: bool = True
    subscripts: bool = True
    """Subscripts that depend on loop indices; without, processors are constant numbers."""


@dataclass(frozen=True)
class Scope:
    """Where a process is written: names with their least and greatest value, and what may still be asked for."""

    names: tuple[tuple[str, int, int], ...] = ()
    first_rank: int = DISK
    held_cpu: str = ""
    depth: int = 0
    unrolled: int = 1

    def within(self, low: int, high: int) -> list[str]:
        """The names whose values surely lie in [low, high]; an inner name hides an outer one."""
        visible = {name: (lo, hi) for name, lo, hi in self.names}
        return [name for name, (lo, hi) in visible.items() if lo >= low and hi <= high]


@dataclass(frozen=True)
class Written:
    """An equation that may be called: `processors` subscripts in 1..P, `formals` in 0..4."""

    name: str
    processors: int
    formals: int
    first_rank: int
    unrolled: int


@dataclass
class Writer:
    """Writes one model."""

    draw: Draw
    features: Features
    P: int
    n: int
    equations: list[Written] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    fresh: int = 0
    most: int = 1

    def pick(self, options: list[str]) -> str:
        return str(self.draw(st.sampled_from(options)))

    def whole(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def model(self) -> str:
        for k in range(self.whole(0, 3) if self.features.equations else 0):
            self.equation(f"E{k}")
        body = self.block(Scope())
        servers = [self.whole(1, 3), self.whole(1, 2)]
        head = [f"param P; param n = {self.n}; param q = 0.25; param tasks = {self.whole(0, 7)};"]
        head += [f"resource disk servers {servers[0]};", f"resource port[k] servers {self.pick(['1', '1 + k % 2'])};"]
        return "\n".join([*head, f"L = {body};", *self.lines]) + "\n"

    def equation(self, name: str) -> None:
        processors, formals, rank = self.whole(0, 2), self.whole(0, 1), self.whole(DISK, NETWORK)
        subscripts, arguments = ["a", "b"][:processors], ["x"][:formals]
        names = (*((s, 1, self.P) for s in subscripts), *((a, 0, 4) for a in arguments))
        self.most = 1
        body = self.block(Scope(names, rank, depth=1))
        left = name + (f"[{', '.join(subscripts)}]" if subscripts else "")
        left += f"({', '.join(arguments)})" if arguments else ""
        self.lines.append(f"{left} = {body};")
        self.equations.append(Written(name, processors, formals, rank, self.most))

    def block(self, scope: Scope) -> str:
        steps = [self.step(scope) for _ in range(self.whole(1, 3 if scope.depth < 3 else 1))]
        separator = self.pick([" ; ", " || "])
        return "{ " + separator.join(steps) + " }"

    def step(self, scope: Scope) -> str:
        self.most = max(self.most, scope.unrolled)
        kinds: list[Callable[[Scope], str]] = [self.delay]
        if scope.first_rank <= CPU or scope.held_cpu:
            kinds += [self.operation, self.operation]
        if scope.first_rank <= CPU:
            kinds += [self.use, self.use]
        if self.features.sends and scope.first_rank <= NETWORK:
            kinds.append(self.send)
        if self.callable(scope):
            kinds += [self.call, self.call]
        if scope.depth < DEEPEST:
            kinds += [self.loop, self.loop, self.deeper]
            kinds += [self.branch] if self.features.branches else []
        chosen: Callable[[Scope], str] = self.draw(st.sampled_from(kinds))
        return chosen(scope)

    def deeper(self, scope: Scope) -> str:
        return self.block(replace(scope, depth=scope.depth + 1))

    def delay(self, scope: Scope) -> str:
        return f"delay({self.duration(scope)})"

    def duration(self, scope: Scope) -> str:
        options = ["0", "0.25", "1", "1500 ms", "2 + n / 4"]
        for name in scope.within(0, 50):
            options += [name, f"{name} / 4", f"{name} * {name} % 3", f"min({name}, 2)"]
        options += [f"n - {name}" for name in scope.within(-50, self.n)]
        return self.pick(options)

    def operation(self, scope: Scope) -> str:
        p = scope.held_cpu or self.processor(scope)
        return f"{self.pick(list(OPERATIONS))}[{p}]"

    def processor(self, scope: Scope) -> str:
        """An expression in 1..P."""
        options = [str(self.whole(1, self.P)), "P"]
        if self.features.subscripts:
            options += 2 * scope.within(1, self.P)
            options += [f"{name} + 1" for name in scope.within(0, self.P - 1)]
            options += [f"P + 1 - {name}" for name in scope.within(1, self.P)]
            for name in scope.within(-50, 50):
                options += [f"1 + ({name} - 1) % P", f"1 + ({name} + {self.whole(0, 3)}) % P"]
            for k in (2, 3):
                options += [f"1 + floor(({name} - 1) / {k})" for name in scope.within(1, k * self.P)]
        return self.pick(options)

    def member(self, scope: Scope) -> str:
        """An expression of any whole value."""
        options = [str(self.whole(0, 3)), "n"]
        if self.features.subscripts:
            for name in scope.within(-50, 50):
                options += [name, f"{name} - 2", f"3 - {name}", f"{name} % 2", f"floor({name} / 2)"]
        return self.pick(options)

    def use(self, scope: Scope) -> str:
        rank = self.whole(scope.first_rank, CPU)
        names: list[Callable[[], str]] = [
            lambda: "disk",
            lambda: f"port[{self.member(scope)}]",
            lambda: self.processor(scope),
        ]
        resource = names[rank]()
        if not self.features.nested or scope.depth >= DEEPEST or self.whole(0, 1):
            return f"use({resource}, {self.duration(scope)})"
        held = resource if rank == CPU else ""
        inner = replace(scope, first_rank=rank + 1, held_cpu=held, depth=scope.depth + 1)
        # Loops inside would hide the names of the held processor's subscript.
        inner = replace(inner, depth=DEEPEST) if held else inner
        body = self.block(inner)
        return f"use({resource}, {body})"

    def send(self, scope: Scope) -> str:
        ends = [self.pick(["0", self.processor(scope)]) for _ in range(2)]
        return f"send[{ends[0]}, {ends[1]}]({self.pick(['8 B', '16', '4 * n'])})"

    def callable(self, scope: Scope) -> list[Written]:
        room = MOST_UNROLLED // scope.unrolled
        return [e for e in self.equations if e.first_rank >= scope.first_rank and e.unrolled <= room]

    def call(self, scope: Scope) -> str:
        equation: Written = self.draw(st.sampled_from(self.callable(scope)))
        self.most = max(self.most, scope.unrolled * equation.unrolled)
        text = equation.name
        if equation.processors:
            text += f"[{', '.join(self.processor(scope) for _ in range(equation.processors))}]"
        if equation.formals:
            text += f"({self.pick([str(self.whole(0, 4)), *scope.within(0, 4)])})"
        return text

    def loop(self, scope: Scope) -> str:
        # Names come back on purpose: an inner loop may hide an outer index.
        self.fresh += 1
        index = self.pick([f"i{self.fresh}", f"i{self.fresh}", "i"])
        low, high, lo, hi = self.bounds(scope)
        count = max(1, hi - lo + 1)
        kind = self.pick(["seq", "par"])
        names = (*scope.names, (index, lo, hi))
        inner = replace(scope, names=names, depth=scope.depth + 1, unrolled=scope.unrolled * count)
        body = self.delay(inner) if inner.unrolled > MOST_UNROLLED else self.block(inner)
        return f"{kind} ({index} = {low}, {high}) {body}"

    def bounds(self, scope: Scope) -> tuple[str, str, int, int]:
        """Two texts, and the least and greatest value the index can have."""
        low = self.whole(0, 2)
        high = self.whole(0, 5)
        options = [(str(low), str(high), low, high), ("1", "n", 1, self.n), ("1", "P", 1, self.P)]
        options += [("1", "n / 2", 1, self.n // 2), ("2", "1", 2, 1), ("1", f"{high} + 0.5", 1, high)]
        visible = {name: (lo, hi) for name, lo, hi in scope.names}
        for name in scope.within(-5, 6):
            lo, hi = visible[name]
            options += [("1", name, 1, hi), (name, str(high), lo, high), (name, f"{name} + 2", lo, hi + 2)]
            options += [("1", f"n - {name}", 1, self.n - lo), (f"{name} - 1", f"2 * {name}", lo - 1, 2 * hi)]
        options += [("1", f"share[{name}]", 1, 7) for name in scope.within(1, self.P)]
        chosen: tuple[str, str, int, int] = self.draw(st.sampled_from(options))
        return chosen

    def branch(self, scope: Scope) -> str:
        q = self.pick(["0", "0.5", "1", "q", "1 - q", *(f"{name} / 4" for name in scope.within(0, 4))])
        inner = replace(scope, depth=scope.depth + 1)
        text = f"if ({q}) {self.block(inner)}"
        return f"{text} else {self.block(inner)}" if self.whole(0, 1) else text


@st.composite
def tables(draw: st.DrawFn, processors: int, most_cores: int = 2) -> Table:
    """Machines 0..processors with times in quarters of a second, tmin <= tmax."""

    def ends() -> Ends:
        lo = draw(st.integers(1, 8)) / 4
        return lo, lo + draw(st.integers(0, 8)) / 4

    op_s = {p: {op: ends() for op in OPERATIONS} for p in range(processors + 1)}
    servers = {p: draw(st.integers(1, most_cores)) for p in range(processors + 1)}
    return Table(op_s, ends(), (8.0, 32.0), servers)


@st.composite
def cases(draw: st.DrawFn, features: Features | None = None) -> Case:
    """A model with everything that `features` allow, its machines, and a network topology."""
    P = draw(st.integers(1, 4))
    writer = Writer(draw, features or Features(), P, draw(st.integers(0, 5)))
    text = writer.model()
    return Case(text, draw(tables(P)), draw(st.sampled_from(["none", "bus", "switch"])))
