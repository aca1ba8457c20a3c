"""Execution traces of Chakra: the graph of a process, as frames of protobuf (`.et`; et_def.proto of mlcommons/chakra),
as JSON of such messages, or as the JSON of its feeder."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.errors import BadRecording
from apet.traces.event_traces.source_lines import MISFITS, duration, unpacked
from apet.traces.lines.files import DAMAGED

BLANKS = re.compile(r"\s*")
TYPES = (
    *("INVALID", "METADATA", "MEM_LOAD", "MEM_STORE", "COMP", "COMM_SEND", "COMM_RECV", "COMM_COLL"),
    *("STORAGE", "BATCH", "CHECKPOINT"),
)
METADATA, _, MEMORY, COMP, SENDS, RECEIVES, COLLECTIVE = range(1, 8)


class Node(NamedTuple):
    """An operation of a graph; `attributes` by name."""

    number: int
    kind: int
    microseconds: float
    after: tuple[int, ...]
    attributes: Mapping[str, Any]

    def of(self, name: str) -> int:
        """A number among the attributes, 0 where it is not there."""
        return int(self.attributes.get(name, 0))


def graph_of(file: str) -> list[Node]:
    """What a process does, in the order of the file. `ApetError` if it cannot be read."""
    try:
        content = unpacked(file)
        nodes = list(_of_json(content) if content.lstrip()[:1] == b"{" else _of_frames(content))
    except (*DAMAGED, *MISFITS, struct.error) as error:
        raise ApetError(BadRecording(None, None, file, f"it is damaged, or no graph of Chakra: {error}")) from None
    other = next((node for node in nodes if not 0 <= node.kind < len(TYPES)), None)
    if other is not None:
        raise ApetError(BadRecording(None, None, file, f"operation {other.number} has type {other.kind}"))
    nodes = [node for node in nodes if node.kind > METADATA]
    if len({node.number for node in nodes}) < len(nodes) or not nodes:
        problem = "two operations have one number" if nodes else "there are no operations"
        raise ApetError(BadRecording(None, None, file, problem))
    return nodes


def _of_json(content: bytes) -> Iterator[Node]:
    """Documents one after the other: messages of protobuf, or one of Chakra's feeder."""
    text, decoder, at = content.decode().rstrip(), json.JSONDecoder(), 0
    while at < len(text):
        document, at = decoder.raw_decode(text, BLANKS.match(text, at).end())  # type: ignore[union-attr]
        if "workload_graph" in document:
            for n in document["workload_graph"]:
                after = _numbers(n.get("data_deps"))
                yield Node(int(n["Id"]), int(n["NodeType"]), duration(n.get("runtime", 0)), after, n)
        elif "id" in document or "type" in document:
            kind = TYPES.index(str(document.get("type", "INVALID_NODE")).removesuffix("_NODE"))
            lasts, after = duration(document.get("durationMicros", 0)), _numbers(document.get("dataDeps"))
            attributes = {a["name"]: _value(a) for a in document.get("attr", ())}
            yield Node(int(document.get("id", 0)), kind, lasts, after, attributes)


def _value(attribute: Mapping[str, Any]) -> Any:
    value = next((value for key, value in attribute.items() if key.endswith(("Val", "List"))), None)
    return value.get("values", []) if isinstance(value, Mapping) else value


def _numbers(values: Iterable[Any] | None) -> tuple[int, ...]:
    return tuple(map(int, values or ()))


def _of_frames(content: bytes) -> Iterator[Node]:
    """Frames of protobuf, each behind its length; the first is no node."""
    at, first = 0, True
    while at < len(content):
        length, at = _varint(content, at)
        if at + length > len(content):
            raise ValueError("it is cut off")
        if not first:
            yield _node(content[at : at + length])
        at, first = at + length, False


def _node(message: bytes) -> Node:
    """Field numbers are those of et_def.proto."""
    values = dict[int, int]()
    after, attributes = list[int](), dict[str, Any]()
    for field, value in _fields(message):
        if field == 5:
            after += [value] if isinstance(value, int) else _packed(value)
        elif field == 10 and isinstance(value, bytes):
            name, content = _attribute(value)
            attributes[name] = content
        elif isinstance(value, int):
            values[field] = value
    return Node(values.get(1, 0), values.get(3, 0), duration(values.get(7, 0)), tuple(after), attributes)


ZIGZAG, TEXT, NAME, DOCUMENTATION, TRUTHS = (15, 17), 29, 1, 2, 28
FIXED = {3: "<d", 5: "<f", 19: "<I", 21: "<Q", 23: "<i", 25: "<q"}


def _attribute(message: bytes) -> tuple[str, Any]:
    name, content = "", None
    for field, value in _fields(message):
        match value:
            case bytes() if field == NAME:
                name = value.decode()
            case _ if field == DOCUMENTATION:
                continue
            case bytes() if field in FIXED:
                (content,) = struct.unpack(FIXED[field], value)
            case bytes() if field == TRUTHS:
                content = [
                    bool(one) for _, each in _fields(value) for one in ((each,) if isinstance(each, int) else each)
                ]
            case bytes() if field == TEXT:
                content = value.decode()
            case int():
                signed = value - (1 << 64) if value >> 63 else value
                content = (value >> 1) ^ -(value & 1) if field in ZIGZAG else signed
            case _:
                content = value
    return name, content


VARINT, EIGHT, BYTES, FOUR = 0, 1, 2, 5
MOST_BITS = 70
"""Of ten bytes of seven each."""


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        if key & 7 == VARINT:
            value, at = _varint(message, at)
            yield key >> 3, value
            continue
        length = {EIGHT: 8, FOUR: 4}.get(key & 7)
        if length is None:
            if key & 7 != BYTES:
                raise ValueError("a field has no kind of protobuf")
            length, at = _varint(message, at)
        if at + length > len(message):
            raise ValueError("a field is cut off")
        yield key >> 3, message[at : at + length]
        at += length


def _packed(message: bytes) -> Iterable[int]:
    at = 0
    while at < len(message):
        value, at = _varint(message, at)
        yield value


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while shift < MOST_BITS:
        byte = message[at]
        value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return value, at
    raise ValueError("a number has more than 64 bits")
