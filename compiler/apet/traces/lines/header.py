"""What a trace says of itself in the comments at its beginning: what it lacks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from itertools import islice, takewhile

from apet.ground.diagnostics import ApetError
from apet.traces.lines.files import DAMAGED, listed, opened
from apet.traces.trace import Gap

MOST_LINES = 1000
LONGEST = 4096
_COUNTED = re.compile(r"# (left out|assumed): (.*?)(?:, (\d{1,18}) times)?$")
_HOSTS = "# hosts in turn: "
_INCOMPLETE = re.compile(r"# incomplete: (.*)$")


def comments_of(path: str | os.PathLike[str]) -> list[str]:
    """The comments at the beginning of a trace, or of the first file that it lists; none where it cannot be read,
    which is for others to say."""
    name = os.fspath(path)
    try:
        with opened((listed(name) or [name])[0]) as file:
            head = [file.readline(LONGEST).decode("utf-8", "replace").rstrip() for _ in range(MOST_LINES)]
    except (*DAMAGED, ApetError, ValueError):
        return []
    return list(takewhile(lambda line: line.startswith("#"), head))


def command_of(path: str) -> list[str]:
    """The words of the command that a trace was taken of, where its header says so."""
    return _after("# apet trace of ", path).split()


def volumes_unit(path: str) -> str:
    """What the volumes of a trace count, where its header says so."""
    return _after("# volumes: ", path)


def hosts_in_turn(path: str) -> int:
    """How many hosts ranks are on in turn, where the header of a trace says so."""
    number = _after(_HOSTS, path)
    return int(number) if number.isdecimal() and len(number) < 10 else 0


def _after(beginning: str, path: str) -> str:
    return next((line.removeprefix(beginning) for line in comments_of(path) if line.startswith(beginning)), "")


def gaps_of(path: str | os.PathLike[str]) -> tuple[Gap, ...]:
    """What the header of a trace, or of the first file that it lists, names as missing."""
    return gaps_in(comments_of(path))


def gaps_in(lines: Iterable[str]) -> tuple[Gap, ...]:
    """What comments name as missing, up to the first line that is none."""
    gaps = list[Gap]()
    for line in islice(lines, MOST_LINES):
        text = line.rstrip()
        if not text.startswith("#"):
            break
        if match := _COUNTED.match(text):
            gaps.append(Gap(match[1], match[2], int(match[3] or 1)))
        elif match := _INCOMPLETE.match(text):
            gaps.append(Gap("incomplete", match[1], 1))
    return tuple(gaps)


def header_of(gaps: Iterable[Gap], processes: int = 0) -> str:
    """The comments to be written in front of a trace: what is missing, and how many hosts its ranks are on in turn."""
    hosts = [f"{_HOSTS}{processes}\n"] if processes else []
    return "".join([*(f"# {gap.text}\n" for gap in gaps), *hosts])
