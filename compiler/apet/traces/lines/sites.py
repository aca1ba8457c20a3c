"""Where in a program the actions of a trace were called, read from a file next to the trace.

`T.sites`, compressed, belongs to the trace T of so many bytes: lines `site NUMBER FILE:LINE FUNCTION`, then `lines`,
then for each line of T the number of its site (0: not known).
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.lines.files import DAMAGED, Output, listed, opened

HEAD = "# apet call sites 1 of a trace of {} bytes"
SUFFIX = ".sites"
MOST_LINES = 200_000_000
_SITE = re.compile(r"(\S.{0,4000}):(\d{1,9}) (.{1,4000})")


class CallSite(NamedTuple):
    """A place in a program: a file of source and a line, or a file of machine code and 0; and the function."""

    file: str
    line: int
    function: str

    @property
    def text(self) -> str:
        """`exchange() at halo.c:118`"""
        function = self.function if self.function.startswith("+") or "(" in self.function else f"{self.function}()"
        return f"{function} at {self.file}:{self.line}" if self.line else f"{function} in {self.file}"

    @property
    def written(self) -> str:
        """As files have it."""
        return f"{self.file}:{self.line} {self.function}"


@dataclass(frozen=True, slots=True)
class CallSites:
    """Sites by file and line: by rank its file, where there are several; in each the site of a line, from 1 on."""

    files: Sequence[tuple[Sequence[CallSite], array[int]]]

    def at(self, rank: int, line: int) -> CallSite | None:
        """The site of a line of a rank, if it is known."""
        sites, numbers = self.files[rank if len(self.files) > 1 else 0]
        number = numbers[line - 1] if 0 < line <= len(numbers) else 0
        return sites[number - 1] if 0 < number <= len(sites) else None


NOWHERE = CallSites((((), array("H")),))


def call_sites_of(path: str | os.PathLike[str]) -> CallSites:
    """The call sites of a trace; nowhere, if it has none or they cannot be read."""
    name = os.fspath(path)
    try:
        files = listed(name) or [name]
        if not all(os.path.exists(file + SUFFIX) for file in files):
            return NOWHERE
        return CallSites([_beside(file) for file in files])
    except (*DAMAGED, ApetError, ValueError, OverflowError):
        return NOWHERE


def parse_site(text: str) -> CallSite | None:
    """A site as files have it; None where it is not one."""
    match = _SITE.fullmatch(text)
    return CallSite(match[1], int(match[2]), match[3]) if match else None


def _beside(trace: str) -> tuple[Sequence[CallSite], array[int]]:
    sites, numbers = list[CallSite](), array("H")
    with opened(trace + SUFFIX) as file:
        if file.readline(200).decode("utf-8", "replace").rstrip() != HEAD.format(os.path.getsize(trace)):
            raise ValueError("of another trace")

        for line in iter(lambda: file.readline(1 << 14), b"lines\n"):
            site = parse_site(line.decode("utf-8", "replace").rstrip("\n").partition(" ")[2].partition(" ")[2])
            if site is None:
                raise ValueError("no site")
            sites.append(site)

        rest = b""
        while block := file.read(1 << 20):
            words = (rest + block).split(b"\n")
            rest = words.pop()
            numbers.extend(map(int, words))
            if len(numbers) > MOST_LINES or not words:
                raise ValueError("no call sites")
    return sites, numbers


def write_call_sites(file: Output, size: int, sites: Sequence[CallSite], lines: Iterable[Sequence[int]]) -> None:
    """Write the sites of a trace whose file has so many bytes; `lines` are the numbers of its lines, some at a time."""
    texts = [f"site {k} {site.written}\n" for k, site in enumerate(sites, start=1)]
    file.write(f"{HEAD.format(size)}\n{''.join(texts)}lines\n".encode("utf-8", "backslashreplace"))
    words = [f"{k}\n".encode() for k in range(len(sites) + 1)]
    for numbers in lines:
        file.write(b"".join(map(words.__getitem__, numbers)))
