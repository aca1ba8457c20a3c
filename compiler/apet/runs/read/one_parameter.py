"""Whether a table is over one parameter: columns that vary as parameters do must not pass for phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.ground.source import Source, Span
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.grids import is_grid
from apet.runs.read.parameter_names import IGNORED, is_parameter
from apet.runs.read.samples import several

PART = 1.02
"""A column that is at most this part of the time in all rows can be a phase."""
MOST_TEXTS = 200
Cells = Sequence[tuple[str, Span]]


def misread(
    source: Source, headings: Mapping[int, str], size: int, time: int, rows: Sequence[Cells]
) -> errors.SeveralParameters | errors.NeitherPhaseNorParameter | None:
    """The error of a table in which more varies than the column `size`; None where nothing speaks for it.

    `headings` names the columns that may be parameters; `time` is the column of the time, -1 where none is compared.
    """
    for column, name in headings.items():
        if column == size:
            continue
        cells = [row[column] for row in rows if column < len(row)]
        texts = [text for text, _ in cells]
        if len(set(texts)) < 2:
            continue

        named = is_parameter(name)
        if named or (_all_numbers(texts) and is_grid([row[size][0] for row in rows], texts)):
            axis = headings.get(size, "n")
            error = several(source, (axis, name))
            return error.replace(condition=f"{name}={texts[0].strip()}")

        if time < 0:
            continue
        larger = next((span for row in rows for span in _larger(row, column, time)), None)
        if larger is not None:
            return errors.NeitherPhaseNorParameter(source, larger, name, f"{headings.get(size, 'n')},{name}")
    return None


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


def _larger(row: Cells, column: int, time: int) -> list[Span]:
    """The place of a cell that is larger than the time of its row, where both are plain numbers."""
    try:
        over = float(row[column][0]) > PART * float(row[time][0])
    except ValueError:
        return []
    return [row[column][1]] if over else []


def _all_numbers(texts: Sequence[str]) -> bool:
    try:
        return all(float(text) > 0 for text in texts)
    except ValueError:
        return False
