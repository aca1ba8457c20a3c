"""Where in a program the actions of a trace are called."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from array import array
from pathlib import Path

import pytest
from tests.traces import programs_by_size
from tests.traces.mpi_programs import DATA, MPICC, SAMPLES, needs_mpi

from apet import api
from apet.cli.main import main
from apet.traces.lines.sites import NOWHERE, CallSite, call_sites_of, write_call_sites

PLATFORM = str(Path(__file__).resolve().parents[2] / "samples" / "traces" / "cluster.xml")
TRACE = "0 compute 5\n0 send 1 0 1000000 6\n0 barrier\n1 recv 0 0 1000000 6\n1 barrier\n"
SITES = (CallSite("halo.c", 118, "exchange"), CallSite("libsolver.so", 0, "solve"))


def with_sites(folder: Path, numbers: list[int]) -> Path:
    """A trace and its call sites."""
    trace = folder / "t.txt"
    trace.write_text(TRACE)
    with gzip.open(folder / "t.txt.sites", "wb") as file:
        write_call_sites(file, len(TRACE), SITES, [numbers])
    return trace


def test_a_line_has_the_site_that_was_written(tmp_path: Path) -> None:
    sites = call_sites_of(with_sites(tmp_path, [0, 1, 2, 1, 2]))
    assert [sites.at(0, line) for line in range(7)] == [None, None, SITES[0], SITES[1], SITES[0], SITES[1], None]
    assert [site.text for site in SITES] == ["exchange() at halo.c:118", "solve() in libsolver.so"]


def test_sites_of_another_trace_count_for_nothing(tmp_path: Path) -> None:
    trace = with_sites(tmp_path, [0, 1, 2, 1, 2])
    trace.write_text(TRACE + "\n")
    assert call_sites_of(trace) == NOWHERE


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"# apet call sites 1 of a trace of 81 bytes\nsite 1 x\nlines\n0\n",
        f"# apet call sites 1 of a trace of {len(TRACE)} bytes\nsite 1 a.c:1 f\nlines\n70000\n".encode(),
        b"\x1f\x8b\0",
    ],
)
def test_damaged_files_count_for_nothing(tmp_path: Path, text: bytes) -> None:
    trace = with_sites(tmp_path, [0, 1, 2, 1, 2])
    (tmp_path / "t.txt.sites").write_bytes(text)
    assert call_sites_of(trace) == NOWHERE


def test_folding_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = with_sites(tmp_path, [0, 1, 2, 1, 2])
    assert main(["trace", "fold", str(trace)]) == 0
    assert "recv from 0, tag 0, 1 MB   exchange() at halo.c:118" in capsys.readouterr().out
    assert main(["trace", "fold", str(trace), "--json"]) == 0
    slots = json.loads(capsys.readouterr().out)["kinds"][0]["slots"]
    assert slots[0]["site"] == {"file": "halo.c", "line": 118, "function": "exchange"}


def test_the_critical_path_is_shown_by_call_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = with_sites(tmp_path, [0, 1, 2, 1, 2])
    assert main(["trace", "explain", str(trace), "--platform", PLATFORM]) == 0
    text = capsys.readouterr().out
    table = text[text.index("in the program") :].splitlines()
    assert table[1].split("  ")[1] == "exchange() at halo.c:118"
    assert " in exchange() at halo.c:118 " in text
    assert main(["trace", "explain", str(trace), "--platform", PLATFORM, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["sites"][0]["function"] == "exchange"
    total = sum(row["calls_s"] + row["before_s"] for row in answer["sites"])
    assert total == pytest.approx(answer["path"]["seconds"])


def test_a_trace_made_elsewhere_has_the_sites_of_its_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = list[str]()
    for n, ranks in [(n, ranks) for ranks in (2, 4, 8) for n in (64, 128)]:
        text = programs_by_size.text(programs_by_size.butterfly, n, ranks)
        file = tmp_path / f"{n}-{ranks}.txt"
        file.write_text(text)
        with gzip.open(f"{file}.sites", "wb") as sites:
            numbers = array("H", (0 if " compute " in line else 1 for line in text.splitlines()))
            write_call_sites(sites, len(text), SITES[:1], [numbers])
        files.append(str(file))

    target = tmp_path / "made.xz"
    sizes = "n=" + ",".join(Path(file).name.partition("-")[0] for file in files)
    assert main(["trace", "extrapolate", *files, "--size", sizes, "--to", "n=500,P=64", "-o", str(target)]) == 0
    assert api.trace_sites(target).at(0, api.fold_trace(target).kinds[0].slots[0].line) == SITES[0]
    capsys.readouterr()


@needs_mpi
@pytest.mark.skipif(shutil.which("addr2line") is None, reason="addr2line is not installed")
@pytest.mark.parametrize("separate", [False, True])
def test_a_recorded_program_names_its_lines(tmp_path: Path, separate: bool) -> None:
    source = SAMPLES / "ring.c"
    program = tmp_path / "ring"
    subprocess.run([MPICC, "-g", "-O2", str(source), "-o", str(program)], check=True)
    target = f"{tmp_path / 'parts'}/" if separate else str(tmp_path / "ring.txt")
    assert main(["trace", "acquire", "-n", "3", "--mode", "cpu", "-o", target, "--", str(program), "2"]) == 0
    trace = f"{target}trace.txt" if separate else target
    calls = {
        (kind.slots[k].action, site.line)
        for kind in api.fold_trace(trace).kinds
        for k in range(len(kind.slots))
        if (site := api.trace_sites(trace).at(kind.ranks[0], kind.slots[k].line))
    }
    lines = source.read_text().splitlines()
    assert calls
    for action, line in calls:
        assert f"MPI_{action.capitalize()}(" in lines[line - 1]


@needs_mpi
@pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not installed")
def test_calls_in_fortran_are_those_of_the_program_not_of_its_bindings(tmp_path: Path) -> None:
    program, target = str(tmp_path / "ring"), str(tmp_path / "ring.txt")
    subprocess.run(["mpif90.mpich", "-g", str(DATA / "mpi" / "ring.f90"), "-o", program], cwd=tmp_path, check=True)
    assert main(["trace", "acquire", "-n", "2", "--mode", "cpu", "-o", target, "--", program]) == 0
    sites = api.trace_sites(target)
    slots = api.fold_trace(target).kinds[0].slots
    calls = [site for slot in slots if (site := sites.at(0, slot.line))]
    assert {site.file for site in calls} == {"ring.f90"}
    assert {site.function for site in calls} == {"MAIN__", "sums::add"}
