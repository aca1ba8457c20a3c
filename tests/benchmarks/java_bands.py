"""How far compiled Java is from what its operations cost: measured on training kernels, written into APET.

    python -m tests.benchmarks.java_bands measure NAME    this machine and the kernels, ten minutes of a quiet machine
    python -m tests.benchmarks.java_bands near FILE       runs nearby on this machine file, fifteen quiet minutes
    python -m tests.benchmarks.java_bands                 bands.toml from what was measured, some minutes
    python -m tests.benchmarks.java_bands --dry-run       only the table

The kernels are in tests/data/java-training, by family; what they took is in its folder `measured`, one file for each
machine, beside the plain figures of that machine in that hour. A band is the pair of factors that a share of `LEVEL` of
all kernels on all machines asked for at either end (split conformal prediction, with the correction for finite samples:
Lei, G'Sell, Rinaldo, Tibshirani and Wasserman 2018). The table judges every family by the factors of the others, and
every machine by the factors of the others.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks.java_kernels import LIMIT, ROOT, Kernels, KernelSet, measured_here

TRAINING = KernelSet(ROOT / "tests/data/java-training")
# Both ends of runs nearby are to hold 95 % together.
LEVEL = {"compiled": 0.945, "interpreted": 0.95, "calibrated": 0.9, "near": 0.97, "near_calls": 0.95}
TASKS = (1.15, 1.6)
"""The band of applications whose tasks were timed by themselves: set by hand, on the five of samples/pasl/objects."""
NEAR = TRAINING.folder / "near.json"
"""By band, the ends of the intervals without it, over what was measured, of programs calibrated by a run nearby."""
CALIBRATED = {"java-training": None, "java-features": None, "java-strangers": "open"}
"""Folders of such programs, and the half of them that is for training (None: the whole folder)."""


class Row(NamedTuple):
    """A kernel's family, what it took, and the interval without its band, in seconds; and the machine's name."""

    family: str
    seconds: float
    low: float
    high: float
    machine: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, or find the bands."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.java_bands", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("measure", "near", "bands"), default="bands")
    parser.add_argument("machine", nargs="?", default="this", help="the name of the file that `measure` writes")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    if options.what == "measure":
        measured_here(TRAINING, options.machine, ("C2", "Xint"))
        return 0
    if options.what == "near":
        NEAR.write_text(json.dumps(near(options.machine), indent=1) + "\n", encoding="utf-8")
        return 0

    by_figures: dict[str, list[Row]] = {}
    for file in TRAINING.measured:
        for figures, of_machine in rows(json.loads(file.read_text(encoding="utf-8"))).items():
            by_figures.setdefault(figures, []).extend(r._replace(machine=file.stem) for r in of_machine)
    for name, ends in json.loads(NEAR.read_text(encoding="utf-8")).items():
        by_figures[name] = [Row(program, 1.0, *of_program) for program, of_program in ends.items()]
    print(table(by_figures))
    if not options.dry_run:
        write({figures: factors(by_figures[figures], LEVEL[figures]) for figures in LEVEL})
    return 0


def near(machine: str) -> dict[str, dict[str, list[float]]]:
    """By band, program and size, the ends of calibrated predictions without the band over what was measured."""
    from apet import api
    from apet.cli.java_runs import validated
    from apet.java.profile.one_run import NEARBY, band_of
    from apet.java.validate.validation import KernelMeasurements
    from apet.program.measure.bands import read

    machines = api.load_machines(machine)
    ends: dict[str, dict[str, list[float]]] = {"near": {}, "near_calls": {}}
    for folder, half in CALIBRATED.items():
        data = ROOT / "tests/data" / folder
        sizes = json.loads((data / "sizes.json").read_text(encoding="utf-8"))
        names = sizes if half is None else json.loads((data / "halves.json").read_text(encoding="utf-8"))[half]
        measurements = KernelMeasurements({}, {})
        with tempfile.TemporaryDirectory() as temporary:
            largest = Path(temporary) / "sizes.json"
            largest.write_text(json.dumps({name: [max(sizes[name])] for name in names}), encoding="utf-8")
            manner = (None, None, True, 3, LIMIT, lambda _, __: None, NEARBY, measurements, _reported)
            points = validated([str(data / f"{name}.java") for name in names], str(largest), machines, *manner)

        for p in points:
            low, high = band = band_of(measurements.counted[p.name, p.n].times.seconds, p.n, p.n)
            name = "near_calls" if band == read("near_calls") else "near"
            of_point = p.tmin * low / p.measured_s, p.tmax / high / p.measured_s
            ends[name][f"{p.name} {p.n}"] = [float(f"{end:.4g}") for end in of_point]
    return ends


def _reported(file: str, error: Exception) -> None:
    print(f"{file}: {error}", file=sys.stderr)


def table(by_figures: Mapping[str, Sequence[Row]]) -> str:
    """Every kind of figures on every machine: a family by the bands of the others, a machine by those of the others."""
    lines = ["| figures | machine | kernels and sizes | inside | width | error, median | 90th percentile |"]
    lines += ["|---|---|---|---|---|---|---|"]
    for figures, of_figures in by_figures.items():
        level = LEVEL.get(figures, LEVEL["compiled"])
        machines = sorted({r.machine for r in of_figures})
        for machine in machines:
            here = [r for r in of_figures if r.machine == machine]
            judged_here = judged(here, of_figures, level, lambda r: r.family)
            lines.append(f"| {figures} | {machine} | {len(here)} | {judged_here} |")
            if len(machines) > 1:
                alone = judged(here, of_figures, level, lambda r: r.machine)
                lines.append(f"| {figures} | {machine}, unseen | {len(here)} | {alone} |")
    return "\n".join(lines)


def factors(of_figures: Sequence[Row], level: float) -> tuple[float, float]:
    """The division and the multiplication that enclose a share of `level` of all rows at either end."""
    return (
        math.exp(_conformal([math.log(r.low / r.seconds) for r in of_figures], level)),
        math.exp(_conformal([math.log(r.seconds / r.high) for r in of_figures], level)),
    )


def _conformal(scores: Sequence[float], level: float) -> float:
    ordered = sorted(scores)
    return max(0.0, ordered[min(math.ceil(level * (len(ordered) + 1)), len(ordered)) - 1])


def judged(here: Sequence[Row], everywhere: Sequence[Row], level: float, group: Callable[[Row], str]) -> str:
    """Coverage, width and error of rows, each in the band of those of other groups."""
    from apet.java.validate.points import Point, summary

    points: list[Point] = []
    for name in {group(r) for r in here}:
        low, high = factors([r for r in everywhere if group(r) != name], level)
        points += [
            Point(r.family, 0, r.seconds, (r.seconds,), r.low / low, r.high * high) for r in here if group(r) == name
        ]
    s = summary(points)
    return f"{s.coverage:.2f} | {s.width:.2f} | {s.error:.2f} | {s.error_p90:.2f}"


def write(bands: Mapping[str, tuple[float, float]]) -> None:
    """The factors as APET reads them."""
    from apet.program.measure.bands import WRITTEN

    lines = [
        "# Written by `python -m tests.benchmarks.java_bands`: what a share of tests/data/java-training",
        "# (near: java-features and the open half of java-strangers too) asked for at either end;",
        f"# tasks is set by hand. Shares: {', '.join(f'{name} {share:g}' for name, share in LEVEL.items())}.",
        f"# Machines: {', '.join(_origins())}; near: the machine of the last `java_bands near`.",
    ]
    for name, (low, high) in {**bands, "tasks": TASKS}.items():
        lines += ["", f"[{name}]", f"low = {low:.3g}", f"high = {high:.3g}"]
    WRITTEN.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _origins() -> list[str]:
    """The machines of the measurements, with their dates."""
    files = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in TRAINING.measured}
    return [f"{name} of {of['C2']['machine']['provenance']['date'][:10]}" for name, of in files.items()]


def rows(measured: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Predictions without bands beside what was measured: in each mode, and calibrated at the smaller size."""
    from apet.ground.diagnostics import ApetError

    found: dict[str, list[Row]] = {"compiled": [], "static": [], "interpreted": [], "calibrated": []}
    counted: dict[tuple[str, int], Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for mode in ("C2", "Xint"):
            kernels = Kernels(TRAINING, measured[mode], mode, folder, counted)
            after_run = Kernels(TRAINING, measured[mode], mode, folder, counted, "counted")
            for kernel, sizes in measured[mode]["seconds"].items():
                try:
                    for name, row in _rows(kernels, after_run, kernel, sizes):
                        found[name].append(row)
                except ApetError as error:
                    print(f"{mode}: {kernel}: {error}", file=sys.stderr)
    return found


def _rows(kernels: Kernels, after_run: Kernels, kernel: str, sizes: Mapping[str, float]) -> Iterator[tuple[str, Row]]:
    """The predictions of one kernel in a mode, by kind of figures."""
    family, is_compiled = kernels.family[kernel], kernels.level != "flat"
    for n, seconds in sizes.items():
        name = "compiled" if is_compiled else "interpreted"
        yield name, Row(family, seconds, *kernels.interval(kernel, int(n), predictor=is_compiled))
        if is_compiled:
            yield "static", Row(family, seconds, *kernels.interval(kernel, int(n), predictor=False))
    if is_compiled:
        (small, first), (large, second) = sorted((int(n), s) for n, s in sizes.items())
        yield "calibrated", Row(family, second, *after_run.calibrated(kernel, small, first, large))


if __name__ == "__main__":
    sys.exit(main())
