"""Certified ends of throughputs and response times of closed classes, of which one demand or think time is uncertain.

With θ that number, G the normalising constant and Q(n) the mean number of jobs where θ counts (at the station, or
thinking) while n jobs circulate, d ln G(n) / d ln θ = Q(n), and d Q / d ln θ is a variance, so that Q rises in θ (R.
Suri, JACM 32(4), 1985). As X_j = G(N - 1_j) / G(N),

    d ln X_j / d ln θ = Q(N - 1_j) - Q(N),

which over a piece [a, b] lies between the two terms at opposite ends of it. Values at the ends of a piece and slopes
within it bound all values there; pieces that may hold more than the extremes of all values so far are halved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.queueing.networks import Network, NetworkBounds, NetworkResult

Array = NDArray[np.float64]
Solve = Callable[[Network], NetworkResult]
CLOSE = 1e-5
"""Relative difference between a bound and a value at which a piece is let alone."""
ROUNDING = 1e-9
"""Relative error of the solutions, which are sums of floats: bounds are moved outward by it."""
MOST_POINTS = 300


class _Place(NamedTuple):
    """Where θ counts: a class, and a station or None for thinking."""

    c: int
    k: int | None


class _Point(NamedTuple):
    """ln θ; by class ln X, seconds R, and Q with one job less; Q with all."""

    at: float
    rates: list[float]
    times: list[float]
    less: list[float]
    full: float


def certified(low: Network, high: Network, solve: Solve) -> tuple[NetworkBounds, int] | None:
    """Bounds that no value of the interval lies outside of, and at how many values of it the network was solved; None
    where more than one number differs, or is 0 at an end.

    Stations may have any speeds; all classes are closed, and `solve` is exact.
    """
    place = _place(low, high)
    if place is None:
        return None
    points, classes = [_point(network, place, solve) for network in (low, high)], len(low.classes)
    while True:
        values, least, most = _bounds(points, place, np.array([c.population or 0 for c in low.classes]))
        slack = CLOSE * np.where(np.arange(2 * classes) < classes, 1.0, values.max(axis=0))
        wide = (most > values.max(axis=0) + slack) | (least < values.min(axis=0) - slack)
        if not wide.any() or len(points) > MOST_POINTS:
            break
        for i in reversed(np.flatnonzero(wide.any(axis=1)).tolist()):
            middle = math.exp((points[i].at + points[i + 1].at) / 2)
            points.insert(i + 1, _point(_with(low, place, middle), place, solve))

    ends = least.min(axis=0), most.max(axis=0)
    (x_low, r_low), (x_high, r_high) = ((np.exp(row[:classes]), row[classes:]) for row in ends)
    lower, upper = 1 - ROUNDING, 1 + ROUNDING
    rows = (x_low * lower, x_high * upper, r_low * lower, r_high * upper)
    return NetworkBounds("branch and bound", *(row.tolist() for row in rows)), len(points)


def _place(low: Network, high: Network) -> _Place | None:
    """The one number that differs."""
    places: list[tuple[_Place, float]] = []
    for c, (a, b) in enumerate(zip(low.classes, high.classes, strict=True)):
        places += [(_Place(c, None), a.think)] if a.think != b.think else []
    for c, rows in enumerate(zip(low.demands(), high.demands(), strict=True)):
        places += [(_Place(c, k), a) for k, (a, b) in enumerate(zip(*rows, strict=True)) if a != b]
    single = len(places) == 1 and places[0][1] > 0 and low.speeds == high.speeds
    return places[0][0] if single and all(c.population for c in low.classes) else None


def _with(network: Network, place: _Place, value: float) -> Network:
    """The network with another θ."""
    c, k = place
    if k is None:
        classes = [replace(job, think=value) if i == c else job for i, job in enumerate(network.classes)]
        return replace(network, classes=tuple(classes))
    service = [list(row) for row in network.service]
    service[c][k] = value / network.visits[c][k]
    return replace(network, service=service)


def _point(network: Network, place: _Place, solve: Solve) -> _Point:
    result, less = solve(network), list[float]()
    for j, job in enumerate(network.classes):
        fewer = replace(job, population=(job.population or 0) - 1)
        without = replace(network, classes=(*network.classes[:j], fewer, *network.classes[j + 1 :]))
        counts = without.classes[place.c].population
        less.append(_there(without, place, solve(without)) if counts else 0.0)

    theta = network.classes[place.c].think if place.k is None else network.demands()[place.c][place.k]
    rates = [math.log(x) for x in result.throughput]
    return _Point(math.log(theta), rates, result.system_response_time, less, _there(network, place, result))


def _there(network: Network, place: _Place, result: NetworkResult) -> float:
    """Q: jobs of the class at the station, or thinking."""
    if place.k is None:
        return result.throughput[place.c] * network.classes[place.c].think
    return result.queue_length[place.c][place.k]


def _bounds(points: Sequence[_Point], place: _Place, jobs: Array) -> tuple[Array, Array, Array]:
    """(points, 2 classes) ln X of all classes and R of all; (pieces, 2 classes) what they are at least and at most.

    R = N / X - Z, so that dR / d ln θ = -N / X d ln X / d ln θ, less θ where that is Z.
    """
    at, rates, times, less = (np.array([p[i] for p in points]) for i in range(4))
    full, width = np.array([[p.full] for p in points]), np.diff(at)[:, None]
    slopes = less[:-1] - full[1:], less[1:] - full[:-1]
    highest = _highest(rates[:-1], rates[1:], *slopes, width)
    lowest = -_highest(-rates[:-1], -rates[1:], -slopes[1], -slopes[0], width)

    products = np.array([-jobs / np.exp(rate) * slope for rate in (lowest, highest) for slope in slopes])
    own = np.zeros_like(times)
    if place.k is None:
        own[:, place.c] = np.exp(at)
    least, most = products.min(axis=0) - own[1:], products.max(axis=0) - own[:-1]
    longest = _highest(times[:-1], times[1:], least, most, width)
    shortest = -_highest(-times[:-1], -times[1:], -most, -least, width)
    return np.hstack([rates, times]), np.hstack([lowest, shortest]), np.hstack([highest, longest])


def _highest(left: Array, right: Array, least: Array, most: Array, width: Array) -> Array:
    """What no value in a piece exceeds: where the steepest lines from both ends meet (S. A. Piyavskii, 1972)."""
    bent = (least < 0) & (most > 0)
    share = (right - left - least * width) / np.where(bent, most - least, 1.0)
    peak = left + most * np.clip(share, 0.0, width)
    return np.maximum(np.maximum(left, right), np.where(bent, peak, left))
