"""Predicted beside measured: kernels run here in several JVMs, and their models evaluated on a machine file."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.analysis.validation import Point
from apet.calibrate import mistakes
from apet.calibrate.jvm import MODES, SOURCES, Jdk, compile_java, quiet_core, run_java
from apet.calibrate.profiling import (
    DOUBT,
    DOUBTED,
    Prepared,
    parameters,
    prepare,
    run_profile,
    values,
    with_doubt,
)
from apet.calibrate.sampling import Progress
from apet.calibrate.sources import kernel_class
from apet.calibrate.statistics import median
from apet.diagnostics import ApetError
from apet.interval import Interval

FLAGS = ("-Xms512m", "-XX:+UseSerialGC")


class Manner(NamedTuple):
    """How to measure: the JVM's mode, JVMs for each point, budget and warm-up in ms, time limit of a run in seconds,
    whether mispredictions are simulated, and whether counts are taken at all."""

    mode: str
    forks: int
    budget_ms: float
    warm_ms: float
    limit: float
    predictor: bool


Translate = Callable[[str, str], str]
"""A file and an entry to a model's text."""
Predict = Callable[[str, Mapping[str, float]], Interval]
"""A model's text and values of its parameters to seconds."""


def read_sizes(path: str) -> dict[str, list[int]]:
    """Sizes by class, from a JSON object; a key with or without the prefix `K_`."""
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except OSError as error:
        raise ApetError(mistakes.BadSizes(None, None, path, (error.strerror or "error").lower())) from None
    except ValueError as error:
        raise ApetError(mistakes.BadSizes(None, None, path, f"it is no JSON ({error})")) from None
    good = isinstance(found, dict) and all(
        isinstance(v, list) and all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in v)
        for v in found.values()
    )
    if not good:
        raise ApetError(mistakes.BadSizes(None, None, path, "it is no object of lists of whole numbers"))
    return dict(found)


def sizes_of(name: str, sizes: Mapping[str, list[int]], path: str) -> list[int]:
    """The sizes of a class."""
    for key in (name, name.removeprefix("K_")):
        if key in sizes:
            return sizes[key]
    raise ApetError(mistakes.NoSizes(None, None, path, name))


def validate(
    jdk: Jdk,
    files: Sequence[str],
    sizes: tuple[str, Mapping[str, list[int]]],
    manner: Manner,
    translate: Translate,
    predict: Predict,
    given: Mapping[str, float],
    progress: Progress,
) -> list[Point]:
    """Measure and predict every kernel at each of its sizes. `sizes` is the file's name and its content; `given` are
    values of the machine for parameters that models may have."""
    names = [kernel_class(f) for f in files]
    wanted = [(f, c, n) for f, c in zip(files, names, strict=True) for n in sizes_of(c, sizes[1], sizes[0])]
    found: list[Point] = []
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        compile_kernels(jdk, files, folder)
        predicting = _Predicting(jdk, manner, translate, predict, given, folder)
        for k, (file, name, n) in enumerate(wanted):
            progress(f"{name} at {n}", k / len(wanted))
            forks = [time_kernel(jdk, folder, name, n, manner) for _ in range(manner.forks)]
            interval = predicting.interval(file, name, n)
            found.append(Point(name, n, median(forks), tuple(forks), float(interval.lo), float(interval.hi)))
        progress("done", 1.0)
    return found


def compile_kernels(jdk: Jdk, files: Sequence[str], folder: str) -> None:
    """Kernels with what times them; `Kernel.java` is the one beside the first file, or APET's."""
    own = Path(os.path.dirname(os.path.abspath(files[0]))) / "Kernel.java"
    kernel = (
        []
        if own.exists() and str(own) in map(os.path.abspath, files)
        else [own if own.exists() else SOURCES / "Kernel.java"]
    )
    compile_java(jdk, [*files, *kernel, SOURCES / "KernelTimer.java"], folder, "the kernels")


def time_kernel(jdk: Jdk, folder: str, name: str, n: int, manner: Manner) -> float:
    """Seconds of one run, warm, as CPU time of its thread, in a JVM of its own."""
    words = [*MODES[manner.mode], *FLAGS, "-cp", folder, "KernelTimer", name, str(n)]
    words += [f"{manner.budget_ms:g}", f"{manner.warm_ms:g}"]
    return float(run_java(jdk, words, f"{name} at {n}", manner.limit, quiet_core()).split()[0])


class _Predicting:
    """Predicts kernels; each file is translated and instrumented once."""

    def __init__(
        self,
        jdk: Jdk,
        manner: Manner,
        translate: Translate,
        predict: Predict,
        given: Mapping[str, float],
        folder: str,
    ) -> None:
        self.jdk, self.manner, self.translate, self.predict = jdk, manner, translate, predict
        self.given, self.folder = given, folder
        self.made: dict[str, tuple[str, Prepared]] = {}

    def interval(self, file: str, name: str, n: int) -> Interval:
        """Seconds of one run at a size."""
        if name not in self.made:
            folder = os.path.join(self.folder, f"counters-{name}")
            os.mkdir(folder)
            self.made[name] = self.translate(file, f"{name}.run"), prepare(self.jdk, file, folder)
        model, made = self.made[name]
        manner = self.manner
        counted = run_profile(self.jdk, made, (name, "run"), [n], manner.predictor, manner.limit)
        known = {p.name for p in parameters(model)}
        filled = {k: v for k, v in self.given.items() if k in known} | values(model, counted, manner.predictor)
        doubtful = model if manner.predictor else with_doubt(model)
        if doubtful == model:
            return self.predict(model, filled)
        # More mispredictions never take less time: the ends of the interval lie at the ends of the doubt.
        ends = [self.predict(doubtful, {**filled, DOUBT: doubt}) for doubt in DOUBTED]
        return Interval(ends[0].lo, ends[1].hi)
