"""The map over two parameters: a rectangle quartered until each part has a proved term (a quadtree; Finkel and Bentley
1974), and the borders met on the way."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from itertools import product
from math import log

from apet.ground.interval import Interval, Number
from apet.questions.regions.line import formula_of_border, formulas, halves, most_boxes, settings, starts
from apet.questions.regions.regions import Axis, Cell, Curve, Plane, logarithmic
from apet.questions.regions.term_map import Landscape

MOST_CELLS = 8_000
MOST_SAMPLES = 40
"""Border cells in which the border itself is looked for."""
STEPS = 40
NEARNESS = Fraction(1, 10**8)


def plane(landscape: Landscape, depth: int) -> Plane:
    """The cells and borders of the two axes of a landscape."""
    x, y = landscape.axes
    cells = _cells(landscape, x, y, depth)
    areas: dict[str, float] = dict.fromkeys(landscape.names, 0.0)
    undecided = 0.0
    for cell in cells:
        area = _extent(cell.x, x) * _extent(cell.y, y)
        if cell.certain:
            areas[cell.term] += area
        else:
            undecided += area
    whole = sum(areas.values()) + undecided
    return Plane(
        x,
        y,
        landscape.end,
        settings(landscape),
        formulas(landscape),
        cells,
        _curves(landscape, x, y, cells),
        {name: area / whole for name, area in areas.items() if area},
        undecided / whole,
        depth,
        landscape.evaluations,
        landscape.terms.of,
    )


def _cells(landscape: Landscape, x: Axis, y: Axis, depth: int) -> tuple[Cell, ...]:
    waiting = deque((0, a, b) for a, b in product(starts(landscape, x), starts(landscape, y)))
    done, most = list[Cell](), most_boxes(landscape, MOST_CELLS)
    while waiting:
        level, a, b = waiting.popleft()
        box = {x.name: a, y.name: b}
        found = landscape.certify(box)
        if found is not None:
            done.append(Cell(a, b, landscape.names[found], True))
        elif level >= depth or landscape.evaluations >= most:
            top = landscape.heights(landscape.middle(box)).top
            done.append(Cell(a, b, landscape.names[top], False))
        else:
            parts = product(*([i] if i.is_point else halves(i, axis) for i, axis in ((a, x), (b, y))))
            waiting += [(level + 1, p, q) for p, q in parts]
    return tuple(sorted(done, key=lambda c: (*c.x, *c.y)))


def _extent(part: Interval, axis: Axis) -> float:
    """How wide a part is on its axis; a whole number is as wide as 1."""
    low, high = (Fraction(part.lo), Fraction(part.hi))
    if axis.whole:
        low, high = low - Fraction(1, 2), high + Fraction(1, 2)
    return log(high) - log(low) if logarithmic(axis) else float(high - low)


def _curves(landscape: Landscape, x: Axis, y: Axis, cells: tuple[Cell, ...]) -> tuple[Curve, ...]:
    """The borders in a sample of the cells that they run through, those of one formula together."""
    border = [c for c in cells if not c.certain]
    step = max(1, -(-len(border) // MOST_SAMPLES))
    found: dict[tuple[str, str, str, str | None], list[tuple[float, float]]] = {}
    for cell in border[step // 2 :: step]:
        tried = []
        for axis, along, other in ((y, cell.y, cell.x), (x, cell.x, cell.y)):
            rest = {(x if axis is y else y).name: _inside(landscape, cell, other)}
            met = _met(landscape, axis, along, rest)
            if met is not None:
                tried.append((axis.name, *met))
        if tried:
            unknown, before, after, formula, point = next((t for t in tried if t[3] is not None), tried[0])
            key = (landscape.names[before], landscape.names[after], unknown, formula)
            found.setdefault(key, []).append((float(point[x.name]), float(point[y.name])))
    curves = [Curve(*key, tuple(sorted(points))) for key, points in found.items()]
    return tuple(sorted(curves, key=lambda c: (c.before, c.after, -len(c.points), c.formula or "")))


def _inside(landscape: Landscape, cell: Cell, part: Interval) -> Number:
    first, second = landscape.axes
    inside = landscape.middle({first.name: cell.x, second.name: cell.y})
    return inside[first.name] if part is cell.x else inside[second.name]


def _met(
    landscape: Landscape, axis: Axis, along: Interval, rest: dict[str, Number]
) -> tuple[int, int, str | None, dict[str, Number]] | None:
    """The change of the term between both ends of a part of one axis: terms, formula, and where."""

    def at(value: Number) -> dict[str, Number]:
        return {axis.name: value, **rest}

    low, high = along
    before, after = landscape.heights(at(low)).top, landscape.heights(at(high)).top
    if before == after:
        return None
    for _ in range(STEPS):
        middle: Number = (int(low) + int(high)) // 2 if axis.whole else Fraction(float((low + high) / 2))
        if not low < middle < high or (not axis.whole and Fraction(high - low) <= NEARNESS * abs(Fraction(high))):
            break
        top = landscape.heights(at(middle)).top
        if top == before:
            low = middle
        else:
            high, after = middle, top
    solved = formula_of_border(landscape, axis, at(low), at(high), before, after)
    return before, after, solved[0] if solved else None, at(high)
