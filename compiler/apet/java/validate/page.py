"""The page of validation figures, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.java.validate.points import Point, Summary, Trial, summary, trial_summary
from apet.java.validate.report import HEADER, trial_rows
from apet.machine import Machines
from apet.show.times import single

INTRODUCTION = """# Predictions beside measurements

Everything on this page was measured and written by one command, `make validation`: it benchmarks the machine, runs the
kernels and the applications on it, and predicts them from their source. What is measured, and how, is in
[Validate predictions](../howto/validate.md); why intervals are as wide as they are, in
[Java costs](../background/java-costs.md)."""
KERNELS = """## Kernels

Warm CPU time of one run, the median over several JVMs; counts of rounds and branches come from a run with counters.
*static*: mispredictions are guessed; *profiled*: they are counted by a simulated branch predictor. The second table has
the kernels whose measured time an interval, in bold, does not contain."""
APPLICATIONS = """## Applications

The eight programs of the published experiment and a product of matrices in two sizes, as Java and PASL, on a
coordinator and workers of this machine: JVMs pinned to cores, joined by sockets through the loopback, warmed by whole
runs. Wall time of a run, from the first message to the last. Rounds and probabilities come from a run with counters.
Points of pi are 1/50 of the published ones."""
COLUMNS = [HEADER.index(name) for name in ("application", "P", "schedule", "measured", "predicted", "inside")]


def validation_page(machines: Machines, points: Mapping[bool, Sequence[Point]], trials: Sequence[Trial]) -> str:
    """All tables; `points` by whether mispredictions were counted."""
    parts = [INTRODUCTION, _facts(machines)]
    if points:
        names = {False: "static", True: "profiled"}
        sums = [(names[way], summary(of_way)) for way, of_way in sorted(points.items()) if of_way]
        parts += [KERNELS, _summaries(sums), _kernels({names[way]: found for way, found in sorted(points.items())})]

    if trials:
        parts += [APPLICATIONS, _summaries([("all runs", trial_summary(trials))]), _applications(trials)]
    return "\n\n".join(parts) + "\n"


def _facts(machines: Machines) -> str:
    provenance = machines.provenance
    keys = ("date", "cpu", "cores", "system", "jvm", "mode", "load_before", "load_after")
    rows = [[key.replace("_", " "), str(provenance[key])] for key in keys if key in provenance]
    return _table(("machine", machines.name), rows)


def _summaries(summaries: Sequence[tuple[str, Summary]]) -> str:
    rows = [[name, f"{round(s.coverage * s.points)} of {s.points}", *_factors(s)] for name, s in summaries]
    return _table(("", "inside", "share", "width", "error of the middle, median", "90th percentile"), rows)


def _factors(s: Summary) -> list[str]:
    return [f"{s.coverage:.0%}", f"{s.width:.2f}", f"{s.error:.2f}", f"{s.error_p90:.2f}"]


def _kernels(points: Mapping[str, Sequence[Point]]) -> str:
    """A row for each kernel and size that some interval does not contain, with the interval of each way."""
    shown: dict[tuple[str, str, str], dict[str, str]] = {}
    for way, found in points.items():
        for p in found:
            interval = f"{single(p.tmin)} … {single(p.tmax)}"
            row = shown.setdefault((p.name.removeprefix("K_"), f"{p.n:,}", single(p.measured_s)), {})
            row[way] = interval if p.inside else f"**{interval}**"

    missed = {kernel: found for kernel, found in shown.items() if any(i.startswith("**") for i in found.values())}
    rows = [[*kernel, *(intervals.get(way, "") for way in points)] for kernel, intervals in missed.items()]
    return _table(("kernel", "n", "measured", *points), rows)


def _applications(trials: Sequence[Trial]) -> str:
    rows = [[row[k] for k in COLUMNS] for row in trial_rows(trials)]
    return _table([HEADER[k] for k in COLUMNS], rows)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
