"""Quantiles and expectations beside predictions: lines of text, keys of JSON, columns of CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from apet.answers.answer import Answer
from apet.answers.blocks import Sentences, Table
from apet.ground.notes import Note, NoteKind
from apet.prediction.prediction import Prediction
from apet.questions.quantiles.uncertainty import Sampled, Uncertainty
from apet.show.times import column, unit_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GREEN, LIGHT_GREEN = "#009E73", "#B3E2D5"  # of Okabe and Ito's palette
MEANS = {
    "systematic": "every kind of machine has one time per operation, in the whole run",
    "processor": "every processor has one time per operation, in the whole run",
    "independent": "every execution has a time of its own",
}


def with_quantiles(answer: Answer, predictions: Sequence[Prediction], uncertainties: Sequence[Uncertainty]) -> Answer:
    """An answer of predictions with the quantiles of each: a table of the estimate's, one of expectations, what was
    drawn how, two keys in each row, and a band in the picture."""
    blocks = list(answer.blocks)
    if uncertainties[0].quantities:
        blocks.append([_quantile_table(predictions, uncertainties)])
    if uncertainties[0].expected:
        blocks.append([_expected_table(predictions, uncertainties)])
    notes, draw = _notes(uncertainties), answer.figure
    assert draw is not None
    rows = [
        row._replace(more={**row.more, **keys(each)})
        for row, each in zip(answer.predictions, uncertainties, strict=True)
    ]
    return answer.replace(
        predictions=rows,
        notes=[*answer.notes, *notes],
        blocks=[*blocks, [Sentences([note.text for note in notes])]],
        figure=lambda: _add_band(draw(), predictions, uncertainties),
    )


def _quantile_table(predictions: Sequence[Prediction], uncertainties: Sequence[Uncertainty]) -> Table:
    estimates = [u.quantities["estimate"] for u in uncertainties]
    unit = unit_for(q.seconds for e in estimates for q in e.quantiles)
    every = [q.seconds for e in estimates for q in e.quantiles]
    header, columns = ["P"], [[str(p.parameters["P"]) for p in predictions]]
    for k, quantile in enumerate(estimates[0].quantiles):
        header.append(f"{percent_text(quantile.level)} %")
        numbers = column([e.quantiles[k].seconds for e in estimates], unit, among=every)
        errors = [_significant(_half_width(e, k) / unit.seconds, 2) for e in estimates]
        columns.append([f"{n} ± {e} {unit.name}" for n, e in zip(numbers, errors, strict=True)])
    return Table(header, list(zip(*columns, strict=True)), ">" * len(header))


def _half_width(sampled: Sampled, k: int) -> float:
    """Of the confidence interval, to its farther end."""
    q = sampled.quantiles[k]
    return max(q.high - q.seconds, q.seconds - q.low)


def _expected_table(predictions: Sequence[Prediction], uncertainties: Sequence[Uncertainty]) -> Table:
    expected = [u.expected for u in uncertainties if u.expected]
    unit = unit_for(e.mean for e in expected)
    means = column([e.mean for e in expected], unit)
    deviations = [f"{_significant(e.deviation / unit.seconds, 3)} {unit.name}" for e in expected]
    shares = [str(p.parameters["P"]) for p in predictions]
    rows = [
        [p, f"{m} {unit.name}", d, _name(e.by)] for p, m, d, e in zip(shares, means, deviations, expected, strict=True)
    ]
    return Table(["P", "expected", "deviation", "limited by"], rows, ">>><")


def _significant(value: float, digits: int) -> str:
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:,.0f}" if rounded >= 10**digits else f"{rounded:.{digits}g}"


def _name(by: str) -> str:
    return by[2:-1] if by.startswith("T[") else by


def _notes(uncertainties: Sequence[Uncertainty]) -> list[Note]:
    u, notes = uncertainties[0], list[Note]()
    if u.quantities:
        text = (
            f"Quantiles of the estimate: {u.draws:,} draws, noise {u.noise} ({MEANS[u.noise]}), seed {u.seed}; "
            f"± is the {u.confidence:.0%} confidence interval of the draws. An interval of the machine file counts as "
            "equally likely throughout. Nothing here is guaranteed.".replace("%", " %", 1)
        )
        notes.append(Note(NoteKind.METHOD, text))
    if u.expected:
        runs = [e.runs for each in uncertainties if (e := each.expected)]
        waiting = f"with waiting as {min(runs)} simulated runs show it" if all(runs) else "without waiting"
        if any(runs) and not all(runs):
            waiting = "in some rows without waiting"
        text = (
            "Expected: the mean over runs in which every execution has a time of its own, and its standard deviation; "
            f"an estimate {waiting} beyond the loads, not a bound. Ranges of parameters count with their middle."
        )
        notes.append(Note(NoteKind.MEANING, text))

    return notes


def percent_text(level: float) -> str:
    """A level as per cent: 5, 97.5."""
    return f"{level * 100:.10g}"


def keys(u: Uncertainty) -> dict[str, Any]:
    """The two keys; one that was not requested is left out. All times in seconds."""
    document: dict[str, Any] = {}
    if u.quantities:
        document["quantiles"] = {"noise": u.noise, "draws": u.draws, "seed": u.seed, "confidence": u.confidence}
        for name, sampled in u.quantities.items():
            document["quantiles"][name] = {
                "mean": sampled.mean,
                "deviation": sampled.deviation,
                "least": sampled.least,
                "greatest": sampled.greatest,
                "levels": [asdict(q) for q in sampled.quantiles],
            }

    if u.expected:
        candidates = {n: {"mean": m, "deviation": d} for n, (m, d) in u.expected.candidates.items()}
        document["expected"] = {
            "mean": u.expected.mean,
            "deviation": u.expected.deviation,
            "by": u.expected.by,
            "runs": u.expected.runs,
            "candidates": candidates,
        }

    return document


def with_quantiles_csv(document: str, uncertainties: Sequence[Uncertainty]) -> str:
    """A CSV document of predictions with further columns: `q5_s`, its interval, `expected_s`, `deviation_s`."""
    rows = list(csv.reader(io.StringIO(document)))
    for row, uncertainty in zip(rows, [None, *uncertainties], strict=True):
        row += _cells(uncertainty, uncertainties[0])
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _cells(u: Uncertainty | None, like: Uncertainty) -> list[str]:
    """The further cells of a row; without one, the header's."""
    cells: list[str] = []
    if like.quantities:
        for k, shape in enumerate(like.quantities["estimate"].quantiles):
            name = f"q{percent_text(shape.level)}"
            if u is None:
                cells += [f"{name}_s", f"{name}_low_s", f"{name}_high_s"]
            else:
                q = u.quantities["estimate"].quantiles[k]
                cells += [repr(q.seconds), repr(q.low), repr(q.high)]
    if like.expected:
        if u is None:
            cells += ["expected_s", "deviation_s"]
        elif u.expected:
            cells += [repr(u.expected.mean), repr(u.expected.deviation)]

    return cells


def _add_band(figure: Figure, predictions: Sequence[Prediction], uncertainties: Sequence[Uncertainty]) -> Figure:
    """A band from the least to the greatest quantile, a line for each, into the first axes of a picture."""
    pairs = [(p, u) for p, u in zip(predictions, uncertainties, strict=True) if u.quantities]
    if not pairs:
        return figure
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
    return figure
