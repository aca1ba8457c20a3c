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
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.questions.regions.errors import TooLongLoops
from apet.questions.regions.proofs import Prover, certify, one_crossing
from apet.questions.regions.regions import Crossing, Line, Region, RegionAxis, logarithmic
from apet.questions.regions.term_map import TermMap, middle
from apet.show.formula_lines import text_of

MOST_BOXES = 6_000
MOST_ROUNDS = 50_000
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


class TermRange(NamedTuple):
    """A range with its term; not `certain` where that was found at its middle only."""

    low: Number
    high: Number
    top: int
    certain: bool


def line(term_map: TermMap, resolution: float = RESOLUTION, drawn: bool = False) -> Line:
    """The regions of the only axis of a term_map; `drawn` asks for the values of a curve as well."""
    axis = term_map.axes[0]
    with Activity("mapping", "evaluations", lambda: term_map.evaluations, advice="narrow the range"):
        parts = _joined(_parts(term_map, axis, resolution), axis)
    crossings = tuple(_crossing(term_map, axis, a, b) for a, b in pairwise(parts) if a.top != b.top)

    for part in parts:
        term_map.check({axis.name: part.low})
        term_map.check({axis.name: part.high})

    regions = tuple(_region(term_map, axis, part) for part in parts)
    return Line(
        axis=axis,
        end=term_map.end,
        settings=settings(term_map),
        terms=formulas(term_map),
        regions=regions,
        crossings=crossings,
        resolution=0 if axis.whole else resolution,
        evaluations=term_map.evaluations,
        curve=_curve(term_map, axis) if drawn else (),
        of=term_map.terms.of,
    )


def _curve(term_map: TermMap, axis: RegionAxis) -> tuple[tuple[float, float], ...]:
    """T at values spread evenly on the scale of the axis; few where a value needs a loop over many machines."""
    values: list[Number] = [axis.low, axis.high]
    points = CURVE if most_boxes(term_map, MOST_BOXES) == MOST_BOXES else CURVE // 8
    while len(values) < points:
        between = [middle(Interval(a, b), axis) for a, b in pairwise(values)]
        fresh = sorted({*values, *between})
        if len(fresh) == len(values):
            break
        values = fresh
    return tuple((float(at), term_map.seconds({axis.name: at})) for at in values)


def settings(term_map: TermMap) -> dict[str, Number]:
    """The parameters that stay."""
    lows, highs = ({a.name: end for a, end in zip(term_map.axes, ends, strict=True)} for ends in _corners(term_map))
    low, high = term_map.values_of(lows), term_map.values_of(highs)
    fixed = {n: v for n, v in low.items() if n not in lows and high.get(n) == v}
    return {"P": fixed.pop("P")} | fixed if "P" in fixed else fixed


def _corners(term_map: TermMap) -> tuple[list[Number], list[Number]]:
    return [a.low for a in term_map.axes], [a.high for a in term_map.axes]


def formulas(term_map: TermMap) -> dict[str, str]:
    """The terms as formulas, machines by number."""
    terms = term_map.terms
    return {name: text_of(formula, 12) for name, formula in zip(terms.names, terms.formulas, strict=True)}


