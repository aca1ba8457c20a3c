"""MPI programs for tests: built once, with and without counting; replays by SimGrid where it is installed."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from apet.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples" / "mpi"
DATA = ROOT / "tests" / "data"
MPICC = "mpicc.mpich" if shutil.which("mpicc.mpich") else "mpicc"
SMALL = {
    "ring": ["3"],
    "stencil": ["48", "10"],
    "cg": ["2000", "4"],
    "farm": ["24"],
    "panels": ["12"],
    "wavefront": ["12", "2"],
    "transpose": ["48", "1"],
}
"""Arguments that keep the samples short."""

needs_mpi = pytest.mark.skipif(
    shutil.which("mpicc.mpich") is None or shutil.which("mpiexec.mpich") is None, reason="MPICH is not installed"
)
needs_simgrid = pytest.mark.skipif(shutil.which("smpirun") is None, reason="SimGrid is not installed")


@functools.cache
def folder() -> Path:
    """Where the programs of this test run lie."""
    return Path(tempfile.mkdtemp(prefix="apet-mpi-programs-"))


@functools.cache
def program(source: Path, counting: bool = True) -> str:
    """A program built from a source."""
    target = str(folder() / f"{source.stem}{'-counting' if counting else ''}")
    command = [MPICC, "-O2", "-w", str(source), "-o", target, "-lm"]
    if counting:
        assert main(["trace", "cc", "--", *command]) == 0
    else:
        subprocess.run(command, check=True)
    return target


def simgrid_seconds(trace: Path, ranks: int, platform: Path, hostfile: Path) -> float:
    """What SimGrid's replay says."""
    listed = trace.with_suffix(".list")
    listed.write_text(f"{trace}\n")
    command = ["smpirun", "-np", str(ranks), "-platform", str(platform), "-hostfile", str(hostfile)]
    done = subprocess.run(
        [*command, "-replay", str(listed), "--cfg=smpi/host-speed:1Gf"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    found = re.search(r"Simulation time ([\d.]+)", done.stdout + done.stderr)
    assert found is not None, done.stderr[-2000:]
    return float(found[1])
