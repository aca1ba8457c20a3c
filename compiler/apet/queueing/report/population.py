"""The answer against the number of jobs: throughput and response time with their asymptotes."""

from __future__ import annotations

import math
from dataclasses import asdict
from functools import partial

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Lines, Table
from apet.answers.cells import rate
from apet.ground.interval import Interval
from apet.queueing.data.problems import PopulationCurve
from apet.queueing.report.pictures import population_figure
from apet.show.times import column, unit_for


def population_answer(name: str, curve: PopulationCurve) -> Answer:
    """A row per number of jobs, and from which on something saturates."""
    unit = unit_for(curve.response_time)
    times = column(curve.response_time, unit, among=curve.response_least)
    least = column(curve.response_least, unit, among=curve.response_time)
    rows = [
        [str(n), rate(x), rate(most), f"{r} {unit.name}", f"{low} {unit.name}"]
        for n, x, most, r, low in zip(curve.jobs, curve.throughput, curve.throughput_most, times, least, strict=True)
    ]
    header = ["jobs", "throughput", "at most", "response time", "at least"]
    return Answer(
        kind="queue",
        subject=name,
        predictions=[
            Estimate({"jobs": n}, Interval(r, r), Interval(low, low))
            for n, r, low in zip(curve.jobs, curve.response_time, curve.response_least, strict=True)
        ],
        results={"name": name, **asdict(curve)},
        blocks=[
            [Heading(f"{name} · against the number of jobs")],
            [Table(header, rows, ">>>>>")],
            [Lines([_saturation(curve)])],
        ],
        figure=partial(population_figure, name, curve),
    )


def _saturation(curve: PopulationCurve) -> str:
    if math.isinf(curve.saturation):
        return "Nothing saturates: jobs never wait."
    return f"Saturation: {curve.busiest} limits from N* = {curve.saturation:.4g} jobs on."
