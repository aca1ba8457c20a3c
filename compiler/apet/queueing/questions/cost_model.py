"""Queueing networks as cost models: response time, throughput or utilization in demands, think time and jobs.

Of one closed class the number of jobs N is a parameter: X(N) = G(N - 1) / G(N), the constants chosen by comparison.
Response time and throughput move in one direction with each demand (R. Suri, Operations Research 33, 1985) and, where
service rates do not fall and rise at most like the jobs, with N (J. G. Shanthikumar and D. D. Yao, 1988).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.cost.cost import SPARE, Requirement
from apet.cost.cost_model import (
    NOWHERE,
    CostModel,
    InputRange,
    assume,
    named_terms,
    of_inputs,
)
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.source import Source
from apet.queueing import errors
from apet.queueing.data.networks import Network
from apet.queueing.data.problems import Asked, Uncertain
from apet.queueing.methods.mva import symbolic_bounds
from apet.queueing.methods.mva.symbolic import (
    MOST_STATES,
    Populations,
    Symbolic,
    ends_with_formulas,
    populations,
    queue_formulas,
)
from apet.queueing.questions.model_inputs import measured
from apet.queueing.questions.quantities import (
    ABOUT,
    BOUNDS,
    COST,
    RESPONSE,
    THROUGHPUT,
    UTILIZATION,
    named,
    prices,
    quantities,
)

FULL = 1 - Fraction(1, 10**6)
"""Utilization up to which an open network has formulas: at 1 they divide by zero."""
MOST_JOBS = 10**6
MOST_PRODUCTS = 12_000
USUAL_PRODUCTS = 1_200
"""Where the file itself has fewer jobs."""


class _QuantityNodes(NamedTuple):
    """What was asked for, as nodes of one graph.

    The estimate; the term that is no station's, a constant 0 where there is none; the terms of stations by name; the
    bounds where they differ; what must not be negative.
    """

    total: NodeId
    alone: NodeId
    terms: Sequence[tuple[str, NodeId]]
    bounds: tuple[NodeId, NodeId] | None = None
    required: Sequence[tuple[str, NodeId]] = ()


def queue_model(path: str, problem: Asked, of: str = "") -> CostModel:
    """What `of` names as a cost model; `ApetError` for problems without formulas, and names that are none.

    `of` is "response" (the default), "throughput", "utilization" or, of one closed class, "bounds"; of several classes
    or stations with one in brackets: "response[users]", "utilization[disk]". "cost" is that of
    priced servers per hour.
    """
    fastest = problem.low if isinstance(problem, Uncertain) else problem
    if of == COST and isinstance(fastest, Network) and prices(fastest):
        return _cost_of_servers(path, fastest)
    low, high = ends_with_formulas(problem)
    what, member = named(low, of or RESPONSE)
    if len(low.classes) == 1 and not low.classes[0].is_open:
        return _one_class(path, low, high, what, member)
    return _by_symbols(path, problem, low, what, member)


def _cost_of_servers(path: str, network: Network) -> CostModel:
    """Prices times numbers of servers, those with and without a name."""
    g, each = Graph(), prices(network)
    with_name = {k for i in each for kind, k in network.counts[i].places if kind == "servers"}
    fixed = [Fraction(str(s.price)) * s.servers for k, s in enumerate(network.stations) if k not in with_name]
    terms = [
        (network.counts[i].name, g.scale(g.symbol(network.counts[i].name), Fraction(str(p)))) for i, p in each.items()
    ]
    inputs = measured(network, {name: 1 for name, _ in terms})
    assume(g, inputs)
    base = g.const(sum(fixed, Fraction(0)))
    part = _QuantityNodes(g.plus(base, *(node for _, node in terms)), base, terms)
    return _cost_model(path, (COST, ""), g, part, inputs, breaks={i.name: () for i in inputs})


# One closed class


def _one_class(path: str, low: Network, high: Network, what: str, member: str) -> CostModel:
    jobs = low.classes[0].population or 0
    bounded = what == BOUNDS
    most = 0 if bounded else max(jobs, _affordable(low))
    if not bounded and _products(low, jobs) > MOST_PRODUCTS:
        advice = f"solve it in numbers: apet predict {path}"
        if BOUNDS in quantities(low):
            advice += "; or ask for bounds in any number of jobs: --of bounds"
        raise ApetError(errors.TooManyJobs(None, None, f"{_products(low, jobs):,}", f"{MOST_PRODUCTS:,}", advice))

    recursion = populations(low, high, most)
    g = recursion.graph
    inputs = (InputRange("N", jobs, 1, MOST_JOBS if bounded else most, True), *measured(low, recursion.values))
    assume(g, inputs)
    part = (
        _QuantityNodes(*symbolic_bounds.bounds(recursion, low))
        if bounded
        else _closed_part(recursion, low, what, member)
    )

    return _cost_model(
        path,
        (what, member),
        g,
        part,
        inputs,
        bracket="between asymptotic and balanced job bounds" if bounded else "the exact solution",
        breaks={i.name: () for i in inputs} if all(low.is_regular(k) for k in range(len(low.stations))) else {},
        counted=() if bounded else ("N",),
    )


def _products(network: Network, jobs: int) -> int:
    """How many products the constants of so many jobs are made of."""
    plain = sum(network.is_plain(k) and not s.is_delay for k, s in enumerate(network.stations))
    weighted = len(network.stations) - plain + (network.classes[0].think > 0)
    return jobs * plain + jobs * (jobs + 1) // 2 * weighted


def _affordable(network: Network) -> int:
    """Up to how many jobs formulas answer at once."""
    population = 1
    while population < MOST_STATES and _products(network, population + 1) <= USUAL_PRODUCTS:
        population += 1
    return population


def _closed_part(recursion: Populations, network: Network, what: str, member: str) -> _QuantityNodes:
    g, N = recursion.graph, recursion.graph.symbol("N")
    before, now = list[NodeId](), list[NodeId]()
    for n in range(1, len(recursion.constants)):
        here = g.compare("==", N, g.const(n))
        before.append(g.times(here, recursion.constants[n - 1]))
        now.append(g.times(here, recursion.constants[n]))
    rate = g.over(g.plus(*before), g.plus(*now))
    if what == THROUGHPUT:
        return _QuantityNodes(rate, rate, ())
    if what == UTILIZATION:
        return _utilization(
            g,
            network,
            [g.over(g.times(rate, d), p) for d, p in zip(recursion.demands, recursion.peaks, strict=True)],
            member,
        )

    cycle = g.over(g.times(N, g.plus(*now)), g.plus(*before))
    terms = asymptotes(recursion, network)
    return _QuantityNodes(g.minus(cycle, recursion.think), g.plus(*recursion.demands), terms)


def asymptotes(recursion: Populations, network: Network) -> list[tuple[str, NodeId]]:
    """N D / m - Z of each station that serves: the response time is not below (P. J. Denning, J. P. Buzen, 1978)."""
    g, N, terms = recursion.graph, recursion.graph.symbol("N"), list[tuple[str, NodeId]]()
    for k, (station, demand) in enumerate(zip(network.stations, recursion.demands, strict=True)):
        if not station.is_delay and demand != g.zero:
            crowded = g.over(g.times(N, demand), recursion.peaks[k])
            terms.append((station.name, g.maximum([g.zero, g.minus(crowded, recursion.think)])))
    return terms


def _utilization(g: Graph, network: Network, used: Sequence[NodeId], member: str) -> _QuantityNodes:
    terms = [
        (s.name, w)
        for s, w in zip(network.stations, used, strict=True)
        if not s.is_delay and w != g.zero and member in ("", s.name)
    ]
    return _QuantityNodes(g.maximum([node for _, node in terms]) if terms else g.zero, g.zero, terms)


# Several classes, and open ones


def _by_symbols(path: str, problem: Asked, low: Network, what: str, member: str) -> CostModel:
    solution = queue_formulas(problem)
    g = next(iter(solution.formulas.values())).graph
    opened = low.classes[0].is_open
    inputs = measured(low, solution.values)
    assume(g, inputs)
    part = _open_part(solution, low, what, member) if opened else _part_of(solution, low, what, member)
    breaks = {i.name: () for i in inputs} if opened else {}  # all rises in demands and rates, and falls in servers
    return _cost_model(path, (what, member), g, part, inputs, base=ABOUT[what][1], breaks=breaks)


def _part_of(solution: Symbolic, network: Network, what: str, member: str) -> _QuantityNodes:
    """Of several closed classes, at the file's numbers of jobs."""
    g = next(iter(solution.formulas.values())).graph
    if what == UTILIZATION:
        by_station = {s.name: solution.formulas.get(f"U[{s.name}]") for s in network.stations}
        terms = [(n, f.node) for n, f in by_station.items() if f is not None and member in ("", n)]
        return _QuantityNodes(g.maximum([n for _, n in terms]), g.zero, terms)
    letter = "R" if what == RESPONSE else "X"
    total = solution.formulas[f"{letter}[{member}]" if member else letter].node
    return _QuantityNodes(total, total, ())


