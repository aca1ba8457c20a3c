"""Layered queues, simulated until the mean cycle or response time of each origin is known to a few parts in a thousand.

Approximations by layers (J. A. Rolia and K. C. Sevcik, IEEE Trans. Software Eng. 21(8), 1995) miss most where calls
nest, second phases overlap and threads join, and nothing tells where.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from apet.core import Struct, library
from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import (
    LEVELS,
    ClassResult,
    Distribution,
    JobsResult,
    Percentiles,
    StationResult,
    TaskResult,
)
from apet.queueing.data.layers import Layered, LayeredTask
from apet.queueing.methods.precedence.circulation import MOST_PLACES, OPEN_PLACES, UnderWay, array, whole, zeros
from apet.queueing.methods.precedence.simulation import Array, Estimate, followed, mean_estimate, quantile_estimate
from apet.queueing.methods.precedence.solve import SEED, precise

MOST_EVENTS = 60_000_000
"""Events after which a simulation ends, whatever its precision."""
WARM_UP = 200_000
"""Events before what happens counts."""
CONFIDENT = 3.883 / 2.093
"""The half-width of a 99.9 % confidence interval over that of a 95 % one (Student's t, 19 degrees of freedom): files
have many figures, and all are to lie in their intervals."""
LEAST = 0.01
"""The half-width over the mean at least: which of those comes first who ask for a processor at one instant, taken to be
random, changes means by as much on `srvn6` of V6 of the Layered Queueing Network Solver."""


def solve(layers: Layered, levels: tuple[float, ...] = LEVELS, seed: int = SEED) -> JobsResult:
    """Cycle times of reference tasks without their think times, and response times of requests from outside.

    `ApetError` where requests pile up.
    """
    under_way = _LayersUnderWay(layers, seed)
    rows = followed(under_way, layers.origins, WARM_UP, MOST_EVENTS, precise)
    _refuse(layers, under_way, rows)

    entries = under_way.task_means()
    classes, notes = [], []
    for t, row in zip(layers.origins, rows, strict=True):
        task, mean = layers.tasks[t], _wider(mean_estimate(row))
        shares = [_wider(quantile_estimate(row, level)) for level in levels]
        seconds, widths = tuple(e.value for e in shares), tuple(e.half_width for e in shares)
        variant = tuple(TaskResult(layers.entries[e].name, entries[e]) for e in _reached(layers, task) if entries[e])
        rate = 1 / task.think if task.is_source else task.processes / (task.think + mean.value)
        found = Percentiles(seconds, "simulated", widths, levels)
        classes.append(ClassResult(task.name, mean.value, rate, (variant,), found, mean.half_width))
        notes.append(f"{task.name}: {mean.value:.6g} ± {mean.half_width:.2g} s (99.9 %, {len(row):,} cycles)")
    return JobsResult("simulation", tuple(classes), tuple(_stations(layers, under_way)), notes=tuple(notes))


def _refuse(layers: Layered, under_way: _LayersUnderWay, rows: Sequence[Array]) -> None:
    """`ApetError` where there is no steady state, or nothing to measure."""
    if under_way.overflow:
        raise ApetError(errors.TooManyUnderWay(None, None, f"{min(OPEN_PLACES, under_way.most):,}"))
    origins = [(layers.tasks[t], row) for t, row in zip(layers.origins, rows, strict=True)]
    rare = [task.name for task, row in origins if not len(row)]
    if rare:
        raise ApetError(errors.TooRare(None, None, ", ".join(rare), f"{under_way.now - under_way.since:.4g} s"))
    idle = [task.name for task, row in origins if not task.think and not row.any()]
    if idle:
        raise ApetError(errors.TakesNoTime(None, None, ", ".join(idle)))


def _wider(estimate: Estimate) -> Estimate:
    return Estimate(estimate.value, estimate.half_width * CONFIDENT).at_least(LEAST)


def _stations(layers: Layered, under_way: _LayersUnderWay) -> Iterable[StationResult]:
    there = under_way.tasks_there().sum(axis=0).tolist()
    for station, busy, present in zip(layers.processors, under_way.busy().tolist(), there, strict=True):
        yield StationResult(station.name, None if station.is_delay else busy / station.servers, present)
    busy, present = under_way.at_tasks()
    for t, task in enumerate(layers.tasks):
        if task.reference is None:
            share = float(busy[t]) / task.processes if task.processes else None
            yield StationResult(f"task {task.name}", share, float(present[t]))


def _reached(layers: Layered, origin: LayeredTask) -> list[int]:
    """The entries that requests of an origin lead to, by number."""
    assert origin.reference is not None
    calls: list[set[int]] = [{f for f, _ in entry.forwards} for entry in layers.entries]
    by_task = [{c.entry for a in layers.activities if a.task == t for c in a.calls} for t in range(len(layers.tasks))]
    reached, agenda = set[int](), [origin.reference]
    while agenda:
        entry = agenda.pop()
        if entry not in reached:
            reached.add(entry)
            agenda += calls[entry] | by_task[layers.entries[entry].task]
    return sorted(reached)


class _LayersUnderWay(UnderWay):
    """The processes of layered queues under way; a task with any number of them has `most`."""

    def __init__(self, layers: Layered, seed: int) -> None:
        width, sizes = max(_threads(layers, t) for t in range(len(layers.tasks))), [t.processes for t in layers.tasks]
        places = width * (len(layers.processors) + 1) + len(layers.forks)  # of a process
        room = MOST_PLACES // (2 * places * max(1, sizes.count(0)))
        self.most = max(width * sum(sizes), min(OPEN_PLACES, room))
        sizes = [size or self.most for size in sizes]
        if sum(sizes) * places > MOST_PLACES:
            raise ApetError(errors.TooManyTasks(None, None, f"{sum(sizes) * places:.1e}", f"{MOST_PLACES:.1e}"))
        owners = np.repeat(np.arange(len(layers.tasks)), sizes)
        shapes = list(dict.fromkeys([Distribution(), *(a.distribution for a in layers.activities)]))
        super().__init__(
            layers.processors,
            owners.astype(np.int64),
            [task.priority for task in layers.tasks],
            [(task.think, Distribution()) for task in layers.tasks],
            shapes,
            width,
            seed,
            task_seconds=np.zeros(len(layers.entries)),
            task_count=np.zeros(len(layers.entries), dtype=np.int64),
        )
        self.layers = Struct("Layers", **_static(layers, shapes), **_dynamic(layers, len(owners), width))
        library().apet_layers_begin(self.state, self.layers)

    def run(self, events: int) -> int:
        """Follow at most so many events: how many there were."""
        return int(library().apet_layers_run(self.state, self.layers, events))

    def forget(self) -> None:
        """Begin to count what processors and tasks do."""
        super().forget()
        for name in ("busy_area", "present_area"):
            self.layers.held[name][0][:] = 0

    def at_tasks(self) -> tuple[Array, Array]:
        """(tasks,) mean number of processes in service, and of requests that are served or wait."""
        elapsed = self.now - self.since
        busy, present = (self.layers.held[name][0] / elapsed for name in ("busy_area", "present_area"))
        return busy, present


def _threads(layers: Layered, t: int) -> int:
    """How many threads a process of a task may have at once, at most."""
    forks = {a.fork for a in layers.activities if a.task == t and a.fork is not None}
    return 1 + sum(len(layers.forks[f].activities) - 1 for f in forks if not layers.forks[f].chances)


def _static(layers: Layered, shapes: Sequence[Distribution]) -> dict[str, object]:
    """What does not change."""
    tasks, entries, activities, forks = layers.tasks, layers.entries, layers.activities, layers.forks
    calls = [call for a in activities for call in a.calls]
    return {
        "nodes": len(forks),
        "reference": whole(-1 if t.reference is None else t.reference for t in tasks),
        "is_source": whole(t.is_source for t in tasks),
        "is_unlimited": whole(not t.processes for t in tasks),
        "task_of": whole(e.task for e in entries),
        "start": whole(e.start for e in entries),
        "forward_first": whole(_firsts(e.forwards for e in entries)),
        "forward": whole(f for e in entries for f, _ in e.forwards),
        "forward_chance": array(p for e in entries for p in accumulate(p for _, p in e.forwards)),
        "station": whole(tasks[a.task].processor for a in activities),
        "slice": array(a.demand / (1 + sum(c.mean for c in a.calls)) for a in activities),
        "slice_shape": whole(shapes.index(a.distribution) for a in activities),
        "pause": array(a.think for a in activities),
        "fixed": whole(a.is_fixed for a in activities),
        "replies": whole(a.replies for a in activities),
        "after": whole(-1 if a.fork is None else a.fork for a in activities),
        "call_first": whole(_firsts(a.calls for a in activities)),
        "called": whole(c.entry for c in calls),
        "waits": whole(c.waits for c in calls),
        "calls": array(n for a in activities for n in accumulate(c.mean for c in a.calls)),
        "is_choice": whole(bool(f.chances) for f in forks),
        "needed": whole(f.needed for f in forks),
        "node_first": whole(_firsts(f.activities for f in forks)),
        "target": whole(a for f in forks for a in f.activities),
        "chance": array(p for f in forks for p in accumulate(f.chances or [0.0] * len(f.activities))),
    }


def _firsts(rows: Iterable[Sequence[object]]) -> Iterable[int]:
    return accumulate(map(len, rows), initial=0)


def _dynamic(layers: Layered, processes: int, width: int) -> dict[str, object]:
    """Of tasks, processes, their threads, and requests."""
    tasks, threads = len(layers.tasks), processes * width
    requests = threads + OPEN_PLACES
    counts = dict.fromkeys(("idle", "first", "last_of", "present", "busy"), tasks)
    counts |= dict.fromkeys(("request", "live"), processes)
    counts |= dict.fromkeys(("activity", "at", "made", "agenda"), threads)
    counts |= dict.fromkeys(("entry", "behind", "origin"), requests)
    counts["arrived"] = processes * len(layers.forks) + 1
    return {
        "requests": requests,
        **zeros(counts, np.int64),
        **zeros(dict.fromkeys(("changed", "present_area", "busy_area"), tasks)),
        **zeros(dict.fromkeys(("sent", "born"), requests)),
    }
