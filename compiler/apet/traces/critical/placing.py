"""Where in a folded trace the actions of a rank are, by their numbers: no action is needed for that."""

from __future__ import annotations

from array import array
from typing import NamedTuple

import numpy

from apet.traces.bounds.transfers import Array
from apet.traces.fold.folded import DEFAULT, Folded, Kind, Volumes
from apet.traces.trace import Trace


class PlacedActions(NamedTuple):
    """Where actions are."""

    slots: Array  #: [actions], int64; the slot, or that which it is computed before; one beyond all slots at the end
    computes: Array  #: [actions], bool


class Placing:
    """The slots of actions, rank by rank."""

    def __init__(self, folded: Folded) -> None:
        self.folded = folded
        self.members = {r: (k, p) for k, kind in enumerate(folded.kinds) for p, r in enumerate(kind.ranks)}
        self._orders: dict[int, tuple[Array, Array]] = {}

    def kind(self, rank: int) -> int:
        """The number of a rank's kind."""
        return self.members[rank][0]

    def placed(self, rank: int, actions: Array) -> PlacedActions:
        """Where the actions of these numbers are."""
        number, position = self.members[rank]
        kind = self.folded.kinds[number]
        places, own, ends = self._ends(number, position)
        at = numpy.searchsorted(ends, actions, side="right")
        inside = at < len(ends)
        slots, computes = numpy.full(len(at), len(kind.slots)), numpy.zeros(len(at), bool)
        slots[inside] = places[at[inside]]
        computes[inside] = actions[inside] < (ends - own)[at[inside]]
        last = int(ends[-1]) if len(ends) else 0
        computes[~inside] = actions[~inside] < last + kind.rest_of(position).actions
        return PlacedActions(slots, computes)

    def first(self, kind: int) -> Array:
        """By slot of a kind, the number of the action of its first execution, by the first rank."""
        places, own, ends = self._ends(kind, 0)
        numbers: Array = (ends - own)[numpy.unique(places, return_index=True)[1]]
        return numbers

    def _ends(self, number: int, position: int) -> tuple[Array, Array, Array]:
        """By execution of a slot: which one; whether it is an action (`init` is not); the number of the next action."""
        kind = self.folded.kinds[number]
        places, order = self._order(number)
        counts = numpy.empty(len(places), numpy.int64)
        counts[order] = _computing(kind, position, numpy.bincount(places, minlength=len(kind.slots)))
        own = numpy.array([slot.action != DEFAULT for slot in kind.slots], numpy.int64)[places]
        return places, own, numpy.cumsum(counts + own)

    def _order(self, number: int) -> tuple[Array, Array]:
        """The slots of a kind as they are executed, and the same by slot."""
        if number not in self._orders:
            places = numpy.array(self.folded.kinds[number].all_places(), numpy.int32)
            self._orders[number] = places, numpy.argsort(places, kind="stable")
        return self._orders[number]


def _computing(kind: Kind, position: int, executions: Array) -> Array:
    """How many actions compute before each execution of each slot, slot by slot."""
    single, several = array("q"), list[tuple[int, Volumes]]()
    for slot in range(len(kind.slots)):
        volumes = kind.volume(slot, position)
        if len(volumes.values) == 1:
            single.append(_counts(volumes)[0])
        else:
            single.append(0)
            several.append((slot, volumes))
    computing: Array = numpy.repeat(numpy.asarray(single), executions)
    ends = numpy.cumsum(executions)
    for slot, volumes in several:
        each = numpy.repeat(numpy.array(_counts(volumes)), numpy.asarray(volumes.counts))
        computing[ends[slot] - executions[slot] : ends[slot]] = each

    return computing


def _counts(volumes: Volumes) -> list[int]:
    """By run, how many actions each of its volumes stands for."""
    counts = [int(value != 0) for value in volumes.values]
    for k, parts in volumes.parts.items():
        counts[k] = len(parts)
    return counts


def renumbered(folded: Folded, trace: Trace) -> Folded:
    """A folded trace with the lines that its trace knows."""
    placing = Placing(folded)
    kinds = []
    for number, kind in enumerate(folded.kinds):
        lines = [trace.line(kind.ranks[0], k) for k in placing.first(number).tolist()]
        slots = tuple(slot._replace(line=line) for slot, line in zip(kind.slots, lines, strict=True))
        loops = tuple(loop._replace(line=lines[loop.first]) for loop in kind.loops)
        kinds.append(kind._replace(slots=slots, loops=loops))
    return folded._replace(kinds=tuple(kinds))
