"""Logs of distributed engines: reading one, and what it predicts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from apet.ground.collection import paused_collector
from apet.joblogs.answer import JobLogAnswer
from apet.joblogs.answer import answer as answered
from apet.joblogs.data import with_data
from apet.joblogs.job_log import JobLog, sized_logs
from apet.joblogs.read import read_job_logs
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.sizes import work_of
from apet.joblogs.what_if import changed

Path = str | os.PathLike[str]


@dataclass(frozen=True, init=False)
class JobLogQuestion:
    """A log and its work, read once; `changed` and others give another question about the same log. `ApetError`."""

    path: str
    log: JobLog
    work: WorkGraph
    own: WorkGraph  #: the work as it was logged, of which `work` may be a changed one

    def __init__(self, path: Path) -> None:
        with paused_collector():
            self._set(os.fspath(path), *work_of(os.fspath(path), read_job_logs(path)))

    def changed(self, settings: Mapping[str, Fraction]) -> JobLogQuestion:
        """The same with other numbers of tasks, `partitions.STAGE`, or less skew, `skew.STAGE`."""
        return self._with(changed(self.work, settings)) if settings else self

    def with_sizes(self, others: Sequence[JobLogQuestion], sizes: Sequence[float]) -> JobLogQuestion:
        """The program at the largest input size, from logs at several: this one first, then the others."""
        logs = sized_logs(sizes, [question.log for question in (self, *others)])
        question = object.__new__(JobLogQuestion)
        question._set(self.path, *work_of(self.path, logs))
        return question

    def with_data(self, data: Fraction) -> JobLogQuestion:
        """The program on so much data: in the unit of the sizes, or times that of the log if there is only one."""
        work, note = with_data(self.work, data), ""
        if not self.work.fitted:
            grown = [unit for unit in self.work.units if unit.growth]
            more = sum(unit.splits for unit in grown)
            note = f"{len(grown)} stages are taken to grow in proportion to data, {more} of them in more tasks"
        return self._with(work, note)

    def _with(self, work: WorkGraph, *notes: str) -> JobLogQuestion:
        question = object.__new__(JobLogQuestion)
        log = replace(self.log, notes=(*self.log.notes, *filter(None, notes)))
        question._set(self.path, log, work, self.own)
        return question

    def _set(self, path: str, log: JobLog, work: WorkGraph, own: WorkGraph) -> None:
        for name, value in (("path", path), ("log", log), ("work", work), ("own", own)):
            object.__setattr__(self, name, value)

    def answer(
        self,
        cores: Sequence[int] | None = None,
        *,
        spread: Fraction = Fraction(0),
        jobs: int = 1,
        fair: bool = False,
    ) -> JobLogAnswer:
        """Predictions on these numbers of cores, of so many such jobs at once."""
        with paused_collector():
            return answered(self.log, self.work, cores, spread=spread, jobs=jobs, fair=fair, own=self.own)


def predict_jobs(
    path: Path, cores: Sequence[int] | None = None, *, spread: float = 0, jobs: int = 1, data: float | None = None
) -> JobLogAnswer:
    """How long the application of a log takes on these numbers of cores (default: around its own); `ApetError`.

    `spread` widens every task time both ways, as a share; `jobs` is how many such applications begin together;
    `data` is how much input there is, times that of the log (or in the unit of its sizes, if it has several).
    """
    question = JobLogQuestion(path)
    if data is not None:
        question = question.with_data(Fraction(str(data)))
    return question.answer(cores, spread=Fraction(str(spread)), jobs=jobs)
