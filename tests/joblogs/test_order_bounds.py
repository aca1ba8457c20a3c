"""Bounds of a log hold every schedule, in any order of tasks, that leaves no core idle while a task waits."""

from __future__ import annotations

import json
import random
from array import array
from heapq import heappop, heappush
from itertools import count
from pathlib import Path

import pytest

from apet.cli.main import main
from apet.joblogs.cost_model import joblog_model
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.segments import segments

CUT = "task,start,end,after\na,0,4,\nb,0,4,\nc,4,8,a;b\nd,4,8,a;b\n"
SECOND = 1_000_000


def _unit(random_: random.Random, k: int, before: tuple[int, ...]) -> WorkUnit:
    tasks = random_.choice((0, 1, 1, 1, 2, 3))
    holds = array("q", (random_.choice((1, 2, 3, 8)) * SECOND for _ in range(tasks)))
    results = array("q", (hold + random_.choice((0, 0, 1)) * SECOND for hold in holds))
    delay, tail = (random_.choice((0, 0, 0, 1, 4)) * SECOND for _ in range(2))
    return WorkUnit(f"u{k}", 0, k, before, delay, tail, holds, results, (k,))


def _work(seed: int) -> WorkGraph:
    random_ = random.Random(seed)
    likely = random_.choice((0.1, 0.3, 0.6))
    units = list[WorkUnit]()
    for k in range(random_.randint(1, 9)):
        units.append(_unit(random_, k, tuple(p for p in range(k) if random_.random() < likely)))
    return WorkGraph(tuple(units), tuple(units), 2, random_.choice((0, 0, SECOND // 2)), 1, "fifo")


def _makespan(work: WorkGraph, cores: int, random_: random.Random) -> float:
    """Any task that is ready may be next; a core that goes from one task to one that waited turns around first."""
    ended, number = dict[int, int](), count()
    open_units = set(range(len(work.units)))
    left, latest = {k: len(unit.holds) for k, unit in enumerate(work.units)}, dict.fromkeys(open_units, 0)
    events, ready, free, now = list[tuple[int, int, str, int]](), list[tuple[int, int]](), cores, 0

    def begin_units(now: int) -> None:
        for k in sorted(open_units):
            if all(p in ended for p in work.units[k].before):
                open_units.remove(k)
                heappush(events, (now + work.units[k].delay, next(number), "ready", k))

    def launch(at: int) -> None:
        k, place = ready.pop(random_.randrange(len(ready)))
        unit = work.units[k]
        latest[k] = max(latest[k], at + unit.results[place])
        heappush(events, (at + unit.holds[place], next(number), "free", k))
        left[k] -= 1
        if not left[k]:
            heappush(events, (latest[k] + unit.tail, next(number), "ended", k))

    begin_units(0)
    while events:
        now, _, kind, k = heappop(events)
        unit = work.units[k]
        if kind == "ready" and unit.holds:
            ready += [(k, place) for place in range(len(unit.holds))]
        elif kind == "ready":
            heappush(events, (now + unit.tail, next(number), "ended", k))
        elif kind == "ended":
            ended[k] = now
            begin_units(now)
        elif ready:
            launch(now + work.turnaround)
        else:
            free += 1
        if events and events[0][0] == now and events[0][2] != "free":
            continue
        while free and ready:
            free -= 1
            launch(now)
    return max(ended.values(), default=0) / SECOND


@pytest.mark.parametrize("seed", range(60))
def test_no_order_of_tasks_takes_less_or_more(seed: int) -> None:
    work, random_ = _work(seed), random.Random(seed)
    model = joblog_model("log", work)
    for cores in (1, 2, 3, 4, 6):
        values = {"cores": cores, "spread": 0, "jobs": 1, "data": 1}
        lower, upper = (float(bound.evaluate(values)) for bound in (model.lower, model.upper))
        for _ in range(20):
            assert lower - 1e-9 <= _makespan(work, cores, random_) <= upper + 1e-9


@pytest.mark.parametrize("seed", range(200))
def test_segments_are_all_sets_that_end_before_the_others_begin(seed: int) -> None:
    units = _work(seed).units
    behind = list[set[int]]()
    for unit in units:
        behind.append(set(unit.before).union(*(behind[p] for p in unit.before)))
    everything = set(range(len(units)))
    subsets = [{k for k in everything if bits >> k & 1} for bits in range(1, 1 << len(units))]
    cuts = [chosen for chosen in subsets if all(chosen <= behind[k] for k in everything - chosen)]

    parts = segments(units)
    assert sorted(k for part in parts for k in part) == sorted(everything)
    assert [set().union(*parts[: n + 1]) for n in range(len(parts))] == sorted(cuts, key=len)


def test_sets_of_tasks_in_turn_take_what_each_takes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "cut.csv"
    log.write_text(CUT)
    assert main(["jobs", str(log), "--cores", "2,3", "--json"]) == 0
    for prediction in json.loads(capsys.readouterr().out)["predictions"]:
        assert (prediction["lower_s"], prediction["upper_s"]) == (8, 8)
