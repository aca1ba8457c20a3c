"""All states that one job goes through, as an acyclic Markov chain whose rates are filled in later.

A state holds the local state of every task. Tasks with the same steps, predecessors and successors may be exchanged, so
that their local states are kept sorted: 16 equal parallel tasks have 155 states instead of 3^16. A transition is the
end of one phase; what it starts may depend on whether other jobs are met (probability pb of the station), so each
carries how often pb and 1 - pb are factors of its probability.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.analysis.jobs import Step, Task
from apet.backends.queueing.phases import BLOCKED, SERVE, Entry, plan

MOST_STATES = 6_000
State = tuple[int, ...]


class TooManyStates(Exception):
    """The chain would have more states than can be solved."""


class Batch(NamedTuple):
    """Tasks that come to a queue together: the transition, the station, the sum of their demands, that squared plus
    their variance, and how many queues the same event sends tasks to."""

    transition: int
    station: int
    work: float
    second_moment: float
    width: int


class Chain(NamedTuple):
    """States by level (all transitions go to higher levels); state 0 is the moment before the start.

    Per transition: source, target, static probability, powers of pb and 1 - pb by station, and the kind, station, mean
    of the phase that ends. `present[s, k]` are the tasks at station k in state s, `leading[s, k]` those not blocked,
    `active[s, t]` whether task t has begun and is not done. `ends` cut the transitions, ordered by level.
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    static: NDArray[np.float64]
    met: NDArray[np.int64]
    missed: NDArray[np.int64]
    kind: NDArray[np.int64]
    station: NDArray[np.int64]
    mean: NDArray[np.float64]
    present: NDArray[np.int64]
    leading: NDArray[np.int64]
    active: NDArray[np.bool_]
    ends: tuple[int, ...]
    batches: tuple[Batch, ...]


class _Branch(NamedTuple):
    """One way on: probability, stations at which others are met and not, local states, batches (station, steps)."""

    probability: float
    met: tuple[int, ...]
    missed: tuple[int, ...]
    state: State
    batches: tuple[tuple[int, tuple[Step, ...]], ...]


