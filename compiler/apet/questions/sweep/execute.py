"""Carrying a sweep out: its size, its engine, its output."""

from __future__ import annotations

from dataclasses import dataclass

from apet.cost import CostModel
from apet.questions.sweep.estimate import check_size
from apet.questions.sweep.loop import Local, SweepEngine, sweep_all, sweep_few, sweep_to
from apet.questions.sweep.summary import SweepSummary
from apet.questions.sweep.task import SweepTask

LOCAL, DASK = ENGINES = ("local", "dask")
MOST_KEPT = 50


@dataclass(frozen=True)
class Manner:
    """How to sweep: into which file, with which engine; `limit` refuses more points (None: any number)."""

    output: str | None = None
    resume: bool = False
    engine: str = LOCAL
    scheduler: str | None = None
    workers: int | None = None
    limit: int | None = None


def execute(task: SweepTask, app: CostModel, manner: Manner) -> SweepSummary:
    """Sweep; all points are kept in the summary where they are few, and neither a file nor a cluster is asked for.

    Raises `ApetError` for mistakes, `Interrupted` on Ctrl-C with a file.
    """
    if manner.limit is not None:
        check_size(task, manner.limit, app)
    if manner.output is None and manner.engine == LOCAL and task.space.size <= MOST_KEPT:
        return sweep_few(task, app)
    engine = _engine(app, manner)
    if manner.output is None:
        return sweep_all(task, engine)
    return sweep_to(task, engine, manner.output, manner.resume)


def _engine(app: CostModel, manner: Manner) -> SweepEngine:
    if manner.engine == LOCAL:
        return Local(app)
    from apet.questions.sweep.cluster import DaskCluster

    return DaskCluster(manner.scheduler, manner.workers)
