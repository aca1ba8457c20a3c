"""Open classes at single servers in order of arrival, whatever their service times: M/G/1 at every station.

All classes wait equally long, W = sum_j lambda_j E[S_j^2] / (2 (1 - rho)) (F. Pollaczek, 1930; A. Y. Khinchine,
1932), with Poisson arrivals. Those of a first station are; behind a station without product form arrivals are only
taken for Poisson. Kingman's bound (J. F. C. Kingman, 1962) with c2_a = 1 is the same formula, so that for Poisson
arrivals it is met.
"""

from __future__ import annotations

from apet.queueing.mva.open_networks import mean_jobs, offered_work
from apet.queueing.mva.results import mean_values
from apet.queueing.networks import Network, NetworkResult


def open_in_order(network: Network) -> NetworkResult:
    """Mean values of open classes; no station may be overloaded, and unequal ones have one server."""
    works, demands = offered_work(network), network.demands()
    rates = [c.arrival_rate or 0.0 for c in network.classes]
    jobs = [[0.0] * len(network.stations) for _ in network.classes]
    for k, work in enumerate(works):
        wait = mean_wait(network, k) if network.in_order_unequally(k) else None
        everyone = work if network.stations[k].is_delay else mean_jobs(work, network.speed(k))
        for c, rate in enumerate(rates):
            own = rate * demands[c][k]
            if wait is None:
                jobs[c][k] = everyone * own / work if work else 0.0
            else:
                jobs[c][k] = own + rate * network.visits[c][k] * wait
    return mean_values(network, "Pollaczek-Khinchine", rates, jobs)


def mean_wait(network: Network, k: int) -> float:
    """Seconds that each visit waits."""
    variation = network.stations[k].service.variation
    second_moments = sum(
        (c.arrival_rate or 0.0) * visits[k] * (1 + variation) * times[k] ** 2
        for c, visits, times in zip(network.classes, network.visits, network.service, strict=True)
    )
    return second_moments / (2 * (1 - offered_work(network)[k]))
