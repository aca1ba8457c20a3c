"""Laws of traces taken from real MPI programs: they repeat, fit together, and replay as SimGrid replays them."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.traces.mpi_programs import (
    DATA,
    MPICC,
    SAMPLES,
    SMALL,
    folder,
    needs_mpi,
    needs_simgrid,
    program,
    simgrid_seconds,
)
from tests.work import crossed

from apet import api
from apet.cli.main import main
from apet.traces.mpi import acquiring, running

pytestmark = [needs_mpi]
Golden = Callable[[Path, str], None]
CLUSTER = DATA / "titrace" / "homog.xml", DATA / "titrace" / "homog.hostfile"
TAKEN = crossed(SMALL, [4, 8, 16])
PRINT = 1.5e-6
"""Half of SimGrid's last digit, and as much for what it does not update."""


def acquire(path: Path, command: list[str], ranks: int, *more: str) -> int:
    return main(["trace", "acquire", "-n", str(ranks), "-o", str(path), *more, "--", *command])


def actions(text: str) -> list[str]:
    """The lines of a trace without computing and comments."""
    return [line for line in text.splitlines() if " compute " not in line and not line.startswith("#")]


@functools.cache
def taken(name: str, ranks: int) -> Path:
    """A trace of a sample."""
    path = folder() / f"{name}.{ranks}.txt"
    assert acquire(path, [program(SAMPLES / f"{name}.c"), *SMALL[name]], ranks, "--mode", "blocks") == 0
    return path


@pytest.mark.parametrize(("name", "ranks"), TAKEN)
def test_a_trace_repeats_and_fits_together(name: str, ranks: int, tmp_path: Path) -> None:
    first, second = taken(name, ranks), tmp_path / "again.txt"
    assert acquire(second, [program(SAMPLES / f"{name}.c"), *SMALL[name]], ranks) == 0
    trace = api.read_trace(first)
    assert not api.check_trace(trace).findings
    assert "instructions, by counted basic blocks" in first.read_text()
    if name != "farm":  # who gets which task depends on time
        assert first.read_bytes() == second.read_bytes()
    else:
        assert len(actions(first.read_text())) == len(actions(second.read_text()))


@needs_simgrid
@pytest.mark.parametrize(("name", "ranks"), TAKEN)
def test_simgrid_replays_it_in_the_same_time(name: str, ranks: int, tmp_path: Path) -> None:
    path, unrolled = taken(name, ranks), tmp_path / "unrolled.txt"
    assert main(["trace", "convert", str(path), "--unroll", "-o", str(unrolled)]) == 0
    platform, hosts = api.read_platform(*CLUSTER)
    found = api.replay(api.read_trace(path), platform, hosts).makespan_s
    assert found == pytest.approx(simgrid_seconds(unrolled, ranks, *CLUSTER), rel=1e-3, abs=PRINT)


def test_every_kind_of_call_has_its_line(tmp_path: Path, assert_golden: Golden) -> None:
    path = tmp_path / "calls.txt"
    assert acquire(path, [program(DATA / "mpi" / "calls.c")], 4) == 0
    assert_golden(DATA / "mpi" / "calls.txt", "\n".join(actions(path.read_text())) + "\n")
    assert not api.check_trace(api.read_trace(path)).findings
    assert "left out" not in path.read_text()


@needs_simgrid
def test_simgrid_replays_every_kind_of_call(tmp_path: Path) -> None:
    unrolled = tmp_path / "calls.txt"
    assert main(["trace", "convert", str(DATA / "mpi" / "calls.txt"), "--unroll", "-o", str(unrolled)]) == 0
    platform, hosts = api.read_platform(*CLUSTER)
    found = api.replay(api.read_trace(DATA / "mpi" / "calls.txt"), platform, hosts).makespan_s
    assert found == pytest.approx(simgrid_seconds(unrolled, 4, *CLUSTER), rel=0.02)


def test_cpu_time_needs_no_build_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "t.gz"
    assert acquire(path, [program(SAMPLES / "cg.c", counting=False), "2000", "4"], 2, "--mode", "cpu") == 0
    trace = api.read_trace(path)
    counted = tmp_path / "c.txt"
    assert acquire(counted, [program(SAMPLES / "cg.c"), "2000", "4"], 2) == 0
    assert [a for a in trace.ranks[0] if a[0] != "compute"] == [
        a for a in api.read_trace(counted).ranks[0] if a[0] != "compute"
    ]


def test_a_file_per_rank_is_the_same_trace(tmp_path: Path) -> None:
    command = [program(SAMPLES / "ring.c"), "2"]
    assert acquire(tmp_path / "one.txt", command, 3) == 0
    assert main(["trace", "acquire", "-n", "3", "-o", f"{tmp_path}/many/", "--", *command]) == 0
    one, many = (api.read_trace(tmp_path / name) for name in ("one.txt", "many/trace.txt"))
    assert one.ranks == many.ranks