def _open_part(solution: Symbolic, network: Network, what: str, member: str) -> _QuantityNodes:
    """Of open classes: there must be a steady state."""
    g = next(iter(solution.formulas.values())).graph
    spare = [
        (f"{SPARE}{name[2:-1]}", g.minus(g.const(FULL), formula.node))
        for name, formula in solution.formulas.items()
        if name.startswith("U[")
    ]
    return _part_of(solution, network, what, member)._replace(required=spare)


# What is said


def _cost_model(
    path: str,
    quantity: tuple[str, str],
    g: Graph,
    part: _QuantityNodes,
    inputs: tuple[InputRange, ...],
    base: str = "",
    bracket: str = "the exact solution",
    breaks: Mapping[str, tuple[Number, ...]] = {},
    counted: tuple[str, ...] = (),
) -> CostModel:
    """The cost model of a quantity, and of a class or station where one is named."""
    what, member = quantity
    which = f" of {member}" if member else " of the busiest station" if what == UTILIZATION else ""
    title, symbol, unit, usual_base = ABOUT[what]
    lower, upper = part.bounds or (part.total, part.total)

    return CostModel(
        source=Source(path, ""),
        graph=g,
        T0=Formula(g, part.alone),
        T_total=Formula(g, part.total),
        lower=Formula(g, lower),
        upper=Formula(g, upper),
        resources=named_terms(g, part.terms),
        requirements=tuple(Requirement(node, kind, NOWHERE) for kind, node in part.required),
        kind="queue",
        quantity=title + which,
        symbol=symbol,
        unit=unit,
        bracket=bracket,
        base=base or usual_base,
        breaks=breaks,
        counted=counted,
        more_is_better=what == THROUGHPUT,
        **of_inputs(inputs),
    )
