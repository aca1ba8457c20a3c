"""Bounds of closed networks of single servers and delays, without solving them.

Asymptotic (J. C. Muntz and J. Wong, 1974; P. J. Denning and J. P. Buzen, 1978), balanced system (J. Zahorjan et al.,
CACM 25(2), 1982) and geometric bounds (G. Casale, R. R. Muntz and G. Serazzi, IEEE TC 57(6), 2008).
With D the service demand of one job in all, D_max that at the bottleneck, Z the think time with all delays, N the
population, asymptotic bounds say X <= min(1 / D_max, N / (D + Z)) and R >= max(D, N D_max - Z).
"""

from __future__ import annotations

import math
from dataclasses import replace

from apet.queueing.networks import Network, NetworkBounds

METHODS = ("aba", "bsb", "gb")


class _Load:
    """Of one class: its population, service demands at servers (with their sum and the bottleneck's), and the think
    time with all delays, in seconds."""

    def __init__(self, network: Network, c: int) -> None:
        job = network.classes[c]
        self.population = job.population or 0
        pairs = list(zip(network.demands()[c], network.stations, strict=True))
        self.demands = [d for d, s in pairs if not s.is_delay]
        self.think = job.think + sum(d for d, s in pairs if s.is_delay)
        self.total, self.bottleneck = sum(self.demands), max(self.demands, default=0.0)


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
        upper.append(min(_ratio(1.0, load.bottleneck), _ratio(n, alone)))
        least.append(max(load.total, n * load.bottleneck - load.think))
        lower.append(_ratio(n, load.think + worst))
    most = [worst if load.population else 0.0 for load in loads]
    return NetworkBounds("aba", X_lower=lower, X_upper=upper, R_lower=least, R_upper=most)


def balanced(network: Network) -> NetworkBounds:
    """Of one class: between a network with all stations like the mean one and one with stations like the busiest."""
    load = _Load(network, 0)
    n, total, think = load.population, load.total, load.think
    mean = _ratio(total, len([d for d in load.demands if d > 0]) or 1)
    longest = total + (n - 1) * load.bottleneck / (1 + think / (n * total)) if n and total else total
    shortest = total + (n - 1) * mean / (1 + think / total) if n and total else total
    least = max(n * load.bottleneck - think, shortest)
    upper = min(_ratio(1.0, load.bottleneck), _ratio(n, think + shortest))
    lower = _ratio(n, think + longest)
    return NetworkBounds("bsb", X_lower=[lower], X_upper=[upper], R_lower=[least], R_upper=[longest])


def geometric(network: Network) -> NetworkBounds:
    """Of one class: queue lengths of the stations that are not the busiest are bounded by geometric sums.

    With few jobs the upper bound may be above the asymptotic one.
    """
    load = _Load(network, 0)
    n, total, think, top = load.population, load.total, load.think, load.bottleneck
    if not n or not total:
        return replace(asymptotic(network), method="gb")

    # What waits elsewhere than at the bottleneck, at least and at most.
    others = [d for d in load.demands if d < top]
    slow = [_geometric(d * (n - 1) / (think + total + top * (n - 1)), n - 1) for d in others]
    most = min(1.0 / top, n / (think + total))
    fast = [_geometric(d * most, n - 1) for d in others]

    lower = _rate(n, think + total + top * (n - 1) - _saved(top, others, slow), think * top * (n - 1))
    upper = _rate(n, think + total + top * (n - 1) - _saved(top, others, fast), think * top * n)
    return NetworkBounds(
        "gb", X_lower=[lower], X_upper=[upper], R_lower=[n / upper - think], R_upper=[n / lower - think]
    )


def tightest(bounds: list[NetworkBounds]) -> NetworkBounds:
    """The sharpest of bounds of one network."""
    return NetworkBounds(
        "+".join(b.method for b in bounds),
        X_lower=[max(x) for x in zip(*(b.X_lower for b in bounds), strict=True)],
        X_upper=[min(x) for x in zip(*(b.X_upper for b in bounds), strict=True)],
        R_lower=[max(r) for r in zip(*(b.R_lower for b in bounds), strict=True)],
        R_upper=[min(r) for r in zip(*(b.R_upper for b in bounds), strict=True)],
    )


def _geometric(ratio: float, terms: int) -> float:
    """ratio + … + ratio^terms."""
    return float(terms) if ratio == 1 else ratio * (1 - ratio**terms) / (1 - ratio)


def _saved(top: float, demands: list[float], jobs: list[float]) -> float:
    return sum((top - d) * q for d, q in zip(demands, jobs, strict=True))


def _rate(population: int, cycle: float, thinking: float) -> float:
    return 2 * population / (cycle + math.sqrt(max(0.0, cycle * cycle - 4 * thinking)))


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else math.inf if numerator else 0.0
