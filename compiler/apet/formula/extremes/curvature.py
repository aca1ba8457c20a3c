"""Whether a formula is convex or concave in one parameter over a box, by its structure.

A function convex in each of some coordinates is greatest at a corner of their box, a concave one least there, an affine
one both. Sums, maxima and non-negative multiples of convex pieces are convex (Boyd and Vandenberghe, Convex
Optimization, 2004, 3.2); a probability enters costs so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Flag

from apet.formula.evaluate.rounding import ZERO
from apet.formula.extremes.monotone import Steepness
from apet.formula.extremes.slopes import ITEMS_OF_PARAMETERS
from apet.formula.graph.nodes import Add, Extreme, Item, Mul, Node, NodeId, Peak, Reduce, Symbol, operands
from apet.ground.interval import Interval


class Shape(Flag):
    """What is proved: convex, concave, both (affine), or nothing."""

    NOTHING = 0
    CONVEX = 1
    CONCAVE = 2
    AFFINE = 3


def shape_in(steepness: Steepness, name: str, values: list[Interval]) -> Shape:
    """The shape of a node in one symbol, given enclosures of all nodes over the box."""

    def own(node: Node) -> Shape | None:
        if isinstance(node, Item) and name in ITEMS_OF_PARAMETERS.get(node.name, ()):
            return Shape.NOTHING
        return Shape.AFFINE if isinstance(node, Symbol) and node.name == name else None

    return _shape(steepness, own, values)


def shape_in_item(steepness: Steepness, name: str, values: list[Interval]) -> Shape:
    """The shape of a node in one factor that multiplies a machine quantity (`t_mpy_double`) wherever it stands."""
    return _shape(steepness, lambda n: Shape.AFFINE if isinstance(n, Item) and n.name == name else None, values)


Shapes = dict[NodeId, Shape | None]
"""None for what does not depend on the symbol."""


def _shape(steepness: Steepness, own: Callable[[Node], Shape | None], values: list[Interval]) -> Shape:
    """The shape of a node; `own` gives those of leaves that move by themselves."""
    nodes, shapes = steepness.graph.nodes, Shapes()
    for n in steepness.order:
        here = nodes[n]
        moving = [o for o in operands(here) if shapes[o] is not None]
        shape = own(here)
        shapes[n] = _joined(here, moving, values, shapes) if shape is None and moving else shape
    return _all([shapes[steepness.node]])


def _joined(here: Node, moving: list[NodeId], values: list[Interval], shapes: Shapes) -> Shape:
    match here:
        case Add(_, terms):
            return _all(shapes[n] if c > 0 else flipped(shapes[n]) for n, c in terms)
        case Mul(factors) if len(moving) == 1:
            return _of_product(factors, moving[0], values, shapes)
        case Extreme(kind, parts):
            return _all(shapes[n] for n in parts) & (Shape.CONVEX if kind == "max" else Shape.CONCAVE)

        case Reduce(kind, _, low, high, body) if shapes[low] is None and shapes[high] is None:
            preserved = {"sum": Shape.AFFINE, "max": Shape.CONVEX, "min": Shape.CONCAVE}[kind]
            return _all([shapes[body]]) & preserved
        case Peak(loads, _, _) if set(moving) <= {load.load for load in loads}:
            plain = all(values[n] == ZERO for load in loads for n in (load.head, load.tail))
            return _all(shapes[load.load] for load in loads) & Shape.CONVEX if plain else Shape.NOTHING
        case _:
            return Shape.NOTHING


def _all(shapes: Iterable[Shape | None]) -> Shape:
    joined = Shape.AFFINE
    for shape in shapes:
        joined &= Shape.AFFINE if shape is None else shape
    return joined


def flipped(shape: Shape | None) -> Shape | None:
    """The shape of the negative."""
    return {Shape.CONVEX: Shape.CONCAVE, Shape.CONCAVE: Shape.CONVEX}.get(shape, shape) if shape else shape


def _of_product(
    factors: tuple[tuple[NodeId, int], ...], moving: NodeId, values: list[Interval], shapes: Shapes
) -> Shape:
    exponent = dict(factors)[moving]
    shape = _of_power(shapes[moving], exponent, values[moving])
    rest = [(values[n], e) for n, e in factors if n != moving]
    if shape == Shape.AFFINE or all(v.lo >= 0 or e % 2 == 0 for v, e in rest):
        return shape
    if sum(v.hi <= 0 for v, _ in rest) == 1 and all(v.lo >= 0 or v.hi <= 0 for v, _ in rest):
        negative = next(e for v, e in rest if v.hi <= 0)
        return (flipped(shape) if negative % 2 else shape) or Shape.NOTHING
    return Shape.NOTHING


def _of_power(shape: Shape | None, exponent: int, value: Interval) -> Shape:
    if shape is None or exponent == 1:
        return Shape.AFFINE if shape is None else shape
    if exponent < 0:
        # 1 / x is convex and falls for x > 0
        return Shape.CONVEX if Shape.CONCAVE in shape and value.lo >= 0 else Shape.NOTHING
    if exponent % 2 == 0 and shape == Shape.AFFINE:
        return Shape.CONVEX
    return Shape.CONVEX if Shape.CONVEX in shape and value.lo >= 0 else Shape.NOTHING
