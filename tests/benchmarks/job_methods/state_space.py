"""All states that one job goes through, found by following every phase that may end.

A state holds the local state of every task (see `phases`). Each end of a phase raises the sum of local states, its
level, so that the chain is acyclic. What an end starts may depend on whether other jobs are met at a queue (probability
`met` of the station), which is known only later: transitions carry how often `met` and 1 - `met` are factors.

Example: two tasks without order, one exponential step each at stations of their own, have the local states 0, 1 (in
service), 2 (done) and five states, here with their levels:

    start -> (1, 1) level 2 -> (2, 1) level 3 -> (2, 2) level 4
                            -> (1, 2) level 3 -> (2, 2)

If both steps were at the same station, the tasks could be exchanged: local states are kept sorted, (2, 1) is (1, 2),
and the transition to it has weight 2. So 16 equal parallel tasks of two phases have 153 states instead of 3^16.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.benchmarks.job_methods.phases import BLOCKED, SERVE, Phase, StepEntry, local_states

from apet.queueing.data.jobs import JobStep, JobTask

State = tuple[int, ...]
"""The local state of every task."""
START = Phase(-1, 0, 1.0, ())
"""The moment before a job begins, as the phase that its first transitions end."""


class TooManyStates(Exception):
    """The chain would have more states than can be solved."""


class StateBranch(NamedTuple):
    """One way on: its probability without `met`, the queues at which others are met and are not, the state it leads to,
    and the batches of steps that come to queues, with their stations."""

    probability: float
    met: tuple[int, ...]
    missed: tuple[int, ...]
    state: State
    batches: tuple[tuple[int, tuple[JobStep, ...]], ...]


class PhaseEnd(NamedTuple):
    """A transition between numbered states: its constant weight, the phase that ends and which share of its step that
    is, and what begins (None: only the next phase of the step)."""

    source: int
    target: int
    weight: float
    phase: Phase
    share_of_step: float
    branch: StateBranch | None


class StateSpace:
    """The states of a job, numbered from 1 as they are met, and the transitions between them; 0 is before the start.

    Raises `TooManyStates` for more than `most`.
    """

    def __init__(self, tasks: Sequence[JobTask], queues: frozenset[int], stations: int, most: int) -> None:
        self.tasks, self.queues, self.stations, self.most = tasks, queues, stations, most
        self.locals = [local_states(t, queues) for t in tasks]
        self.successors = [[j for j, t in enumerate(tasks) if i in t.predecessors] for i in range(len(tasks))]
        self.groups = _exchangeable(tasks, self.successors)
        self.group_of = {t: group for group in self.groups for t in group}
        self.uncontended = _uncontended_starts(tasks)

        self.states: list[State] = []
        self.numbers: dict[State, int] = {}
        self.transitions: list[PhaseEnd] = []
        if self._fewest_states() > most:
            raise TooManyStates
        self._explore()

    def _fewest_states(self) -> int:
        """A lower bound of the number of states: those in which all tasks of one depth have begun.

        Tasks equally far from the start are not ordered, so that each may be in any of its phases of service, or done.
        """
        depth: list[int] = []
        for task in self.tasks:
            depth.append(1 + max((depth[p] for p in task.predecessors), default=-1))

        by_depth: dict[int, int] = {}
        for t, level in enumerate(depth):
            group = self.group_of.get(t, (t,))
            if t == group[0]:
                own = self.locals[t].phases
                served = [p for p in own if p.kind == SERVE and p.station not in self.queues]
                phases = len(served) + sum(step.station in self.queues for step in self.tasks[t].steps)
                by_depth[level] = by_depth.get(level, 1) * math.comb(len(group) + phases, phases)
        return max(by_depth.values(), default=1)

    def _explore(self) -> None:
        """Number all states, and note all transitions."""
        first = [t for t, task in enumerate(self.tasks) if not task.predecessors]
        for branch in self._start_tasks((0,) * len(self.tasks), first):
            self._note(0, branch.probability, START, 1.0, branch)

        for source, state in enumerate(self.states, start=1):  # grows meanwhile
            for t, local in enumerate(state):
                if not self.locals[t].is_active(local):
                    continue
                alike = [state[u] for u in self.group_of.get(t, (t,))]
                # Of exchangeable tasks in the same local state one stands for all.
                if local not in alike[: self.group_of.get(t, (t,)).index(t)]:
                    self._end_phase(source, state, t, local, alike.count(local))

    def _note(self, source: int, weight: float, phase: Phase, share_of_step: float, branch: StateBranch) -> None:
        self.transitions.append(PhaseEnd(source, self._number(branch.state), weight, phase, share_of_step, branch))

    def _number(self, state: State) -> int:
        """The number of a state; its exchangeable tasks are sorted."""
        if self.groups:
            locals_ = list(state)
            for group in self.groups:
                for place, value in zip(group, sorted([state[t] for t in group]), strict=True):
                    locals_[place] = value
            state = tuple(locals_)

        number = self.numbers.get(state)
        if number is None:
            number = len(self.states) + 1
            if number > self.most:
                raise TooManyStates
            self.numbers[state] = number
            self.states.append(state)
        return number

    def _end_phase(self, source: int, state: State, t: int, local: int, count: int) -> None:
        """All transitions by the end of a phase that `count` exchangeable tasks, t among them, are in."""
        phase, share = self.locals[t].phases[local - 1], self.locals[t].share_of_step[local - 1]
        if phase.kind == BLOCKED:
            return
        for probability, following in phase.following:
            target = self._number(_with(state, t, following))
            self.transitions.append(PhaseEnd(source, target, probability * count, phase, share, None))
        if not phase.following:
            for branch in self._end_step(state, t, local):
                self._note(source, branch.probability * count, phase, share, branch)

    def _end_step(self, state: State, t: int, local: int) -> Iterator[StateBranch]:
        """What the end of a step leads to: the task's next step, or the tasks that waited for this one."""
        own = self.locals[t]
        step = own.step_of[local - 1] + 1

        for probability, after_leaving in self._serve_next(state, t, own.phases[local - 1].station):
            if step < len(own.entries):
                branches = self._enter_stations(after_leaving, [(t, step)])
            else:
                ended = _with(after_leaving, t, own.done)
                branches = self._start_tasks(ended, [s for s in self.successors[t] if self._is_ready(ended, s)])
            for branch in branches:
                yield branch._replace(probability=branch.probability * probability)

    def _serve_next(self, state: State, t: int, station: int) -> list[tuple[float, State]]:
        """The states after task t has left a station: of the tasks that it blocked, one is served.

        The state does not say who came first; it is taken to be who comes first where nobody waits.
        """
        if station not in self.queues:
            return [(1.0, state)]

        blocked = []
        for other, local in enumerate(state):
            if other != t and self.locals[other].is_active(local):
                phase = self.locals[other].phases[local - 1]
                if phase.kind == BLOCKED and phase.station == station:
                    step = self.locals[other].step_of[local - 1]
                    blocked.append((self.uncontended[other][step], other, step))
        if not blocked:
            return [(1.0, state)]

        _, other, step = min(blocked)
        return [(p, _with(state, other, service)) for p, service in self.locals[other].entries[step].service]

    def _is_ready(self, state: State, t: int) -> bool:
        return state[t] == 0 and all(state[p] == self.locals[p].done for p in self.tasks[t].predecessors)

    def _start_tasks(self, state: State, tasks: list[int]) -> list[StateBranch]:
        """Start tasks together; those without steps are done at once, and start what waits for them."""
        entering, waiting = list[tuple[int, int]](), list(tasks)
        while waiting:
            t = waiting.pop(0)
            if self.locals[t].entries:
                entering.append((t, 0))
            else:
                state = _with(state, t, self.locals[t].done)
                waiting += [s for s in self.successors[t] if self._is_ready(state, s)]
        return self._enter_stations(state, entering)

    def _enter_stations(self, state: State, entering: list[tuple[int, int]]) -> list[StateBranch]:
        """All ways in which tasks, each with the number of its step, may come to their stations at the same moment."""
        branches = [StateBranch(1.0, (), (), state, ())]
        arrivals = {t for t, _ in entering}
        led: set[int] = set()
        for t, step in entering:
            entry = self.locals[t].entries[step]
            k = entry.station

            if k not in self.queues:
                branches = [after for b in branches for after in _begin_service(b, t, entry)]
                if len(entry.service) > 1:
                    branches = self._merge(branches, t, arrivals)
                continue

            # Tasks that come to a queue together are one batch, which the first of them leads.
            if k in led:
                branches = [b._replace(state=_with(b.state, t, entry.blocked)) for b in branches]
                continue
            led.add(k)
            batch = tuple(self.tasks[u].steps[j] for u, j in entering if self.locals[u].entries[j].station == k)
            behind = self._holds_task(state, k, arrivals)
            branches = [after for b in branches for after in _join_queue(b, t, entry, behind, batch)]
        return branches

    def _merge(self, branches: list[StateBranch], t: int, entering: set[int]) -> list[StateBranch]:
        """Put together branches that differ only in which of the tasks exchangeable with t, up to t, is in which phase:
        else k tasks of two phases each would have 2^k of them."""
        places = [u for u in self.group_of.get(t, ()) if u <= t and u in entering]
        if len(places) < 2:
            return branches

        merged: dict[tuple[object, ...], StateBranch] = {}
        for branch in branches:
            state = list(branch.state)
            for place, local in zip(places, sorted([state[u] for u in places]), strict=True):
                state[place] = local
            key = (tuple(state), branch.met, branch.missed, branch.batches)
            alike = merged.get(key)
            probability = branch.probability + (alike.probability if alike else 0.0)
            merged[key] = branch._replace(probability=probability, state=tuple(state))
        return list(merged.values())

    def _holds_task(self, state: State, station: int, entering: set[int]) -> bool:
        """Whether a task of the job is at a station already."""
        return any(
            t not in entering and own.is_active(local) and own.phases[local - 1].station == station
            for t, (own, local) in enumerate(zip(self.locals, state, strict=True))
        )


