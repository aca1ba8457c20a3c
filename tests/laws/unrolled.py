"""A program with every loop written out and every name replaced by what it stands for, and what is wrong with it.

The result is a tree of tuples, quick to run many times:

    (LEAF, least seconds, greatest seconds, resource or None)
    (HOLD, resource, body)
    (SEQUENCE, parts), (AT_ONCE, parts)
    (CHOICE, probability of the first, first, second)
    (ORDERED, parts, of each part the numbers of those that it comes after)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any, NamedTuple

from tests.laws.formulas import Exact, FaultError, Formula, Scope, Variable, tidy
from tests.laws.machine_pool import PROCESSORS, Computers
from tests.laws.program import (
    Choice,
    DrawnProgram,
    Execution,
    GraphNode,
    HeldResource,
    Invocation,
    Network,
    Occupancy,
    Rounds,
    Several,
    Term,
    Transmission,
    Waiting,
)

LEAF, HOLD, SEQUENCE, AT_ONCE, CHOICE, ORDERED = range(6)
EMPTY: tuple[Any, ...] = (SEQUENCE, ())
MOST_LEAVES = 400
PROCESSOR = "a processor"

Tree = tuple[Any, ...]


class Key(NamedTuple):
    """A resource by name and numbers of its subscripts; those of machines have names that no model can use."""

    name: str
    subscripts: tuple[int, ...] = ()


class TooLongError(Exception):
    """More leaves than a quick test can run."""


@dataclass
class Unrolled:
    """`tree` as above; `servers` of every resource in it; `faults` that runs meet, `unreached` ones that none does."""

    tree: Tree
    servers: dict[Key, int]
    faults: set[str]
    unreached: set[str]
    branches: bool


def unroll(program: DrawnProgram, values: Scope, computers: Computers) -> Unrolled:
    """The program for one value of each parameter. KeyError where a name means nothing."""
    scope = {"P": PROCESSORS, **program.processors, **values}
    unrolling = _Unrolling(program, {n: v for n, v in scope.items() if n in program.variables}, computers)
    tree = unrolling.term(program.body, unrolling.globals)
    for name, declared in program.resources.items():
        if not declared.subscripts and name in program.names:
            with unrolling.never_run():
                unrolling.caught(lambda n=name: unrolling.count_servers(n, ()))
    return Unrolled(tree, unrolling.servers, unrolling.faults, unrolling.unreached, unrolling.branches)


@dataclass
class _Unrolling:
    program: DrawnProgram
    globals: Scope
    computers: Computers
    servers: dict[Key, int] = field(default_factory=dict)
    faults: set[str] = field(default_factory=set)
    unreached: set[str] = field(default_factory=set)
    branches: bool = False
    leaves: int = 0

    @contextmanager
    def never_run(self) -> Iterator[None]:
        """Faults met in this context are those of a part that no run reaches."""
        outside = self.faults
        self.faults = self.unreached
        try:
            yield
        finally:
            self.faults = outside

    def caught(self, act: Any) -> Any:
        """What `act` returns; nothing where it meets a fault, which is noted."""
        try:
            return act()
        except FaultError as fault:
            self.faults.add(fault.args[0])
            return None

    def term(self, term: Term, scope: Scope) -> Tree:
        """The tree of a term; a part with a fault is left out."""
        return self.caught(lambda: self._term(term, scope)) or EMPTY

    def _term(self, term: Term, scope: Scope) -> Tree:
        match term:
            case Execution(name, processor):
                p = self.processor(processor, scope)
                return self.leaf(*self.computers.times[p][name], Key(PROCESSOR, (p,)))
            case Waiting(seconds):
                time = self.amount(seconds, scope)
                return self.leaf(time, time, None)
            case Transmission():
                return self.message(term, scope)
            case Occupancy(resource, body):
                key = self.caught(lambda: self.resource(resource, scope))
                inner = self.term(body, scope)
                return EMPTY if key is None else (HOLD, key, inner)
            case Several(at_once, parts):
                return (AT_ONCE if at_once else SEQUENCE, tuple(self.term(part, scope) for part in parts))
            case Rounds():
                return self.rounds(term, scope)
            case Network(parts):
                return self.network(parts, scope)
            case Choice():
                return self.choice(term, scope)
            case Invocation(name, subscripts, arguments):
                equation = self.program.equations[name]
                numbers = [e.at(scope) for e in (*subscripts, *arguments)]
                names = (*equation.subscripts, *equation.formals)
                return self.term(equation.body, {**self.globals, **dict(zip(names, numbers, strict=True))})

    def leaf(self, least: Exact, greatest: Exact, key: Key | None) -> Tree:
        self.leaves += 1
        if self.leaves > MOST_LEAVES:
            raise TooLongError
        if key is not None:
            self.counted(key)
        return (LEAF, tidy(least), tidy(greatest), key)

    def message(self, message: Transmission, scope: Scope) -> Tree:
        size = self.amount(message.size, scope)
        p, q = (self.caught(lambda e=e: self.processor(e, scope)) for e in (message.sender, message.receiver))
        if p == q or None in (p, q):
            return EMPTY
        ends = self.computers.message_seconds(size)
        match self.computers.topology:
            case "bus":
                return self.leaf(*ends, Key("the bus"))
            case "switch":
                return (HOLD, self.counted(Key("port out of", (p,))), self.leaf(*ends, Key("port into", (q,))))
            case _:
                return self.leaf(*ends, None)

    def rounds(self, loop: Rounds, scope: Scope) -> Tree:
        low, high = ceil(loop.low.at(scope)), floor(loop.high.at(scope))
        if high - low > MOST_LEAVES:
            raise TooLongError
        parts = tuple(self.term(loop.body, {**scope, loop.index: i}) for i in range(low, high + 1))
        if not parts:
            with self.never_run():
                for i in (low, high):
                    self.term(loop.body, {**scope, loop.index: i})
        return (AT_ONCE if loop.at_once else SEQUENCE, parts)

    def network(self, parts: tuple[GraphNode, ...], scope: Scope) -> Tree:
        """The members of all parts; behind those of each part one that stands for all of them."""
        trees, places, waits = list[Tree](), dict[tuple[object, ...], int](), list[tuple[GraphNode, Scope | None]]()
        for part in parts:
            for member in self.members(part, scope):
                places[part.name, *(member[r.index] for r in part.ranges)] = len(trees)
                trees.append(self.term(part.body, member))
                waits.append((part, member))
            places[part.name, "all"] = len(trees)
            trees.append(EMPTY)
            waits.append((part, None))

        after = []
        for part, inner in waits:
            before = {places[w.name, "all"] for w in part.after if not w.subscripts}
            if inner is None:
                before |= {k for (name, *rest), k in places.items() if name == part.name and rest != ["all"]}
            else:
                named = ((w.name, *(s.at(inner) for s in w.subscripts)) for w in part.after if w.subscripts)
                before |= {places[n] for n in named if n in places}
            after.append(tuple(sorted(before)))
        return (ORDERED, tuple(trees), tuple(after))

    def members(self, part: GraphNode, scope: Scope) -> list[Scope]:
        scopes = [scope]
        for one in part.ranges:
            longer: list[Scope] = []
            for inner in scopes:
                low, high = ceil(one.low.at(inner)), floor(one.high.at(inner))
                if high - low > MOST_LEAVES or len(longer) > MOST_LEAVES:
                    raise TooLongError
                longer += [{**inner, one.index: i} for i in range(low, high + 1)]
            scopes = longer
        if not scopes:
            with self.never_run():
                self.term(part.body, {**scope, **{r.index: 1 for r in part.ranges}})
        return scopes

    def choice(self, choice: Choice, scope: Scope) -> Tree:
        probability = choice.probability.at(scope)
        if not 0 <= probability <= 1:
            raise FaultError("probability")
        if probability in (0, 1):
            taken, other = (choice.then, choice.otherwise) if probability else (choice.otherwise, choice.then)
            with self.never_run():
                self.term(other, scope)
            return self.term(taken, scope)
        self.branches = True
        return (CHOICE, probability, self.term(choice.then, scope), self.term(choice.otherwise, scope))

    def resource(self, resource: HeldResource, scope: Scope) -> Key:
        if resource.name is None or (resource.name in scope and not resource.subscripts):
            p = self.processor(Variable(resource.name) if resource.name else resource.subscripts[0], scope)
            return self.counted(Key(PROCESSOR, (p,)))
        return self.counted(Key(resource.name, tuple(self.whole(s, scope) for s in resource.subscripts)))

    def counted(self, key: Key) -> Key:
        """The same, with its servers counted."""
        if key not in self.servers:
            is_processor = key.name == PROCESSOR
            self.servers[key] = self.computers.cores[key.subscripts[0]] if is_processor else self.count_servers(*key)
        return key

    def count_servers(self, name: str, subscripts: tuple[int, ...]) -> int:
        declared = self.program.resources.get(name)
        if declared is None:
            return 1
        if len(declared.subscripts) != len(subscripts):
            raise FaultError("arity")
        scope = {**self.globals, **dict(zip(declared.subscripts, subscripts, strict=True))}
        try:
            count = declared.count.at(scope)
        except FaultError:
            raise FaultError("servers") from None
        if not isinstance(count, int) or count < 1:
            raise FaultError("servers")
        return count

    def whole(self, subscript: Formula, scope: Scope) -> int:
        value = subscript.at(scope)
        if not isinstance(value, int):
            raise FaultError("whole")
        return value

    def processor(self, subscript: Formula, scope: Scope) -> int:
        value = self.whole(subscript, scope)
        if not 0 <= value <= PROCESSORS:
            raise FaultError("processor")
        return value

    def amount(self, formula: Formula, scope: Scope) -> Exact:
        value = formula.at(scope)
        if value < 0:
            raise FaultError("negative")
        return value
