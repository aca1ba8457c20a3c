"""Logs of distributed engines: reading one, and what it predicts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from apet.joblogs.answer import JobLogAnswer
from apet.joblogs.answer import answer as answered
from apet.joblogs.job_log import JobLog
from apet.joblogs.read import read_job_log
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.rules.work_graph import work_graph
from apet.joblogs.sizes import at_size
from apet.joblogs.what_if import changed

Path = str | os.PathLike[str]


@dataclass(frozen=True, init=False)
class JobLogQuestion:
    """A log and its work, read once; `changed` gives another question about the same log. `ApetError`."""

    path: str
    log: JobLog
    work: WorkGraph
    logged: WorkGraph | None  #: the work as it was, where `work` is a changed one

    def __init__(self, path: Path) -> None:
        log = read_job_log(path)
        for name, value in (("path", os.fspath(path)), ("log", log), ("work", work_graph(log)), ("logged", None)):
            object.__setattr__(self, name, value)

    def changed(self, settings: Mapping[str, Fraction]) -> JobLogQuestion:
        """The same with other numbers of tasks, `partitions.STAGE`, or less skew, `skew.STAGE`."""
        if not settings:
            return self
        return self._with(changed(self.work, settings), self.log.notes)

    def at_size(self, others: Sequence[JobLogQuestion], sizes: Sequence[float], size: float) -> JobLogQuestion:
        """The same program at another input size, from logs at sizes: this one first, then the others."""
        questions = [self, *others]
        work = at_size([q.path for q in questions], [q.work for q in questions], sizes, size)
        largest = questions[max(range(len(sizes)), key=lambda k: sizes[k])]
        listed = ", ".join(f"{value:g}" for value in sorted(sizes))
        note = f"size {size:g} is estimated from sizes {listed}: work and delays along lines, tasks along power laws"
        return largest._with(work, (*largest.log.notes, note))

    def _with(self, work: WorkGraph, notes: tuple[str, ...]) -> JobLogQuestion:
        other = object.__new__(JobLogQuestion)
        log = replace(self.log, notes=notes)
        values = {"path": self.path, "log": log, "work": work, "logged": self.logged or self.work}
        for name, value in values.items():
            object.__setattr__(other, name, value)
        return other

    @property
    def per_executor(self) -> int:
        """Cores of an executor."""
        return self.work.per_executor

    @property
    def several_executors(self) -> bool:
        """Whether the log has more than one executor."""
        return len(self.log.executors) > 1

    def answer(
        self,
        cores: Sequence[int] | None = None,
        *,
        spread: Fraction = Fraction(0),
        jobs: int = 1,
        fair: bool = False,
    ) -> JobLogAnswer:
        """Predictions on these numbers of cores, of so many such jobs at once."""
        return answered(self.path, self.log, self.work, cores, spread=spread, jobs=jobs, fair=fair, own=self.logged)


def predict_jobs(path: Path, cores: Sequence[int] | None = None, *, spread: float = 0, jobs: int = 1) -> JobLogAnswer:
    """How long the application of a log takes on these numbers of cores (default: around its own); `ApetError`.

    `spread` widens every task time both ways, as a share; `jobs` is how many such applications begin together.
    """
    return JobLogQuestion(path).answer(cores, spread=Fraction(str(spread)), jobs=jobs)
