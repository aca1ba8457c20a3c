"""Traces of liballprof: calls with all their arguments, requests by their addresses."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet import api
from apet.ground.diagnostics import ApetError

WORLD = "91,{},2"
HEAD = "# collprof 0.9 output file\n\nMPI_Init:-:140737488343500:140737488344604:1000.0\n"
FIRST = [
    "MPI_Irecv:1010.0:5000:10:11,8,8:1:7:COMM:8000:1011.0",
    "MPI_Irecv:1011.0:5000:1:11,8,8:1:8:COMM:8008:1012.0",
    "MPI_Send:1020.0:5000:3:2,4,4:1:9:COMM:1030.0",
    "MPI_Waitall:1030.0:2:8000:9000:1040.0",
    "MPI_Allreduce:1050.0:1:2:4:11,8,8:3:COMM:1060.0",
]
SECOND = [
    "MPI_Isend:1004.0:5000:10:11,8,8:0:7:COMM:8000:1005.0",
    "MPI_Wait:1005.0:8000:9000:1006.0",
    "MPI_Send:1006.0:5000:1:11,8,8:0:8:COMM:1007.0",
    "MPI_Recv:1007.0:5000:3:2,4,4:0:9:COMM:9000:1030.0",
    "MPI_Allreduce:1050.0:1:2:4:11,8,8:3:COMM:1060.0",
]


def written(folder: Path, *ranks: list[str]) -> Path:
    """A folder with the files of two ranks."""
    for rank, calls in enumerate(ranks):
        text = HEAD + "\n".join(calls).replace("COMM", WORLD.format(rank)) + "\nMPI_Finalize:1100.0:-\n"
        (folder / f"pmpi-trace-rank-{rank}.txt").write_text(text)
    return folder


@pytest.mark.parametrize("of_folder", [True, False])
def test_calls_become_actions_and_what_lies_between_is_computing(of_folder: bool, tmp_path: Path) -> None:
    folder = written(tmp_path, FIRST, SECOND)
    trace = api.convert_trace(folder if of_folder else folder / "pmpi-trace-rank-1.txt")

    assert [a for a in trace.ranks[0] if a[0] != "compute"] == [
        ("irecv", 1, 7, 80),
        ("irecv", 1, 8, 8),
        ("send", 1, 9, 12),
        ("wait", 1, 0, 7),
        ("wait", 1, 0, 8),
        ("allreduce", 32, 0.0),
    ]
    assert [a[1] for a in trace.ranks[0] if a[0] == "compute"] == [10_000, 8_000, 10_000, 40_000]
    assert [a[0] for a in trace.ranks[1] if a[0] != "compute"] == ["isend", "wait", "send", "recv", "allreduce"]


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("MPI_Send:1.0:5000:3:2,4,4:1:9:COMM", "MPI_Send has 6 arguments, this line 5"),
        ("MPI_Send:1.0:5000:3:2:1:9:COMM:2.0", "txt:4:1"),
        ("MPI_Send:1.0:5000:3:2,four,4:1:9:COMM:2.0", "txt:4:1"),
        ("MPI_Send:1.0:5000:3:2,-4,4:1:9:COMM:2.0", "there is no size -4"),
        ("MPI_Send:1.0:5000:3:2,4,4:1:9:z,0,2:2.0", "txt:4:1"),
        ("MPI_Waitany:1.0:2:9000:0:9000:2.0", "MPI_Waitany is not read"),
        ("MPI_Ibarrier:1.0:COMM:9000:2.0", "MPI_Ibarrier is not read"),
        ("MPI_Send:1.0:5000:3:2,4,4:1:9:92,0,1:2.0", "communicator 92 are not known"),
        ("MPI_Recv:1.0:5000:3:2,4,4:-2:9:COMM:9000:2.0", "from any rank"),
    ],
)
def test_a_call_that_says_too_little_is_refused_where_it_stands(call: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ApetError, match=problem):
        api.convert_trace(written(tmp_path, [call], []))