class _Builder:
    def __init__(
        self, tasks: Sequence[Task], true_steps: Sequence[Task], queues: frozenset[int], stations: int
    ) -> None:
        self.tasks, self.true_steps, self.queues, self.stations = tasks, true_steps, queues, stations
        self.plans = [plan(t, queues) for t in tasks]
        self.after = [[j for j, t in enumerate(tasks) if i in t.predecessors] for i in range(len(tasks))]
        self.alike = _alike(tasks, self.after)
        self.early = _early(true_steps)
        self.numbers: dict[State, int] = {}
        self.order: list[State] = []
        self.rows: list[tuple[int, int, _Branch, int, int, float]] = []

    def number(self, state: State) -> int:
        """The number of a state; its tasks that may be exchanged are sorted."""
        if self.alike:
            locals_ = list(state)
            for group in self.alike:
                for place, value in zip(group, sorted(state[t] for t in group), strict=True):
                    locals_[place] = value
            state = tuple(locals_)
        if state not in self.numbers:
            if len(self.numbers) > MOST_STATES:
                raise TooManyStates
            self.numbers[state] = len(self.numbers) + 1
            self.order.append(state)
        return self.numbers[state]

    def explore(self) -> None:
        """Fill `order` and `rows`."""
        start = (0,) * len(self.tasks)
        first = [t for t, task in enumerate(self.tasks) if not task.predecessors]
        for branch in self.started(start, first):
            self.rows.append((0, self.number(branch.state), branch, -1, 0, 1.0))
        at = 0
        while at < len(self.order):
            state = self.order[at]
            at += 1
            for t, local in enumerate(state):
                if 0 < local < self.plans[t].done:
                    self.ended(state, t, local)

    def ended(self, state: State, t: int, local: int) -> None:
        """All transitions of one phase that ends."""
        phase = self.plans[t].phases[local - 1]
        if phase.kind == BLOCKED:
            return
        here = self.numbers[state]
        for branch in self.following(state, t, local):
            self.rows.append((here, self.number(branch.state), branch, phase.kind, phase.station, phase.mean))

    def following(self, state: State, t: int, local: int) -> Iterator[_Branch]:
        own = self.plans[t]
        phase = own.phases[local - 1]
        if phase.following:
            for probability, following in phase.following:
                yield _Branch(probability, (), (), _with(state, t, following), ())
            return
        number = own.step_of[local - 1] + 1
        for probability, left in self.promoted(state, t, phase.station):
            if number < len(own.entries):
                found = self.entered(left, [(t, number)])
            else:
                finished = _with(left, t, own.done)
                found = self.started(finished, [s for s in self.after[t] if self.ready(finished, s)])
            for branch in found:
                yield branch._replace(probability=branch.probability * probability)

    def promoted(self, state: State, t: int, station: int) -> list[tuple[float, State]]:
        """The states after a task has left a station: of those that it blocked, one is served.

        The state does not say who came first; it is taken to be who comes first where nobody waits.
        """
        if station not in self.queues:
            return [(1.0, state)]
        blocked = []
        for other, local in enumerate(state):
            if other != t and 0 < local < self.plans[other].done:
                phase = self.plans[other].phases[local - 1]
                if phase.kind == BLOCKED and phase.station == station:
                    number = self.plans[other].step_of[local - 1]
                    blocked.append((self.early[other][number], other, number))
        if not blocked:
            return [(1.0, state)]
        _, other, number = min(blocked)
        return [(p, _with(state, other, service)) for p, service in self.plans[other].entries[number].service]

    def ready(self, state: State, t: int) -> bool:
        return state[t] == 0 and all(state[p] == self.plans[p].done for p in self.tasks[t].predecessors)

    def started(self, state: State, tasks: list[int]) -> list[_Branch]:
        """Start tasks together; those without steps are done at once, and start what waits for them."""
        entering, waiting = list[tuple[int, int]](), list(tasks)
        while waiting:
            t = waiting.pop(0)
            if self.plans[t].entries:
                entering.append((t, 0))
            else:
                state = _with(state, t, self.plans[t].done)
                waiting += [s for s in self.after[t] if self.ready(state, s)]
        return self.entered(state, entering)

    def entered(self, state: State, entering: list[tuple[int, int]]) -> list[_Branch]:
        """All ways in which tasks may come to their stations at the same moment."""
        branches = [_Branch(1.0, (), (), state, ())]
        seen: set[int] = set()
        for t, number in entering:
            entry = self.plans[t].entries[number]
            k = entry.station
            if k not in self.queues:
                branches = [found for b in branches for found in _served(b, t, entry.service)]
                continue
            group = [self.true_steps[u].steps[j] for u, j in entering if self.plans[u].entries[j].station == k]
            if k in seen:
                branches = [b._replace(state=_with(b.state, t, entry.blocked)) for b in branches]
                continue
            seen.add(k)
            behind = self.occupied(state, k, [u for u, _ in entering])
            branches = [found for b in branches for found in _queued(b, t, entry, behind, tuple(group))]
        return branches

    def occupied(self, state: State, station: int, entering: list[int]) -> bool:
        """Whether a task of the job is at a station already."""
        for t, local in enumerate(state):
            here = t not in entering and 0 < local < self.plans[t].done
            if here and self.plans[t].phases[local - 1].station == station:
                return True
        return False


def _served(branch: _Branch, t: int, service: Sequence[tuple[float, int]]) -> list[_Branch]:
    return [
        branch._replace(probability=branch.probability * p, state=_with(branch.state, t, local)) for p, local in service
    ]


def _queued(branch: _Branch, t: int, entry: Entry, behind: bool, group: tuple[Step, ...]) -> list[_Branch]:
    """A task comes to a queue: as the first of its job, or behind another one."""
    k = entry.station
    led = branch._replace(batches=(*branch.batches, (k, group)))
    met = led._replace(met=(*led.met, k), state=_with(led.state, t, entry.again or entry.wait))
    if behind:
        joined = branch._replace(missed=(*branch.missed, k), state=_with(branch.state, t, entry.blocked))
        return [met, joined]
    if entry.lead:
        return [led._replace(state=_with(led.state, t, entry.lead))]
    return [met, *_served(led._replace(missed=(*led.missed, k)), t, entry.service)]


