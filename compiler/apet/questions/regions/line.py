"""The regions of one parameter: its range split until each part has a proved term, and what lies between them."""

from __future__ import annotations

import heapq
from fractions import Fraction
from itertools import count, pairwise
from typing import NamedTuple

from apet.formula.algebra.roots import roots
from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.rounding import infinite
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Symbol
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.questions.regions.errors import TooLongLoops
from apet.questions.regions.proofs import Prover
from apet.questions.regions.regions import Axis, Crossing, Line, Region, logarithmic
from apet.questions.regions.term_map import Landscape, middle

MOST_BOXES = 6_000
MOST_ROUNDS = 1_000_000
"""Rounds of loops without closed form, in all boxes together, but for the fewest boxes."""
FEWEST = 6
LONGEST = 100_000
"""A longer loop is not run again and again."""
RESOLUTION = 1e-9
CLOSEST = 1e-15
LONGEST_FORMULA = 600
CURVE = 120
MOST_LISTED = 20_000
"""Processors up to which the busiest member is looked for one by one."""
NEARLY = Fraction(1, 10**7)


class Part(NamedTuple):
    """A range with its term; not `certain` where that was found at its middle only."""

    low: Number
    high: Number
    top: int
    certain: bool


def line(landscape: Landscape, resolution: float = RESOLUTION, drawn: bool = False) -> Line:
    """The regions of the only axis of a landscape; `drawn` asks for the values of a curve as well."""
    axis = landscape.axes[0]
    parts = _joined(_parts(landscape, axis, resolution), axis)
    crossings = tuple(_crossing(landscape, axis, a, b) for a, b in pairwise(parts) if a.top != b.top)
    for part in parts:
        landscape.check({axis.name: part.low})
        landscape.check({axis.name: part.high})
    regions = tuple(_region(landscape, axis, part) for part in parts)
    return Line(
        axis,
        landscape.end,
        settings(landscape),
        formulas(landscape),
        regions,
        crossings,
        0 if axis.whole else resolution,
        landscape.evaluations,
        _curve(landscape, axis) if drawn else (),
        landscape.terms.of,
    )


def _curve(landscape: Landscape, axis: Axis) -> tuple[tuple[float, float], ...]:
    """T at values spread evenly on the scale of the axis; few where a value needs a loop over many machines."""
    values: list[Number] = [axis.low, axis.high]
    points = CURVE if most_boxes(landscape, MOST_BOXES) == MOST_BOXES else CURVE // 8
    while len(values) < points:
        between = [middle(Interval(a, b), axis) for a, b in pairwise(values)]
        fresh = sorted({*values, *between})
        if len(fresh) == len(values):
            break
        values = fresh
    return tuple((float(at), landscape.seconds({axis.name: at})) for at in values)


def settings(landscape: Landscape) -> dict[str, Number]:
    """The parameters that stay."""
    lows, highs = ({a.name: end for a, end in zip(landscape.axes, ends, strict=True)} for ends in _corners(landscape))
    low, high = landscape.values_of(lows), landscape.values_of(highs)
    fixed = {n: v for n, v in low.items() if n not in lows and high.get(n) == v}
    return {"P": fixed.pop("P")} | fixed if "P" in fixed else fixed


def _corners(landscape: Landscape) -> tuple[list[Number], list[Number]]:
    return [a.low for a in landscape.axes], [a.high for a in landscape.axes]


def formulas(landscape: Landscape) -> dict[str, str]:
    """The terms as formulas, machines by number."""
    terms = landscape.terms
    return {name: formula.text(12) for name, formula in zip(terms.names, terms.formulas, strict=True)}


