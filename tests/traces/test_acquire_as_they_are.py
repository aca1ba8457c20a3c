"""MPI programs that use what is rare: what of it is in their traces, and what is named as missing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from tests.traces.mpi_programs import DATA, MPICC, SAMPLES, folder, needs_mpi, needs_simgrid, program, simgrid_seconds
from tests.traces.test_acquire import CLUSTER, PRINT, acquire, actions

from apet import api
from apet.cli import compilers
from apet.cli.main import main
from apet.traces.mpi import acquiring
from apet.traces.mpi.weights import counts_blocks

pytestmark = [needs_mpi]
RANKS = {"anybody": 3, "cancelled": 2, "neighbours": 4, "windows": 3, "fourth": 3, "session": 2}


def taken(case: str, path: Path, ranks: int, *more: str) -> Path:
    command = [program(DATA / "mpi" / "asis.c", counting=False), case, str(path.with_suffix(".out"))]
    assert acquire(path, command, ranks, "--mode", "cpu", *more) == 0
    return path


@pytest.mark.parametrize("case", RANKS)
def test_what_is_rare_is_recorded(case: str, tmp_path: Path) -> None:
    path = taken(case, tmp_path / "t.txt", RANKS[case])
    report = api.check_trace(path)
    assert not report.findings
    assert not report.gaps
    assert report.messages > 0


@needs_simgrid
@pytest.mark.parametrize("case", RANKS)
def test_simgrid_replays_what_is_rare_in_the_same_time(case: str, tmp_path: Path) -> None:
    path, unrolled = taken(case, tmp_path / "t.txt", RANKS[case]), tmp_path / "unrolled.txt"
    assert main(["trace", "convert", str(path), "--unroll", "-o", str(unrolled)]) == 0
    makespan = api.replay(api.read_trace(path), *api.read_platform(*CLUSTER)).makespan_s
    assert makespan == pytest.approx(simgrid_seconds(unrolled, RANKS[case], *CLUSTER), rel=1e-3, abs=PRINT)


def test_a_later_receive_of_another_source_does_not_count(tmp_path: Path) -> None:
    """Rank 0 waits for the message of rank 2 although an older receive is still open: that becomes one of rank 1."""
    text = taken("anybody", tmp_path / "t.txt", 3).read_text()
    waits = [line for line in actions(text) if line.startswith("0 wait")]
    assert all(not line.endswith("# request 0") for line in waits)
    assert not api.check_trace(tmp_path / "t.txt").findings


def test_a_neighbourhood_is_its_messages(tmp_path: Path) -> None:
    lines = actions(taken("neighbours", tmp_path / "t.txt", 4).read_text())
    posted = [line.split()[1:3] for line in lines if line.startswith("0 i") and "init" not in line]
    assert posted == [["irecv", "3"], ["irecv", "1"], ["isend", "3"], ["isend", "1"]] * 2


def test_a_fence_exchanges_what_was_put_and_read(tmp_path: Path) -> None:
    lines = actions(taken("windows", tmp_path / "t.txt", 3).read_text())
    messages = sorted((line.split()[1:3], line.split()[4]) for line in lines if line.startswith(("0 irecv", "0 isend")))
    assert messages == [
        (["irecv", "1"], "160"),
        (["irecv", "2"], "80"),
        (["isend", "1"], "80"),
        (["isend", "2"], "160"),
    ]
    assert lines.count("0 barrier") == 3


@pytest.mark.parametrize(
    ("case", "missing"), [("locks", "one-sided transfers under locks"), ("files", "MPI_File_write_at_all, 2 times")]
)
def test_what_is_missing_is_named_wherever_the_trace_goes(
    case: str, missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = taken(case, tmp_path / "t.txt", 2)
    assert f"# left out: {missing}" in path.read_text()
    assert main(["trace", "convert", str(path), "-o", str(tmp_path / "packed.xz")]) == 0
    assert main(["trace", "convert", str(tmp_path / "packed.xz"), "-o", str(tmp_path / "again.gz")]) == 0
    for name in ("t.txt", "packed.xz", "again.gz"):
        capsys.readouterr()
        assert main(["trace", "check", str(tmp_path / name)]) == 0
        shown = capsys.readouterr().out
        assert missing in shown
        assert "no errors found" not in shown

    for verb in ("replay", "predict"):
        assert main(["trace", verb, str(path), "--platform", str(CLUSTER[0]), "--json"]) == 0
        shown, wrong = capsys.readouterr()
        assert missing in wrong
        assert json.loads(shown)["gaps"][0]["what"] in missing or missing in json.loads(shown)["gaps"][0]["what"]


def test_files_are_sleeping_on_request(tmp_path: Path) -> None:
    path = taken("files", tmp_path / "t.txt", 2, "--files")
    assert not api.check_trace(path).gaps
    assert [line.split()[1] for line in actions(path.read_text()) if " sleep " in line] == ["sleep", "sleep"]


def test_ranks_that_wait_patiently_leave_the_same_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = list[list[str]]()
    for cores in (1, 1000):
        monkeypatch.setattr(acquiring, "cores", lambda number=cores: number)
        path = tmp_path / f"{cores}.txt"
        assert acquire(path, [program(DATA / "mpi" / "calls.c")], 4) == 0
        texts.append(actions(path.read_text()))
    assert texts[0] == texts[1]


@pytest.mark.skipif(shutil.which("mpifort.mpich") is None, reason="there is no Fortran compiler for MPI")
def test_the_fortran_binding_of_2008_is_recorded(tmp_path: Path) -> None:
    target = str(folder() / "f08")
    command = ["mpifort.mpich", str(DATA / "mpi" / "f08.f90"), "-o", target]
    if subprocess.run(command, capture_output=True, check=False, cwd=tmp_path).returncode:
        pytest.skip("the Fortran compiler for MPI does not work")
    assert acquire(tmp_path / "t.txt", [target], 2, "--mode", "cpu") == 0
    assert actions((tmp_path / "t.txt").read_text())[:6] == [
        "0 init",
        "0 irecv 1 1 40 6",
        "0 isend 1 1 40 6",
        "0 waitall 2",
        "0 allreduce 40 0 6",
        "0 finalize",
    ]


def test_a_library_that_python_loads_is_recorded(tmp_path: Path) -> None:
    """As with mpi4py: the interpreter is linked to no MPI, what it loads is."""
    library, script = folder() / "player.so", tmp_path / "play.py"
    source = tmp_path / "play.c"
    source.write_text(
        "#include <mpi.h>\nvoid play(void) { MPI_Init(0, 0); MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); }\n"
    )
    subprocess.run([MPICC, "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    script.write_text(f"import ctypes\nctypes.CDLL({str(library)!r}).play()\n")
    assert acquire(tmp_path / "t.txt", [sys.executable, str(script)], 2, "--mode", "cpu") == 0
    assert "0 barrier" in actions((tmp_path / "t.txt").read_text())


COPIES = """#include <mpi.h>
#include <string.h>
static char a[1 << 22], b[1 << 22];
int main(int n, char **v) {
  MPI_Init(&n, &v);
  for (int k = 0; k < 1500; k++) { memcpy(a, b, sizeof a); b[k] = a[k + 1] + 1; }
  MPI_Barrier(MPI_COMM_WORLD);
  volatile double x = 0;
  for (int k = 0; k < 10000000; k++) x += k;
  MPI_Finalize();
}
"""


def test_a_rank_that_computes_in_a_library_is_named_and_sleeps_if_asked(tmp_path: Path) -> None:
    source, named, asleep = tmp_path / "copy.c", tmp_path / "named.txt", tmp_path / "asleep.txt"
    source.write_text(COPIES)
    assert acquire(named, [program(source)], 2, "--mode", "blocks") == 0
    assert "# left out: computing in libraries, which count no blocks" in named.read_text()

    assert acquire(asleep, [program(source)], 2, "--libraries") == 0
    header, first = asleep.read_text().split("0 init", 1)
    assert "; libraries sleep for their CPU time" in header
    assert "left out" not in header
    before, after = first.split("1 init")[0].split("0 barrier")
    assert sum(float(line.split()[2]) for line in before.splitlines() if " sleep " in line) > 0.02
    assert "compute" not in before
    assert "sleep" not in after
    assert int(after.split("0 compute ")[1].split()[0]) >= 10_000_000


def test_a_compiler_of_one_word_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "ring"
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "mpicc").symlink_to(str(shutil.which(MPICC)))
    monkeypatch.setattr(sys, "argv", ["apet-mpicc", "-O2", str(SAMPLES / "ring.c"), "-o", str(target)])
    assert compilers.mpicc() == 0
    assert counts_blocks(str(target))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_ranks_and_keeps_the_trace(
    number: signal.Signals, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def when_recorded() -> None:
        while not list(tmp_path.glob("apet-trace-*/about.*")):
            time.sleep(0.05)
        os.kill(os.getpid(), number)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    hanging = program(DATA / "mpi" / "failing.c", counting=False)
    timer = threading.Thread(target=when_recorded, daemon=True)
    timer.start()
    assert acquire(tmp_path / "t.txt", [hanging, "hang"], 3, "--mode", "cpu", "--limit", "20 s") == 2
    timer.join()
    assert f"was ended by {number.name}" in capfd.readouterr().err
    assert f"# incomplete: ended by {number.name}" in (tmp_path / "t.txt").read_text()
    time.sleep(0.2)
    assert not [p for p in Path("/proc").glob("[0-9]*/cmdline") if hanging.encode() in _content(p)]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _instructions(path: Path) -> int:
    return sum(int(line.split()[2]) for line in path.read_text().splitlines() if " compute " in line)


def test_volumes_of_all_threads_do_not_depend_on_their_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = str(folder() / "hybrid-counting")
    assert main(["trace", "cc", "--", MPICC, "-O2", "-fopenmp", str(DATA / "mpi" / "hybrid.c"), "-o", target]) == 0
    volumes = {}
    for threads, more in ((1, ["--threads"]), (2, ["--threads"]), (2, [])):
        monkeypatch.setenv("OMP_NUM_THREADS", str(threads))
        path = tmp_path / f"{threads}{len(more)}.txt"
        assert acquire(path, [target], 2, *more) == 0
        volumes[threads, len(more)] = _instructions(path)

    assert volumes[2, 1] == pytest.approx(volumes[1, 1], rel=0.01)
    assert volumes[2, 0] == pytest.approx(volumes[1, 1] / 2, rel=0.05)
    assert ", of all threads\n" in (tmp_path / "21.txt").read_text()


def test_threads_that_call_at_once_leave_a_trace_that_replays(tmp_path: Path) -> None:
    assert acquire(tmp_path / "t.txt", [program(DATA / "mpi" / "threads.c", counting=False)], 4) == 0
    report = api.check_trace(tmp_path / "t.txt")
    assert not report.findings
    assert not report.gaps
    assert report.messages == 4 * 3 * 10 * 2


def test_a_shared_library_counts_its_instructions_as_the_program_does(tmp_path: Path) -> None:
    source, library, target = str(DATA / "mpi" / "library.c"), str(tmp_path / "libwork.so"), str(tmp_path / "main")
    compile_it = ["trace", "cc", "--", MPICC, "-O1", source]
    assert main([*compile_it, "-DLIBRARY", "-fPIC", "-shared", "-o", library]) == 0
    assert main([*compile_it, library, f"-Wl,-rpath,{tmp_path}", "-o", target]) == 0
    assert acquire(tmp_path / "t.txt", [target], 1) == 0
    assert 400_000 < _instructions(tmp_path / "t.txt") < 1_500_000
    assert not api.check_trace(tmp_path / "t.txt").gaps


LIBRARY = "double work(long n) { volatile double x = 0; for (long k = 0; k < n; k++) x += k; return x; }\n"
CALLER = """#include <mpi.h>
#include <stdlib.h>
double work(long n);
int main(int n, char **v) {
  MPI_Init(&n, &v);
  double y = 0;
  for (int r = 0; r < 3; r++) {
    y += work(atol(v[1]));
    MPI_Barrier(MPI_COMM_WORLD);
    volatile double x = 0;
    for (int k = 0; k < 10000000; k++) x += k;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
"""


@pytest.mark.measures
def test_a_calibrated_speed_leaves_out_what_libraries_compute(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The speed is that of the same program whose library has nothing to do."""
    library, source = tmp_path / "libwork.so", tmp_path / "caller.c"
    (tmp_path / "work.c").write_text(LIBRARY)
    source.write_text(CALLER)
    subprocess.run([MPICC, "-O2", "-shared", "-fPIC", str(tmp_path / "work.c"), "-o", str(library)], check=True)
    build = [MPICC, "-O2", str(source), str(library), f"-Wl,-rpath,{tmp_path}", "-o"]
    subprocess.run([*build, str(tmp_path / "plain")], check=True)
    assert main(["trace", "cc", "--", *build, str(tmp_path / "counting")]) == 0
    (tmp_path / "sizes").write_text("".join(f"{1 << k} {1e-6 * (1 + k)}\n" for k in range(20)))

    def speed(iterations: str) -> float:
        path = tmp_path / f"t-{iterations}.txt"
        assert acquire(path, [str(tmp_path / "counting"), iterations], 2, "--libraries") == 0
        order = ["-n", "2", "--runs", "3", "--pingpong", str(tmp_path / "sizes"), "-o", str(tmp_path / "p.xml")]
        capsys.readouterr()
        call = ["trace", "calibrate", *order, "--trace", str(path), "--json", "--", str(tmp_path / "plain"), iterations]
        assert main(call) == 0
        return float(json.loads(capsys.readouterr().out)["speed_by_rank_per_s"][0])

    assert speed("10000000") == pytest.approx(speed("0"), rel=0.3)


@pytest.mark.measures
def test_regions_of_a_program_have_volumes_and_speeds_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, path = DATA / "mpi" / "regions.c", tmp_path / "t.txt"
    assert acquire(path, [program(source)], 2) == 0
    computed = [line.split() for line in path.read_text().splitlines() if "# region" in line]
    assert [words[-1] for words in computed] == ["3", "4"] * 6
    assert not api.check_trace(path).findings

    call = ["trace", "calibrate", "-n", "2", "--runs", "1", "--sizes", "12", "--most", "4096", "--trace", str(path)]
    capsys.readouterr()
    assert main([*call, "-o", str(tmp_path / "p.xml"), "--json", "--", program(source, counting=False)]) == 0
    speeds = json.loads(capsys.readouterr().out)["regions"]
    assert speeds["3"] < 1 < speeds["4"]

    converted = tmp_path / "c.txt"
    assert main(["trace", "convert", str(path), "--region", "3=0.5", "-o", str(converted)]) == 0
    before, after = (api.read_trace(file).flops[0] for file in (path, converted))
    assert after == before + sum(int(words[2]) for words in computed[::2][:3])
