"""`apet run`: what a command line means, what is measured and kept, and what is printed when it cannot be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests import processes
from tests.cli.measuring_fakes import Notes, install
from tests.traces.mpi_programs import SAMPLES, needs_mpi, program

from apet import api
from apet.cli.main import main
from apet.cli.run_mpi import Launch, launched
from apet.ground.diagnostics import ApetError

ROOT = Path(__file__).resolve().parents[2]
SLEEP = (sys.executable, "-S", "-c", "import sys, time; time.sleep(2e-5 * int(sys.argv[1]))", "{size}")


@pytest.mark.parametrize(
    ("command", "launch"),
    [
        ("mpirun -n 8 ./a.out", Launch(8, ("./a.out",), None)),
        ("mpiexec -np 4 ./a.out -n 3", Launch(4, ("./a.out", "-n", "3"), None)),
        (
            "mpirun --oversubscribe -n 2 --bind-to core ./a",
            Launch(2, ("./a",), "mpirun --oversubscribe --bind-to core"),
        ),
        ("mpirun -genv A 1 -n 2 ./a", Launch(2, ("./a",), "mpirun -genv A 1")),
        ("/opt/bin/mpirun -n 2 ./a", Launch(2, ("./a",), "/opt/bin/mpirun")),
        ("./a.out -n 8", None),
    ],
)
def test_a_launcher_names_ranks_and_program(command: str, launch: Launch | None) -> None:
    assert launched(command.split()) == launch


@pytest.mark.parametrize("command", ["mpirun ./a", "mpirun -n ./a", "mpirun -n 2", "mpirun -n 2 ./a : -n 3 ./b"])
def test_a_launcher_without_ranks_or_program_is_refused(command: str) -> None:
    with pytest.raises(ApetError, match="mpirun"):
        launched(command.split())


def call(folder: Path, *words: str, command: tuple[str, ...] = SLEEP) -> int:
    usual = {"-o": str(folder), "--budget": "20"}
    own = [word for option, value in usual.items() if option not in words for word in (option, value)]
    return main(["run", *own, *words, "--", *command])


def test_runs_are_kept_forecast_and_continued(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(tmp_path, "--from", "1000", "--most", "4000") == 0
    printed = capsys.readouterr()
    assert "8,000" in printed.out
    assert f"apet predict {tmp_path}/runs.json --to N" in printed.out
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "What to do next" in page
    assert f"apet predict {tmp_path}/runs.json --to N" in page

    runs = json.loads((tmp_path / "runs.json").read_text(encoding="utf-8"))["points"]
    assert {1000, 2000, 4000} <= {point["n"] for point in runs} <= set(range(1000, 4001))
    assert call(tmp_path, "--from", "1000", "--most", "4000", "--json") == 0
    again = capsys.readouterr()
    assert f"runs at {len(runs)} sizes already" in again.err
    document = json.loads(again.out)
    assert json.loads((tmp_path / "runs.json").read_text(encoding="utf-8"))["points"] == runs
    assert [p["n"] for p in document["predictions"]] == [8000, 16000]
    assert document["page"] == str(tmp_path / "report.html")
    assert all(step["command"].startswith("apet ") for step in document["next"])


BAD: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    "nothing varies": ((), (sys.executable, "-c", "0"), "names neither a size nor MPI ranks"),
    "both vary": ((), ("./a", "{size}", "{procs}"), "both a size and a number of processors"),
    "no such program": ((), ("/nowhere/a", "{size}"), "cannot run /nowhere/a"),
    "no such MPI program": ((), ("mpirun", "-n", "2", "/nowhere/a"), "/nowhere/a"),
    "the program fails": ((), (sys.executable, "-c", "raise SystemExit('no input {size}')"), "no input 1"),
    "no time": (("--budget", "0"), SLEEP, "must be above 0"),
    "no folder": (("-o", "/proc/apet"), SLEEP, "cannot write /proc/apet"),
    "few sizes": (("--from", "1", "--most", "2"), SLEEP, "up to 2 there are too few sizes"),
    "most below first": (("--from", "9", "--most", "3"), SLEEP, "below the smallest"),
    "few processors": (("--most", "2"), (*SLEEP[:-1], "{procs}"), "too few numbers of processors"),
    "few processors, before a run": (("--most", "3"), ("/bin/false", "{procs}"), "too few numbers of processors"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_be_run_is_an_error(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options, command, message = BAD[case]
    assert call(tmp_path, *options, command=command) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert "Traceback" not in printed.err
    assert not (tmp_path / "report.html").exists()


def test_a_budget_that_is_too_small_says_how_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow = (*SLEEP[:3], "import sys, time; time.sleep(0.4 * int(sys.argv[1]))", "{size}")
    assert call(tmp_path, "--from", "1", "--budget", "1s", command=slow) == 2
    printed = capsys.readouterr().err
    assert "the budget of 1 s ended before 3 sizes were measured" in printed
    assert "--budget 4s" in printed
    assert (tmp_path / "runs.json").exists()


def test_an_interrupted_call_keeps_its_runs(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "apet", "run", "-o", str(tmp_path), "--from", "5000", "--", *SLEEP]
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    with processes.start(command, env=variables, stderr=subprocess.PIPE) as process:
        while not (tmp_path / "runs.json").exists():
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"the measurements so far are in {tmp_path}" in printed
    assert json.loads((tmp_path / "runs.json").read_text(encoding="utf-8"))["points"]


@needs_mpi
def test_an_mpi_program_is_recorded_calibrated_and_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("mpirun", "-n", "3", program(SAMPLES / "ring.c", counting=False), "3")
    assert call(tmp_path, "--budget", "60s", "--json", command=command) == 0
    document = json.loads(capsys.readouterr().out)
    platform, hosts = api.read_platform(tmp_path / "platform.xml")
    assert document["makespan_s"] == api.replay(tmp_path / "trace.txt", platform, hosts).makespan_s
    times = {each["platform"]: each["makespan_s"] for each in document["forecast"]}
    assert times["an ideal network"] <= times["half the latency"] <= document["makespan_s"]
    assert times["cores twice as fast"] <= document["makespan_s"]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert all(heading in page for heading in ("Forecast", "What to do next", "Replay"))

    traced = (tmp_path / "trace.txt").read_bytes()
    assert call(tmp_path, command=command) == 0
    printed = capsys.readouterr()
    assert "is a trace of this program already" in printed.err
    assert "is a platform of this machine already" in printed.err
    assert "apet explain" in printed.out
    assert (tmp_path / "trace.txt").read_bytes() == traced


@needs_mpi
def test_an_mpi_program_beyond_the_budget_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hanging = program(ROOT / "tests" / "data" / "mpi" / "failing.c", counting=False)
    assert call(tmp_path, "--budget", "1.5s", command=("mpirun", "-n", "3", hanging, "hang")) == 2
    assert "the budget of 1.5 s ended before the program did" in capsys.readouterr().err


@needs_mpi
def test_a_program_without_mpi_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(tmp_path, command=("mpirun", "-n", "2", "/bin/true")) == 2
    assert "is linked to no shared MPI library" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("./stencil 256", "stencil"),
        ("python3 -O work.py --size {size}", "work"),
        ("java Shop.java 4", "Shop"),
        ("sh", "sh"),
        ("python3 -c sum(range({size}))", "python3"),
    ],
)
def test_results_are_called_by_the_program_that_is_meant(command: str, name: str) -> None:
    from apet.cli.forecast import program_name

    assert program_name(command.split()) == name


def test_results_of_an_earlier_call_are_used_unless_a_fresh_start_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    install(Notes(), monkeypatch)
    for options, reused in (([], False), ([], True), (["--fresh"], False)):
        assert main(["run", *options, "--", "true", "{size}"]) == 0
        assert ("has runs at 6 sizes already" in capsys.readouterr().err) is reused
