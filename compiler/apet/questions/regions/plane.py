"""The map over two parameters: a rectangle quartered until each part has a proved term (a quadtree; Finkel and Bentley
1974), and the borders met on the way."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import product
from math import log

from apet.ground.activity import Activity
from apet.ground.interval import Interval, Number
from apet.questions.regions.line import formula_of_border, formulas, halves, most_boxes, settings, starts
from apet.questions.regions.proofs import certify
from apet.questions.regions.regions import Border, MapCell, Plane, RegionAxis, logarithmic
from apet.questions.regions.term_map import TermMap

MOST_CELLS = 8_000
MOST_SAMPLES = 40
"""Border cells in which the border itself is looked for."""
STEPS = 40
NEARNESS = Fraction(1, 10**8)


def plane(term_map: TermMap, depth: int) -> Plane:
    """The cells and borders of the two axes of a term_map."""
    x, y = term_map.axes
    with Activity("mapping", "evaluations", lambda: term_map.evaluations, whole=MOST_CELLS, advice="narrow the ranges"):
        cells = _cells(term_map, x, y, depth)
    areas: dict[str, float] = dict.fromkeys(term_map.names, 0.0)
    undecided = 0.0

    for cell in cells:
        area = _extent(cell.x, x) * _extent(cell.y, y)
        if cell.certain:
            areas[cell.term] += area
        else:
            undecided += area

    whole = sum(areas.values()) + undecided
    return Plane(
        x=x,
        y=y,
        end=term_map.end,
        settings=settings(term_map),
        terms=formulas(term_map),
        cells=cells,
        curves=_curves(term_map, x, y, cells),
        shares={name: area / whole for name, area in areas.items() if area},
        undecided=undecided / whole,
        depth=depth,
        evaluations=term_map.evaluations,
        of=term_map.terms.of,
    )


def _cells(term_map: TermMap, x: RegionAxis, y: RegionAxis, depth: int) -> tuple[MapCell, ...]:
    waiting = deque((0, a, b) for a, b in product(starts(term_map, x), starts(term_map, y)))
    cells, most = list[MapCell](), most_boxes(term_map, MOST_CELLS)
    while waiting:
        level, a, b = waiting.popleft()
        box = {x.name: a, y.name: b}
        top_term = certify(term_map, box)
        if top_term is not None:
            cells.append(MapCell(a, b, term_map.names[top_term], True))
        elif level >= depth or term_map.evaluations >= most:
            top = term_map.values_at(term_map.middle(box)).top
            cells.append(MapCell(a, b, term_map.names[top], False))
        else:
            parts = product(*([i] if i.is_point else halves(i, axis) for i, axis in ((a, x), (b, y))))
            waiting += [(level + 1, p, q) for p, q in parts]

    return tuple(sorted(cells, key=lambda c: (*c.x, *c.y)))


def _extent(part: Interval, axis: RegionAxis) -> float:
    """How wide a part is on its axis; a whole number is as wide as 1."""
    low, high = (Fraction(part.lo), Fraction(part.hi))
    if axis.whole:
        low, high = low - Fraction(1, 2), high + Fraction(1, 2)
    return log(high) - log(low) if logarithmic(axis) else float(high - low)


def _curves(term_map: TermMap, x: RegionAxis, y: RegionAxis, cells: tuple[MapCell, ...]) -> tuple[Border, ...]:
    """The borders in a sample of the cells that they run through, those of one formula together."""
    border = [c for c in cells if not c.certain]
    step = max(1, -(-len(border) // MOST_SAMPLES))
    points_of: dict[tuple[str, str, str, str | None], list[tuple[float, float]]] = {}

    for cell in border[step // 2 :: step]:
        tried = []
        # a border crosses the middle of a cell upwards or sideways; one direction may have a formula where the other
        # has none
        for axis, along, other in ((y, cell.y, cell.x), (x, cell.x, cell.y)):
            rest = {(x if axis is y else y).name: _inside(term_map, cell, other)}
            crossing = _border_crossing(term_map, axis, along, rest)
            if crossing is not None:
                tried.append((axis.name, *crossing))
        if tried:
            unknown, before, after, formula, point = next((t for t in tried if t[3] is not None), tried[0])
            key = (term_map.names[before], term_map.names[after], unknown, formula)
            points_of.setdefault(key, []).append((float(point[x.name]), float(point[y.name])))

    curves = [Border(*key, tuple(sorted(points))) for key, points in points_of.items()]
    return tuple(sorted(curves, key=lambda c: (c.before, c.after, -len(c.points), c.formula or "")))


def _inside(term_map: TermMap, cell: MapCell, part: Interval) -> Number:
    first, second = term_map.axes
    inside = term_map.middle({first.name: cell.x, second.name: cell.y})
    return inside[first.name] if part is cell.x else inside[second.name]


def _border_crossing(
    term_map: TermMap, axis: RegionAxis, along: Interval, rest: dict[str, Number]
) -> tuple[int, int, str | None, dict[str, Number]] | None:
    """The change of the term between both ends of a part of one axis: terms, formula, and where."""

    def at(value: Number) -> dict[str, Number]:
        return {axis.name: value, **rest}

    low, high = along
    before, after = term_map.values_at(at(low)).top, term_map.values_at(at(high)).top
    if before == after:
        return None
    for _ in range(STEPS):
        middle: Number = (int(low) + int(high)) // 2 if axis.whole else Fraction(float((low + high) / 2))
        if not low < middle < high or (not axis.whole and Fraction(high - low) <= NEARNESS * abs(Fraction(high))):
            break
        top = term_map.values_at(at(middle)).top
        if top == before:
            low = middle
        else:
            high, after = middle, top

    solved = formula_of_border(term_map, axis, at(low), at(high), before, after)
    return before, after, solved[0] if solved else None, at(high)
