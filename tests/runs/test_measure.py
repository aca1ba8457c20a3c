"""Measuring a command: what is run next, what is written, how it continues, and that nothing is left running."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.timed_run import Timed, run_once
from apet.runs.fit.methods import extrapolate
from apet.runs.measure.growing_sizes import MeasuredRuns, MeasuringPlan, next_run
from apet.runs.measurements import Curve

PLAN = MeasuringPlan(("work", "{n}"), "size", 100, None, 12_800.0, 2, 60.0, 60.0)
SLEEP = (sys.executable, "-S", "-c", "import sys, time; time.sleep(2e-5 * int(sys.argv[1]))", "{n}")


def predict(curve: Curve, targets: object) -> object:
    """As the command does."""
    return extrapolate(curve, list(targets)).predictions  # type: ignore[call-overload]


def taken(plan: MeasuringPlan, left: float, most: int = 2**62) -> list[tuple[int, str]]:
    """What is run, if times are 1 ms for each unit of n."""
    measured, found = MeasuredRuns(plan), list[tuple[int, str]]()
    while left > 0 and (step := next_run(measured, predict, left, most)) is not None:  # type: ignore[arg-type]
        found.append(step)
        measured.add(step[0], Timed(1e-3 * step[0], 0.0, 1, False))
        left -= 1e-3 * step[0]
    return found


def test_sizes_double_with_their_repetitions_until_there_are_five() -> None:
    assert [n for n, _ in taken(PLAN, 60)][:10] == [100, 100, 200, 200, 400, 400, 800, 800, 1600, 1600]


def test_then_runs_are_chosen_that_narrow_the_interval() -> None:
    extra = [reason for _, reason in taken(PLAN, 60)[10:]]
    assert extra
    assert all("narrows" in reason or reason == "repetition" for reason in extra)


def test_the_budget_and_the_greatest_size_are_kept() -> None:
    assert sum(1e-3 * n for n, _ in taken(PLAN, 5)) <= 5 + 1e-9
    assert max(n for n, _ in taken(PLAN, 60, most=700)) <= 700


def test_a_run_has_its_times_and_its_memory() -> None:
    code = "x = bytearray(50_000_000); sum(i for i in range(400_000))"
    found = run_once([sys.executable, "-c", code], 30)
    assert found.wall > 0
    assert found.cpu > 0
    assert found.peak > 50_000_000
    assert not found.stopped


def test_at_the_limit_the_whole_group_is_ended(tmp_path: Path) -> None:
    mark = tmp_path / "child"
    code = f"""
import os, time
if os.fork() == 0:
    open({str(mark)!r}, "w").write(str(os.getpid()))
time.sleep(600)
"""
    assert run_once([sys.executable, "-c", code], 1.0).stopped
    child = int(mark.read_text())
    for _ in range(100):
        if not _alive(child):
            break
        time.sleep(0.02)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or ") Z" not in stat.read_text()


def test_a_command_that_fails_or_is_missing_is_a_mistake() -> None:
    with pytest.raises(ApetError, match="status 3"):
        run_once([sys.executable, "-c", "import sys; print('no input', file=sys.stderr); sys.exit(3)"], 10)
    with pytest.raises(ApetError, match="cannot run"):
        run_once(["/nowhere/program"], 10)


def test_the_file_is_one_of_runs_and_is_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs.json"
    call = ["measure", "--from", "1000", "--most", "8000", "--repeat", "1", "--budget", "20", "-o", str(path), "--"]
    assert main([*call, *SLEEP]) == 0
    found = json.loads(path.read_text())
    assert [p["n"] for p in found["points"]] == [1000, 2000, 4000, 8000]
    assert found["host"]
    assert found["points"][-1]["peak_bytes"][0] > 0
    assert main([*call, *SLEEP]) == 0
    assert json.loads(path.read_text())["points"] == found["points"]
    assert main(["extrapolate", str(path), "--to", "16000", "--json"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed[printed.index("{") :])["predictions"][0]["t"] > 0.1


def test_what_is_no_plan_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "runs.json"
    path.write_text('{"points": [], "command": ["other", "{n}"], "kind": "size"}')
    for words, message in (
        (["--", "work"], "does not contain {n}"),
        (["--from", "0.5", "--", "work", "{n}"], "--from 0.5"),
        (["--from", "9", "--most", "3", "--", "work", "{n}"], "below the smallest"),
        (["--budget", "0", "--", "work", "{n}"], "must be above 0"),
        (["-o", str(path), "--", "work", "{n}"], "another command: other {n}"),
    ):
        assert main(["measure", *words]) == 2
        assert message in capsys.readouterr().err
