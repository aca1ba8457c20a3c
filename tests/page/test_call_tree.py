"""The call tree of a page: what folds, what is drawn, and that names stay text."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from apet.api.reports import pictures_of
from apet.page.call_tree import HEIGHT, WIDTH, PathNode, SmallChart, call_tree

NBODY = Path(__file__).resolve().parents[2] / "samples" / "runs" / "nbody.csv"

points = st.lists(st.tuples(st.floats(1e-3, 1e6), st.floats(1e-12, 1e6)), min_size=1, max_size=6)


def node(
    label: str, now: float, there: float, children: tuple[PathNode, ...] = (), charts: tuple[SmallChart, ...] = ()
) -> PathNode:
    return PathNode(label, False, now, there, there, there, "remark", "1e-9 n", charts, children)


def test_children_are_within_their_parents_and_small_paths_are_folded() -> None:
    inner = node("inner", 0.01, 0.02)
    outer = node("outer", 0.9, 0.8, (node("middle", 0.5, 0.5, (node("deep", 0.5, 0.5),)), inner))
    body = str(call_tree("tree", "Call paths", [outer], "remark").body)
    opened = re.findall(r"<details class=\"path \w+\"( open)?>.*?<b>\s*(\w+)</b>", body, re.DOTALL)
    assert opened == [(" open", "outer"), (" open", "middle"), ("", "deep"), ("", "inner")]
    assert body.index("deep") < body.index("inner")
    assert body.count("<details") == body.count("</details>") == 4
    assert re.search(r"(?s)outer.*<details.*inner.*</details>.*</details>", body)


def test_colours_tell_what_becomes_of_a_share() -> None:
    nodes = [
        node("a", 0.5, 0.6),
        node("b", 0.5, 0.4),
        node("c", 0.5, 0.51),
        node("d", 0.5, 0.4)._replace(work_grows=True),
    ]
    body = str(call_tree("tree", "Call paths", nodes, "").body)
    assert re.findall(r'<details class="path (\w+)"', body) == ["more", "less", "same", "grows"]


@given(points, points)
def test_charts_of_a_parameter_share_their_scale_and_stay_in_their_frame(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    same = first[0]
    charts = [SmallChart("n", own, [same]) for own in (first, second)]
    nodes = [node("a", 0.5, 0.5, charts=(charts[0],)), node("b", 0.5, 0.5, charts=(charts[1],))]
    body = str(call_tree("tree", "Call paths", nodes, "").body)
    placed = [tuple(map(float, pair)) for pair in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', body)]
    assert len(placed) == len(first) + len(second)
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in placed)
    lines = re.findall(r'polyline points="([^"]*)"', body)
    assert lines[0] == lines[1]


def test_hostile_names_stay_text() -> None:
    name = '<script>alert("x")</script>'
    body = str(
        call_tree("tree", "Call paths", [node(name, 0.5, 0.5, charts=(SmallChart(name, [(1, 1)], []),))], name).body
    )
    assert "<script" not in body
    assert 'aria-label="&lt;script' in body


def test_the_report_of_profiled_runs_has_the_tree() -> None:
    section = pictures_of(NBODY, {"parameters": ("n", "P")})[-1]
    body = str(section.body)
    assert (section.name, section.title) == ("tree", "Call paths")
    assert re.findall(r"<b>\s*(!? ?\w+)</b>", body)[0] == "forces"
    assert body.count("<polyline") == 2 * body.count("<details")
    assert "style=" not in body
