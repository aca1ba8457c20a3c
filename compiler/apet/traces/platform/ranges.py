"""What a cluster of a platform says of the spread of its measurements: `speed:0.95:1.04;latency:0.9:1.2`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from apet.ground.documents.xml import Element

if TYPE_CHECKING:
    from apet.traces.platform.reader import Builder

SPREAD = "apet-spread"
"""A property of clusters that SimGrid keeps for others."""


def ranges(builder: Builder, element: Element) -> None:
    """Enter them."""
    for prop in element.inside:
        if prop.tag != "prop" or prop.attributes.get("id") != SPREAD:
            continue
        text = prop.attributes.get("value", "")
        for part in text.split(";"):
            name, _, ends = part.partition(":")
            low, _, high = ends.partition(":")
            try:
                span = float(low), float(high)
            except ValueError:
                span = math.nan, math.nan
            if name not in ("speed", "latency", "bandwidth") or not 0 < span[0] <= span[1] < math.inf:
                problem, advised = f"'{part}' is no range of multiples", 'write "speed:0.95:1.04;latency:0.9:1.2"'
                builder.wrong(prop, SPREAD, text, problem, advised)
                return
            builder.ranges[name] = span
