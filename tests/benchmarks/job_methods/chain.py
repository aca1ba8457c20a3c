"""One job as an acyclic Markov chain in arrays: states, transitions between them, and its means in a field.

Rates depend on the field, so that a chain is built once and solved for every population. All transitions go to states
of a higher level; so visits follow level by level, each level in one array operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.job_methods.mean_field import JobMeans, MeanField, is_queue
from tests.benchmarks.job_methods.phases import BLOCKED, LEAD, LEAD_AGAIN, SERVE, WAIT
from tests.benchmarks.job_methods.state_space import PhaseEnd, StateSpace

from apet.queueing.data.jobs import JobStation, JobTask

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
SHORTEST = 1e-300
"""Seconds: phases of no length end at once, at a rate that floats can still hold."""


@dataclass(frozen=True, slots=True)
class States:
    """By state; 0 is the moment before the start.

    present  (states, stations) int64  tasks of the job at a station
    leading  (states, stations) int64  those of them that are not blocked
    active   (states, tasks) bool      whether a task has begun and is not done
    """

    present: Whole
    leading: Whole
    active: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.present)


@dataclass(frozen=True, slots=True)
class Transitions:
    """By transition, ordered by the level of its source.

    source, target  (transitions,) int64            states
    weight          (transitions,) float64          probability without `met`, times exchangeable tasks in the phase
    met, missed     (transitions, stations) int64   powers of `met` and 1 - `met` in the probability
    kind, station   (transitions,) int64            of the phase that ends: SERVE, …, -1 for the start
    mean            (transitions,) float64, seconds  of that phase alone; of a WAIT its share of the wait
    share_of_step   (transitions,) float64          part of the step that the phase is
    levels          where each level begins, and the number of transitions
    """

    source: Whole
    target: Whole
    weight: Array
    met: Whole
    missed: Whole
    kind: Whole
    station: Whole
    mean: Array
    share_of_step: Array
    levels: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.source)


class QueueBatch(NamedTuple):
    """Tasks that come to a queue together: the transition, the station, the sum of their demands in seconds, that
    squared plus their variance, and how many queues the same event sends tasks to."""

    transition: int
    station: int
    work: float
    second_moment: float
    width: int


@dataclass(frozen=True, slots=True)
class Chain:
    """One job: its states, the transitions between them, and the batches that these bring to queues."""

    states: States
    transitions: Transitions
    batches: tuple[QueueBatch, ...]


def build(tasks: Sequence[JobTask], queues: frozenset[int], stations: int, most: int) -> Chain:
    """The chain of one job; raises `TooManyStates` for more than `most`."""
    space = StateSpace(tasks, queues, stations, most)
    local = np.array([[0] * len(tasks), *space.states], dtype=np.int64).reshape(len(space.states) + 1, len(tasks))
    level = local.sum(axis=1)
    level[0] = -1  # before all others, also before a state of tasks that are done at once

    rows = sorted(space.transitions, key=lambda row: level[row.source])
    return Chain(_states(space, local), _transitions(rows, level, stations), tuple(_batches(rows)))


def _states(space: StateSpace, local: Whole) -> States:
    """`local` (states, tasks) holds the local states."""
    present = np.zeros((len(local), space.stations), dtype=np.int64)
    leading, active = np.zeros_like(present), np.zeros(local.shape, dtype=bool)

    for t, own in enumerate(space.locals):
        # By local state of one task: 0 has not begun and the last is done, so that in both it is at no station.
        here = np.zeros((own.done + 1, space.stations), dtype=np.int64)
        unblocked = np.zeros_like(here)
        for number, phase in enumerate(own.phases, start=1):
            here[number, phase.station] = 1
            unblocked[number, phase.station] = phase.kind != BLOCKED
        present += here[local[:, t]]
        leading += unblocked[local[:, t]]
        active[:, t] = here.sum(axis=1)[local[:, t]] > 0
    return States(present, leading, active)


def _transitions(rows: Sequence[PhaseEnd], level: Whole, stations: int) -> Transitions:
    source = np.array([r.source for r in rows])
    met, missed = np.zeros((2, len(rows), stations), dtype=np.int64)
    for number, row in enumerate(rows):
        for k in row.branch.met if row.branch else ():
            met[number, k] += 1
        for k in row.branch.missed if row.branch else ():
            missed[number, k] += 1

    cuts = np.flatnonzero(np.diff(level[source])) + 1
    return Transitions(
        source=source,
        target=np.array([r.target for r in rows]),
        weight=np.array([r.weight for r in rows]),
        met=met,
        missed=missed,
        kind=np.array([r.phase.kind for r in rows]),
        station=np.array([r.phase.station for r in rows]),
        mean=np.array([r.phase.mean for r in rows]),
        share_of_step=np.array([r.share_of_step for r in rows]),
        levels=(0, *cuts.tolist(), len(rows)),
    )


def _batches(rows: Sequence[PhaseEnd]) -> Iterator[QueueBatch]:
    for number, row in enumerate(rows):
        batches = row.branch.batches if row.branch else ()
        for station, steps in batches:
            work = sum(s.demand for s in steps)
            variance = sum(s.demand**2 * s.distribution.variation for s in steps)
            yield QueueBatch(number, station, work, work**2 + variance, len(batches))


def solve(chain: Chain, stations: tuple[JobStation, ...], field: MeanField) -> JobMeans:
    """The means of a chain in a field."""
    states, transitions = chain.states, chain.transitions
    # The transitions out of a state compete: each has the rate of its phase, times how likely it then leads here.
    rates = _probabilities(transitions, len(stations), field) / _durations(chain, stations, field)
    leaving = np.bincount(transitions.source, weights=rates, minlength=len(states))
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(leaving[transitions.source] > 0, rates / leaving[transitions.source], 0.0)

    # A level has all its visits when it is its turn: nothing leads to the same or a lower level.
    visits, flows = np.zeros(len(states)), np.zeros(len(transitions))
    visits[0] = 1.0
    for start, end in zip(transitions.levels, transitions.levels[1:], strict=False):
        flows[start:end] = visits[transitions.source[start:end]] * shares[start:end]
        np.add.at(visits, transitions.target[start:end], flows[start:end])

    seconds = np.divide(visits, leaving, out=np.zeros(len(states)), where=leaving > 0)
    seconds[0] = 0.0  # the moment before the start takes no time
    weighted = states.active.astype(float) * seconds[:, None]
    return JobMeans(
        response=float(seconds.sum()),
        present=tuple(_by_count(states.present[:, k], seconds) for k in range(len(stations))),
        leading=tuple(_by_count(states.leading[:, k], seconds) for k in range(len(stations))),
        batches=_batch_rates(chain, flows, len(stations)),
        active=weighted.sum(axis=0),
        together=weighted.T @ states.active.astype(float),
    )


def _probabilities(transitions: Transitions, stations: int, field: MeanField) -> Array:
    """weight · prod met^i (1 - met)^j."""
    chances = transitions.weight.copy()
    for k in range(stations):
        met, missed = transitions.met[:, k], transitions.missed[:, k]
        if met.any() or missed.any():
            chances *= field.met[k] ** met * (1 - field.met[k]) ** missed
    return chances


def _by_count(count: Whole, seconds: Array) -> Array:
    return np.asarray(np.bincount(count, weights=seconds), dtype=np.float64)


def _batch_rates(chain: Chain, flows: Array, stations: int) -> Array:
    rates = np.zeros((stations, 4))
    for batch in chain.batches:
        flow = flows[batch.transition]
        rates[batch.station] += flow * np.array([1.0, batch.work, batch.second_moment, batch.width])
    return rates


def _durations(chain: Chain, stations: tuple[JobStation, ...], field: MeanField) -> Array:
    """Mean seconds of the phase that each transition ends; 1 for the start."""
    ended = chain.transitions
    durations = np.ones(len(ended))
    own, leading = chain.states.present[ended.source], chain.states.leading[ended.source]
    for k, station in enumerate(stations):
        here = (ended.station == k) & (ended.kind >= 0)
        if not here.any():
            continue
        mean, kind, count = ended.mean[here], ended.kind[here], own[here, k]
        if is_queue(station):
            # One server works for all tasks of the job that are not blocked; a wait is met only with others there.
            wait = field.wait[k] / field.met[k] if field.met[k] > 0 else 1.0
            crowd = leading[here, k]
            durations[here] = np.select(
                [kind == SERVE, kind == LEAD, kind == LEAD_AGAIN, kind == WAIT],
                [mean * crowd, mean * crowd + field.wait[k], mean * crowd + wait, mean * wait],
            )
        elif station.discipline == "delay":
            durations[here] = mean
        elif k in field.behind:
            alone = np.maximum(1.0, np.arange(len(field.slowdown[k])) / station.servers)
            durations[here] = mean * alone[count] + ended.share_of_step[here] * field.behind[k][count]
        else:
            durations[here] = mean * field.slowdown[k][count]

    return np.where(durations > 0, durations, SHORTEST)
