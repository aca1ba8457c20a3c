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
from apet.runs.measure.machine import notes
from apet.runs.measure.start_up import find
from apet.runs.measurements import Curve
from apet.runs.read import read_runs

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
        measured.add(step[0], Timed(1e-3 * step[0], 0.0, 1, False, 0.0))
        left -= 1e-3 * step[0]
    return found


def test_sizes_double_until_there_are_five_and_are_then_repeated() -> None:
    assert [n for n, _ in taken(PLAN, 60)][:10] == 2 * [100, 200, 400, 800, 1600]


def test_then_runs_are_chosen_that_narrow_the_interval() -> None:
    extra = [reason for _, reason in taken(PLAN, 60)[10:]]
    assert extra
    assert all("narrows" in reason or "nearer" in reason or reason == "repetition" for reason in extra)


def test_what_is_left_goes_to_sizes_whose_runs_differ() -> None:
    measured = MeasuredRuns(PLAN)
    for n in (100, 200, 400, 800, 1600, 3200, 6400):
        for factor in (1.0, 1.5 if n == 400 else 1.0):
            measured.add(n, Timed(1e-3 * n * factor, 0.0, 1, False, 0.0))
    steps = dict[int, str]()
    left = 3.0
    while (step := next_run(measured, predict, left, 6400)) is not None:  # type: ignore[arg-type]
        steps.setdefault(*step)
        measured.add(step[0], Timed(1e-3 * step[0], 0.0, 1, False, 0.0))
        left -= 1e-3 * step[0]
    assert steps[400] == "its runs differ"


def test_waits_for_a_core_are_no_time_of_the_program() -> None:
    timed = Timed(wall=10.0, cpu=2.0, peak=1, stopped=False, queued=7.0)
    assert timed.undisturbed == 3.0  # it waited a second for something else
    measured = MeasuredRuns(PLAN)
    measured.add(100, timed)
    assert measured.time(100) == 3.0
    (note,) = notes(measured, 6.0, 2)
    assert "30% of the time" in note
    assert "load 6 on 2 cores" in note
    measured.add(200, timed._replace(queued=None))  # of several threads, so nothing is left out of any
    assert measured.time(100) == 10.0
    assert "not known" in notes(measured, 6.0, 2)[0]
    assert notes(measured, 0.5, 2) == []


def test_a_run_says_how_long_it_waited_for_a_core() -> None:
    """On Linux, whose scheduler keeps an account; a program that sleeps does not wait for a core."""
    found = run_once([sys.executable, "-S", "-c", "import time; time.sleep(0.3)"], 30)
    if sys.platform == "linux" and os.path.exists("/proc/self/schedstat"):
        assert found.queued is not None
        assert 0.3 <= found.undisturbed <= found.wall
    many = "import threading\nrun = lambda: sum(range(12_000_000))\n"
    many += "threads = [threading.Thread(target=run) for _ in range(3)]\n[t.start() for t in threads]\nrun()"
    assert run_once([sys.executable, "-S", "-c", many], 30).queued is None


@pytest.mark.parametrize("exponent", [1, 2, 3])
@pytest.mark.parametrize("knee", [3, 100, 1e4, 3e6])
def test_measuring_begins_where_the_run_time_grows(knee: float, exponent: int) -> None:
    """Of a program that starts for 10 ms and takes as long at the knee."""
    tried = list[int]()

    def attempt(n: int, limit: float) -> Timed:
        tried.append(n)
        seconds = 0.010 * (1 + (n / knee) ** exponent)
        return Timed(min(seconds, limit), 0.0, 1, seconds > limit, 0.0)

    found = find(attempt, None, 60.0)
    assert found.grows
    assert knee / 4 <= found.first <= max(2 * knee, 4)
    assert len(tried) < 30


def test_a_cache_that_the_data_leave_beyond_the_runs_is_named() -> None:
    measured = MeasuredRuns(PLAN)
    for n in (100_000, 200_000, 400_000):
        measured.add(n, Timed(1e-6 * n, 1e-6 * n, 8_000_000 + 8 * n, False, 0.0))
    (note,) = notes(measured, 0.1, 2, None, {"L1": 32_768, "L2": 2_097_152, "L3": 8_000_000})
    assert note.startswith("the data of all runs fit into the cache L3, 8,000,000 bytes; from about n = 1e+06 on")


def test_a_machine_that_becomes_busy_is_no_growth() -> None:
    """Every run after the third takes three times as long; only beyond 10,000 the size counts."""
    tried = list[int]()

    def attempt(n: int, limit: float) -> Timed:
        tried.append(n)
        return Timed((0.010 + max(0, 1e-6 * (n - 10_000))) * (3 if len(tried) > 3 else 1), 0.0, 1, False, 0.0)

    assert find(attempt, None, 60.0).first > 1000


def test_a_size_at_which_a_program_fails_is_too_large() -> None:
    def attempt(n: int, limit: float) -> Timed | None:
        return Timed(0.010 * (1 + n / 200), 0.0, 1, False, 0.0) if n < 1000 else None

    assert 50 <= find(attempt, None, 60.0).first <= 400


def test_a_size_that_changes_nothing_is_said() -> None:
    found = find(lambda n, limit: Timed(0.01, 0.0, 1, False, 0.0), None, 60.0)
    assert not found.grows
    measured = MeasuredRuns(PLAN)
    measured.add(1, Timed(0.01, 0.0, 1, False, 0.0))
    assert "the size changes nothing up to n = 1,099,511,627,776" in notes(measured, 0.1, 2, found)[0]


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
    assert {1000, 2000, 4000, 8000} <= {p["n"] for p in found["points"]}
    assert found["host"]
    assert found["points"][-1]["peak_bytes"][0] > 0
    assert main([*call, *SLEEP]) == 0
    assert json.loads(path.read_text())["points"] == found["points"]
    assert 0.15 < read_runs(path, metric="wall_s").curve.runs[-1].t < 9
    assert read_runs(path, metric="cpu_s").curve.runs[-1].t < 0.16
    assert read_runs(path, metric="peak_bytes").curve.unit == "B"
    with pytest.raises(ApetError, match="no metric is named flops"):
        read_runs(path, metric="flops")
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
