"""Small networks in symbols: throughput and response time as formulas in the demands.

Closed classes: X_c = G(N - 1_c) / G(N), rational in the demands, with the normalising constant by J. P. Buzen's
recursion (CACM 16(9), 1973): G_k(n) = G_{k-1}(n) + sum_c D_ck G_k(n - 1_c) at a single server, a convolution elsewhere.
Open classes: R_c = sum_k D_ck / (1 - U_k), or the rational function of M/M/m. Asymptotic bounds are maxima (P. J.
Denning and J. P. Buzen, 1978); N_star = (Z + D) / D_max is where they cross: the saturation point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import NamedTuple

from apet.formula import Formula, Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.queueing import errors
from apet.queueing.data.layers import Layered
from apet.queueing.data.networks import Network
from apet.queueing.data.problems import Asked, Uncertain
from apet.queueing.methods.mva.network_symbols import NetworkSymbols

MOST_STATES = 500
"""Populations times stations of a network in symbols."""
Lattice = dict[tuple[int, ...], NodeId]


@dataclass(frozen=True, slots=True)
class Symbolic:
    """Formulas by name (`X`, `R`, `U[cpu]`, bounds, …; of several classes `X[class]`), and what the file gives for the
    symbols in them: numbers, or intervals."""

    formulas: dict[str, Formula]  #: by name: jobs per second, seconds, or without unit
    values: dict[str, Number | Interval]  #: by symbol: seconds, or jobs per second

    def __repr__(self) -> str:
        return f"Symbolic(formulas of {', '.join(self.formulas)}; values={self.values})"


def queue_formulas(problem: Asked) -> Symbolic:
    """A small network in symbols: `formulas` by name, and the `values` of what is in them.

    `ApetError` for other problems, and for networks that are too large.
    """
    low, high = ends_with_formulas(problem)
    opened = [c.is_open for c in low.classes]
    size = math.prod((c.population or 0) + 1 for c in low.classes) * len(low.stations)
    if size > MOST_STATES:
        advice = "take fewer jobs, or solve it in numbers: apet predict FILE"
        raise ApetError(errors.TooManyJobs(None, None, f"{size:,}", f"{MOST_STATES:,}", advice))
    symbols = NetworkSymbols(low, high)
    nodes = dict(_open(symbols) if all(opened) else _closed(symbols))
    formulas = {name: Formula(symbols.graph, node) for name, node in nodes.items()}
    parameters = {p for formula in formulas.values() for p in formula.parameters}
    return Symbolic(formulas, {name: value for name, value in symbols.values.items() if name in parameters})


def ends_with_formulas(problem: Asked) -> tuple[Network, Network]:
    """A network at its lower and its upper ends; `ApetError` for problems of which no formula holds."""
    low, high = problem if isinstance(problem, Uncertain) else (problem, problem)
    if not isinstance(low, Network) or not isinstance(high, Network):
        what = "a file of layered queues" if isinstance(low, Layered) else "a file of jobs with precedence"
        raise ApetError(errors.NoFormulas(None, None, what))

    obstacles = list(dict.fromkeys([*low.obstacles, *high.obstacles]))
    if obstacles:
        raise ApetError(errors.NoFormulas(None, None, f"a network without product form ({', '.join(obstacles)})"))
    if len({c.is_open for c in low.classes}) > 1:
        raise ApetError(errors.NoFormulas(None, None, "a network of open and closed classes together"))
    return low, high


# Closed classes


def _closed(symbols: NetworkSymbols) -> Iterator[tuple[str, NodeId]]:
    g, network = symbols.graph, symbols.network
    full = tuple(c.population or 0 for c in network.classes)
    whole = _constants(symbols, full)
    rates = []
    for c, n in enumerate(full):
        less = tuple(m - (i == c) for i, m in enumerate(full))
        rates.append(g.over(whole[less], whole[full]))
        yield symbols.name("X", c), rates[c]
        cycle = g.over(g.scale(whole[full], n), whole[less])
        yield symbols.name("R", c), g.minus(cycle, symbols.think[c])
    for k, station in enumerate(network.stations):
        if not station.is_delay and (not network.speeds or network.speeds[k] is None):
            work = g.plus(*(g.times(x, row[k]) for x, row in zip(rates, symbols.demand, strict=True)))
            yield f"U[{station.name}]", g.over(work, symbols.peak(k))
        if len(full) == 1 and symbols.is_plain(k) and not station.is_delay:
            yield f"Q[{station.name}]", _queue(symbols, k, whole, full[0])

    if all(symbols.is_plain(k) for k in range(len(network.stations))):
        for c, n in enumerate(full):
            yield from _asymptotic(symbols, c, n, sum(full))


def _queue(symbols: NetworkSymbols, k: int, whole: Lattice, jobs: int) -> NodeId:
    """Q_k = sum_j D_k^j G(N - j) / G(N)."""
    g, demand = symbols.graph, symbols.demand[0][k]
    if demand == g.zero:
        return g.zero
    terms = [g.times(g.power(demand, j), whole[(jobs - j,)]) for j in range(1, jobs + 1)]
    return g.over(g.plus(*terms), whole[(jobs,)])


def _constants(symbols: NetworkSymbols, full: tuple[int, ...]) -> Lattice:
    """G(n) for all n <= N."""
    g, network = symbols.graph, symbols.network
    states = list(product(*(range(n + 1) for n in full)))
    constants: Lattice = {n: g.one if not any(n) else g.zero for n in states}
    for k, station in enumerate(network.stations):
        demand = [row[k] for row in symbols.demand]
        if symbols.is_plain(k) and not station.is_delay:
            constants = _with_server(g, constants, demand)
        else:
            constants = _with_weights(g, constants, _weights(g, states, demand, partial(symbols.speed, k)))

    # Thinking is one more delay.
    if any(z != g.zero for z in symbols.think):
        constants = _with_weights(g, constants, _weights(g, states, symbols.think, lambda j: Fraction(j)))
    return constants


def _with_server(g: Graph, before: Lattice, demand: Sequence[NodeId]) -> Lattice:
    constants: Lattice = {}
    for n, value in before.items():
        terms = [value]
        for c, d in enumerate(demand):
            if n[c] and d != g.zero:
                terms.append(g.times(d, constants[tuple(m - (i == c) for i, m in enumerate(n))]))
        constants[n] = g.plus(*terms)
    return constants


def _weights(
    g: Graph, states: Sequence[tuple[int, ...]], demand: Sequence[NodeId], speed: Callable[[int], Fraction | NodeId]
) -> Lattice:
    """|n|! / prod n_c! · prod D_c^n_c / prod_{j <= |n|} speed(j)."""
    weights: Lattice = {}
    for n in states:
        factor = Fraction(math.factorial(sum(n)), math.prod(math.factorial(m) for m in n))
        slow = list[NodeId]()
        for one in map(speed, range(1, sum(n) + 1)):
            if isinstance(one, Fraction):
                factor /= one
            else:
                slow.append(g.over(g.one, one))

        powers = [g.power(d, m) if d != g.zero else g.zero for d, m in zip(demand, n, strict=True) if m]
        weights[n] = g.scale(g.times(*powers, *slow), factor) if powers else g.const(factor)
    return weights


def _with_weights(g: Graph, before: Lattice, weights: Lattice) -> Lattice:
    constants: Lattice = {}
    for n in before:
        terms = []
        for j in product(*(range(m + 1) for m in n)):
            rest = before[tuple(a - b for a, b in zip(n, j, strict=True))]
            if weights[j] != g.zero and rest != g.zero:
                terms.append(g.times(weights[j], rest))
        constants[n] = g.plus(*terms) if terms else g.zero
    return constants


def _asymptotic(symbols: NetworkSymbols, c: int, jobs: int, everyone: int) -> Iterator[tuple[str, NodeId]]:
    g, network = symbols.graph, symbols.network
    queues = [symbols.demand[c][k] for k, s in enumerate(network.stations) if not s.is_delay]
    fixed = [symbols.demand[c][k] for k, s in enumerate(network.stations) if s.is_delay]
    total, top = g.plus(*queues), g.maximum(queues) if queues else g.zero
    idle = g.plus(symbols.think[c], *fixed)
    if top == g.zero:
        return

    alone, many = g.plus(idle, total), g.scale(total, everyone)
    yield symbols.name("X_upper", c), g.minimum([g.over(g.one, top), g.over(g.const(jobs), alone)])
    yield symbols.name("X_lower", c), g.over(g.const(jobs), g.plus(idle, many))
    crowded = g.minus(g.scale(top, jobs), symbols.think[c])
    yield symbols.name("R_lower", c), g.maximum([g.plus(total, *fixed), crowded])
    yield symbols.name("R_upper", c), g.plus(many, *fixed)
    if len(network.classes) == 1:
        yield "N_star", g.over(alone, top)


# Open classes


def _open(symbols: NetworkSymbols) -> Iterator[tuple[str, NodeId]]:
    g, network = symbols.graph, symbols.network
    stretch, utilizations = [], []
    for k, station in enumerate(network.stations):
        work = g.plus(*(g.times(r, row[k]) for r, row in zip(symbols.rate, symbols.demand, strict=True)))
        stretch.append(g.one if station.is_delay else _stretch(symbols, work, k))
        if not station.is_delay:
            utilizations.append((f"U[{station.name}]", g.over(work, symbols.peak(k))))

    for c, row in enumerate(symbols.demand):
        yield symbols.name("X", c), symbols.rate[c]
        yield symbols.name("R", c), g.plus(*(g.times(d, s) for d, s in zip(row, stretch, strict=True)))
    yield from utilizations


def _stretch(symbols: NetworkSymbols, work: NodeId, k: int) -> NodeId:
    """Time at a station over service time: 1 / (1 - U) with one server, else mean number of jobs over work."""
    g, most = symbols.graph, symbols.most_servers(k)
    if work == g.zero:
        return g.one
    if most == 1:
        return g.over(g.one, g.minus(g.one, work))

    # Weights relative to those of k jobs, from the greatest k on: powers of symbols would overflow.
    ratio = g.over(work, symbols.peak(k))
    beyond = g.over(ratio, g.minus(g.one, ratio))  # from there on weights are geometric
    total = g.plus(g.one, beyond)
    mean = g.plus(g.const(most - 1), g.times(beyond, g.plus(g.const(most), beyond)))
    for n in range(most - 1, 0, -1):
        speed = symbols.speed(k, n)
        step = g.over(work, g.const(speed) if isinstance(speed, Fraction) else speed)
        total = g.plus(g.one, g.times(step, total))
        mean = g.plus(g.const(n - 1), g.times(step, mean))
    return g.over(mean, g.times(work, total))


# One closed class with any number of jobs


class Populations(NamedTuple):
    """One closed class in symbols: demands and greatest speeds by station, think time (nodes of `graph`), what the file
    gives for the symbols, and the normalising constants of 0, 1, … jobs."""

    graph: Graph
    demands: list[NodeId]
    think: NodeId
    values: dict[str, Number | Interval]
    constants: list[NodeId]
    peaks: list[NodeId]


def populations(low: Network, high: Network, most: int) -> Populations:
    """The normalising constants of up to `most` jobs of a network with one closed class; `high` has upper ends."""
    symbols = NetworkSymbols(low, high)
    lattice = _constants(symbols, (most,)) if most else {}
    constants = [lattice[(n,)] for n in range(most + 1)] if most else []
    peaks = [symbols.peak(k) for k in range(len(low.stations))]
    return Populations(symbols.graph, symbols.demand[0], symbols.think[0], symbols.values, constants, peaks)
