"""`apet import` of an event trace: what Score-P, Extrae, DUMPI and others recorded, as a trace in volumes."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from apet import api
from apet.cli import output, trace_export, trace_output
from apet.ground.diagnostics import ApetError
from apet.ground.notation import assignment, count
from apet.ground.resources import located
from apet.ground.values import number
from apet.traces.event_traces.formats import GOAL, format_of
from apet.traces.event_traces.goal import goal_ranks
from apet.traces.lines.actions import MOST_RANKS
from apet.traces.lines.files import Output


def run(options: argparse.Namespace) -> None:
    """Convert."""
    separate = trace_output.separate(options.output)
    step = None if options.step is None else count("--step", options.step)
    processes = None if options.processes is None else count("--processes", options.processes, 1, MOST_RANKS)
    plain = not (separate or options.unroll or options.region) and step is None is processes
    if plain and format_of(os.fspath(located(options.source))) == GOAL:
        _write_ranks(os.fspath(located(options.source)), _rate(options.rate), options.output)
        return
    trace = api.convert_trace(
        options.source,
        _rate(options.rate),
        unroll=options.unroll,
        regions=_regions(options.region),
        step=step,
        processes=processes,
    )
    trace_export.write(trace, options.output, separate)


def _write_ranks(source: str, rate: float, target: str) -> None:
    """Write what GOAL says rank by rank, so that its length does not matter."""
    counts = list[int]()

    def write(file: Output, _: Sequence[int]) -> None:
        for each in goal_ranks(source, rate):
            file.write(each.lines)
            counts.append(each.actions)

    trace_output.write_parts(target, False, 0, write)
    output.show(f"{target}: {len(counts)} ranks, {sum(counts):,} actions")


def _regions(texts: Sequence[str]) -> dict[int, float]:
    """Relative speeds by region; `ApetError`."""
    from apet.traces.mpi.errors import BadCount

    speeds: dict[int, float] = {}
    for text in texts:
        region, speed = assignment("--region", text, "its speed")
        value = float(number("--region", speed))
        if value <= 0:
            raise ApetError(BadCount(None, None, "--region", text, "a region and its speed above 0, as in 3=1.4"))
        speeds[count("--region", region)] = value
    return speeds


def _rate(text: str) -> float:
    from apet.traces.mpi.errors import BadCount

    rate = float(number("--rate", text))
    if rate <= 0:
        raise ApetError(BadCount(None, None, "--rate", text, "above 0"))
    return rate
