"""Profiles of Python programs: the files of cProfile, and the table that it prints."""

from __future__ import annotations

import marshal
import re
from collections import defaultdict

from apet.ground.source import Source
from apet.runs.read.profile import ProfiledRun, broken

_SUMMARY = re.compile(r"function calls (?:\(\d+ primitive calls\) )?in ([\d.]+) seconds")
_ROW = re.compile(r"\s*\d+(?:/\d+)?\s+([\d.]+)\s+[\d.]+\s+[\d.]+\s+[\d.]+\s+(\S.*)")


def is_marshalled(content: bytes) -> bool:
    """Whether a file may be what cProfile writes: a dictionary, marshalled."""
    return content[:1] == b"\xfb" or (content[:1] == b"{" and content[1:2] in (b"(", b")", b"\xa8", b"\xa9"))


def read_marshalled(name: str, content: bytes) -> ProfiledRun:
    """Seconds by function; nothing in the file is executed."""
    source = Source(name, "")
    try:
        rows = {_label(key): float(value[2]) for key, value in marshal.loads(content).items()}
    except (ValueError, EOFError, TypeError, AttributeError, IndexError, KeyError):
        raise broken(source, "cProfile", "it is damaged, or of another kind", None) from None
    total = sum(rows.values())
    if not rows or not 0 < total < float("inf"):
        raise broken(source, "cProfile", "it holds no times", None)
    return ProfiledRun(total, rows)


def _label(key: tuple[str, int, str]) -> str:
    file, line, function = key
    return function if file == "~" else f"{function} ({file.replace(chr(92), '/').rpartition('/')[2]}:{line})"


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
