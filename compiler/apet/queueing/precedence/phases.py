"""The local states of a task: which phases of which steps it goes through, and where it may wait.

A demand is a sum or mixture of exponential phases: one (exponential), k of mean d / k (Erlang), one of two with the
balanced means p, 1 - p = (1 ± sqrt((c2 - 1) / (c2 + 1))) / 2 (hyperexponential). Steps at a station of one server with
a first-come-first-served queue have more: a task that comes first waits for other jobs (together with an exponential
demand in one phase), one that comes behind another of its job is blocked until that is done.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from apet.queueing.jobs import Distribution, Step, Task

SERVE, LEAD, LEAD_AGAIN, WAIT, BLOCKED = range(5)


class Phase(NamedTuple):
    """One local state: its kind, station and mean (of a wait: its share of the wait); what follows, with
    probabilities; nothing follows the last phase of a step."""

    kind: int
    station: int
    mean: float
    following: tuple[tuple[float, int], ...]


class Entry(NamedTuple):
    """How a step begins: its service at once, as the first of its job at a queue with a wait, again, or blocked.

    Local states by number with probabilities; the queue's alternatives are empty where there is none.
    """

    station: int
    service: tuple[tuple[float, int], ...]
    lead: int = 0
    again: int = 0
    wait: int = 0
    blocked: int = 0


class Plan(NamedTuple):
    """All local states of a task: 0 before its start, `phases[i - 1]` in state i, one more when done."""

    phases: tuple[Phase, ...]
    entries: tuple[Entry, ...]
    step_of: tuple[int, ...]
    parts: tuple[float, ...]

    @property
    def done(self) -> int:
        """The local state of a finished task."""
        return len(self.phases) + 1

    def part(self, local: int) -> float:
        """Which part of its step a phase is: 1 / k of the k phases of an Erlang demand, else all."""
        return self.parts[local - 1]


def plan(task: Task, queues: frozenset[int]) -> Plan:
    """The local states of a task; `queues` are the stations of one server and first come, first served."""
    phases, entries, step_of, parts = list[Phase](), list[Entry](), list[int](), list[float]()
    for number, step in enumerate(task.steps):
        before = len(phases)
        if step.station in queues:
            entries.append(_queued(step, phases))
        else:
            entries.append(Entry(step.station, _service(step, phases)))
        step_of += [number] * (len(phases) - before)
        parts += [1 / step.distribution.order] * (len(phases) - before)
    return Plan(tuple(phases), tuple(entries), tuple(step_of), tuple(parts))


def _service(step: Step, phases: list[Phase]) -> tuple[tuple[float, int], ...]:
    """Append the phases of a demand; the local states that it begins with."""
    first, shape = len(phases) + 1, step.distribution
    if shape.kind == "hyperexp":
        p = (1 + math.sqrt((shape.scv - 1) / (shape.scv + 1))) / 2
        for share in (p, 1 - p):
            phases.append(Phase(SERVE, step.station, step.demand / (2 * share), ()))
        return ((p, first), (1 - p, first + 1))
    for k in range(shape.order):
        following = ((1.0, first + k + 1),) if k + 1 < shape.order else ()
        phases.append(Phase(SERVE, step.station, step.demand / shape.order, following))
    return ((1.0, first),)


def _queued(step: Step, phases: list[Phase]) -> Entry:
    station, shape = step.station, step.distribution
    phases.append(Phase(BLOCKED, station, 0.0, ()))
    blocked = len(phases)
    if shape.kind == "exp":
        phases.append(Phase(LEAD, station, step.demand, ()))
        phases.append(Phase(LEAD_AGAIN, station, step.demand, ()))
        return Entry(station, _service(step, phases), len(phases) - 2, len(phases) - 1, 0, blocked)
    waits = 2 if shape.variation <= 0.5 else 1
    wait = len(phases) + 1
    phases += [Phase(WAIT, station, 1 / waits, ((1.0, wait + k + 1),)) for k in range(waits - 1)]
    last = len(phases)
    phases.append(Phase(WAIT, station, 1 / waits, ()))
    service = _service(step, phases)
    phases[last] = phases[last]._replace(following=service)
    return Entry(station, service, 0, 0, wait, blocked)


def cut(distribution: Distribution, order: int) -> Distribution:
    """The same demand with at most `order` phases, for interpolation."""
    if distribution.kind == "det" or (distribution.kind == "erlang" and distribution.order > order):
        return Distribution("erlang", order)
    return distribution