@pytest.mark.skipif(shutil.which("mpifort.mpich") is None, reason="there is no Fortran compiler for MPI")
def test_fortran_programs_are_recorded(tmp_path: Path) -> None:
    target = str(tmp_path / "ring")
    done = subprocess.run(
        ["mpifort.mpich", str(DATA / "mpi" / "ring.f90"), "-o", target], cwd=tmp_path, capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("the Fortran compiler for MPI does not work")
    assert acquire(tmp_path / "t.txt", [target], 2, "--mode", "cpu") == 0
    assert actions((tmp_path / "t.txt").read_text())[:4] == [
        "0 init",
        "0 irecv 1 1 800 6",
        "0 isend 1 1 800 6",
        "0 waitall 2",
    ]


@pytest.mark.parametrize(
    ("how", "said"),
    [("abort", "exit status 3"), ("crash", "exit status"), ("leave", "failing leave")],
)
def test_what_was_recorded_before_a_failure_is_kept(
    how: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.txt"
    assert acquire(path, [program(DATA / "mpi" / "failing.c", counting=False), how], 3, "--limit", "20 s") == 2
    wrong = capfd.readouterr().err
    assert said in wrong
    assert "the trace up to there was kept" in wrong
    assert "# incomplete: " in path.read_text()
    assert api.read_trace(path).ranks[0][-1] == ("barrier",)


def test_ranks_that_end_early_are_told_from_a_program_without_mpi(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = running.run
    # Whether mpiexec reports an early end as a failure depends on which rank is first.
    monkeypatch.setattr(acquiring, "run", lambda *arguments: run(*arguments)._replace(code=0))
    failing = program(DATA / "mpi" / "failing.c", counting=False)
    assert acquire(tmp_path / "t.txt", [failing, "leave"], 3, "--limit", "20 s") == 2
    assert "of 3 ranks ended without MPI_Finalize, with exit status 0" in capfd.readouterr().err


def test_a_program_that_hangs_is_ended_with_all_its_ranks(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    hanging = program(DATA / "mpi" / "failing.c", counting=False)
    assert acquire(tmp_path / "t.txt", [hanging, "hang"], 3, "--limit", "1.5 s") == 2
    assert "was ended after 1.5 s; the trace up to there was kept" in capfd.readouterr().err
    time.sleep(0.2)
    running = [p for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists() and hanging.encode() in _content(p)]
    assert not running


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def bad_calls() -> dict[str, tuple[list[str], str]]:
    """Calls that are wrong, and what is said."""
    plain = program(SAMPLES / "ring.c", counting=False)
    text = folder() / "not-a-program"
    text.write_text("x")
    return {
        "no program": (["-n", "2", "--", str(folder() / "nothing")], "there is no such program"),
        "a directory": (["-n", "2", "--", str(folder())], "it is a directory"),
        "not executable": (["-n", "2", "--", str(text)], "permission denied"),
        "without MPI": (["-n", "2", "--", "/bin/ls"], "is linked to no shared MPI library"),
        "no MPI call": (["-n", "2", "--", program(DATA / "mpi" / "failing.c", False), "nothing"], "made no MPI call"),
        "no ranks": (["-n", "0", "--", plain], "not a whole number of 1 or more"),
        "no blocks": (["-n", "2", "--mode", "blocks", "--", plain], "was not built to count them"),
        "no compiler": (["-n", "2", "--mpicc", "nothing-here", "--", plain], "there is no nothing-here for MPICH"),
        "other compiler": (["-n", "2", "--mpicc", "cc -I/nothing", "--", plain], "cannot build wrapper"),
        "no time": (["-n", "2", "--limit", "0", "--", plain], "it should be above 0"),
        "no directory": (["-n", "2", "-o", "/nothing/here/x", "--", plain], "there is no directory"),
    }


CASES = "no program, a directory, not executable, without MPI, no MPI call, no ranks, no blocks, no compiler"
CASES += ", other compiler, no time, no directory"


@pytest.mark.parametrize("case", CASES.split(", "))
def test_a_wrong_call_is_told(
    case: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, said = bad_calls()[case]
    assert main(["trace", "acquire", *call]) == 2
    wrong = capfd.readouterr().err
    assert said in wrong
    assert "Traceback" not in wrong
    assert not os.listdir(tmp_path)


def test_without_mpi_the_packages_are_named(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    plain = program(SAMPLES / "ring.c", counting=False)
    monkeypatch.setenv("PATH", "/nothing")
    assert main(["trace", "acquire", "-n", "2", "--", plain]) == 2
    assert "apt-get install mpich libmpich-dev" in capfd.readouterr().err


def test_a_compiler_that_fails_fails_the_call(tmp_path: Path) -> None:
    assert main(["trace", "cc", "--", MPICC, str(tmp_path / "nothing.c")]) == 2
    assert main(["trace", "cc", "--", str(tmp_path / "no-compiler"), "x.c"]) == 2
