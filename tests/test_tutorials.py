"""The problems of the tutorial: their numbers against simulated runs; real programs against what is shipped of them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple

import pytest
from tests.docs.test_docs import blocks
from tests.traces.mpi_programs import SAMPLES, needs_mpi, program

import apet
from apet import api
from apet.cli.main import main

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


MEASURED = ("mpi-program", "java-application", "web-service")
needs_java = pytest.mark.skipif(shutil.which("javac") is None, reason="there is no JDK")


@needs_mpi
def test_the_shipped_trace_is_that_of_the_program(tmp_path: Path) -> None:
    stencil, path = program(SAMPLES / "stencil.c", counting=False), tmp_path / "t.txt"
    call = ["trace", "acquire", "-n", "16", "--mode", "cpu", "-o", str(path), "--", stencil, "1024", "100"]
    assert main(call) == 0
    shipped, recorded = (api.read_trace(p) for p in (ROOT / "samples" / "traces" / "stencil-16.xz", path))
    for one, other in zip(shipped.ranks, recorded.ranks, strict=True):
        assert [a for a in one if a[0] != "compute"] == [a for a in other if a[0] != "compute"]


def test_the_shipped_service_has_the_demands_of_its_metrics(capsys: pytest.CaptureFixture[str]) -> None:
    folder = ROOT / "samples" / "queueing"
    assert main(["queue", "from-metrics", str(folder / "shop-metrics.csv"), "--servers", "app=4"]) == 0
    measured, shipped = tomllib.loads(capsys.readouterr().out), tomllib.loads((folder / "shop.toml").read_text())
    assert measured["stations"] == shipped["stations"]
    assert measured["classes"][0]["service"] == shipped["classes"][0]["service"]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell in which `apet`, and the MPI of the tests, are in the path."""
    commands = tmp_path / "bin"
    commands.mkdir()
    targets = {"apet": f"{sys.executable} -m apet", "mpicc": "mpicc.mpich", "mpirun": "mpiexec.mpich"}
    for name, target in targets.items():
        (commands / name).write_text(f'#!/bin/sh\nexec {target} "$@"\n')
        (commands / name).chmod(0o755)
    return {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "compiler")}


@needs_mpi
@needs_java
@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("page", MEASURED)
def test_the_commands_of_a_measured_page_run(page: str, shell: dict[str, str], tmp_path: Path) -> None:
    """What they print depends on the machine; that they work, and fit together, does not."""
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    text = (ROOT / "docs" / "tutorial" / f"{page}.md").read_text(encoding="utf-8")
    commands = [block.text for block in blocks(page, text) if block.info == ("sh",)]
    assert commands
    for command in commands:
        done = subprocess.run(
            ["bash", "-ec", command], cwd=tmp_path, env=shell, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command}\n{done.stderr[-2000:]}"
