"""Answers as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from apet.answers.answer import Answer
from apet.answers.blocks import Block, Folded, Formulas, Heading, Lines, Picture, Piece, Sentences, Settings, Table
from apet.cost import deep_recursion
from apet.ground.diagnostics import visible
from apet.show.formula_lines import block, wrapped
from apet.show.tables import table


def text(answer: Answer, width: int) -> str:
    """All blocks with a gap between them, at most so many columns wide where a line can be broken."""
    shown = [lines for lines in ([*_lines(each, width)] for each in answer.blocks) if lines]
    return visible("\n\n".join("\n".join(lines) for lines in shown), "\n") + "\n"


def _lines(block: Block, width: int) -> Iterator[str]:
    for piece in block:
        yield from _drawn(piece, width)


def _drawn(piece: Piece, width: int) -> list[str]:
    match piece:
        case Heading(heading):
            return [heading]
        case Settings(texts):
            return wrapped(" · ".join(texts), width) if texts else []
        case Sentences(texts, indent):
            return [" " * indent + line for each in texts for line in wrapped(each, width - indent)]
        case Lines(lines, indent):
            return [(" " * indent + line).rstrip() for line in lines]
        case Table(header, rows, align, indent, rest, _):
            margin = " " * indent
            lines = table(header, rows, align, margin) if rows or any(header) else []
            return [*(lines if any(header) else lines[1:]), *([margin + rest] if rest else [])]
        case Formulas(formulas, longest, most_lines, indent):
            with deep_recursion():
                lines = block(formulas, width - indent + 2, longest, most_lines) if formulas else []
            return [" " * (indent - 2) + line for line in lines]
        case Picture():
            return []
        case Folded(title, pieces):
            return [title, *_lines(pieces, width)]
        case _:
            assert_never(piece)
