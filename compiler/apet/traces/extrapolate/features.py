"""What numbers of a model may be made of: products of sizes, of the shares of them that ranks have, and of the sizes of
grids of ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from apet.traces.extrapolate.grids import divided, grid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_FACTORS = 3
HEAVIEST = 4.8
"""Products of more weight are not tried."""
UNBOXED = 0.5
"""What sizes and shares weigh more, where ranks are arranged in a box, and those of a box less."""
ALONG = 0.05
"""What the share along the axis of a message weighs more than those that make the face it crosses."""
LIGHT = 2.6
"""Products up to this weight are tried times what changes with the iteration, too."""


class TracePoint(NamedTuple):
    """Where a number is wanted: sizes by name, a rank of so many, the iterations of loops around, innermost last."""

    sizes: tuple[tuple[str, float], ...]
    rank: int
    ranks: int
    indices: tuple[int, ...] = ()
    across: int | None = None
    """Whether shares along the axes of a box are to be expected first: those across this axis (-1: any), or None."""


class Feature(NamedTuple):
    """A product of variables, and how little it is to be expected."""

    factors: tuple[str, ...]
    weight: float

    @property
    def text(self) -> str:
        """`n² P`, `1` for the empty product."""
        return " ".join(self.factors)


ONE = Feature((), 0.0)
_PLANE = (("P1", "plane", 0), ("P2", "plane", 1))
_SHARES = (
    ("P", "line", 0, 0.1),
    *((name, where, axis, 0.2) for name, where, axis in _PLANE),
    ("P2", "turned plane", 0, 0.3),
    ("P1", "turned plane", 1, 0.3),
    *((f"Q{axis + 1}", "box", axis, 0.4) for axis in range(3)),
    *((f"Q{3 - axis}", "turned box", axis, 0.5) for axis in range(3)),
)
"""Which size of which grid a size may be divided by: name, grid, axis, and weight above that of the size."""


def sizes_and_shares(point: TracePoint) -> dict[str, tuple[float, float]]:
    """By name the value and weight of sizes, and of what a rank has of them: whole parts, the first ranks one more."""
    values = dict[str, tuple[float, float]]()
    unboxed = UNBOXED * (point.across is not None)
    for name, size in point.sizes:
        logarithm = math.log2(size)
        values |= {name: (size, 1.0 + unboxed), f"log2({name})": (logarithm, 1.2)}
        values[f"ceil(log2({name}))"] = float(math.ceil(logarithm)), 1.3

        for divisor, where, axis, more in _SHARES:
            around = grid(where, point.ranks)
            parts, at = around.sizes[axis], around.place(point.rank)[axis]
            share = size // parts + (at < size % parts) if size == int(size) else size / parts
            turned = "'" if where.startswith("turned") else ""
            heavier = ALONG * (axis == point.across) - unboxed if where.endswith("box") else unboxed
            values[f"{name}/{divisor}{turned}"] = share, 1.0 + more + heavier
    return values


def counts_of_ranks(point: TracePoint) -> dict[str, tuple[float, float]]:
    """By name the value and weight of numbers of ranks."""
    plane, box = divided(point.ranks, 2), divided(point.ranks, 3)
    values = dict[str, tuple[float, float]]()
    names = (("P", point.ranks, 1.0), ("P1", plane[0], 1.2), ("P2", plane[1], 1.2))
    for name, count, weight in (*names, *((f"Q{k + 1}", box[k], 1.6) for k in range(3))):
        values |= {name: (float(count), weight), f"1/{name}": (1 / count, weight)}
        values[f"log2({name})"] = math.log2(count), weight + 0.2
        values[f"ceil(log2({name}))"] = float((count - 1).bit_length()), weight + 0.3
    return values | {"rank": (float(point.rank), 1.4)}


def counts_of_iterations(point: TracePoint) -> dict[str, tuple[float, float]]:
    """By name the value and weight of what changes with the iterations."""
    values = dict[str, tuple[float, float]]()
    for number, index in enumerate(reversed(point.indices)):
        name = f"k{number}" if number else "k"
        powers = 2.0 ** min(index, 60)
        values |= {name: (float(index), 1.0 + number), f"2^{name}": (powers, 1.2 + number)}
        values[f"1/2^{name}"] = 1 / powers, 1.3 + number
    return values


def edges(point: TracePoint) -> dict[str, tuple[float, float]]:
    """By name 1 where a rank is at an end of a grid, else 0; and their weights."""
    values = dict[str, tuple[float, float]]()
    for name, axes in (("line", "x"), ("plane", "yx")):
        around = grid(name, point.ranks)
        for axis, at, size in zip(axes, around.place(point.rank), around.sizes, strict=True):
            short = f"{axis} of the {name}"
            values[f"[first {short}]"] = float(at == 0), 1.4
            values[f"[last {short}]"] = float(at == size - 1), 1.4
    return values


@cache
def values_at(point: TracePoint) -> dict[str, tuple[float, float]]:
    """All variables at a point, by name their values and weights."""
    return sizes_and_shares(point) | counts_of_ranks(point) | counts_of_iterations(point) | edges(point)


def value_of(feature: Feature, point: TracePoint) -> float:
    """The product at a point."""
    every = values_at(point)
    return math.prod(every[name][0] for name in feature.factors)


class FeatureTable(NamedTuple):
    """Features and their values at points: a column of `values` for each feature, a row for each point. `others` are,
    by feature, further ones with a proportional column, and by how much theirs has to be multiplied: none of the points
    tells them apart. `common` says of each feature whether it is the same at all points of a trace, of which there are
    `traces`."""

    features: list[Feature]
    values: NDArray[np.float64]
    others: list[list[tuple[float, Feature]]]
    common: NDArray[np.bool_]
    traces: int


@cache
def table(points: tuple[TracePoint, ...], bounded: bool = False) -> FeatureTable:
    """The features that are not 0 at all points; with `bounded` also those that are limited to ends of grids."""
    import numpy as np

    one: list[tuple[Feature, NDArray[np.float64]]] = [(ONE, np.ones(len(points)))]
    sizes = _columns([sizes_and_shares(p) for p in points])
    products = list(one)
    for number in range(1, MOST_FACTORS + 1):
        products += (_product(*each) for each in combinations_with_replacement(sizes, number))
    singles = _columns([counts_of_ranks(p) for p in points])
    pairs = (_product(*each) for each in combinations_with_replacement(singles, 2))
    counts = [*one, *singles, *(each for each in pairs if each[0].weight <= LIGHT)]
    more = one + (_columns([counts_of_iterations(p) for p in points]) if any(p.indices for p in points) else [])
    more += _columns([edges(p) for p in points]) if bounded else []

    features = [
        _product(size, count, extra)
        for size in products
        for count in counts
        for extra in more
        if size[0].weight + count[0].weight + extra[0].weight <= (HEAVIEST if extra is more[0] else LIGHT)
    ]
    sources: dict[object, int] = {}
    first = [sources.setdefault((point.sizes, point.ranks), row) for row, point in enumerate(points)]
    ordered = sorted(features, key=lambda each: (each[0].weight, each[0].factors))
    chosen, values, others = _distinct(ordered)
    return FeatureTable(chosen, values, others, (values == values[first]).all(axis=0), len(sources))


def _columns(values: Sequence[dict[str, tuple[float, float]]]) -> list[tuple[Feature, NDArray[np.float64]]]:
    import numpy as np

    return [
        (Feature((name,), weight), np.array([each[name][0] for each in values]))
        for name, (_, weight) in values[0].items()
    ]


def _product(*parts: tuple[Feature, NDArray[np.float64]]) -> tuple[Feature, NDArray[np.float64]]:
    factors = tuple(factor for feature, _ in parts for factor in feature.factors)
    return Feature(factors, sum(feature.weight for feature, _ in parts)), math.prod(column for _, column in parts)  # type: ignore[return-value]


def _distinct(
    columns: Sequence[tuple[Feature, NDArray[np.float64]]],
) -> tuple[list[Feature], NDArray[np.float64], list[list[tuple[float, Feature]]]]:
    """Features that differ at some point, their columns, and the others of each."""
    import numpy as np

    numbers: dict[bytes, int] = {}
    chosen: list[Feature] = []
    values: list[NDArray[np.float64]] = []
    others: list[list[tuple[float, Feature]]] = []
    for feature, column in columns:
        greatest = float(np.abs(column).max())
        if greatest == 0:
            continue
        key = np.round(column / greatest, 11).tobytes()
        number = numbers.setdefault(key, len(chosen))
        if number < len(chosen):
            others[number].append((float(np.abs(values[number]).max()) / greatest, feature))
        else:
            chosen.append(feature)
            values.append(column)
            others.append([])
    return chosen, np.column_stack(values), others
