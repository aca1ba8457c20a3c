"""`apet measure --vary`: run a command at the points of a design over several parameters, and write a table of runs."""

from __future__ import annotations

import argparse
import os

from apet.cli import output
from apet.cli.runs_surface import design
from apet.ground.diagnostics import ApetError
from apet.ground.notation import count, duration
from apet.ground.run_errors import NoPlace, OtherCommand
from apet.ground.source_files import read_source
from apet.runs.measure.designs import COMMAND, DesignPlan, DesignStep, measure_design, table
from apet.runs.read.sources import text_samples
from apet.show.times import single


def run(options: argparse.Namespace) -> None:
    """Measure; the file is written after each run, so that an interrupted call can be continued."""
    plan = _plan(options)
    path = "runs.csv" if options.output == "runs.json" else options.output
    output.check_writable(path)
    times = _earlier(path, plan)

    for step in measure_design(plan, times):
        output.warn(_progress(step, plan))
        if not step.timed.stopped:
            times.setdefault(step.point, []).append(step.timed.wall)
            output.write_result(table(plan, times), path)
    count, missing = sum(map(len, times.values())), len(plan.points) - len(times)
    left = f", {missing} points are missing" if missing else ""
    names = ",".join(plan.names)
    output.show(f"{count} runs at {len(times)} points in {path}{left}; next: apet predict {path} --parameters {names}")


def _plan(options: argparse.Namespace) -> DesignPlan:
    command = tuple(options.command)
    names, points = design("--vary", options.vary)
    for name in names:
        if not any(f"{{{name}}}" in part for part in command):
            raise ApetError(NoPlace(None, None, " ".join(command), name))
    budget = float(duration("--budget", options.budget))
    limit = budget if options.limit is None else float(duration("--run-limit", options.limit))
    repeat = count("--repeat", options.repeat, 1, 10**6)
    return DesignPlan(command, tuple(names), tuple(points), repeat, budget, limit)


def _earlier(path: str, plan: DesignPlan) -> dict[tuple[float, ...], list[float]]:
    """The runs of a file of the same command; none where there is no file."""
    if not os.path.exists(path):
        return {}
    source = read_source(path)
    first = source.text.partition("\n")[0]
    if not first.startswith(COMMAND) or first.removeprefix(COMMAND) != " ".join(plan.command):
        raise ApetError(OtherCommand(None, None, path, first.removeprefix(COMMAND)[:80]))
    samples = text_samples(source)
    if samples.names != plan.names:
        raise ApetError(OtherCommand(None, None, path, f"over {', '.join(samples.names)}"))
    return {tuple(float(v) for v in x): list(paths.get("", ())) for x, paths in samples.times.items()}


def _progress(step: DesignStep, plan: DesignPlan) -> str:
    at = ", ".join(f"{n} = {v:,.12g}" for n, v in zip(plan.names, step.point, strict=True))
    ended = "   ended at the limit" if step.timed.stopped else ""
    return f"{at:<28} {single(step.timed.wall):>12}   ({step.spent:.0f} of {plan.budget:.0f} s){ended}"
