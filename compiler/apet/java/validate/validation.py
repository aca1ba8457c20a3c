"""Predicted beside measured: kernels run here in several JVMs, and their models evaluated on a machine file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.java.jvm import Jdk
from apet.java.profile.call_times import CallTimes
from apet.java.profile.counts import CountedRun
from apet.java.profile.one_run import NEARBY, SecondsWithout, nearest
from apet.java.profile.parameter_values import DOUBT, DOUBTED, LEARNT, parameters, values, with_doubt
from apet.java.profile.profiling import Prepared, calls_to_time, prepare, run_profile
from apet.java.profile.timing import VIRTUAL_MACHINES, time_class
from apet.java.validate.kernels import Failed, base_folder, kernels_of
from apet.java.validate.points import Point
from apet.program.measure.samples import Progress, median
from apet.program.translation import Translation


class ValidationManner(NamedTuple):
    """How to measure: the JVM's mode, JVMs for each point, budget and warm-up in ms, time limit of a run in seconds,
    whether mispredictions are simulated."""

    mode: str
    forks: int
    budget_ms: float
    warm_ms: float
    limit: float
    predictor: bool


Translate = Callable[[str, str], Translation]
"""A file and an entry to a model."""
Predict = Callable[[str, Mapping[str, float], CallTimes], Interval]
"""A model's text, values of its parameters and times of its library calls, to seconds."""
Filled = tuple[str, Mapping[str, float], CallTimes]
"""What is predicted of a kernel at a size."""


class KernelMeasurements(NamedTuple):
    """What has been measured of kernels, by class and size: seconds in each JVM, and counts with mispredictions."""

    times: dict[tuple[str, int], list[float]]
    counted: dict[tuple[str, int], CountedRun]


class OneRun(NamedTuple):
    """How to calibrate a kernel by one run: its size (or `SMALLEST` of the kernel, or `NEARBY` of each), what plain
    figures say, the levels that are crossed between two sizes, the prediction of a kernel that took some seconds in
    several virtual machines at the first of two sizes, and what is told of crossings."""

    size: int
    plain: Callable[[Filled], SecondsWithout]
    crossings: Callable[[Filled, Filled], list[str]]
    scaled: Callable[[Sequence[float], tuple[int, int], Filled, Filled], Interval]
    warn: Callable[[str], None]

    def at(self, n: int, smallest: int, filled: Callable[[int], Filled]) -> int:
        """The size of the run that calibrates size n; `filled` is the kernel by size."""
        if self.size != NEARBY:
            return self.size or smallest
        return nearest(n, lambda k: self.plain(filled(k))(()), lambda k: self.crossings(filled(k), filled(n)))


def validate(
    jdk: Jdk,
    files: Sequence[str],
    sizes: tuple[str, Mapping[str, list[int]]],
    manner: ValidationManner,
    translate: Translate,
    predict: Predict,
    machine_values: Mapping[str, float],
    progress: Progress,
    one_run: OneRun | None = None,
    measured: KernelMeasurements | None = None,
    failed: Failed | None = None,
) -> list[Point]:
    """Measure and predict every kernel at each of its sizes.

    `sizes` is the file's name and its content; `machine_values` are the machine's, for parameters that models may have.
    What is `measured` is not measured again, and what is measured now is added to it. With `failed`, a kernel that does
    not compile, run or translate is left out, and the others go on; without, it is an `ApetError`.
    """
    times, counted = measured or KernelMeasurements({}, {})

    points: list[Point] = []
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        kernels = kernels_of(jdk, files, sizes, folder, failed)
        predicting = Predicting(jdk, manner, translate, predict, machine_values, folder)
        predicting.counted = counted
        for k, (file, name, own_sizes) in enumerate(kernels):
            for n in own_sizes:
                progress(f"{name} at {n}", k / len(kernels))
                try:
                    if (name, n) not in times:
                        times[name, n] = [time_kernel(jdk, folder, name, n, manner) for _ in range(manner.forks)]
                    points.append(_point(predicting, file, name, n, times[name, n], one_run, min(own_sizes)))
                except ApetError as error:
                    if failed is None:
                        raise
                    failed(file, error)
                    break
        progress("done", 1.0)
    return points


