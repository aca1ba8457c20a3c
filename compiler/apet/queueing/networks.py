"""Queueing networks and what is known of them: the data that solvers and reports share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

Matrix = Sequence[Sequence[float]]
"""One row per class, one column per station."""


class Station(NamedTuple):
    """A place where jobs are served: by `servers` equal servers with one queue, or at once by a "delay" station."""

    name: str
    kind: str = "queue"
    servers: int = 1

    @property
    def is_delay(self) -> bool:
        """Whether jobs never wait here."""
        return self.kind == "delay"


class JobClass(NamedTuple):
    """Jobs that are alike: `population` of them circulating with `think` seconds between, or arriving by a rate per
    second."""

    name: str
    population: int | None = None
    think: float = 0.0
    arrival_rate: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether jobs come from outside and leave."""
        return self.population is None


class Network(NamedTuple):
    """Stations, classes, seconds of service per visit and visits per job, by class and station.

    `speeds`, where given for a station, says how fast it works with 1, 2, … jobs present, relative to one job: a
    load-dependent station. The last speed holds for all greater numbers.
    """

    stations: tuple[Station, ...]
    classes: tuple[JobClass, ...]
    service: Matrix
    visits: Matrix
    speeds: tuple[tuple[float, ...] | None, ...] = ()

    def demands(self) -> list[list[float]]:
        """Seconds of service per job, by class and station."""
        return [[v * s for v, s in zip(*rows, strict=True)] for rows in zip(self.visits, self.service, strict=True)]

    def speed(self, station: int) -> tuple[float, ...]:
        """How fast a station works with 1, 2, … jobs, relative to one job; the last speed holds for all above."""
        if self.speeds and self.speeds[station] is not None:
            return self.speeds[station] or ()
        return tuple(float(j) for j in range(1, self.stations[station].servers + 1))

    def is_plain(self, station: int) -> bool:
        """Whether a station is one server whose speed does not depend on the jobs present, or a delay."""
        return self.stations[station].is_delay or self.speed(station) == (1.0,)


class NetworkResult(NamedTuple):
    """What was found for a network: by class, or by class and station. Times in seconds, throughput in jobs per second.

    `utilization` is the busy share of one server (at a delay station: the mean number of jobs), None where it has no
    such meaning. `iterations` is 0 for methods that do not iterate.
    """

    method: str
    throughput: list[float]
    queue_length: list[list[float]]
    residence_time: list[list[float]]
    response_time_per_visit: list[list[float]]
    system_response_time: list[float]
    utilization: list[list[float | None]]
    iterations: int = 0
    converged: bool = True


class NetworkBounds(NamedTuple):
    """Bounds of throughput (jobs per second) and response time (seconds) of every class, and whose bounds they are."""

    method: str
    X_lower: list[float]
    X_upper: list[float]
    R_lower: list[float]
    R_upper: list[float]