def most_boxes(term_map: TermMap, most: int) -> int:
    """How many boxes to look at: fewer where a value needs long loops; `ApetError` where it takes too long."""
    segment_terms = term_map.segment_terms(term_map.segments[-1].high)
    if not segment_terms.loops:
        return most

    box = {a.name: Interval(a.low, a.high) for a in term_map.axes}
    if "P" in box:
        box["P"] = Interval(segment_terms.segment.low, segment_terms.segment.high)

    rounds = Prover(term_map, box, sharp=False).longest_loop()
    if rounds > LONGEST:
        length = "unknown length" if infinite(rounds) else f"{int(rounds):,} rounds"
        raise ApetError(TooLongLoops(None, None, term_map.app.name, length))
    return max(FEWEST, min(most, MOST_ROUNDS // max(1, int(rounds))))


def _parts(term_map: TermMap, axis: RegionAxis, resolution: float) -> list[TermRange]:
    """Ranges with proved terms, the widest split first while there is work left; in order."""
    # the widest first, so that what stays uncertain when the work is spent is as narrow as can be; a running
    # number breaks ties, since intervals have no order
    queue: list[tuple[float, int, Interval]] = []
    order, ranges, most = count(), list[TermRange](), most_boxes(term_map, MOST_BOXES)

    def put(x: Interval) -> None:
        heapq.heappush(queue, (-_width(x, axis), next(order), x))

    for x in starts(term_map, axis):
        put(x)
    while queue:
        _, _, x = heapq.heappop(queue)
        top = certify(term_map, {axis.name: x})
        if top is not None:
            ranges.append(TermRange(x.lo, x.hi, top, True))
            continue

        # one proved crossing is bisected at once: halving towards it would leave a trail of ever smaller boxes
        ends = one_crossing(term_map, {axis.name: x})
        if ends is not None:
            below, above = _bisected(term_map, axis, x, ends[0])
            ranges += [TermRange(x.lo, below, ends[0], True), TermRange(above, x.hi, ends[1], True)]
        elif term_map.evaluations >= most or (not axis.whole and _narrow(x, axis, resolution)):
            ranges.append(TermRange(x.lo, x.hi, term_map.values_at(term_map.middle({axis.name: x})).top, False))
        else:
            for half in halves(x, axis):
                put(half)
    return sorted(ranges)


def starts(term_map: TermMap, axis: RegionAxis) -> list[Interval]:
    """The range of an axis; that of P in parts with the same kinds of machines."""
    if axis.name == "P":
        return [Interval(s.low, s.high) for s in term_map.segments]
    return [Interval(axis.low, axis.high)]


def halves(x: Interval, axis: RegionAxis) -> list[Interval]:
    """Both halves of an interval that is no point."""
    at = middle(x, axis)
    if axis.whole:
        return [Interval(x.lo, at), Interval(int(at) + 1, x.hi)]
    return [Interval(x.lo, at), Interval(at, x.hi)]


def _width(x: Interval, axis: RegionAxis) -> float:
    if logarithmic(axis):
        return float(Fraction(x.hi - x.lo) / Fraction(x.lo))
    return float(Fraction(x.hi - x.lo) / Fraction(axis.high - axis.low or 1))


def _narrow(x: Interval, axis: RegionAxis, resolution: float) -> bool:
    scale = max(size(x), size(Interval(axis.low, axis.high)) / 10**6)
    return Fraction(x.hi) - Fraction(x.lo) <= Fraction(resolution) * scale


def size(x: Interval) -> Fraction:
    """The greatest absolute value in an interval."""
    return max(abs(Fraction(x.lo)), abs(Fraction(x.hi)))


def _bisected(term_map: TermMap, axis: RegionAxis, x: Interval, before: int) -> tuple[Number, Number]:
    """Neighbours of which the first has the term before the only crossing, and the second has not."""
    below, above = x
    while above - below > (1 if axis.whole else Fraction(CLOSEST) * size(Interval(below, above))):
        at: Number = (int(below) + int(above)) // 2 if axis.whole else Fraction(float((below + above) / 2))
        # neighbouring floats: no float lies between them
        if not below < at < above:
            break
        if term_map.values_at({axis.name: at}).top == before:
            below = at
        else:
            above = at
    return below, above


def _joined(parts: list[TermRange], axis: RegionAxis) -> list[TermRange]:
    """Neighbours of one term made one; what is uncertain stays by itself."""
    ranges: list[TermRange] = []
    for part in parts:
        last = ranges[-1] if ranges else None
        if last is not None and (last.top, last.certain) == (part.top, part.certain):
            ranges[-1] = last._replace(high=part.high)
        else:
            ranges.append(part)
    return ranges


def _region(term_map: TermMap, axis: RegionAxis, part: TermRange) -> Region:
    member = busiest(term_map, {axis.name: part.high}, part.top)
    low, high = (term_map.seconds({axis.name: end}) for end in (part.low, part.high))
    return Region(part.low, part.high, term_map.names[part.top], member, (low, high), part.certain)


def busiest(term_map: TermMap, point: dict[str, Number], top: int) -> str:
    """The member of a family that has a term, with its number at a point; the term itself where it has none."""
    name = term_map.names[top]
    resources = term_map.app.resources if term_map.terms.of_resources else ()
    if top >= len(resources) or resources[top].table is None:
        return name
    P = term_map.processors(point)
    segment_terms, best = term_map.segment_terms(P), term_map.values_at(point).best[top]
    deployment = term_map.predictor.deployed(P)
    resource = resources[top]
    assert resource.table is not None
    if P <= MOST_LISTED and not any(a.unit for a in term_map.axes):
        values = term_map.values_of(point)
        label = term_map.predictor.busiest(deployment, values, resource.table, resource.label, term_map.end)
        return f"T[{label}]"
    if not resource.ranges:
        return name  # it may be a member apart from the machines
    symbols = symbols_in(segment_terms.graph, best)

    for names, last in ((segment_terms.names.first, False), (segment_terms.names.last, True)):
        for symbol, group in zip(names, deployment.groups, strict=True):
            if symbol in symbols:
                return f"T[{resource.label.partition('[')[0]}[{group.last if last else group.first}]]"
    return name


def symbols_in(graph: Graph, node: NodeId) -> frozenset[str]:
    """The names of the symbols that a node is made of."""
    nodes = (graph.nodes[n] for n in graph.below(node))
    return frozenset(n.name for n in nodes if isinstance(n, Symbol))


def _crossing(term_map: TermMap, axis: RegionAxis, a: TermRange, b: TermRange) -> Crossing:
    names = term_map.names
    solved = None
    if a.certain and b.certain:
        solved = formula_of_border(term_map, axis, {axis.name: a.high}, {axis.name: b.low}, a.top, b.top)
    text, value = solved if solved is not None else (None, None)
    return Crossing(a.high, b.low, names[a.top], names[b.top], text, value)


def formula_of_border(
    term_map: TermMap, axis: RegionAxis, below: dict[str, Number], above: dict[str, Number], before: int, after: int
) -> tuple[str, Number] | None:
    """The value of an axis at which two terms are equal, as a formula and as a number; None if none is found.

    The candidates of `apet.formula.algebra.roots` are kept only if their value lies where the border was found.
    """
    P = term_map.processors(above)
    segment_terms = term_map.segment_terms(P)
    a = term_map.values_at(below if term_map.segment(P).low <= term_map.processors(below) else above).best[before]
    b = term_map.values_at(above).best[after]
    if term_map.segment(P).low > term_map.processors(below):
        return None  # between two kinds of machines: the formulas differ on both sides
    difference = segment_terms.graph.minus(b, a)
    if axis.name in segment_terms.moved_by_dealing(difference):
        return None

    for node in roots(segment_terms.graph, difference, segment_terms.graph.symbol(axis.name)):
        value = _value(term_map, node, above)
        if value is not None and _fits(value, below[axis.name], above[axis.name]):
            text = Formula(segment_terms.graph, node).text()
            return (text, value) if len(text) <= LONGEST_FORMULA else None
    return None


def _value(term_map: TermMap, node: NodeId, point: dict[str, Number]) -> Number | None:
    segment_terms = term_map.segment_terms(term_map.processors(point))
    try:
        return segment_terms.plan_of(node).run(term_map.environment(point))[0]
    except (EvaluationError, LookupError, OverflowError, ApetError):
        return None


def _fits(value: Number, below: Number, above: Number) -> bool:
    margin = NEARLY * size(Interval(below, above))
    return Fraction(below) - margin <= Fraction(value) <= Fraction(above) + margin
