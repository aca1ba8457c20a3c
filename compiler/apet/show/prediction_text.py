"""Predictions as a person reads them in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.cost import deep_recursion
from apet.ground.interval import Interval, Number
from apet.prediction.prediction import Prediction
from apet.show.context import PredictionContext, notes
from apet.show.formula_lines import block, formula_rows, wrapped
from apet.show.tables import intervals, table
from apet.show.times import Unit, column, percent, unit_for

MOST_LINES = 3


def predictions_text(
    context: PredictionContext,
    predictions: Sequence[Prediction],
    width: int,
    hints: Sequence[str] = (),
    commands: Sequence[str] = (),
) -> str:
    """Heading, parameters, formulas, one row per prediction, hints; commands to copy are never broken."""
    lines = [context.heading, *shared_parameters(predictions, width), ""]
    with deep_recursion():
        lines += block(formula_rows(context.app), width, most_lines=MOST_LINES)
    lines += ["", *_table(context, predictions), ""]
    for hint in (*_rules(predictions), *notes(context.app), *hints):
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
    texts = [f"{name} = {value_text(value)}" for name, value in shared.items() if name != "P"]
    return wrapped(" · ".join(texts), width) if texts else []


def _rules(predictions: Sequence[Prediction]) -> list[str]:
    """How the extremes over ranges of parameters were found."""
    rules = dict.fromkeys(rule for p in predictions for rule in p.rules)
    return [f"Extremes over the ranges of parameters: found by {', '.join(rules)}."] if rules else []


def _table(context: PredictionContext, predictions: Sequence[Prediction]) -> list[str]:
    ends = [end for p in predictions for end in (*p.estimate, *p.guaranteed)]
    unit = unit_for(map(float, ends), context.unit)
    estimate = _column([p.estimate for p in predictions], unit, 0)
    guaranteed = _column([p.guaranteed for p in predictions], unit, 1)
    rows = [
        [str(p.parameters["P"]), e, g, limit_text(p)] for p, e, g in zip(predictions, estimate, guaranteed, strict=True)
    ]
    head, first = ["P", "estimate", context.bracket, "limited by"], 0 if context.has_processors else 1
    return table(head[first:], [row[first:] for row in rows], "><<<"[first:])


def _column(values: Sequence[Interval], unit: Unit, outward: int) -> list[str]:
    low, high = [float(i.lo) for i in values], [float(i.hi) for i in values]
    return intervals(column(low, unit, -outward, high), column(high, unit, outward, low), unit.name)


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
