"""Laws that were fitted to run times: numbers for plots, formulas for everything else."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from apet.formula.formula import Formula
    from apet.formula.graph.graph import Graph
    from apet.formula.graph.nodes import NodeId

DIGITS = 12
NOTHING = 1e-200
"""Smaller numbers are 0: in seconds they cannot be measured, and as fractions they overflow."""


class Power(NamedTuple):
    """`coefficient n^exponent (ln n)^logarithms`, the logarithm to the power of 0, 1 or 2."""

    coefficient: float
    exponent: float
    logarithms: int = 0


class Sum(NamedTuple):
    """The sum of powers; for a phase, or for the whole run."""

    terms: tuple[Power, ...]


class Speedup(NamedTuple):
    """Downey's model: seconds on one processor, average parallelism, variance."""

    one: float
    parallelism: float
    sigma: float


class PhaseSum(NamedTuple):
    """Phases of one after another, by name, over the share of the run that they make up: a straight line in n."""

    names: tuple[str, ...]
    parts: tuple[Law, ...]
    share: tuple[float, float] = (1.0, 0.0)


Law = Sum | Speedup | PhaseSum
LEAST_SHARE, MOST_SHARE = 0.05, 1.0


def seconds(law: Law, n: float) -> float:
    """The run time at n > 0."""
    match law:
        case Sum(terms):
            return math.fsum(c * n**e * (math.log(n) ** j if j else 1.0) for c, e, j in terms)
        case Speedup(one, a, sigma):
            return _downey(one, a, sigma, n)
        case PhaseSum(_, parts, share):
            whole = min(max(share[0] + share[1] * n, LEAST_SHARE), MOST_SHARE)
            return sum(seconds(p, n) for p in parts) / whole


def _downey(one: float, a: float, s: float, n: float) -> float:
    if s > 1:
        return one * max((s * (n + a - 1) + a) / (n * a * (s + 1)), 1 / a)
    if n <= a:
        return one * (a + s / 2 * (n - 1)) / (a * n)
    return one * max((s * (a - 0.5) + n * (1 - s / 2)) / (a * n), 1 / a)


def formula(law: Law, name: str = "n", digits: int = DIGITS) -> Formula:
    """The law in symbols, over one parameter that is at least 1; its numbers are rounded to so many digits."""
    from apet.formula.formula import Formula
    from apet.formula.graph.graph import Graph

    graph = Graph()
    graph.assume(name, 1)
    return Formula(graph, node(graph, law, graph.symbol(name), digits))


def node(graph: Graph, law: Law, n: NodeId, digits: int = DIGITS) -> NodeId:
    """The law of the quantity `n` as a node of a graph."""

    def exact(value: float) -> Fraction:
        return Fraction(f"{value:.{digits}g}") if abs(value) > NOTHING else Fraction(0)

    match law:
        case Sum(terms):
            return graph.add((_power(graph, exact(p.exponent), p.logarithms, n), exact(p.coefficient)) for p in terms)
        case Speedup(one, a, sigma):
            return _speedup(graph, _branches(one, a, sigma), exact, n)
        case PhaseSum(_, parts, share):
            total = graph.plus(*(node(graph, p, n, digits) for p in parts))
            if share == (1.0, 0.0):
                return total
            line = graph.add([(n, exact(share[1]))], exact(share[0]))
            bounded = graph.maximum([graph.const(exact(LEAST_SHARE)), line])
            return graph.over(total, graph.minimum([graph.const(1), bounded]))


def _power(graph: Graph, exponent: Fraction, logarithms: int, n: NodeId) -> NodeId:
    whole = exponent.denominator == 1
    base = graph.power(n, int(exponent)) if whole else graph.call("pow", [n, graph.const(exponent)])
    return graph.times(base, graph.power(graph.call("log", [n]), logarithms)) if logarithms else base


class _Branches(NamedTuple):
    """Downey's T(n) as `slope / n + constant`: before `bend`, and beyond; never below `least`."""

    early: tuple[float, float]
    late: tuple[float, float] | None
    bend: float
    least: float


def _branches(one: float, a: float, s: float) -> _Branches:
    if s > 1:
        early = (one * (s * (a - 1) + a) / (a * (s + 1)), one * s / (a * (s + 1)))
        return _Branches(early, None, a, one / a)
    early = (one * (1 - s / (2 * a)), one * s / (2 * a))
    late = (one * s * (1 - 1 / (2 * a)), one * (1 - s / 2) / a)
    return _Branches(early, late, a, one / a)


def _speedup(graph: Graph, branches: _Branches, exact: Callable[[float], Fraction], n: NodeId) -> NodeId:
    """Comparisons choose the branch."""
    over, flat = graph.power(n, -1), graph.const(exact(branches.least))
    early = graph.add([(over, exact(branches.early[0]))], exact(branches.early[1]))
    if branches.late is None:
        return graph.maximum([early, flat])
    late = graph.add([(over, exact(branches.late[0]))], exact(branches.late[1]))
    bend = graph.const(exact(branches.bend))
    before, beyond = graph.compare("<=", n, bend), graph.compare("<", bend, n)
    return graph.maximum([graph.plus(graph.times(before, early), graph.times(beyond, late)), flat])
