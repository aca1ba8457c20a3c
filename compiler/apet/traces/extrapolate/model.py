"""The model of several traces: the nest of loops over slots that all their ranks execute parts of, with rules and sums
in place of what was observed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from apet.ground.activity import over
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.traces.extrapolate import errors
from apet.traces.extrapolate.alignment import merged
from apet.traces.extrapolate.directions import Directions, across
from apet.traces.extrapolate.explanations import Rule, far_fetched
from apet.traces.extrapolate.features import TracePoint
from apet.traces.extrapolate.fitting import FeatureSum, Fitted, fitted
from apet.traces.extrapolate.iteration_counts import all_partners, divided
from apet.traces.extrapolate.nodes import Node, ObservedLoop, ObservedSlot, Rank, Value, slots_of
from apet.traces.extrapolate.presence import Conditions, presence
from apet.traces.extrapolate.programs import TAGS, Structure, program
from apet.traces.extrapolate.rolling import rolled
from apet.traces.extrapolate.sizes import unlike
from apet.traces.extrapolate.volumes import settled
from apet.traces.fold.folded import Folded
from apet.traces.lines.sites import NOWHERE, CallSite, CallSites

MOST_SLOTS = 600
WORST = 0.25
"""A relative error above which a sum explains nothing."""
SMALL = 1e-5
"""Volumes below this share of all of a trace are taken at their mean."""


class Measured(NamedTuple):
    """A trace and what it is of."""

    folded: Folded
    sizes: tuple[tuple[str, float], ...]
    sites: CallSites = NOWHERE

    def site(self, slot: ObservedSlot) -> CallSite | None:
        """Where a slot that was observed in this trace is called."""
        return self.sites.at(slot.rank, slot.line) if slot.line else None


@dataclass(frozen=True, slots=True)
class ModelSlot:
    """A slot at any point: who executes it, its words, and what is computed before it by number of loops entered."""

    number: int  #: from 1
    slot: ObservedSlot
    conditions: Conditions
    partners: tuple[tuple[Rule, ...], ...]  #: by word that is a rank the rules, the simplest first
    group: Rule | None  #: of the communicator, where it is not all
    words: tuple[Fitted | None, ...]  #: None where a word is a rank
    volumes: dict[int, Fitted]


@dataclass(frozen=True, slots=True)
class ModelLoop:
    """A loop at any point; `unrolled` where something in it follows the iterations by a rule."""

    conditions: Conditions
    times: Fitted
    body: tuple[ModelSlot | ModelLoop, ...]
    unrolled: bool


ModelNode = ModelSlot | ModelLoop


@dataclass(frozen=True, slots=True)
class TraceModel:
    """All of it, and the traces that it was made of."""

    traces: tuple[Measured, ...]
    body: tuple[ModelNode, ...]

    def slots(self) -> dict[int, ObservedSlot]:
        """What its slots were made of, by their numbers, which are the lines of slots in traces that are made."""
        return {node.number: node.slot for node in _slots(self.body)}

    def sites(self) -> dict[int, CallSite]:
        """Where slots are called, by their numbers."""
        numbered = {number: self.traces[slot.trace].site(slot) for number, slot in self.slots().items()}
        return {number: site for number, site in numbered.items() if site is not None}


def _slots(nodes: Iterable[ModelNode]) -> Iterator[ModelSlot]:
    for node in nodes:
        if isinstance(node, ModelSlot):
            yield node
        else:
            yield from _slots(node.body)


def model(traces: Sequence[Measured]) -> TraceModel:
    """The model of traces of one program; `ApetError` names each slot that follows no rule."""
    everybody = {Rank(t, r, m.folded.ranks) for t, m in enumerate(traces) for r in range(m.folded.ranks)}
    diagnostics: list[Diagnostic] = list(unlike((each.folded, each.sizes) for each in traces))
    if diagnostics:
        raise ApetError(diagnostics)

    paired = any(loop.times == 2 for each in traces for kind in each.folded.kinds for loop in kind.loops)
    for pairs, tags, exclusive in product((True, False) if paired else (True,), (True, False), (True, False)):
        nodes = rolled(_aligned(traces, Structure(tags, exclusive, pairs)), everybody)
        settled(nodes, everybody)
        boxed = any(rules and all(map(far_fetched, rules)) for slot in slots_of(nodes) for rules in slot.rules)
        fitting = _Fitting(traces, boxed)
        body = fitting.nodes(nodes, everybody, 0)
        if fitting.narrow and not fitting.diagnostics:
            body = _Fitting(traces, boxed, fitting.usual).nodes(nodes, everybody, 0)
        if not fitting.diagnostics:
            return TraceModel(tuple(traces), body)
        diagnostics = min((each for each in (diagnostics, fitting.diagnostics) if each), key=len)
    raise ApetError(diagnostics)


def _aligned(traces: Sequence[Measured], structure: Structure) -> list[Node]:
    """The programs of all ranks as one; ranks with many slots in traces of many ranks come first.

    What counts for the structure makes some that others lack, so all choices are tried.
    """
    programs = list[tuple[tuple[int, ...], list[Node]]]()
    for number, (folded, *_) in enumerate(traces):
        for rank, (kind, position) in sorted(folded.members().items()):
            if len(kind.slots) > MOST_SLOTS:
                raise ApetError(errors.TooIrregular(None, None, folded.name, rank, len(kind.slots), MOST_SLOTS))
            order = -folded.ranks, -len(kind.slots), number, rank
            programs.append((order, program(folded, kind, position, number, structure)))

    programs.sort(key=lambda each: each[0])
    nodes = list[Node]()
    for _, each in over(programs, "aligning the ranks", "ranks"):
        nodes = merged(nodes, each)
    return nodes


class _Fitting:
    """Rules and sums for nodes; errors are collected."""

    def __init__(
        self, traces: Sequence[Measured], boxed: bool, expected: Iterable[tuple[Value, FeatureSum]] = ()
    ) -> None:
        self.traces, self.boxed = traces, boxed
        self.rank_counts = len({each.folded.ranks for each in traces})
        self.expected = sorted(expected, key=lambda each: each[1].weight)
        self.usual = set[tuple[Value, FeatureSum]]()  #: by tag exact sums of words that all numbers of ranks show
        self.narrow = False  #: whether some words are shown by fewer
        self.diagnostics = list[Diagnostic]()
        self.slots = 0
        self.directions = Directions(boxed)
        self.flops = [_flops(each.folded) for each in traces]

    def nodes(self, nodes: Iterable[Node], everybody: set[Rank], depth: int) -> tuple[ModelNode, ...]:
        """All of them, of which these ranks execute what is around."""
        return tuple(
            self._loop(part, everybody, depth) if isinstance(part, ObservedLoop) else self._slot(part, everybody)
            for node in nodes
            for part in (divided(node, self._times) if isinstance(node, ObservedLoop) else (node,))
        )

    def _times(self, loop: ObservedLoop) -> Fitted:
        points = [self._point(rank) for rank in loop.times]
        return all_partners(loop) or fitted(points, list(map(float, loop.times.values())))

    def _loop(self, loop: ObservedLoop, everybody: set[Rank], depth: int) -> ModelLoop:
        slot = slots_of((loop,))[0]
        conditions = self._presence(loop, everybody, slot)
        times = self._times(loop)
        if times.best.error > WORST:
            self._refuse(slot, "the number of iterations of the loop around")
        body = self.nodes(loop.body, loop.present(), depth + 1)
        return ModelLoop(conditions, times, body, any(_moves(each, 0) for each in body))

    def _slot(self, slot: ObservedSlot, everybody: set[Rank]) -> ModelSlot:
        conditions = self._presence(slot, everybody, slot)
        rules = [self.directions.ordered(slot, tuple(each)) for each in slot.rules]
        names = ["partner"] * len(slot.partners) + ["communicator"]
        for name, each in zip(names, rules, strict=False):
            if not each:
                self._refuse(slot, f"the {name} of")
        words = tuple(self._word(slot, at, across(rules)) for at in range(len(slot.kinds)))
        group = rules.pop()[0] if slot.form[-1] == "# comm" and rules[-1] else None
        self.slots += 1
        return ModelSlot(self.slots, slot, conditions, tuple(rules), group, words, self._volumes(slot))

    def _presence(self, node: Node, everybody: set[Rank], slot: ObservedSlot) -> Conditions:
        conditions = presence(node.present(), everybody, self.boxed)
        if conditions is None:
            self._refuse(slot, "the set of ranks that execute")
        return conditions or ()

    def _word(self, slot: ObservedSlot, at: int, axis: int) -> Fitted | None:
        if slot.kinds[at] == "p":
            return None
        numbers: dict[TracePoint, float] = {}
        for row in slot.rows:
            value = row.words[at]
            if isinstance(value, tuple):
                numbers |= {self._point(row.rank._replace(rank=k), (), axis): each for k, each in enumerate(value)}
            else:
                numbers[self._point(row.rank, row.indices, axis)] = value

        short: dict[TracePoint, set[float]] = {}
        for point, value in numbers.items():
            short.setdefault(point._replace(indices=()), set()).add(value)
        if all(len(values) == 1 for values in short.values()):
            numbers = {point: values.pop() for point, values in short.items()}
        number = fitted(list(numbers), list(numbers.values()))
        if not self.boxed or axis < 0:  # the axis tells the face
            number = self._usual(slot, numbers, number)
        if number.best.error > (WORST if at != TAGS.get(slot.form[0]) else 0):
            self._refuse(slot, f"argument {at + 1} of")
        return number

    def _usual(self, slot: ObservedSlot, numbers: Mapping[TracePoint, float], number: Fitted) -> Fitted:
        """Of an undecided word that few numbers of ranks show, the sum that another word has: ranks inside a grid send
        what those at its borders do, best with the same tag."""
        tag = slot.rows[0].words[TAGS[slot.form[0]]] if slot.form[0] in TAGS else 0
        if len({point.ranks for point in numbers}) == self.rank_counts:
            self.usual |= (
                {(tag, number.best)} if number.exact and not any(point.indices for point in numbers) else set()
            )
            return number

        varies = any(feature.factors for _, feature in number.best.terms)
        self.narrow |= varies
        for _, each in sorted(self.expected, key=lambda pair: pair[0] != tag) if varies else ():
            if all(math.isclose(each.at(point._replace(indices=())), value) for point, value in numbers.items()):
                return Fitted(each, (number.best, *number.rivals))
        return number

    def _volumes(self, slot: ObservedSlot) -> dict[int, Fitted]:
        volumes: dict[int, Fitted] = {}
        for entered in sorted({each.entered for each in slot.computed}):
            sums: dict[Rank, list[float]] = {}
            for each in slot.computed:
                if each.entered == entered:
                    flops, times = sums.get(each.rank, [0.0, 0.0])
                    sums[each.rank] = [flops + each.flops * each.times, times + each.times]

            means = [flops / times for flops, times in sums.values()]
            share = max(flops / max(1.0, self.flops[rank.trace]) for rank, (flops, _) in sums.items())
            if share < SMALL:
                means = [sum(means) / len(means)] * len(means)
            volumes[entered] = fitted([self._point(rank) for rank in sums], means, smooth=True)
        return volumes

    def _point(self, rank: Rank, indices: tuple[int, ...] = (), axis: int = -1) -> TracePoint:
        return TracePoint(self.traces[rank.trace].sizes, rank.rank, rank.ranks, indices, axis if self.boxed else None)

    def _refuse(self, slot: ObservedSlot, what: str) -> None:
        self.diagnostics.append(not_general(self.traces, slot, what))


def not_general(traces: Sequence[Measured], slot: ObservedSlot, what: str) -> Diagnostic:
    """That something of a slot follows no rule."""
    return errors.NotGeneral(None, None, place_of(traces, slot), slot.form[0], what)


def place_of(traces: Sequence[Measured], slot: ObservedSlot) -> str:
    """The line of a slot, and its call in the program where that is known."""
    trace = traces[slot.trace]
    site = trace.site(slot)
    return f"{trace.folded.name}, line {slot.line}" + (f", {site.text}" if site else "")


def _moves(node: ModelNode, level: int) -> bool:
    """Whether anything in it follows the iterations of the loop so many levels further out by a rule."""
    if isinstance(node, ModelLoop):
        return any(_moves(each, level + 1) for each in node.body)
    if level == 0 and any(rules[0][0] == "moving" for rules in node.partners if rules):
        return True
    name = f"k{level}" if level else "k"
    factors = {f for word in node.words if word is not None for _, feature in word.best.terms for f in feature.factors}
    return not factors.isdisjoint((name, f"2^{name}", f"1/2^{name}"))


def _flops(folded: Folded) -> float:
    """What the rank with the most computes."""
    return max(
        sum(kind.volume(slot, position).total for slot in range(len(kind.slots)))
        for kind in folded.kinds
        for position in range(len(kind.ranks))
    )
