"""The plugin for Dask on a real scheduler: its log is read; and the replay of Dask's scheduling."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from apet.joblogs.cost_model import joblog_model
from apet.joblogs.read import read_job_log
from apet.joblogs.read.neutral import neutral_text
from apet.joblogs.rules.work_graph import work_graph
from apet.joblogs.what_if import on_cores

SLEEP = 0.02


def _pause(*_: object) -> None:
    time.sleep(SLEEP)


def test_a_graph_on_two_workers_is_logged_with_its_dependencies(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    from apet.joblogs.dask_plugin import log_to

    path = tmp_path / "job.jsonl"
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="inproc"
    )
    with cluster, distributed.Client(cluster) as client:
        log_to(client, str(path))
        first = [client.submit(_pause, k, pure=False) for k in range(8)]
        last = client.submit(_pause, first, pure=False)
        distributed.wait(last, timeout=30)

    log = read_job_log(path)
    work = work_graph(log)
    assert (log.engine, log.cores, work.tasks) == ("Dask", 2, 9)
    last_stage = max(log.stages, key=lambda stage: stage.completed)
    assert len(last_stage.parents) == 8
    assert work.work >= 9 * SLEEP * 1e6
    assert on_cores(work, 1).makespan >= work.work
    assert not joblog_model("log", work, log.engine).sure


def test_chains_on_fewer_threads_than_chains_take_turns(tmp_path: Path) -> None:
    """Five chains on four threads: a worker deals with all of them in turn, and none is left for the end."""
    path = tmp_path / "chains.jsonl"
    path.write_text(_chains(chains=5, length=8, threads=5), encoding="utf-8")
    work = work_graph(read_job_log(path))
    ideal = 5 * 8 / 4 * 1_000_000
    assert on_cores(work, 4).makespan <= 1.15 * ideal


def test_an_anonymous_log_keeps_what_the_scheduler_takes_to_be_alike(tmp_path: Path) -> None:
    path, shared = tmp_path / "chains.jsonl", tmp_path / "shared.json"
    path.write_text(_chains(chains=9, length=3, threads=4), encoding="utf-8")
    log = read_job_log(path)
    shared.write_text(neutral_text(log, anonymous=True), encoding="utf-8")
    again = read_job_log(shared)
    assert {stage.name for stage in again.stages} == {"group 0"}
    makespans = [[on_cores(work_graph(each), cores).makespan for cores in (1, 3, 8)] for each in (log, again)]
    assert makespans[0] == makespans[1]


def _chains(chains: int, length: int, threads: int) -> str:
    """A log of chains of tasks of a second, each on a thread of its own."""
    begin, events = 1.8e9, list[dict[str, object]]()
    events += [{"event": "start", "t": begin}, {"event": "worker", "t": begin, "address": "w", "threads": threads}]
    events.append({"event": "graph", "t": begin})
    for chain in range(chains):
        for k in range(length):
            key, deps = f"c{chain}-{k}", [f"c{chain}-{k - 1}"] if k else []
            priority = [0, 1, chain * length + k]
            events.append({"event": "task", "t": begin, "key": key, "deps": deps, "priority": priority, "prefix": "c"})
    for k in range(length):
        for chain in range(chains):
            start = begin + 0.001 + 1.002 * k
            spans = [["compute", start, start + 1]]
            events.append({"event": "done", "t": start + 1.001, "key": f"c{chain}-{k}", "worker": "w", "spans": spans})
    return "".join(json.dumps(event) + "\n" for event in events)
