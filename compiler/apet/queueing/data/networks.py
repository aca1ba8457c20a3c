"""Queueing networks in product form, as data: what methods take, and what they give.

The terms of the field: a job of class c makes V_ck visits (visit ratio) to station k, with a service time of S_ck
seconds each; D_ck = V_ck S_ck is its service demand. Closed classes have a population N_c of jobs, each of which thinks
Z_c seconds between one round and the next; open classes arrive at a rate. Of a solution, X_c is the throughput, R_ck
the residence time (all visits of a job to a station together), Q_ck the mean queue length (jobs waiting or in service),
U_ck the utilization. The station of the greatest demand per server is the bottleneck.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from apet.queueing.data.jobs import EQUAL, Distribution, NamedCount, Percentiles, Pool

BY_RANK = ("priority", "preemptive")
"""Disciplines that take classes in the order of their priorities."""
Matrix = Sequence[Sequence[float]]
"""One row per class c, one column per station k."""
EXPONENTIAL = Distribution()
MOST_JOBS = 10**6
"""Jobs of a class, and servers of a station."""
SHORT = 10**6
"""The greatest denominator of a quotient of two decimals of three digits."""


@dataclass(frozen=True, slots=True)
class Station:
    """A place where jobs are served: a "queue" of `servers` equal servers, or a "delay" where nobody waits.

    `discipline` is "FCFS", "PS", "LCFS-PR", "priority", "preemptive" (as in `JobStation`), or "" where the file leaves
    it open: then whichever has product form. `service` says how service times vary; in order of arrival or by priority
    that changes means. `price` is that of a server, per hour.
    """

    name: str
    kind: str = "queue"
    servers: int = 1
    discipline: str = ""
    service: Distribution = EXPONENTIAL
    price: float = 0.0

    @property
    def is_delay(self) -> bool:
        """Whether jobs never wait here."""
        return self.kind == "delay"


@dataclass(frozen=True, slots=True)
class JobClass:
    """Jobs that are alike. Closed: `population` jobs circulate, with a think time of `think` seconds between rounds.
    Open: jobs arrive from outside at `arrival_rate` per second, in times of distribution `arrivals` from each other,
    or, where arrivals depend on each other, with the index of dispersion for counts `dispersion`, the limit of variance
    over mean of the numbers that arrive in long intervals. Stations that serve by priority take 1 before 2. Think times
    have the distribution `thinking`. A job makes its visits in "rounds", or, with "random" routing, one after the other
    at random, in proportion to their ratios, and leaves at random after each."""

    name: str
    population: int | None = None
    think: float = 0.0
    arrival_rate: float | None = None
    arrivals: Distribution = EXPONENTIAL
    dispersion: float | None = None
    priority: int = 1
    thinking: Distribution = EXPONENTIAL
    routing: str = "rounds"

    @property
    def burstiness(self) -> float:
        """How arrivals vary in the long run: 1 for Poisson, the squared coefficient of variation of times that do not
        depend on each other."""
        return self.arrivals.variation if self.dispersion is None else self.dispersion

    @property
    def is_poisson(self) -> bool:
        """Whether arrivals are a Poisson stream; closed classes, which have none, are no obstacle to one."""
        return self.arrivals.is_exponential and self.burstiness == 1

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
    pools: tuple[Pool, ...] = ()
    counts: tuple[NamedCount, ...] = ()

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

    def visitors(self, station: int) -> list[int]:
        """The classes that bring work to a station, by number."""
        return [c for c, row in enumerate(self.demands()) if row[station]]

    def visitors_of(self, c: int) -> list[int]:
        """The stations that a class brings work to, by number."""
        return [k for k, demand in enumerate(self.demands()[c]) if demand]

    def returns(self, c: int, station: int) -> bool:
        """Whether jobs of a class may visit a station more than once."""
        own = self.visits[c]
        return own[station] > 1 or (self.classes[c].routing == "random" and sum(own) > 1 + EQUAL)

    def lacks_product_form(self, station: int) -> bool:
        """Whether the classes of a station know of each other, or of what varies, more than product form allows (F.
        Baskett et al., JACM 22(2), 1975): in order of arrival service times differ by class or are not exponential,
        priorities differ, or arrivals are not Poisson."""
        place, visitors = self.stations[station], self.visitors(station)
        uneven = len({self.service[c][station] for c in visitors}) > 1 or not place.service.is_exponential
        ranked = place.discipline in BY_RANK and len({self.classes[c].priority for c in visitors}) > 1
        in_line = place.discipline == "FCFS" or (place.discipline in BY_RANK and not ranked)
        bursty = not place.is_delay and not all(self.classes[c].is_poisson for c in visitors)
        return ranked or bursty or (in_line and uneven)

    def is_regular(self, station: int) -> bool:
        """Whether neither its speed nor the time of n jobs there falls in n, which proofs of monotony rest on."""
        if self.stations[station].is_delay:
            return True
        speeds = self.speed(station)
        times = [n / s for n, s in enumerate(speeds, start=1)]
        rising = all(a <= b for a, b in itertools.pairwise(speeds))
        return rising and all(a <= b * (1 + 1e-12) for a, b in itertools.pairwise(times))

    def is_poisson_line(self, station: int) -> bool:
        """Whether one server takes Poisson arrivals one after the other, in their order or by priority: M/G/1. Jobs
        that come several times return just when others have been served, which is no Poisson stream."""
        place, visitors = self.stations[station], self.visitors(station)
        poisson = all(self.classes[c].is_poisson and not self.returns(c, station) for c in visitors)
        return poisson and place.servers == 1 and place.discipline in ("", "FCFS", *BY_RANK)

    @property
    def obstacles(self) -> list[str]:
        """What stands against product form: stations and pools by name."""
        stations = [s.name for k, s in enumerate(self.stations) if self.lacks_product_form(k)]
        return [*stations, *(f"pool {p.name}" for p in self.pools)]

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
    - `outside`, [c]: seconds of the system response time before a pool lets a job in; nothing without pools
    - `refused`, [c]: share of the jobs that a pool turns away; nothing without pools
    - `notes`: for readers
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
    outside: tuple[float, ...] = ()
    refused: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_estimate(self) -> bool:
        """Whether nobody knows how far off the means are."""
        return self.method.startswith("estimate")


@dataclass(frozen=True, slots=True)
class NetworkBounds:
    """Bounds of X_c (jobs per second) and R_c (seconds), by class, and whose bounds they are."""

    method: str
    X_lower: list[float]
    X_upper: list[float]
    R_lower: list[float]
    R_upper: list[float]
