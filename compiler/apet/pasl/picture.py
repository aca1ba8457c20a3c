"""A task graph as Graphviz text, and as a picture with one row for each level of its flows."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import NamedTuple

from apet.pasl.task_graph import Arc, BatchNode, TaskGraph, levels
from apet.show import svg as svg_text
from apet.show.svg import LINE, MARGIN, PADDING, PixelBox, wide

ROW, GAP = 110, 40
PASSING = 12.0
ROUNDS = 4
COLOURS = {"coordinator": "#fff1d6", "workers": "#e3eefb"}


def dot(graph: TaskGraph) -> str:
    """The text that Graphviz draws: a box for a batch, an arrow for a flow."""
    lines = [f"digraph {_quoted(graph.title)} {{", "    rankdir = TB;", "    node [shape = box, style = filled];"]
    for node in graph.nodes:
        label = "\\n".join(_inside(t) for t in _labels(node))
        lines.append(f'    {_quoted(node.name)} [label = "{label}", fillcolor = "{COLOURS[node.place]}"];')
    for arc in graph.arcs:
        label = f" [label = {_quoted(arc.size)}]" if arc.size else ""
        lines.append(f"    {_quoted(arc.source)} -> {_quoted(arc.target)}{label};")
    return "\n".join([*lines, "}"]) + "\n"


def svg(graph: TaskGraph) -> str:
    """A picture as SVG text, without any library: rows are levels, batches of a row are ordered to cross little.

    An arrow that passes rows has a place of its own in each of them.
    """
    places = _layout(graph)
    arrows = [_way(places, arc) for arc in graph.arcs]
    labels = _labelled(graph, arrows)
    width = max([places.width, *(x + wide(text) + MARGIN for x, _, text in labels)])
    elements = [svg_text.arrow(points) for points in arrows]
    for node in graph.nodes:
        elements += svg_text.box(places.boxes[node.name], _labels(node), COLOURS[node.place])
    elements += [svg_text.label(x, y, text) for x, y, text in labels]
    return svg_text.document(graph.title, width, places.height, elements)


Place = str | tuple[str, str, int]
"""A batch, or where an arrow from one to another passes a row."""


class PicturePlaces(NamedTuple):
    """Size of the picture, where everything is, and the row of each batch."""

    width: float
    height: float
    boxes: dict[Place, PixelBox]
    level: dict[str, int]


def _labels(node: BatchNode) -> tuple[str, ...]:
    one = node.number == "1"
    place = ", on the coordinator" if node.place == "coordinator" else ""
    return node.name, f"{node.number} task{'' if one else 's'}{place}", node.task


def _layout(graph: TaskGraph) -> PicturePlaces:
    """The boxes of all batches, row by row, with room for the arrows that pass."""
    rows, level = _rows(graph)
    tall = 3 * LINE + PADDING
    widths_of: dict[Place, float] = {n.name: max(map(wide, _labels(n))) + 2 * PADDING for n in graph.nodes}
    widths = [sum(widths_of.get(n, PASSING) for n in row) + GAP * (len(row) - 1) for row in rows]
    width = max(widths) + 2 * MARGIN

    boxes: dict[Place, PixelBox] = {}
    for k, row in enumerate(rows):
        left = (width - widths[k]) / 2
        for name in row:
            boxes[name] = PixelBox(left, MARGIN + k * ROW, widths_of.get(name, PASSING), tall)
            left += widths_of.get(name, PASSING) + GAP
    return PicturePlaces(width, MARGIN * 2 + (len(rows) - 1) * ROW + tall, boxes, level)


def _rows(graph: TaskGraph) -> tuple[list[list[Place]], dict[str, int]]:
    """Batches and passing arrows by level; within a row at the mean place of those they are joined to (barycentres,
    Sugiyama, Tagawa and Toda, 1981)."""
    names = [n.name for n in graph.nodes]
    after: dict[str, list[str]] = {n: [] for n in names}
    for arc in graph.arcs:
        after[arc.source].append(arc.target)
    level = levels(names, after)
    rows: list[list[Place]] = [[n for n in names if level[n] == k] for k in range(max(level.values(), default=0) + 1)]
    near: dict[Place, list[Place]] = {n: [] for n in names}
    for arc in graph.arcs:
        chain = _chain(arc, level)
        for place in chain[1:-1]:
            near[place] = []
            rows[place[2]].append(place)  # type: ignore[index]
        for one, other in pairwise(chain):
            near[one].append(other)
            near[other].append(one)
    for _ in range(ROUNDS):
        now = {n: (i + 0.5) / len(row) for row in rows for i, n in enumerate(row)}

        def mean(name: Place, now: dict[Place, float] = now) -> float:
            neighbours = [now[n] for n in near[name]]
            return sum(neighbours) / len(neighbours) if neighbours else now[name]

        rows = [sorted(row, key=mean) for row in rows]
    return rows, level


def _chain(arc: Arc, level: dict[str, int]) -> list[Place]:
    """What an arrow passes from its source to its target."""
    between = range(level[arc.source] + 1, level[arc.target])
    return [arc.source, *((arc.source, arc.target, k) for k in between), arc.target]


Way = list[tuple[float, float]]
"""Points of an arrow: from a foot to a head for each gap between rows."""


def _way(places: PicturePlaces, arc: Arc) -> Way:
    points: Way = []
    for one, other in pairwise(_chain(arc, places.level)):
        (x, y, w, h), (a, b, c, _) = places.boxes[one], places.boxes[other]
        points += [(x + w / 2, y + h), (a + c / 2, b)]
    return points


def _labelled(graph: TaskGraph, arrows: list[Way]) -> list[tuple[float, float, str]]:
    """Left end, base line and text of the sizes: beside the middle of an arrow's first part, none over another."""
    labels: list[tuple[float, float, str]] = []
    for arc, points in zip(graph.arcs, arrows, strict=True):
        if not arc.size:
            continue

        (x1, y1), (x2, y2) = points[:2]
        x, y = (x1 + x2) / 2 + 6, (y1 + y2) / 2 + 4
        for shift in (0, -LINE, LINE):
            free = all(
                abs(y + shift - b) >= LINE - 2 or x >= a + wide(text) or a >= x + wide(arc.size)
                for a, b, text in labels
            )
            if free:
                break
        labels.append((x, y + shift, arc.size))
    return labels


def _quoted(text: str) -> str:
    return f'"{_inside(text)}"'


def _inside(text: str) -> str:
    """A text as it stands between the quotes of a Graphviz string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
