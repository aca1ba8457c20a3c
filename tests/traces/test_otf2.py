"""Laws of event traces made time-independent."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.traces.otf2_archives import write_archive

from apet import api
from apet.cli.main import main
from apet.traces.event_traces.sizes import collective_actions

PRINTED = Path(__file__).resolve().parents[1] / "data" / "otf2" / "ring.print.txt"
EXPECTED = [
    ("compute", 3000),
    ("irecv", 3, 7, 4096),
    ("compute", 300),
    ("isend", 1, 7, 4096),
    ("wait", 3, 0, 7),
    ("wait", 0, 1, 7),
    ("compute", 150),
    ("irecv", 3, 3, 80),
    ("isend", 1, 3, 80),
    ("wait", 0, 1, 3),
    ("wait", 3, 0, 3),
    ("compute", 6000),
    ("allreduce", 8, 0.0),
    ("compute", 90),
    ("bcast", 64, 1),
    ("compute", 90),
    ("alltoallv", [100, 100, 100, 100], [100, 200, 300, 400]),
    ("compute", 30),
    ("send", 1, 1, 100000),
    ("compute", 15),
]


def test_a_printed_archive_gives_its_actions() -> None:
    trace = api.convert_trace(PRINTED)
    assert list(trace.ranks[0]) == EXPECTED
    assert trace.communicators[0] == {14: (0, 2)}
    assert not api.check_trace(trace).findings


@pytest.mark.parametrize("counted", [False, True])
def test_an_archive_gives_instructions_or_time(counted: bool, tmp_path: Path) -> None:
    pytest.importorskip("otf2")
    archive = write_archive(tmp_path / "archive", counted)
    trace = api.convert_trace(archive, 3e9)
    before = [] if counted else [("compute", 15)]  # instructions are counted from the first MPI call on
    assert list(trace.ranks[0]) == before + EXPECTED
    assert [a[len(before) :] for a in trace.ranks] == list(api.convert_trace(PRINTED).ranks)


def test_a_converted_archive_is_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "t.gz"
    assert main(["trace", "convert", str(PRINTED), "-o", str(path)]) == 0
    assert api.read_trace(path).ranks == api.convert_trace(PRINTED).ranks


@pytest.mark.parametrize(
    ("operation", "root", "sent", "received", "action"),
    [
        ("BARRIER", -1, [0, 0], [0, 0], ("barrier",)),
        ("BCAST", 0, [30, 0, 0], [10, 10, 10], ("bcast", 10, 0)),
        ("REDUCE", 1, [8, 8, 8], [0, 24, 0], ("reduce", 8, 0.0, 1)),
        ("ALLREDUCE", -1, [24] * 3, [24] * 3, ("allreduce", 8, 0.0)),
        ("ALLGATHER", -1, [20] * 3, [20] * 3, ("allgather", 10)),
        ("GATHERV", 0, [1, 2, 3], [6, 0, 0], ("gatherv", 1, [1, 2, 3], 0)),
        ("SCATTERV", 0, [6, 0, 0], [1, 2, 3], ("scatterv", [1, 2, 3], 0)),
        ("ALLGATHERV", -1, [3, 6, 9], [6, 6, 6], ("allgatherv", 1, [1, 2, 3])),
        ("REDUCE_SCATTER", -1, [6, 6, 6], [3, 6, 9], ("reducescatter", [1, 2, 3], 0.0)),
        ("SCAN", -1, [24, 16, 8], [8, 16, 24], ("scan", 8, 0.0)),
        ("EXSCAN", -1, [16, 8, 0], [0, 8, 16], ("exscan", 8, 0.0)),
    ],
)
def test_arguments_follow_from_totals(
    operation: str, root: int, sent: list[int], received: list[int], action: tuple[object, ...]
) -> None:
    found = collective_actions(operation, root, sent, received)
    assert found is not None
    assert found[0] == action


def test_making_a_communicator_moves_nothing() -> None:
    assert collective_actions("CREATE_HANDLE", -1, [0, 0], [0, 0]) is None


BAD = {
    "nothing.otf2": (None, "cannot read"),
    "no-mpi.txt": ('=== OTF2-PRINT ===\nENTER 0 1 Region: "main" <0>\n', "names no MPI processes"),
    "no-size.txt": (None, "MPI_SEND lacks what it needs"),
    "cut.txt": (None, "collectives of one communicator by rank"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_archive_is_told(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, said = BAD[name]
    path = tmp_path / name
    if name == "nothing.otf2":
        pytest.importorskip("otf2")
        text = "x"
    elif name == "no-size.txt":
        text = PRINTED.read_text().replace(", Length: 80", "")
    elif name == "cut.txt":
        text = PRINTED.read_text().rpartition("MPI_COLLECTIVE_END")[0]
    path.write_text(str(text))
    assert main(["trace", "convert", str(path), "-o", str(tmp_path / "o.txt")]) == 2
    wrong = capsys.readouterr().err
    assert said in wrong
    assert not (tmp_path / "o.txt").exists()


def test_without_the_library_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "otf2", None)
    assert main(["trace", "convert", "x.otf2", "-o", str(tmp_path / "o.txt")]) == 2
    assert "needs the Python package otf2" in capsys.readouterr().err
