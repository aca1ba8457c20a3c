"""Answers about a log: cores against time, what limits, what is wasted; the job again and again; what the log lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Heading, Lines, Table
from apet.answers.cells import counted, share, time
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.joblogs.answer import CorePrediction, JobLogAnswer
from apet.joblogs.job_log import JobLog
from apet.joblogs.limits import by_kind
from apet.joblogs.report.pictures import joblog_figure
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.streams import SteadyState
from apet.joblogs.trust import NO_BOUNDS, NOTED, own_error
from apet.show.plain import record
from apet.show.tables import interval_cells
from apet.show.times import column, percent, unit_for

MOST_SPANS, MOST_SPANS_JSON = 6, 20
HOUR = 3_600
EXPONENTIAL = "pauses and times between arrivals are taken to vary exponentially"


def joblog_answer(
    answer: JobLogAnswer, work: WorkGraph, *, per_executor: int = 0, price: float | None = None
) -> Answer:
    """`per_executor` cores make an executor, where executors are counted; `price` is per hour of one, or of a core."""
    log, waste = answer.log, answer.waste
    notes = _notes(answer.notes)
    bounds = "guaranteed" if answer.sure else "estimated"
    costs = [p.core_hours / (per_executor or 1) * price for p in answer.predictions] if price is not None else []
    spans = [record(s) for s in answer.limits[:MOST_SPANS_JSON]]
    return Answer(
        kind="prediction",
        subject=log.name,
        predictions=list(_rows(answer, per_executor, costs)),
        notes=notes,
        results={
            **_about(log, answer.tasks),
            **{"cores": answer.cores, "jobs_at_once": answer.jobs, "measured_s": answer.measured},
            **{"own_run_error": answer.error, "work_core_s": answer.work, "driver_s": answer.driver},
            **{"floor_s": answer.floor, "knee_cores": answer.knee, "own_runs": answer.own_runs},
            "bounds": bounds,
            "limits": {"by_kind": by_kind(answer.limits), "spans": spans},
            "wasted_core_s": {
                "driver": waste.driver,
                "too_few_tasks": waste.few,
                "skew": waste.skew,
                "failed_attempts": waste.lost,
            },
        },
        blocks=[
            _heading(answer),
            [
                *([Lines([f"{answer.jobs} such jobs at once, begun together:"])] if answer.jobs > 1 else []),
                _table(answer.predictions, bounds, per_executor, costs),
            ],
            _limits(answer),
            [Lines([*_waste(answer), *_noted(notes)])],
        ],
        figure=partial(joblog_figure, answer, work),
    )


def _about(log: JobLog, tasks: int) -> dict[str, Any]:
    return {
        **{"log": log.name, "engine": log.engine, "engine_version": log.version, "complete": log.complete},
        **{"jobs": len(log.jobs), "stages": len(set(log.tasks.stage)), "tasks": tasks},
    }


def _notes(texts: Sequence[str]) -> list[Note]:
    return [Note(NoteKind.DATA, text) for text in texts]


def _noted(notes: Sequence[Note]) -> list[str]:
    return [f"note: {note.text}" for note in notes]


def _rows(answer: JobLogAnswer, per_executor: int, costs: Sequence[float]) -> Iterator[Estimate]:
    for k, p in enumerate(answer.predictions):
        held = None if p.lower is None or p.upper is None else Interval(p.lower, p.upper)
        more = {
            **{"cores": p.cores, "estimate_s": p.estimate, "lower_s": p.lower, "upper_s": p.upper},
            **{"core_hours": p.core_hours, "used": p.used, "responses_s": p.responses},
            **({"executors": p.cores / per_executor} if per_executor else {}),
            **({"cost": costs[k]} if costs else {}),
        }
        low, high = (None, None) if held is None else (Interval(end, end) for end in held)
        estimate = Interval(p.estimate, p.estimate)
        yield Estimate({"cores": p.cores}, estimate, low, high, held if answer.sure else None, more)


def _heading(answer: JobLogAnswer) -> Block:
    log = answer.log
    about = [f"{log.engine} {log.version}".strip(), counted(answer.cores, "core"), _counts(log, answer.tasks)]
    replay = [
        f"replay of this run: {_signed(answer.error)}",
        f"work {time(answer.work)} of one core",
        f"driver alone {time(answer.driver)}",
        f"not below {time(answer.floor)} on any number of cores",
    ]
    return [
        Heading(" · ".join([log.name, *about, f"{time(answer.measured)} measured"])),
        Lines([" · ".join(replay), *_own_runs(answer)]),
    ]


def _own_runs(answer: JobLogAnswer) -> list[str]:
    """This run as it was, and how it would have been without what disturbed it."""
    if len(answer.own_runs) == 1:
        return []
    return ["this run " + " · ".join(f"{run.name} {time(run.seconds)}" for run in answer.own_runs)]


def _counts(log: JobLog, tasks: int) -> str:
    stages = len(set(log.tasks.stage))
    return ", ".join(counted(*each) for each in ((len(log.jobs), "job"), (stages, "stage"), (tasks, "task")))


def _signed(share_of_all: float) -> str:
    return f"{share_of_all:+.2%}".replace("%", " %")


def _table(predictions: Sequence[CorePrediction], bounds: str, per_executor: int, costs: Sequence[float]) -> Table:
    """Executors where they are counted, cores, replay, bounds, cost and use."""
    unit = unit_for([p.estimate for p in predictions])
    columns = _where([p.cores for p in predictions], per_executor)
    columns["replay"] = [f"{n} {unit.name}" for n in column([p.estimate for p in predictions], unit)]
    if any(len(p.responses) > 1 for p in predictions):
        means = [sum(p.responses) / len(p.responses) for p in predictions]
        columns["mean of jobs"] = [f"{n} {unit.name}" for n in column(means, unit)]
    held = [Interval(p.lower, p.upper) for p in predictions if p.lower is not None and p.upper is not None]
    if len(held) == len(predictions):
        columns[bounds] = interval_cells(held, unit, outward=1)
    columns["core-h"] = [f"{p.core_hours:.3g}" for p in predictions]
    columns["used"] = [percent(p.used) for p in predictions]
    if costs:
        columns["cost"] = [f"{cost:,.4g}" for cost in costs]
    return _of_columns(columns)


def _where(cores: Sequence[int], per_executor: int) -> dict[str, list[str]]:
    executors = {"executors": [f"{n / per_executor:g}" for n in cores]} if per_executor else {}
    return {**executors, "cores": [str(n) for n in cores]}


def _of_columns(columns: dict[str, list[str]]) -> Table:
    return Table(list(columns), list(zip(*columns.values(), strict=True)), ">" * len(columns))


def _limits(answer: JobLogAnswer) -> Block:
    if not answer.limits:
        return []
    kinds = " · ".join(f"{kind} {percent(part)}" for kind, part in by_kind(answer.limits).items())
    alone = "one alone " if answer.jobs > 1 else ""
    rows = [
        (percent(s.share), time(s.seconds), s.name, counted(s.tasks, "task") if s.tasks else "", s.kind)
        for s in answer.limits[:MOST_SPANS]
    ]
    return [
        Lines([f"{alone}on {counted(answer.cores, 'core')} limited by: {kinds}"]),
        Table(("share", "time", "where", "", "by"), rows, ">><><", 4),
    ]


def _waste(answer: JobLogAnswer) -> list[str]:
    """Where idle core time comes from, and from which number of cores on the longest tasks decide."""
    waste = answer.waste
    parts = (("driver alone", waste.driver), ("too few tasks", waste.few), ("last tasks of stages", waste.skew))
    split = " · ".join(f"{name} {seconds / HOUR:.3g}" for name, seconds in parts)
    whole = (waste.total + answer.work) / HOUR
    lines = [f"of {whole:.3g} core-h idle {waste.total / HOUR:.3g}: {split}"]
    if waste.lost:
        lines.append(f"failed and second attempts took {waste.lost / HOUR:.3g} core-h more")
    if answer.knee is not None:
        lines.append(f"the longest tasks decide from about {counted(round(answer.knee), 'core')} on")
    return lines


# Again and again


def load_answer(
    log: JobLog, load: str, states: Sequence[SteadyState], about: dict[str, Any], *, per_executor: int = 0
) -> Answer:
    """A line for each number of cores; `load` says who runs the job how often, `about` the same in numbers. Without an
    estimate is what has no steady state."""
    unit = unit_for([s.response for s in states if s.response is not None] or [1.0])
    columns = _where([s.cores for s in states], per_executor)
    columns["mean response"] = _times([s.response for s in states], unit, "overloaded")
    columns["at least"] = _times([s.at_least for s in states], unit, "")
    columns["runs per hour"] = [f"{s.throughput * HOUR:.3g}" for s in states]
    columns["at once"] = ["" if s.present is None else f"{s.present:.2f}" for s in states]
    columns["used"] = [share(s.used) for s in states]

    notes = [Note(NoteKind.ASSUMPTION, EXPONENTIAL), *_notes(log.notes)]
    return Answer(
        kind="prediction",
        subject=log.name,
        predictions=[_of_state(s, per_executor) for s in states],
        notes=notes,
        results={"log": log.name, **about},
        blocks=[
            [Heading(f"{log.name} · {log.engine} {log.version}".strip()), Lines([f"{load}, in the steady state:"])],
            [_of_columns(columns)],
            [Lines(_noted(notes))],
        ],
    )


def _of_state(s: SteadyState, per_executor: int) -> Estimate:
    executors = {"executors": s.cores / per_executor} if per_executor else {}
    keys = {"cores": s.cores, **executors, "response_s": s.response, "at_least_s": s.at_least}
    least, mean = (None if t is None else Interval(t, t) for t in (s.at_least, s.response))
    more = {**keys, "throughput": s.throughput, "present": s.present, "used": s.used}
    return Estimate({"cores": s.cores}, mean, least, more=more)


def _times(seconds: Sequence[float | None], unit: Any, missing: str) -> list[str]:
    """Times of one column in one unit."""
    numbers = iter(column([s for s in seconds if s is not None], unit))
    return [missing if s is None else f"{next(numbers)} {unit.name}" for s in seconds]


# What a log lacks


def check_answer(log: JobLog, work: WorkGraph) -> Answer:
    """What was read, how far the replay of the own run is away, and notes."""
    error = own_error(work)
    verdict = "bounds are refused" if abs(error) > NO_BOUNDS else "take it with care" if abs(error) > NOTED else "fine"
    failed = len(log.tasks) - sum(log.tasks.ok)
    turnaround, notes = work.turnaround / 1e6, _notes(log.notes)
    counts = f"jobs: {len(log.jobs):,} · stages: {len(set(log.tasks.stage)):,} · tasks: {sum(log.tasks.ok):,}"
    lines = [
        f"{counts} · cores: {log.cores}",
        f"replay of this run: {_signed(error)} ({verdict})",
        f"turnaround of a core: {time(turnaround)}",
        *([f"attempts of tasks without success: {failed:,}"] if failed else []),
        *([] if log.complete else ["the log is incomplete"]),
        *_noted(notes),
    ]
    about = {"cores": log.cores, "own_run_error": error, "verdict": verdict, "failed_attempts": failed}
    return Answer(
        kind="check",
        subject=log.name,
        notes=notes,
        results={**_about(log, sum(log.tasks.ok)), **about, "turnaround_s": turnaround},
        blocks=[[Heading(f"{log.name} · {log.engine} {log.version}".rstrip()), Lines(lines)]],
    )
