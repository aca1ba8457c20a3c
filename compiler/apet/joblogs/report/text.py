"""The answer about a log as text: the table of cores against time, what limits, what is wasted."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.diagnostics import visible
from apet.joblogs.answer import CorePrediction, JobLogAnswer
from apet.joblogs.limits import by_kind
from apet.show.tables import intervals, table
from apet.show.times import column, percent, single, unit_for

MOST_SPANS = 6


def joblog_text(answer: JobLogAnswer, *, per_executor: int = 0, price: float | None = None) -> str:
    """Lines for people. `per_executor` cores make an executor, where executors are counted; `price` is per hour of one,
    or of a core."""
    sections = [
        _heading(answer),
        _table(answer.predictions, _bounds_title(answer), per_executor, price),
        _limits(answer),
        _waste(answer),
    ]
    if answer.notes:
        sections.append([f"  note: {visible(note)}" for note in answer.notes])
    return "\n".join("\n".join(section) for section in sections if section) + "\n"


def _heading(answer: JobLogAnswer) -> list[str]:
    log = answer.log
    tasks, stages = answer.tasks, len(set(log.tasks.stage))
    engine = f"{log.engine} {log.version}".strip()
    counts = ", ".join(_count(*each) for each in ((len(log.jobs), "job"), (stages, "stage"), (tasks, "task")))

    together = [f"  {answer.jobs} such jobs at once, begun together:"] if answer.jobs > 1 else []
    return [
        visible(
            f"{log.name} · {engine} · {_count(answer.cores, 'core')} · {counts} · {single(answer.measured)} measured"
        ),
        f"  replay of this run: {answer.error:+.2%}".replace("%", " %")
        + f" · work {single(answer.work)} of one core · driver alone {single(answer.driver)}"
        + f" · not below {single(answer.floor)} on any number of cores",
        *_own_runs(answer),
        "",
        *together,
    ]


def _own_runs(answer: JobLogAnswer) -> list[str]:
    """This run as it was, and how it would have been without what disturbed it."""
    if len(answer.own_runs) == 1:
        return []
    return ["  this run " + " · ".join(f"{run.name} {single(run.seconds)}" for run in answer.own_runs)]


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def _bounds_title(answer: JobLogAnswer) -> str:
    return "guaranteed" if answer.sure else "estimated"


def _table(predictions: Sequence[CorePrediction], bounds: str, per_executor: int, price: float | None) -> list[str]:
    """Executors where they are counted, cores, replay, bounds, cost and use."""
    unit = unit_for([p.estimate for p in predictions])
    low = [p.lower if p.lower is not None else p.estimate for p in predictions]
    high = [p.upper if p.upper is not None else p.estimate for p in predictions]
    bounded = all(p.lower is not None for p in predictions)
    columns = [("cores", [str(p.cores) for p in predictions])]
    if per_executor:
        columns.insert(0, ("executors", [f"{p.cores / per_executor:g}" for p in predictions]))
    columns.append(("replay", [f"{n} {unit.name}" for n in column([p.estimate for p in predictions], unit)]))
    if any(len(p.responses) > 1 for p in predictions):
        means = [sum(p.responses) / len(p.responses) for p in predictions]
        columns.append(("mean of jobs", [f"{n} {unit.name}" for n in column(means, unit)]))
    if bounded:
        ends = intervals(column(low, unit, -1, high), column(high, unit, 1, low), unit.name)
        columns.append((bounds, ends))
    columns.append(("core-h", [f"{p.core_hours:.3g}" for p in predictions]))
    columns.append(("used", [percent(p.used) for p in predictions]))
    if price is not None:
        costs = [p.core_hours / (per_executor or 1) * price for p in predictions]
        columns.append(("cost", [f"{cost:,.4g}" for cost in costs]))

    header, cells = zip(*columns, strict=True)
    return [*table(header, list(zip(*cells, strict=True)), ">" * len(columns)), ""]


def _limits(answer: JobLogAnswer) -> list[str]:
    if not answer.limits:
        return []
    kinds = " · ".join(f"{kind} {percent(share)}" for kind, share in by_kind(answer.limits).items())
    alone = "one alone " if answer.jobs > 1 else ""
    rows = [
        (percent(s.share), single(s.seconds), visible(s.name), _count(s.tasks, "task") if s.tasks else "", s.kind)
        for s in answer.limits[:MOST_SPANS]
    ]
    lines = [f"  {alone}on {_count(answer.cores, 'core')} limited by: {kinds}"]
    return [*lines, *table(("share", "time", "where", "", "by"), rows, ">><><", "    "), ""]


def _waste(answer: JobLogAnswer) -> list[str]:
    """Where idle core time comes from, and from which number of cores on the longest tasks decide."""
    waste, hour = answer.waste, 3600
    parts = (("driver alone", waste.driver), ("too few tasks", waste.few), ("last tasks of stages", waste.skew))
    split = " · ".join(f"{name} {seconds / hour:.3g}" for name, seconds in parts)
    whole = (waste.total + answer.work) / hour
    lines = [f"  of {whole:.3g} core-h idle {waste.total / hour:.3g}: {split}"]
    if waste.lost:
        lines.append(f"  failed and second attempts took {waste.lost / hour:.3g} core-h more")
    if answer.knee is not None:
        lines.append(f"  the longest tasks decide from about {_count(round(answer.knee), 'core')} on")
    return lines
