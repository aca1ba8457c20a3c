"""Which term of the estimate is the greatest where: a map over one or two parameters, as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apet.ground.interval import Interval, Number


class RegionAxis(NamedTuple):
    """A parameter that varies from `low` to `high`, through whole numbers or all; P or a name.

    `unit` is "s" for the time of an operation or a latency, "B/s" for a bandwidth, else empty.
    """

    name: str
    low: Number
    high: Number
    whole: bool
    unit: str = ""


class Crossing(NamedTuple):
    """Where one term takes over from another.

    `below` and `above` are values at which the two terms were found: neighbours for a whole parameter, else ends of an
    interval that holds the border. `formula` gives the border in symbols (None where there is no closed form), `value`
    its number: the second term takes over at it, or at the next whole number.
    """

    below: Number
    above: Number
    before: str
    after: str
    formula: str | None
    value: Number | None


class Region(NamedTuple):
    """A part of the range in which one term is the greatest, ends included.

    `term` is its name, `member` the busiest member of its family at the upper end (the term's name where it has none).
    `seconds` are the values of T at the lower and the upper end. `certain` is False where the term was found at some
    values of the part only.
    """

    low: Number
    high: Number
    term: str
    member: str
    seconds: tuple[float, float]
    certain: bool


class Line(NamedTuple):
    """The regions of one parameter in order; together they are its range.

    `crossings[k]` lies between `regions[k]` and `regions[k + 1]`. `resolution` is the relative width to which values
    that are not whole were told apart; `evaluations` how many boxes were looked at. `curve` are T in seconds at values
    from end to end, for a picture. `of` is what has the terms: "estimate", "lower" or "upper".
    """

    axis: RegionAxis
    end: str
    settings: Mapping[str, Number]
    terms: Mapping[str, str]
    regions: tuple[Region, ...]
    crossings: tuple[Crossing, ...]
    resolution: float
    evaluations: int
    curve: tuple[tuple[float, float], ...]
    of: str

    @property
    def certain(self) -> bool:
        """Whether the term of every value is proved."""
        return all(region.certain for region in self.regions)

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)


class MapCell(NamedTuple):
    """A rectangle in which one term is the greatest; `certain` is False where that is so at its middle only."""

    x: Interval
    y: Interval
    term: str
    certain: bool


class Border(NamedTuple):
    """A border between two terms, met at some points (x, y): `before` lies at smaller values of `unknown`.

    `formula` gives the parameter `unknown` on the border in terms of everything else; None where none was found.
    """

    before: str
    after: str
    unknown: str
    formula: str | None
    points: tuple[tuple[float, float], ...]


class Plane(NamedTuple):
    """A map over two parameters: cells that together are the whole rectangle, and the borders between terms.

    `shares` are the parts of the map's area, on its axes' scales, that the terms take for sure; `undecided` the rest.
    """

    x: RegionAxis
    y: RegionAxis
    end: str
    settings: Mapping[str, Number]
    terms: Mapping[str, str]
    cells: tuple[MapCell, ...]
    curves: tuple[Border, ...]
    shares: Mapping[str, float]
    undecided: float
    depth: int
    evaluations: int
    of: str

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)


def logarithmic(axis: RegionAxis) -> bool:
    """Whether an axis is better drawn, and halved, by factors: it spans more than two decades above 0."""
    return axis.low > 0 and axis.high > 100 * axis.low
