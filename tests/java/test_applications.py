"""Applications run for real, on JVMs of this machine: what is dealt, what comes back, what is said when it fails."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.api import load_machines
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java.profile.task_profiles import SAMPLED, sampled
from apet.java.profile.workload import TimedWorkload, dealt_in_turn
from apet.java.validate.plans import crowded, read_plan
from apet.java.validate.running import RunEffort, compile_application, run_application
from apet.java.validate.task_times import time_tasks
from apet.program.measure.bands import read
from apet.trials.workloads import workload

JAVA = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")
MACHINE = "zen5-openjdk17"
TASK = """\
public class Task {
  final int scale;
  Task(int scale) { this.scale = scale; }
  public int run(int first, int numbers) {
    int s = 0; for (int k = 0; k < numbers; k++) s += first + k;
    return scale * s;
  }
  static int bad(int first) { if (first == 2) throw new IllegalStateException("no luck"); return first; }
  static int endless(int first) { int s = 0; while (first >= 0) s++; return s; }
}
"""
FARM = """\
param m = 7;
batch add[i = 1, m] { task "Task.java" Task.run with first = (i - 1) * 10, numbers = 10, scale = 2; REPLICAS MESSAGES }
batch last[1] { task "Task.java" Task.run with first = 5, numbers = 1, scale = 3; on coordinator; }
batch again[m] { task "Task.java" Task.run with first = 1, numbers = 1, scale = 1; }
batch beside[3] { task "Task.java" Task.run with first = 4, numbers = 1, scale = 1; results 64 kB; }
flow add -> last;
flow add -> again (1 kB);
flow add -> beside (16 B) per worker;
"""
QUICK = RunEffort(0.0, 1, 2, 60)


def ran(folder: Path, text: str, workers: int, schedule: str = "static", effort: RunEffort = QUICK) -> TimedWorkload:
    from apet.java.jvm import find_jdk

    (folder / "Task.java").write_text(TASK)
    machines = crowded(load_machines(MACHINE), workers).configure(workers)
    work = workload(Source(str(folder / "farm.pasl"), text), machines, schedule, {})
    classes = folder / "classes"
    compile_application(find_jdk(), [b.file for b in work.batches], str(classes))
    return run_application(find_jdk(), str(classes), work, "C2", effort)


def workers_running() -> list[str]:
    found = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True, check=False).stdout
    return [line for line in found.splitlines() if "ApetWorker" in line and line.split()[0] == str(os.getpid())]


@given(shares=st.lists(st.integers(0, 30), min_size=1, max_size=6))
def test_every_task_is_dealt_once_and_to_each_worker_its_share(shares: list[int]) -> None:
    found = dealt_in_turn(shares)
    assert [len(own) for own in found] == shares
    assert sorted(k for own in found for k in own) == list(range(sum(shares)))
    for own in found:
        middle = sum(own) / len(own) if own else (sum(shares) - 1) / 2
        assert abs(middle - (sum(shares) - 1) / 2) <= len(shares)


@given(n=st.integers(1, 300))
def test_a_few_tasks_that_stand_for_all_are_spread_evenly(n: int) -> None:
    rows = [(float(k),) for k in range(n)]
    found = sampled(rows)
    assert len(found) == min(n, SAMPLED)
    assert abs(sum(r[0] for r in found) / len(found) - (n - 1) / 2) <= 0.5


@JAVA
@pytest.mark.parametrize("schedule", ["static", "join"])
@pytest.mark.parametrize(("workers", "messages"), [(1, ""), (3, "arguments 8 B per worker; results 8 B per worker;")])
def test_every_task_of_an_application_runs_once(tmp_path: Path, workers: int, schedule: str, messages: str) -> None:
    found = ran(tmp_path, FARM.replace("MESSAGES", messages).replace("REPLICAS", ""), workers, schedule)
    assert len(found.wall_s) == len(found.cpu_s) == 2
    assert all(0 < s < 60 for s in (*found.wall_s, *found.cpu_s))
    assert found.results == {"add": 2 * sum(range(70)), "last": 15, "again": 7, "beside": 12}


@JAVA
def test_copies_of_tasks_change_no_result(tmp_path: Path) -> None:
    found = ran(tmp_path, FARM.replace("MESSAGES", "").replace("REPLICAS", "replicas 2;"), 2, "join")
    assert found.results["add"] == 2 * sum(range(70))


@JAVA
@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("bad", r"batch a: java\.lang\.IllegalStateException: no luck \(Task\.java:8\)"),
        ("endless", "did not end within 2 s"),
    ],
)
def test_a_task_that_fails_ends_the_application_and_all_its_jvms(tmp_path: Path, entry: str, words: str) -> None:
    text = f'batch a[i = 1, 4] {{ task "Task.java" Task.{entry} with first = i; }}'
    with pytest.raises(ApetError, match=words):
        ran(tmp_path, text, 2, effort=RunEffort(0.0, 1, 1, 2 if entry == "endless" else 60))
    assert not workers_running()


@JAVA
def test_a_value_that_a_constructor_lacks_is_named(tmp_path: Path) -> None:
    with pytest.raises(ApetError, match=r"a constructor of Task needs values for: scale"):
        ran(tmp_path, 'batch a[2] { task "Task.java" Task.run with first = 1, numbers = 3; }', 1)


def test_a_model_cannot_be_run(tmp_path: Path) -> None:
    (tmp_path / "task.pam").write_text("task[p] = sum_int[p]; L = task[1];")
    source = Source(str(tmp_path / "app.pasl"), 'batch a[2] { task "task.pam"; }')
    with pytest.raises(ApetError, match=r"the batch 'a' cannot be run: its task task\.pam is a model"):
        workload(source, load_machines(MACHINE).configure(1), "static", {})


def test_more_workers_than_processors_share_them_evenly() -> None:
    machines = load_machines(MACHINE)
    assert crowded(machines, 2) is machines
    four = crowded(machines, 4)
    assert (four.processors, four.groups[0].load.lo, four.groups[0].load.hi) == (4, 0.5, 0.5)
    with pytest.raises(ApetError, match="40 workers are more than the 32 processors"):
        crowded(load_machines("join-2005"), 40)


@JAVA
def test_validate_runs_an_application_and_shows_it_beside_its_prediction(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
    monkeypatch.setattr("apet.ground.host.load", lambda: 400.0)
    monkeypatch.setattr("apet.ground.host.cores", lambda: 2)
    (tmp_path / "Task.java").write_text(TASK)
    text = 'batch add[i = 1, 6] { task "Task.java" Task.run with first = i, numbers = 3000000, scale = 1; }'
    (tmp_path / "app.pasl").write_text(text)
    out, plot = str(tmp_path / "out.json"), tmp_path / "out.svg"
    words = ["-m", MACHINE, "-P", "3", "--forks", "1", "--runs", "2", "--calibrate-at", "near", "--plot", str(plot)]
    assert main(["validate", str(tmp_path / "app.pasl"), *words, "--json", "-o", out]) == 0
    assert "the load is 400 on 2 cores" in capsys.readouterr().err
    rows = json.loads(Path(out).read_text())
    assert [(r["name"], r["P"], r["schedule"]) for r in rows] == [("app", 3, "static")]
    for row in rows:
        assert len(row["runs_s"]) == len(row["cpu_s"]) == 2
        assert 0 < row["tmin"] <= row["tmax"]
        assert row["inside"] == (row["tmin"] <= row["measured_s"] <= row["tmax"])
    assert plot.read_text().lstrip().startswith("<?xml")


@JAVA
def test_tasks_that_run_by_themselves_scale_an_application(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
    (tmp_path / "Task.java").write_text(TASK)
    path = tmp_path / "app.pasl"
    path.write_text('batch add[i = 1, 6] { task "Task.java" Task.run with first = i, numbers = 3000, scale = 1; }')
    monkeypatch.setattr("apet.java.validate.task_times.time_tasks", lambda *_: [18.0, 20.0, 25.0])

    assert main(["predict", str(path), "-m", MACHINE, "-P", "1,2", "--profile", "--calibrate", "--json"]) == 0
    one, two = (row["estimate"] for row in json.loads(capsys.readouterr().out)["predictions"])
    low, high = read("tasks")
    assert one["tmin"] == pytest.approx(18 / low, rel=0.01)
    assert one["tmax"] == pytest.approx(25 * high, rel=0.01)
    assert two["tmax"] == pytest.approx(one["tmax"] / 2, rel=0.01)


@JAVA
def test_a_few_tasks_of_each_batch_stand_for_all(tmp_path: Path) -> None:
    from apet.java.jvm import find_jdk

    (tmp_path / "Task.java").write_text(TASK)
    text = 'batch add[i = 1, 40] { task "Task.java" Task.run with first = i, numbers = 2000000, scale = 1; }'
    on = load_machines(MACHINE).configure(2)
    work = workload(Source(str(tmp_path / "farm.pasl"), text), on, "join", {})
    seconds = time_tasks(find_jdk(), work, "C2", 9.0, str(tmp_path / "classes"))
    # 80 million additions take more than 2 ms, and hardly 10 s.
    assert len(seconds) == 3
    assert all(0.002 < s < 10 for s in seconds)


@JAVA
@pytest.mark.parametrize(
    ("file", "words", "message"),
    [
        ("app.pasl", ["--calibrate", "m"], "the tasks of a task graph: --calibrate, without a name"),
        ("app.pasl", ["--calibrate-at", "m=3"], "the tasks of a task graph: --calibrate, without a name"),
        ("Task.java", ["--calibrate"], "--calibrate without a name: it needs the name of a size that --set gives"),
    ],
)
def test_what_cannot_be_calibrated_so_is_refused(
    tmp_path: Path, file: str, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Task.java").write_text("public class Task { public int run(int m) { return m; } }")
    (tmp_path / "app.pasl").write_text('param m = 7; batch a[m] { task "Task.java" Task.run; }')
    assert main(["predict", str(tmp_path / file), "-m", MACHINE, "-P", "1", "--set", "m=9", *words]) == 2
    assert message in capsys.readouterr().err


def test_task_graphs_are_not_calibrated_at_another_size(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "samples/pasl/pi.pasl", "-m", MACHINE, "--calibrate-at", "100"]) == 2
    assert "--calibrate-at 100 does not apply to task graphs" in capsys.readouterr().err


def test_the_shipped_plan_runs_the_ten_programs_in_every_configuration() -> None:
    runs = read_plan("samples/pasl/validation.toml")
    assert len(runs) == 10 * 2 * 2
    assert {a.name for a in runs} == {f"{n} {v}" for n in ("pi", "primes") for v in "ABCD"} | {"matrix A", "matrix B"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it has no"),
        ("= 3", "plan.toml:1:1: error: this is not TOML: Invalid"),
        (f"a = {'[' * 3000}", "arrays or tables are nested too deeply"),
        ("[[application]]\nname = 'a'", "an application needs its task graph"),
        ("[[application]]\ngraph = 'a.pasl'\nvariant = 3", "'variant' of a is unknown; did you mean 'variants'"),
        ("processors = [0]\n[[application]]\ngraph = 'a.pasl'", "processors of a are whole numbers"),
        ("schedules = ['now']\n[[application]]\ngraph = 'a.pasl'", "schedules of a are in brackets, of static, join"),
        ("[[application]]\ngraph = 'a.pasl'\nvariants = { A = 3 }", "variants of a are tables of numbers"),
    ],
)
def test_a_plan_that_is_none_is_refused(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(ApetError, match=words):
        read_plan(str(tmp_path / "plan.toml"))
