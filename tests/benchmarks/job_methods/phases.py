"""The local states of a task: which phases of which steps it goes through, and where it may wait.

A demand is a sum or mixture of exponential phases: one (exponential), k of mean d / k (Erlang), one of two with the
balanced means p, 1 - p = (1 ± sqrt((c2 - 1) / (c2 + 1))) / 2 (hyperexponential). Steps at a station of one server with
a first-come-first-served queue have more: a task that comes first waits for other jobs (together with an exponential
demand in one phase), one that comes behind another of its job is blocked until that is done.

Example: a step at a shared processor (exponential), then one at a disk with a queue (exponential) has the local states

    0 not begun   1 SERVE processor   2 BLOCKED   3 LEAD   4 LEAD_AGAIN   5 SERVE disk   6 done
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from apet.queueing.data.jobs import JobStep, JobTask

SERVE, LEAD, LEAD_AGAIN, WAIT, BLOCKED = range(5)
"""In service; wait for other jobs and service in one phase; the same where others were met before; wait; behind a task
of the same job."""
Starts = tuple[tuple[float, int], ...]
"""Probabilities and the local states that are taken with them."""


class Phase(NamedTuple):
    """One local state: its kind and station, mean seconds (of a WAIT: its share of the wait), and the phases of the
    same step that follow; none follows the last."""

    kind: int
    station: int
    mean: float
    following: Starts


class StepEntry(NamedTuple):
    """Local states in which a step begins: in service; at a queue (0 where there is none) also as the first task of
    its job, with its wait (`lead`, or `again` where others were met before, or `wait` apart from service), or blocked.
    """

    station: int
    service: Starts
    lead: int = 0
    again: int = 0
    wait: int = 0
    blocked: int = 0


@dataclass(frozen=True, slots=True)
class LocalStates:
    """All local states of a task: 0 before its start, `phases[i - 1]` in state i, `done` at its end.

    `entries` is by step, `step_of` the step of each phase, `share_of_step` 1 / k for the k phases of an Erlang demand.
    """

    phases: tuple[Phase, ...]
    entries: tuple[StepEntry, ...]
    step_of: tuple[int, ...]
    share_of_step: tuple[float, ...]

    @property
    def done(self) -> int:
        """The local state of a finished task."""
        return len(self.phases) + 1

    def is_active(self, local: int) -> bool:
        """Whether a task in this local state has begun and is not done."""
        return 0 < local < self.done


def local_states(task: JobTask, queues: frozenset[int]) -> LocalStates:
    """The local states of a task; `queues` are the stations of one server and first come, first served."""
    phases, entries, step_of, shares = list[Phase](), list[StepEntry](), list[int](), list[float]()

    for number, step in enumerate(task.steps):
        before = len(phases)
        if step.station in queues:
            entries.append(_at_queue(step, phases))
        else:
            entries.append(StepEntry(step.station, _service(step, phases)))
        step_of += [number] * (len(phases) - before)
        shares += [1 / step.distribution.order] * (len(phases) - before)

    return LocalStates(tuple(phases), tuple(entries), tuple(step_of), tuple(shares))


def _service(step: JobStep, phases: list[Phase]) -> Starts:
    """Append the phases of a demand; the local states that it begins with."""
    first, shape = len(phases) + 1, step.distribution
    if shape.kind == "hyperexp":
        p = shape.short_share
        for share in (p, 1 - p):
            phases.append(Phase(SERVE, step.station, step.demand / (2 * share), ()))
        return ((p, first), (1 - p, first + 1))

    for k in range(shape.order):
        following = ((1.0, first + k + 1),) if k + 1 < shape.order else ()
        phases.append(Phase(SERVE, step.station, step.demand / shape.order, following))
    return ((1.0, first),)


def _at_queue(step: JobStep, phases: list[Phase]) -> StepEntry:
    station, shape = step.station, step.distribution
    phases.append(Phase(BLOCKED, station, 0.0, ()))
    blocked = len(phases)

    # Wait plus exponential service is one exponential phase: the chain stays small.
    if shape.kind == "exp":
        phases.append(Phase(LEAD, station, step.demand, ()))
        phases.append(Phase(LEAD_AGAIN, station, step.demand, ()))
        service = _service(step, phases)
        return StepEntry(station, service, lead=blocked + 1, again=blocked + 2, blocked=blocked)

    # Steadier service makes steadier waits: two phases instead of one.
    waits = 2 if shape.variation <= 0.5 else 1
    wait = len(phases) + 1
    phases += [Phase(WAIT, station, 1 / waits, ((1.0, wait + k + 1),)) for k in range(waits - 1)]
    last = len(phases)
    phases.append(Phase(WAIT, station, 1 / waits, ()))
    service = _service(step, phases)
    phases[last] = phases[last]._replace(following=service)
    return StepEntry(station, service, wait=wait, blocked=blocked)
