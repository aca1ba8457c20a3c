"""Which resources are taken while others are held, and whether any are taken in a circle.

Processes that run at once and take two resources in opposite orders may block each other for ever; so may processes
that take members of one family, unless all take them in one direction. Families differ by their names, members
by their subscripts: values passed to equations are put in, and each loop has an index of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from apet.ground.diagnostics import Diagnostic
from apet.ground.records import NamedTuple
from apet.ground.source import Span
from apet.model import errors, terms
from apet.model.expression_text import expression_text
from apet.model.names import OWN, PROCESSORS
from apet.model.putting_in import put_into
from apet.model.resolved import Call, Hold, Operation, ResolvedModel, Step
from apet.model.subscript_order import direction, is_closed, values_of
from apet.model.terms import Equation, Expression, Model
from apet.model.walk import first_cycle, parts

MOST_PAIRS = 100_000
MOST_TAKEN = 2_000
"""Resources of one equation that are looked at."""


class Held(NamedTuple):
    """A resource as written: its family, and its whole text, in which `i#3` is the index of the third loop."""

    family: str
    text: str

    @property
    def shown(self) -> str:
        """The text as the user wrote it."""
        return re.sub(r"#\d+", "", self.text)


Pairs = dict[tuple[Held, Held], Span]
Scope = Mapping[str, Expression]
Frame = tuple[Step, tuple[Held, ...], Scope]


def opposite_nesting(resolved: ResolvedModel) -> Iterator[Diagnostic]:
    """Each two families that are taken in both orders, at the later place; longer circles of families; each family of
    which members are perhaps taken in a circle. Nothing where nothing runs at once."""
    model, finder = resolved.model, _NestingFinder(resolved)
    for equation in resolved.equations.values():
        finder.equation(equation)
    if not finder.at_once:
        return

    pairs = finder.pairs
    crossing = {p: span for p, span in pairs.items() if p[0].family != p[1].family}
    seen = set[frozenset[str]]()
    for outer, inner in crossing:
        families = frozenset((outer.family, inner.family))
        if families not in seen and (inner, outer) in pairs:
            seen.add(families)
            yield _opposite(model, pairs, outer, inner)
    if not seen:
        yield from _longer_circle(model, crossing)
    for family in dict.fromkeys(outer.family for outer, inner in pairs if outer.family == inner.family):
        yield from _within_family(model, finder, {p: s for p, s in pairs.items() if {q.family for q in p} == {family}})


def _opposite(model: Model, pairs: Pairs, outer: Held, inner: Held) -> Diagnostic:
    span, other = pairs[outer, inner], pairs[inner, outer]
    first, last = sorted((span, other))
    line = model.source.position(first.start)[0]
    ordered = (outer, inner) if span == last else (inner, outer)
    return errors.OppositeNesting(model.source, last, ordered[0].shown, ordered[1].shown, line)


def _longer_circle(model: Model, pairs: Pairs) -> Iterator[Diagnostic]:
    """A circle of three families or more."""
    edges: dict[str, list[str]] = {}
    for outer, inner in pairs:
        edges.setdefault(outer.family, []).append(inner.family)
        edges.setdefault(inner.family, [])
    cycle = first_cycle(edges)
    if cycle:
        (outer, inner), span = next((p, s) for p, s in pairs.items() if [f.family for f in p] == cycle[-2:])
        yield errors.CircularNesting(model.source, span, outer.shown, inner.shown, " > ".join(cycle))


def _within_family(model: Model, finder: _NestingFinder, pairs: Pairs) -> Iterator[Diagnostic]:
    """Whether members of one family may be taken in a circle: not if all are taken in one direction, within or around
    one and the same member, or are plain numbers without a circle."""
    opposite = next((pair for pair in pairs if pair[::-1] in pairs), None)
    if opposite is not None:
        yield _opposite(model, pairs, *opposite)
        return

    members = [(finder.subscripts[outer], finder.subscripts[inner]) for outer, inner in pairs]
    directions = {direction(outer, inner) for outer, inner in members}
    if directions in ({1}, {-1}):
        return
    for side in (0, 1):
        texts = {pair[side].text for pair in pairs}
        if len(texts) == 1 and is_closed(members[0][side], {*model.parameters, *finder.processors}):
            return

    numbers = [(values_of(outer), values_of(inner)) for outer, inner in members]
    if all(outer is not None and inner is not None for outer, inner in numbers):
        edges: dict[str, list[str]] = {}
        for outer, inner in numbers:
            edges.setdefault(str(outer), []).append(str(inner))
            edges.setdefault(str(inner), [])
        if not first_cycle(edges):
            return
    unordered = (p for p, pair in zip(pairs, members, strict=True) if direction(*pair) is None)
    outer_held, inner_held = next(unordered, list(pairs)[-1])
    span = pairs[outer_held, inner_held]
    yield errors.CircularMembers(model.source, span, outer_held.shown, inner_held.shown)


class _NestingFinder:
    def __init__(self, resolved: ResolvedModel) -> None:
        self.processors = resolved.processors
        self.pairs: Pairs = {}
        self.families: dict[tuple[str, str], tuple[Held, Held]] = {}
        self.taken: dict[str, dict[Held, None]] = {}
        self.subscripts: dict[Held, tuple[Expression, ...]] = {}
        self.at_once = False
        self.loops = 0

    def equation(self, equation: Equation[Step]) -> None:
        """Find the pairs in one equation, and what it takes in all."""
        taken = self.taken[equation.name] = dict[Held, None]()
        stack: list[Frame] = [(equation.body, (), {})]
        while stack:
            process, held, scope = stack.pop()

            if isinstance(process, terms.Parallel | terms.PartGraph) or (
                isinstance(process, terms.Loop) and process.kind == "par"
            ):
                self.at_once = True
            resources = self._takes(process, scope)
            if len(taken) < MOST_TAKEN:
                taken.update(resources)
            for inner in resources if held else ():
                self._record(held, inner, process.span)

            if isinstance(process, Hold):
                held = (*held, *(f for f in resources if f not in held))
            if isinstance(process, terms.Loop):
                self.loops += 1
                scope = {**scope, process.index: terms.Name(f"{process.index}#{self.loops}", process.span)}
            stack += [(p, held, scope) for p in reversed(parts(process))]

    def _takes(self, process: Step, scope: Scope) -> dict[Held, None]:
        """What a process takes itself: a use its resource, an operation its processor, a call what it calls."""
        match process:
            case Hold(resource, _, _):
                return {
                    self._member(resource.family, resource.family.removeprefix(OWN), resource.subscripts, scope): None
                }
            case Operation(_, processor, _, _):
                return {self._member(PROCESSORS, PROCESSORS, (processor,), scope): None}
            case Call():
                return dict.fromkeys(self._called(process, scope))
            case _:
                return {}

    def _called(self, call: Call, scope: Scope) -> Iterable[Held]:
        """What an equation takes, with the values that it is called with."""
        equation, taken = call.equation, self.taken.get(call.equation.name, {})
        formals = (*equation.subscripts, *equation.formals)
        if not formals:
            return taken
        values = {name: put_into(actual, scope) for name, actual in zip(formals, call.values, strict=True)}
        return [self._member(h.family, h.text.partition("[")[0], self.subscripts[h], values) for h in taken]

    def _member(self, family: str, name: str, subscripts: tuple[Expression, ...], scope: Scope) -> Held:
        values = tuple(put_into(s, scope) for s in subscripts)
        text = f"{name}[{', '.join(map(expression_text, values))}]" if values else name
        held = Held(family, text)
        self.subscripts.setdefault(held, values)
        return held

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
            elif direction(self.subscripts[outer], self.subscripts[inner]) != 0:
                self.pairs.setdefault((outer, inner), span)
