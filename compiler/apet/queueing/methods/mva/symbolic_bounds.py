"""Bounds of one closed class as formulas in the number of jobs: asymptotic ones, and those of balanced networks.

R >= max(D, N D_max - Z) (P. J. Denning, J. P. Buzen, 1978). With D_mean = D / K, between a network of stations
like the mean and one with stations like the busiest (J. Zahorjan, K. Sevcik, D. Eager and B. Galler, CACM 25(2),
1982): R >= D + (N - 1) D_mean / (1 + Z / D), R <= D + (N - 1) D_max / (1 + Z / (N D)). Delay stations count as
thinking.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from apet.formula.graph.nodes import NodeId
from apet.queueing.data.networks import Network
from apet.queueing.methods.mva.symbolic import Populations


class Bounded(NamedTuple):
    """The asymptotic estimate, what it is the greatest of, and the two bounds."""

    total: NodeId
    alone: NodeId
    terms: list[tuple[str, NodeId]]
    bounds: tuple[NodeId, NodeId]


def bounds(symbols: Populations, network: Network) -> Bounded:
    """Bounds of the response time, delay stations included."""
    g, N = symbols.graph, symbols.graph.symbol("N")
    pairs = list(zip(network.stations, symbols.demands, strict=True))
    queues = [(s.name, d) for s, d in pairs if not s.is_delay and d != g.zero]
    fixed = g.plus(g.zero, *(d for s, d in pairs if s.is_delay))
    think, total = g.plus(symbols.think, fixed), g.plus(g.zero, *(d for _, d in queues))

    top, others = g.maximum([d for _, d in queues]), g.shift(N, -1)
    mean = g.scale(total, Fraction(1, len(queues)))
    shorter = g.plus(g.one, g.over(think, total))
    longer = g.plus(g.one, g.over(think, g.times(N, total)))

    crowded = [(name, g.plus(fixed, g.maximum([g.zero, g.minus(g.times(N, d), think)]))) for name, d in queues]
    alone = g.plus(fixed, total)
    least = g.plus(alone, g.over(g.times(others, mean), shorter))
    most = g.plus(alone, g.over(g.times(others, top), longer))
    estimate = g.maximum([alone, *(node for _, node in crowded)])
    return Bounded(estimate, alone, crowded, (g.maximum([estimate, least]), most))
