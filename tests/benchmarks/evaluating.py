"""One configuration put into a formula of 1,000 terms: the value, and an interval that surely holds it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

from tests.benchmarks.measure import Table, agree, alternate, rows_against

from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.gradient import Gradient
from apet.formula.evaluate.rounding import down, up
from apet.formula.extremes.enclosing import NamedIntervals
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval, Number


def value(quick: bool) -> Table:
    """A plan against sympy's evalf and xreplace."""
    from tests.benchmarks.peers.sympy_formulas import weighted_sum

    terms = 50 if quick else 1_000
    table = Table("value", f"One configuration of a sum of {terms:,} products")
    graph = Graph()
    plan = Plan(graph, [weighted(graph, terms)])
    values = middles(terms)
    expression = weighted_sum(terms)
    numbers = {s: values[s.name] for s in expression.free_symbols}
    environment = MappingEnvironment(values)
    acts: dict[str, Callable[[], Any]] = {
        "apet, plan": lambda: plan.run(environment)[0],
        "sympy evalf(subs=…)": lambda: expression.evalf(subs=numbers),
        "sympy xreplace": lambda: expression.xreplace(numbers),
    }
    found = {name: float(act()) for name, act in acts.items()}
    for other in found.values():
        agree(found["apet, plan"], other)
    shown = {name: f"{v:.12g}" for name, v in found.items()}
    table.rows += rows_against("apet, plan", alternate(acts, 3 if quick else 7), shown)
    return table


def guaranteed(quick: bool) -> Table:
    """The ways to an interval that surely holds the value, against mpmath.iv."""
    terms = 50 if quick else 1_000
    table = Table("interval", f"An interval that surely holds a sum of {terms:,} products of intervals")
    graph = Graph()
    root = weighted(graph, terms)
    plan, exact, enclosure = Plan(graph, [root]), Plan(graph, [root], exact=True), Enclosure(graph, [root])
    low, high = ends(terms)
    exactly = [MappingEnvironment({n: Fraction(v) for n, v in end.items()}) for end in (low, high)]
    plain = [MappingEnvironment(end) for end in (low, high)]
    box = NamedIntervals({n: Interval(v, high[n]) for n, v in low.items()})
    acts = {
        "apet, exact ends rounded outward": lambda: _rounded([exact.run(e)[0] for e in exactly]),
        "apet, floats without a guarantee": lambda: (float(plan.run(plain[0])[0]), float(plan.run(plain[1])[0])),
        "apet, interval arithmetic": lambda: _pair(enclosure.run(box)[0]),
        "mpmath.iv": peer(terms, low, high),
    }
    found = {name: act() for name, act in acts.items()}
    _check(found)
    shown = {name: f"{(b - a) / a - _width(found):.1e}" for name, (a, b) in found.items()}
    table.rows += rows_against(next(iter(acts)), alternate(acts, 3 if quick else 7), shown)
    table.notes.append("value: by how much the relative width exceeds that of the narrowest guaranteed interval.")
    return table


def derivatives(quick: bool) -> Table:
    """The value with all derivatives by reverse accumulation, against the value alone."""
    terms, branches = (50, 4) if quick else (1_000, 50)
    table = Table("derivatives", "Value and all derivatives against the value alone")
    graph = Graph()
    cases = {
        f"the sum of {terms:,} products": (weighted(graph, terms), middles(terms)),
        f"the maximum of {branches} sums of 20 products of 160 symbols": crossed(graph, branches),
    }
    for name, (root, values) in cases.items():
        environment = MappingEnvironment(values)
        plan, gradient = Plan(graph, [root]), Gradient(graph, root)
        agree(float(plan.run(environment)[0]), float(gradient.derivatives(environment).value), 0)
        acts: dict[str, Callable[[], Any]] = {
            f"{name}: value": partial(plan.run, environment),
            f"{name}: with derivatives": partial(_derived, gradient, environment),
        }
        table.rows += rows_against(next(iter(acts)), alternate(acts, 3 if quick else 15))
    return table


def _derived(gradient: Gradient, environment: MappingEnvironment) -> int:
    """The number of derivatives; they are not kept, so that no memory is filled while time is taken."""
    return len(gradient.derivatives(environment).symbols)


def crossed(graph: Graph, branches: int, terms: int = 20, symbols: int = 160) -> tuple[NodeId, dict[str, Number]]:
    """The maximum of sums of products of any two symbols, and values for these."""
    random = Random(7)
    found = [graph.symbol(f"x{k}") for k in range(symbols)]
    sums = [
        [(graph.times(*random.sample(found, 2)), random.randint(1, 9)) for _ in range(terms)] for _ in range(branches)
    ]
    return graph.maximum([graph.add(s) for s in sums]), {f"x{k}": 1 + k / 100 for k in range(symbols)}


def _width(found: dict[str, tuple[float, float]]) -> float:
    low, high = found["apet, exact ends rounded outward"]
    return (high - low) / low


def _check(found: dict[str, tuple[float, float]]) -> None:
    """Every guaranteed interval holds the exact one but for its rounding."""
    low, high = found["apet, exact ends rounded outward"]
    for name, (a, b) in found.items():
        agree(a, low)
        agree(b, high)
        if "without" not in name and not (a <= low and high <= b):
            raise ValueError(f"{name} does not hold the exact interval")


def peer(terms: int, low: dict[str, float], high: dict[str, float]) -> Callable[[], tuple[float, float]]:
    """The same formula with mpmath's intervals of 53 bits."""
    from mpmath import iv

    pairs = [(iv.mpf([low[f"t{k}"], high[f"t{k}"]]), iv.mpf([low[f"u{k}"], high[f"u{k}"]])) for k in range(terms)]

    def run() -> tuple[float, float]:
        total = iv.mpf(0)
        for k, (t, u) in enumerate(pairs):
            total += (k + 1) * t * u
        return float(total.a), float(total.b)

    return run


def _rounded(found: list[Number]) -> tuple[float, float]:
    return down(found[0]), up(found[1])


def _pair(found: Interval) -> tuple[float, float]:
    return float(found.lo), float(found.hi)


def weighted(graph: Graph, terms: int) -> NodeId:
    """The sum of k t_k u_k."""
    return graph.add([(graph.times(graph.symbol(f"t{k}"), graph.symbol(f"u{k}")), k + 1) for k in range(terms)])


def ends(terms: int) -> tuple[dict[str, float], dict[str, float]]:
    """The ends of the intervals of t_k (10 % wide) and u_k (1 % wide)."""
    low = {f"t{k}": 1e-9 * (1 + k % 13) for k in range(terms)} | {f"u{k}": 10.0 + k % 7 for k in range(terms)}
    return low, {name: v * (1.1 if name[0] == "t" else 1.01) for name, v in low.items()}


def middles(terms: int) -> dict[str, Number]:
    """The middles of those intervals."""
    low, high = ends(terms)
    return {name: (v + high[name]) / 2 for name, v in low.items()}
