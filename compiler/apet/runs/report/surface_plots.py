"""The picture of a fit over several parameters: runs and predictions against the first, a colour for each value of the
others. Both axes are logarithmic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.runs.fit.surface.fitted import SurfaceFit
from apet.runs.fit.surface.surface import fit_surface
from apet.show.plots import frame, sheet
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_LINES = 7
POINTS = 25
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555")


def surface_figure(fit: SurfaceFit) -> Figure:
    """Runs as dots, the blend as lines with its interval, predictions as diamonds."""
    experiment = fit.experiment
    runs = {p.x: p.t for p in experiment.points}
    others = list(dict.fromkeys(x[1:] for x in (*(p.x for p in fit.predictions), *sorted(runs, key=lambda x: x[1:]))))
    others = sorted(others[:MOST_LINES])
    all_n = [x[0] for x in runs] + [p.x[0] for p in fit.predictions]
    low, high = min(all_n), max(all_n)
    steps = [low * (high / low) ** (k / (POINTS - 1)) for k in range(POINTS)]
    unit = unit_for([*runs.values(), *(p.t for p in fit.predictions)], fit.experiment.unit)

    with sheet(7.2, 4.8) as figure:
        axes = figure.add_subplot()
        band = fit_surface(experiment, [(n, *other) for other in others for n in steps]).predictions
        for k, other in enumerate(others):
            colour, line = COLOURS[k % len(COLOURS)], band[k * POINTS : (k + 1) * POINTS]
            label = ", ".join(f"{n} = {v:g}" for n, v in zip(experiment.names[1:], other, strict=True))
            ends = [[float(e) / unit.seconds for e in p.interval] for p in line]
            axes.fill_between(steps, [e[0] for e in ends], [e[1] for e in ends], color=colour, alpha=0.15, linewidth=0)
            axes.plot(steps, [p.t / unit.seconds for p in line], color=colour, linewidth=1.2, label=label or "fit")
            measured = [(x[0], t / unit.seconds) for x, t in runs.items() if x[1:] == other]
            if measured:
                axes.plot(*zip(*measured, strict=True), "o", color=colour, markersize=4)
            predicted = [(p.x[0], p.t / unit.seconds) for p in fit.predictions if p.x[1:] == other]
            if predicted:
                axes.plot(*zip(*predicted, strict=True), "D", color=colour, markersize=5, fillstyle="none")
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(experiment.names[0])
        axes.set_ylabel(f"run time [{unit.name}]" if fit.experiment.unit == "s" else f"value [{unit.name or 1}]")
        axes.set_title(f"{experiment.name}: trust {fit.trust}", fontsize=11)
        axes.legend(frameon=False, fontsize=8.5)
        frame(axes)
    return figure
