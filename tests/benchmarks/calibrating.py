"""Predictions on a platform calibrated with a program's small case, and measured wall times of it and of a larger one.

    python -m tests.benchmarks.calibrating --markdown docs/evidence/accuracy.md

Eight programs, and six on which nothing was tuned, on 2 ranks:
their traces are taken from builds that count, their times from builds that do not. A wall
time is that from the end of MPI_Init to the last rank's MPI_Finalize, the least of some runs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import host, rendering
from tests.benchmarks.measure import PYTHON, ROOT

COMMAND = "python -m tests.benchmarks.calibrating"
OWN = ROOT / "tests" / "benchmarks" / "mpi_programs"
SAMPLES = ROOT / "samples" / "mpi"
MPICC, MPIEXEC = "mpicc.mpich", "mpiexec.mpich"
WIDEST = 1.5
RUNS = 15
"""Of each case; the shortest counts, since other processes only make a run longer."""


class Program(NamedTuple):
    """A source, what it stands for, and the arguments of its small and its larger case."""

    source: Path
    kind: str
    small: str
    large: str


PROGRAMS = (
    Program(SAMPLES / "cg.c", "CG", "4000000 20", "16000000 20"),
    Program(OWN / "mg.c", "MG", "128 6", "256 6"),
    Program(SAMPLES / "wavefront.c", "LU", "192 20", "320 20"),
    Program(SAMPLES / "transpose.c", "FT", "768 16", "1536 16"),
    Program(OWN / "random.c", "EP", "15000000", "60000000"),
    Program(SAMPLES / "stencil.c", "stencil", "1500 60", "3000 60"),
    Program(OWN / "particles.c", "CoMD", "48 15", "96 15"),
    Program(OWN / "sort.c", "IS", "8000000 6", "32000000 6"),
)
"""The allowance for larger cases was found on these."""
KEPT_BACK = (
    Program(OWN / "jacobi.c", "Jacobi", "96 40", "192 40"),
    Program(OWN / "lattice.c", "lattice Boltzmann", "256 40", "640 40"),
    Program(OWN / "bodies.c", "bodies", "2000 6", "6000 6"),
    Program(OWN / "product.c", "matrix product", "320 4", "800 4"),
    Program(OWN / "life.c", "game of life", "1024 20", "2816 20"),
    Program(OWN / "sparse.c", "sparse matrix", "100000 20", "400000 20"),
)
"""Written before that, and run after it; their small cases take 0.02 to 0.07 s."""


class Case(NamedTuple):
    """A case of a program: seconds by the clock in each run, and the bounds of the prediction."""

    name: str
    wall: list[float]
    lower: float
    upper: float

    @property
    def least(self) -> float:
        """Seconds without what disturbs a run."""
        return min(self.wall)

    @property
    def width(self) -> float:
        """Upper over lower bound."""
        return self.upper / self.lower

    @property
    def inside(self) -> bool:
        """Whether the bounds hold of the least wall time."""
        return self.lower <= self.least <= self.upper


def measured(program: Program, folder: Path, pingpong: Path) -> list[Case]:
    """Both cases, on a platform that was calibrated with the small one."""
    counting, plain, timed = (_built(program.source, folder, how) for how in ("counting", "plain", "timed"))
    traces = [folder / f"{program.source.stem}-{at}.txt" for at in range(2)]
    platform = folder / f"{program.source.stem}.xml"
    cases = program.small, program.large
    for trace, arguments in zip(traces, cases, strict=True):
        _apet("acquire", "-n", "2", "-o", str(trace), "--", counting, *arguments.split())

    messages = ("--pingpong" if pingpong.exists() else "--save-pingpong", str(pingpong))
    order = ("-n", "2", "--trace", str(traces[0]), *messages, "-o", str(platform))
    _apet("calibrate", *order, "--", plain, *program.small.split())

    results = list[Case]()
    for trace, arguments in zip(traces, cases, strict=True):
        wall = [_seconds(timed, arguments) for _ in range(RUNS)]
        bounds = json.loads(_apet("predict", str(trace), "--platform", str(platform), "--json"))
        results.append(
            Case(f"{program.kind}: `{program.source.stem} {arguments}`", wall, bounds["lower_s"], bounds["upper_s"])
        )
    return results


def _built(source: Path, folder: Path, how: str) -> str:
    target = str(folder / f"{source.stem}-{how}")
    sources = [str(source), str(OWN / "timed.c")] if how == "timed" else [str(source)]
    command = [MPICC, "-O2", "-w", *sources, "-o", target, "-lm"]
    if how == "counting":
        _apet("cc", "--", *command)
    else:
        subprocess.run(command, check=True)
    return target


def _apet(*arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "compiler")}
    command = [*PYTHON, "-m", "apet.cli.main", "trace", *arguments]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


def _seconds(program: str, arguments: str) -> float:
    output = subprocess.run(
        [MPIEXEC, "-n", "2", program, *arguments.split()], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    return float(re.findall(r"^seconds: (\S+)", output, re.MULTILINE)[-1])


def markdown(cases: Sequence[Case], remark: str) -> str:
    """The table, under a line that says where and when, and above one that sums it up."""
    machine = host.describe()
    about = ", ".join(f"{k} {machine[k]}" for k in ("date", "processor", "cores", "memory", "system", "Python"))
    lines = [f"Measured by `{COMMAND}` with {about}{remark}.", ""]
    lines += ["| program and case | wall time | interval | inside |", "|---|---|---|---|"]
    for case in cases:
        interval = f"{case.lower:.3f} … {case.upper:.3f} s"
        lines.append(f"| {case.name} | {case.least:.3f} s | {interval} | {'yes' if case.inside else 'no'} |")

    good = sum(case.inside and case.width <= WIDEST for case in cases)
    widths = [case.width for case in cases]
    lines += ["", f"{good} of {len(cases)} inside at a width of at most {WIDEST:g}; widths: median"
              f" {statistics.median(widths):.2f}, greatest {max(widths):.2f}."]  # fmt: skip
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Hold predictions against measured wall times.")
    parser.add_argument("--only", metavar="PROGRAM", help="one program, by the name of its source")
    parser.add_argument("--kept-back", action="store_true", help="the programs on which nothing was tuned")
    parser.add_argument("--remark", default="", help="what else is to be said of the machine")
    parser.add_argument("--markdown", type=Path, metavar="F", help="put the table between the markers of a page")
    options = parser.parse_args(arguments)

    cases = list[Case]()
    with tempfile.TemporaryDirectory(prefix="apet-calibrating-") as name:
        for program in KEPT_BACK if options.kept_back else PROGRAMS:
            if options.only in (None, program.source.stem):
                print(f"measuring {program.source.stem} …", file=sys.stderr, flush=True)
                cases += measured(program, Path(name), Path(name) / "pingpong.txt")
    text = markdown(cases, f", {options.remark}" if options.remark else "")
    print(text)
    if options.markdown:
        rendering.insert(options.markdown, text, "kept back" if options.kept_back else "calibrated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
