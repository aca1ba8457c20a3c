"""Folders of logs that were written in parts: Spark's rolled logs, its layout before 1.3, and that of Databricks."""

from __future__ import annotations

import os
import re

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors

PART = re.compile(r"events_(\d+)_[^/]*")
DATED = re.compile(r"eventlog-\d{4}-\d\d-\d\d--\d\d-\d\d(?:\.\w+)?")
LAST = "eventlog"
EARLY = re.compile(r"EVENT_LOG_(\d+)")


def is_rolled(folder: str) -> bool:
    """Whether a folder holds the parts of one log."""
    try:
        names = os.listdir(folder)
    except OSError:  # it may not be read
        return False
    return any(PART.fullmatch(n) or DATED.fullmatch(n) or EARLY.fullmatch(n) or n == LAST for n in names)


def parts_of(path: str) -> list[str]:
    """The files of a log in order; of a file, itself. `ApetError` where one is missing or shortened."""
    if not os.path.isdir(path):
        name = os.path.basename(path)
        _refuse_compacted(path, [name])
        part = PART.fullmatch(name)
        if part is not None and int(part[1]) > 1:
            raise ApetError(errors.MissingPart(None, None, path, int(part[1]) - 1, part[1]))
        return [path]

    names = os.listdir(path)
    _refuse_compacted(path, names)
    numbered = _numbered(PART, names) or _numbered(EARLY, names)
    if numbered:
        numbers = [number for number, _ in numbered]
        missing = next((n for n in range(1, numbers[-1] + 1) if n not in set(numbers)), None)
        if missing is not None and len(numbers) < 10_000:
            present = ", ".join(map(str, numbers[:8]))
            raise ApetError(errors.MissingPart(None, None, path, missing, present))
        return [os.path.join(path, name) for _, name in numbered]

    dated = sorted(name for name in names if DATED.fullmatch(name))
    return [os.path.join(path, name) for name in (*dated, *(n for n in names if n == LAST))]


def _numbered(form: re.Pattern[str], names: list[str]) -> list[tuple[int, str]]:
    return sorted((int(match[1]), name) for name in names if (match := form.fullmatch(name)))


def _refuse_compacted(path: str, names: list[str]) -> None:
    if any(name.endswith(".compact") and PART.match(name) for name in names):
        raise ApetError(errors.CompactedLog(None, None, path))
