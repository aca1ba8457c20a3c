"""Which ranks execute a node: the simplest condition on their place in a grid that says so for all ranks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import cache, reduce
from itertools import combinations
from typing import NamedTuple

from apet.traces.extrapolate.grids import AXES, grid
from apet.traces.extrapolate.nodes import Rank

MOST = 3
"""Conditions that hold together."""


class PlaceCondition(NamedTuple):
    """What holds of a rank: along an axis of a grid. The empty one holds always."""

    name: str
    axis: int
    test: str

    @property
    def text(self) -> str:
        """`y > 0`"""
        axis = AXES[self.name][self.axis]
        return TESTS[self.test][0].replace("at", axis).replace("size", f"P{axis}")

    def holds(self, rank: int, ranks: int) -> bool:
        """Whether it holds of a rank of so many."""
        around = grid(self.name, ranks)
        return TESTS[self.test][1](around.place(rank)[self.axis], around.sizes[self.axis])


TESTS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "not first": ("at > 0", lambda at, size: at > 0),
    "not last": ("at < size - 1", lambda at, size: at < size - 1),
    "first": ("at = 0", lambda at, size: at == 0),
    "last": ("at = size - 1", lambda at, size: at == size - 1),
    "end": ("at = 0 or size - 1", lambda at, size: at in (0, size - 1)),
    "inside": ("0 < at < size - 1", lambda at, size: 0 < at < size - 1),
    "even": ("at even", lambda at, size: at % 2 == 0),
    "odd": ("at odd", lambda at, size: at % 2 == 1),
    "lower half": ("at < size/2", lambda at, size: 2 * at < size),
    "upper half": ("at >= size/2", lambda at, size: 2 * at >= size),
    "several": ("size > 1", lambda at, size: size > 1),
    "alone": ("size = 1", lambda at, size: size == 1),
    "partner above": ("at + 1 < size, at even", lambda at, size: at % 2 == 0 and at + 1 < size),
}
ATOMS = tuple(PlaceCondition(name, axis, test) for name in AXES for axis in range(len(AXES[name])) for test in TESTS)
Conditions = tuple[PlaceCondition, ...]


@cache
def _atom(condition: PlaceCondition, rank: int, ranks: int) -> bool:
    return condition.holds(rank, ranks)


def hold(conditions: Conditions, rank: int, ranks: int) -> bool:
    """Whether all of them hold."""
    return all(_atom(each, rank, ranks) for each in conditions)


def presence(ranks: Collection[Rank], everybody: Collection[Rank], boxed: bool = False) -> Conditions | None:
    """The fewest conditions that hold of these ranks, and not of others of all, preferably those of a box; None if
    there are none."""
    order = list(everybody)
    wanted = _bits(rank in ranks for rank in order)
    if wanted == _bits(True for _ in order):
        return ()
    masks = dict[int, PlaceCondition]()
    for atom in sorted(ATOMS, key=lambda each: boxed and not each.name.endswith("box")):
        mask = _bits(_atom(atom, rank.rank, rank.ranks) for rank in order)
        if mask & wanted == wanted:
            masks.setdefault(mask, atom)

    for number in range(1, MOST + 1):
        for chosen in combinations(masks, number):
            if reduce(int.__and__, chosen) == wanted:
                return tuple(masks[mask] for mask in chosen)
    return None


def places(ranks: Collection[Rank]) -> list[frozenset[Rank]]:
    """Which of these ranks one condition holds for, for all conditions that hold for some and not for all."""
    parts = (frozenset(r for r in ranks if _atom(atom, r.rank, r.ranks)) for atom in ATOMS)
    return list(dict.fromkeys(part for part in parts if 0 < len(part) < len(ranks)))


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << k for k, flag in enumerate(flags) if flag)
