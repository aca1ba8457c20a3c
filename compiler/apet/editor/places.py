"""Places in a text as the Language Server Protocol counts them: lines from 0, columns in UTF-16 units."""

from __future__ import annotations

from lsprotocol import types as lsp

from apet.ground.source import Source, Span


def offset_of(source: Source, position: lsp.Position) -> int:
    """The offset of a position; what lies outside the text is its nearest place."""
    last, _ = source.position(len(source.text))
    if position.line >= last:
        return len(source.text)
    line = source.line(position.line + 1)
    before = line.encode("utf-16-le")[: 2 * position.character].decode("utf-16-le", "ignore")
    return source.offset(position.line + 1) + len(before)


def position_of(source: Source, offset: int) -> lsp.Position:
    """The position of an offset."""
    line, column = source.position(offset)
    before = source.line(line)[: column - 1]
    return lsp.Position(line - 1, len(before.encode("utf-16-le")) // 2)


def range_of(source: Source, span: Span) -> lsp.Range:
    """The range of a span."""
    return lsp.Range(position_of(source, span.start), position_of(source, span.end))
