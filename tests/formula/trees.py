"""Random formulas as plain trees, with evaluations that share no code with the formula room.

A tree is a tuple: ("const", c), ("symbol", name), ("add", ((coefficient, tree), …)), ("mul", (tree, …)),
("power", tree, exponent), ("over", top, bottom), ("max" | "min", (tree, …)), or a function of trees. Divisors and the
operands of logarithms and roots are positive for all values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from operator import mul
from random import Random
from typing import Any

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval, Number

Tree = Any
SYMBOLS = ("x", "y", "z", "w", "n", "m")
WHOLE = ("n", "m")
PLAIN = ("add", "add", "mul", "power", "over", "max", "min", "weighted")
SIGNED = ("sub", "floor", "ceil", "mod", "abs")
INEXACT = ("log", "log2", "sqrt")
COEFFICIENTS = (1, 1, 2, 7, Fraction(1, 3), Fraction(5, 2), Fraction(1, 10**6), 10**9 + 7)


def tree(r: Random, depth: int, kinds: tuple[str, ...] = PLAIN + SIGNED + INEXACT, inexact: bool = True) -> Tree:
    """A tree of at most that depth; with `inexact` false, without functions that have no exact value."""
    if depth == 0 or r.random() < 0.1:
        return ("symbol", r.choice(SYMBOLS)) if r.random() < 0.8 else ("const", r.choice(COEFFICIENTS))
    kind = r.choice([k for k in kinds if inexact or k not in INEXACT])

    def part(exact: bool = False) -> Tree:
        return tree(r, depth - 1, kinds, inexact and not exact)

    match kind:
        case "add":
            return ("add", tuple((r.choice(COEFFICIENTS), part()) for _ in range(r.randint(2, 4))))
        case "weighted":
            return ("add", tuple((1, ("mul", (part(), ("symbol", s)))) for s in r.sample(SYMBOLS, 3)))
        case "sub":
            return ("add", ((1, part()), (-r.choice(COEFFICIENTS), part())))
        case "mul" | "max" | "min":
            return (kind, tuple(part() for _ in range(r.randint(2, 3))))
        case "power":
            return ("power", part(), r.randint(2, 4))
        case "over":
            return ("over", part(), ("add", ((1, ("abs", part())), (1, ("const", r.choice((1, Fraction(1, 3))))))))
        case "floor" | "ceil":
            return (kind, part(exact=True))
        case "mod":
            return ("mod", part(exact=True), ("const", r.choice((1, 3, Fraction(5, 2)))))
        case "abs":
            return ("abs", part())
        case _:
            return (kind, ("add", ((1, ("abs", part())), (1, ("const", r.choice((1, Fraction(1, 2))))))))


def node(graph: Graph, t: Tree) -> NodeId:
    """The tree in a graph."""
    match t:
        case ("const", value):
            return graph.const(value)
        case ("symbol", name):
            return graph.symbol(name)
        case ("add", terms):
            return graph.add([(node(graph, p), c) for c, p in terms])
        case ("mul", parts):
            return graph.times(*(node(graph, p) for p in parts))
        case ("power", part, exponent):
            return graph.power(node(graph, part), exponent)
        case ("over", top, bottom):
            return graph.over(node(graph, top), node(graph, bottom))
        case ("max" | "min" as kind, parts):
            found = [node(graph, p) for p in parts]
            return graph.maximum(found) if kind == "max" else graph.minimum(found)
        case (function, *parts):
            return graph.call(function, [node(graph, p) for p in parts])
    raise AssertionError(t)


def is_exact(t: Tree) -> bool:
    """Whether all values at exact points are exact."""
    return t[0] not in INEXACT and all(is_exact(p) for p in parts_of(t))


def is_plain(t: Tree) -> bool:
    """Whether all is sums, products, powers, quotients and extremes of what is not negative."""
    negative = t[0] == "add" and any(c < 0 for c, _ in t[1])
    return t[0] not in ("sub", "floor", "ceil", "mod", *INEXACT) and not negative and all(map(is_plain, parts_of(t)))


def parts_of(t: Tree) -> list[Tree]:
    """The trees directly below."""
    match t:
        case ("const" | "symbol", _):
            return []
        case ("add", terms):
            return [p for _, p in terms]
        case ("power", part, _):
            return [part]
        case ("mul" | "max" | "min", parts):
            return list(parts)
        case (_, *parts):
            return parts
    raise AssertionError(t)


def exact_value(t: Tree, at: Mapping[str, Fraction]) -> Fraction:
    """The value at an exact point, without functions that have no exact value."""
    below = [exact_value(p, at) for p in parts_of(t)]
    match t:
        case ("const", value):
            return Fraction(value)
        case ("symbol", name):
            return at[name]
        case ("add", terms):
            return sum((c * v for (c, _), v in zip(terms, below, strict=True)), Fraction(0))
        case ("mul", _):
            return reduce(mul, below)
        case ("power", _, exponent):
            return Fraction(below[0] ** exponent)
        case ("over", _, _):
            return below[0] / below[1]
        case ("max" | "min" as kind, _):
            return max(below) if kind == "max" else min(below)
        case ("mod", _, _):
            return below[0] - below[1] * math.floor(below[0] / below[1])
        case (function, _):
            acts: dict[str, Callable[[Fraction], Any]] = {"floor": math.floor, "ceil": math.ceil, "abs": abs}
            return Fraction(acts[function](below[0]))
    raise AssertionError(t)


def ball(t: Tree, at: Mapping[str, Fraction]) -> Any:
    """The value at an exact point as a ball of `flint.arb`, at the precision in force."""
    from flint import arb, fmpq

    if is_exact(t):
        value = exact_value(t, at)
        return arb(fmpq(value.numerator, value.denominator))
    below = [ball(p, at) for p in parts_of(t)]
    match t:
        case ("add", terms):
            factors = [arb(fmpq(*Fraction(c).as_integer_ratio())) for c, _ in terms]
            return sum(map(mul, factors, below), arb(0))
        case ("mul", _):
            return reduce(mul, below)
        case ("power", _, exponent):
            return below[0] ** exponent
        case ("over", _, _):
            return below[0] / below[1]
        case ("max" | "min" as kind, _):
            return reduce(arb.max if kind == "max" else arb.min, below)
        case ("log2", _):
            return below[0].log() / arb(2).log()
        case (function, _):
            acts: dict[str, Callable[[Any], Any]] = {"log": arb.log, "sqrt": arb.sqrt, "abs": abs}
            return acts[function](below[0])
    raise AssertionError(t)


def natural(t: Tree, box: Mapping[str, Interval]) -> Any:
    """The natural interval extension with `mpmath.iv`, at the precision in force."""
    from mpmath import iv

    below = [natural(p, box) for p in parts_of(t)]
    match t:
        case ("const", value):
            return _quotient(value)
        case ("symbol", name):
            return iv.mpf([_quotient(box[name].lo).a, _quotient(box[name].hi).b])
        case ("add", terms):
            return reduce(lambda a, b: a + b, [_quotient(c) * v for (c, _), v in zip(terms, below, strict=True)])
        case ("mul", _):
            return reduce(mul, below)
        case ("power", _, exponent):
            return below[0] ** exponent
        case ("over", _, _):
            return below[0] / below[1]
        case ("max" | "min" as kind, _):
            pick = max if kind == "max" else min
            return iv.mpf([pick(v.a for v in below), pick(v.b for v in below)])
        case ("abs", _):
            return abs(below[0])
        case ("floor" | "ceil" as function, _):
            act = math.floor if function == "floor" else math.ceil
            return iv.mpf([act(Fraction(float(below[0].a))), act(Fraction(float(below[0].b)))])
        case ("mod", _, (_, modulus)):
            return iv.mpf([0, 1]) * _quotient(modulus)
        case ("log2", _):
            return iv.log(below[0]) / iv.log(iv.mpf(2))
        case (function, _):
            return getattr(iv, function)(below[0])
    raise AssertionError(t)


def _quotient(value: Number) -> Any:
    from mpmath import iv

    top, bottom = value.as_integer_ratio()
    return iv.mpf(top) / bottom


def box(r: Random) -> dict[str, Interval]:
    """An interval for every symbol: points, exact ends, floats, zeros, very small and very large numbers."""
    found = {}
    for name in SYMBOLS:
        low, wide = _end(r, name in WHOLE), r.choice((0, 1, 1, 1))
        high = low + wide * (r.randint(1, 5) if name in WHOLE else _end(r, False))
        found[name] = Interval(low, max(low, high))
    return found


def _end(r: Random, whole: bool) -> Number:
    if whole:
        return r.choice((0, 1, 2, 5, r.randint(0, 10**6)))
    exact = (0, 1, r.randint(0, 20), Fraction(r.randint(1, 60), r.randint(1, 12)))
    floats = (0.0, r.random(), r.uniform(0.1, 30), r.random() * 10.0 ** r.randint(-12, 12))
    extreme = 10.0 ** r.choice((-308, -290, -160, 150, 290))
    return r.choice((*exact, *floats, *floats, extreme if r.random() < 0.2 else 1.5))


def points(r: Random, around: Mapping[str, Interval], count: int) -> list[dict[str, Fraction]]:
    """Exact points in a box; half of them corners."""
    return [{n: _point(r, x, n in WHOLE, k % 2 == 0) for n, x in around.items()} for k in range(count)]


def _point(r: Random, x: Interval, whole: bool, corner: bool) -> Fraction:
    if corner:
        return Fraction(r.choice([x.lo, x.hi]))
    if whole:
        return Fraction(r.randint(int(x.lo), int(x.hi)))
    return Fraction(x.lo) + (Fraction(x.hi) - Fraction(x.lo)) * Fraction(r.randint(0, 64), 64)
