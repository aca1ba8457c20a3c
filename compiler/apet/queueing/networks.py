"""Queueing networks in product form, as data: what methods take, and what they give.

The terms of the field: a job of class c makes V_ck visits (visit ratio) to station k, with a service time of S_ck
seconds each; D_ck = V_ck S_ck is its service demand. Closed classes have a population N_c of jobs, each of which thinks
Z_c seconds between one round and the next; open classes arrive at a rate. Of a solution, X_c is the throughput, R_ck
the residence time (all visits of a job to a station together), Q_ck the mean queue length (jobs waiting or in service),
U_ck the utilization. The station of the greatest demand per server is the bottleneck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from apet.queueing.jobs import Distribution, Percentiles

Matrix = Sequence[Sequence[float]]
"""One row per class c, one column per station k."""
EXPONENTIAL = Distribution()
SHORT = 10**6
"""The greatest denominator of a quotient of two decimals of three digits."""


@dataclass(frozen=True, slots=True)
class Station:
    """A place where jobs are served: a "queue" of `servers` equal servers, or a "delay" where nobody waits.

    `discipline` is "FCFS", "PS", "LCFS-PR", or "" where the file leaves it open: then whichever has product form.
    `service` says how service times vary; only in order of arrival that changes means.
    """

    name: str
    kind: str = "queue"
    servers: int = 1
    discipline: str = ""
    service: Distribution = EXPONENTIAL

    @property
    def is_delay(self) -> bool:
        """Whether jobs never wait here."""
        return self.kind == "delay"


@dataclass(frozen=True, slots=True)
class JobClass:
    """Jobs that are alike. Closed: `population` jobs circulate, with a think time of `think` seconds between rounds.
    Open: jobs arrive from outside at `arrival_rate` per second."""

    name: str
    population: int | None = None
    think: float = 0.0
    arrival_rate: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether jobs come from outside and leave."""
        return self.population is None


@dataclass(frozen=True, slots=True)
class Network:
    """Stations and classes, with what a job needs where.

    - `service`, [c][k]: service time in seconds per visit
    - `visits`, [c][k]: visit ratio, visits per job
    - `speeds`, [k]: of a load-dependent station how fast it works with 1, 2, … jobs present, relative to one job (the
      last speed holds for all greater numbers); None, or nothing at all, for stations of constant speed
    """

    stations: tuple[Station, ...]
    classes: tuple[JobClass, ...]
    service: Matrix
    visits: Matrix
    speeds: tuple[tuple[float, ...] | None, ...] = ()

    def demands(self) -> list[list[float]]:
        """The service demands D_ck = V_ck S_ck, in seconds."""
        return [[v * s for v, s in zip(*rows, strict=True)] for rows in zip(self.visits, self.service, strict=True)]

    def speed(self, station: int) -> tuple[float, ...]:
        """How fast a station works with 1, 2, … jobs, relative to one job; the last speed holds for all above."""
        if self.speeds and self.speeds[station] is not None:
            return self.speeds[station] or ()
        return tuple(float(j) for j in range(1, self.stations[station].servers + 1))

    def exact_speed(self, station: int) -> tuple[Fraction, ...]:
        """`speed` as the quotients of decimals that tables of times are written in, where these are short."""
        return tuple(map(_quotient, self.speed(station)))

    def in_order_unequally(self, station: int) -> bool:
        """Whether a station serves in order of arrival, and service times differ by class or are not exponential:
        without product form."""
        times = {row[station] for row, visits in zip(self.service, self.visits, strict=True) if visits[station]}
        unequal = len(times - {0.0}) > 1 or self.stations[station].service.variation != 1
        return self.stations[station].discipline == "FCFS" and unequal

    def is_plain(self, station: int) -> bool:
        """Whether a station is one server whose speed does not depend on the jobs present, or a delay."""
        return self.stations[station].is_delay or self.speed(station) == (1.0,)


def _quotient(number: float) -> Fraction:
    """The simplest fraction that rounds to a float, up to the rounding of the division that made it; else the float."""
    simple = Fraction(number).limit_denominator(SHORT)
    return simple if abs(float(simple) - number) <= 2 * math.ulp(number) else Fraction(number)


@dataclass(frozen=True, slots=True)
class NetworkResult:
    """The mean values of a network, by class c and station k.

    - `throughput`, [c]: X_c, jobs per second
    - `queue_length`, [c][k]: Q_ck, jobs
    - `residence_time`, [c][k]: R_ck, seconds per job, all visits together
    - `response_time_per_visit`, [c][k]: R_ck / V_ck, seconds
    - `system_response_time`, [c]: sum over k of R_ck, seconds, without the think time
    - `utilization`, [c][k]: busy share of one server (at a delay station the mean number of jobs); None where it has no
      such meaning
    - `iterations`: 0 for methods that do not iterate
    - `percentiles`, [c]: of the system response time; None where they are not known
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
    percentiles: tuple[Percentiles | None, ...] = ()


@dataclass(frozen=True, slots=True)
class NetworkBounds:
    """Bounds of X_c (jobs per second) and R_c (seconds), by class, and whose bounds they are."""

    method: str
    X_lower: list[float]
    X_upper: list[float]
    R_lower: list[float]
    R_upper: list[float]
