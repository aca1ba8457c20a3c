"""Which term of the estimate is the greatest where: a map over one or two parameters, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apet.ground.interval import Interval, Number


@dataclass(frozen=True, slots=True)
class RegionAxis:
    """A parameter that varies from `low` to `high`, through whole numbers or all; P or a name.

    `unit` is "s" for the time of an operation or a latency, "B/s" for a bandwidth, else empty.
    """

    name: str  #: "P", a parameter or a figure
    low: Number  #: in `unit`
    high: Number  #: in `unit`
    whole: bool  #: whether through whole numbers
    unit: str = ""  #: "s", "B/s" or ""


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where one term takes over from another.

    `below` and `above` are values at which the two terms were found: neighbours for a whole parameter, else ends of an
    interval that holds the border. `formula` gives the border in symbols (None where there is no closed form), `value`
    its number: the second term takes over at it, or at the next whole number.
    """

    below: Number  #: in the unit of the axis
    above: Number  #: in the unit of the axis
    before: str  #: term below
    after: str  #: term above
    formula: str | None  #: of the border
    value: Number | None  #: in the unit of the axis


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the range in which one term is the greatest, ends included.

    `term` is its name, `member` the busiest member of its family at the upper end (the term's name where it has none).
    `seconds` are the values of T at the lower and the upper end. `certain` is False where the term was found at some
    values of the part only.
    """

    low: Number  #: in the unit of the axis
    high: Number  #: in the unit of the axis
    term: str  #: "T0" or "T[…]"
    member: str  #: "T0" or "T[…]"
    seconds: tuple[float, float]  #: T at `low` and at `high`
    certain: bool  #: whether at every value


@dataclass(frozen=True, slots=True)
class Line:
    """The regions of one parameter in order; together they are its range.

    `crossings[k]` lies between `regions[k]` and `regions[k + 1]`. `resolution` is the relative width to which values
    that are not whole were told apart; `evaluations` how many boxes were looked at. `curve` are T in seconds at values
    from end to end, for a picture. `of` is what has the terms: "estimate", "lower" or "upper".
    """

    axis: RegionAxis  #: what varies
    end: str  #: "tmin" or "tmax": which operation times
    settings: Mapping[str, Number]  #: by name: what does not vary
    terms: Mapping[str, str] = field(repr=False)  #: by name: the formula
    regions: tuple[Region, ...]  #: in order, without gaps
    crossings: tuple[Crossing, ...]  #: between two regions each
    resolution: float  #: relative
    evaluations: int  #: number of boxes
    curve: tuple[tuple[float, float], ...] = field(repr=False)  #: (value in the unit of the axis, T in seconds)
    of: str  #: "estimate", "lower" or "upper"
    room: bool = False  #: whether the bounds leave room for a mean run time that is far from T

    @property
    def certain(self) -> bool:
        """Whether the term of every value is proved."""
        return all(region.certain for region in self.regions)

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)


@dataclass(frozen=True, slots=True)
class MapCell:
    """A rectangle in which one term is the greatest; `certain` is False where that is so at its middle only."""

    x: Interval  #: in the unit of the x axis
    y: Interval  #: in the unit of the y axis
    term: str  #: "T0" or "T[…]"
    certain: bool  #: whether at every point


@dataclass(frozen=True, slots=True)
class Border:
    """A border between two terms, met at some points (x, y): `before` lies at smaller values of `unknown`.

    `formula` gives the parameter `unknown` on the border in terms of everything else; None where none was found.
    """

    before: str  #: term
    after: str  #: term
    unknown: str  #: name of the parameter
    formula: str | None  #: of the parameter
    points: tuple[tuple[float, float], ...] = field(repr=False)  #: (x, y), in the units of the axes


@dataclass(frozen=True, slots=True)
class Plane:
    """A map over two parameters: cells that together are the whole rectangle, and the borders between terms.

    `shares` are the parts of the map's area, on its axes' scales, that the terms take for sure; `undecided` the rest.
    """

    x: RegionAxis  #: what varies
    y: RegionAxis  #: what varies
    end: str  #: "tmin" or "tmax": which operation times
    settings: Mapping[str, Number]  #: by name: what does not vary
    terms: Mapping[str, str] = field(repr=False)  #: by name: the formula
    cells: tuple[MapCell, ...] = field(repr=False)  #: together the whole rectangle
    curves: tuple[Border, ...] = field(repr=False)  #: borders between terms
    shares: Mapping[str, float]  #: by term: share of the area, 0 to 1
    undecided: float  #: share of the area, 0 to 1
    depth: int  #: how often cells were halved at most
    evaluations: int  #: number of boxes
    of: str  #: "estimate", "lower" or "upper"
    room: bool = False  #: whether the bounds leave room for a mean run time that is far from T

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)


def logarithmic(axis: RegionAxis) -> bool:
    """Whether an axis is better drawn, and halved, by factors: it spans more than two decades above 0."""
    return axis.low > 0 and axis.high > 100 * axis.low
