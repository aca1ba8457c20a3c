"""Predictions of a model, of sources and of every other cost model as an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Formulas, Heading, Lines, Sentences, Settings, Table
from apet.cost import CostModel
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.prediction.prediction import Prediction
from apet.show.context import PredictionContext
from apet.show.formula_lines import formula_rows
from apet.show.plain import ends, record
from apet.show.tables import interval_cells
from apet.show.times import percent, unit_for
from apet.show.values import parameter_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LINES = 3
ASSUMED = "as assumed"
"""What ends over ranges that nobody gave are called: they guarantee nothing."""
MARK = " *"
"""Behind a mean run time that leaves out some waiting."""
VISIBLE = 0.003
"""Share of an end by which an estimate beyond it shows in the table."""


def predictions_answer(
    context: PredictionContext,
    predictions: Sequence[Prediction],
    hints: Sequence[Note] = (),
    commands: Sequence[str] = (),
    *,
    formulas: bool = True,
    brief: bool = False,
) -> Answer:
    """Formulas, a row for each prediction, notes, and commands to copy; `brief` shows nothing but the rows."""
    app = context.app
    remarks = (*expectation_notes(predictions), *_outside(context, predictions))
    notes = (*_rules(predictions), *app.notes, *hints, *remarks)
    shared = shared_parameters(predictions)
    texts = {"formulas": {"T0": app.T0, "T": app.T}} if formulas else {}

    blocks: list[Block] = [[Heading(context.heading), Settings(settings(context.app, shared))]]
    if formulas and not brief:
        blocks.append([Formulas(formula_rows(app), most_lines=MOST_LINES)])
    blocks.append([predictions_table(predictions, context.bracket, context.unit, context.has_processors, app)])
    if not brief:
        blocks.append([Sentences([note.sentence for note in notes]), Lines(commands)])

    return Answer(
        kind="prediction",
        subject=app.name,
        unit=context.unit,
        parameters=shared,
        predictions=[estimate(p, differing(predictions)) for p in predictions],
        notes=notes,
        results={**context.json_head, "entry": app.entry, **context.json_setting, **texts},
        blocks=blocks,
        figure=partial(_figure, predictions, context.title) if context.has_processors else None,
    )


def _figure(predictions: Sequence[Prediction], title: str) -> Figure:
    from apet.show.plots import interval_figure  # for few calls

    return interval_figure(predictions, title)


def estimate(prediction: Prediction, varied: Sequence[str], **more: Any) -> Estimate:
    """A prediction as a row of JSON, with all of its fields; `varied` are the parameters that tell the rows apart."""
    names = [name for name in ("P", *varied) if name in prediction.parameters]
    fields = record(prediction, "estimate", "lower", "upper", "guaranteed", "expectation")
    mean = prediction.expectation
    if mean is not None:
        fields["expectation"] = ends(mean.seconds) | {"runs": mean.runs, "error": mean.error, "waiting": mean.waiting}
    return Estimate(
        at={name: prediction.parameters[name] for name in names},
        estimate=prediction.estimate,
        lower=prediction.lower,
        upper=prediction.upper,
        guaranteed=prediction.guaranteed,
        more={**fields, **more},
    )


def settings(app: CostModel | None, values: Mapping[str, Any]) -> list[str]:
    """`n = 1,000` for each."""
    return [f"{name} = {parameter_text(app, name, value)}" for name, value in values.items()]


def shared_parameters(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """The values that all predictions share, except P."""
    apart = differing(predictions)
    return {n: value for n, value in predictions[0].parameters.items() if n != "P" and n not in apart}


def differing(predictions: Sequence[Prediction]) -> list[str]:
    """The parameters, except P, that do not have one value in all predictions."""
    first = predictions[0].parameters
    names = dict.fromkeys(n for p in predictions for n in p.parameters if n != "P")
    return [n for n in names if any(p.parameters.get(n) != first.get(n) for p in predictions)]


def _rules(predictions: Sequence[Prediction]) -> list[Note]:
    """How the extremes over ranges of parameters were found."""
    rules = dict.fromkeys(rule for p in predictions for rule in p.rules)
    text = f"Extremes over the ranges of parameters: found by {', '.join(rules)}."
    return [Note(NoteKind.METHOD, text)] if rules else []


def predictions_table(
    predictions: Sequence[Prediction], bracket: str, unit: str, has_processors: bool, app: CostModel | None = None
) -> Table:
    """A row each: what tells them apart, the estimate, the mean where it differs, the bounds, and what limits."""
    headings, times = time_columns(predictions, ASSUMED if any(p.assumed for p in predictions) else bracket, unit)
    names = [*(["P"] if has_processors else []), *differing(predictions)]
    own = [[(n, p.parameters.get(n)) for p in predictions] for n in names]
    values = [["" if v is None else parameter_text(app, n, v) for n, v in column] for column in own]
    columns = [*values, *times, [limit_text(p) for p in predictions]]
    head = [*names, *headings, "limited by"]
    return Table(head, list(zip(*columns, strict=True)), ">" * len(names) + "<" * (len(headings) + 1))


def time_columns(predictions: Sequence[Prediction], bracket: str, of: str) -> tuple[list[str], list[list[str]]]:
    """Headings and cells of the estimate, the mean run time where it differs, and the bounds, in one unit."""
    unit = unit_for((float(end) for p in predictions for end in (*p.estimate, *p.guaranteed)), of)
    headings = ["estimate", bracket]
    columns = [
        interval_cells([p.estimate for p in predictions], unit),
        interval_cells([p.guaranteed for p in predictions], unit, outward=1),
    ]

    if any(p.misleads for p in predictions):
        headings.insert(1, "expected")
        expectations = [p.expectation for p in predictions]
        means = [e.seconds for e in expectations if e is not None]
        cells = iter(interval_cells(means, unit))
        columns.insert(1, ["" if e is None else next(cells) + ("" if e.waiting else MARK) for e in expectations])
    return headings, columns


def expectation_notes(predictions: Sequence[Prediction]) -> list[Note]:
    """What the column of mean run times is, and how sure it is."""
    means = [p.expectation for p in predictions if p.expectation is not None]
    if not any(p.misleads for p in predictions):
        return []

    note = (
        "Expected: the mean run time with every branch drawn. The estimate is the maximum of mean times, which is less "
        "where branches run at once."
    )

    simulated = [mean for mean in means if mean.runs]
    if simulated:
        error = max(mean.error / float(mean.seconds.hi) for mean in simulated)
        runs = min(mean.runs for mean in simulated)
        sure = f" (± {percent(error)})" if error else ""
        show = "simulated runs show" if runs > 1 else "simulated run shows"
        note += f" Expected includes waiting, as {runs} {show} it{sure}."
    if not all(mean.waiting for mean in means):
        note += f" {MARK.strip()} without some waiting: a run takes too long to be simulated here, see apet simulate."

    return [Note(NoteKind.MEANING, note)]


def _outside(context: PredictionContext, predictions: Sequence[Prediction]) -> list[Note]:
    """Why an estimate lies outside its guaranteed interval, where one does."""
    notes = list[Note]()
    if not context.app.on_machines:
        return notes

    def beyond(estimate: Interval, guaranteed: Interval) -> tuple[bool, bool]:
        below = estimate.lo < (1 - VISIBLE) * guaranteed.lo
        return below, estimate.hi > (1 + VISIBLE) * guaranteed.hi

    below, above = map(any, zip(*(beyond(p.estimate, p.guaranteed) for p in predictions), strict=True))
    if below:
        text = "The estimate lies below the guaranteed interval: it is max(T0, T[r]) of the whole run, where the lower "
        notes.append(Note(NoteKind.BOUNDS, text + "bound adds up what cannot overlap."))
    if above:
        text = "The estimate lies above the guaranteed interval: it weighs both sides of a branch, where the interval "
        notes.append(Note(NoteKind.BOUNDS, text + "follows one of them at a time."))
    return notes


def limit_text(prediction: Prediction) -> str:
    """What the estimate is at tmax, the runner-up where it is T0, what it is at tmin if that differs, and `exact`."""
    high, low = prediction.dominant["tmax"], prediction.dominant["tmin"]
    text = bare(high)
    if high == "T0":
        nearest = next((limit for limit in prediction.limits if limit.name != "T0"), None)
        if nearest is not None:
            text += f"; {bare(nearest.name)} {percent(nearest.share)} of it"
    if low != high:
        text += f"; {bare(low)} at tmin"
    return f"{text}; exact" if prediction.exact else text


def bare(name: str) -> str:
    """`cpu[2]` of `T[cpu[2]]`."""
    return name[2:-1] if name.startswith("T[") else name
