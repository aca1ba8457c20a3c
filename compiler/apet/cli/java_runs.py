"""What the verbs that run Java ask of the Python interface and of the harness."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from apet import api
from apet.api.arguments import Value, parsed_values
from apet.cli import output
from apet.cost import Application
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.source_files import read_source
from apet.java.assumed import assumed_ranges, predict_assumed
from apet.java.jvm import MODES, find_jdk
from apet.java.profile import one_run
from apet.java.profile.call_times import CallTimes, with_run, with_times
from apet.java.task_values import Values, host_values, rounded_where_whole
from apet.java.translation import translate_resolved
from apet.java.validate.kernels import Failed, read_sizes
from apet.java.validate.points import Point
from apet.java.validate.validation import (
    Filled,
    KernelMeasurements,
    OneRun,
    ValidationManner,
    validate,
)
from apet.machine import Machines
from apet.prediction import Predictor
from apet.program.measure.bands import ErrorBand
from apet.program.measure.samples import median
from apet.program.translation import Translation

Progress = Callable[[str, float], None]
BUDGET_MS, WARM_MS = 60.0, 200.0


def validated(
    files: Sequence[str],
    sizes: str,
    machines: Machines,
    level: str | None,
    mode: str | None,
    predictor: bool,
    forks: int,
    limit: float,
    progress: Progress,
    calibrate_at: int | None = None,
    measurements: KernelMeasurements | None = None,
    failed: Failed | None = None,
) -> list[Point]:
    """Kernels measured here and predicted on a machine model. The mode is that of the machine file unless given.

    `calibrate_at` is the size of one run that each kernel is calibrated by, or `SMALLEST`, or `NEARBY`; None for none.
    What `measurements` hold is not measured again. `failed` gets the kernels that cannot be measured or predicted;
    without it the first of them is an `ApetError`.
    """
    measured_mode = machines.provenance.get("mode")
    chosen = mode or (measured_mode if measured_mode in MODES else "C2")
    cost_level = level or ("flat" if chosen == "Xint" else "core" if calibrate_at is None else "counted")
    jdk = find_jdk()

    def translate(file: str, entry: str) -> Translation:
        return translate_resolved(read_source(file), entry, cost_level, counted=True)

    manner = ValidationManner(chosen, forks, BUDGET_MS, WARM_MS, limit, predictor or calibrate_at is not None)
    calibration = None if calibrate_at is None else _one_run(machines, calibrate_at)
    run_sizes = (os.path.basename(sizes), read_sizes(sizes))
    predictions = predictor_on(machines), host_values(machines)
    return validate(jdk, files, run_sizes, manner, translate, *predictions, progress, calibration, measurements, failed)


def _one_run(machines: Machines, size: int) -> OneRun:
    """Calibration of kernels by one run; warnings go to the terminal."""
    bare = one_run.plain(machines)

    def crossed(small: Filled, large: Filled) -> list[str]:
        return one_run.crossings(seconds_of(bare, small), seconds_of(bare, large))

    def scaled(seconds: Sequence[float], sizes: tuple[int, int], small: Filled, large: Filled) -> Interval:
        band = one_run.spread(one_run.band_of(large[2].seconds, *sizes), seconds)
        return after_run(bare, median(seconds), band, small, large)

    return OneRun(size, partial(seconds_of, bare), crossed, scaled, output.warn)


def seconds_of(bare: Machines, kernel: Filled) -> one_run.SecondsWithout:
    """What the plain figures say of a kernel at a size, with the times of its calls there."""
    on = with_times(bare, kernel[2])
    return lambda names: float(predictor_on(one_run.without(on, names))(*kernel[:2], CallTimes()).middle)


def after_run(bare: Machines, seconds: float, band: ErrorBand, small: Filled, large: Filled) -> Interval:
    """What a kernel takes at a large size after a run at a small one has taken so many seconds."""
    factors = one_run.factors_of_run(seconds, seconds_of(bare, small))
    return predictor_on(one_run.calibrated(with_times(bare, large[2]), factors, band))(*large[:2], CallTimes())


@lru_cache(maxsize=64)
def _compiled(model: str) -> Application:
    return api.compile_text(model)


def predictor_on(machines: Machines) -> Callable[[str, Mapping[str, float], CallTimes], Interval]:
    """A function that predicts the time of a model's text on one processor, each text compiled once."""

    def predict(model: str, values: Mapping[str, float], times: CallTimes) -> Interval:
        app = _compiled(model)
        settings: dict[str, Value] = {n: rounded_where_whole(app, n, v) for n, v in values.items()}
        known = parsed_values(settings)

        def on(timed: Machines) -> Interval:
            return _estimate(api.predictor(app, timed), app, known)

        return on(with_run(machines, times, on))

    return predict


def _estimate(predictor: Predictor, app: Application, values: Values) -> Interval:
    """Seconds on one processor; what the run has not reached is assumed to be anywhere in its range."""
    try:
        return predictor.predict(1, values).estimate
    except ApetError as error:
        ranges = assumed_ranges(error, app, values)
        if not ranges:
            raise
    return predict_assumed(predictor, 1, values, ranges).prediction.estimate
