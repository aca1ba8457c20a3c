"""What files of other tools say, as tables of ours that know where they stand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document
from apet.ground.documents.errors import Wrong
from apet.ground.documents.key_paths import KeyPath, Place
from apet.ground.documents.places import Locator
from apet.ground.documents.toml_strings import toml_string
from apet.ground.source import Source, Span

NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")


class ForeignTables:
    """Rows by table, and the place of each in the text of another tool."""

    def __init__(self, source: Source, tool: str) -> None:
        self.source, self.tool = source, tool
        self.content: dict[str, Any] = {}
        self.places: dict[KeyPath, Place] = {}

    def add(self, table: str, place: Span, **row: Any) -> dict[str, Any]:
        """A row; keys without a value are left out."""
        rows = self.content.setdefault(table, [])
        self.places[table, len(rows)] = Place(place, place)
        rows.append({key: value for key, value in row.items() if value not in (None, {}, [])})
        return rows[-1]  # type: ignore[no-any-return]

    def document(self) -> Document:
        """The tables, as if the file were one of ours."""
        return Document(self.source, self.content, Locator(self.source, places=self.places))

    def refuse(self, place: Span, problem: str, advice: str) -> ApetError:
        """An error at a place of the text."""
        return ApetError(Wrong(self.source, place, self.tool, problem, advice))

    def not_modelled(self, place: Span, what: str) -> ApetError:
        """The refusal of what no answer here has in it."""
        return self.refuse(place, f"{what}: this is not modelled", "take it out of the file, or solve it elsewhere")

    def number(self, text: str, place: Span) -> float:
        """A number as a whole one where it is; `ApetError` for names and expressions."""
        if text.lstrip("@").lower() in ("inf", "infinity"):
            return float("inf")
        if not NUMBER.fullmatch(text):
            what = "variables have no values here" if text.startswith("$") else f"'{text[:40]}' is no number"
            raise self.refuse(place, what, "write the number itself")
        value = float(text)
        return int(value) if value.is_integer() and abs(value) < 2**53 else value

    def whole(self, text: str, place: Span) -> int:
        """A whole number that is not negative."""
        value = self.number(text, place)
        if not isinstance(value, int) or value < 0:
            raise self.refuse(place, f"'{text}' where a number of jobs or servers belongs", "write a whole number")
        return value


def shape(variation: float) -> dict[str, Any] | None:
    """The distribution of a squared coefficient of variation: constant, Erlang or hyperexponential; where none of them
    has it, the Erlang one of the next number of phases."""
    if variation == 1:
        return None
    if variation == 0:
        return {"type": "det"}
    if variation > 1:
        return {"type": "hyperexp", "scv": variation}
    return {"type": "erlang", "k": round(min(1 / variation, 1e300))}


def as_toml(name: str, content: Mapping[str, Any]) -> str:
    """Rows by table as a TOML file of this name."""
    lines = [f"name = {_value(name)}"]
    for table, rows in content.items():
        for row in rows:
            lines += ["", f"[[{table}]]", *(f"{key} = {_value(value)}" for key, value in row.items())]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    match value:
        case Mapping():
            return f"{{ {', '.join(f'{_key(k)} = {_value(v)}' for k, v in value.items())} }}" if value else "{}"
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case bool():
            return "true" if value else "false"
        case str():
            return toml_string(value)
    return f"{value}"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else toml_string(name)
