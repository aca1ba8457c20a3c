"""A call tree that folds: a bar and small charts for each path, all charts of one parameter on the same scale."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apet.page.build import Section, macro

WIDTH, HEIGHT, EDGE = 120.0, 56.0, 4.0
"""Of a small chart, in its own units."""
DECADES = 4.0
"""Of time that charts show below the longest one."""
OPEN_SHARE, OPEN_LEVELS = 0.1, 2
"""Paths of a smaller share, and deeper ones, are folded at first."""
SAME = 0.02
"""Of the run: shares that differ by less neither grow nor shrink."""


class SmallChart(NamedTuple):
    """Seconds of a path against a parameter, both above 0: as measured, and as its formula has it."""

    parameter: str
    measured: Sequence[tuple[float, float]]
    fitted: Sequence[tuple[float, float]]


class PathNode(NamedTuple):
    """A call path: its shares of the run now and there, the latter with its ends, and texts beside them."""

    label: str
    work_grows: bool
    now: float
    there: float
    low: float
    high: float
    remark: str
    formula: str
    charts: Sequence[SmallChart]
    children: Sequence[PathNode]


class _Scale(NamedTuple):
    """Logarithmic ranges of a chart."""

    left: float
    right: float
    bottom: float
    top: float

    def place(self, point: tuple[float, float]) -> str:
        """The coordinates of a point, at the edge where it is outside."""
        x = (math.log(point[0]) - self.left) / max(self.right - self.left, 1e-9)
        y = (math.log(point[1]) - self.bottom) / max(self.top - self.bottom, 1e-9)
        across = EDGE + min(max(x, 0.0), 1.0) * (WIDTH - 2 * EDGE)
        return f"{across:.1f},{HEIGHT - EDGE - min(max(y, 0.0), 1.0) * (HEIGHT - 2 * EDGE):.1f}"


def call_tree(name: str, title: str, roots: Sequence[PathNode], remark: str) -> Section:
    """The tree as nested elements that open and close without a script."""
    scales = _scales(roots)
    return Section(name, title, macro("calltree", [_shown(node, scales, 0) for node in roots], remark))


def _all(nodes: Sequence[PathNode]) -> Iterator[PathNode]:
    for node in nodes:
        yield node
        yield from _all(node.children)


def _scales(roots: Sequence[PathNode]) -> dict[str, _Scale]:
    """By parameter, over all paths: small charts can be compared by eye."""
    points = dict[str, list[tuple[float, float]]]()
    for node in _all(roots):
        for chart in node.charts:
            points.setdefault(chart.parameter, []).extend([*chart.measured, *chart.fitted])
    scales = {}
    for parameter, own in points.items():
        x, y = [math.log(p[0]) for p in own], [math.log(p[1]) for p in own]
        scales[parameter] = _Scale(min(x), max(x), max(min(y), max(y) - DECADES * math.log(10)), max(y))
    return scales


def _shown(node: PathNode, scales: dict[str, _Scale], level: int) -> dict[str, object]:
    """What the template asks for."""
    charts = [
        {
            "parameter": chart.parameter,
            "dots": [scales[chart.parameter].place(p).split(",") for p in chart.measured],
            "line": " ".join(scales[chart.parameter].place(p) for p in chart.fitted),
        }
        for chart in node.charts
    ]
    change = node.there - node.now
    kind = "grows" if node.work_grows else "more" if change > SAME else "less" if change < -SAME else "same"

    return {
        "label": node.label,
        "mark": "!" if node.work_grows else "",
        "kind": kind,
        "bars": [round(100 * v, 1) for v in (node.now, node.there, node.low, max(node.high - node.low, 0.0))],
        "remark": node.remark,
        "formula": node.formula,
        "charts": charts,
        "open": level < OPEN_LEVELS and max(node.now, node.there) >= OPEN_SHARE,
        "children": [_shown(child, scales, level + 1) for child in node.children],
    }
