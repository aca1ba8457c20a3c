"""Profiles as runs: what TAU, NVIDIA's profilers, perf and Python write."""

from __future__ import annotations

import contextlib
import cProfile
import marshal
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.runs.measurements import Run
from apet.runs.read import read_runs
from apet.runs.read.marshalled import entries

DATA = Path(__file__).resolve().parents[1] / "data"
SAMPLES = DATA / "scaling"


TAU = """3 templated_functions_MULTI_TIME
# Name Calls Subrs Excl Incl ProfileCalls #
".TAU application" 1 1 {a} {c} 0 GROUP="TAU_DEFAULT"
"solve(int, double*)" 7 0 {b} {b} 0 GROUP="TAU_USER"
".TAU application  =>  solve(int, double*)" 7 0 {b} {b} 0 GROUP="TAU_CALLPATH"
0 aggregates
"""


def test_tau_profiles_lie_in_folders_of_threads(tmp_path: Path) -> None:
    for n in (10, 20):
        folder = tmp_path / "runs" / f"n{n}"
        folder.mkdir(parents=True)
        for rank, slow in ((0, 1), (1, 3)):
            text = TAU.format(a=1e6 * n, b=slow * 1e6 * n, c=(1 + slow) * 1e6 * n)
            (folder / f"profile.{rank}.0.0").write_text(text)
    runs = read_runs(str(tmp_path / "runs")).curve.runs
    assert [(r.n, r.t) for r in runs] == [(10, 40), (20, 80)]
    assert runs[0].phases == pytest.approx({".TAU application": 10, "solve(int, double*)": 20})


NVPROF = """==7== NVPROF is profiling process 7, command: ./a 10
==7== Profiling result:
"Type","Time(%)","Time","Calls","Avg","Min","Max","Name"
,%,ms,,us,us,us,
"GPU activities",75.0,{0},10,1,1,1,"saxpy(int, float*)"
"GPU activities",25.0,{1},2,1,1,1,"[CUDA memcpy HtoD]"
"API calls",90.0,999,1,1,1,1,"cudaMalloc"
"""
NSYS = """Time (%),Total Time (ns),Instances,Avg (ns),Name
75.0,{0}000000,10,1,"saxpy(int, float*)"
25.0,{1}000000,2,1,copy
"""
PERF = """# Samples: 4K of event 'task-clock'
# Event count (approx.): {0}000000
#
# Overhead  Command  Shared Object  Symbol
    75.00%  a        a              [.] saxpy
    25.00%  a        libc.so.6      [.] memcpy
"""


@pytest.mark.parametrize(
    ("text", "kernel"), [(NVPROF, "saxpy(int, float*)"), (NSYS, "saxpy(int, float*)"), (PERF, "saxpy")]
)
def test_profiles_with_n_in_their_names_are_runs(tmp_path: Path, text: str, kernel: str) -> None:
    for n in (64, 128):
        small, large = (n, 4 * n) if text is PERF else (n, 3 * n)
        (tmp_path / f"run2-n{n}.csv").write_text(text.format(large, small))
    runs = read_runs(str(tmp_path)).curve.runs
    assert [r.n for r in runs] == [64, 128]
    assert [r.t for r in runs] == pytest.approx([0.256, 0.512])
    assert runs[0].phases[kernel] == pytest.approx(0.192)


def test_a_perf_report_without_a_clock_says_what_to_record(tmp_path: Path) -> None:
    path = tmp_path / "n8.txt"
    path.write_text(PERF.format(5).replace("task-clock", "cycles:u"))
    with pytest.raises(ApetError, match="task-clock"):
        read_runs(at=[(8, str(path))])


def work(n: int) -> int:
    """Something to profile."""
    return sum(len(re.findall("a", "banana")) for _ in range(n))


def test_profiles_of_python_are_read_as_files(tmp_path: Path) -> None:
    work(1)  # what the first call alone costs is no part of it
    for n in (20, 20_000):
        profile = cProfile.Profile()
        profile.runcall(work, n)
        profile.dump_stats(tmp_path / f"work-{n}.prof")
    runs = read_runs(str(tmp_path)).curve.runs
    assert [r.n for r in runs] == [20, 20_000]
    assert runs[1].t > runs[0].t > 0
    assert sum(runs[1].phases.values()) <= runs[1].t * (1 + 1e-9)
    assert any("findall" in name for name in runs[1].phases)


