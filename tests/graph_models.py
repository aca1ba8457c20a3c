"""Random models with task graphs, their longest paths, and runs of them in any order, without code of the product.

A model is drawn as a term of this module. `text_of` writes it in PAMELA-E, `Unfolded` lists its steps with all that
each waits for, found by plain recursion over values of the indices; `longest_path` and `list_schedule` need no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from math import ceil, floor
from random import Random
from typing import NamedTuple

Values = Mapping[str, int]


class Step(NamedTuple):
    """`delay(seconds)`, or `use(resource, seconds)`, where a resource is a name, or a family with one subscript.

    Subscripts and seconds are texts in indices and parameters.
    """

    resource: str
    seconds: str


class Together(NamedTuple):
    """Processes in turn (";") or at once ("||")."""

    how: str
    bodies: tuple[Process, ...]


class Repeat(NamedTuple):
    """`seq` or `par` over a variable."""

    how: str
    variable: str
    low: str
    high: str
    body: Process


class Part(NamedTuple):
    """A part of a graph: ranges (index, low, high), and what its members wait for: a name, and subscripts or None."""

    name: str
    ranges: tuple[tuple[str, str, str], ...]
    body: Process
    after: tuple[tuple[str, tuple[str, ...] | None], ...]


class Graph(NamedTuple):
    """`graph { … }`"""

    parts: tuple[Part, ...]


Process = Step | Together | Repeat | Graph


class Model(NamedTuple):
    """A process, values of its parameters, and how many servers each resource has; members of `w` have one."""

    body: Process
    values: dict[str, int]
    servers: dict[str, int]


# As text


def text_of(model: Model, literal: bool = False) -> str:
    """The model in PAMELA-E; with numbers in place of its parameters where `literal`."""
    parameters = "" if literal else "".join(f"param {n} = {v};\n" for n, v in model.values.items())
    resources = "".join(f"resource {r} servers {n};\n" for r, n in model.servers.items()) + "resource w[q];\n"
    put = {n: str(v) for n, v in model.values.items()} if literal else {}
    return f"{parameters}{resources}L = {_text(model.body, put)};\n"


def _put(expression: str, put: Mapping[str, str]) -> str:
    for name, value in put.items():  # parameters have names that are part of no other name
        expression = expression.replace(name, value)
    return expression


def _text(process: Process, put: Mapping[str, str]) -> str:
    match process:
        case Step("", seconds):
            return f"delay({_put(seconds, put)})"
        case Step(resource, seconds):
            return f"use({_put(resource, put)}, {_put(seconds, put)})"
        case Together(how, bodies):
            return "{ " + f" {how} ".join(_text(b, put) for b in bodies) + " }"
        case Repeat(how, index, low, high, body):
            return f"{how} ({index} = {_put(low, put)}, {_put(high, put)}) {_text(body, put)}"
        case Graph(parts):
            return "graph { " + "; ".join(_part_text(p, put) for p in parts) + " }"


def _part_text(part: Part, put: Mapping[str, str]) -> str:
    ranges = ", ".join(f"{i} = {_put(a, put)}, {_put(b, put)}" for i, a, b in part.ranges)
    after = ", ".join(n if s is None else f"{n}[{', '.join(_put(e, put) for e in s)}]" for n, s in part.after)
    return f"{part.name}{f'[{ranges}]' if ranges else ''}: {_text(part.body, put)}{f' after {after}' if after else ''}"


# As steps


def number(expression: str, values: Values) -> Fraction:
    """The value of an expression, whose operators mean the same in Python."""
    exact = {n: Fraction(v) for n, v in values.items()}
    return Fraction(eval(expression, {"min": min, "max": max, "floor": floor, "ceil": ceil, "__builtins__": {}}, exact))


class CircleError(Exception):
    """Members wait for each other in a circle."""


class Unfolded:
    """Steps by number: resource ("" for a delay), seconds, and the numbers of those that end before it begins."""

    def __init__(self, model: Model) -> None:
        self.resources: list[str] = []
        self.seconds: list[Fraction] = []
        self.before: list[set[int]] = []
        self.end = self._walk(model.body, model.values, [])

    def _add(self, resource: str, seconds: Fraction, before: Sequence[int]) -> list[int]:
        self.resources.append(resource)
        self.seconds.append(seconds)
        self.before.append(set(before))
        return [len(self.seconds) - 1]

    def _walk(self, process: Process, values: Values, begin: list[int]) -> list[int]:
        """Add a process that begins behind some steps; the steps behind which it has ended."""
        match process:
            case Step(resource, seconds):
                name, _, subscript = resource.rstrip("]").partition("[")
                member = f"{name}[{number(subscript, values)}]" if subscript else name
                return self._add(member, number(seconds, values), begin)
            case Together(";", bodies):
                for body in bodies:
                    begin = self._walk(body, values, begin)
                return begin
            case Together(_, bodies):
                return self._joined([self._walk(b, values, begin) for b in bodies])
            case Repeat(how, index, low, high, body):
                rounds = [{**values, index: i} for i in indices(low, high, values)]
                if how == "par":
                    return self._joined([self._walk(body, v, begin) for v in rounds] or [begin])
                for inner in rounds:
                    begin = self._walk(body, inner, begin)
                return begin
            case Graph():
                return self._graph(process, values, begin)

    def _joined(self, ends: list[list[int]]) -> list[int]:
        return self._add("", Fraction(0), [n for end in ends for n in end])

    def _graph(self, graph: Graph, values: Values, begin: list[int]) -> list[int]:
        parts = {p.name: p for p in graph.parts}
        members = {p.name: {tuple(v[i] for i, *_ in p.ranges): v for v in _members(p, values)} for p in graph.parts}
        known: dict[tuple[str, tuple[int, ...] | None], list[int]] = {}
        begun = set[tuple[str, tuple[int, ...] | None]]()

        def end_of(name: str, member: tuple[int, ...] | None) -> list[int]:
            key = (name, member)
            if key not in known:
                if key in begun:
                    raise CircleError
                begun.add(key)
                known[key] = ended(parts[name], member)
            return known[key]

        def ended(part: Part, member: tuple[int, ...] | None) -> list[int]:
            whole = [begin, *(end_of(n, None) for n, s in part.after if s is None)]
            if member is None:
                return self._joined([*whole, *(end_of(part.name, m) for m in members[part.name])])
            inner = members[part.name][member]
            for name, subscripts in part.after:
                if subscripts is not None:
                    other = tuple(number(s, inner) for s in subscripts)
                    whole += [end_of(name, other)] if other in members[name] else []  # type: ignore[arg-type]
            return self._walk(part.body, inner, self._joined(whole))

        return self._joined([end_of(name, None) for name in parts])


def indices(low: str, high: str, values: Values) -> range:
    """The values of an index."""
    return range(ceil(number(low, values)), floor(number(high, values)) + 1)


def _members(part: Part, values: Values) -> Iterator[dict[str, int]]:
    rows = [dict(values)]
    for index, low, high in part.ranges:
        rows = [{**row, index: i} for row in rows for i in indices(low, high, row)]
    return iter(rows)


# What is known of the steps


def longest_path(steps: Unfolded) -> Fraction:
    """T0: steps are numbered in an order in which each comes behind what it waits for."""
    ends: list[Fraction] = []
    for seconds, before in zip(steps.seconds, steps.before, strict=True):
        ends.append(seconds + max((ends[k] for k in before), default=Fraction(0)))
    return max(ends, default=Fraction(0))


def loads(steps: Unfolded) -> dict[str, Fraction]:
    """Seconds of work on each resource."""
    work = dict[str, Fraction]()
    for resource, seconds in zip(steps.resources, steps.seconds, strict=True):
        if resource:
            work[resource] = work.get(resource, Fraction(0)) + seconds
    return work


def list_schedule(steps: Unfolded, servers: Mapping[str, int], priorities: Sequence[float]) -> Fraction:
    """The makespan where no server is idle while a step waits for it; of those that wait the highest priority goes."""
    behind: list[list[int]] = [[] for _ in steps.seconds]
    left = [len(b) for b in steps.before]
    for step, before in enumerate(steps.before):
        for one in before:
            behind[one].append(step)
    free = {r: servers.get(r, 1) for r in steps.resources if r}
    waiting = {r: list[tuple[float, int]]() for r in free}
    running, ties, now = list[tuple[Fraction, int, int]](), count(), Fraction(0)

    def begin(step: int) -> None:
        if steps.resources[step]:
            heappush(waiting[steps.resources[step]], (-priorities[step], step))
        else:
            heappush(running, (now + steps.seconds[step], next(ties), step))

    def deal() -> None:
        for resource, queue in waiting.items():
            while queue and free[resource]:
                free[resource] -= 1
                _, step = heappop(queue)
                heappush(running, (now + steps.seconds[step], next(ties), step))

    for step, waits in enumerate(left):
        if not waits:
            begin(step)
    deal()
    while running:
        now = running[0][0]
        while running and running[0][0] == now:
            _, _, step = heappop(running)
            if steps.resources[step]:
                free[steps.resources[step]] += 1
            for later in behind[step]:
                left[later] -= 1
                if not left[later]:
                    begin(later)
        deal()
    return now


# At random

PARAMETERS = ("nn", "mm", "dd")
"""Names that are part of no other name; the last one is a distance, 1 or more."""
INDICES = (("i", "j"), ("k", "l"), ("s", "t"))


class Drawing:
    """Draws models; ends and distances have parameters and indices of loops around in them."""

    def __init__(self, random: Random, contended: bool) -> None:
        self.random, self.contended = random, contended

    def model(self) -> Model:
        """A graph, on its own or inside of something else."""
        r = self.random
        values = {"nn": r.randint(0, 6), "mm": r.randint(1, 4), "dd": r.randint(1, 3)}
        graph = self.graph(2, ())
        shape = r.random()
        if shape < 0.5:
            body: Process = graph
        elif shape < 0.65:
            body = Together(r.choice((";", "||")), (self.step(()), graph, self.step(())))
        elif shape < 0.75:
            body = Together(r.choice((";", "||")), (graph, self.graph(1, ())))
        else:
            body = Repeat(r.choice(("seq", "par")), "a", "1", "mm", self.graph(2, ("a",)))
        return Model(body, values, {"r": r.randint(1, 3), "u": 1})

    def graph(self, depth: int, around: tuple[str, ...]) -> Graph:
        """One to three parts; members wait for members that come before them in one order, so for nobody in a circle.

        That order is by the first index, up or down, then by part, then by the second index.
        """
        r = self.random
        dimensions = [r.choice((0, 1, 1, 1, 2, 2)) for _ in range(r.randint(1, 3))]
        sign, parts = r.choice("--+"), list[Part]()
        tag = f"{'gh'[depth - 1]}{r.randint(0, 999)}x"
        for place, own in enumerate(dimensions):
            ranges = tuple(self.range(INDICES[depth][d], around, d) for d in range(own))
            after = list[tuple[str, tuple[str, ...] | None]]()
            for other in range(len(dimensions)):
                for _ in range(r.choice((0, 1, 1, 2)) if other == place else r.choice((0, 0, 1))):
                    waited = self.reference(tag, place, other, dimensions, depth, sign, around)
                    after += [] if waited is None or waited in after else [waited]
            names = (*around, *(i for i, *_ in ranges))
            inner = depth > 1 and r.random() < 0.1
            body = self.graph(depth - 1, names) if inner else self.body(names)
            parts.append(Part(f"{tag}{place}", ranges, body, tuple(after)))
        return Graph(tuple(parts))

    def reference(
        self,
        tag: str,
        place: int,
        other: int,
        dimensions: Sequence[int],
        depth: int,
        sign: str,
        around: tuple[str, ...],
    ) -> tuple[str, tuple[str, ...] | None] | None:
        """What a member of one part waits for in another."""
        r, own, its = self.random, dimensions[place], dimensions[other]
        if own == 0 or its == 0 or r.random() < 0.1:
            # whole parts wait for whole parts in the order of the text, and only where no member waits against it
            return (f"{tag}{other}", None) if other < place and 0 in (own, its) and own == 0 else None
        back = self.distance(around)
        first = INDICES[depth][0]
        second = INDICES[depth][1] if own > 1 else first
        anywhere = r.choice((second, f"{second} + 1", f"{second} - 1", f"mm - {second}", "1"))
        strict = r.random() < 0.6
        head = f"{first} {sign} {back}" if strict or other > place or (other == place and its == 1) else first
        if its == 1:
            return f"{tag}{other}", (head,)
        if head == first and other == place:
            return f"{tag}{other}", (head, f"{second} - {self.distance(around)}")
        return f"{tag}{other}", (head, anywhere)

    def distance(self, around: tuple[str, ...]) -> str:
        return self.random.choice(("1", "1", "2", "dd", *around))

    def range(self, index: str, around: tuple[str, ...], dimension: int) -> tuple[str, str, str]:
        """An index with its ends; the second range may depend on the index of the first."""
        r = self.random
        outer = index in {second for _, second in INDICES} and {second: first for first, second in INDICES}[index]
        highs = ["nn", "mm", "nn - 1", "floor(nn / 2) + 1", "3", "min(nn, mm)", *(f"{a} + 1" for a in around)]
        lows = ["1", "1", "0", "mm - 1"]
        if dimension and outer:
            highs, lows = [*highs, outer], [*lows, outer]
        return index, r.choice(lows), r.choice(highs)

    def body(self, names: tuple[str, ...]) -> Process:
        """What a member does."""
        r = self.random
        if r.random() < 0.7:
            return self.step(names)
        return Together(r.choice((";", "||")), (self.step(names), self.step(names)))

    def step(self, names: tuple[str, ...]) -> Step:
        """A delay, or work on a resource."""
        r = self.random
        seconds = r.choice(("1", "2", "7", "mm", "nn + 1", *(f"1 + {n} * {n}" for n in names)))
        own = [f"w[{n}]" for n in names]
        if len(names) > 1:
            own += [f"w[({names[-2]} - 1) * nn + {names[-1]}]", f"w[{names[-1]} - {names[-2]}]"]
        resource = r.choice(("", "r", "r", "u", *own, *own)) if self.contended else ""
        return Step(resource, seconds)
