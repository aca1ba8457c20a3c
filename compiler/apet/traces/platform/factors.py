"""What a platform says of messages by size: SMPI's options `smpi/lat-factor` and `smpi/bw-factor`."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING

from apet.traces.platform.parts import SMPI, Factors
from apet.traces.platform.xml import Element

if TYPE_CHECKING:
    from apet.traces.platform.reader import Builder

OPTIONS = ("smpi/lat-factor", "smpi/bw-factor")
SPREAD = "apet-spread"
"""A property of clusters that SimGrid keeps for others."""
Steps = list[tuple[float, float]]
"""Thresholds in bytes, and the factor above each."""


def factors(builder: Builder, root: Element) -> Factors:
    """The factors of a platform; those of SMPI for what it does not say."""
    steps_by_name: dict[str, Steps] = {}
    for config in root.inside:
        for prop in config.inside if config.tag == "config" else ():
            name = prop.attributes.get("id", "")
            if name in OPTIONS:
                steps_by_name[name] = _steps(builder, prop, name)
    if not any(steps_by_name.values()):
        return SMPI

    usual = dict(zip(OPTIONS, (_of(SMPI.latency), _of(SMPI.bandwidth)), strict=True))
    chosen = [steps_by_name.get(name) or usual[name] for name in OPTIONS]
    thresholds = sorted({above for steps in chosen for above, _ in steps})
    latency, bandwidth = ((1.0, *(_at(steps, t) for t in thresholds)) for steps in chosen)
    return Factors(tuple(thresholds), latency, bandwidth)


def ranges(builder: Builder, element: Element) -> None:
    """Enter what a cluster says of the spread of its measurements: `speed:0.95:1.04;latency:0.9:1.2`."""
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


def _of(values: tuple[float, ...]) -> Steps:
    return list(zip(SMPI.thresholds, values[1:], strict=True))


def _at(steps: Steps, threshold: float) -> float:
    """The factor above a threshold."""
    k = bisect_left(steps, (threshold, math.inf))
    return steps[k - 1][1] if k else 1.0


def _steps(builder: Builder, prop: Element, name: str) -> Steps:
    """`0:1.0;65472:11.6` by threshold."""
    text, steps = prop.attributes.get("value", ""), list[tuple[float, float]]()
    for part in text.split(";"):
        above, _, factor = part.partition(":")
        try:
            step = float(above), float(factor)
        except ValueError:
            step = math.nan, math.nan
        if not (math.isfinite(step[0]) and math.isfinite(step[1]) and step[0] >= 0 and step[1] >= 0):
            problem, advised = f"'{part}' is no threshold with a factor", 'write "0:1.0;65472:11.6"'
            builder.wrong(prop, name, text, problem, advised)
            return []
        if name == "smpi/bw-factor" and step[1] == 0:
            problem, advised = "a bandwidth cannot be multiplied by 0", "leave the threshold out"
            builder.wrong(prop, name, text, problem, advised)
            return []
        steps.append(step)

    return sorted(steps)
