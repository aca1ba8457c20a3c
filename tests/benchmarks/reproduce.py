"""The published experiment again: eight programs on 32 to 2 computers of the laboratory, as tables and plots.

    python -m tests.benchmarks.reproduce -o docs/_generated/reproduction

writes `index.md` and one SVG file per application. The same inputs give the same bytes. What is predicted stands in
samples/pamela/variants.toml.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from pathlib import Path
from typing import TYPE_CHECKING

import apet
from apet.ground.interval import Interval, Number
from apet.ground.resources import data_path
from apet.prediction.prediction import Prediction

if TYPE_CHECKING:
    from matplotlib.axes import Axes

READINGS = ("probability", "average")
COLOURS = {"A": "tab:blue", "B": "tab:orange"}


@dataclass(frozen=True)
class Experiment:
    """An application in several sizes: the model file of each reading, and the parameters of each variant."""

    name: str
    title: str
    models: Mapping[str, str]
    variants: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Result:
    """One prediction: which variant ("A"), which reading of its branch, how many processors."""

    variant: str
    reading: str
    processors: int
    prediction: Prediction


@dataclass(frozen=True)
class Plan:
    """All experiments, on one machine model and the same numbers of processors, the greatest first."""

    machines: str
    processors: Sequence[int]
    experiments: Sequence[Experiment]


def read_plan(path: Path | None = None) -> Plan:
    """The published experiment, or that of another file of the same form."""
    path = path or Path(data_path("samples", "pamela/variants.toml"))
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    experiments = [
        Experiment(a["name"], a["title"], {r: a[r] for r in READINGS}, a["variants"]) for a in table["application"]
    ]
    return Plan(table["machines"], table["processors"], experiments)


def results(plan: Plan, experiment: Experiment) -> Iterator[Result]:
    """Every variant under every reading on every number of processors."""
    machines = apet.load_machines(plan.machines)
    for reading in READINGS:
        app = apet.compile(data_path("samples", f"pamela/{experiment.models[reading]}"), branches=reading)
        for variant, parameters in experiment.variants.items():
            for processors in plan.processors:
                yield Result(variant, reading, processors, apet.predict(app, machines, processors, values=parameters))


def page(plan: Plan, found: Mapping[str, Sequence[Result]]) -> str:
    """The Markdown page: a table and a plot per application."""
    lines = ["# The published experiment, predicted", ""]
    lines += [
        f"Times are in seconds, on `{plan.machines}`; ends are rounded outward. `make reproduce` writes this page.",
        "",
    ]
    for experiment in plan.experiments:
        lines += [f"## {experiment.title}", ""]
        lines += [*_sizes(experiment), "", f"![Predicted times of variants A and B]({experiment.name}.svg)", ""]
        lines += [*_table(plan, found[experiment.name]), ""]
        lines += [*_doubling(plan, found[experiment.name]), ""]
    return "\n".join(lines).rstrip() + "\n"


def _sizes(experiment: Experiment) -> Iterator[str]:
    for variant, parameters in experiment.variants.items():
        yield f"- {variant}: " + ", ".join(f"{name} = {value:,}" for name, value in parameters.items())


def _table(plan: Plan, found: Sequence[Result]) -> Iterator[str]:
    """Both readings side by side; the last column is the ratio of the middles of the two estimates."""
    cases = {(r.variant, r.processors, r.reading): r.prediction for r in found}
    yield "| variant | P | probability | average | guaranteed | average / probability |"
    yield "|---|---:|---|---|---|---:|"
    for variant in dict.fromkeys(r.variant for r in found):
        for processors in plan.processors:
            known, mean = (cases[variant, processors, reading] for reading in READINGS)
            intervals = " | ".join(map(interval_text, (known.estimate, mean.estimate, known.guaranteed)))
            ratio = mean.estimate.middle / known.estimate.middle
            yield f"| {variant} | {processors} | {intervals} | {ratio:.2f} |"


def _doubling(plan: Plan, found: Sequence[Result]) -> Iterator[str]:
    """How the time grows with the load: variant B over A and D over C."""
    cases = {(r.variant, r.processors, r.reading): r.prediction for r in found}
    yield "| twice the load | " + " | ".join(f"P = {processors}" for processors in plan.processors) + " |"
    yield "|---|" + "---:|" * len(plan.processors)
    for one, two in (("A", "B"), ("C", "D")):
        for reading in READINGS:
            ratios = [
                cases[two, p, reading].estimate.middle / cases[one, p, reading].estimate.middle for p in plan.processors
            ]
            yield f"| {two} / {one}, {reading} | " + " | ".join(f"{ratio:.3f}" for ratio in ratios) + " |"


def interval_text(interval: Interval) -> str:
    """Three digits of each end, rounded outward."""
    return f"{_digits(interval.lo, ROUND_FLOOR)} … {_digits(interval.hi, ROUND_CEILING)}"


def _digits(value: Number, rounding: str) -> str:
    return f"{Context(prec=3, rounding=rounding).create_decimal_from_float(float(value)):f}"


def write_plot(experiment: Experiment, found: Sequence[Result], path: Path) -> None:
    """The estimates of variants A and B over the number of processors; one panel per reading, both of one scale."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": experiment.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(9, 4), layout="constrained")
        panels = figure.subplots(1, 2, sharey=True)
        for axes, reading in zip(panels, READINGS, strict=True):
            _panel(axes, [r for r in found if r.reading == reading])
            axes.set_title(f"{experiment.title}: {reading}", fontsize=10)
        panels[0].set_ylabel("predicted time in s")
        figure.savefig(path, format="svg", metadata={"Date": None})


def _panel(axes: Axes, found: Sequence[Result]) -> None:
    for variant, colour in COLOURS.items():
        mine = sorted((r for r in found if r.variant == variant), key=lambda r: r.processors)
        processors = [r.processors for r in mine]
        low, high = zip(*([float(end) for end in r.prediction.estimate] for r in mine), strict=True)
        axes.fill_between(processors, low, high, color=colour, alpha=0.3, linewidth=0)
        axes.plot(
            processors,
            [float(r.prediction.estimate.middle) for r in mine],
            "o-",
            color=colour,
            markersize=3,
            label=variant,
        )
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(processors, [str(p) for p in processors])
    axes.set_xlabel("processors P")
    axes.grid(alpha=0.3)
    axes.legend(title="variant")


def write(plan: Plan, folder: Path) -> None:
    """Predict everything and write the page and its plots."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {experiment.name: list(results(plan, experiment)) for experiment in plan.experiments}
    for experiment in plan.experiments:
        write_plot(experiment, found[experiment.name], folder / f"{experiment.name}.svg")
    (folder / "index.md").write_text(page(plan, found), encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page and say where it lies."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.reproduce", description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/_generated/reproduction"), metavar="FOLDER")
    folder = parser.parse_args(arguments).output
    write(read_plan(), folder)
    print(f"written: {folder / 'index.md'}")


if __name__ == "__main__":
    main()
