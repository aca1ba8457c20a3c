"""The pictures of the two studies in the documentation: pipelining under load, by analysis and by simulation.

`python -m tests.benchmarks.queue_studies [jobs]` draws `docs/images/study-bi.svg` and `docs/images/study-hop.svg`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib
from matplotlib.figure import Figure
from tests.benchmarks.job_methods import reference_amva, tagged_job

from apet.queueing.data.jobs import Scenario
from apet.queueing.methods.precedence.simulation import simulate
from apet.queueing.read import read_queue
from apet.show.plots import BLUE, ORANGE, STYLE, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROOT = Path(__file__).resolve().parents[2]
LOADS = (1, 2, 4, 8, 12, 16)
TITLES = {"bi": "Business-intelligence query", "hop": "Map/reduce"}
METHODS = {"bi": ("reference",), "hop": ("reference", "forkjoin")}


def with_jobs(scenario: Scenario, jobs: int) -> Scenario:
    """The same scenario with another number of jobs."""
    return scenario._replace(classes=(scenario.classes[0]._replace(population=jobs),))


def sample(name: str) -> Scenario:
    """The scenario of a sample."""
    problem = read_queue(ROOT / "samples" / "queueing" / f"{name}.toml").problem
    assert isinstance(problem, Scenario)
    return problem


def draw(study: str, jobs: int) -> Figure:
    """Response times on the left, what pipelining gains on the right."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(8.6, 3.8), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(3, 2))
        simulated, analytic = {}, {}
        for form, color in (("blocking", ORANGE), ("pipelined", BLUE)):
            scenario = sample(f"{study}-{form}")
            simulated[form] = [simulate(with_jobs(scenario, n), jobs, 1).classes[0].response_time for n in LOADS]
            every = range(1, LOADS[-1] + 1)
            analytic[form] = [tagged_job.solve(with_jobs(scenario, n)).classes[0].response_time for n in every]
            left.plot(every, analytic[form], "-", color=color, label=f"{form}: tagged job")
            left.plot(LOADS, simulated[form], "o", color=color, markersize=4.5, label=f"{form}: simulated")
        for method, style in zip(METHODS[study], ("--", ":"), strict=False):
            found = [reference_amva.solve(with_jobs(scenario, n), method).classes[0].response_time for n in every]
            left.plot(every, found, style, color="#555555", label=f"pipelined: {method}")
        right.plot(every, gains(analytic), "-", color=BLUE, label="tagged job")
        right.plot(LOADS, gains(simulated), "o", color=BLUE, markersize=4.5, label="simulated")
        left.set(title=TITLES[study], ylabel="response time R [s]")
        right.set(title="Gain of pipelining", ylabel="1 - R pipelined / R blocking [%]")
        for axes in (left, right):
            _finished(axes)
    return figure


def gains(times: dict[str, list[float]]) -> list[float]:
    """Percent by which pipelining shortens the response time."""
    return [100 * (1 - b / a) for a, b in zip(times["blocking"], times["pipelined"], strict=True)]


def _finished(axes: Axes) -> None:
    axes.set_xlabel("jobs N")
    axes.set_xticks(LOADS)
    axes.set_ylim(bottom=0)
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 12_000
    for study in TITLES:
        save(draw(study, number), str(ROOT / "docs" / "images" / f"study-{study}.svg"))
