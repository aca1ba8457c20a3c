"""The table of `apet simulate`: one trace on many platforms, and on variants of them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Lines, Table
from apet.answers.cells import counted
from apet.api.replays import replays
from apet.cli import answering, output, trace_output
from apet.cli.errors import bad_option
from apet.cli.limits import Stopped
from apet.cli.sweep import INTERRUPTED, how_to_resume
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.notation import share
from apet.ground.notes import Note, NoteKind
from apet.questions.sweep.errors import NothingToWrite
from apet.questions.sweep.execute import DASK, MOST_KEPT, SweepOptions, execute
from apet.questions.sweep.libraries import need
from apet.questions.sweep.loop import Interrupted
from apet.questions.sweep.notation import parse_variation
from apet.questions.sweep.summary import SweepPoint, SweepSummary
from apet.questions.sweep.task import PARQUET, form_of
from apet.show.plain import plain
from apet.show.times import column, single, unit_for
from apet.show.values import value_text
from apet.traces.replay_table import REPLAY, ReplayTask


def run(options: argparse.Namespace) -> int:
    """Replay for each row, then show the table, or its ends where it is long."""
    form, within = _check(options)
    gaps = trace_output.warned(options.model)
    axes = [parse_variation(text) for text in options.vary]
    task = replays(options.model, options.platform, options.hostfile, axes, within=within, form=form)
    way = SweepOptions(options.output, options.resume, options.engine, options.scheduler, options.workers)
    try:
        summary = execute(task, task.evaluator(options.workers), way)
    except Interrupted as stopped:
        output.warn(how_to_resume(stopped))
        if isinstance(stopped.__context__, Stopped):
            raise stopped.__context__ from None
        return INTERRUPTED

    # --output is the file of all rows
    output.show(answering.shown(_answer(task, summary, [gap.text for gap in gaps]), options))
    return 0


def _check(options: argparse.Namespace) -> tuple[str, float]:
    """The kind of output, and the share within which formulas serve; `ApetError` where the options alone are wrong."""
    for option in ("gantt", "paje"):
        if getattr(options, option):
            reason = "it draws one replay, not a table"
            raise ApetError(bad_option(f"--{option}", getattr(options, option), reason))
    if len(options.hostfile) not in (0, 1, len(options.platform)):
        reason = f"{len(options.platform)} platforms need one for all, or one for each"
        raise ApetError(bad_option("--hostfile", " ".join(options.hostfile), reason))

    form = "" if options.output is None else form_of(options.output)
    if options.resume and not form:
        raise ApetError(NothingToWrite(None, None))
    output.check_writable(options.output)
    if form == PARQUET:
        need("writing Parquet", "pyarrow", "parquet")
    if options.scheduler is not None:
        options.engine = DASK
    if options.engine == DASK:
        need("--engine dask", "distributed", "dask")
    return form, 0.0 if options.within is None else share("--tolerance", options.within)


def _answer(task: ReplayTask, summary: SweepSummary, gaps: Sequence[str]) -> Answer:
    """All rows where they are few, else the first and the last by time; its keys are in the reference of traces."""
    ends = [point for point in (summary.best, summary.worst) if point is not None]
    rows = {"rows": [_point(point) for point in summary.rows]} if summary.rows else {}
    return Answer(
        kind="sweep",
        subject=task.traces[0].name,
        predictions=[Estimate(p.values, _time(p)) for p in summary.rows or ends],
        notes=[Note(NoteKind.DATA, gap) for gap in gaps],
        results={
            **{
                "trace": task.traces[0].name,
                "platforms": task.labels,
                "columns": summary.names,
                "points": summary.points,
            },
            **{"best": _point(summary.best), "worst": _point(summary.worst), "within": task.within},
            **{"output": summary.path, "seconds": round(summary.seconds, 3), "gaps": gaps, **rows},
        },
        blocks=[
            [Heading(_heading(task, summary))],
            [_table(summary, summary.rows) if summary.rows else _table(summary, ends, ("shortest", "longest"))],
            [Lines(_remarks(summary, ends))],
        ],
    )


def _time(point: SweepPoint) -> Interval:
    return Interval(point.times["makespan"], point.times["makespan"])


def _heading(task: ReplayTask, summary: SweepSummary) -> str:
    where = os.path.basename(task.labels[0]) if len(task.labels) == 1 else f"{len(task.labels)} platforms"
    trace = task.traces[0]
    counts = f"{trace.programs.ranks:,} ranks · {trace.events:,} actions · {counted(summary.points, 'run')}"
    return f"{trace.name} on {where} · {counts}"


def _remarks(summary: SweepSummary, ends: Sequence[SweepPoint]) -> list[str]:
    lines = []
    if summary.rows and len(ends) > 1 and summary.points > 1:
        lines += [f"{title}: {_where(point)}" for title, point in zip(("Shortest", "Longest"), ends, strict=True)]
    if summary.path is not None:
        lines.append(f"All rows are in {summary.path}.")
    elif not summary.rows:
        lines.append(f"To keep more than {MOST_KEPT} rows: -o runs.csv or -o runs.parquet")
    if any(point.dominant != REPLAY for point in (*summary.rows, *ends)):
        lines.append("formula: the middle of the bounds, which hold however links are shared.")
    return lines


def _table(summary: SweepSummary, points: Sequence[SweepPoint], titles: Sequence[str] = ()) -> Table:
    unit = unit_for(point.times["makespan"] for point in points)
    times = column([point.times["makespan"] for point in points], unit)
    rows = []
    for k, (point, time) in enumerate(zip(points, times, strict=True)):
        values = [v if isinstance(v, str) else value_text(v) for v in point.values.values()]
        rows.append([*titles[k : k + 1], *values, f"{time} {unit.name}", point.dominant])

    align = "".join("<" if name == ReplayTask.labelled else ">" for name in summary.names)
    header = [*([""] if titles else []), *summary.names, "run time", "method"]
    return Table(header, rows, ("<" if titles else "") + align + "><")


def _where(point: SweepPoint) -> str:
    values = ", ".join(f"{n} = {v if isinstance(v, str) else value_text(v)}" for n, v in point.values.items())
    return f"{values} with {single(point.times['makespan'])}"


def _point(point: SweepPoint | None) -> dict[str, Any] | None:
    if point is None:
        return None
    parameters = {name: v if isinstance(v, str) else plain(v) for name, v in point.values.items()}
    times = {f"{name}_s": seconds for name, seconds in point.times.items()}
    return {"number": point.number, "parameters": parameters, **times, "method": point.dominant}
