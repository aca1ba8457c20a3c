"""Laws of Paraver's and DUMPI's traces: of one program they give one time-independent trace."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from apet import api
from apet.cli.main import main
from apet.traces.event_traces.sizes import collective_actions, totals

DATA = Path(__file__).resolve().parents[1] / "data" / "event_traces"
PARAVER, DUMPI = DATA / "ring.prv", DATA / "dumpi"
EXPECTED = [
    ("compute", 3000),
    ("irecv", 2, 7, 4096),
    ("compute", 900),
    ("isend", 1, 7, 4096),
    ("compute", 100),
    ("wait", 2, 0, 7),
    ("wait", 0, 1, 7),
    ("compute", 13000),
    ("allreduce", 8, 0.0),
    ("compute", 500),
    ("bcast", 64, 1),
    ("compute", 1000),
    ("irecv", 1, 3, 80),
    ("isend", 2, 3, 80),
    ("wait", 0, 2, 3),
    ("wait", 1, 0, 3),
    ("compute", 6000),
    ("alltoallv", [50, 100, 150], [50, 50, 50]),
    ("compute", 9000),
    ("send", 1, 1, 100000),
    ("compute", 39500),
]


def test_a_paraver_trace_gives_its_actions() -> None:
    trace = api.convert_trace(PARAVER)
    assert list(trace.ranks[0]) == EXPECTED
    assert not api.check_trace(trace).findings


def test_a_run_that_extrae_recorded_has_the_messages_that_apet_records(tmp_path: Path) -> None:
    """`stencil 64 4` on 4 ranks of MPICH 4.0.2 under Extrae 5.1.2, merged by its mpi2prv; and its own trace."""
    folder, target = DATA / "extrae", tmp_path / "t.txt"
    assert main(["trace", "convert", str(folder / "stencil.prv"), "-o", str(target)]) == 0
    assert not api.check_trace(target).findings

    lines = [line for line in target.read_text().splitlines() if line.split()[1] not in ("compute", "wait")]
    assert sorted(lines) == sorted((folder / "stencil.txt").read_text().splitlines())


def test_a_dumpi_trace_gives_the_same_and_its_split_communicator() -> None:
    trace, other = api.convert_trace(DUMPI), api.convert_trace(PARAVER)
    assert not api.check_trace(trace).findings
    assert trace.ranks[1] == other.ranks[1]
    barrier = trace.ranks[0].index(("barrier",))
    assert trace.communicators[0] == {barrier: (0, 2)}
    before, after = trace.ranks[0][barrier - 1], trace.ranks[0][barrier + 1]
    assert [
        *trace.ranks[0][: barrier - 1],
        ("compute", before[1] + after[1]),
        *trace.ranks[0][barrier + 2 :],
    ] == EXPECTED


def test_one_file_of_dumpi_stands_for_all() -> None:
    assert api.convert_trace(DUMPI / "ring-0001.txt").ranks == api.convert_trace(DUMPI).ranks


def test_names_of_calls_come_from_the_file_next_to_it(tmp_path: Path) -> None:
    path = tmp_path / "ring.prv"
    path.write_text(PARAVER.read_text().replace(":50000002:10:", ":50000002:910:"))
    types = "EVENT_TYPE\n9   50000002    MPI Collective Comm\nVALUES\n"
    path.with_suffix(".pcf").write_text(
        types + "910   MPI_Allreduce\n7   MPI_Bcast\n12   MPI_Alltoallv\n0   Outside MPI\n"
    )
    assert api.convert_trace(path).ranks == api.convert_trace(PARAVER).ranks


def test_messages_without_a_record_are_counted_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "ring.prv", tmp_path / "ring.txt"
    path.write_text("".join(x for x in PARAVER.read_text().splitlines(True) if not x.startswith("3:2:")))
    assert main(["trace", "convert", str(path), "-o", str(target)]) == 0
    left_out = ["left out: sends without a record, 2 times", "left out: receives without a record, 2 times"]
    assert [line.removeprefix("# ") for line in target.read_text().splitlines()[:2]] == left_out
    assert [gap.text for gap in api.check_trace(api.convert_trace(path)).gaps] == left_out

    capsys.readouterr()
    assert main(["trace", "check", str(target)]) == 0
    assert "sends without a record" in capsys.readouterr().out
    assert not api.convert_trace(PARAVER).gaps


def test_counted_instructions_are_what_is_computed(tmp_path: Path) -> None:
    head, *lines = PARAVER.read_text().splitlines()
    own = [f"{line}:42000050:250" if line.startswith("2:") else line for line in lines]
    path = tmp_path / "counted.prv"
    path.write_text("\n".join([head, *own]))
    trace = api.convert_trace(path)
    assert {a[1] for a in trace.ranks[0] if a[0] == "compute"} == {250}


@pytest.mark.parametrize("operation", ["BCAST", "ALLREDUCE", "ALLGATHER", "ALLTOALL", "GATHER", "SCATTER", "SCAN"])
def test_totals_are_the_inverse_of_actions(operation: str) -> None:
    sent, received = totals(operation, 24, 24, 4)
    actions = collective_actions(operation, 0, [sent] * 4, [received] * 4)
    assert actions is not None
    assert all(24 in action for action in actions)


BAD = {
    "a.prv": ("#Paraver (1/1/26 at 1:00):5_ns:1(1):2:1(1:1)\n", "no header of a Paraver trace of one application"),
    "b.prv": (
        "#Paraver (1/1/26 at 1:00):5_ns:1(1):1:1(1:1)\n2:1:1:4:1:0:50000001:1\n",
        "b.prv:2:1: error: no such record",
    ),
    "c.prv": ("#Paraver (1/1/26 at 1:00):5_ns:1(1):1:1(1:1)\n2:x\n", "c.prv:2:1: error: no such record"),
    "d.prv": ("#Paraver (1/1/26 at 1:00):5_ns:1(1):1:1(1:1)\n", "names no MPI processes"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_paraver_trace_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, message = BAD[name]
    (tmp_path / name).write_text(content)
    assert main(["trace", "convert", str(tmp_path / name), "-o", str(tmp_path / "o.txt")]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("datatype=28 (user", "datatype=29 (user", "MPI_Send: the size of datatype 29"),
        ("dest=1\nint tag=1\nMPI_Comm comm=2", "dest=1\nint tag=1\nMPI_Comm comm=9", "communicator 9 are not known"),
        ("MPI_Bcast returning", "MPI_Barrier returning", "MPI_Barrier returns, but it is not under way"),
        ("MPI_Finalize returning", "MPI_Finalize", "the file ends before MPI_Finalize returns: is it cut off?"),
        ("MPI_Bcast returning", "MPI_Bcast", "begins before MPI_Bcast returns"),
        ("source=2, tag=7", "source=-1, tag=7", "no status that says which"),
    ],
)
def test_a_dumpi_trace_that_lacks_something_is_refused_by_line(
    old: str, new: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(DUMPI, tmp_path / "d"))
    path = folder / "ring-0000.txt"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert main(["trace", "convert", str(folder), "-o", str(tmp_path / "o.txt")]) == 2
    assert message in capsys.readouterr().err