def test_the_printed_table_of_cprofile_is_read(tmp_path: Path) -> None:
    text = """         12 function calls in 2.000 seconds

   Ordered by: standard name

   ncalls  tottime  percall  cumtime  percall filename:lineno(function)
        1    1.500    1.500    2.000    2.000 a.py:1(work)
       10    0.500    0.050    0.500    0.050 {built-in method len}
"""
    path = tmp_path / "a.txt"
    path.write_text(text)
    (run,) = read_runs(at=[(8, str(path))]).curve.runs
    assert run == Run(8, 2.0, (), {"a.py:1(work)": 1.5, "{built-in method len}": 0.5})


def test_damaged_profiles_are_refused(tmp_path: Path) -> None:
    profile = cProfile.Profile()
    profile.runcall(work, 5)
    path = tmp_path / "n5.prof"
    profile.dump_stats(path)
    whole = path.read_bytes()
    for end in range(2, len(whole), 97):
        path.write_bytes(whole[:end])
        with pytest.raises(ApetError):
            read_runs(at=[(5, str(path))])


@pytest.mark.parametrize(
    "content",
    [
        b"{\xa9\x01r\x00\x00\x00\x00N0",  # a tuple that holds itself
        b"{(\xff\xff\xff\x7f",  # a tuple of two thousand million members
        b"{)\x03u\xff\xff\xff\x7f",
        b"{)\x03l\xff\xff\xff\x7f",
        b"{)\x01" * 100_000,
        b"{(" + b")\x01" * 100_000,
        b"{(\x01\x00\x00\x00" + b"{" * 100_000,
        b"{)\x00N0",
        b"{)\x00r\x00\x00\x00\x80N0",
    ],
)
def test_bytes_that_only_look_like_a_profile_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "n5.prof").write_bytes(content)
    with pytest.raises(ApetError, match="it is damaged, or of another kind"):
        read_runs(at=[(5, str(tmp_path / "n5.prof"))])


seconds = st.floats(0, 1e6)
names = st.just("~") | st.text(max_size=9)
functions = st.tuples(names, st.integers(-(2**100), 2**100), st.text(max_size=300))
rows = st.tuples(
    st.integers(-(2**40), 2**100),
    st.integers(0, 2**40),
    seconds,
    seconds,
    st.dictionaries(functions, st.integers(0, 9)),
)


@given(st.dictionaries(functions, rows, min_size=1, max_size=5), st.integers(0, marshal.version))
def test_profiles_are_read_as_python_reads_them(stats: dict[Any, Any], version: int) -> None:
    content = marshal.dumps(stats, version)
    read_back: list[tuple[Any, Any]] = list(entries(content))
    expected: dict[Any, Any] = marshal.loads(content)
    assert [(key, row[:4]) for key, row in read_back] == [(key, row[:4]) for key, row in expected.items()]


@given(st.binary(max_size=60))
def test_no_bytes_crash_the_reader_of_profiles(tail: bytes) -> None:
    with contextlib.suppress(ValueError):
        assert all(len(entry) == 2 for entry in entries(b"{" + tail))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", PERF.format(5).replace("75.00", "7.5.0").replace("25.00", "2..5"), "it lists no symbol"),
        ("a.txt", PERF.format("9" * 5000), "it does not give the count of its event"),
        (
            "a.csv",
            NVPROF.format(1, '"' + "x" * 140_000),
            "a.csv:6:1: error: a cell here has more than 131,072 characters",
        ),
        ("a.csv", NSYS.format("9" * 200, 1), "which is not between 1e-18 and 1e18"),
        ("profile.0.0.0", TAU.format(a=0, b=0, c=0), "the time of all functions is 0, which is not between"),
    ],
)
def test_damaged_reports_of_profilers_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ApetError, match=re.escape(message)):
        read_runs(at=[(5, str(tmp_path / name))])


