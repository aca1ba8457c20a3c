"""Code by its place in the source: what javac tells with `-Xjcov` (CharacterRangeTable) and `-g` (lines, variables).

Each range of the table is code with the first and last character of what it was made from, and what that is. Calls
have no range of their own but a line: a `SourceCopy` is the source with such calls on lines of their own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from apet.java.bytecode.class_file import ClassFile, Code, Method, Reader
from apet.java.bytecode.instructions import CONDITIONAL, GOTO, Instruction
from apet.java.bytecode.rewriting import Insertions
from apet.java.parse.class_names import NO_CODE
from apet.program.ir import LineColumn

STATEMENT, CONDITION, TARGET, BRANCH_TRUE, BRANCH_FALSE = 0x1, 0x8, 0x10, 0x80, 0x100
"""Flags of a range: a statement, what a jump is decided by, where one leads, jumps where a condition holds or fails."""
COLUMNS = 10
"""Bits of a place that are its column; those above are its line."""
_TAB = 8
_NAME = re.compile(r"[\w$]+")


class SourceCopy:
    """A source whose calls at some places stand on lines of their own; nothing but line ends is put in.

    Offsets are those of characters in the copy.
    """

    def __init__(self, text: str, calls: Iterable[LineColumn] = ()) -> None:
        self._original = text
        # Texts and comments without what they say: of the same length.
        self._code = NO_CODE.sub(lambda m: (" " if m[0][0] == "/" else "x") * len(m[0]), text)
        self._lines = _line_starts(text)
        breaks = sorted({b for at in calls for b in self._breaks(self._offset(at))})
        parts = [text[a:b] for a, b in zip([0, *breaks], [*breaks, len(text)], strict=True)]
        self._put_in = breaks
        self.text = "\n".join(parts)
        self._starts = _line_starts(self.text)

    @cached_property
    def lines(self) -> dict[int, int]:
        """By line of the copy, that of the source."""
        places = (start - bisect_right(self._moved, start - 1) for start in self._starts)
        return {k + 1: bisect_right(self._lines, max(place, 0)) for k, place in enumerate(places)}

    @cached_property
    def _moved(self) -> list[int]:
        """Offsets of the line ends that were put in."""
        return [offset + k for k, offset in enumerate(self._put_in)]

    def offset(self, at: LineColumn) -> int:
        """Where a place of the source (its column counts bytes) lies."""
        original = self._offset(at)
        return original + bisect_right(self._put_in, original)

    def of_code(self, place: int) -> int:
        """Where a place lies as javac encodes it, with tabs up to columns of 8."""
        line, column = place >> COLUMNS, (place & ((1 << COLUMNS) - 1)) - 1
        if not 0 < line <= len(self._starts):
            return 0
        at, shown = self._starts[line - 1], 0
        while shown < column and at < len(self.text):
            shown = (shown // _TAB + 1) * _TAB if self.text[at] == "\t" else shown + 1
            at += 1
        return at

    def line_of(self, at: LineColumn) -> int | None:
        """The line on which the call at a place stands alone, its place being its name or `new`, or what a loop over
        a collection runs over; None of what is no call."""
        breaks = self._breaks(self._offset(at))
        if not breaks:
            return None
        return bisect_right(self._starts, breaks[0] + bisect_right(self._put_in, breaks[0]))

    def beginning(self, line: int) -> int:
        """The first character of a line that is no blank."""
        start = self._starts[min(line, len(self._starts)) - 1]
        return _skipped(self.text, start)

    def loop_over(self, at: LineColumn) -> int | None:
        """Where that begins which a loop runs over, whose place is its `for`; None where it counts."""
        original = _run_over(self._code, self._offset(at))
        return None if original is None else original + bisect_right(self._put_in, original)

    def word(self, at: LineColumn) -> str:
        """The name or key word at a place."""
        match = _NAME.match(self._original, self._offset(at))
        return match[0] if match else ""

    def code(self, start: int, stop: int) -> str:
        """The text between two offsets, without comments and what texts say."""
        return NO_CODE.sub("", self.text[start:stop])

    def _offset(self, at: LineColumn) -> int:
        start = self._lines[min(at.line, len(self._lines)) - 1]
        line = self._original[start : start + at.column]
        return start + (
            at.column - 1 if line.isascii() else len(line.encode()[: at.column - 1].decode(errors="ignore"))
        )

    def _breaks(self, start: int) -> list[int]:
        text = self._code
        name = _NAME.match(text, start)
        if name is None:
            return []
        if name[0] == "new":
            return [start, name.end()]
        if name[0] == "for":
            over = _run_over(text, start)
            return [] if over is None else [over]
        bracket = _skipped(text, name.end())
        return [bracket, bracket + 1] if text[bracket : bracket + 1] == "(" else []


def _line_starts(text: str) -> list[int]:
    return [0, *(m.end() for m in re.finditer("\n", text))]


def _skipped(code: str, at: int) -> int:
    """Where blanks end."""
    return at + len(code[at : at + 4000]) - len(code[at : at + 4000].lstrip())


def _run_over(code: str, start: int) -> int | None:
    """Where the expression behind the `:` of a loop begins."""
    depth, colon = 0, None
    for at in range(start, len(code)):
        depth += (code[at] == "(") - (code[at] == ")")
        if code[at] == ":" and depth == 1 and colon is None:
            colon = at
        if (code[at] == ";" and depth == 1) or (code[at] == ")" and depth == 0):
            return None if code[at] == ";" or colon is None else _skipped(code, colon + 1)
    return None


class CodeRange(NamedTuple):
    """Code from `first` to `last` (places of bytes), made from the text from `start` to `stop`."""

    first: int
    last: int
    start: int
    stop: int
    flags: int


class PlacedMethod:
    """A method with code: what is put into it, its ranges, lines and variables."""

    def __init__(self, owner: ClassFile, method: Method, code: Code, source: SourceCopy) -> None:
        self.owner = owner
        self.method = method
        self.code = code
        self.source = source
        self.put_in = Insertions(method, code)
        self.instructions = self.put_in.instructions

    @cached_property
    def line_table(self) -> list[tuple[int, int]]:
        """Places with the line of the copy that begins there, in the order of the code."""
        content = self.code.attribute("LineNumberTable")
        reader = Reader(content or b"\0\0")
        return sorted((reader.u2(), reader.u2()) for _ in range(reader.u2()))

    def line(self, at: int) -> int:
        """The line of an instruction."""
        before = bisect_right(self.line_table, (at, 0xFFFF))
        return self.line_table[before - 1][1] if before else 0

    @cached_property
    def ranges(self) -> list[CodeRange]:
        """All ranges, inner before outer."""
        reader = Reader(self.code.attribute("CharacterRangeTable") or b"\0\0")
        return [self._range(reader) for _ in range(reader.u2())]

    def _range(self, reader: Reader) -> CodeRange:
        first, last, start, stop, flags = reader.u2(), reader.u2(), reader.u4(), reader.u4(), reader.u2()
        begins = self.source.of_code(start)
        if begins == 0 and self.line(first) > 1:
            # The place of a pattern is not known, nor that of what it stands in.
            begins = self.source.beginning(self.line(first))
        return CodeRange(first, last, begins, self.source.of_code(stop), flags)

    @cached_property
    def start(self) -> int | None:
        """The first place of the source that its code was made from: without ranges, that of its line."""
        if not self.ranges and self.line_table:
            return self.source.beginning(self.line_table[0][1])
        return min((r.start for r in self.ranges), default=None)

    @cached_property
    def stop(self) -> int:
        """Where that ends."""
        if not self.ranges and self.line_table:
            return self.source.beginning(self.line_table[0][1] + 1)
        return max((r.stop for r in self.ranges), default=0)

    def around(self, offset: int, flags: int) -> list[CodeRange]:
        """Ranges with one of some flags around a place: the smallest, as often as code was made from it."""
        found = [r for r in self.ranges if r.flags & flags and r.start <= offset <= r.stop]
        if not found:
            return []
        least = min(r.stop - r.start for r in found)
        text = next((r.start, r.stop) for r in found if r.stop - r.start == least)
        return [r for r in found if (r.start, r.stop) == text]

    def within(self, one: CodeRange) -> list[Instruction]:
        """The instructions of a range."""
        return [i for i in self.instructions if one.first <= i.at <= one.last]

    def behind_gotos(self, at: int) -> int:
        """Where a jump to a place leads in the end."""
        for _ in range(len(self.instructions)):
            one = self.put_in.by_place.get(at)
            if one is None or one.operation != GOTO:
                break
            at = one.targets[0]
        return at

    def jumps(self, one: CodeRange) -> list[Instruction]:
        """The conditional jumps of a range."""
        return [i for i in self.within(one) if i.operation in CONDITIONAL]

    def variables(self) -> dict[str, tuple[int, str]]:
        """Number and type of the variables that are there from the beginning: its formals, by name."""
        reader = Reader(self.code.attribute("LocalVariableTable") or b"\0\0")
        found: dict[str, tuple[int, str]] = {}
        for _ in range(reader.u2()):
            start, _, name, kind, number = (reader.u2() for _ in range(5))
            if start == 0:
                found[self.owner.utf8(name)] = number, self.owner.utf8(kind)
        return found


def placed_methods(classes: Sequence[ClassFile], source: SourceCopy) -> Iterator[PlacedMethod]:
    """All methods with code of the classes of one source."""
    for owner in classes:
        for method in owner.methods:
            if method.code is not None:
                yield PlacedMethod(owner, method, method.code, source)
