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

from apet.queueing.jobs import Step, Task
from apet.queueing.precedence.phases import BLOCKED, SERVE, Entry, Phase, plan

MOST_STATES, MOST_EVER = 1_000, 6_000
"""Where a chain is solved for every population up to that of the network; where one job is alone, or too little else is
known to interpolate."""
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

    Per transition: source, target, static probability, powers of pb and 1 - pb by station, and of the phase that
    ends the kind, station, mean and which part of its step it is. `present[s, k]` are the tasks at station k in
    state s, `leading[s, k]` those not blocked, `active[s, t]` whether task t has begun and is not done. `ends` cut
    the transitions, ordered by level.
    """

    source: NDArray[np.int64]
    target: NDArray[np.int64]
    static: NDArray[np.float64]
    met: NDArray[np.int64]
    missed: NDArray[np.int64]
    kind: NDArray[np.int64]
    station: NDArray[np.int64]
    mean: NDArray[np.float64]
    part: NDArray[np.float64]
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


class _Row(NamedTuple):
    """A transition: from, to, its static weight, the phase that ends and which part of its step that is, and what
    begins (None: only the next phase)."""

    source: int
    target: int
    weight: float
    phase: Phase
    part: float
    branch: _Branch | None


START = Phase(-1, 0, 1.0, ())


class _Builder:
    def __init__(
        self, tasks: Sequence[Task], true_steps: Sequence[Task], queues: frozenset[int], stations: int, most: int
    ) -> None:
        self.most = most
        self.tasks, self.true_steps, self.queues, self.stations = tasks, true_steps, queues, stations
        self.plans = [plan(t, queues) for t in tasks]
        self.after = [[j for j, t in enumerate(tasks) if i in t.predecessors] for i in range(len(tasks))]
        self.alike = _alike(tasks, self.after)
        self.early = _early(true_steps)
        self.numbers: dict[State, int] = {}
        self.order: list[State] = []
        self.twins = {t: group for group in self.alike for t in group}
        self.rows: list[_Row] = []

    def number(self, state: State) -> int:
        """The number of a state; its tasks that may be exchanged are sorted."""
        if self.alike:
            locals_ = list(state)
            for group in self.alike:
                for place, value in zip(group, sorted([state[t] for t in group]), strict=True):
                    locals_[place] = value
            state = tuple(locals_)
        found = self.numbers.get(state)
        if found is None:
            found = len(self.order) + 1
            if found > self.most:
                raise TooManyStates
            self.numbers[state] = found
            self.order.append(state)
        return found

    def explore(self) -> None:
        """Fill `order` and `rows`."""
        start = (0,) * len(self.tasks)
        first = [t for t, task in enumerate(self.tasks) if not task.predecessors]
        for branch in self.started(start, first):
            self.rows.append(_Row(0, self.number(branch.state), branch.probability, START, 1.0, branch))
        for here, state in enumerate(self.order, start=1):  # grows meanwhile
            for t, local in enumerate(state):
                if not 0 < local < self.plans[t].done:
                    continue
                times = 1
                if t in self.twins:
                    same = [state[u] for u in self.twins[t]]
                    place = self.twins[t].index(t)
                    if local in same[:place]:
                        continue
                    times = same.count(local)
                self.ended(here, state, t, local, times)

    def ended(self, here: int, state: State, t: int, local: int, times: int) -> None:
        """All transitions of one phase that ends; `times` tasks that may be exchanged are in it."""
        phase, part = self.plans[t].phases[local - 1], self.plans[t].part(local)
        if phase.kind == BLOCKED:
            return
        if phase.following:
            for probability, following in phase.following:
                target = self.number(_with(state, t, following))
                self.rows.append(_Row(here, target, probability * times, phase, part, None))
            return
        for branch in self.following(state, t, local):
            self.rows.append(_Row(here, self.number(branch.state), branch.probability * times, phase, part, branch))

    def following(self, state: State, t: int, local: int) -> Iterator[_Branch]:
        """What the end of a step leads to."""
        own = self.plans[t]
        phase = own.phases[local - 1]
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
                if len(entry.service) > 1:
                    branches = self.merged(branches, t, {u for u, _ in entering})
                continue
            group = [self.true_steps[u].steps[j] for u, j in entering if self.plans[u].entries[j].station == k]
            if k in seen:
                branches = [b._replace(state=_with(b.state, t, entry.blocked)) for b in branches]
                continue
            seen.add(k)
            behind = self.occupied(state, k, [u for u, _ in entering])
            branches = [found for b in branches for found in _queued(b, t, entry, behind, tuple(group))]
        return branches

    def merged(self, branches: list[_Branch], t: int, entering: set[int]) -> list[_Branch]:
        """Put together the branches that differ only in which of the tasks that may be exchanged with t, up to t, is in
        which phase: else k tasks of two phases each would have 2^k of them."""
        places = [u for u in self.twins.get(t, ()) if u <= t and u in entering]
        if len(places) < 2:
            return branches
        found: dict[tuple[object, ...], _Branch] = {}
        for branch in branches:
            state = list(branch.state)
            for place, local in zip(places, sorted([state[u] for u in places]), strict=True):
                state[place] = local
            key = (tuple(state), branch.met, branch.missed, branch.batches)
            known = found.get(key)
            chance = branch.probability + (known.probability if known else 0.0)
            found[key] = branch._replace(probability=chance, state=tuple(state))
        return list(found.values())

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


def build(tasks: Sequence[Task], true: Sequence[Task], queues: frozenset[int], stations: int, most: int) -> Chain:
    """The chain of one job; `true` are the tasks with their true demands where `tasks` have simpler ones.

    Raises `TooManyStates` for more than `most`.
    """
    builder = _Builder(tasks, true, queues, stations, most)
    if _at_least(tasks, builder) > most:
        raise TooManyStates
    builder.explore()
    local = np.array([[0] * len(tasks), *builder.order], dtype=np.int64).reshape(len(builder.order) + 1, len(tasks))
    levels = local.sum(axis=1)
    levels[0] = -1
    rows = sorted(builder.rows, key=lambda row: levels[row.source])
    source = np.array([r.source for r in rows])
    met, missed = np.zeros((2, len(rows), stations), dtype=np.int64)
    for number, row in enumerate(rows):
        for k in row.branch.met if row.branch else ():
            met[number, k] += 1
        for k in row.branch.missed if row.branch else ():
            missed[number, k] += 1
    cuts = np.flatnonzero(np.diff(levels[source])) + 1
    return Chain(
        source,
        np.array([r.target for r in rows]),
        np.array([r.weight for r in rows]),
        met,
        missed,
        np.array([r.phase.kind for r in rows]),
        np.array([r.phase.station for r in rows]),
        np.array([r.phase.mean for r in rows]),
        np.array([r.part for r in rows]),
        *_counts(builder, local),
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


def _counts(
    builder: _Builder, local: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """By state: tasks at each station, those not blocked, and which tasks are active; `local` are its local states."""
    present = np.zeros((len(local), builder.stations), dtype=np.int64)
    leading, active = np.zeros_like(present), np.zeros(local.shape, dtype=bool)
    for t, own in enumerate(builder.plans):
        here = np.zeros((own.done + 1, builder.stations), dtype=np.int64)
        first = np.zeros_like(here)
        for number, phase in enumerate(own.phases, start=1):
            here[number, phase.station] = 1
            first[number, phase.station] = phase.kind != BLOCKED
        present += here[local[:, t]]
        leading += first[local[:, t]]
        active[:, t] = here.sum(axis=1)[local[:, t]] > 0
    return present, leading, active


def _batches(rows: Sequence[_Row]) -> Iterator[Batch]:
    for number, row in enumerate(rows):
        batches = row.branch.batches if row.branch else ()
        for station, steps in batches:
            work = sum(s.demand for s in steps)
            spread = sum(s.demand**2 * s.distribution.variation for s in steps)
            yield Batch(number, station, work, work**2 + spread, len(batches))
