"""Which columns tell runs apart: values on a grid, as those of parameters are and times are not; and texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.runs.read import units
from apet.runs.read.parameter_names import IGNORED, is_parameter

PART = 1.02
"""A column that is at most this part of the time in all rows can be a phase."""
MOST_TEXTS = 200


def is_grid(sizes: Sequence[str], values: Sequence[str]) -> bool:
    """Whether the values repeat over several sizes, and sizes repeat with several values: times hardly ever do both."""
    if len(sizes) != len(values):
        return False
    by_value, by_size = dict[str, set[str]](), dict[str, set[str]]()
    for n, v in zip(sizes, values, strict=True):
        by_value.setdefault(v, set()).add(n)
        by_size.setdefault(n, set()).add(v)
    crossed = sum(len(n) > 1 for n in by_value.values())
    return crossed >= 2 and 2 * crossed >= len(by_value) and any(len(v) > 1 for v in by_size.values())


def telling_text(headings: Mapping[int, str], points: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    """The column of texts that tells one program from another, so that its rows are of several curves; `points` are the
    sizes of the rows.

    Any text that varies is one; of a column whose name says that it does not matter (`host`, `date`), if two of its
    texts have two sizes or more in common.
    """
    for column, name in headings.items():
        cells = [(row[column].strip(), point) for row, point in zip(rows, points, strict=True) if column < len(row)]
        texts = {text for text, _ in cells if text}
        numbers = sum(units.number_and_unit(text) is not None for text in texts)
        if is_parameter(name) or len(texts) < 2 or numbers == len(texts):
            continue
        if (name.lower() not in IGNORED and not numbers) or _crossed(cells):
            return column
    return None


def _crossed(cells: Sequence[tuple[str, str]]) -> bool:
    """Whether two texts share two sizes."""
    sizes = dict[str, set[str]]()
    for text, size in cells:
        sizes.setdefault(text, set()).add(size)
    several = [own for text, own in sizes.items() if text and len(own) > 1]
    return any(len(a & b) > 1 for k, a in enumerate(several[:MOST_TEXTS]) for b in several[k + 1 : MOST_TEXTS])
