"""The sections that sources add to a page: runs with their fit, response against population, what ranks do when,
stages of a job log."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from apet.answers.blocks import Sentences, Table
from apet.ground.diagnostics import ApetError
from apet.ground.resources import located
from apet.page.build import Section, picture

if TYPE_CHECKING:
    from apet.page.call_tree import PathNode
    from apet.runs.experiments import Experiment
    from apet.runs.fit.surface.call_tree import CallPathFit
    from apet.traces.critical.efficiency import Efficiency
    from apet.traces.platform.platform import Platform
    from apet.traces.trace import Replayed

BEYOND = 4
"""How far past the largest run a fit is shown."""
MOST_ACTIONS = 200_000
"""Bytes of a trace up to which a page shows what the ranks do; beyond, a picture would be too large."""


def _of_experiment(path: str | os.PathLike[str], options: Mapping[str, Any]) -> list[Section]:
    from apet.page.call_tree import call_tree as folding_tree
    from apet.runs.fit.surface.call_tree import call_tree
    from apet.runs.fit.surface.surface import fit_surface
    from apet.runs.read import read_experiment
    from apet.runs.report.surface_answers import place
    from apet.runs.report.surface_plots import surface_figure

    names, where, metric = options["parameters"], options.get("where"), options.get("metric")
    experiment = read_experiment(path, parameters=names, conditions=where, metric=metric).experiment
    target = [BEYOND * v for v in experiment.largest]
    fit = fit_surface(experiment, [target])
    caption = f"The runs, the fit, and the interval for 90 % of such runs, against {experiment.names[0]}"
    sections = [picture("fit-time", "The runs", lambda: surface_figure(fit), caption)]
    paths, folded = call_tree(experiment, target)
    if paths:
        remark = f"At {place(experiment.names, target)}. ! marks where time x P grows; {folded} paths are below 3 %."
        sections.append(folding_tree("tree", "Call paths", _nested(experiment, paths, target), remark))
    return sections


def _nested(
    experiment: Experiment, rows: Sequence[CallPathFit], target: Sequence[float], around: str | None = None
) -> list[PathNode]:
    """The call paths whose closest listed caller is `around`, with those that they call."""
    from apet.page.call_tree import PathNode, SmallChart
    from apet.runs.experiments import parent
    from apet.runs.report.surface_answers import path_formula, path_growth, path_interval
    from apet.runs.report.surface_panels import panels
    from apet.show.times import percent

    listed, nodes = {r.path: None for r in rows}, list[PathNode]()
    for row in rows:
        if parent(row.path, listed) != around:
            continue
        label = row.path if around is None else row.path[len(around) + 1 :]
        shares = f"{percent(row.share_now)} → {percent(row.share)} ({path_interval(row)}), grows as {path_growth(row)}"
        charts = [SmallChart(*panel) for panel in panels(experiment, row, target)]
        ends = (float(row.interval.lo), float(row.interval.hi))
        below = _nested(experiment, rows, target, row.path)
        formula = path_formula(row, experiment.names)
        nodes.append(PathNode(label, row.work_grows, row.share_now, row.share, *ends, shares, formula, charts, below))
    return nodes


def of_runs(path: str | os.PathLike[str], options: Mapping[str, Any]) -> list[Section]:
    """The runs, their fit and its interval; of several parameters the call paths, too."""
    from apet.runs.answer import answer
    from apet.runs.fit.methods import extrapolate
    from apet.runs.read import read_runs
    from apet.runs.report.plots import extrapolation_figure, places

    names, where = options.get("parameters") or (), options.get("where")
    if len(names) > 1:
        return _of_experiment(path, options)
    kind, method = options.get("kind", ""), options.get("method", "auto")
    chosen, metric = options.get("curve"), options.get("metric")
    measured = read_runs(path, curve=chosen, metric=metric, kind=kind or "size", where=where).curve
    curve = measured._replace(kind=kind or measured.kind)
    answered = answer(curve, [BEYOND * max(run.n for run in curve.runs)], method)
    band = extrapolate(curve, places(answered), method)
    views = [("time", "The runs, the fit, and the interval for 90 % of such runs")]
    if curve.kind == "procs":
        views += [("speedup", "Speed-up"), ("efficiency", "Efficiency")]
    return [
        picture(f"fit-{view}", caption.partition(",")[0], partial(extrapolation_figure, answered, band, view), caption)
        for view, caption in views
    ]


def of_queue(path: str | os.PathLike[str]) -> list[Section]:
    """Response time and throughput of more jobs, where their number can grow."""
    from apet.queueing.methods.answer import solved
    from apet.queueing.questions.population_curve import population_curve
    from apet.queueing.read import read_queue
    from apet.queueing.report.pictures import population_figure

    file = read_queue(path)
    try:
        curve = population_curve(file.problem, None, lambda problem: solved(problem, "auto"))
    except ApetError:
        return []  # nothing whose number could grow
    caption = "Response time and throughput against the number of jobs, with their asymptotic bounds"
    return [picture("growth", "More jobs", lambda: population_figure(file.name, curve), caption)]


def of_trace(path: str | os.PathLike[str], platform: Platform, hosts: Sequence[int]) -> list[Section]:
    """The replay in numbers, and what the ranks do when."""
    from apet.traces.critical.efficiency import efficiency, ideal
    from apet.traces.front import replay
    from apet.traces.report.gantt import gantt_figure
    from apet.traces.structure import replay_by_site

    drawn = os.path.getsize(located(path)) <= MOST_ACTIONS
    replayed, sites = replay_by_site(path, platform, hosts) if drawn else (replay(path, platform, hosts), ())
    lost = efficiency(replayed, replay(path, ideal(platform), hosts))
    remark = "The replay runs the trace event by event and lies between the bounds above."
    table = Table(("", ""), _replay_rows(replayed, lost), "<<", label="Replay")
    sections = [Section("replay", "Replay", [table, Sentences([remark])])]
    if drawn:
        caption = "Computing, waiting and communicating"
        sections.append(picture("ranks", "What the ranks do when", lambda: gantt_figure(replayed, sites), caption))
    return sections


def _replay_rows(replayed: Replayed, lost: Efficiency | None) -> list[list[str]]:
    from apet.show.times import percent, single
    from apet.traces.report.replay import efficiency_rows, size

    shares = [times.compute_s / times.end_s if times.end_s else 0.0 for times in replayed.ranks]
    rows = [
        ["run time", single(replayed.makespan_s)],
        ["ranks", f"{len(replayed.ranks)} on hosts: {len(set(replayed.hosts))}"],
        ["messages", f"{replayed.messages:,}, {size(replayed.bytes_sent)}"],
        ["a rank computes", f"{percent(min(shares))} to {percent(max(shares))} of its time"],
    ]
    for name, share in efficiency_rows(lost) if lost else ():
        rows.append([f"{name.replace('_', ' ')} efficiency", percent(share)])
    return rows + [["busiest link", f"{use.name}: {percent(use.utilization)}"] for use in replayed.links[:1]]


def of_jobs(path: str | os.PathLike[str], options: Mapping[str, Any]) -> list[Section]:
    """Stages over time, and the run time against cores."""
    from apet.joblogs.question import JobLogQuestion
    from apet.joblogs.report.pictures import joblog_figure

    question = JobLogQuestion(path).changed(options.get("changes", {}))
    caption = (
        "Stages from ready to their end, darker while their tasks begin; and the run time against cores with its bounds"
    )
    return [picture("stages", "Stages and cores", lambda: joblog_figure(question.answer(), question.work), caption)]
