"""Machines as one Java task, or the tasks of a task graph, see them after timed runs here."""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from apet.ground.diagnostics import ApetError
from apet.ground.records import NamedTuple
from apet.ground.resources import located
from apet.ground.source_files import read_source
from apet.java.task_values import Values, calibrated_level, host_values
from apet.trials.languages import compiled, is_c, predictor
from apet.trials.programs import LIMIT, counted, counted_text
from apet.trials.workloads import workload

if TYPE_CHECKING:
    from apet.cost import Application
    from apet.ground.interval import Number
    from apet.java.jvm import Jdk
    from apet.java.profile.one_run import Factors
    from apet.java.profile.workload import Workload
    from apet.machine import Machines
    from apet.program.measure.bands import ErrorBand


RUNS = 3
"""Runs of a C program that calibrate: one may be disturbed."""


class Calibration(NamedTuple):
    """Machines as a task sees them; the size of the run that says so; the parts of the operations that cross a level
    between that size and the one that is predicted; times the work of the run that the latter has."""

    machines: Machines
    size: int
    crossings: list[str]
    grown: float


def calibrated_machines(
    path: str,
    entry: str | None,
    machines: Machines,
    sizes: Mapping[str, Number],
    name: str,
    target: Values,
    limit: float = LIMIT,
) -> Calibration:
    """Run a task at `sizes`, and scale what its operations cost by what it took; `target` are the values that are
    predicted, in a wider band where the size of the parameter `name` is not near. The machines are those of the model
    at the level `calibrated_level`.

    Raises `ApetError` where the file is no Java task, without a JDK, and for a task that throws or takes longer than
    `limit` seconds.
    """
    from apet.java.profile import one_run
    from apet.program.measure.samples import median

    text = counted_text(path, entry, calibrated_level(machines))
    begun = time.monotonic()
    of_run, timed, _ = counted(path, text, machines, 1, sizes, limit)
    left = max(limit - (time.monotonic() - begun), 1.0)
    seconds = _seconds_of_runs(path, text, str(machines.provenance.get("mode", "")), sizes, left)

    app, plain = compiled(text), one_run.plain(timed)
    small = {**of_run, **host_values(machines), **sizes}
    size, large = int(sizes[name]), {**small, **target}
    there, here = (partial(_seconds_without, app, plain, values) for values in (small, large))
    wanted = target.get(name)
    band = one_run.band_of(app.operations, size, int(wanted) if isinstance(wanted, int | float) else size)
    factors = one_run.factors_of_run(median(seconds), there)
    scaled = one_run.calibrated(one_run.plain(machines), factors, one_run.spread(band, seconds))
    grown = here(()) / (there(()) or 1.0)
    return Calibration(scaled, size, one_run.crossings(there, here), grown)


def _seconds_of_runs(path: str, text: str, mode: str, sizes: Mapping[str, Number], limit: float) -> Sequence[float]:
    """What a task takes at some sizes, in several runs of a program or starts of a virtual machine."""
    title = re.match(r"// .*?: ([\w.$]+)\.([\w$]+)\(", text)
    assert title is not None
    source = os.fspath(located(path))
    if is_c(path):
        from apet.c.measure.measuring import FLAGS
        from apet.c.profile.timing import timed

        return timed(read_source(source), title[2], sizes, FLAGS.get(mode, FLAGS["O2"]), RUNS, limit)
    from apet.java.jvm import find_jdk
    from apet.java.profile.sources import in_order
    from apet.java.profile.timing import time_task

    ordered = [int(sizes[n]) for n in in_order(source, title[2], list(sizes))]
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        return time_task(find_jdk(), source, (title[1], title[2]), ordered, mode or "C2", limit, folder)


def calibrated_nearby(
    path: str,
    entry: str | None,
    machines: Machines,
    sizes: Mapping[str, Number],
    name: str,
    target: Values,
    budget: float,
) -> Calibration:
    """The same of a run at a quarter of the size `name` in `sizes`; at a larger one where the work grows too fast or a
    level is crossed, at a smaller one where the run takes too long: each try has half of what is left of `budget`
    seconds, that of size 1 and those after a run that ended in time all.
    """
    from apet.java.errors import TooSlow
    from apet.java.profile.one_run import is_far_off, near

    end, whole = time.monotonic() + budget, int(sizes[name])
    size, best = near(whole), None
    while True:
        left = end - time.monotonic()
        try:
            limit = left / (2 if size > 1 and best is None else 1)
            best = calibrated_machines(path, entry, machines, {**sizes, name: size}, name, target, limit)
        except ApetError as error:
            slow = any(isinstance(d, TooSlow) for d in error.diagnostics)
            if slow and best is not None:
                return best
            if not slow or size == 1 or end - time.monotonic() < budget / 8:
                raise
            size = near(size)
        else:
            if not is_far_off(size, whole, best.grown, best.crossings):
                return best
            size = (size + whole) // 2


def calibrated_tasks(path: str, app: Application, machines: Machines, values: Values, budget: float) -> Machines:
    """Machines as the tasks of a task graph see them: a few of each batch are timed here by themselves, at the sizes in
    `values`, within about `budget` seconds. Messages keep their times.

    Raises `ApetError` without a JDK, for tasks that are models, and for a task that throws or takes too long.
    """
    from apet.ground.interval import Interval
    from apet.java.jvm import find_jdk
    from apet.java.profile.one_run import calibrated, plain

    sizes = {name: value for name, value in values.items() if not isinstance(value, Interval)}
    work = workload(read_source(located(path)), machines.configure(1), "static", sizes)
    mode = str(machines.provenance.get("mode", "C2"))
    return calibrated(plain(machines), *tasks_factor(find_jdk(), work, app, machines, values, mode, budget))


def tasks_factor(
    jdk: Jdk, work: Workload, app: Application, machines: Machines, values: Values, mode: str, budget: float
) -> tuple[Factors, ErrorBand]:
    """How many times what the plain figures say the tasks of an application take by themselves, and the band of that:
    wider by what virtual machines differed."""
    from apet.java.profile.one_run import Factors, calibrated, plain, spread
    from apet.java.validate.task_times import time_tasks
    from apet.program.measure.bands import EXACT, read
    from apet.program.measure.samples import median

    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        seconds = time_tasks(jdk, work, mode, budget, folder)
    # One worker waits for its messages in turn, so that the rest of its time is that of the tasks.
    middle = calibrated(plain(machines), Factors(1.0, 1.0), EXACT)
    predicted = _seconds(app, middle, values) - _seconds_without(app, middle, values, ("",))
    times = median(seconds) / predicted if predicted > 0 else 1.0
    return Factors(times, times), spread(read("tasks"), seconds)


def _seconds_without(app: Application, plain: Machines, values: Values, operations: tuple[str, ...]) -> float:
    from apet.java.profile.one_run import without

    return _seconds(app, without(plain, operations), values)


def _seconds(app: Application, machines: Machines, values: Values) -> float:
    return float(predictor(app, machines).predict(1, _declared(app, values)).estimate.middle)


def _declared(app: Application, values: Mapping[str, object]) -> Values:
    return {n: v for n, v in values.items() if n in app.model.parameters}  # type: ignore[misc]
