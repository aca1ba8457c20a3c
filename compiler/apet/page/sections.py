"""The sections of a page, each from plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from apet.answers.blocks import Folded, Formulas, Heading, Picture, Piece, Sentences, Settings, Table
from apet.answers.predictions import expectation_notes, predictions_table, settings, shared_parameters
from apet.cost import CostModel
from apet.machine import Machines
from apet.page.build import Section, macro
from apet.page.facts import flat, seconds
from apet.prediction.prediction import Prediction
from apet.questions.expected import MAXIMUM_OF_MEANS, maximum_of_means
from apet.questions.explain.explanation import Explanation
from apet.questions.explain.plots import explanation_figure
from apet.questions.explain.report import explanation_blocks
from apet.show.context import PredictionContext
from apet.show.formula_lines import bound_rows, formula_rows
from apet.show.times import percent, single

LONGEST_WORK = 1500
MOST_ROWS, MOST_LINES = 40, 4000
HOT = 0.1
"""Share of the work from which a line stands out."""


def interactive() -> Section:
    """Sliders, and what they change."""
    return Section("turn", "Prediction", macro("live"))


def predictions(context: PredictionContext, listed: Sequence[Prediction]) -> Section:
    """A table of the requested predictions."""
    rules = sorted({r for p in listed for r in p.rules})
    remarks = [f"Extremes over the ranges of parameters: found by {', '.join(rules)}."] if rules else []
    remarks += [*(note.sentence for note in (*expectation_notes(listed), *context.app.notes))]
    if maximum_of_means(context.app):
        remarks.append(f"The live part and what follows are about estimates. {MAXIMUM_OF_MEANS}".rstrip())
    shared = Settings(settings(context.app, shared_parameters(listed)))
    table = predictions_table(listed, context.bracket, context.unit, context.has_processors, context.app)
    return Section("predictions", "Predictions", [shared, table, Sentences(remarks)])


def formulas(app: CostModel) -> Section:
    """T0, the loads, T and the bounds."""
    return Section("formulas", "Formulas", [Formulas([*formula_rows(app), *bound_rows(app)])])


def why(context: PredictionContext, explanation: Explanation) -> Section:
    """What `apet explain` says, what the time is made of, and a picture of what each interval does."""
    side, T = explanation.tmax, context.symbol
    blocks = explanation_blocks(explanation, T, context.unit, context.app.on_machines)
    pieces = [piece for block in blocks for piece in block]
    contributions = sorted(side.contributions.items(), key=lambda c: -c[1])[:MOST_ROWS]
    if contributions:
        rows = [[name, percent(share)] for name, share in contributions]
        pieces += [Heading(f"What {side.dominant} is made of"), Table(("operation", f"share of {T}"), rows, "<>")]
    if any(s.swing > 0 for s in explanation.swings):
        caption = f"What each interval does to {T}, and what it is made of"
        pieces.append(Picture(partial(explanation_figure, explanation, ""), caption, "tornado"))
    return Section("why", "Why", pieces)


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
        rows.append(SourceLine(number, text, single(seconds), percent(share), formula[:LONGEST_WORK], share >= HOT))
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
        of_runs = app.unsure == CostModel.unsure
        sure = "guaranteed" if app.sure else "holds in 90 % of cases, by experience" if of_runs else app.unsure
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

    table = Table(("figure", "stands for", "is"), rows, "<<<", label="What the figures stand for")
    return Section("assumptions", "Assumptions", [table])


def provenance(machines: Machines, used: Sequence[str]) -> Section:
    """Where every number comes from."""
    rows = []
    for group in (*machines.groups, machines.coordinator):
        count = f"{group.count} x" if group is not machines.coordinator else "coordinator"
        for op in used:
            if op in group.op_s:
                rows.append([group.name, count, op, seconds(group.op_s[op]), group.note])
        if group.load.hi:
            load = f"{float(group.load.lo):g} … {float(group.load.hi):g}"
            rows.append([group.name, count, "load of others", load, group.note])
    network = machines.network
    if network.latency_s is not None and network.bandwidth_B_per_s is not None:
        speed = network.bandwidth_B_per_s
        rows.append(["network", network.topology, "latency", seconds(network.latency_s), ""])
        rows.append(["network", network.topology, "bandwidth", f"{float(speed.lo):g} … {float(speed.hi):g} B/s", ""])

    head = ("machine", "", "quantity", "interval", "note")
    distinct = [*dict.fromkeys(map(tuple, rows))]
    pieces: list[Piece] = [Table(head, distinct, "<<<><", label="Intervals of machines and network")]
    facts = [[key, str(value)] for key, value in flat(machines.provenance)]
    if facts:
        folded = Table(("provenance", ""), facts, "<<")
        pieces.append(Folded(f"Provenance ({len(facts)} entries)", [folded]))
    elif machines.note:
        pieces.append(Sentences([machines.note]))

    return Section("provenance", "Where the numbers come from", pieces)
