"""`apet solve --for latency` and `--for bandwidth` of a trace: what it tolerates of either."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, trace_output, trace_settings
from apet.cli.solve_goals import SolveGoal
from apet.ground.activity import Activity
from apet.ground.interval import Number
from apet.traces.bounds.curve import LEAST, MOST
from apet.traces.critical.tolerance import tolerance
from apet.traces.report.tolerance import tolerance_answer

FACTORS = ("latency", "bandwidth")


def asks(options: argparse.Namespace) -> bool:
    """Whether this is the question."""
    return getattr(options, "platform", None) is not None and options.name in FACTORS


def run(options: argparse.Namespace, goal: SolveGoal, within: tuple[Number, Number] | None) -> None:
    """Solve and print. `ApetError`."""
    ends = (LEAST, MOST) if within is None else (float(within[0]), float(within[1]))
    scales = trace_settings.parsed_scales(options.settings, ranges=False)
    with Activity(f"solving {options.model}"):
        platform, hosts = trace_settings.read_platform(options.platform, options.hostfile, options.model)
        trace_output.warned(options.model)
        factors = {name: low for name, (low, _) in scales.everywhere.items()}
        platform = platform.scaled(**factors).with_speeds(scales.hosts)
        found = tolerance(
            api.flat_trace(options.model, platform),
            platform,
            hosts,
            options.name,
            deadline=None if goal.deadline is None else float(goal.deadline),
            near_best=None if goal.near_best is None else float(goal.near_best),
            ends=ends,
        )
    answering.write(tolerance_answer(found), options)
