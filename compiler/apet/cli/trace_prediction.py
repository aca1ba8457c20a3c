"""`apet predict` of a trace: lower and upper bounds of its run time on a platform."""

from __future__ import annotations

import argparse
import math

from apet import api
from apet.cli import answering, arguments, trace_settings
from apet.ground.activity import Activity
from apet.traces.report.bounds import bounds_answer
from apet.traces.trace import TraceBounds

DESCRIPTION = """Bounds of the run time of an MPI program on a platform, from a trace of it. A trace is a merged file
or a list of one file per rank; plain, gzip or xz."""
MOST_COUNTED = 1_000_000
"""Actions of a trace whose formulas JSON makes only to say how long they are."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_settings.trace(parser)
    trace_settings.platform(parser)
    trace_settings.scales(parser, ranges=True)
    trace_settings.jobs(parser)
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Read, bound, print."""
    scales = trace_settings.parsed_scales(options.settings)
    with Activity(f"bounding {options.model}"):
        placed = trace_settings.placed(options, trace_settings.needed(options), options.hostfile, scales.hosts)
        trace, platform = placed.all, placed.platform
        scales = scales.within(platform.ranges)
        low, high = scales.everywhere.get("speed", (1.0, 1.0))
        others = {name: ends for name, ends in scales.everywhere.items() if name != "speed"}

        # formulas are wider: only where latency or bandwidth is a range, or where counting their terms takes a moment
        bounds, terms = TraceBounds(0.0, math.inf), None
        counted = options.json and trace.events <= MOST_COUNTED
        if counted or any(least < most for least, most in others.values()):
            compiled = api.compile_trace(trace, platform, placed.places)
            bounds, terms = compiled.at(scales.everywhere), compiled.terms

        # for one latency and bandwidth; speeds may vary in time and by host
        if all(least == most for least, most in others.values()):
            one = platform.scaled(**{name: least for name, (least, _) in others.items()})
            one = one.with_speeds({host.name: (low, high) for host in one.hosts})
            bounds = bounds.within(api.trace_bounds(trace, one, placed.places))

    answering.write(bounds_answer(trace.name, platform.name, bounds, scales.shown, terms, placed.gaps), options)
