"""Grids in which programs arrange their ranks: sizes, coordinates, and who is where."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class RankGrid(NamedTuple):
    """Ranks in row-major order: the last coordinate varies fastest."""

    name: str
    sizes: tuple[int, ...]

    def place(self, rank: int) -> tuple[int, ...]:
        """The coordinates of a rank."""
        coordinates = list[int]()
        for size in reversed(self.sizes):
            coordinates.append(rank % size)
            rank //= size
        return tuple(reversed(coordinates))

    def rank(self, place: tuple[int, ...]) -> int:
        """The rank at coordinates, which count around the ends."""
        rank = 0
        for at, size in zip(place, self.sizes, strict=True):
            rank = rank * size + at % size
        return rank

    def along(self, rank: int, axis: int) -> tuple[int, ...]:
        """The ranks that differ from one in this coordinate at most, in their order."""
        place = self.place(rank)
        return tuple(self.rank((*place[:axis], at, *place[axis + 1 :])) for at in range(self.sizes[axis]))


@cache
def divided(ranks: int, axes: int) -> tuple[int, ...]:
    """Sizes of a grid as `MPI_Dims_create` makes them: as equal as can be, the greatest first."""
    if axes == 1:
        return (ranks,)
    best = (ranks, *([1] * (axes - 1)))
    for first in range(1, ranks + 1):
        if ranks % first == 0:
            sizes = tuple(sorted((first, *divided(ranks // first, axes - 1)), reverse=True))
            best = min(best, sizes, key=lambda each: (each[0] - each[-1], each))
    return best


@cache
def grids(ranks: int) -> tuple[RankGrid, ...]:
    """The arrangements that are tried, the simplest first. `turned` ones have the least size first."""
    plane, box = divided(ranks, 2), divided(ranks, 3)
    return (
        RankGrid("line", (ranks,)),
        RankGrid("plane", plane),
        RankGrid("turned plane", plane[::-1]),
        RankGrid("box", box),
        RankGrid("turned box", box[::-1]),
    )


@cache
def grid(name: str, ranks: int) -> RankGrid:
    """The arrangement of this name."""
    return next(each for each in grids(ranks) if each.name == name)


AXES = {"line": "x", "plane": "yx", "turned plane": "yx", "box": "zyx", "turned box": "zyx"}
"""What the coordinates are called, the slowest first."""
SIZES = {
    "line": ("P",),
    "plane": ("P1", "P2"),
    "turned plane": ("P2", "P1"),
    "box": ("Q1", "Q2", "Q3"),
    "turned box": ("Q3", "Q2", "Q1"),
}
"""What the sizes along them are called."""
