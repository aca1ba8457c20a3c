"""A task graph as Graphviz text, and as a picture with one row for each level of its flows."""

from __future__ import annotations

import json
from html import escape

from apet.analysis.task_graph import Node, TaskGraph, levels

LETTER, LINE, PADDING = 7.0, 16, 12
ROW, GAP, MARGIN = 110, 40, 20
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
    """A picture as SVG text, without any library: rows are levels, batches of a row are ordered to cross little."""
    width, height, boxes = _layout(graph)
    shown = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="12">',
        f"<title>{escape(graph.title)}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0,0 L8,4 L0,8 z" fill="#555"/></marker></defs>',
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
    ]
    for arc in graph.arcs:
        shown += _arrow(boxes[arc.source], boxes[arc.target], arc.size)
    for node in graph.nodes:
        shown += _box(node, boxes[node.name])
    return "\n".join([*shown, "</svg>"]) + "\n"


Box = tuple[float, float, float, float]
"""Left, top, width and height in pixels."""


def _labels(node: Node) -> tuple[str, ...]:
    one = node.number == "1"
    place = ", on the coordinator" if node.place == "coordinator" else ""
    return node.name, f"{node.number} task{'' if one else 's'}{place}", node.task


def _layout(graph: TaskGraph) -> tuple[float, float, dict[str, Box]]:
    """Width and height of the picture, and the box of every batch."""
    rows = _rows(graph)
    nodes = {n.name: n for n in graph.nodes}
    tall = 3 * LINE + PADDING
    wide = {n.name: max(len(t) for t in _labels(n)) * LETTER + 2 * PADDING for n in graph.nodes}
    widths = [sum(wide[n] for n in row) + GAP * (len(row) - 1) for row in rows]
    width = max(widths) + 2 * MARGIN
    boxes: dict[str, Box] = {}
    for k, row in enumerate(rows):
        left = (width - widths[k]) / 2
        for name in row:
            boxes[nodes[name].name] = (left, MARGIN + k * ROW, wide[name], tall)
            left += wide[name] + GAP
    return width, MARGIN * 2 + (len(rows) - 1) * ROW + tall, boxes


def _rows(graph: TaskGraph) -> list[list[str]]:
    """Batches by level; within a row at the mean place of those they are joined to (barycentres, Sugiyama, 1981)."""
    names = [n.name for n in graph.nodes]
    after: dict[str, list[str]] = {n: [] for n in names}
    near: dict[str, list[str]] = {n: [] for n in names}
    for arc in graph.arcs:
        after[arc.source].append(arc.target)
        near[arc.source].append(arc.target)
        near[arc.target].append(arc.source)
    level = levels(names, after)
    rows = [[n for n in names if level[n] == k] for k in range(max(level.values(), default=0) + 1)]
    for _ in range(ROUNDS):
        place = {n: (i + 0.5) / len(row) for row in rows for i, n in enumerate(row)}

        def mean(name: str, place: dict[str, float] = place) -> float:
            found = [place[n] for n in near[name]]
            return sum(found) / len(found) if found else place[name]

        rows = [sorted(row, key=mean) for row in rows]
    return rows


def _box(node: Node, box: Box) -> list[str]:
    left, top, wide, tall = box
    shown = [
        f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{tall:g}" rx="6" '
        f'fill="{COLOURS[node.place]}" stroke="#555"/>'
    ]
    for k, text in enumerate(_labels(node)):
        weight = ' font-weight="bold"' if k == 0 else ""
        y = top + PADDING / 2 + LINE * (k + 0.8)
        shown.append(f'<text x="{left + wide / 2:g}" y="{y:g}" text-anchor="middle"{weight}>{escape(text)}</text>')
    return shown


def _arrow(source: Box, target: Box, size: str) -> list[str]:
    """From the lower edge of one box to the upper edge of another; bent where it passes a row in between."""
    x1, y1 = source[0] + source[2] / 2, source[1] + source[3]
    x2, y2 = target[0] + target[2] / 2, target[1]
    aside = 0.0 if y2 - y1 < ROW else (source[2] + GAP) * 0.75
    bend = (y2 - y1) / 2
    path = f"M{x1:g},{y1:g} C{x1 + aside:g},{y1 + bend:g} {x2 + aside:g},{y2 - bend:g} {x2:g},{y2:g}"
    shown = [f'<path d="{path}" fill="none" stroke="#555" marker-end="url(#tip)"/>']
    if size:
        x, y = (x1 + x2) / 2 + aside * 0.75 + 6, (y1 + y2) / 2 + 4
        shown.append(f'<text x="{x:g}" y="{y:g}" fill="#555">{escape(size)}</text>')
    return shown


def _quoted(text: str) -> str:
    return f'"{_inside(text)}"'


def _inside(text: str) -> str:
    """A text as it stands between the quotes of a Graphviz string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]
