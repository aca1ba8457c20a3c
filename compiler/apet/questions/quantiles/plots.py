"""The band between quantiles, drawn over a picture of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.prediction.prediction import Prediction
from apet.questions.quantiles.text import percent_text
from apet.questions.quantiles.uncertainty import Uncertainty
from apet.show.times import unit_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREEN, LIGHT_GREEN = "#009E73", "#B3E2D5"  # of Okabe and Ito's palette


def add_quantiles(figure: Figure, predictions: Sequence[Prediction], uncertainties: Sequence[Uncertainty]) -> None:
    """A band from the least to the greatest quantile, a line for each, into the first axes of `interval_figure`."""
    pairs = [(p, u) for p, u in zip(predictions, uncertainties, strict=True) if u.quantities]
    if not pairs:
        return
    pairs.sort(key=lambda pair: str(pair[0].parameters["P"]).zfill(12))
    unit = unit_for(float(end) for p, _ in pairs for end in (*p.estimate, *p.guaranteed)).seconds
    axes = figure.axes[0]
    x = [float(p.parameters["P"]) for p, _ in pairs]  # type: ignore[arg-type]  # P is a number
    levels = [q.level for q in pairs[0][1].quantities["estimate"].quantiles]
    lines = [[u.quantities["estimate"].quantiles[k].seconds / unit for _, u in pairs] for k in range(len(levels))]
    label = f"quantiles of the estimate: {', '.join(map(percent_text, levels))} %"
    axes.fill_between(x, lines[0], lines[-1], color=LIGHT_GREEN, linewidth=0, label=label, zorder=1.3)

    for line in lines:
        axes.plot(x, line, color=GREEN, linewidth=1.0, marker="_", markersize=9, zorder=2.5)
    axes.legend(frameon=False)
