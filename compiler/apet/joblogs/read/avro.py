"""Avro's binary encoding, as far as Hadoop's job histories use it (Apache Avro 1.11 specification, "Binary encoding").

A schema names the types; values follow each other without marks. Lengths are bounded by what is left of the file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

DEEPEST = 40


class AvroValues:
    """Values of one schema out of bytes; `ValueError` where they do not fit."""

    def __init__(self, schema: Any, content: bytes) -> None:
        self.schema, self.content, self.place = schema, content, 0
        self.types: dict[str, Any] = {}

    def all(self) -> Iterator[Any]:
        """Value after value until the end of the bytes."""
        self._declare(self.schema, 0)
        while self.place < len(self.content):
            before = self.place
            yield self._value(self.schema, 0)
            if self.place == before:
                raise ValueError("a value of no length")

    def _declare(self, schema: Any, depth: int) -> None:
        """Remember named types, so that they can be meant before or after."""
        if depth > DEEPEST:
            raise ValueError("a schema too deep")
        if isinstance(schema, list):
            for each in schema:
                self._declare(each, depth + 1)
        elif isinstance(schema, dict):
            if "name" in schema:
                self.types[str(schema["name"]).rpartition(".")[2]] = schema
            inner = [schema.get("items"), schema.get("values"), *(f["type"] for f in schema.get("fields", ()))]
            for each in inner:
                self._declare(each, depth + 1)

    def _value(self, schema: Any, depth: int) -> Any:
        if depth > DEEPEST:
            raise ValueError("a value too deep")
        if isinstance(schema, list):
            branch = self._long()
            if not 0 <= branch < len(schema):
                raise ValueError("no such branch of a union")
            return self._value(schema[branch], depth + 1)
        if isinstance(schema, str):
            named = self.types.get(schema.rpartition(".")[2])
            return self._plain(schema) if named is None else self._value(named, depth + 1)
        return self._complex(schema, depth)

    def _complex(self, schema: dict[str, Any], depth: int) -> Any:
        kind = schema["type"]
        if kind == "record":
            return {field["name"]: self._value(field["type"], depth + 1) for field in schema["fields"]}
        if kind == "enum":
            return schema["symbols"][self._long()]
        if kind == "array":
            return [self._value(schema["items"], depth + 1) for _ in self._counted()]
        if kind == "map":
            return {self._plain("string"): self._value(schema["values"], depth + 1) for _ in self._counted()}
        return self._value(kind, depth + 1)

    def _counted(self) -> Iterator[None]:
        """Once per item of an array or map: blocks with a count each, negative with a size in bytes, until a 0."""
        while count := self._long():
            if count < 0:
                self._long()
            if abs(count) > len(self.content) - self.place:
                raise ValueError("more items than bytes")
            yield from (None for _ in range(abs(count)))

    def _plain(self, kind: str) -> Any:
        if kind in ("int", "long"):
            return self._long()

        if kind in ("string", "bytes"):
            text = self._taken(self._long())
            return text.decode("utf-8", "replace") if kind == "string" else text
        if kind == "boolean":
            return self._taken(1) != b"\0"
        if kind in ("float", "double"):
            form = "<f" if kind == "float" else "<d"
            return struct.unpack(form, self._taken(struct.calcsize(form)))[0]

        if kind == "null":
            return None
        raise ValueError(f"no type is called {kind[:40]}")

    def _taken(self, count: int) -> bytes:
        end = self.place + count
        if count < 0 or end > len(self.content):
            raise ValueError("it ends in the middle of a value")
        part, self.place = self.content[self.place : end], end
        return part

    def _long(self) -> int:
        """Seven bits a byte, the lowest first; zig-zag, so that small negative numbers are short."""
        value = shift = 0
        while shift < 70:
            (byte,) = self._taken(1)
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return (value >> 1) ^ -(value & 1)
            shift += 7
        raise ValueError("a number too long")
