"""Which resources are taken while others are held, and whether any two are taken in both orders.

Processes that run at once and take two resources in opposite orders may block each other for ever. Resources are told
apart by what is written: families by their name, members of one family by their subscripts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from apet.ground.diagnostics import Diagnostic
from apet.ground.source import Span
from apet.model import errors
from apet.model.expression_text import expression_text
from apet.model.terms import (
    BUILTINS,
    FUNCTIONS,
    Equation,
    Expression,
    Invoke,
    Loop,
    Model,
    Name,
    Parallel,
    Process,
    Use,
)
from apet.model.walk import called, parts

MOST_PAIRS = 100_000


class Held(NamedTuple):
    """A resource as written: its family (`cpu` for a processor) and its whole text."""

    family: str
    text: str


Pairs = dict[tuple[Held, Held], Span]
Frame = tuple[Process, tuple[Held, ...], frozenset[str]]


def opposite_nesting(model: Model, processors: Collection[str]) -> Iterator[Diagnostic]:
    """Each two resources that are taken in both orders, at the later place; nothing where nothing runs at once."""
    pairs = _pairs(model, processors)
    seen = set[frozenset[str]]()
    for (outer, inner), span in pairs.items():
        names = _names(outer, inner)
        if names not in seen and (inner, outer) in pairs:
            seen.add(names)
            first, last = sorted((span, pairs[inner, outer]))
            line = model.source.position(first.start)[0]
            ordered = (outer, inner) if span == last else (inner, outer)
            yield errors.OppositeNesting(model.source, last, ordered[0].text, ordered[1].text, line)


def _names(outer: Held, inner: Held) -> frozenset[str]:
    same = outer.family == inner.family
    return frozenset((outer.text, inner.text) if same else (outer.family, inner.family))


def _pairs(model: Model, processors: Collection[str]) -> Pairs:
    """(outer, inner) to the first place where inner is taken within outer, calls of equations included."""
    finder = _NestingFinder(model, processors)
    for name in _inner_first(model):
        finder.equation(model.equations[name])
    return finder.pairs if finder.at_once else {}


def _inner_first(model: Model) -> list[str]:
    """The equations in an order in which each comes after all that it calls."""
    order: dict[str, None] = {}
    for start in model.equations:
        stack = [(start, False)]
        while stack:
            name, complete = stack.pop()
            if complete:
                order[name] = None
            elif name not in order:
                stack.append((name, True))
                inner = dict.fromkeys(called(model.equations[name].body, model))
                stack += [(n, False) for n in inner if n not in order]

    return list(order)


class _NestingFinder:
    def __init__(self, model: Model, processors: Collection[str]) -> None:
        self.model = model
        self.processors = processors
        self.pairs: Pairs = {}
        self.families: dict[tuple[str, str], tuple[Held, Held]] = {}
        self.taken: dict[str, dict[Held, None]] = {}
        self.at_once = False

    def equation(self, equation: Equation) -> None:
        """Find the pairs in one equation, and what it takes in all."""
        taken = self.taken[equation.name] = dict[Held, None]()
        bound = frozenset((*self.model.parameters, *equation.subscripts, *equation.formals))
        stack: list[Frame] = [(equation.body, (), bound)]
        while stack:
            process, held, bound = stack.pop()
            if isinstance(process, Parallel) or (isinstance(process, Loop) and process.kind == "par"):
                self.at_once = True
            resources = self._takes(process, bound)
            taken.update(resources)
            for inner in resources if held else ():
                self._record(held, inner, process.span)
            if isinstance(process, Use):
                held = (*held, *(f for f in resources if f not in held))
            if isinstance(process, Loop):
                bound |= {process.index}
            stack += [(p, held, bound) for p in reversed(parts(process))]

    def _takes(self, process: Process, bound: frozenset[str]) -> dict[Held, None]:
        """What a process takes itself: a use its resource, an operation its processor, a call what it calls."""
        if isinstance(process, Use):
            return {self._resource(process.resource, bound): None}
        if isinstance(process, Invoke):
            if process.name in self.model.equations:
                return self.taken.get(process.name, {})
            if process.subscripts is not None and len(process.subscripts) == 1:
                return {_processor(process.subscripts[0]): None}
        return {}

    def _resource(self, resource: Expression, bound: frozenset[str]) -> Held:
        if isinstance(resource, Name) and resource.name not in bound and resource.name not in self.processors:
            return Held(resource.name, resource.name)
        if isinstance(resource, Invoke) and resource.subscripts and resource.name not in (*BUILTINS, *FUNCTIONS):
            return Held(resource.name, expression_text(resource))
        return _processor(resource)

    def _record(self, held: tuple[Held, ...], inner: Held, span: Span) -> None:
        """One pair for each resource held; of different families the first pair stands for all their members."""
        for outer in held:
            if outer == inner or inner in held or len(self.pairs) >= MOST_PAIRS:
                continue
            if outer.family != inner.family:
                opposite = self.families.get((inner.family, outer.family))
                pair = (opposite[1], opposite[0]) if opposite else (outer, inner)
                pair = self.families.setdefault((outer.family, inner.family), pair)
                self.pairs.setdefault(pair, span)
            else:
                self.pairs.setdefault((outer, inner), span)


def _processor(expression: Expression) -> Held:
    return Held("cpu", f"cpu[{expression_text(expression)}]")
