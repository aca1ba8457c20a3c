"""The sections of a page, each from plain data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from apet.answers.predictions import expectation_notes, time_columns
from apet.cost import CostModel, deep_recursion
from apet.formula.formula import Formula
from apet.ground.interval import Interval
from apet.machine import Machines
from apet.page.build import Section, macro
from apet.page.markup import breakable
from apet.prediction.prediction import Prediction
from apet.questions.expected import MAXIMUM_OF_MEANS, maximum_of_means
from apet.questions.explain.explanation import Explanation
from apet.questions.explain.report import MOST_TERMS, crossover_sentence, idle_sentences
from apet.show.context import PredictionContext
from apet.show.formula_lines import Row, bound_rows, formula_rows, text_of, written_size
from apet.show.tables import time_cells
from apet.show.times import percent, single
from apet.show.values import value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_MATH, FOLDED = 400, 60
"""Operands of a formula up to which it is set as mathematics, and from which it is folded."""
OPEN, LONGEST_TEXT = 1500, 20_000
MOST_ROWS, MOST_LINES = 40, 4000
NO_PICTURE = "to draw this, pip install 'apet[plot]', and write the page again"
HOT = 0.1
"""Share of the work from which a line stands out."""


def interactive() -> Section:
    """Sliders, and what they change."""
    return Section("turn", "Prediction", macro("live"))


def predictions(context: PredictionContext, listed: Sequence[Prediction]) -> Section:
    """A table of the requested predictions."""
    varied = [n for n in listed[0].parameters if len({str(p.parameters[n]) for p in listed}) > 1]
    if not varied and context.has_processors:
        varied = ["P"]
    headings, times = time_columns(listed, context.bracket, context.unit)
    columns = [*times, [p.limits[0].name for p in listed]]
    rows = [
        [*(value_text(p.parameters[n]) for n in varied), *(cell.strip() for cell in cells)]
        for p, *cells in zip(listed, *columns, strict=True)
    ]

    at = " (at tmax)" if context.app.on_machines else ""
    header = [*varied, *headings, f"limited by{at}"]
    rules = sorted({r for p in listed for r in p.rules})
    remarks = [f"Extremes over the ranges of parameters: found by {', '.join(rules)}."] if rules else []
    remarks += [*(note.sentence for note in (*expectation_notes(listed), *context.app.notes))]
    if maximum_of_means(context.app):
        remarks.append(f"The live part and what follows are about estimates. {MAXIMUM_OF_MEANS}".rstrip())
    return Section("predictions", "Predictions", macro("predictions", header, rows, remarks))


def rows_of(
    name: str,
    title: str,
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    remark: str,
    numbers: Sequence[int] = (0,),
) -> Section:
    """A table of texts, and a remark below it; the columns in `numbers`, counted from 0, are set as numbers."""
    return Section(name, title, macro("predictions", header, rows, [remark], numbers))


# Formulas


class Shown(NamedTuple):
    """A formula as it stands in the page: as mathematics, or folded as text."""

    name: str
    note: str
    math: Any = ""
    text: str = ""
    size: str = ""
    short: bool = True
    latex: str = ""
    relation: str = "="


def formulas(app: CostModel) -> Section:
    """T0, the loads, T and the bounds; long ones folded, and of many terms all but the first."""
    with deep_recursion():
        *terms, total = [_formula(row) for row in formula_rows(app)]
        bounds = [_formula(row) for row in bound_rows(app)]
    return Section("formulas", "Formulas", macro("formulas", terms[:MOST_TERMS], terms[MOST_TERMS:], [total, *bounds]))


def _formula(row: Row) -> Shown:
    if isinstance(row.formula, Formula):
        size = written_size(row.formula, MOST_MATH + 1)
        if size <= MOST_MATH:
            folded = f"{size} operands" if size > FOLDED else ""
            shown, latex = breakable(row.formula.mathml()), row.formula.latex()
            return Shown(row.name, row.note, shown, size=folded, latex=latex, relation=row.relation)
    text = text_of(row.formula)
    if len(text) > LONGEST_TEXT:
        return Shown(row.name, row.note, text="too long for a page: apet compile --emit python writes it to a file")
    size_text = f"{len(text):,} characters" if len(text) > OPEN else ""
    return Shown(row.name, row.note, text=text, size=size_text, short=len(text) <= OPEN, relation=row.relation)


# Why


def why(context: PredictionContext, explanation: Explanation) -> Section:
    """Terms, what the time is made of, what more of anything would do, when another term takes over."""
    T = context.symbol
    side = explanation.tmax
    listed = side.terms[:MOST_TERMS]
    times = time_cells([t.seconds for t in listed], context.unit)
    terms = [[t.name, time, percent(t.share)] for t, time in zip(listed, times, strict=True)]
    at = " at tmax" if context.app.on_machines else ""
    parts = [_part(f"Terms{at}: {side.dominant} limits", ("term", "time", f"share of {T}"), terms)]
    contributions = sorted(side.contributions.items(), key=lambda c: -c[1])[:MOST_ROWS]
    if contributions:
        rows = [[name, percent(share)] for name, share in contributions]
        parts.append(_part(f"What {side.dominant} is made of", ("operation", f"share of {T}"), rows))
    turned = sorted(side.elasticities.items(), key=lambda e: -abs(e[1]))[:MOST_ROWS]
    rows = [[name, f"{value:+.3g} %"] for name, value in turned if value]
    parts.append(_part("What 1 % more of it adds", ("quantity", f"to {T}"), rows))
    sentences = [crossover_sentence(c) for c in explanation.crossovers] + idle_sentences(explanation, T)
    if sentences:
        parts.append({**_part("Where another term takes over", (), []), "sentences": sentences[:MOST_ROWS]})

    return Section("why", "Why", macro("why", parts))


def _part(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[str, Any]:
    numbers = tuple(range(1, len(header)))
    return {"title": title, "header": header, "rows": rows, "numbers": numbers, "sentences": ()}


# Source


class SourceLine(NamedTuple):
    """A line of the model with its work."""

    line: int
    text: str
    work: str = ""
    share: str = ""
    formula: str = ""
    hot: bool = False


def source(app: CostModel, work: Mapping[int, tuple[float, str]], complete: bool) -> Section:
    """The model with the work of each line: (seconds, formula) by line number."""
    total = sum(seconds for seconds, _ in work.values())
    rows = []
    for number, text in enumerate(app.source.text.splitlines()[:MOST_LINES], 1):
        if number not in work:
            rows.append(SourceLine(number, text))
            continue
        seconds, formula = work[number]
        share = seconds / total if total else 0.0
        rows.append(SourceLine(number, text, single(seconds), percent(share), formula[:OPEN], share >= HOT))
    remarks = ["Work is the time of a line over all its executions, on all processors together, at tmax."]
    if not complete:
        remarks.append("Some statements were left out: there are too many, or a sum has no closed form.")

    return Section("source", "Where the time goes", macro("source", rows, remarks))


# Assumptions and provenance


def assumptions(context: PredictionContext) -> Section:
    """What each figure stands for, and how far it is guaranteed."""
    app = context.app
    if not app.on_machines:
        rows = [[f"{context.symbol}", app.quantity, "an estimate"]]
        sure = "guaranteed" if app.sure else "holds in 90 % of cases, by experience"
        rows.append([context.bracket, app.bracket, sure])
    else:
        weighed = {"probability": "weigh by their probability", "average": "weigh by one half"}
        branches = weighed.get(app.setting.branches, f"take their {app.setting.branches} side")
        rows = [
            ["estimate", f"T = max(T0, max T[r]) at tmin and tmax; branches {branches}", "an estimate"],
            ["lower bound", "the cheaper side of every branch; no schedule is faster", "guaranteed"],
            ["upper bound", "the dearer side of every branch; no server idles while work waits", "guaranteed"],
            [
                "guaranteed",
                "lower bound at tmin to upper bound at tmax, rounded outward",
                "as far as the intervals hold",
            ],
            ["operation times", "within the intervals of the machine model", "measured or given"],
            ["network", f"topology {context.network}", "assumed"],
        ]
        if app.deals:
            rows.append(["tasks", f"dealt by the schedule {context.schedule}", "assumed"])

    body = macro("table", ["figure", "stands for", "is"], rows, (), "What the figures stand for")
    return Section("assumptions", "Assumptions", body)


def provenance(machines: Machines, used: Sequence[str]) -> Section:
    """Where every number comes from."""
    rows = []
    for group in (*machines.groups, machines.coordinator):
        count = f"{group.count} x" if group is not machines.coordinator else "coordinator"
        for op in used:
            if op in group.op_s:
                rows.append([group.name, count, op, _seconds(group.op_s[op]), group.note])
        if group.load.hi:
            load = f"{float(group.load.lo):g} … {float(group.load.hi):g}"
            rows.append([group.name, count, "load of others", load, group.note])
    network = machines.network
    if network.latency_s is not None and network.bandwidth_B_per_s is not None:
        speed = network.bandwidth_B_per_s
        rows.append(["network", network.topology, "latency", _seconds(network.latency_s), ""])
        rows.append(["network", network.topology, "bandwidth", f"{float(speed.lo):g} … {float(speed.hi):g} B/s", ""])

    body = macro(
        "table",
        ["machine", "", "quantity", "interval", "note"],
        list(dict.fromkeys(map(tuple, rows))),
        (3,),
        "Intervals of machines and network",
    )
    facts = [[key, str(value)] for key, value in flat(machines.provenance)]
    if facts:
        body += macro("folded", "Provenance", ["provenance", ""], facts)
    elif machines.note:
        body += macro("text", machines.note)

    return Section("provenance", "Where the numbers come from", body)


def _seconds(interval: Interval) -> str:
    low, high = single(float(interval.lo)), single(float(interval.hi))
    return low if low == high else f"{low} … {high}"


def flat(table: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """The entries of a nested table by dotted keys."""
    pairs: list[tuple[str, Any]] = []
    for key, value in table.items():
        name = f"{before}{key}"
        pairs += flat(value, f"{name}.") if isinstance(value, Mapping) else [(name, value)]
    return pairs


# Pictures


def picture(name: str, title: str, draw: Callable[[], Figure], caption: str) -> Section:
    """A picture as SVG within the page; without Matplotlib, the extra that brings it."""
    try:
        return Section(name, title, macro("picture", svg_of(draw(), name), caption))
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        return Section(name, title, macro("text", f"{caption}: {NO_PICTURE}"))


def svg_of(figure: Figure, name: str) -> Any:
    """A figure as an `<svg>` element, its identifiers apart from those of other figures; texts are escaped in it."""
    from io import StringIO

    import matplotlib
    from markupsafe import Markup

    held = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(held, format="svg", metadata={"Date": None, "Creator": None})
    text = held.getvalue()
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    # Matplotlib calls groups figure_1, axes_1, … in every figure, and `svg.id` names no more than the root element;
    # of two figures on one page these would be the same.
    text = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)
    return Markup(text)
