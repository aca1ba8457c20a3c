"""The folded trace of a model at one point."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.extrapolate.explanations import group, group_size, partner
from apet.traces.extrapolate.features import TracePoint
from apet.traces.extrapolate.model import ModelLoop, ModelNode, ModelSlot, TraceModel, not_general
from apet.traces.extrapolate.presence import hold
from apet.traces.extrapolate.programs import REST
from apet.traces.fold.folded import NOTHING, Folded, FoldedLoop, Kind, Slot, Volumes, Word
from apet.traces.fold.kinds_of_ranks import described, wraps

MOST_RUNS = 1 << 12
"""Executions of outer loops that are written one by one; of more the volumes are means."""
Sizes = tuple[tuple[str, float], ...]


class LoopAround(NamedTuple):
    """A loop around a slot: how many iterations, or the one that it is in where it is unrolled (`at`, else -1)."""

    times: int
    at: int


@dataclass(slots=True)
class _Program:
    """What one rank does: slots, each with its words, its loop and its number in the model; loops; volumes."""

    slots: list[tuple[str, tuple[str, ...], int, int]] = field(default_factory=list)
    loops: list[FoldedLoop] = field(default_factory=list)
    volumes: list[Volumes] = field(default_factory=list)
    rest: Volumes = NOTHING


def generated(model: TraceModel, sizes: Sizes, ranks: int) -> Folded:
    """The trace at a point, folded; ranks that do the same are one kind. `ApetError` where a rule makes no partner."""
    programs = [_Generating(model, sizes, rank, ranks).program() for rank in range(ranks)]
    alike: dict[tuple[object, ...], list[int]] = {}
    for rank, program in enumerate(programs):
        shape = tuple((action, len(words), *where) for action, words, *where in program.slots)
        alike.setdefault((shape, tuple(program.loops)), []).append(rank)

    kinds = tuple(_kind(tuple(members), [programs[r] for r in members], ranks) for members in alike.values())
    actions = sum(
        sum(kind.executions()) * len(kind.ranks)
        + sum(
            v.actions * (len(kind.ranks) if len(each) == 1 else 1) for each in (*kind.volumes, kind.rest) for v in each
        )
        for kind in kinds
    )
    name = ", ".join((*(f"{name}={size:g}" for name, size in sizes), f"P={ranks}"))
    return Folded(name, ranks, actions, kinds)


def _kind(members: tuple[int, ...], programs: Sequence[_Program], ranks: int) -> Kind:
    slots = list[Slot]()
    for each in zip(*(program.slots for program in programs), strict=True):
        action, first, parent, number = each[0]
        words = list[Word]()
        for at in range(len(first)):
            wrapped = wraps(action, at)
            words.append(Word(described([texts[at] for _, texts, *_ in each], members, ranks, wrapped), (), wrapped))
        slots.append(Slot(action, tuple(words), parent, number))

    volumes = tuple(_once(each) for each in zip(*(program.volumes for program in programs), strict=True))
    rest = _once(tuple(program.rest for program in programs))
    return Kind(members, tuple(slots), tuple(programs[0].loops), volumes, rest)


def _once(volumes: tuple[Volumes, ...]) -> tuple[Volumes, ...]:
    return volumes[:1] if all(each == volumes[0] for each in volumes) else volumes


class _Generating:
    """Slots and loops of one rank."""

    def __init__(self, model: TraceModel, sizes: Sizes, rank: int, ranks: int) -> None:
        self.model, self.sizes, self.rank, self.ranks = model, sizes, rank, ranks
        self.result = _Program()
        self.by_entered = list[tuple[list[float], tuple[LoopAround, ...]]]()

    def program(self) -> _Program:
        """All that the rank does."""
        left = self._body(self.model.body, (), -1, [0.0])
        self.result.rest = _volumes(left, ())
        self.result.volumes = [_volumes(by_entered, around) for by_entered, around in self.by_entered]
        return self.result

    def _body(
        self, nodes: Sequence[ModelNode], around: tuple[LoopAround, ...], parent: int, pending: list[float]
    ) -> list[float]:
        """Write nodes; takes and returns volumes, by number of loops entered, of slots that this rank lacks: they count
        before the next one that it has."""
        for node in nodes:
            present = hold(node.conditions, self.rank, self.ranks)
            if isinstance(node, ModelSlot):
                pending = [p + self._volume(node, e) for e, p in enumerate(pending)]
                if present and node.slot.form[0] != REST:
                    words = tuple(self._words(node, around))
                    self.result.slots.append((node.slot.form[0], words, parent, node.number))
                    self.by_entered.append((pending, around))
                    pending = [0.0] * len(pending)
            elif present:
                pending = self._loop(node, around, parent, pending)
        return pending

    def _loop(self, loop: ModelLoop, around: tuple[LoopAround, ...], parent: int, pending: list[float]) -> list[float]:
        times = round(loop.times.best.at(TracePoint(self.sizes, self.rank, self.ranks)))
        inside = [0.0, *pending]  # what comes before the loop comes before its first iteration
        if not loop.unrolled and times > 1:
            left = self._written_loop(loop, (*around, LoopAround(times, -1)), parent, inside)
            return [left[0]] * len(pending)
        for index in range(times):
            inside = self._body(loop.body, (*around, LoopAround(times, index)), parent, inside)
            inside = [inside[0 if index else 1]] * len(inside)
        return inside[1:] if times > 0 else pending

    def _written_loop(
        self, loop: ModelLoop, around: tuple[LoopAround, ...], parent: int, pending: list[float]
    ) -> list[float]:
        loops, number, first = self.result.loops, len(self.result.loops), len(self.result.slots)
        loops.append(FoldedLoop(around[-1].times, parent, first, first, 0))
        left = self._body(loop.body, around, number, pending)
        last = len(self.result.slots)
        if last == first:  # nothing of it is executed by this rank
            del loops[number:]
            return left

        loops[number] = loops[number]._replace(last=last)
        by_entered, inside = self.by_entered[first]
        by_entered[len(inside) - len(around)] += left[
            0
        ]  # the next iteration begins with what is left of the one before
        return left

    def _volume(self, node: ModelSlot, entered: int) -> float:
        """What is computed where so many loops are in their first iteration; what is nearest to it if that is open."""
        if not node.volumes:
            return 0.0
        nearest = min(node.volumes, key=lambda e: (abs(e - entered), e))
        flops = node.volumes[nearest].best.at(TracePoint(self.sizes, self.rank, self.ranks))
        return float(max(0, round(flops)))

    def _words(self, node: ModelSlot, around: Sequence[LoopAround]) -> list[str]:
        indices = tuple(max(0, each.at) for each in around)
        rules, form, texts = iter(node.partners), iter(node.slot.form[1:]), list[str]()
        for kind, number in zip(node.slot.kinds, node.words, strict=True):
            if kind == "p":
                peer = partner(next(rules)[0], self.rank, self.ranks, indices[-1] if indices else 0)
                if peer < 0:
                    what = f"on {self.ranks} ranks, the partner of rank {self.rank} in"
                    raise ApetError(not_general(self.model.traces, node.slot, what))
                texts.append(str(peer))
            elif kind == "d":
                texts.append(next(form))
            elif number is not None:
                members = range(self._members(node)) if kind == "v" else (self.rank,)
                points = (
                    TracePoint(self.sizes, member, self.ranks, () if kind == "v" else indices) for member in members
                )
                texts += (str(max(0, round(number.best.at(point)))) for point in points)

        if node.group is not None:
            return [*texts, "#", "comm", group(node.group, self.rank, self.ranks)]
        return [*texts, *(word for text in form for word in text.split())]

    def _members(self, node: ModelSlot) -> int:
        return self.ranks if node.group is None else group_size(node.group, self.ranks)


def _volumes(by_entered: Sequence[float], around: Sequence[LoopAround]) -> Volumes:
    values, counts = array("d"), array("q")
    for value, count in _runs(by_entered, around):
        if values and values[-1] == value:
            counts[-1] += count
        else:
            values.append(value)
            counts.append(count)
    return Volumes(values, counts)


def _runs(by_entered: Sequence[float], around: Sequence[LoopAround]) -> list[tuple[float, int]]:
    """Volumes in the order of execution, by how many loops are in their first iteration."""
    if not around:
        return [(by_entered[0], 1)]
    (times, at), outer = around[-1], around[:-1]
    if at > 0:
        return [(by_entered[0], prod(each.times for each in outer if each.at < 0))]
    runs = _runs(by_entered[1:], outer)
    if at == 0:
        return runs

    result, every = list[tuple[float, int]](), by_entered[0]
    for value, count in runs:
        if value == every:
            result.append((value, count * times))
        elif count > MOST_RUNS:
            result.append((round((value + every * (times - 1)) / times), count * times))
        else:
            result += [(value, 1), (every, times - 1)] * count
    return result
