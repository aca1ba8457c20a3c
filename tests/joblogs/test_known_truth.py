"""Logs that were built so that the truth is known without APET: what disturbs a run is named."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from apet.cli.main import main

DATA = Path(__file__).parents[1] / "data" / "joblogs" / "truth"


def _answer(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, cores: str, *more: str) -> dict[str, Any]:
    log = tmp_path / name
    log.write_bytes(gzip.decompress((DATA / f"{name}.gz").read_bytes()))
    assert main(["jobs", str(log), "--cores", cores, "--json", *more]) == 0
    content: dict[str, Any] = json.loads(capsys.readouterr().out)
    return content


# Seconds on each number of cores, and whether the bounds are guaranteed.
TRUTH = {
    "stage_noretry_min.log": ({1: 1000, 4: 925}, True),  # 100 tasks of 1 s after 900 s of the driver
    "stage_retry_min.log": (
        {1: 1000, 4: 925},
        True,
    ),  # the same, 60 tasks in one attempt of the stage and 40 in the next
    "dropped_min.log": ({1: 1000, 4: 925}, False),  # the same, 40 ends of tasks missing
    "jobend_lost_min.log": ({4: 121, 16: 51}, False),  # 10 + 15 + 10 + 15 + 1 on 16 cores
    "task_retry_min.log": ({1: 161, 4: 41, 16: 11}, True),  # 16 tasks of 10 s
    "dynamic_min.log": ({3: 29, 4: 21}, True),  # 40 tasks of 2 s with all cores from the start
    "indep400.csv": ({4: 100, 8: 50}, True),  # 400 tasks of 1 s
    "parallel_jobs_min.log": ({1: 56, 4: 44}, True),  # 16 s of work after 40 s
}


@pytest.mark.parametrize("name", TRUTH)
def test_the_known_time_is_predicted(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    times, guaranteed = TRUTH[name]
    answer = _answer(tmp_path, capsys, name, ",".join(map(str, times)))
    assert {p["cores"]: p["estimate_s"] for p in answer["predictions"]} == pytest.approx(times)
    assert answer["bounds"] == ("guaranteed" if guaranteed else "estimated")
    for prediction in answer["predictions"]:
        assert prediction["lower_s"] <= prediction["estimate_s"] <= prediction["upper_s"]
        assert answer["floor_s"] <= prediction["estimate_s"]


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("dropped_min.log", "stage 0 has 60 of its 100 tasks"),
        ("jobend_lost_min.log", "job 0 has no end in this log"),
    ],
)
def test_what_is_missing_is_named(name: str, missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [note for note in _answer(tmp_path, capsys, name, "4")["notes"] if note["text"].startswith(missing)]


def test_an_own_run_is_replayed_as_it_was_and_without_what_disturbed_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    retried = {run["name"]: run["seconds"] for run in _answer(tmp_path, capsys, "task_retry_min.log", "4")["own_runs"]}
    assert retried == {"as it was": 51, "without failed and second attempts": 41}
    grown = {run["name"]: run["seconds"] for run in _answer(tmp_path, capsys, "dynamic_min.log", "4")["own_runs"]}
    assert grown == {"as it was": 36, "with all executors from the start": 21}


def test_fewer_cores_are_no_faster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = _answer(tmp_path, capsys, "overhead_min.log", "1:16")
    times = [p["estimate_s"] for p in answer["predictions"]]
    assert times == sorted(times, reverse=True)


def test_tasks_without_others_in_their_stage_are_limited_by_cores_where_they_wait(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = _answer(tmp_path, capsys, "indep400.csv", "4")["limits"]["by_kind"]
    assert limits["cores"] > 0.98


def test_the_driver_of_jobs_side_by_side_counts_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = _answer(tmp_path, capsys, "parallel_jobs_min.log", "4")
    assert answer["driver_s"] <= answer["measured_s"]


def test_more_tasks_have_more_overhead_and_nothing_of_them_is_guaranteed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first stage has 80 tasks of which each takes 1.2 s beside its own run."""
    usual = _answer(tmp_path, capsys, "overhead_min.log", "8")
    more = _answer(tmp_path, capsys, "overhead_min.log", "8", "--set", "partitions.0=800")
    assert more["bounds"] == "estimated"
    (before,), (after,) = usual["predictions"], more["predictions"]
    assert after["estimate_s"] > before["estimate_s"]


def test_a_log_that_is_there_twice_counts_once_and_another_application_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = gzip.decompress((DATA / "stage_noretry_min.log.gz").read_bytes())
    log = tmp_path / "log"
    log.write_bytes(plain * 2)
    assert main(["jobs", str(log), "--cores", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["tasks"], answer["predictions"][0]["estimate_s"]) == (100, pytest.approx(1000))
    assert "100 tasks are in the log twice; they count once" in [note["text"] for note in answer["notes"]]

    log.write_bytes(plain + gzip.decompress((DATA / "task_retry_min.log.gz").read_bytes()))
    assert main(["jobs", str(log)]) == 2
    assert "several applications: another one begins in line" in capsys.readouterr().err
