"""The five problems of the tutorial: their numbers against simulated runs."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple

import pytest

import apet

ROOT = Path(__file__).resolve().parents[1]


class Problem(NamedTuple):
    """A page of the tutorial, its sample and machines, and how far estimate and expectation may be from runs."""

    page: str
    sample: str
    machines: str
    P: int
    within: float = 0.05
    runs: int = 1


CLUSTER = "cores=64, latency=50us, bandwidth=1Gbit/s"
PROBLEMS = [
    *(Problem("master-worker", "file-server", CLUSTER, P) for P in (8, 32, 64)),
    *(Problem("stencil", "halo", "cores=256, latency=2us, bandwidth=10Gbit/s", P) for P in (16, 64)),
    Problem("stencil", "halo", "cores=256, latency=50us, bandwidth=1Gbit/s", 16, 0.07),  # the page says why
    Problem("pipeline", "pipeline", "cores=1", 1),
    Problem("map-reduce", "map-reduce", CLUSTER, 16, runs=30),
    Problem("gpu-offload", "gpu-offload", "cores=1", 1),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: f"{p.page}-{p.P}-{p.within}")
def test_a_problem_of_the_tutorial_agrees_with_its_simulation(problem: Problem) -> None:
    machines = apet.load_machines(problem.machines)
    path = ROOT / "samples" / "pamela" / f"{problem.sample}.pam"
    app = apet.compile(path, network=machines.network.topology)
    prediction = apet.predict(app, machines, problem.P)
    runs = [apet.simulate(app, machines, problem.P, seed=100 + k).makespan for k in range(problem.runs)]
    low, high = prediction.guaranteed.lo * (1 - 1e-12), prediction.guaranteed.hi * (1 + 1e-12)  # runs add floats
    assert all(low <= run <= high for run in runs)

    mean = fmean(runs)
    noise = 3 * pstdev(runs) / len(runs) ** 0.5
    nearest = prediction.estimate if prediction.expectation is None else prediction.expectation.seconds
    assert nearest.lo == pytest.approx(mean, abs=problem.within * mean + noise)


@pytest.mark.parametrize("page", sorted({problem.page for problem in PROBLEMS}))
def test_a_page_has_all_its_parts(page: str) -> None:
    text = (ROOT / "docs" / "tutorial" / f"{page}.md").read_text(encoding="utf-8")
    headings = ["## The model", "## The formula and the prediction", "## What if", "## Check"]
    assert [line for line in text.splitlines() if line.startswith("## ")] == headings
    assert "literalinclude" in text
