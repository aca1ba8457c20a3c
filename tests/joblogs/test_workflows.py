"""Workflows in WfFormat, of its newest and older versions, and logs that come packed through standard input."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from apet.api.kinds import JOBS, kind_of
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.joblogs.job_log import US
from apet.joblogs.read.reader import read_job_log

SECONDS = {"split": 2.0, "map1": 5.0, "map2": 7.0, "skipped": None, "join": 1.5}
PARENTS = {"split": [], "map1": ["split"], "map2": ["split"], "skipped": ["map2"], "join": ["map1", "skipped"]}


def newest(**more: Any) -> dict[str, Any]:
    """Version 1.5: what is to run, and what ran."""
    specified = [{"name": f"n-{name}", "id": name, "parents": PARENTS[name]} for name in SECONDS]
    ran = [
        {"id": name, "runtimeInSeconds": t, "coreCount": 1, **more.get(name, {})} for name, t in SECONDS.items() if t
    ]
    return {
        "name": "w",
        "schemaVersion": "1.5",
        "workflow": {"specification": {"tasks": specified}, "execution": {"tasks": ran}},
    }


def older() -> dict[str, Any]:
    """Before 1.5: one list, whose parents are names."""
    listed = [
        {"name": name, "parents": PARENTS[name], **({"runtime": t} if t else {})}
        for name, t in reversed(SECONDS.items())
    ]
    return {"name": "w", "schemaVersion": "1.2", "workflow": {"jobs": listed}}


@pytest.mark.parametrize("document", [newest(), older()])
def test_tasks_run_after_what_they_waited_for(tmp_path: Path, document: object) -> None:
    path = tmp_path / "w.json"
    path.write_text(json.dumps(document))
    assert kind_of(path) == JOBS
    log = read_job_log(path)
    assert log.end == 10.5 * US  # split, map2, and join, which waited for it through a task that did not run
    assert log.executors[0].slots == 2
    names = [stage.name for stage in log.stages]
    after = {stage.name: {names[k] for k in stage.parents} for stage in log.stages}
    assert after == {"split": set(), "map1": {"split"}, "map2": {"split"}, "join": {"map1", "map2"}}
    assert log.gaps  # without starts nothing is guaranteed


def test_starts_are_those_of_the_file(tmp_path: Path) -> None:
    moments = {name: {"executedAt": f"2026-01-31T10:00:{k * 10:02}+00:00"} for k, name in enumerate(SECONDS)}
    path = tmp_path / "w.json"
    path.write_text(json.dumps(newest(**moments)))
    log = read_job_log(path)
    assert log.end == 41.5 * US
    assert not log.gaps


def test_a_workflow_of_another_form_or_in_a_circle_is_refused(tmp_path: Path) -> None:
    document = newest()
    document["workflow"]["specification"]["tasks"][0]["parents"] = ["join"]
    for text, message in ((json.dumps(document), "->"), ('{"schemaVersion": "1.5", "workflow": []}', "another form")):
        path = tmp_path / "w.json"
        path.write_text(text)
        with pytest.raises(ApetError, match=message):
            read_job_log(path)


def test_a_packed_log_may_come_through_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = b"task,start,end,after\na,0,10,\nb,10,30,a\n"
    printed = []
    for content in (text, gzip.compress(text)):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        assert main(["predict", "-", "--cores", "2"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
