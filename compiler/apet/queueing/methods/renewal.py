"""One line of jobs that arrive at independent times, GI/G/1, and what is the same: several servers of constant service.

A wait follows the one before it, W' = max(0, W + S - A) (D. V. Lindley, 1952). On a lattice its transform is exp(sum of
c_k (z^k - 1), k > 0), c_k the coefficients of -log(1 - E z^(S - A)) (F. Spitzer, 1956), which a Fourier transform gives
(M. H. Ackroyd, 1980; R. Gruebel, Applied Statistics 40, 1991), here on a circle between z = 1 and the other root
e^theta of E e^(theta (S - A)) = 1, where nothing is singular. With exponential services, times in the system are
exponential at the rate theta (D. G. Kendall, 1953). Servers whose service is constant take jobs in turn: each is
GI/D/1, to which every m-th job comes.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.queueing.data.jobs import Distribution
from apet.queueing.data.networks import Network
from apet.queueing.methods.lattice import hats, value_at

Array = NDArray[np.float64]
REACH = 100.0
"""Of the lattice, over the mean of waits: what returns to it is exp(-REACH / 4) times as great."""
FINEST, FEWEST, MOST = 100, 2**14, 2**20
"""Points per service time that are asked for, and points of a lattice."""
SERVICES = 8.0
"""Of the lattice, over the mean service and the mean time between arrivals."""
COARSE = 2e-4
"""Share by which a lattice may add to the variance of S - A, which is that of the error of waits."""
HALVINGS = 200


class RenewalLine(NamedTuple):
    """One class at one line: seconds between arrivals at a server (a sum of `turns` of them) and of service."""

    arrivals: Distribution
    between: float
    turns: int
    shape: Distribution
    service: float

    @property
    def decay(self) -> float:
        """The rate at which waits fall off, theta, per second; infinite where nobody ever waits."""
        low, high = 0.0, 1 / self.service
        greatest = self._greatest()
        while self._growth(min(high, greatest)) < 0:
            if high > 1e6 / self.service:
                return math.inf
            low, high = high, 2 * high
        high = min(high, greatest)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if not low < middle < high:
                break
            low, high = (middle, high) if self._growth(middle) < 0 else (low, middle)
        return high

    def _greatest(self) -> float:
        """Below which E e^(theta S) is finite."""
        rates = {"det": math.inf, "measured": math.inf, "hyperexp": 2 * (1 - self.shape.short_share)}
        return rates.get(self.shape.kind, float(self.shape.order)) / self.service * (1 - 1e-12)

    def _growth(self, theta: float) -> float:
        """log E e^(theta (S - A))."""
        if theta * self.service > 500:
            return math.inf
        come = math.log(float(self.arrivals.transform(theta * self.between)))
        return math.log(float(self.shape.transform(-theta * self.service))) + self.turns * come

    @property
    def variance(self) -> float:
        """Of S - A, in squared seconds."""
        return self.shape.variation * self.service**2 + self.turns * self.arrivals.variation * self.between**2


class Times(NamedTuple):
    """Times in the system: how they are found, the mean in seconds, and chances by steps of a lattice (nothing where
    they are exponential)."""

    method: str
    mean: float
    step: float = 0.0
    chances: Array | None = None

    def percentile(self, level: float) -> float:
        """Seconds."""
        if self.chances is None:
            return -self.mean * math.log1p(-level / 100)
        return value_at(self.chances, level / 100) * self.step


def renewal_line(network: Network) -> RenewalLine | None:
    """The network, if it is one class at one line that this covers; arrivals may be Poisson only at several servers."""
    if len(network.classes) != 1 or network.pools or any(network.speeds):
        return None
    job, used = network.classes[0], network.visitors_of(0)
    if not (job.is_open and job.arrival_rate and job.dispersion is None and len(used) == 1):
        return None
    station, k = network.stations[used[0]], used[0]
    if station.is_delay or station.discipline not in ("FCFS", "") or network.visits[0][k] != 1:
        return None
    constant = station.service.kind == "det"
    if (station.servers > 1 and not constant) or (station.servers == 1 and job.is_poisson):
        return None
    return RenewalLine(job.arrivals, 1 / job.arrival_rate, station.servers, station.service, network.service[0][k])


@lru_cache(maxsize=64)
def times_in_system(line: RenewalLine) -> Times | None:
    """Means and distribution; None where no lattice is both long and fine enough."""
    if not line.variance:
        return Times("constant, exact", line.service, line.service, np.array([0.0, 1.0]))
    theta = line.decay
    if line.turns == 1 and line.shape.is_exponential:
        return Times("GI/M/1, exact", 1 / theta)
    reach = max(REACH / theta, SERVICES * line.service * (1 + line.shape.variation), SERVICES * line.between)
    size = 2 ** math.ceil(math.log2(max(FEWEST, min(MOST, reach / line.service * FINEST))))
    step = line.service / max(1, math.floor(line.service / (reach / size)))
    if step**2 / 6 > COARSE * line.variance:
        return None

    chances = _waits(line, step, size, theta)
    both = np.fft.rfft(chances, 2 * size) * np.fft.rfft(hats(step, size, line.shape, line.service), 2 * size)
    waiting = float(chances @ np.arange(size)) * step
    return Times("GI/G/1 on a lattice", line.service + waiting, step, np.fft.irfft(both, 2 * size)[:size])


def _waits(line: RenewalLine, step: float, size: int, theta: float) -> Array:
    """Chances of 0, 1, … steps of waiting."""
    one = np.fft.rfft(hats(step, size, line.arrivals, line.between), size)
    come = np.maximum(np.fft.irfft(one**line.turns, size), 0.0)
    served = hats(step, size, line.shape, line.service)
    tilt, number = theta * step / 2, np.arange(size // 2)
    grown = served[: size // 2] * np.exp(tilt * number)
    shrunk = np.roll(np.concatenate([np.zeros(size // 2), (come[: size // 2] * np.exp(-tilt * number))[::-1]]), 1)

    drift = np.fft.rfft(grown, size) * np.fft.rfft(shrunk)
    weights = np.fft.irfft(-np.log(1 - drift), size)[: size // 2] * np.exp(-tilt * number)
    weights[0] = 0.0
    waits = np.fft.irfft(np.exp(np.fft.rfft(weights, size) - weights.sum()), size)
    return np.asarray(np.maximum(waits, 0.0), dtype=np.float64)
