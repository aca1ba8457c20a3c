"""`apet import` of an event trace: what Score-P, Extrae, DUMPI and others recorded, as a trace in volumes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet import api
from apet.cli import trace_export, trace_output
from apet.ground.diagnostics import ApetError
from apet.ground.notation import assignment, count
from apet.ground.values import number


def run(options: argparse.Namespace) -> None:
    """Convert."""
    separate = trace_output.separate(options.output)
    trace = api.convert_trace(
        options.source, _rate(options.rate), unroll=options.unroll, regions=_regions(options.region)
    )
    trace_export.write(options.source, trace, options.output, separate)


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
