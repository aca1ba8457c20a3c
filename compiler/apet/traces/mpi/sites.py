"""The call sites of a recorded run: addresses that the recorder wrote, as lines of source."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.ground.tools import run_tool
from apet.traces.lines.sites import CallSite
from apet.traces.mpi.merging import RankFile, chunks

LONGEST = 120
"""Seconds that looking up the lines of a file may take."""
AT_ONCE = 500
"""Addresses that are looked up by one call."""


_FORTRAN = re.compile(r"__(\w+?)_MOD_(\w+)")
"""How gfortran names the procedures of modules."""


class Address(NamedTuple):
    """A place in a file of machine code, and the nearest symbol that it exports."""

    module: str
    offset: int
    symbol: str


def call_sites(parts: Sequence[RankFile]) -> tuple[list[CallSite], list[array[int]]]:
    """The sites, and by rank for each of its lines the number of one, from 1 on (0: not known)."""
    numbers: dict[Address, int] = {}
    by_rank: list[array[int]] = []
    for part in parts:
        addresses = _addresses(part.file.with_name(f"places{part.file.suffix}"))
        translated = [0, *(numbers.setdefault(address, len(numbers) + 1) for address in addresses)]
        lines = array("H")
        file = part.file.with_name(f"sites{part.file.suffix}")
        lines.frombytes(file.read_bytes() if file.exists() else b"")
        by_rank.append(array("H", (translated[k] if k < len(translated) else 0 for k in lines)))
    return _resolved(list(numbers)), by_rank


def numbers_of_lines(
    parts: Sequence[RankFile], by_rank: Sequence[array[int]], ranks: Sequence[int], head: str
) -> Iterator[Sequence[int]]:
    """The numbers of the sites of all lines that `write_merged` writes."""
    yield [0] * head.count("\n")
    for rank in ranks:
        lines = by_rank[rank]
        if not parts[rank].complete:  # it wrote none, and ended in the middle of a line
            lines = array("H", [0]) * sum(piece.count(b"\n") for piece in chunks(parts[rank]))
        yield lines


def _addresses(file: Path) -> list[Address]:
    lines = file.read_text("utf-8", "surrogateescape").splitlines() if file.exists() else []
    words = [line.split(" ", 2) for line in lines]
    return [Address(module, int(offset, 16), symbol) for offset, symbol, module in words]


def _resolved(addresses: Sequence[Address]) -> list[CallSite]:
    """The lines of source, where programs were built with them; otherwise names, or offsets."""
    sites: dict[Address, CallSite] = {}
    for module in {address.module for address in addresses}:
        inside = [address for address in addresses if address.module == module]
        for k in range(0, len(inside), AT_ONCE):
            sites |= _looked_up(module, inside[k : k + AT_ONCE])
    return [sites[address] for address in addresses]


def _looked_up(module: str, addresses: Sequence[Address]) -> dict[Address, CallSite]:
    command = shutil.which("addr2line")
    lines = list[str]()
    if command is not None:
        # a call returns behind itself: what is one byte before belongs to its line
        offsets = [hex(address.offset - 1) for address in addresses]
        try:
            lines = run_tool([command, "-f", "-C", "-e", module, *offsets], LONGEST).stdout.splitlines()
        except (OSError, subprocess.TimeoutExpired):
            lines = []

    if len(lines) != 2 * len(addresses):
        lines = ["??", "??:0"] * len(addresses)
    return {a: _site(a, *pair) for a, *pair in zip(addresses, lines[::2], lines[1::2], strict=True)}


def _site(address: Address, function: str, place: str) -> CallSite:
    file, _, line = place.partition(" (discriminator")[0].rpartition(":")
    name = function if function != "??" else address.symbol if address.symbol != "?" else ""
    if procedure := _FORTRAN.fullmatch(name):
        name = f"{procedure[1]}::{procedure[2]}"
    if line.isdecimal() and int(line) and not file.startswith("??"):
        return CallSite(os.path.basename(file), int(line), name)
    return CallSite(os.path.basename(address.module), 0, name or f"+0x{address.offset:x}")
