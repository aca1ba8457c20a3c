"""Applications run on this machine beside their predictions."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple
from apet.ground.resources import located
from apet.java.profile.call_times import CallTimes, with_times
from apet.java.profile.one_run import Factors, calibrated, plain
from apet.java.profile.parameter_values import DOUBT, DOUBTED, values, with_doubt
from apet.java.profile.task_profiles import profile_tasks, task_parameters
from apet.java.task_values import host_values, remembered
from apet.java.validate.plans import PlannedRun, crowded
from apet.java.validate.points import Trial
from apet.trials.calibration import tasks_factor
from apet.trials.languages import compiled, predictor
from apet.trials.workloads import workload

if TYPE_CHECKING:
    from apet.cost import Application
    from apet.ground.source import Source
    from apet.java.jvm import Jdk
    from apet.java.profile.workload import Workload
    from apet.java.validate.running import RunEffort
    from apet.machine import Machines
    from apet.program.measure.bands import ErrorBand

Progress = Callable[[str, float], None]


class RunOptions(NamedTuple):
    """How applications are run and predicted: the JVM's mode, the cost level, whether tasks are counted in a run with
    counters, JVMs for each configuration, how much is run, and whether tasks are timed by themselves."""

    mode: str
    level: str
    profiled: bool
    forks: int
    effort: RunEffort
    calibrated: bool = False


def run_applications(
    runs: Sequence[PlannedRun], machines: Machines, ways: RunOptions, progress: Progress
) -> list[Trial]:
    """Run and predict each of them. Raises `ApetError` without a JDK, and where a task throws or does not end."""
    from apet.ground.source_files import read_source
    from apet.java.jvm import find_jdk
    from apet.java.validate.running import compile_application, run_application

    jdk = find_jdk()
    trials: list[Trial] = []
    predicting = _Predicting(jdk, ways, machines)
    works = [(read_source(located(a.path)), crowded(machines, a.workers)) for a in runs]
    for k, (one, (source, on)) in enumerate(zip(runs, works, strict=True)):
        title = f"{one.name}, {one.workers} workers, {one.schedule}"
        work = workload(source, on.configure(one.workers), one.schedule, one.settings)
        with tempfile.TemporaryDirectory(prefix="apet-") as folder:
            progress(f"{title}: running", k / len(runs))
            compile_application(jdk, [b.file for b in work.batches], folder)
            timed = [run_application(jdk, folder, work, ways.mode, ways.effort) for _ in range(ways.forks)]
            progress(f"{title}: predicting", (k + 0.7) / len(runs))
            interval = predicting.interval(source, work, on, one)
        wall, cpu = tuple(s for t in timed for s in t.wall_s), tuple(s for t in timed for s in t.cpu_s)
        settings = {n: float(v) for n, v in one.settings.items()}
        ends = float(interval.lo), float(interval.hi)
        trials.append(Trial(one.name, one.workers, one.schedule, settings, wall, cpu, *ends, timed[-1].results))
    progress("done", 1.0)
    return trials


class _Predicting:
    """Predicts applications; each program is translated, and run with counters, once for all numbers of workers."""

    def __init__(self, jdk: Jdk, ways: RunOptions, machines: Machines) -> None:
        self.jdk, self.ways, self.machines = jdk, ways, machines
        self.factors: dict[tuple[str, str], tuple[Factors, ErrorBand]] = {}
        self.compiled: dict[tuple[str, str], tuple[str, Application, dict[str, Number | Interval], CallTimes]] = {}

    def interval(self, source: Source, work: Workload, machines: Machines, run: PlannedRun) -> Interval:
        """The estimate: with `profiled`, what a run can count is counted; else the task graph says it, and the static
        guess of mispredictions is doubted."""
        model, app, counted, times = self._counted(source, work, machines, run)
        names = _declared(model)
        settings: dict[str, Number | Interval] = {n: v for n, v in host_values(machines).items() if n in names}
        settings |= {n: v for n, v in run.settings.items() if n in names} | counted

        timed = with_times(machines, times)
        if self.ways.calibrated:
            key = (source.name, repr(sorted(run.settings.items())))
            if key not in self.factors:
                alone = with_times(self.machines, times)
                effort = self.ways.mode, self.ways.effort.limit
                self.factors[key] = tasks_factor(self.jdk, work, app, alone, settings, *effort)
            timed = calibrated(plain(timed), *self.factors[key])
        on_machines = predictor(app, timed, run.schedule)
        if DOUBT not in names:
            return on_machines.predict(run.workers, settings).estimate
        ends = [on_machines.predict(run.workers, {**settings, DOUBT: doubt}).estimate for doubt in DOUBTED]
        return Interval(ends[0].lo, ends[1].hi)

    def _counted(
        self, source: Source, work: Workload, machines: Machines, run: PlannedRun
    ) -> tuple[str, Application, dict[str, Number | Interval], CallTimes]:
        from apet import java
        from apet.pasl import translate

        key = (source.name, repr(sorted(run.settings.items())))
        if key not in self.compiled:
            one = java.translate_resolved if self.ways.profiled else java.translate
            model = translate(source, one, self.ways.level, counted=self.ways.profiled).text
            counted: dict[str, Number | Interval] = {}
            times = CallTimes()
            if self.ways.profiled:
                limit, mode = self.ways.effort.limit, self.ways.mode
                asked = task_parameters(model, work.batches)
                with tempfile.TemporaryDirectory(prefix="apet-") as folder:
                    profile = profile_tasks(self.jdk, work.batches, True, limit, folder, asked, mode)
                counted |= values(asked, profile, True, remembered(machines))
                times = profile.times
            else:
                model = with_doubt(model)
            self.compiled[key] = model, compiled(model), counted, times
        return self.compiled[key]


def _declared(model: str) -> set[str]:
    return set(re.findall(r"^param ([\w$]+)", model, re.MULTILINE))
