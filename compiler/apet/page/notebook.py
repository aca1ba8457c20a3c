"""What notebooks show of APET's values: the pieces of answers, drawn by the renderer of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from apet.answers.blocks import Folded, Formulas, Heading, Picture, Piece, Sentences, Settings, Table
from apet.answers.html import Html
from apet.answers.html import html as drawn
from apet.answers.predictions import predictions_table, settings, shared_parameters
from apet.cost import CostModel
from apet.ground.interval import Interval
from apet.machine import Machines
from apet.page.facts import flat, seconds
from apet.prediction.prediction import Limit, Prediction
from apet.questions.compare.comparison import Comparison
from apet.questions.explain.explanation import Explanation, Term
from apet.questions.regions.regions import Line, Plane
from apet.questions.solve.solution import Solution
from apet.questions.sweep.summary import OBJECTIVES, SweepPoint, SweepSummary
from apet.show.formula_lines import bound_rows, formula_rows
from apet.show.tables import time_cells
from apet.show.times import percent
from apet.show.values import value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_ROWS, MOST_TERMS, MOST_GROUPS = 40, 8, 8
LEAST_FOR_PICTURE = 2
BAR = 16
"""Characters of a bar for the whole."""


def html(value: object) -> str | None:
    """HTML of a value, or of a list of predictions; None for what has none."""
    if isinstance(value, list):
        return predictions(value) if value and all(isinstance(each, Prediction) for each in value) else None
    kind = next((kind for kind in PIECES if isinstance(value, kind)), None)
    return None if kind is None else _shown(PIECES[kind](value))


def predictions(listed: Sequence[Prediction]) -> Html:
    """One row each; above them what they share, below them a picture where they differ in P."""
    return _shown(_predictions(listed))


def _shown(pieces: Iterable[Piece]) -> Html:
    return drawn([[*pieces]], embedded=True)


def _picture(draw: Callable[[], Figure], caption: str) -> Picture:
    return Picture(draw, caption, "")


# Predictions


def _prediction(prediction: Prediction) -> Iterator[Piece]:
    yield from _predictions([prediction])
    yield _terms(prediction.limits)


def _predictions(listed: Sequence[Prediction]) -> Iterator[Piece]:
    timed = all(_are_times(p.limits) for p in listed)
    on_processors = all("P" in p.parameters for p in listed)
    table = predictions_table(listed, "guaranteed" if timed else "bounds", "s" if timed else "", on_processors)
    yield Settings(settings(None, shared_parameters(listed)))
    yield table
    processors = {p.parameters.get("P") for p in listed}
    against_P = timed and [*table.header[:2]] == ["P", "estimate"]
    if against_P and LEAST_FOR_PICTURE <= len(processors) == len(listed):
        from apet.show.plots import interval_figure

        caption = "Estimate and guaranteed interval against processors"
        yield _picture(partial(interval_figure, listed, "Run time"), caption)


def _are_times(terms: Sequence[Limit | Term]) -> bool:
    """Whether they are of a model, and so in seconds: those of other cost models have names of their own."""
    return all(term.name == "T0" or term.name.startswith("T[") for term in terms)


def _terms(terms: Sequence[Limit | Term]) -> Table:
    of = "s" if _are_times(terms) else ""
    times = time_cells([t.seconds for t in terms[:MOST_TERMS]], of)
    bars = ["█" * round(BAR * min(max(t.share, 0.0), 1.0)) for t in terms]
    rows = [[t.name, time, percent(t.share), bar] for t, time, bar in zip(terms, times, bars, strict=False)]
    return Table(("term at tmax", "time" if of else "value", "share", ""), rows, "<>><")


# Models and machines


def _cost_model(app: CostModel) -> Iterator[Piece]:
    yield Heading(app.name)
    yield Formulas([*formula_rows(app), *bound_rows(app)])
    yield Settings([f"branches: {app.setting.branches}", *(f"parameter {name}" for name in app.parameters)])


def _machines(lab: Machines) -> Iterator[Piece]:
    every = (*lab.groups, lab.coordinator)
    listed = every if len(every) <= MOST_GROUPS else (*every[: MOST_GROUPS - 1], lab.coordinator)
    heads = ["", *(g.name if g is not lab.coordinator else f"{g.name} (coordinator)" for g in listed)]
    facts = [
        ["machines", *(str(g.count) for g in listed)],
        ["cores", *(str(g.cores) for g in listed)],
        ["load of others", *(_share(g.load) for g in listed)],
        ["cost per hour", *("" if g.cost_per_hour is None else f"{g.cost_per_hour:g}" for g in listed)],
    ]
    operations = sorted({op for g in listed for op in g.op_s})
    times = [[op, *(seconds(g.op_s.get(op)) for g in listed)] for op in operations[:MOST_ROWS]]
    rows = [row for row in facts if any(cell not in ("", "none") for cell in row[1:])] + times
    remarks = [f"{len(every) - len(listed)} further kinds of machines"] if len(every) > len(listed) else []
    if len(operations) > MOST_ROWS:
        remarks.append(f"{len(operations) - MOST_ROWS} further operations")

    yield Heading(f"{lab.name} ({lab.file}): {lab.processors:,} processors")
    yield Table(heads, rows, "<" + ">" * len(listed))
    yield Sentences([*remarks, _network(lab), *([lab.note] if lab.note else [])])
    if origin := flat(lab.provenance):
        yield Folded("where the numbers come from", [Table(("", ""), [[n, str(v)] for n, v in origin], "<<")])


def _share(load: Interval) -> str:
    if not load.hi:
        return "none"
    return percent(float(load.lo)) if load.is_point else f"{percent(float(load.lo))} … {percent(float(load.hi))}"


def _network(lab: Machines) -> str:
    network = lab.network
    if network.latency_s is None or network.bandwidth_B_per_s is None:
        return "network: not known"
    speed = " … ".join(dict.fromkeys(f"{float(end) / 1e6:.4g}" for end in network.bandwidth_B_per_s))
    return f"network: {network.topology}, latency {seconds(network.latency_s)}, bandwidth {speed} MB/s"


# Answers


def _explanation(explanation: Explanation) -> Iterator[Piece]:
    from apet.questions.explain.plots import explanation_figure
    from apet.questions.explain.report import explanation_blocks

    values = settings(None, explanation.parameters)
    timed = _are_times(explanation.tmax.terms)
    yield Settings(values)
    for block in explanation_blocks(explanation, "T", "s" if timed else "", timed):
        yield from block
    if timed and explanation.swings:
        figure = partial(explanation_figure, explanation, " · ".join(values))
        yield _picture(figure, "What each interval does to T, and what T is made of")


def _solution(solution: Solution) -> Iterator[Piece]:
    from apet.questions.solve.report import answer_sentences, question, solution_table

    yield Settings([question(solution)])
    yield solution_table(solution)
    yield Sentences(answer_sentences(solution))


def _comparison(comparison: Comparison) -> Iterator[Piece]:
    from apet.questions.compare.report import comparison_answer

    answer = comparison_answer(comparison)
    for block in answer.blocks:
        yield from block
    if answer.figure and (len(comparison.scanned) >= LEAST_FOR_PICTURE or comparison.varied is not None):
        yield _picture(answer.figure, "Times of both sides, and who is faster where")


def _sweep(summary: SweepSummary) -> Iterator[Piece]:
    undefined = f", {summary.undefined:,} without a prediction" if summary.undefined else ""
    ends = [(name, point) for name, point in (("best", summary.best), ("worst", summary.worst)) if point is not None]
    yield Sentences([f"{summary.points:,} points{undefined}"])
    yield _points(summary, ends)
    if len(summary.front) >= LEAST_FOR_PICTURE:
        from apet.questions.sweep.plots import front_figure

        yield Heading("Pareto front")
        yield _points(summary, [("", point) for point in summary.front[:MOST_ROWS]])
        figure = partial(front_figure, summary, "Pareto front")
        yield _picture(figure, "Time against cost of the points that no other beats")


def _points(summary: SweepSummary, points: Sequence[tuple[str, SweepPoint]]) -> Table:
    head = ["", *summary.names, summary.objective, "limited by"]
    times = time_cells([point.times[OBJECTIVES[summary.objective]] for _, point in points])
    rows = []
    for (name, point), time in zip(points, times, strict=True):
        values = [v if isinstance(v, str) else value_text(v) for v in point.values.values()]
        rows.append([name, *values, time, point.dominant])
    return Table(head, rows, "<" + ">" * (len(head) - 2) + "<")


def _regions(regions: Line | Plane) -> Iterator[Piece]:
    from apet.questions.regions.plots import regions_figure

    yield _picture(partial(regions_figure, regions, "Bottleneck"), "Which term of the time decides where")


PIECES: dict[type, Callable[..., Iterator[Piece]]] = {
    Prediction: _prediction,
    CostModel: _cost_model,
    Machines: _machines,
    Explanation: _explanation,
    Solution: _solution,
    Comparison: _comparison,
    SweepSummary: _sweep,
    Line: _regions,
    Plane: _regions,
}
"""What is shown of a value, by its type."""
