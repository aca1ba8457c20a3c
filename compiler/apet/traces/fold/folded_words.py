"""Words of a folded trace: whole numbers, volumes, sizes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import islice

from apet.core import library
from apet.traces.fold.folded import Volumes
from apet.traces.fold.kinds_of_ranks import of_runs
from apet.traces.lines.actions import MOST_VOLUME

MOST_ACTIONS = 1_000_000_000
MOST_SIZE = 1e15
FORMAT = "docs/reference/trace-files.md has the format"
WORD = re.compile(r"[-+.0-9eE]+")


class WordError(Exception):
    """An error at a word of the line that is read."""

    def __init__(self, word: int, problem: str, advice: str = FORMAT) -> None:
        super().__init__(problem)
        self.word, self.advice = word, advice


def whole(words: Sequence[str], at: int, least: int, most: int, place: int | None = None) -> int:
    """A whole number within limits; `place` is the word of the line that an error is at."""
    place = at if place is None else place
    if at >= len(words):
        raise WordError(0, "a number is missing")
    text = words[at]
    if not (text.isascii() and text.isdecimal()) or len(text) > 18 or not least <= int(text) <= most:
        raise WordError(place, f"'{text}' should be a whole number from {least} to {most:,}")
    return int(text)


def volumes_of(words: Sequence[str], first: int, executions: int, line: str) -> Volumes:
    """Volumes from a word on, one for each execution: `2544*3 2120`; or one for all."""
    if len(words) == first:
        raise WordError(0, "volumes are missing", "compute 2544*3 2120")
    if len(words) == first + 1 and "*" not in words[first]:
        return same_volumes(words[first], first, executions)
    plain = _plain_volumes(line.split(None, first)[first].rstrip())
    if plain is not None and sum(plain.counts) == executions:
        return plain

    runs = list[tuple[str, int, int]]()
    for at, word in enumerate(words[first:], start=first):
        text, _, times = word.partition("*")
        runs.append((text, whole([times], 0, 1, MOST_ACTIONS, at) if times else 1, at))
    volumes = _volumes_of(runs)
    if sum(volumes.counts) != executions:
        number = sum(volumes.counts)
        raise WordError(first, f"{number:,} volumes for {executions:,} iterations", "V*N stands for N equal ones")
    return volumes


def same_volumes(word: str, at: int, executions: int) -> Volumes:
    """One volume for all executions."""
    return _volumes_of([(word, executions, at)])


def _plain_volumes(text: str) -> Volumes | None:
    """Volumes as the core reads them, since there may be millions; None where they have to be looked at one by one."""
    if "\0" in text:
        return None
    most, several = text.count(" ") + 1, text.count(",")
    values, parts = array("d", bytes(8 * most)), array("d", bytes(16 * several))
    counts, widths, numbers = (array("q", bytes(8 * length)) for length in (most, several, 2))
    library().apet_volumes(text.encode(), values, counts, widths, parts, numbers)
    number, gaps = numbers
    if not number:
        return None

    left = iter(parts)
    return of_runs(values[:number], counts[:number], [tuple(islice(left, width)) for width in widths[:gaps]])


def whole_sizes(columns: tuple[Volumes, ...], at: int) -> tuple[Volumes, ...]:
    """Sizes; each is one whole number."""
    for column in columns:
        sizes = [volumes[0] if volumes else 0.0 for volumes, _ in column.runs() if len(volumes) < 2]
        if len(sizes) < len(column.values) or max(sizes) > MOST_SIZE or not all(map(float.is_integer, sizes)):
            raise WordError(at, "a 'size' of it is no whole number", f"up to {MOST_SIZE:g}")
    return columns


def _volumes_of(runs: Sequence[tuple[str, int, int]]) -> Volumes:
    """Volumes by their text, how often they are there, and at which word."""
    values, counts, gaps = array("d"), array("q"), list[tuple[float, ...]]()
    for text, count, at in runs:
        if "," in text:
            gaps.append(tuple(_volume(part, at) for part in text.removesuffix(",").split(",")))
            values.append(-float(len(gaps)))
        else:
            values.append(_volume(text, at))
        counts.append(count)
    return of_runs(values, counts, gaps)


def _volume(text: str, at: int) -> float:
    try:
        value = float(text) if WORD.fullmatch(text) and len(text) < 64 else -1.0
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST_VOLUME:
        most = f"a number of flops from 0 to {MOST_VOLUME:g}"
        raise WordError(at, f"'{text}' should be {most}", "compute 2544*3 2120")
    return value
