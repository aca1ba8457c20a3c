"""Reads times, latencies, bandwidths and loads: one number, [lower, upper], or a distribution."""

from __future__ import annotations

from apet.ground.documents.table import NUMBER_OR_PAIR, Table
from apet.ground.interval import Interval
from apet.ground.values import ends as range_ends


def interval(table: Table, key: str, *, above: bool = False, unit_key: str | None = None) -> Interval | None:
    """What is under a key, not negative (greater than 0, with `above`); None if it is absent or wrong."""
    key = table.spelled(key)
    if key not in table:
        return None
    value, path = table.content[key], table.at(key)
    carrier = key if unit_key is None else unit_key
    if isinstance(value, str) and ".." in value:
        low, _, high = range_ends(value)
        value = [low.strip(), high.strip()]

    if isinstance(value, dict):
        from apet.machine.spread_reader import spread  # few files have distributions

        return spread(Table(value, path, table.notes), carrier, above)
    if isinstance(value, list):
        ends = table.pair(path, value, carrier, above)
        return None if ends is None else Interval(*ends)
    point = table.figure(path, value, carrier, above, NUMBER_OR_PAIR)
    return None if point is None else Interval(point, point)