def _point(
    predicting: Predicting, file: str, name: str, n: int, forks: list[float], one_run: OneRun | None, smallest: int
) -> Point:
    """One kernel at one size, predicted beside what was measured."""
    if one_run is None:
        interval = predicting.interval(file, name, n)
    else:
        size = one_run.at(n, smallest, lambda k: predicting.filled(file, name, k))
        interval = predicting.calibrated(file, name, n, one_run, size)
    return Point(name, n, median(forks), tuple(forks), float(interval.lo), float(interval.hi))


def time_kernel(jdk: Jdk, folder: str, name: str, n: int, manner: ValidationManner) -> float:
    """Seconds of one run, warm, as CPU time of its thread, in a JVM of its own."""
    return time_class(jdk, folder, (name, "run"), [n], manner.mode, (manner.budget_ms, manner.warm_ms), manner.limit)


class Predicting:
    """Predicts kernels; each file is translated and instrumented once."""

    def __init__(
        self,
        jdk: Jdk,
        manner: ValidationManner,
        translate: Translate,
        predict: Predict,
        machine_values: Mapping[str, float],
        folder: str,
    ) -> None:
        self.jdk, self.manner, self.translate, self.predict = jdk, manner, translate, predict
        self.machine_values, self.folder = machine_values, folder
        self.models: dict[str, Translation] = {}
        self.prepared: dict[str, Prepared] = {}
        self.counted: dict[tuple[str, int], CountedRun] = {}
        self.timed: dict[tuple[str, int], list[float]] = {}

    def interval(self, file: str, name: str, n: int) -> Interval:
        """Seconds of one run at a size."""
        model, filled, times = self.filled(file, name, n)
        doubtful = model if self.manner.predictor else with_doubt(model)
        if doubtful == model:
            return self.predict(model, filled, times)
        # More mispredictions never take less time: the ends of the interval lie at the ends of the doubt.
        ends = [self.predict(doubtful, {**filled, DOUBT: doubt}, times) for doubt in DOUBTED]
        return Interval(ends[0].lo, ends[1].hi)

    def calibrated(self, file: str, name: str, n: int, one_run: OneRun, size: int) -> Interval:
        """Seconds of one run at a size, after one run at another has been timed; that is done once for each kernel."""
        small, large = self.filled(file, name, size), self.filled(file, name, n)
        if (name, size) not in self.timed:
            starts = range(VIRTUAL_MACHINES)
            self.timed[name, size] = [time_kernel(self.jdk, self.folder, name, size, self.manner) for _ in starts]

        for crossing in one_run.crossings(small, large):
            one_run.warn(f"{name} at {n}, calibrated at {size}: {crossing}")
        return one_run.scaled(self.timed[name, size], (size, n), small, large)

    def filled(self, file: str, name: str, n: int) -> Filled:
        """The model of a kernel, with the values of its parameters at a size, and how long its calls took there."""
        if name not in self.models:
            self.models[name] = self.translate(file, f"{_simple(name)}.run()")
        translation, manner = self.models[name], self.manner
        model = translation.text
        if (name, n) not in self.counted:
            if name not in self.prepared:
                folder = os.path.join(self.folder, f"counters-{name}")
                os.mkdir(folder)
                calls = calls_to_time(translation, manner.mode)
                bases = [base_folder([file], self.folder)]
                files = [file, *translation.files]
                self.prepared[name] = prepare(self.jdk, files, folder, translation.parameters, calls, bases)
            prepared = self.prepared[name]
            entry = (_simple(name), "run")
            self.counted[name, n] = run_profile(
                self.jdk, prepared, entry, [n], manner.predictor, manner.limit, manner.mode
            )

        names = {p.name for p in parameters(model)}
        learnt = self.machine_values.get("predictor_memory", LEARNT)
        counted = values(translation.parameters, self.counted[name, n], manner.predictor, learnt)
        own = {k: v for k, v in self.machine_values.items() if k in names}
        return model, own | counted, self.counted[name, n].times


def _simple(name: str) -> str:
    """The name of a class without its package."""
    return name.rpartition(".")[2]
