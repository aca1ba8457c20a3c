"""Predictions as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.cost import deep_recursion
from apet.ground.interval import Interval, Number
from apet.prediction.prediction import Prediction
from apet.show.context import PredictionContext, notes
from apet.show.formula_lines import block, formula_rows, wrapped
from apet.show.tables import interval_cells, table
from apet.show.times import percent, unit_for

MOST_LINES = 3
ASSUMED = "as assumed"
"""What ends over ranges that nobody gave are called: they guarantee nothing."""
MARK = " *"
"""Behind a mean run time that leaves out some waiting."""
VISIBLE = 0.003
"""Share of an end by which an estimate beyond it shows in the table."""


def predictions_text(
    context: PredictionContext,
    predictions: Sequence[Prediction],
    width: int,
    hints: Sequence[str] = (),
    commands: Sequence[str] = (),
    *,
    formulas: bool = True,
    brief: bool = False,
) -> str:
    """Heading, parameters, formulas, one row per prediction, hints; commands to copy are never broken.

    `brief` leaves out formulas and all hints.
    """
    lines = [context.heading, *shared_parameters(predictions, width), ""]
    if formulas and not brief:
        with deep_recursion():
            lines += [*block(formula_rows(context.app), width, most_lines=MOST_LINES), ""]

    lines += [*_table(context, predictions), ""]
    if brief:
        return "\n".join(lines)
    remarks = (*expectation_notes(predictions), *_outside(context, predictions))
    for hint in (*_rules(predictions), *notes(context.app), *hints, *remarks):
        lines += ["  " + line for line in wrapped(hint, width - 2)]
    lines += ["  " + command for command in commands]
    return "\n".join(lines).rstrip() + "\n"


def value_text(value: Number | Interval) -> str:
    """A parameter's value: whole numbers in full with separators, others to ten digits, intervals as `low..high`."""
    if isinstance(value, Interval):
        return f"{value_text(value.lo)}..{value_text(value.hi)}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**15 else _large(value)
    return f"{float(value):.10g}"


def _large(value: int) -> str:
    try:
        return f"{float(value):.10g}"
    except OverflowError:
        return f"about 10^{value.bit_length() * 30103 // 100000}"


def shared_parameters(predictions: Sequence[Prediction], width: int) -> list[str]:
    """The values that all predictions share, except P."""
    shared: Mapping[str, Number | Interval] = predictions[0].parameters
    apart = differing(predictions)
    texts = [f"{n} = {value_text(value)}" for n, value in shared.items() if n != "P" and n not in apart]
    return wrapped(" · ".join(texts), width) if texts else []


def differing(predictions: Sequence[Prediction]) -> list[str]:
    """The parameters, except P, that do not have one value in all predictions."""
    first = predictions[0].parameters
    return [n for n in first if n != "P" and any(p.parameters.get(n) != first[n] for p in predictions)]


def _rules(predictions: Sequence[Prediction]) -> list[str]:
    """How the extremes over ranges of parameters were found."""
    rules = dict.fromkeys(rule for p in predictions for rule in p.rules)
    return [f"Extremes over the ranges of parameters: found by {', '.join(rules)}."] if rules else []


def _table(context: PredictionContext, predictions: Sequence[Prediction]) -> list[str]:
    bracket = ASSUMED if any(p.assumed for p in predictions) else context.bracket
    headings, times = time_columns(predictions, bracket, context.unit)
    names = ["P", *differing(predictions)]
    values = [[value_text(p.parameters[n]) for p in predictions] for n in names]
    columns = [*values, *times, list(map(limit_text, predictions))]
    head = [*names, *headings, "limited by"]
    first = 0 if context.has_processors else 1
    align = ">" * len(names) + "<" * len(head[len(names) :])
    return table(head[first:], list(zip(*columns[first:], strict=True)), align[first:])


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


def expectation_notes(predictions: Sequence[Prediction]) -> list[str]:
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

    return [note]


def _outside(context: PredictionContext, predictions: Sequence[Prediction]) -> list[str]:
    """Why an estimate lies outside its guaranteed interval, where one does."""
    notes_on_ends = []
    if not context.app.on_machines:
        return []

    if any(p.estimate.lo < (1 - VISIBLE) * p.guaranteed.lo for p in predictions):
        notes_on_ends.append(
            "The estimate lies below the guaranteed interval: it is max(T0, T[r]) of the whole run, where the lower "
            "bound adds up what cannot overlap."
        )

    if any(p.estimate.hi > (1 + VISIBLE) * p.guaranteed.hi for p in predictions):
        notes_on_ends.append(
            "The estimate lies above the guaranteed interval: it weighs both sides of a branch, where the interval "
            "follows one of them at a time."
        )

    return notes_on_ends


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
