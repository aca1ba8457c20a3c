"""Key paths of TOML and JSON texts, and where a key and its value stand."""

from __future__ import annotations

from apet.ground.records import NamedTuple
from apet.ground.source import Span

KeyPath = tuple[str | int, ...]
"""Names of keys, and indices from 0 into arrays."""


class Place(NamedTuple):
    """Where a key is written and where its value is; for a TOML table, both are its header."""

    key: Span
    value: Span


def dotted(path: KeyPath) -> str:
    """A key path as people write it: `machine[2].op_s.sum_double`, arrays counted from 1."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += ("." if text else "") + part
    return text
