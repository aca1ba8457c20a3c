"""What traces lack, and where they go: one file, compressed by its name, or a directory of one file per rank."""

from __future__ import annotations

import gzip
import lzma
import os
from collections.abc import Callable, Iterable, Sequence

from apet import api
from apet.cli import output
from apet.ground.diagnostics import render
from apet.traces.lines.errors import LacksSomething, TakesForGranted
from apet.traces.lines.files import Output
from apet.traces.lines.sites import SUFFIX
from apet.traces.trace import Gap

LIST = "trace.txt"
Write = Callable[[Output, Sequence[int]], None]
"""Puts the lines of some ranks into a file."""
WriteSites = Callable[[Output, Sequence[int], int], None]
"""Puts their call sites into another, which names the bytes of the first."""


def warned(path: str) -> tuple[Gap, ...]:
    """What a trace lacks, after a warning of each."""
    gaps = api.trace_gaps(path)
    for gap in gaps:
        told = TakesForGranted if gap.kind == "assumed" else LacksSomething
        output.warn(render(told(None, None, path, gap.text)))
    return gaps


def separate(target: str) -> bool:
    """Whether a directory is meant; `ApetError` where nothing can be written there."""
    if os.path.isdir(target) or target.endswith(os.sep):
        output.check_writable(os.path.dirname(os.path.abspath(target)) + os.sep + LIST)
        return True
    output.check_writable(target)
    return False


def named(target: str, separated: bool) -> str:
    """The file that stands for the whole trace."""
    return os.path.join(target, LIST) if separated else target


def write_parts(target: str, separated: bool, ranks: int, write: Write, write_sites: WriteSites | None = None) -> None:
    """Let `write` put the lines of ranks into one file, or into one for each rank and a list of them; and another one
    their call sites into a file next to each. Without it, none stays there."""
    if not separated:
        _write_with_sites(target, range(ranks), write, write_sites)
        return
    os.makedirs(target, exist_ok=True)
    names = [f"rank-{rank}.txt" for rank in range(ranks)]
    for rank, name in enumerate(names):
        _write_with_sites(os.path.join(target, name), (rank,), write, write_sites)
    output.write_result("\n".join(names), os.path.join(target, LIST))


def _write_with_sites(path: str, ranks: Sequence[int], write: Write, write_sites: WriteSites | None) -> None:
    _write_group(path, ranks, write)
    if write_sites is None:
        if os.path.isfile(path + SUFFIX):
            os.unlink(path + SUFFIX)
        return
    size, sites = os.path.getsize(path), write_sites
    _write_group(path + SUFFIX, ranks, lambda file, ranks: sites(file, ranks, size))


def write_parts_lines(target: str, lines: Iterable[str]) -> None:
    """Write lines to a file, compressed by its name; `-` prints them."""
    if target == "-":
        for line in lines:
            output.show(line)
        return

    def write(file: Output, ranks: Sequence[int]) -> None:
        for line in lines:
            file.write(line.encode("utf-8", output.FOREIGN))

    _write_group(target, (), write)


def _write_group(path: str, ranks: Sequence[int], write: Write) -> None:
    def fill(temporary: str) -> None:
        with open(temporary, "wb") as below:
            if path.endswith(".xz"):
                with lzma.open(below, "wb") as packed:
                    write(packed, ranks)
            elif path.endswith((".gz", SUFFIX)):
                # neither a name nor a date inside: equal traces are equal files
                with gzip.GzipFile("", "wb", 6, below, 0) as file:
                    write(file, ranks)
            else:
                write(below, ranks)

    output.write_file(path, fill)
