"""Reads distributions: `{ samples = [..] }` or `{ quantiles = { "0.05" = .., "0.95" = .. } }`."""

from __future__ import annotations

import math
import re
from itertools import pairwise

from apet.ground.documents.document_errors import shown
from apet.ground.documents.table import Table
from apet.machine import errors
from apet.machine.spread import Spread, of_quantiles, of_samples

KEYS = ("samples", "quantiles", "note")
_LEVEL = re.compile(r"\d*\.?\d+(?:[eE][+-]?\d+)?|\d+\.")


def spread(table: Table, carrier: str, above: bool) -> Spread | None:
    """The distribution in a table; None, with notes, if it is wrong. `carrier` is the key that carries the unit."""
    forms = [key for key in ("samples", "quantiles") if key in table]
    meant = any(key.lower().startswith(("sample", "quantile")) for key in table.content)
    if meant:
        table.allow(KEYS)
    if not meant or len(forms) == 2:
        problem = "hold either samples or quantiles, not both"
        if not forms:
            problem = "be one number, [lower, upper], or a table of samples or quantiles"
        table.notes.at_key(errors.NotADistribution, table.path, problem)
    if len(forms) != 1:
        return None

    return (_samples if forms[0] == "samples" else _quantiles)(table, carrier, above)


def _samples(table: Table, carrier: str, above: bool) -> Spread | None:
    value, path = table.content["samples"], table.at("samples")
    if not isinstance(value, list) or not value:
        table.notes.wrong_type(path, "an array of one measured value or more", value)
        return None
    figures = [table.figure((*path, i), sample, carrier, above) for i, sample in enumerate(value)]
    values = [v for v in figures if v is not None]
    return of_samples(values) if len(values) == len(figures) else None


def _quantiles(table: Table, carrier: str, above: bool) -> Spread | None:
    inner = table.table("quantiles")
    if inner is None:
        return None
    pairs = []
    for text, value in inner.content.items():
        level = _level(inner, text)
        seconds = inner.figure(inner.at(text), value, carrier, above)
        if level is not None and seconds is not None:
            pairs.append((level, seconds, text))
    if len(pairs) < len(inner.content):
        return None
    if len(pairs) < 2:
        inner.notes.wrong_type(inner.path, 'two levels or more, such as "0.05" and "0.95"', inner.content)
        return None

    pairs.sort()
    for (u1, v1, before), (u2, v2, text) in pairwise(pairs):
        if u1 == u2 or v1 > v2:
            inner.notes.at_value(errors.QuantilesFall, inner.at(text), text, shown(v2), before, shown(v1))
            return None

    return of_quantiles([(u, v) for u, v, _ in pairs])


def _level(table: Table, text: str) -> float | None:
    level = float(text) if _LEVEL.fullmatch(text) else math.nan
    if 0 <= level <= 1:
        return level
    table.notes.at_key(errors.NotALevel, table.at(text), text)
    return None
