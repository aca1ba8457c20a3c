"""Random programs with what is hard to predict: nested families, members written in several ways, names bound to one
processor, server counts by expression, resources named like built-ins, values at jumps, empty and dependent loops.

Most programs are valid; some name a processor that does not exist, a fractional member or no servers, so that refusals
are tried too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

from tests.laws.drawing_numbers import NumberDrawing
from tests.laws.formulas import Apply, Exact, Formula, Numeral, Variable
from tests.laws.machine_pool import OPERATION_NAMES, POOL
from tests.laws.program import (
    Choice,
    Defined,
    DrawnProgram,
    Execution,
    GraphNode,
    HeldResource,
    Invocation,
    MemberRange,
    Network,
    Occupancy,
    ParameterValue,
    Rounds,
    ServerCount,
    Several,
    Term,
    Transmission,
    Waited,
    Waiting,
)

FAMILIES = ("r", "disk", "s")
LIKE_BUILTINS = ("cpu", "send", "max", "log", "share", "bus", "tx", "t", "T0", "P", "a", "i", "n")
READINGS = ("probability", "probability", "probability", "average", "best", "worst")


SHAPES: tuple[tuple[tuple[int, int], ...], ...] = (
    ((-1, 0), (0, -1)),
    ((-1, 0), (0, -1), (-1, -1)),
    ((-1, -1), (-1, 0), (-1, 1)),
    ((-1, -1), (-1, 1)),
    ((-1, 0), (0, 1)),
    ((0, -1),),
    ((-1, 0),),
    ((-1, -1),),
    ((0, -1), (-1, 0), (-1, 1)),
)
"""Distances to the members that a member with two indices waits for."""


def draw_program(random: Random, graphs: bool = False) -> DrawnProgram:
    """A program with the values of its parameters, a machine of the pool and a reading of branches."""
    return _Writer(random, graphs).program()


def _moved(index: str, step: int) -> Formula:
    """`i - 1`, `i + 1` or `i`."""
    if not step:
        return Variable(index)
    return Apply("subtract" if step < 0 else "add", (Variable(index), Numeral(abs(step))))


class _Writer(NumberDrawing):
    """Draws one program. `arity` is the number of subscripts of each resource that was used."""

    def __init__(self, random: Random, graphs: bool) -> None:
        super().__init__(random)
        self.graphs = graphs
        self.machine = 0 if random.random() < 0.4 else random.randrange(len(POOL))
        self.ranges = random.random() < 0.15
        self.equations: dict[str, Defined] = {}
        self.arity: dict[str, int] = {}
        self.leaves = 0

    def program(self) -> DrawnProgram:
        random = self.random
        if random.random() < 0.25:
            self.equations["step"] = self.equation()
        body = self.term(random.choice((2, 2, 3, 4)))
        resources = {name: self.servers(arity) for name, arity in self.arity.items() if random.random() < 0.5}
        processors = {p: random.randint(1, 2) for p in self.named}
        program = DrawnProgram(
            body, self.equations, resources, self.parameters(), processors, self.machine, random.choice(READINGS)
        )
        if not self.named or (program.is_closed() and random.random() < 0.6):
            return program
        return replace(program, body=Several(True, (body, *(Execution("a", Variable(p)) for p in self.named))))

    # Parameters and declarations

    def parameters(self) -> dict[str, ParameterValue]:
        random, values = self.random, dict[str, ParameterValue]()
        for name in ("n", "m"):
            low = random.randint(0 if self.wrong else 1, 4)
            high = low + random.randint(0, 3) if self.ranges and random.random() < 0.6 else low
            values[name] = ParameterValue(low, high, True, " in [-5, 9]" if random.random() < 0.2 else "")
        low_x: Exact = random.choice((0, 1, 2, Fraction(1, 2), 3))
        wide = self.ranges and random.random() < 0.6
        values["x"] = ParameterValue(low_x, low_x + random.randint(1, 2) if wide else low_x, False)
        chance: Exact = random.choice((Fraction(1, 4), Fraction(1, 2), 0, 1))
        values["chance"] = ParameterValue(chance, 1 if wide else chance, False, " in [0, 1]")
        return values

    def servers(self, arity: int) -> ServerCount:
        subscripts = tuple("kl"[:arity]) if arity < 3 else ("k", "l", "h")
        return ServerCount(subscripts, self.count(subscripts[-1] if subscripts else None))

    def equation(self) -> Defined:
        """`step[j](d)`; its body sees parameters, the subscript and the formal."""
        outside, self.indices = self.indices, ["j"]
        body = self.term(2)
        if self.random.random() < 0.5:
            body = Several(False, (body, Waiting(Variable("d"))))
        self.indices = outside
        return Defined(("j",), ("d",), body)

    # Processes

    def term(self, depth: int) -> Term:
        """A process of at most that depth."""
        if depth <= 0 or self.leaves > 8:
            return self.leaf()
        kinds: list[Callable[[int], Term]] = [self.several, self.rounds, self.rounds, self.hold, self.hold]
        kinds += [self.choice] if self.random.random() < 0.5 else []
        kinds += [self.graph, self.graph] if self.graphs else []
        kinds += [self.call] if "step" in self.equations else []
        return self.random.choice(kinds)(depth)

    def leaf(self) -> Term:
        self.leaves += 1
        draw = self.random.random()
        if draw < 0.45:
            return Execution(self.random.choice(OPERATION_NAMES), self.processor())
        if draw < 0.7:
            return Occupancy(self.resource(), Waiting(self.seconds()))
        if draw < 0.85:
            return Waiting(self.seconds())
        size = self.whole_number(0, 4)
        return Transmission(self.processor(), self.processor(), size)

    def resource(self) -> HeldResource:
        random = self.random
        if random.random() < 0.2:
            return HeldResource(None, (self.processor(),))
        name = random.choice(LIKE_BUILTINS if random.random() < 0.06 else FAMILIES)
        arity = self.arity.setdefault(name, random.choice((0, 1, 1, 2, 2, 3)))
        return HeldResource(name, tuple(self.member() for _ in range(arity)))

    def member(self) -> Formula:
        if self.named and self.random.random() < 0.15:
            return Variable(self.random.choice(self.named))
        return self.whole_number(*self.random.choice(((1, 2), (1, 3), (0, 4), (-2, 5))))

    def several(self, depth: int) -> Term:
        parts = tuple(self.term(depth - 1) for _ in range(self.random.randint(2, 3)))
        return Several(self.random.random() < 0.6, parts)

    def graph(self, depth: int) -> Term:
        """Parts each of which comes after some of those before it; written in any order."""
        random, parts = self.random, list[GraphNode]()
        for name in random.sample("uvwxyz", random.choice((2, 3, 4, 4, 5))):
            before = [p.name for p in parts if random.random() < random.choice((0.3, 0.6))]
            parts.append(GraphNode(name, (), self.term(depth - 2), tuple(Waited(b, ()) for b in before)))
        if random.random() < 0.4:
            parts.append(self.ranged_part(depth, [p.name for p in parts]))
        return Network(tuple(random.sample(parts, len(parts))))

    def ranged_part(self, depth: int, others: list[str]) -> GraphNode:
        """Members that wait for their neighbours: a chain, a wavefront, a stencil, at times behind other parts."""
        random = self.random
        names = [n for n in ("i", "j", "k", "i2", "j2") if n not in self.indices][: random.randint(1, 2)]
        ranges = tuple(MemberRange(n, Numeral(1), self.bound()) for n in names)
        steps = {1: [((-1,),), ((1,),), ((-2,), (-1,)), ()], 2: SHAPES}[len(names)]
        after = [Waited(p, ()) for p in others if random.random() < 0.3]
        for step in random.choice(steps):
            after.append(Waited("cell", tuple(_moved(n, s) for n, s in zip(names, step, strict=True))))
        self.indices += names
        body = self.term(depth - 2)
        del self.indices[len(self.indices) - len(names) :]
        return GraphNode("cell", ranges, body, tuple(after))

    def rounds(self, depth: int) -> Term:
        random = self.random
        index = "ijk"[len(self.indices) % 3] + ("" if len(self.indices) < 3 else "2")
        if index in self.indices:
            return self.leaf()
        low = Numeral(1) if random.random() < 0.75 or not self.known() else random.choice(self.known())
        high = self.bound()
        self.indices.append(index)
        body = self.term(depth - 1)
        self.indices.pop()
        return Rounds(random.random() < 0.65, index, low, high, body)

    def hold(self, depth: int) -> Term:
        """`use` in `use`, often of the family that is held already."""
        outer = self.resource()
        body = self.term(depth - 1)
        if self.random.random() < 0.35:
            inner = HeldResource(outer.name, tuple(map(self.again, outer.subscripts)))
            body = Occupancy(inner, body if self.random.random() < 0.6 else Waiting(self.seconds()))
        return Occupancy(outer, body)

    def again(self, subscript: Formula) -> Formula:
        """The same subscript, the same value written differently, or another one."""
        draw = self.random.random()
        if draw < 0.35 or (isinstance(subscript, Variable) and subscript.name in self.named):
            return subscript
        if draw < 0.5:
            return Apply("subtract", (Apply("add", (subscript, Numeral(2))), Numeral(2)))
        return self.whole_number(1, 3)

    def choice(self, depth: int) -> Term:
        chances: tuple[Formula, ...] = (Numeral(Fraction(1, 2)), Numeral(Fraction(1, 4)), Variable("chance"))
        chance = self.random.choice(chances)
        if self.known() and self.random.random() < 0.5:
            chance = Apply(self.random.choice(("equal", "greater")), (self.random.choice(self.known()), Numeral(2)))
        then = self.term(depth - 1)
        return Choice(chance, then, self.otherwise(then, depth))

    def otherwise(self, then: Term, depth: int) -> Term:
        """Often the same operation or resource with its subscripts written differently."""
        if isinstance(then, Execution) and self.random.random() < 0.5:
            return Execution(then.name, self.again(then.processor))
        if isinstance(then, Occupancy) and then.resource.name and self.random.random() < 0.5:
            return Occupancy(
                HeldResource(then.resource.name, tuple(map(self.again, then.resource.subscripts))), then.body
            )
        return self.term(depth - 1)

    def call(self, depth: int) -> Term:
        return Invocation("step", (self.whole_number(),), (self.seconds(),))
