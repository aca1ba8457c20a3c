"""Traces in folded form."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from apet.api.arguments import located
from apet.api.traces import read_trace

if TYPE_CHECKING:
    from apet.traces.fold.folded import Folded, Kind
    from apet.traces.report.folded import Files
    from apet.traces.trace import Trace

MOST_PACKED = 64 << 20
"""Bytes of a trace that are compressed only to see how small that makes it."""


def fold_trace(path: str | os.PathLike[str]) -> Folded:
    """A trace with its loops and equal ranks found, while it is read; a folded trace as it is. `ApetError`."""
    found = folded_file(path)
    return fold_actions(read_trace(path)) if found is None else found


def folded_file(path: str | os.PathLike[str]) -> Folded | None:
    """The same with the lines of the file; None where a trace has to be read as a whole for that."""
    from apet.traces.fold.folded_reader import read_folded
    from apet.traces.fold.folding import fold_trace as fold_file
    from apet.traces.lines.files import is_folded

    name = located(path)
    return read_folded(name) if is_folded(os.fspath(name)) else fold_file(name)


def fold_actions(trace: Trace) -> Folded:
    """A trace in memory with its loops and equal ranks found."""
    from apet.traces.fold.folded import NOTHING, Folded, Kind
    from apet.traces.fold.folding import fold_lines
    from apet.traces.lines.writer import trace_lines

    if not trace.events:
        ranks = tuple(range(len(trace.ranks)))
        return Folded(trace.name, len(ranks), 0, (Kind(ranks, (), (), (), (NOTHING,)),))
    found = fold_lines(trace.name, lambda: ("".join(trace_lines(trace, rank)) for rank in range(len(trace.ranks))))
    if found is None:
        raise ValueError(f"{trace.name} has numbers that cannot be written")
    return found


def slot_sizes(kind: Kind, ranks: int) -> list[tuple[int, int] | None]:
    """By slot of a kind the least and the greatest number of bytes of its messages, among so many ranks."""
    from apet.traces.fold.slot_sizes import slot_sizes as found

    return found(kind, ranks)


def file_sizes(path: str | os.PathLike[str], folded: Folded) -> Files:
    """How long a trace and its folded form are as files."""
    from apet.traces.fold.folded_text import folded_lines
    from apet.traces.lines.files import listed, packed
    from apet.traces.report.folded import Files

    name = os.fspath(located(path))
    files = listed(name) or [name]
    compressed = all(map(packed, files))
    plain: int | None = folded.text_bytes or (None if compressed else sum(map(os.path.getsize, files)))
    small: int | None = sum(map(os.path.getsize, files)) if compressed else None
    if small is None and plain is not None and plain <= MOST_PACKED:
        small = sum(_packed(_blocks(file))[1] for file in files)
    return Files(plain, small, *_packed(line.encode() for line in folded_lines(folded)))


def _blocks(name: str) -> Iterator[bytes]:
    from apet.traces.lines.files import opened

    with opened(name) as file:
        while block := file.read(1 << 20):
            yield block


def _packed(blocks: Iterable[bytes]) -> tuple[int, int]:
    """Bytes in all, and after compression."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    before = after = 0
    for block in blocks:
        before += len(block)
        after += len(packer.compress(block))
    return before, after + len(packer.flush())