def _begin_service(branch: StateBranch, t: int, entry: StepEntry) -> list[StateBranch]:
    return [
        branch._replace(probability=branch.probability * p, state=_with(branch.state, t, local))
        for p, local in entry.service
    ]


def _join_queue(
    branch: StateBranch, t: int, entry: StepEntry, behind: bool, batch: tuple[JobStep, ...]
) -> list[StateBranch]:
    """A task comes to a queue: as the first of its job, or behind another one."""
    k = entry.station
    leading = branch._replace(batches=(*branch.batches, (k, batch)))
    met = leading._replace(met=(*leading.met, k), state=_with(leading.state, t, entry.again or entry.wait))

    if behind:
        blocked = branch._replace(missed=(*branch.missed, k), state=_with(branch.state, t, entry.blocked))
        return [met, blocked]
    if entry.lead:
        return [leading._replace(state=_with(leading.state, t, entry.lead))]
    return [met, *_begin_service(leading._replace(missed=(*leading.missed, k)), t, entry)]


def _with(state: State, t: int, local: int) -> State:
    return (*state[:t], local, *state[t + 1 :])


def _uncontended_starts(tasks: Sequence[JobTask]) -> list[list[float]]:
    """Seconds, by task and step, at which steps begin where nobody waits and nothing varies."""
    starts, ends = list[list[float]](), list[float]()
    for task in tasks:
        clock, own = max((ends[p] for p in task.predecessors), default=0.0), []
        for step in task.steps:
            own.append(clock)
            clock += step.demand
        starts.append(own)
        ends.append(clock)
    return starts


def _exchangeable(tasks: Sequence[JobTask], successors: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """Groups of tasks with the same steps, predecessors and successors."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for t, task in enumerate(tasks):
        groups.setdefault((task.steps, task.predecessors, tuple(successors[t])), []).append(t)
    return [tuple(g) for g in groups.values() if len(g) > 1]
