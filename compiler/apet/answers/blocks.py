"""What an answer shows: pieces that know what they hold, and not how a terminal, a page or a notebook draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from apet.ground.records import NamedTuple
from apet.show.formula_lines import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Heading(NamedTuple):
    """One line that is never broken: what was asked of what."""

    text: str


class Settings(NamedTuple):
    """Values by name that everything below shares."""

    texts: Sequence[str]


class Sentences(NamedTuple):
    """Full sentences, a paragraph each, so many characters further in."""

    texts: Sequence[str]
    indent: int = 2


class Lines(NamedTuple):
    """Lines that stay as they are: commands to copy, trees, maps of letters."""

    lines: Sequence[str]
    indent: int = 2


class Table(NamedTuple):
    """Cells with their units; `align` has one of `<` and `>` for each column. Without headings it has none at all.

    `rest` says what was left out below the rows; `label` tells those who hear a page what the table is.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    align: str
    indent: int = 2
    rest: str = ""
    label: str = ""


class Formulas(NamedTuple):
    """Named formulas, sums and maxima folded at `longest`, each on at most so many lines (0: any number)."""

    rows: Sequence[Row]
    longest: int | None = None
    most_lines: int = 0
    indent: int = 2


class Picture(NamedTuple):
    """A figure, drawn where it is shown: pages and notebooks have it, a terminal has files instead.

    `name` tells its parts from those of other pictures of a page.
    """

    draw: Callable[[], Figure]
    caption: str
    name: str


class Folded(NamedTuple):
    """Pieces that open on demand, where that can be; `title` says what they are."""

    title: str
    pieces: Sequence[Piece]


Piece = Heading | Settings | Sentences | Lines | Table | Formulas | Picture | Folded
Block = Sequence[Piece]
"""Pieces that belong together: between two blocks is a gap."""


def cut(header: Sequence[str], rows: Sequence[Sequence[str]], align: str, most: int, more: str = "more") -> Table:
    """A table of the first rows, and how many more there are."""
    rest = len(rows) - most
    return Table(header, rows[:most], align, rest=f"… {rest:,} {more}" if rest > 0 else "")
