"""Profiles of Python programs: the files of cProfile, and the table that it prints."""

from __future__ import annotations

import math
import re
from collections import defaultdict

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.source_files import FileTooBig
from apet.runs.read import marshalled
from apet.runs.read.profile import ProfiledRun, broken

_SECONDS = r"\d{1,9}(?:\.\d+)?"
_SUMMARY = re.compile(rf"function calls (?:\(\d+ primitive calls\) )?in ({_SECONDS}) seconds")
_ROW = re.compile(rf"\s*\d+(?:/\d+)?\s+({_SECONDS})\s+{_SECONDS}\s+{_SECONDS}\s+{_SECONDS}\s+(\S.*)")
MOST_BYTES = 16 * 2**20
"""Of a file of cProfile, some 200,000 functions: it is read in Python, some seconds for so many."""


def is_marshalled(content: bytes) -> bool:
    """Whether a file may be what cProfile writes: a dictionary, marshalled."""
    return content[:1] == b"\xfb" or (content[:1] == b"{" and content[1:2] in (b"(", b")", b"\xa8", b"\xa9"))


def read_marshalled(name: str, content: bytes) -> ProfiledRun:
    """Seconds by function; nothing in the file is executed."""
    if len(content) > MOST_BYTES:
        raise ApetError(FileTooBig(None, None, name, MOST_BYTES // 2**20))
    source = Source(name, "")
    functions = defaultdict[str, float](float)
    try:
        for key, row in marshalled.entries(content):
            functions[_label(key)] += _own_seconds(row)
    except ValueError:
        raise broken(source, "cProfile", "it is damaged, or of another kind", None) from None

    total = sum(functions.values())
    if not 0 < total < math.inf:
        raise broken(source, "cProfile", "it holds no times", None)
    return ProfiledRun(total, functions)


def _label(key: object) -> str:
    match key:
        case ("~", int(), str(function)):
            return function
        case (str(file), int(line), str(function)):
            return f"{function} ({file.replace(chr(92), '/').rpartition('/')[2]}:{line})"
        case _:
            raise marshalled.DamagedMarshal


def _own_seconds(row: object) -> float:
    """The third of: primitive calls, calls, seconds in the function itself, seconds with what it calls, callers."""
    match row:
        case (_, _, int() | float() as seconds, *_):
            return float(seconds)  # cProfile's differences of clocks may be a little below 0
        case _:
            raise marshalled.DamagedMarshal


def recognises(text: str) -> bool:
    """Whether a text is the table of cProfile."""
    return _SUMMARY.search(text[:20_000]) is not None


def read(source: Source) -> ProfiledRun:
    """Seconds by function from the printed table, and in all from its first line."""
    total = _SUMMARY.search(source.text)
    functions = defaultdict[str, float](float)
    for line in source.text.splitlines():
        row = _ROW.fullmatch(line)
        if row:
            functions[row[2].strip()] += float(row[1])
    if total is None or not functions or float(total[1]) <= 0:
        raise broken(source, "cProfile", "there is no table of functions and times")
    return ProfiledRun(float(total[1]), functions)
