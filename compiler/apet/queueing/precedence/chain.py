"""One job, solved exactly in the mean field of the others: visits and times of all states, level by level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import JobStation
from apet.queueing.precedence.phases import LEAD, LEAD_AGAIN, SERVE, WAIT
from apet.queueing.precedence.states import Chain

Array = NDArray[np.float64]


class Field(NamedTuple):
    """What a job meets: by station, how much slower it is with x own tasks there (index x), the mean wait for others at
    queues, and the probability that there are others.

    `behind` are, at several servers that serve in order of arrival, seconds that a step of any length waits for others
    with x own tasks there; `slow` holds them already, as steps of mean length see them.
    """

    slow: tuple[Array, ...]
    wait: Array
    met: Array
    behind: Mapping[int, Array] = {}


class Solved(NamedTuple):
    """Of one job: response time; by station, seconds with x tasks there and with y of them not blocked; visits to
    queues: batches, their work, its second moment, queues entered together. Then seconds that each task is active, and
    that each pair is."""

    response: float
    present: tuple[Array, ...]
    leading: tuple[Array, ...]
    batches: Array
    active: Array
    together: Array


def is_queue(station: JobStation) -> bool:
    """Whether a station is one server with a first-come-first-served queue."""
    return station.discipline == "FCFS" and station.servers == 1


def solve(chain: Chain, stations: tuple[JobStation, ...], field: Field) -> Solved:
    """The means of a chain in a field."""
    durations = _durations(chain, stations, field)
    chances = chain.static.copy()
    for k in range(len(stations)):
        if chain.met[:, k].any() or chain.missed[:, k].any():
            chances *= field.met[k] ** chain.met[:, k] * (1 - field.met[k]) ** chain.missed[:, k]
    rates = chances / durations
    states = len(chain.present)
    leaving = np.bincount(chain.source, weights=rates, minlength=states)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(leaving[chain.source] > 0, rates / leaving[chain.source], 0.0)
    visits = np.zeros(states)
    visits[0] = 1.0
    flows = np.zeros(len(shares))
    for start, end in zip(chain.ends, chain.ends[1:], strict=False):
        flow = visits[chain.source[start:end]] * shares[start:end]
        flows[start:end] = flow
        np.add.at(visits, chain.target[start:end], flow)
    seconds = np.divide(visits, leaving, out=np.zeros(states), where=leaving > 0)
    seconds[0] = 0.0
    number = range(len(stations))
    present = tuple(_by_count(chain.present[:, k], seconds) for k in number)
    leading = tuple(_by_count(chain.leading[:, k], seconds) for k in number)
    active = chain.active.astype(float)
    weighted = active * seconds[:, None]
    return Solved(
        float(seconds.sum()),
        present,
        leading,
        _batches(chain, flows, len(stations)),
        weighted.sum(axis=0),
        weighted.T @ active,
    )


def _by_count(count: NDArray[np.int64], seconds: Array) -> Array:
    return np.asarray(np.bincount(count, weights=seconds), dtype=np.float64)


def _batches(chain: Chain, flows: Array, stations: int) -> Array:
    found = np.zeros((stations, 4))
    for batch in chain.batches:
        flow = flows[batch.transition]
        found[batch.station] += flow * np.array([1.0, batch.work, batch.second_moment, batch.width])
    return found


def _durations(chain: Chain, stations: tuple[JobStation, ...], field: Field) -> Array:
    """Mean seconds of the phase that each transition ends; 1 for the start."""
    found = np.ones(len(chain.source))
    own, leading = chain.present[chain.source], chain.leading[chain.source]
    for k, station in enumerate(stations):
        here = (chain.station == k) & (chain.kind >= 0)
        if not here.any():
            continue
        mean, kind = chain.mean[here], chain.kind[here]
        if is_queue(station):
            wait = field.wait[k] / field.met[k] if field.met[k] > 0 else 1.0
            crowd = leading[here, k]
            found[here] = np.select(
                [kind == SERVE, kind == LEAD, kind == LEAD_AGAIN, kind == WAIT],
                [mean * crowd, mean * crowd + field.wait[k], mean * crowd + wait, mean * wait],
            )
        elif station.discipline == "delay":
            found[here] = mean
        elif k in field.behind:
            count = own[here, k]
            alone = np.maximum(1.0, np.arange(len(field.slow[k])) / station.servers)
            found[here] = mean * alone[count] + chain.part[here] * field.behind[k][count]
        else:
            found[here] = mean * field.slow[k][own[here, k]]
    return np.where(found > 0, found, 1e-300)
