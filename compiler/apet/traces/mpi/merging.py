"""The files of all ranks as one trace, with a header that says how it was taken."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.traces.lines.files import Output

VOLUMES = {
    "counters": "instructions, by a hardware counter",
    "instructions": "instructions, by counted basic blocks and the machine code",
    "blocks": "basic blocks, counted",
    "cpu": "nanoseconds of CPU time",
}
"""What a trace's `compute` counts, by the mode in which it was taken."""
OF_ALL_THREADS = ", of all threads"
"""What follows where they are added up."""
SLEEPING_LIBRARIES = "; libraries sleep for their CPU time"
"""What follows where they do."""
CHUNK = 1 << 20
_UNKNOWN_SOURCE = re.compile(rb"^(\d+ irecv) +\?", re.MULTILINE)
_UNKNOWN_TAG = re.compile(rb"^(\d+ irecv \S+) +\?", re.MULTILINE)
_NONE_SKIPPED = re.compile(rb" # request +0$", re.MULTILINE)
_BLANKS = re.compile(rb" {2,}")


class RankFile(NamedTuple):
    """What one rank left behind: its file, the mode of its volumes, whether numbers in it are padded, seconds of CPU
    time from init to finalize, what it could not say, and whether it came to its end."""

    file: Path
    ranks: int
    volumes: str
    padded: bool
    seconds: float
    notes: dict[str, int]
    complete: bool


def parts_of(folder: Path) -> list[RankFile]:
    """What all ranks left in a folder, in their order."""
    files = sorted(folder.glob("rank.*"), key=lambda p: int(p.suffix[1:]))
    return [_part(file, folder / f"about{file.suffix}") for file in files]


def _part(file: Path, about: Path) -> RankFile:
    if not about.exists():
        return RankFile(file, 0, "unknown", True, 0.0, {}, False)

    header = dict[str, str]()
    notes = dict[str, int]()
    for line in about.read_text().splitlines():
        name, _, rest = line.partition(" ")
        if name == "note":
            count, _, what = rest.partition(" ")
            notes[what] = int(count)
        else:
            header[name] = rest
    complete = header["complete"] == "1"
    return RankFile(
        file,
        int(header["ranks"]),
        header["volumes"],
        header["padded"] != "0",
        float(header["seconds"]),
        notes,
        complete,
    )


def chunks(part: RankFile) -> Iterator[bytes]:
    """A rank's lines, in pieces that end with a line; of a rank that died, those that are complete."""
    rest = b""
    with part.file.open("rb") as file:
        while piece := file.read(CHUNK):
            piece = rest + piece.rstrip(b"\0")
            at = piece.rfind(b"\n") + 1
            rest = piece[at:]
            yield _tidy(piece[:at]) if part.padded else piece[:at]


def _tidy(text: bytes) -> bytes:
    """Numbers that were filled in stand without padding; what never became known is any source or tag."""
    text = _NONE_SKIPPED.sub(b"", text)
    text = _UNKNOWN_SOURCE.sub(rb"\1 -333", text)
    return _BLANKS.sub(b" ", _UNKNOWN_TAG.sub(rb"\1 -444", text))


def header(parts: Sequence[RankFile], program: str, mpi: str, volumes: str, incomplete: str) -> str:
    """The comments at the beginning: the same for every repetition of the same run."""
    lines = [
        f"apet trace of {program}",
        f"ranks: {len(parts)}",
        f"volumes: {volumes}",
        f"MPI: {mpi}",
    ]
    lines += [f"left out: {what}, {count} times" for what, count in sorted(left_out(parts).items())]
    lines += [f"incomplete: {incomplete}"] if incomplete else []
    return "".join(f"# {line}\n" for line in lines)


def left_out(parts: Sequence[RankFile]) -> dict[str, int]:
    """What the ranks did that a trace cannot say, and how often."""
    counts: dict[str, int] = {}
    for part in parts:
        for what, count in part.notes.items():
            counts[what] = counts.get(what, 0) + count
    return counts


def write_merged(file: Output, parts: Sequence[RankFile], head: str) -> None:
    """All ranks in one file, one after the other."""
    file.write(head.encode())
    for part in parts:
        for piece in chunks(part):
            file.write(piece)
