"""Predictions as comma-separated values, one row each, numbers in full."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from apet.ground.interval import Interval, Number
from apet.prediction.prediction import Prediction

INTERVALS = ("estimate", "lower", "upper", "guaranteed")


def predictions_csv(predictions: Sequence[Prediction], varied: Sequence[str] = ()) -> str:
    """Header and rows; `varied` names the parameters beside P, an interval takes two columns `_lo` and `_hi`."""
    first = predictions[0].parameters
    header = ["P"]
    for name in varied:
        header += [f"{name}_lo", f"{name}_hi"] if isinstance(first[name], Interval) else [name]
    header += [f"{kind}_{end}_s" for kind in INTERVALS for end in ("tmin", "tmax")]
    header += ["exact", "dominant_tmin", "dominant_tmax"]
    expected = any(p.expectation is not None for p in predictions)
    if expected:
        header += ["expectation_tmin_s", "expectation_tmax_s", "expectation_runs", "expectation_waiting"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    for prediction in predictions:
        writer.writerow(_row(prediction, varied) + (_expectation(prediction) if expected else []))

    return out.getvalue()


def _expectation(p: Prediction) -> list[str]:
    """Both ends of the mean run time, its simulated runs, and whether all waiting is in it; else empty cells."""
    mean = p.expectation
    if mean is None:
        return [""] * 4
    return [*(repr(float(end)) for end in mean.seconds), str(mean.runs), str(mean.waiting).lower()]


def _row(p: Prediction, varied: Sequence[str]) -> list[str]:
    row = [str(p.parameters["P"])]
    for name in varied:
        row += _numbers(p.parameters[name])
    for interval in (p.estimate, p.lower, p.upper, p.guaranteed):
        row += [repr(float(interval.lo)), repr(float(interval.hi))]
    return [*row, str(p.exact).lower(), p.dominant["tmin"], p.dominant["tmax"]]


def _numbers(value: Number | Interval) -> Iterator[str]:
    for end in value if isinstance(value, Interval) else (value,):
        yield str(end) if isinstance(end, int) else repr(float(end))
