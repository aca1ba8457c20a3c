"""Pictures of task graphs: everything is in them, and nothing lies on top of anything else."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import Golden
from tests.pasl.test_task_graph import Graph, acyclic

from apet.ground.source import Source
from apet.java import translate as translate_java
from apet.pasl import translate
from apet.pasl.picture import dot, svg
from apet.pasl.task_graph import Arc, BatchNode, TaskGraph, levels

GOLDEN = Path(__file__).resolve().parents[1] / "data" / "pasl"
NAMES = "{http://www.w3.org/2000/svg}"


def drawn(graph: Graph) -> TaskGraph:
    names, after = graph
    nodes = tuple(BatchNode(n, "n / 2", f"{n}<.java", "workers") for n in names)
    return TaskGraph('a "graph" & more', nodes, tuple(Arc(a, b, "8 B") for a in after for b in after[a]))


def boxes(text: str) -> list[tuple[float, float, float, float]]:
    found = [r for r in ElementTree.fromstring(text).findall(f"{NAMES}rect") if "x" in r.attrib]
    return [tuple(float(r.attrib[k]) for k in ("x", "y", "width", "height")) for r in found]  # type: ignore[misc]


@given(acyclic())
def test_no_two_boxes_of_a_picture_overlap_and_all_lie_inside(graph: Graph) -> None:
    text = svg(drawn(graph))
    root, found = ElementTree.fromstring(text), boxes(text)
    assert len(found) == len(graph[0])
    for x, y, w, h in found:
        assert x >= 0
        assert y >= 0
        assert x + w <= float(root.attrib["width"]) + 1e-6
        assert y + h <= float(root.attrib["height"]) + 1e-6
    for (x, y, w, h), (a, b, c, d) in combinations(found, 2):
        assert x + w <= a or a + c <= x or y + h <= b or b + d <= y


@given(acyclic())
def test_every_arrow_leads_from_the_foot_of_a_box_down_to_the_top_of_another(graph: Graph) -> None:
    text = svg(drawn(graph))
    paths = re.findall(r'<path d="M([-\d.e+]+),([-\d.e+]+) C.* ([-\d.e+]+),([-\d.e+]+)" fill="none"', text)
    assert len(paths) == sum(map(len, graph[1].values()))
    feet = {(round(x + w / 2, 2), round(y + h, 2)) for x, y, w, h in boxes(text)}
    tops = {(round(x + w / 2, 2), round(y, 2)) for x, y, w, _ in boxes(text)}
    for x1, y1, x2, y2 in (map(float, p) for p in paths):
        assert any(abs(x1 - x) < 0.1 and abs(y1 - y) < 0.1 for x, y in feet)
        assert any(abs(x2 - x) < 0.1 and abs(y2 - y) < 0.1 for x, y in tops)
        assert y1 < y2


@given(acyclic())
def test_rows_are_the_levels_of_the_flows(graph: Graph) -> None:
    names, after = graph
    level = levels(names, after)
    rows = {y for _, y, _, _ in boxes(svg(drawn(graph)))}
    assert len(rows) == max(level.values()) + 1


@given(st.text(min_size=1).filter(str.isprintable))
def test_any_text_is_quoted_in_graphviz_text(text: str) -> None:
    shown = dot(TaskGraph(text, (BatchNode("a", "1", text, "workers"),), ()))
    for line in shown.splitlines():
        assert len(re.findall(r'(?<!\\)(?:\\\\)*"', line)) % 2 == 0


def test_a_coordinators_batch_looks_different(assert_golden: Golden) -> None:
    nodes = (BatchNode("split", "1", "S.java", "coordinator"), BatchNode("work", "n", "W.java W.run", "workers"))
    graph = TaskGraph("two", nodes, (Arc("split", "work", "1 kB"),))
    assert_golden(GOLDEN / "two.dot", dot(graph))
    assert_golden(GOLDEN / "two.svg", svg(graph))


def test_the_picture_in_the_documentation_is_what_is_drawn_now(root: Path, assert_golden: Golden) -> None:
    path = root / "samples" / "pasl" / "matrix.pasl"
    found = translate(Source(str(path), path.read_text(encoding="utf-8")), translate_java)
    assert_golden(root / "docs" / "images" / "matrix-graph.svg", svg(found.graph))
