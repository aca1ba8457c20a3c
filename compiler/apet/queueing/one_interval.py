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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from apet.queueing.networks import Network, NetworkBounds, NetworkResult

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
    """ln θ; by class ln X and seconds R; Q with one job less, by class, and with all."""

    at: float
    rates: list[float]
    times: list[float]
    less: list[float]
    full: float


class _Curve(NamedTuple):
    """What is known of a quantity in a piece: its values at both ends, and its least and greatest slope in ln θ."""

    left: float
    right: float
    least: float
    most: float


def certified(low: Network, high: Network, solve: Solve) -> tuple[NetworkBounds, int] | None:
    """Bounds that no value of the interval lies outside of, and at how many values of it the network was solved; None
    where more than one number differs, or is 0 at an end.

    Stations may have any speeds; all classes are closed, and `solve` is exact.
    """
    place = _place(low, high)
    if place is None:
        return None
    jobs = [c.population or 0 for c in low.classes]
    points = [_point(network, place, solve) for network in (low, high)]
    while len(points) < MOST_POINTS:
        wide = _wide(points, place, jobs)
        for i in reversed(wide):
            at = math.exp((points[i].at + points[i + 1].at) / 2)
            points.insert(i + 1, _point(_with(low, place, at), place, solve))
        if not wide:
            break

    ends = [_ends(points, curves) for curves in _by_quantity(points, place, jobs)]
    rates, times = ends[::2], ends[1::2]
    return NetworkBounds(
        "branch and bound",
        [math.exp(lowest) * (1 - ROUNDING) for lowest, _ in rates],
        [math.exp(highest) * (1 + ROUNDING) for _, highest in rates],
        [lowest * (1 - ROUNDING) for lowest, _ in times],
        [highest * (1 + ROUNDING) for _, highest in times],
    ), len(points)


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


def _curves(a: _Point, b: _Point, place: _Place, jobs: Sequence[int]) -> Iterator[_Curve]:
    """Of each class ln X and R, in a piece. R = N / X - Z, so that dR / d ln θ = -N / X d ln X / d ln θ, less θ where
    that is Z."""
    for j, n in enumerate(jobs):
        rate = _Curve(a.rates[j], b.rates[j], a.less[j] - b.full, b.less[j] - a.full)
        yield rate

        cycles = [n / math.exp(x) for x in (_highest(rate, b.at - a.at), _lowest(rate, b.at - a.at))]
        products = [-cycle * slope for cycle in cycles for slope in (rate.least, rate.most)]
        own = (math.exp(a.at), math.exp(b.at)) if place == (j, None) else (0.0, 0.0)
        yield _Curve(a.times[j], b.times[j], min(products) - own[1], max(products) - own[0])


def _highest(curve: _Curve, width: float) -> float:
    """No value in the piece is greater: where the steepest lines from both ends meet (S. A. Piyavskii, 1972)."""
    left, right, least, most = curve
    if least >= 0 or most <= 0:
        return max(left, right)
    share = (right - left - least * width) / (most - least)
    return max(left, right, left + most * min(width, max(0.0, share)))


def _lowest(curve: _Curve, width: float) -> float:
    left, right, least, most = curve
    return -_highest(_Curve(-left, -right, -most, -least), width)


def _by_quantity(points: Sequence[_Point], place: _Place, jobs: Sequence[int]) -> list[tuple[_Curve, ...]]:
    """The pieces of each quantity."""
    return list(zip(*(_curves(a, b, place, jobs) for a, b in pairwise(points)), strict=True))


def _ends(points: Sequence[_Point], curves: Sequence[_Curve]) -> tuple[float, float]:
    widths = [b.at - a.at for a, b in pairwise(points)]
    rows = list(zip(curves, widths, strict=True))
    return min(_lowest(*row) for row in rows), max(_highest(*row) for row in rows)


def _wide(points: Sequence[_Point], place: _Place, jobs: Sequence[int]) -> list[int]:
    """The pieces that may hold more than the extremes of the values known."""
    widths, wide = [b.at - a.at for a, b in pairwise(points)], set[int]()
    for quantity, curves in enumerate(_by_quantity(points, place, jobs)):
        values = [curves[0].left, *(c.right for c in curves)]
        slack = CLOSE * (1.0 if quantity % 2 == 0 else max(values))
        for i, (curve, width) in enumerate(zip(curves, widths, strict=True)):
            beyond = _highest(curve, width) > max(values) + slack or _lowest(curve, width) < min(values) - slack
            wide |= {i} if beyond else set()
    return sorted(wide)
