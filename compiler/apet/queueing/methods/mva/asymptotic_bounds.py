"""Bounds of closed networks of single servers and delays, without solving them.

Asymptotic (J. C. Muntz and J. Wong, 1974; P. J. Denning and J. P. Buzen, 1978), balanced system (J. Zahorjan et al.,
CACM 25(2), 1982) and geometric bounds (G. Casale, R. R. Muntz and G. Serazzi, IEEE TC 57(6), 2008).
With D the service demand of one job in all, D_max that at the bottleneck, Z the think time with all delays, N the
population, asymptotic bounds say X <= min(1 / D_max, N / (D + Z)) and R >= max(D, N D_max - Z).
"""

from __future__ import annotations

import math
from dataclasses import replace

from apet.queueing.data.networks import Network, NetworkBounds

METHODS = ("aba", "bsb", "gb")


class _Load:
    """Of one class: its population, service demands at servers (with their sum and the bottleneck's), the time at delay
    stations, and the think time with that, in seconds."""

    def __init__(self, network: Network, c: int) -> None:
        job = network.classes[c]
        self.population = job.population or 0
        pairs = list(zip(network.demands()[c], network.stations, strict=True))
        self.demands = [d for d, s in pairs if not s.is_delay]
        self.delays = sum(d for d, s in pairs if s.is_delay)
        self.think = job.think + self.delays
        self.total, self.bottleneck = sum(self.demands), max(self.demands, default=0.0)


def asymptotic(network: Network) -> NetworkBounds:
    """Of every class; the lower bound of throughput lets each job meet all others at every station.

    In product form R_ck = D_ck (1 + Q_k(N - 1_c)) <= D_ck N with N jobs of all classes (arrival theorem). Where jobs
    are served in order of arrival and service times differ, each of V_ck visits waits for at most one visit of every
    other job, which has S_jk still to go or less: R_ck <= V_ck (S_ck + sum_j (N_j - [j = c]) S_jk), j the classes
    that come.
    """
    loads = [_Load(network, c) for c in range(len(network.classes))]
    upper, least, lower, most = [], [], [], []

    for c, load in enumerate(loads):
        n, alone = load.population, load.think + load.total
        upper.append(min(_ratio(1.0, load.bottleneck), _ratio(n, alone)))
        least.append(load.delays + max(load.total, n * load.bottleneck - load.think))
        longest = sum(_longest(network, c, k) for k, s in enumerate(network.stations) if not s.is_delay)
        most.append(load.delays + longest if n else 0.0)
        lower.append(_ratio(n, load.think + longest))
    return NetworkBounds("aba", X_lower=lower, X_upper=upper, R_lower=least, R_upper=most)


def _longest(network: Network, c: int, k: int) -> float:
    """The most seconds that a job of class c is at station k, all visits together."""
    jobs = [(j.population or 0) - (i == c) for i, j in enumerate(network.classes)]
    own = network.visits[c][k] * network.service[c][k]
    if not network.lacks_product_form(k):
        return own * (1 + sum(jobs))
    others = sum(n * row[k] for n, row, v in zip(jobs, network.service, network.visits, strict=True) if v[k])
    return own + network.visits[c][k] * others * network.stations[k].service.longest_residual


def balanced(network: Network) -> NetworkBounds:
    """Of one class: between a network with all stations like the mean one and one with stations like the busiest."""
    load = _Load(network, 0)
    n, total, think = load.population, load.total, load.think
    longest = total + (n - 1) * load.bottleneck / (1 + think / (n * total)) if n and total else total
    least = max(n * load.bottleneck - think, _balanced_least(load, n))
    upper = _balanced_most(load, n)
    lower = _ratio(n, think + longest)
    least, longest = least + load.delays, longest + load.delays
    return NetworkBounds("bsb", X_lower=[lower], X_upper=[upper], R_lower=[least], R_upper=[longest])


def _balanced_least(load: _Load, n: int) -> float:
    """The least response time of n jobs, as in a network of equal stations."""
    if not n or not load.total:
        return load.total
    mean = load.total / len([d for d in load.demands if d > 0])
    return load.total + (n - 1) * mean / (1 + load.think / load.total)


def _balanced_most(load: _Load, n: int) -> float:
    """The greatest throughput of n jobs."""
    return min(_ratio(1.0, load.bottleneck), _ratio(n, load.think + _balanced_least(load, n)))


def geometric(network: Network) -> NetworkBounds:
    """Of one class: queue lengths of the stations that are not the busiest are bounded by geometric sums.

    Their ratios come from bounds of the throughput with one job less, above from the balanced one. With few jobs the
    upper bound may be above the asymptotic one.
    """
    load = _Load(network, 0)
    n, total, think, top = load.population, load.total, load.think, load.bottleneck
    if not n or not total:
        return replace(asymptotic(network), method="gb")

    # What waits elsewhere than at the bottleneck, at least and at most.
    others = [d for d in load.demands if d < top]
    slow = [_geometric(d * (n - 1) / (think + total + top * (n - 1)), n - 1) for d in others]
    most = _balanced_most(load, n - 1)
    fast = [_geometric(d * most, n - 1) for d in others]

    lower = _rate(n, think + total + top * (n - 1) - _saved(top, others, slow), think * top * (n - 1))
    upper = _rate(n, think + total + top * (n - 1) - _saved(top, others, fast), think * top * n)
    apart = think - load.delays  # time at delay stations is part of the response time
    return NetworkBounds(
        "gb", X_lower=[lower], X_upper=[upper], R_lower=[n / upper - apart], R_upper=[n / lower - apart]
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
