"""Caliper's own records (`*.cali`), as the table that its json-split is.

A line is a record of `__rec=node`, `ctx` or `globals`, whose fields are lists between `=`. A node has an attribute, a
value and a parent; nodes of attribute 8 are attributes themselves: their parents have the unit, the alias and, as a
number of bits, the properties. A record of `ctx` refers to nodes, and has values of its own. Caliper, `docs/sphinx`,
CaliWriter; the attributes 8 to 10 are its built-in ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from apet.ground.source import Source, Span
from apet.runs.read.profile import broken

BEGINNING = "__rec="
NAME, PROPERTIES = 8, 10
AS_VALUE, NESTED = 1, 256
"""Bits of properties: values of its own, and regions that lie in each other."""
PATH, RANK = "path", "mpi.rank"
MOST_STEPS = 10_000
_FIELD = re.compile(r"(\w+)=((?:\\.|[^,\\])*)(?:,|$)")
_BETWEEN = re.compile(r"(?<!\\)=")


class _Node(NamedTuple):
    attribute: int
    data: str
    parent: int | None


@dataclass
class _Records:
    """The nodes by their numbers, and the rows and globals as written."""

    nodes: dict[int, _Node] = field(default_factory=dict)
    rows: list[Mapping[str, Sequence[str]]] = field(default_factory=list)
    globals: list[Mapping[str, Sequence[str]]] = field(default_factory=list)

    def above(self, node: int | None) -> Iterator[tuple[int, _Node]]:
        """A node and all around it."""
        for _ in range(MOST_STEPS):
            if node is None or node not in self.nodes:
                return
            yield node, self.nodes[node]
            node = self.nodes[node].parent

    def name(self, attribute: int) -> str:
        """What an attribute is called."""
        node = self.nodes.get(attribute)
        return node.data if node is not None and node.attribute == NAME else ""

    def has(self, attribute: int, bits: int) -> bool:
        """Whether an attribute has properties."""
        return any(
            n.attribute == PROPERTIES and n.data.isdecimal() and int(n.data) & bits for _, n in self.above(attribute)
        )

    def region(self, node: int | None) -> int | None:
        """The innermost region at a node."""
        return next((k for k, n in self.above(node) if self.has(n.attribute, NESTED)), None)


def content(source: Source) -> dict[str, Any]:
    """The value that json-split would have; `ApetError` where a line is no record."""
    records = _records(source)
    regions = [k for k, n in records.nodes.items() if records.has(n.attribute, NESTED)]
    number = {k: place for place, k in enumerate(regions)}
    attributes = list(dict.fromkeys(int(a) for row in records.rows for a in row.get("attr", ()) if a.isdecimal()))
    nodes = []
    for k in regions:
        parent = records.region(records.nodes[k].parent)
        caller = {} if parent is None else {"parent": number[parent]}
        nodes.append({"label": records.nodes[k].data, "column": PATH, **caller})
    return {
        **_globals(records),
        "data": [_row(records, row, attributes, number) for row in records.rows],
        "columns": [*map(records.name, attributes), PATH, RANK],
        "column_metadata": [*(_about(records, a) for a in attributes), {"is_value": False}, {"is_value": False}],
        "nodes": nodes,
    }


def _records(source: Source) -> _Records:
    records, at = _Records(), 0
    for line in source.text.splitlines(keepends=True):
        start, at = at, at + len(line)
        if not line.strip():
            continue
        fields = {key: [_plain(v) for v in _BETWEEN.split(text)] for key, text in _FIELD.findall(line.strip())}
        kind, data = fields.get("__rec", [""])[0], fields.get("data", [""])
        try:
            if kind == "node":
                parent = int(fields["parent"][0]) if "parent" in fields else None
                records.nodes[int(fields["id"][0])] = _Node(int(fields["attr"][0]), data[0], parent)
            elif kind in ("ctx", "globals"):
                (records.rows if kind == "ctx" else records.globals).append(fields)
            elif not kind:
                raise ValueError
        except (ValueError, KeyError, IndexError):
            raise broken(source, "Caliper", "this is no record", Span(start, start + len(line.rstrip()))) from None
    return records


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], text)


def _row(
    records: _Records, row: Mapping[str, Sequence[str]], attributes: Sequence[int], number: Mapping[int, int]
) -> list[Any]:
    """The values of a row by attribute, the region that it belongs to, and the rank."""
    own = {int(a): v for a, v in zip(row.get("attr", ()), row.get("data", ()), strict=False) if a.isdecimal()}
    refs = [int(ref) for ref in row.get("ref", ()) if ref.isdecimal()]
    regions = [k for ref in refs if (k := records.region(ref)) is not None]
    ranks = [own[a] for a in own if records.name(a) == RANK]
    ranks += [n.data for ref in refs for _, n in records.above(ref) if records.name(n.attribute) == RANK]
    rank = int(ranks[0]) if ranks and ranks[0].isdecimal() else None
    return [*(_number(own.get(a)) for a in attributes), number[regions[0]] if regions else None, rank]


def _number(text: str | None) -> float | str | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return text


def _about(records: _Records, attribute: int) -> dict[str, Any]:
    """Unit and alias of an attribute, and whether it is a value."""
    named = {records.name(n.attribute): n.data for _, n in records.above(attribute)}
    return {**{k: v for k, v in named.items() if k}, "is_value": records.has(attribute, AS_VALUE)}


def _globals(records: _Records) -> dict[str, str]:
    values = dict[str, str]()
    for row in records.globals:
        own = zip(row.get("attr", ()), row.get("data", ()), strict=False)
        values |= {records.name(int(a)): v for a, v in own if a.isdecimal()}
        for ref in row.get("ref", ()):
            chain = records.above(int(ref)) if ref.isdecimal() else ()
            values |= {records.name(n.attribute): n.data for _, n in chain}
    return {name: value for name, value in values.items() if name}
