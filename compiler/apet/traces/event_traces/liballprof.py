"""Events of traces of liballprof, the recorder of LogGOPSim's tools: a file for each rank, with a line for each call.

A line has the call, when it began, its arguments in MPI's order, and when it ended (microseconds, joined by `:`). A
datatype is `number,bytes,extent`, a communicator `number,rank,ranks`, a request its address in memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from apet.ground.source_files import read_source
from apet.traces.event_traces.dumpi import DumpiCall, recorded_of
from apet.traces.event_traces.dumpi_calls import Arguments
from apet.traces.event_traces.dumpi_communicators import WORLD
from apet.traces.event_traces.events import Recorded
from apet.traces.event_traces.source_lines import SourceLines, date, size

WRITER = "liballprof"
_MESSAGE, _SENT = "buf count datatype {} tag comm", "sendbuf sendcount sendtype"
_BOTH = f"{_SENT} recvbuf recvcount recvtype"
PARAMETERS = {
    **{f"MPI_{kind}end": _MESSAGE.format("dest") for kind in ("S", "Bs", "Ss", "Rs")},
    **{f"MPI_I{kind}end": f"{_MESSAGE.format('dest')} request" for kind in ("s", "bs", "ss", "rs")},
    "MPI_Recv": f"{_MESSAGE.format('source')} status",
    "MPI_Irecv": f"{_MESSAGE.format('source')} request",
    "MPI_Sendrecv": f"{_SENT} dest sendtag recvbuf recvcount recvtype source recvtag comm status",
    "MPI_Sendrecv_replace": "buf count datatype dest sendtag source recvtag comm status",
    "MPI_Wait": "request status",
    "MPI_Waitall": "count requests statuses",
    "MPI_Barrier": "comm",
    "MPI_Bcast": "buf count datatype root comm",
    "MPI_Reduce": "sendbuf recvbuf count datatype op root comm",
    **{f"MPI_{name}": "sendbuf recvbuf count datatype op comm" for name in ("Allreduce", "Scan", "Exscan")},
    "MPI_Reduce_scatter": "sendbuf recvbuf place recvcounts datatype op comm",
    **{f"MPI_{name}": f"{_BOTH} root comm" for name in ("Gather", "Scatter")},
    **{f"MPI_{name}": f"{_BOTH} comm" for name in ("Allgather", "Alltoall")},
    "MPI_Gatherv": f"{_SENT} recvbuf place recvcounts other displs recvtype root comm",
    "MPI_Scatterv": "sendbuf place sendcounts other displs sendtype recvbuf recvcount recvtype root comm",
    "MPI_Allgatherv": f"{_SENT} recvbuf place recvcounts other displs recvtype comm",
    "MPI_Alltoallv": "sendbuf a sendcounts b sdispls sendtype recvbuf c recvcounts d rdispls recvtype comm",
}
"""By call the names of its arguments; of an array, first its address."""
UNREAD = re.compile(r"MPI_(?:Wait|Test(?!_cancelled)|I(?!nit|nfo|nter|m?probe|s_))")
"""Calls that end requests, or begin what others end; without their arguments messages would be lost."""
TYPES = ("datatype", "sendtype", "recvtype")
REQUEST_BYTES = 8


def read_liballprof(names: Sequence[str]) -> Recorded:
    """The events of all ranks, in the order of their files. `ApetError` at the first line that cannot be understood."""
    files = [SourceLines(read_source(name), WRITER) for name in names]
    sizes, worlds = dict[int, int](), list[dict[int, int]]()
    calls = list[list[DumpiCall]]()
    for rank, lines in enumerate(files):
        calls.append(list(_calls(lines)))
        worlds.append({})
        for call in calls[-1]:
            texts = call.arguments.texts
            sizes |= {int(texts[name]): int(texts[name]) for name in TYPES if name in texts}
            number, _, place = texts.get("comm", "").partition(",")
            if place == f"{rank},{len(files)}":
                worlds[-1][int(number)] = WORLD  # a number, as everything here: `_texts` has looked
    return recorded_of(names, files, calls, ({WORLD: tuple(range(len(files)))}, worlds), sizes)


def _calls(lines: SourceLines) -> Iterator[DumpiCall]:
    """The calls in a file."""
    open_, begin = set[int](), 0.0
    for number, line in enumerate(lines, start=1):
        words = line.strip().split(":")
        if line.startswith("#") or not line.strip():
            continue
        try:
            parameters = PARAMETERS.get(words[0], "").split()
            if parameters and len(words) != len(parameters) + 3:
                raise ValueError(f"{words[0]} has {len(parameters)} arguments, this line {len(words) - 3}")
            if not parameters and UNREAD.match(words[0]):
                raise ValueError(f"{words[0]} is not read")
            # MPI_Init has no begin, and MPI_Finalize no end
            begin, end = (date(a if a != "-" else b) / 1e6 for a, b in ((words[1], words[-1]), (words[-1], words[1])))
            texts = _texts(parameters, words[2:-1])
            _requests(words[0], texts, open_)
        except (ValueError, IndexError) as error:
            raise lines.wrong(str(error)) from None
        yield DumpiCall(words[0], (begin, end), (None, None), Arguments(texts), number)


def _texts(parameters: Sequence[str], words: Sequence[str]) -> dict[str, str]:
    """The arguments by name, of types their bytes; `ValueError`, `IndexError`."""
    texts = dict(zip(parameters, words, strict=False))
    int(texts.get("comm", "0").partition(",")[0])
    return texts | {name: str(size(texts[name].split(",")[1])) for name in TYPES if name in texts}


def _requests(name: str, texts: dict[str, str], open_: set[int]) -> None:
    """Keep what requests are open; those that are waited for together lie behind each other."""
    if name == "MPI_Waitall":
        first, count = int(texts["requests"]), int(texts["count"])
        those = sorted(each for each in open_ if first <= each < first + REQUEST_BYTES * count)[:count]
        texts["requests"] = ", ".join(map(str, those))
        open_.difference_update(those)
    elif "request" in texts:
        (open_.discard if name == "MPI_Wait" else open_.add)(int(texts["request"]))
