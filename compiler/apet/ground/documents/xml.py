"""XML as a tree whose elements know their place; entities are refused, so that no file can expand without limit."""

from __future__ import annotations

from typing import Any, NoReturn
from xml.parsers import expat

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.documents.errors import Entity, NotXml
from apet.ground.source import Source, Span

MOST_DEPTH = 100


class Element:
    """One element: tag, attributes, elements and text inside, and where it begins."""

    __slots__ = ("attributes", "inside", "pieces", "span", "tag")

    def __init__(self, tag: str, attributes: dict[str, str], span: Span) -> None:
        self.tag = tag
        self.attributes = attributes
        self.span = span
        self.inside: list[Element] = []
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        """The text inside, without that of inner elements."""
        return "".join(self.pieces)


def parse(source: Source) -> Element:
    """The root element; `ApetError` for what is no XML, nests beyond measure, or declares entities."""
    return _ElementBuilder(source).build()


class _ElementBuilder:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.stack: list[Element] = []
        self.root: Element | None = None
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.EntityDeclHandler = self.entity

    def build(self) -> Element:
        try:
            self.parser.Parse(self.source.text, True)
        except expat.ExpatError as error:
            at = self.source.offset(max(1, error.lineno), 1) + error.offset
            _refuse(NotXml(self.source, Span(at, at + 1), expat.ErrorString(error.code)))
        assert self.root is not None
        return self.root

    def place(self, length: int) -> Span:
        at = self.source.offset(self.parser.CurrentLineNumber, 1) + self.parser.CurrentColumnNumber
        return Span(at, at + length)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, self.place(len(tag) + 1))
        if len(self.stack) >= MOST_DEPTH:
            _refuse(NotXml(self.source, element.span, f"more than {MOST_DEPTH:,} elements in each other"))
        if self.stack:
            self.stack[-1].inside.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def end(self, tag: str) -> None:
        self.stack.pop()

    def characters(self, text: str) -> None:
        self.stack[-1].pieces.append(text)

    def entity(self, name: str, *rest: Any) -> None:
        _refuse(Entity(self.source, self.place(8), name))


def _refuse(diagnostic: Diagnostic) -> NoReturn:
    raise ApetError(diagnostic)
