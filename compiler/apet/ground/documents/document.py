"""Reading a TOML or JSON file into tables that note what is wrong with them."""

from __future__ import annotations

import json
import os
import re
import tomllib
from typing import Any, NoReturn

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.documents import errors
from apet.ground.documents.document_errors import DocumentErrors
from apet.ground.documents.key_paths import KeyPath, dotted
from apet.ground.documents.places import Locator
from apet.ground.documents.table import Table
from apet.ground.records import NamedTuple
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source

_PLACE = re.compile(r"(.*?) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


class Document(NamedTuple):
    """The content of a file, its text, and where keys stand."""

    source: Source
    content: Any
    locator: Locator

    def table(self, what: str) -> Table:
        """The whole file as a table; `ApetError` if it is something else. `what` names what was expected."""
        if not isinstance(self.content, dict):
            raise ApetError(errors.NotATable(self.source, self.locator.value(()), what))
        return Table(self.content, (), DocumentErrors(self.locator))

    def wrong(self, path: KeyPath, problem: str, advice: str) -> Diagnostic:
        """An error at a key path, in words of its own."""
        return errors.Wrong(self.source, self.locator.value(path), dotted(path) or "the file", problem, advice)


def read_document(path: str | os.PathLike[str]) -> Document:
    """The content of a TOML or JSON file; `ApetError` if it cannot be read or is neither."""
    return parse_document(read_source(path))


def parse_document(source: Source, may_be_nan: bool = False) -> Document:
    """TOML if the name ends so, else JSON; `may_be_nan` takes in NaN and Infinity, which JSON does not know."""
    if source.name.lower().endswith(".toml"):
        return Document(source, _toml(source), Locator(source, "TOML"))
    return Document(source, _json(source, may_be_nan), Locator(source, "JSON"))


def _toml(source: Source) -> Any:
    try:
        return tomllib.loads(source.text)
    except RecursionError:
        _refuse(errors.DocumentTooDeep(source, None))
    except ValueError as error:
        match = _PLACE.fullmatch(str(error))
        at = source.offset(int(match[2]), int(match[3])) if match and match[2] else len(source.text)
        _refuse(errors.BadSyntax(source, Span(at, at + 1), "TOML", match[1] if match else str(error)))


def _json(source: Source, may_be_nan: bool) -> Any:
    def refuse_constant(word: str) -> NoReturn:
        at = source.text.find(word)
        _refuse(errors.BadSyntax(source, Span(at, at + len(word)), "JSON", f"{word} is no number of JSON"))

    try:
        return json.loads(source.text, parse_constant=float if may_be_nan else refuse_constant)
    except RecursionError:
        _refuse(errors.DocumentTooDeep(source, None))
    except json.JSONDecodeError as error:
        _refuse(errors.BadSyntax(source, Span(error.pos, error.pos + 1), "JSON", error.msg[:1].lower() + error.msg[1:]))
    except ValueError as error:  # a number of thousands of digits
        _refuse(errors.BadSyntax(source, None, "JSON", str(error).split(";")[0]))


def _refuse(error: Diagnostic) -> NoReturn:
    raise ApetError(error)
