"""From throughputs and mean queue lengths to all mean values: Little's law (1961) and the utilization law."""

from __future__ import annotations

from collections.abc import Sequence

from apet.queueing.data.networks import Network, NetworkResult


def mean_values(
    network: Network,
    method: str,
    throughput: Sequence[float],
    queue_length: Sequence[Sequence[float]],
    iterations: int = 0,
    converged: bool = True,
) -> NetworkResult:
    """All mean values; `queue_length[c][k]` are mean numbers of jobs of class c at station k.

    Residence times are R = Q / X, utilizations X D / servers.
    """
    rates = [float(x) for x in throughput]
    jobs = [[float(q) for q in row] for row in queue_length]
    residence = [[_ratio(q, x) for q in row] for row, x in zip(jobs, rates, strict=True)]
    visits = zip(residence, network.visits, strict=True)
    demands = zip(network.demands(), rates, strict=True)

    return NetworkResult(
        method=method,
        throughput=rates,
        queue_length=jobs,
        residence_time=residence,
        response_time_per_visit=[[_ratio(r, v) for r, v in zip(*rows, strict=True)] for rows in visits],
        system_response_time=[sum(row) for row in residence],
        utilization=[[_utilization(network, k, x * d) for k, d in enumerate(row)] for row, x in demands],
        iterations=iterations,
        converged=converged,
    )


def within_capacity(network: Network, result: NetworkResult) -> NetworkResult:
    """An approximate result of closed classes, or the waits added that keep its stations from being overloaded."""
    import numpy as np

    from apet.queueing.methods.capacity import overload_waits

    demands = np.array(network.demands())
    peaks = np.array([np.inf if s.is_delay else max(network.speed(k)) for k, s in enumerate(network.stations)])
    jobs = np.array([c.population or 0 for c in network.classes], dtype=float)
    think = np.array([c.think for c in network.classes])
    waits = overload_waits(jobs, think + np.array(result.system_response_time), demands / peaks, demands)
    if not waits.any():
        return result

    residence = np.array(result.residence_time) + waits
    cycle = think + residence.sum(axis=1)
    rates = np.divide(jobs, cycle, out=np.zeros_like(jobs), where=cycle > 0)
    return mean_values(
        network,
        result.method,
        rates.tolist(),
        (rates[:, None] * residence).tolist(),
        result.iterations,
        result.converged,
    )


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


def _utilization(network: Network, station: int, work: float) -> float | None:
    """The busy share of a server; load-dependent stations other than plain multi-servers have none."""
    if network.speeds and network.speeds[station] is not None:
        return None
    return work if network.stations[station].is_delay else work / network.stations[station].servers
