"""Where a piece of a text stands: `Source` is the text of one file, `Span` a range of it."""

from __future__ import annotations

from bisect import bisect_right

from apet.ground.records import NamedTuple


class Span(NamedTuple):
    """A half-open range of character offsets `[start, end)` in a source text."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """The range from the start of this one to the end of the other."""
        return Span(self.start, other.end)


class Source:
    """The text of one file, and the name it is reported by.

    Lines and columns count from 1; columns count characters. Line starts are found at the first question, so that a
    text without an error is never split.
    """

    __slots__ = ("_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a character offset."""
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_of(self, offset: int, beside: int = 0) -> str:
        """The line of an offset in words, for messages about another place."""
        return str(self.position(offset)[0])

    def place(self, offset: int) -> tuple[Source, int]:
        """The file that an offset stands in, and the offset there: this one, unless it is joined of several."""
        return self, offset

    def offset(self, line: int, column: int = 1) -> int:
        """The character offset of a line and column, both from 1; of a line behind the last one, that of the last."""
        starts = self._line_starts()  # other readers of a text may count more ends of lines than there are here
        return starts[min(line, len(starts)) - 1] + column - 1

    def line(self, number: int) -> str:
        """The text of one line, from 1, without its line end."""
        starts = self._line_starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            starts, at = [0], self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._starts = starts
        return self._starts
