"""Bounds of closed networks of single servers and delays, without solving them.

Asymptotic (J. C. Muntz and J. Wong, 1974; P. J. Denning and J. P. Buzen, 1978), balanced system (J. Zahorjan et al.,
CACM 25(2), 1982) and geometric bounds (G. Casale, R. R. Muntz and G. Serazzi, IEEE TC 57(6), 2008).
D is the demand of one job in all, M the greatest demand at one station, Z the time without queueing.
"""

from __future__ import annotations

import math

from apet.queueing.networks import Network, NetworkBounds

METHODS = ("aba", "bsb", "gb")


class _Load:
    """Demands at servers, seconds without queueing and the population of one class."""

    def __init__(self, network: Network, c: int) -> None:
        job = network.classes[c]
        self.population = job.population or 0
        pairs = list(zip(network.demands()[c], network.stations, strict=True))
        self.demands = [d for d, s in pairs if not s.is_delay]
        self.think = job.think + sum(d for d, s in pairs if s.is_delay)
        self.total, self.greatest = sum(self.demands), max(self.demands, default=0.0)


def asymptotic(network: Network) -> NetworkBounds:
    """Of every class; the lower bound lets each job wait for all others at every station.

    With several classes that holds for first come, first served; sharing a processor, a job of much work may take
    longer.
    """
    loads = [_Load(network, c) for c in range(len(network.classes))]
    worst = sum(load.population * load.total for load in loads)
    upper, least, lower = [], [], []
    for load in loads:
        n, alone = load.population, load.think + load.total
        upper.append(min(_over(1.0, load.greatest), _over(n, alone)))
        least.append(max(load.total, n * load.greatest - load.think))
        lower.append(_over(n, load.think + worst))
    return NetworkBounds("aba", lower, upper, least, [worst if load.population else 0.0 for load in loads])


def balanced(network: Network) -> NetworkBounds:
    """Of one class: between a network with all stations like the mean one and one with stations like the busiest."""
    load = _Load(network, 0)
    n, total, think = load.population, load.total, load.think
    mean = _over(total, len([d for d in load.demands if d > 0]) or 1)
    longest = total + (n - 1) * load.greatest / (1 + think / (n * total)) if n and total else total
    shortest = total + (n - 1) * mean / (1 + think / total) if n and total else total
    least = max(n * load.greatest - think, shortest)
    upper = min(_over(1.0, load.greatest), _over(n, think + shortest))
    return NetworkBounds("bsb", [_over(n, think + longest)], [upper], [least], [longest])


def geometric(network: Network) -> NetworkBounds:
    """Of one class: queue lengths of the stations that are not the busiest are bounded by geometric sums.

    With few jobs the upper bound may be above the asymptotic one.
    """
    load = _Load(network, 0)
    n, total, think, top = load.population, load.total, load.think, load.greatest
    if not n or not total:
        return asymptotic(network)._replace(method="gb")
    others = [d for d in load.demands if d < top]
    slow = [_geometric(d * (n - 1) / (think + total + top * (n - 1)), n - 1) for d in others]
    most = min(1.0 / top, n / (think + total))
    fast = [_geometric(d * most, n - 1) for d in others]
    lower = _rate(n, think + total + top * (n - 1) - _saved(top, others, slow), think * top * (n - 1))
    upper = _rate(n, think + total + top * (n - 1) - _saved(top, others, fast), think * top * n)
    return NetworkBounds("gb", [lower], [upper], [n / upper - think], [n / lower - think])


def tightest(found: list[NetworkBounds]) -> NetworkBounds:
    """The sharpest of bounds of one network."""
    ups, lows = zip(*(b.X_upper for b in found), strict=True), zip(*(b.X_lower for b in found), strict=True)
    least, most = zip(*(b.R_lower for b in found), strict=True), zip(*(b.R_upper for b in found), strict=True)
    name = "+".join(b.method for b in found)
    return NetworkBounds(
        name, [max(x) for x in lows], [min(x) for x in ups], [max(r) for r in least], [min(r) for r in most]
    )


def _geometric(ratio: float, terms: int) -> float:
    """ratio + … + ratio^terms."""
    return float(terms) if ratio == 1 else ratio * (1 - ratio**terms) / (1 - ratio)


def _saved(top: float, demands: list[float], jobs: list[float]) -> float:
    return sum((top - d) * q for d, q in zip(demands, jobs, strict=True))


def _rate(population: int, cycle: float, thinking: float) -> float:
    return 2 * population / (cycle + math.sqrt(max(0.0, cycle * cycle - 4 * thinking)))


def _over(above: float, below: float) -> float:
    return above / below if below else math.inf if above else 0.0
