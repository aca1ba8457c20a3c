"""Laws of the pictures of explanations, deadlines and comparisons: what is drawn is what was found."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.container import BarContainer

import apet
import apet.api
from apet.ground.interval import Interval
from apet.ground.source import Source
from apet.machine import Machines, parse_machines
from apet.questions.compare.compare import compare
from apet.questions.compare.plots import comparison_figure
from apet.questions.explain.plots import explanation_figure
from apet.questions.solve.plots import solution_figure
from apet.questions.solve.solve import Question, curve, solve

LAB = """
schema = 1
[[machine]]
name = "one"
count = 8
op_s.w = [1.0, 2.0]
op_s.v = [0.5, 0.6]
"""
WORK = "param P; param n = 8; L = par (p = 1, P) { seq (i = 1, n / P) w[p]; v[p]; };"


@pytest.fixture(scope="module")
def lab() -> Machines:
    return parse_machines(Source("lab.toml", LAB))


def _bars(axes: Any) -> list[tuple[float, float]]:
    """From where to where each bar of the axes goes."""
    bars = [bar for group in axes.containers if isinstance(group, BarContainer) for bar in group]
    return [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars]


def test_a_tornado_has_the_widest_interval_on_top_and_bars_to_both_ends(lab: Machines) -> None:
    found = apet.explain(apet.compile_text(WORK), lab, P=2)
    tornado, terms, parts = explanation_figure(found, "title").axes
    names = [label.get_text() for label in tornado.get_yticklabels()]
    assert names == ["t_w", "t_v"] == [s.name for s in found.swings]
    assert tornado.yaxis_inverted()
    ends = sorted(end for bar in _bars(tornado) for end in bar)
    assert ends[0] == pytest.approx(found.swings[0].low)
    assert ends[-1] == pytest.approx(found.swings[0].high)
    assert [label.get_text() for label in terms.get_yticklabels()] == [t.name for t in found.tmax.terms]
    assert sum(width for _, width in _bars(parts)) == pytest.approx(1)


def test_a_deadline_is_a_line_at_its_time(lab: Machines) -> None:
    predictor = apet.api.predictor(apet.compile_text(WORK), lab)
    question = Question(5)
    solution = solve(predictor, question)
    (axes,) = solution_figure(solution, curve(predictor, question, solution), "title").axes
    (deadline,) = [line for line in axes.lines if line.get_label() == "deadline"]
    assert set(deadline.get_ydata()) == {5.0}  # type: ignore[arg-type]
    labels = {text.get_text() for text in axes.get_legend().get_texts()}  # type: ignore[union-attr]
    assert {"met", "not met"} <= labels
    assert axes.get_xlabel() == "processors P"


def test_an_operation_has_its_unit_on_the_axis(lab: Machines) -> None:
    predictor = apet.api.predictor(apet.compile_text(WORK), lab)
    question = Question(5, "t_w", Interval(1e-3, 3), 4)
    solution = solve(predictor, question)
    (axes,) = solution_figure(solution, curve(predictor, question, solution), "title").axes
    assert axes.get_xlabel() == "t_w [s]"


def test_a_comparison_is_drawn_over_all_processors_and_over_what_varies(lab: Machines) -> None:
    sides = [apet.api.predictor(apet.compile_text(t), lab) for t in (WORK, "L = { w[1]; w[1]; };")]
    found = compare(sides[0], sides[1], [2, 4], vary=("n", Interval(1, 50)))
    by_processors, by_n = comparison_figure(found).axes
    x: Any = by_processors.lines[0].get_xdata()
    assert list(x) == list(range(1, 9))
    assert by_n.get_xlabel() == "n, on 4 processors"
    labels = [t.get_text() for t in by_n.get_legend().get_texts()]  # type: ignore[union-attr]
    assert labels[:2] == ["A", "B"]
    assert len(labels) == len(set(labels))
    assert "A is faster" in labels  # the strip along the bottom
