"""A scenario as arrays for the C core, which follows its jobs event by event."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.core import Struct, library
from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import Circulation, Distribution, JobStation, Scenario

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
DISCIPLINES = {"PS": 0, "FCFS": 1, "delay": 2, "LCFS-PR": 3, "priority": 4, "preemptive": 5}
KINDS = {"det": 0, "erlang": 1, "exp": 1, "hyperexp": 2, "measured": 3}
UNLIMITED = 2**62
"""Servers of a station at which nobody waits."""
ROOM = 1 << 14
"""Response times of a class that are kept before they are handed over."""
OPEN_PLACES = 10_000
"""Jobs of an open class that may be under way at once; more mean that there is no steady state."""
MOST_PLACES = 20_000_000
"""Places for tasks at all stations: 640 MB."""


class UnderWay:
    """What goes on at stations, from a seed: `advance` follows it; what happens is counted since `forget`.

    `owners` has the class of each job, `priorities` the rank of each class, `tasks` how many tasks a job may have at
    once; `fields` are those of `Circulating` beside those of stations. Raises `ApetError` where that is too much.
    """

    def __init__(
        self,
        stations: Sequence[JobStation],
        owners: Whole,
        priorities: Sequence[int],
        pauses: Sequence[tuple[float, Distribution]],
        shapes: Sequence[Distribution],
        tasks: int,
        seed: int,
        **fields: object,
    ) -> None:
        self.owners, self.since = owners, 0.0
        self.ended = np.zeros(len(priorities), dtype=np.int64)
        places = len(owners) * tasks * (len(stations) + 1)
        if places > MOST_PLACES:
            raise ApetError(errors.TooManyTasks(None, None, f"{places:.1e}", f"{MOST_PLACES:.1e}"))
        ranks = sorted(set(priorities))
        self.state = Struct(
            "Circulating",
            stations=len(stations),
            classes=len(priorities),
            jobs=len(owners),
            tasks=tasks,
            discipline=whole([*(DISCIPLINES[s.discipline] for s in stations), DISCIPLINES["delay"]]),
            servers=whole([*map(_servers, stations), UNLIMITED]),
            shape=whole(KINDS[d.kind] for d in shapes),
            order=whole(d.order for d in shapes),
            share=array(map(_share, shapes)),
            value_first=whole(accumulate((len(d.values) for d in shapes), initial=0)),
            values=array(v for d in shapes for v in d.values),
            think=array(seconds for seconds, _ in pauses),
            think_shape=whole(shapes.index(shape) for _, shape in pauses),
            ranks=len(ranks),
            rank=whole(map(ranks.index, priorities)),
            **self._places(len(stations) + 1, len(owners) * tasks, len(ranks), seed),
            **fields,
        )

    def run(self, events: int) -> int:
        """Follow at most so many events: how many there were."""
        raise NotImplementedError

    def advance(self, events: int) -> tuple[int, list[Array]]:
        """`run`, and by class the response times of jobs that ended."""
        number = self.run(events)
        rows = self.state.held["response"][0].reshape(len(self.ended), ROOM)
        responses = [row[:n].copy() for row, n in zip(rows, self.ended, strict=True)]
        self.ended[:] = 0
        return number, responses

    def forget(self) -> None:
        """Begin to count what stations and tasks do."""
        for name in ("area", "work", "task_seconds", "task_count"):
            self.state.held[name][0][:] = 0
        self.since = self.now

    @property
    def overflow(self) -> bool:
        """Whether jobs came from outside when as many as there may be were under way."""
        return bool(self.state.structure.overflow)

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return float(self.state.structure.now)

    def busy(self) -> Array:
        """(stations,) mean number of busy servers since `forget`."""
        return self._per_second("work")[:-1]

    def tasks_there(self) -> Array:
        """(classes, stations) mean number of tasks since `forget`."""
        return self._per_second("area").reshape(len(self.ended), -1)[:, :-1]

    def _per_second(self, name: str) -> Array:
        elapsed = self.now - self.since
        total: Array = self.state.held[name][0]
        return total / elapsed if elapsed else total * 0.0

    def task_means(self) -> list[float]:
        """Mean seconds of each task from start to end, in the order of classes and variants."""
        seconds, count = (self.state.held[name][0] for name in ("task_seconds", "task_count"))
        means: list[float] = np.divide(seconds, count, out=np.zeros(len(seconds)), where=count > 0).tolist()
        return means

    def _places(self, stations: int, instances: int, ranks: int, seed: int) -> dict[str, object]:
        """Of jobs, of instances of tasks, and of stations, one more for those that think."""
        jobs, classes, random = len(self.owners), len(self.ended), Random(seed)
        counts = {"link": instances, "next_job": jobs, "inside": stations * classes}
        counts |= dict.fromkeys(("rank_first", "rank_last"), stations * ranks)
        counts |= dict.fromkeys(("serving", "waiting", "head"), stations)
        counts |= dict.fromkeys(("turn", "who", "line"), stations * instances)
        real = {"born": jobs, "left_over": instances, "key": stations * instances, "response": classes * ROOM}
        real |= dict.fromkeys(("served", "last", "next", "work"), stations)
        real |= dict.fromkeys(("changed", "area"), stations * classes)
        return {
            "owner": self.owners,
            "ended": self.ended,
            "responses": ROOM,
            "room": instances,
            "random": np.array([random.getrandbits(63) | 1 for _ in range(4)], dtype=np.int64),
            **zeros(counts, np.int64),
            **zeros(real),
        }


class JobsUnderWay(UnderWay):
    """The jobs of a scenario under way."""

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self.scenario = scenario
        tasks = max((len(v.tasks) for c in scenario.classes for v in c.variants), default=1) or 1
        room = MOST_PLACES // (2 * tasks * (len(scenario.stations) + 1) * max(1, len(scenario.classes)))
        sizes = [min(OPEN_PLACES, room) if c.is_open else c.population for c in scenario.classes]
        thinking = [c.think_distribution for c in scenario.classes]
        steps = [step for c in scenario.classes for v in c.variants for t in v.tasks for step in t.steps]
        shapes = list(dict.fromkeys([*thinking, *(s.distribution for s in steps)]))
        super().__init__(
            scenario.stations,
            np.repeat(np.arange(len(sizes), dtype=np.int64), sizes),
            [c.priority for c in scenario.classes],
            [(_pause(c), c.think_distribution) for c in scenario.classes],
            shapes,
            tasks,
            seed,
            **self._network(shapes),
            **self._limits(),
            **zeros({"variant": sum(sizes), "left": sum(sizes), "spare": len(sizes), "refused": len(sizes)}, np.int64),
            **zeros({"missing": sum(sizes) * tasks, "step": sum(sizes) * tasks, "ready": tasks}, np.int64),
            **zeros({"began": sum(sizes) * tasks, "outside": len(sizes)}),
        )
        library().apet_circulation_begin(self.state)

    def run(self, events: int) -> int:
        """Follow at most so many events: how many there were."""
        return int(library().apet_circulation_run(self.state, events))

    def forget(self) -> None:
        """Begin to count what stations, tasks and pools do."""
        super().forget()
        for name in ("outside", "refused"):
            self.state.held[name][0][:] = 0

    @property
    def outside(self) -> Array:
        """(classes,) seconds that jobs have waited for a place in their pool, in all."""
        seconds: Array = self.state.held["outside"][0]
        return seconds

    @property
    def refused(self) -> Whole:
        """(classes,) jobs that their pool has refused."""
        jobs: Whole = self.state.held["refused"][0]
        return jobs

    def present(self) -> Array:
        """(classes,) mean number of circulating jobs that do not think since `forget`."""
        sizes = np.array([c.population for c in self.scenario.classes])
        return sizes - self._per_second("area").reshape(len(sizes), -1)[:, -1]

    def _network(self, shapes: Sequence[Distribution]) -> dict[str, object]:
        """What does not change."""
        scenario = self.scenario
        variants = [v for c in scenario.classes for v in c.variants]
        every = [(v, t) for v in variants for t in range(len(v.tasks))]
        steps = [step for v, t in every for step in v.tasks[t].steps]
        firsts = list(accumulate((len(v.tasks) for v in variants), initial=0))
        after = _successors(scenario, firsts)

        return {
            "class_first": whole(accumulate((len(c.variants) for c in scenario.classes), initial=0)),
            "chance": array(p for c in scenario.classes for p in accumulate(v.probability for v in c.variants)),
            "variant_first": whole(firsts),
            "before": whole(len(v.tasks[t].predecessors) for v, t in every),
            "step_first": whole(accumulate((len(v.tasks[t].steps) for v, t in every), initial=0)),
            "after_first": whole(accumulate(map(len, after), initial=0)),
            "step_station": whole(s.station for s in steps),
            "step_shape": whole(shapes.index(s.distribution) for s in steps),
            "step_mean": array(s.demand for s in steps),
            "after": whole(t for row in after for t in row),
            "task_seconds": np.zeros(len(every)),
            "task_count": np.zeros(len(every), dtype=np.int64),
        }

    def _limits(self) -> dict[str, object]:
        """Where classes come from, and what limits them."""
        classes, pools = self.scenario.classes, self.scenario.pools
        pool_of = {c: p for p, pool in enumerate(pools) for c in pool.classes}
        state = ("pool_inside", "pool_waiting", "pool_first", "pool_last")
        return {
            "opened": whole(c.is_open for c in classes),
            "pool": whole(pool_of.get(c, -1) for c in range(len(classes))),
            "pools": len(pools),
            "pool_size": whole(pool.size for pool in pools),
            "pool_backlog": whole(UNLIMITED if pool.backlog is None else pool.backlog for pool in pools),
            **{name: np.zeros(len(pools) + 1, dtype=np.int64) for name in state},
        }


def _successors(scenario: Scenario, firsts: Sequence[int]) -> list[list[int]]:
    """By task, those that wait for it, numbered through all variants."""
    after: list[list[int]] = [[] for _ in range(firsts[-1])]
    variants = [v for c in scenario.classes for v in c.variants]
    for first, variant in zip(firsts, variants, strict=False):
        for t, task in enumerate(variant.tasks):
            for p in task.predecessors:
                after[first + p].append(first + t)
    return after


def _servers(station: JobStation) -> int:
    return UNLIMITED if station.discipline == "delay" else station.servers


def _pause(circulation: Circulation) -> float:
    """Mean seconds from one arrival to the next, or of thinking."""
    rate = circulation.arrival_rate
    if rate is None:
        return circulation.think
    return 1 / rate if rate else math.inf


def _share(shape: Distribution) -> float:
    return shape.short_share if shape.kind == "hyperexp" else 1.0


def whole(values: Iterable[int]) -> Whole:
    """Numbers for the core."""
    return np.array([*values, 0], dtype=np.int64)  # one more, so that no array is empty


def array(values: Iterable[float]) -> Array:
    """Numbers for the core."""
    return np.array([*values, 0.0], dtype=np.float64)


def zeros(sizes: Mapping[str, int], kind: type = float) -> dict[str, Any]:
    """Arrays of so many zeros, by name."""
    return {name: np.zeros(size, dtype=kind) for name, size in sizes.items()}
