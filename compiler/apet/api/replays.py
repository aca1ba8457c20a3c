"""Many replays of a trace, as a table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from apet.api.models import read_platform
from apet.questions.sweep.execute import LOCAL, SweepOptions, execute
from apet.questions.sweep.notation import axis_of
from apet.questions.sweep.space import Axis
from apet.questions.sweep.summary import SweepSummary
from apet.questions.sweep.task import form_of
from apet.traces.replay_table import ReplayTask, replay_task

Path = str | os.PathLike[str]


def replays(
    trace: Path,
    platforms: Sequence[Path],
    hostfiles: Sequence[Path],
    axes: Sequence[Axis],
    *,
    within: float = 0.0,
    form: str = "",
) -> ReplayTask:
    """The table of a trace on platforms; `hostfiles` are none, one for all, or one for each. `ApetError`."""
    each: Sequence[Path | None] = hostfiles if len(hostfiles) > 1 else [*hostfiles, None][:1] * len(platforms)
    sites = [read_platform(platform, hosts, trace) for platform, hosts in zip(platforms, each, strict=True)]
    return replay_task(trace, platforms, sites, axes, within=within, form=form)


def replay_many(
    trace: Path,
    platforms: Sequence[Path],
    vary: Mapping[str | tuple[str, ...], Sequence[object] | str] | None = None,
    *,
    hostfiles: Sequence[Path] = (),
    within: float = 0.0,
    output: Path | None = None,
    resume: bool = False,
    engine: str = LOCAL,
    scheduler: str | None = None,
    workers: int | None = None,
) -> SweepSummary:
    """Replay a trace on several platforms, and with every combination of multiples of speed, latency and bandwidth.

    Arguments are those of `sweep`; where the bounds by formulas lie within the share `within` of each other, they stand
    for the replay. Times are `makespan`, `lower` and `upper` in seconds, `dominant` is "replay" or "formula".
    `ApetError` where a file cannot be read, or on a deadlock.
    """
    path = None if output is None else os.fspath(output)
    axes = [axis_of(name, points) for name, points in (vary or {}).items()]
    task = replays(trace, platforms, hostfiles, axes, within=within, form="" if path is None else form_of(path))
    return execute(task, task.evaluator(workers), SweepOptions(path, resume, engine, scheduler, workers))