def test_a_name_without_n_is_refused(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(PERF.format(5))
    with pytest.raises(ApetError, match="--at"):
        read_runs(str(tmp_path))


def test_tau_profiles_of_several_metrics_lie_in_folders_of_their_own(tmp_path: Path) -> None:
    for n in (10, 20, 40):
        folder = tmp_path / f"run-n{n}" / "MULTI__TIME"
        folder.mkdir(parents=True)
        text = TAU.format(a=1e6 * n, b=2e6 * n, c=3e6 * n)
        (folder / "profile.0.0.0").write_text(text, encoding="utf-8")
        counted = text.replace("MULTI_TIME", "MULTI_PAPI_TOT_CYC")
        other = tmp_path / f"run-n{n}" / "MULTI__PAPI_TOT_CYC"
        other.mkdir()
        (other / "profile.0.0.0").write_text(counted, encoding="utf-8")
    runs = read_runs(str(tmp_path)).curve.runs
    assert [r.t for r in runs] == pytest.approx([30, 60, 120])
    with pytest.raises(ApetError, match="counts PAPI_TOT_CYC, which is no time"):
        read_runs(at=[(10, str(tmp_path / "run-n10" / "MULTI__PAPI_TOT_CYC" / "profile.0.0.0"))])


NSYS = """Generating SQLite file report.sqlite from report.nsys-rep
Processing [report.sqlite] with [osrt_sum.py]...
Time (%),Total Time (ns),Num Calls,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
100.0,9000000000,5,5783718.2,5780070.0,5777126,5797542,8313.1,poll

Processing [report.sqlite] with [cuda_gpu_kern_sum.py]...
Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
75.0,3000000000,5,5783718.2,5780070.0,5777126,5797542,8313.1,"burn(float *, int, int)"
25.0,1000000000,5,5783718.2,5780070.0,5777126,5797542,8313.1,"sum<int, 4>"

Processing [report.sqlite] with [cuda_gpu_mem_time_sum.py]...
Time (%),Total Time (ns),Count,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Operation
100.0,500000000,3,5783718.2,5780070.0,5777126,5797542,8313.1,[CUDA memcpy HtoD]
"""


def test_of_several_tables_of_nsys_kernels_and_copies_count(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(NSYS, encoding="utf-8")
    (run,) = read_runs(at=[(1, str(tmp_path / "a.csv"))]).curve.runs
    assert run.t == pytest.approx(4.5)
    assert run.phases == pytest.approx({"burn(float *, int, int)": 3, "sum<int, 4>": 1, "[CUDA memcpy HtoD]": 0.5})


def test_of_a_perf_report_on_several_events_the_clock_counts(tmp_path: Path) -> None:
    part = "# Samples: 9 of event '{}'\n# Event count (approx.): {}\n#\n    75.00%  a  a.out  [.] main\n\n"
    file = tmp_path / "a.txt"
    file.write_text(part.format("cycles", 7) + part.format("task-clock:ppp", 2 * 10**9), encoding="utf-8")
    (run,) = read_runs(at=[(1, str(file))]).curve.runs
    assert (run.t, run.phases) == (2, {"main": 1.5})


def test_what_perf_records_here_is_read(tmp_path: Path) -> None:
    if shutil.which("perf") is None:
        pytest.skip("perf is not installed")
    for n in (1, 2, 4):
        data, busy = str(tmp_path / "data"), f"sum(i * i for i in range({n * 400_000}))"
        record = ["perf", "record", "-q", "-e", "task-clock", "-o", data, sys.executable, "-c", busy]
        if subprocess.run(record, capture_output=True, check=False).returncode:
            pytest.skip("perf may not record here")
        report = ["perf", "report", "--stdio", "-i", data]
        text = subprocess.run(report, capture_output=True, text=True, check=True).stdout
        (tmp_path / f"perf-n{n}.txt").write_text(text, encoding="utf-8")
    runs = read_runs(*[str(tmp_path / f"perf-n{n}.txt") for n in (1, 2, 4)]).curve.runs
    for run in runs:
        assert 0.001 < run.t < 60
        assert 0.5 * run.t < sum(run.phases.values()) <= 1.01 * run.t
