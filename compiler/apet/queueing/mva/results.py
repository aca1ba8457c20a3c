"""From throughputs and mean queue lengths to everything else, by Little's law (J. D. C. Little, 1961)."""

from __future__ import annotations

from collections.abc import Sequence

from apet.queueing.networks import Network, NetworkResult


def result(
    network: Network,
    method: str,
    throughput: Sequence[float],
    queue_length: Sequence[Sequence[float]],
    iterations: int = 0,
    converged: bool = True,
) -> NetworkResult:
    """A result in full; `queue_length[c][k]` are mean numbers of jobs of class c at station k."""
    rates = [float(x) for x in throughput]
    jobs = [[float(q) for q in row] for row in queue_length]
    residence = [[_over(q, x) for q in row] for row, x in zip(jobs, rates, strict=True)]
    per_visit = [
        [_over(r, v) for r, v in zip(*rows, strict=True)] for rows in zip(residence, network.visits, strict=True)
    ]
    busy = [
        [_busy(network, k, x * d) for k, d in enumerate(row)] for row, x in zip(network.demands(), rates, strict=True)
    ]
    total = [sum(row) for row in residence]
    return NetworkResult(method, rates, jobs, residence, per_visit, total, busy, iterations, converged)


def _over(above: float, below: float) -> float:
    return above / below if below else 0.0


def _busy(network: Network, station: int, work: float) -> float | None:
    """The busy share of a server; load-dependent stations other than plain multi-servers have none."""
    if network.speeds and network.speeds[station] is not None:
        return None
    return work if network.stations[station].is_delay else work / network.stations[station].servers