def most_boxes(landscape: Landscape, most: int) -> int:
    """How many boxes to look at: fewer where a value needs long loops; `ApetError` where it takes too long."""
    stage = landscape.stage(landscape.segments[-1].high)
    if not stage.loops:
        return most
    box = {a.name: Interval(a.low, a.high) for a in landscape.axes}
    if "P" in box:
        box["P"] = Interval(stage.segment.low, stage.segment.high)
    rounds = Prover(landscape, box, sharp=False).longest_loop()
    if rounds > LONGEST:
        shown = "unknown length" if infinite(rounds) else f"{int(rounds):,} rounds"
        raise ApetError(TooLongLoops(None, None, landscape.app.name, shown))
    return max(FEWEST, min(most, MOST_ROUNDS // max(1, int(rounds))))


def _parts(landscape: Landscape, axis: Axis, resolution: float) -> list[Part]:
    """Ranges with proved terms, the widest split first while there is work left; in order."""
    queue: list[tuple[float, int, Interval]] = []
    order, done, most = count(), list[Part](), most_boxes(landscape, MOST_BOXES)

    def put(x: Interval) -> None:
        heapq.heappush(queue, (-_width(x, axis), next(order), x))

    for x in starts(landscape, axis):
        put(x)
    while queue:
        _, _, x = heapq.heappop(queue)
        found = landscape.certify({axis.name: x})
        if found is not None:
            done.append(Part(x.lo, x.hi, found, True))
            continue
        ends = landscape.one_crossing({axis.name: x})
        if ends is not None:
            below, above = _bisected(landscape, axis, x, ends[0])
            done += [Part(x.lo, below, ends[0], True), Part(above, x.hi, ends[1], True)]
        elif landscape.evaluations >= most or (not axis.whole and _narrow(x, axis, resolution)):
            done.append(Part(x.lo, x.hi, landscape.heights(landscape.middle({axis.name: x})).top, False))
        else:
            for half in halves(x, axis):
                put(half)
    return sorted(done)


def starts(landscape: Landscape, axis: Axis) -> list[Interval]:
    """The range of an axis; that of P in parts with the same kinds of machines."""
    if axis.name == "P":
        return [Interval(s.low, s.high) for s in landscape.segments]
    return [Interval(axis.low, axis.high)]


def halves(x: Interval, axis: Axis) -> list[Interval]:
    """Both halves of an interval that is no point."""
    at = middle(x, axis)
    if axis.whole:
        return [Interval(x.lo, at), Interval(int(at) + 1, x.hi)]
    return [Interval(x.lo, at), Interval(at, x.hi)]


def _width(x: Interval, axis: Axis) -> float:
    if logarithmic(axis):
        return float(Fraction(x.hi - x.lo) / Fraction(x.lo))
    return float(Fraction(x.hi - x.lo) / Fraction(axis.high - axis.low or 1))


def _narrow(x: Interval, axis: Axis, resolution: float) -> bool:
    scale = max(size(x), size(Interval(axis.low, axis.high)) / 10**6)
    return Fraction(x.hi) - Fraction(x.lo) <= Fraction(resolution) * scale


def size(x: Interval) -> Fraction:
    """The greatest absolute value in an interval."""
    return max(abs(Fraction(x.lo)), abs(Fraction(x.hi)))


def _bisected(landscape: Landscape, axis: Axis, x: Interval, before: int) -> tuple[Number, Number]:
    """Neighbours of which the first has the term before the only crossing, and the second has not."""
    below, above = x
    while above - below > (1 if axis.whole else Fraction(CLOSEST) * size(Interval(below, above))):
        at: Number = (int(below) + int(above)) // 2 if axis.whole else Fraction(float((below + above) / 2))
        if not below < at < above:
            break
        if landscape.heights({axis.name: at}).top == before:
            below = at
        else:
            above = at
    return below, above


def _joined(parts: list[Part], axis: Axis) -> list[Part]:
    """Neighbours of one term made one; what is uncertain stays by itself."""
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if last is not None and (last.top, last.certain) == (part.top, part.certain):
            found[-1] = last._replace(high=part.high)
        else:
            found.append(part)
    return found


def _region(landscape: Landscape, axis: Axis, part: Part) -> Region:
    member = busiest(landscape, {axis.name: part.high}, part.top)
    low, high = (landscape.seconds({axis.name: end}) for end in (part.low, part.high))
    return Region(part.low, part.high, landscape.names[part.top], member, (low, high), part.certain)


def busiest(landscape: Landscape, point: dict[str, Number], top: int) -> str:
    """The member of a family that has a term, with its number at a point; the term itself where it has none."""
    name = landscape.names[top]
    resources = landscape.app.resources if landscape.terms.of_resources else ()
    if top >= len(resources) or resources[top].table is None:
        return name
    P = landscape.processors(point)
    stage, best = landscape.stage(P), landscape.heights(point).best[top]
    configuration = landscape.predictor.machines.configure(P)
    resource = resources[top]
    assert resource.table is not None
    if P <= MOST_LISTED and not any(a.unit for a in landscape.axes):
        values = landscape.values_of(point)
        label = landscape.predictor._busiest(configuration, values, resource.table, resource.label, landscape.end)
        return f"T[{label}]"
    if not resource.ranges:
        return name  # it may be a member apart from the machines
    symbols = symbols_in(stage.graph, best)
    for names, last in ((stage.names.first, False), (stage.names.last, True)):
        for symbol, group in zip(names, configuration.groups, strict=True):
            if symbol in symbols:
                return f"T[{resource.family}[{group.last if last else group.first}]]"
    return name


def symbols_in(graph: Graph, node: NodeId) -> frozenset[str]:
    """The names of the symbols that a node is made of."""
    found = (graph.nodes[n] for n in graph.below(node))
    return frozenset(n.name for n in found if isinstance(n, Symbol))


def _crossing(landscape: Landscape, axis: Axis, a: Part, b: Part) -> Crossing:
    names = landscape.names
    solved = None
    if a.certain and b.certain:
        solved = formula_of_border(landscape, axis, {axis.name: a.high}, {axis.name: b.low}, a.top, b.top)
    text, value = solved if solved is not None else (None, None)
    return Crossing(a.high, b.low, names[a.top], names[b.top], text, value)


def formula_of_border(
    landscape: Landscape, axis: Axis, below: dict[str, Number], above: dict[str, Number], before: int, after: int
) -> tuple[str, Number] | None:
    """The value of an axis at which two terms are equal, as a formula and as a number; None if none is found.

    The candidates of `apet.formula.algebra.roots` are kept only if their value lies where the border was found.
    """
    P = landscape.processors(above)
    stage = landscape.stage(P)
    a = landscape.heights(below if landscape.segment(P).low <= landscape.processors(below) else above).best[before]
    b = landscape.heights(above).best[after]
    if landscape.segment(P).low > landscape.processors(below):
        return None  # between two kinds of machines: the formulas differ on both sides
    difference = stage.graph.minus(b, a)
    if axis.name in stage.moved_by_dealing(difference):
        return None
    for node in roots(stage.graph, difference, stage.graph.symbol(axis.name)):
        value = _value(landscape, node, above)
        if value is not None and _fits(value, below[axis.name], above[axis.name]):
            text = Formula(stage.graph, node).text()
            return (text, value) if len(text) <= LONGEST_FORMULA else None
    return None


def _value(landscape: Landscape, node: NodeId, point: dict[str, Number]) -> Number | None:
    stage = landscape.stage(landscape.processors(point))
    try:
        return landscape.plan(stage, node).run(landscape.environment(point))[0]
    except (EvaluationError, LookupError, OverflowError, ApetError):
        return None


def _fits(value: Number, below: Number, above: Number) -> bool:
    margin = NEARLY * size(Interval(below, above))
    return Fraction(below) - margin <= Fraction(value) <= Fraction(above) + margin