def _with(state: State, t: int, local: int) -> State:
    return (*state[:t], local, *state[t + 1 :])


def _early(tasks: Sequence[Task]) -> list[list[float]]:
    """When each step of each task begins where nobody waits and nothing varies."""
    found, end = list[list[float]](), list[float]()
    for task in tasks:
        clock, starts = max((end[p] for p in task.predecessors), default=0.0), []
        for step in task.steps:
            starts.append(clock)
            clock += step.demand
        found.append(starts)
        end.append(clock)
    return found


def _alike(tasks: Sequence[Task], after: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    groups: dict[tuple[object, ...], list[int]] = {}
    for t, task in enumerate(tasks):
        groups.setdefault((task.steps, task.predecessors, tuple(after[t])), []).append(t)
    return [tuple(g) for g in groups.values() if len(g) > 1]


def build(tasks: Sequence[Task], true: Sequence[Task], queues: frozenset[int], stations: int) -> Chain:
    """The chain of one job; `true` are the tasks with their true demands where `tasks` have simpler ones.

    Raises `TooManyStates` for more than `MOST_STATES`.
    """
    builder = _Builder(tasks, true, queues, stations)
    if _at_least(tasks, builder) > MOST_STATES:
        raise TooManyStates
    builder.explore()
    levels = np.array([-1, *(sum(s) for s in builder.order)])
    rows = sorted(builder.rows, key=lambda row: levels[row[0]])
    source = np.array([r[0] for r in rows])
    counts = _counts(builder)
    per = np.array([[r[2].met.count(k) for k in range(stations)] for r in rows])
    out = np.array([[r[2].missed.count(k) for k in range(stations)] for r in rows])
    cuts = np.flatnonzero(np.diff(levels[source])) + 1
    return Chain(
        source,
        np.array([r[1] for r in rows]),
        np.array([r[2].probability for r in rows]),
        per,
        out,
        np.array([r[3] for r in rows]),
        np.array([r[4] for r in rows]),
        np.array([r[5] for r in rows]),
        *counts,
        (0, *cuts.tolist(), len(rows)),
        tuple(_batches(rows)),
    )


def _at_least(tasks: Sequence[Task], builder: _Builder) -> int:
    """No more states than there are: those in which all tasks as far from the start as each other have begun.

    Tasks so far from the start are not ordered, so that each may be in any of its phases of service, or done.
    """
    depth: list[int] = []
    for task in tasks:
        depth.append(1 + max((depth[p] for p in task.predecessors), default=-1))
    alike = {t: group for group in builder.alike for t in group}
    found: dict[int, int] = {}
    for t, at in enumerate(depth):
        group = alike.get(t, (t,))
        if t == group[0]:
            served = [p for p in builder.plans[t].phases if p.kind == SERVE and p.station not in builder.queues]
            phases = len(served) + sum(step.station in builder.queues for step in tasks[t].steps)
            found[at] = found.get(at, 1) * math.comb(len(group) + phases, phases)
    return max(found.values(), default=1)


def _counts(builder: _Builder) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    number = len(builder.order) + 1
    present = np.zeros((number, builder.stations), dtype=np.int64)
    leading = np.zeros_like(present)
    active = np.zeros((number, len(builder.tasks)), dtype=bool)
    for s, state in enumerate(builder.order, start=1):
        for t, local in enumerate(state):
            if 0 < local < builder.plans[t].done:
                phase = builder.plans[t].phases[local - 1]
                present[s, phase.station] += 1
                leading[s, phase.station] += phase.kind != BLOCKED
                active[s, t] = True
    return present, leading, active


def _batches(rows: Sequence[tuple[int, int, _Branch, int, int, float]]) -> Iterator[Batch]:
    for number, row in enumerate(rows):
        branch = row[2]
        for station, steps in branch.batches:
            work = sum(s.demand for s in steps)
            spread = sum(s.demand**2 * s.distribution.variation for s in steps)
            yield Batch(number, station, work, work**2 + spread, len(branch.batches))
