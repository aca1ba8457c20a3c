"""Open classes where product form ends: uneven service in order of arrival, priorities, bursts of arrivals.

At one server and with Poisson arrivals waits are exact: W = sum_j lambda_j E[S_j^2] / (2 (1 - rho)) for all classes (F.
Pollaczek, 1930; A. Y. Khinchine, 1932). By priority, with W0 = W (1 - rho) and sigma_p the load of priorities up to p,

    W_p = W0 / ((1 - sigma_{p-1}) (1 - sigma_p))                        services end (A. Cobham, Op. Res. 2, 1954)
    T_p = S_p / (1 - sigma_{p-1}) + W0_p / ((1 - sigma_{p-1}) (1 - sigma_p))      they are interrupted and resumed

where W0_p counts priorities up to p (R. W. Conway, W. L. Maxwell and L. W. Miller, 1967). With m servers W0 is that of
M/M/m, exact for equal exponential services. Elsewhere W0 is multiplied by (c2_a + c2_s) / 2 (A. O. Allen and J.
Cunneen, 1978), for several classes by sum_j lambda_j S_j^2 (c2_aj + c2_s) / (2 lambda E[S]^2), times the correction of
W. Kraemer and M. Langenbach-Belz (ITC 8, 1976) where the times between arrivals do not depend on each other: an
estimate. Behind other stations arrivals are taken for Poisson, and so are those of repeated visits: an estimate too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from apet.queueing.data.networks import BY_RANK, Network, NetworkResult
from apet.queueing.methods.mva.open_networks import mean_jobs, offered_work, open_network
from apet.queueing.methods.mva.results import mean_values


class _Flow(NamedTuple):
    """What classes bring to a station together: visits per second, mean service in seconds, squared coefficients of
    variation of the services and, in the long run, of the arrivals; the variance of the work that comes in a long time,
    over its rate and the squared mean service; and whether times between arrivals are independent of each other."""

    rate: float
    service: float
    service_variation: float
    burstiness: float
    work_variation: float
    renewal: bool


def open_in_order(network: Network) -> NetworkResult:
    """Mean values of open classes; no station may be overloaded."""
    result, demands = open_network(network), network.demands()
    jobs = [list(row) for row in result.queue_length]
    for k in range(len(network.stations)):
        if network.lacks_product_form(k):
            for c, stay in enumerate(stays_per_visit(network, k)):
                jobs[c][k] = result.throughput[c] * network.visits[c][k] * stay if demands[c][k] else 0.0
    return mean_values(network, _method(network), result.throughput, jobs)


def stays_per_visit(network: Network, k: int) -> list[float]:
    """Seconds from coming to leaving, by class."""
    visitors, place = network.visitors(k), network.stations[k]
    stays = [0.0] * len(network.classes)
    for c in visitors:
        own = network.classes[c].priority
        by_rank = place.discipline in BY_RANK
        before = [j for j in visitors if by_rank and network.classes[j].priority < own]
        ahead = [j for j in visitors if not by_rank or network.classes[j].priority <= own]
        interrupts = place.discipline == "preemptive"

        free = 1 - _load(network, k, before)
        # What is in service is there however it came; bursts of those behind make no longer line ahead.
        backlog = _work_ahead(network, k, ahead if interrupts else visitors, ahead)
        wait = backlog / (free * (1 - _load(network, k, ahead)))
        stays[c] = wait + network.service[c][k] / (free if interrupts else 1.0)
    return stays


def is_exact(network: Network, k: int) -> bool:
    """Whether the formulas of a station hold exactly for Poisson arrivals that come once: one server, or equal
    exponential services."""
    if not any(network.classes[c].arrival_rate for c in network.visitors(k)):
        return True  # nobody comes
    if any(network.returns(c, k) for c in network.visitors(k)):
        return False
    flow = _flow(network, k, network.visitors(k), network.visitors(k))
    equal = len({network.service[c][k] for c in network.visitors(k)}) == 1
    exponential = equal and network.stations[k].service.is_exponential
    poisson = flow.burstiness == 1 and all(network.classes[c].is_poisson for c in network.visitors(k))
    return poisson and (network.stations[k].servers == 1 or exponential)


def at_most(network: Network, c: int) -> float | None:
    """A bound of the mean response time that holds for any arrivals that are independent of each other, at the only
    station, a single server in order of arrival; None elsewhere.

    W <= lambda (rho (2 - rho) var A + var S) / (2 (1 - rho)): D. J. Daley (1977), sharper than J. F. C. Kingman's
    (1962), which has var A as a whole.
    """
    alone = len(network.classes) == 1 and len(network.visitors(0)) == 1 and len(network.stations) == 1
    if not alone or network.visits[c][0] != 1 or network.stations[0].servers != 1 or network.pools:
        return None
    flow = _flow(network, 0, [c], [c])
    load = flow.rate * flow.service
    if not flow.renewal or network.stations[0].discipline not in ("", "FCFS", *BY_RANK):
        return None
    variances = load * (2 - load) * flow.burstiness / flow.rate**2 + flow.service_variation * flow.service**2
    return flow.service + flow.rate * variances / (2 * (1 - load))


def _load(network: Network, k: int, classes: Sequence[int]) -> float:
    """The share of all servers that classes keep busy."""
    demands = network.demands()
    return sum((network.classes[c].arrival_rate or 0.0) * demands[c][k] for c in classes) / network.stations[k].servers


def _work_ahead(network: Network, k: int, classes: Sequence[int], ahead: Sequence[int]) -> float:
    """W0, the seconds of work under way of these classes that an arrival finds; bursts count of those `ahead`."""
    if not any(network.classes[c].arrival_rate for c in classes):
        return 0.0
    flow, servers = _flow(network, k, classes, ahead), network.stations[k].servers
    work = flow.rate * flow.service
    line = mean_jobs(work, network.speed(k)) - work
    return line / flow.rate * (1 - work / servers) * flow.work_variation / 2 * _correction(flow, work / servers)


def _correction(flow: _Flow, load: float) -> float:
    """Kraemer and Langenbach-Belz: 1 for Poisson arrivals."""
    arrivals, service = flow.burstiness, flow.service_variation
    if arrivals == 1 or not flow.renewal:
        return 1.0
    if arrivals > 1:
        return math.exp(-(1 - load) * (arrivals - 1) / (arrivals + 4 * service))
    return math.exp(-2 * (1 - load) * (1 - arrivals) ** 2 / (3 * load * (arrivals + service)))


def _flow(network: Network, k: int, classes: Sequence[int], bursts_of: Sequence[int]) -> _Flow:
    """Of flows that do not depend on each other indices of dispersion add in proportion to rates, and variances of work
    add, S^2 (I + c2_s) per visit: E[S^2] for Poisson arrivals.

    Of v > 1 visits only the first comes with the variation of arrivals from outside; a fraction v < 1 of arrivals,
    taken at random, varies 1 + v (c2 - 1).
    """
    rate = work = squares = bursts = works = 0.0
    for c in classes:
        visits, service, job = network.visits[c][k], network.service[c][k], network.classes[c]
        arriving = (job.arrival_rate or 0.0) * visits
        rate += arriving
        work += arriving * service
        variation = network.stations[k].service.variation
        dispersion = 1 + (job.burstiness - 1) * min(visits, 1 / visits) * (c in bursts_of)
        squares += arriving * service**2 * (1 + variation)
        bursts += arriving * dispersion
        works += arriving * service**2 * (dispersion + variation)

    mean = work / rate
    renewal = all(network.classes[c].dispersion is None for c in classes)
    scale = rate * mean**2
    return _Flow(rate, mean, squares / scale - 1, bursts / rate, works / scale, renewal)


def _method(network: Network) -> str:
    stations = [k for k in range(len(network.stations)) if network.lacks_product_form(k)]
    if not all(is_exact(network, k) for k in stations):
        return "estimate: Allen-Cunneen"
    ranked = any(network.stations[k].discipline in BY_RANK for k in stations)
    method = "Cobham" if ranked else "Pollaczek-Khinchine"
    # What leaves a station, unless it is a delay, is taken for Poisson, which it need not be.
    used = [s for s, work in zip(network.stations, offered_work(network), strict=True) if work and not s.is_delay]
    return method if len(used) == 1 else f"estimate: {method}"
