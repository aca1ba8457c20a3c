"""Carrying a sweep out: its size, its engine, its output."""

from __future__ import annotations

from dataclasses import dataclass

from apet.questions.sweep.estimate import check_size
from apet.questions.sweep.loop import Local, SweepEngine, sweep_all, sweep_few, sweep_to
from apet.questions.sweep.summary import SweepSummary
from apet.questions.sweep.task import RowEvaluator, TableTask

LOCAL, DASK = ENGINES = ("local", "dask")
MOST_KEPT = 50


@dataclass(frozen=True)
class SweepOptions:
    """How to sweep: into which file, with which engine; `limit` refuses more points (None: any number)."""

    output: str | None = None
    resume: bool = False
    engine: str = LOCAL
    scheduler: str | None = None
    workers: int | None = None
    limit: int | None = None


def execute(task: TableTask, evaluator: RowEvaluator, options: SweepOptions) -> SweepSummary:
    """Sweep; the summary holds all points where they are few and go neither to a file nor to a cluster.

    Raises `ApetError`, and `Interrupted` on Ctrl-C with a file.
    """
    if options.limit is not None:
        check_size(task, options.limit, evaluator)
    if options.output is None and options.engine == LOCAL and task.space.size <= MOST_KEPT:
        return sweep_few(task, evaluator)

    engine = _engine(evaluator, options)
    if options.output is None:
        return sweep_all(task, engine)
    return sweep_to(task, engine, options.output, options.resume)


def _engine(evaluator: RowEvaluator, options: SweepOptions) -> SweepEngine:
    if options.engine == LOCAL:
        return Local(evaluator)
    from apet.questions.sweep.cluster import DaskCluster

    return DaskCluster(options.scheduler, options.workers)
