"""Two predictions side by side, as an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Formulas, Heading, Lines, Sentences, Table
from apet.answers.predictions import settings
from apet.cost import CostModel
from apet.formula.formula import Formula
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.prediction.prediction import Prediction
from apet.questions.compare.comparison import EQUAL, Comparison, PredictionPair, Stretch, Varied, Verdict
from apet.questions.compare.plots import comparison_figure
from apet.questions.expected import MAXIMUM_OF_MEANS
from apet.questions.solve.report import directed
from apet.show.formula_lines import Row
from apet.show.plain import ends, plain
from apet.show.tables import interval_cells
from apet.show.times import unit_for
from apet.show.values import value_text

MOST_LINES = 6
HEADER = ("P", "A estimate", "A guaranteed", "B estimate", "B guaranteed", "B/A", "faster")


def comparison_answer(comparison: Comparison) -> Answer:
    """The two, one row for each number of processors, where the winner changes, and the difference of the formulas."""
    first, second = comparison.first, comparison.second
    header, rows = pair_rows(comparison)
    sentences = comparison_sentences(comparison)
    varied, difference = comparison.varied, comparison.difference
    return Answer(
        kind="comparison",
        subject=f"{first.title} and {second.title}",
        unit=first.app.unit,
        predictions=[row for p in comparison.pairs for row in _rows(p)],
        notes=[Note(NoteKind.METHOD, sentence) for sentence in sentences],
        results=_results(comparison),
        blocks=[
            [
                Heading(f"A: {first.title}"),
                _values(first.app, comparison.pairs[0].first),
                Heading(f"B: {second.title}"),
                _values(second.app, comparison.pairs[0].second),
            ],
            [Table(header, rows, "><<<<<<"[-len(header) :])],
            [Sentences(sentences)],
            [_stretches("P", comparison.stretches, comparison.by_mean)] if len(comparison.stretches) > 1 else [],
            _varied(varied, any(comparison.drawn)) if varied is not None else [],
            _difference(difference) if difference is not None and not comparison.same else [],
        ],
        figure=partial(comparison_figure, comparison),
    )


def _rows(pair: PredictionPair) -> list[Estimate]:
    sides = (("A", pair.first), ("B", pair.second))
    return [Estimate({"side": n, "P": pair.P}, p.estimate, p.lower, p.upper, p.guaranteed) for n, p in sides]


def _results(comparison: Comparison) -> dict[str, Any]:
    """The keys of docs/howto/compare.md."""
    changes = [{"from_P": c.before, "to_P": c.after, "from": c.loser, "to": c.winner} for c in comparison.crossovers]
    results = {
        **{"A": _side(comparison, 0), "B": _side(comparison, 1), "same": comparison.same},
        **{"pairs": [_pair(p) for p in comparison.pairs], "crossovers": changes},
        **{"all_P_scanned": comparison.thorough, "regions": [_stretch(s) for s in comparison.stretches]},
        "difference": comparison.difference,
    }
    if comparison.varied is None:
        return results
    varied = comparison.varied
    about = {"name": varied.name, "P": varied.P, "resolution": varied.resolution}
    pairs = [{varied.name: v, **_pair(p)} for v, p in varied.curve]
    return results | {"varied": {**about, "regions": [_stretch(s) for s in varied.stretches], "pairs": pairs}}


def _stretch(s: Stretch) -> dict[str, Any]:
    around = {"from": plain(s.low), "to": plain(s.high)}
    return around | {"winner": s.verdict.winner, "sure": s.verdict.sure, "certain": s.certain}


def _side(comparison: Comparison, which: int) -> dict[str, Any]:
    side = (comparison.first, comparison.second)[which]
    return {"title": side.title, "model": side.app.name, "machines": side.machines, "network": side.network}


def _pair(p: PredictionPair) -> dict[str, Any]:
    return {
        "P": p.P,
        "A": _prediction(p.first),
        "B": _prediction(p.second),
        "estimate_ratio": None if p.estimate_ratio is None else plain(p.estimate_ratio),
        "guaranteed_ratio": None if p.guaranteed_ratio is None else plain(p.guaranteed_ratio),
        "estimate_winner": p.estimated_winner,
        "sure_winner": p.winner,
    }


def _prediction(p: Prediction) -> dict[str, Any]:
    values = {name: plain(value) for name, value in p.parameters.items()}
    times = {"estimate": ends(p.estimate), "guaranteed": ends(p.guaranteed)}
    if p.expectation is not None:
        times["expectation"] = ends(p.expectation.seconds)
    return {"parameters": values, **times}


def _values(app: CostModel, p: Prediction) -> Sentences:
    texts = settings(app, {name: value for name, value in p.parameters.items() if name != "P"})
    return Sentences([" · ".join(texts)] if texts else [], 3)


def pair_rows(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """The head of a table of both predictions, and one row for each number of processors."""
    pairs, apps = comparison.pairs, (comparison.first.app, comparison.second.app)
    every = [p for pair in pairs for p in (pair.first, pair.second)]
    unit = unit_for((float(end) for p in every for end in (*p.estimate, *p.guaranteed)), apps[0].unit)
    columns = [[str(pair.P) for pair in pairs]]

    for k, side in enumerate(([pair.first for pair in pairs], [pair.second for pair in pairs])):
        columns += [interval_cells([pair.times[k] for pair in pairs], unit)]
        columns += [interval_cells([p.guaranteed for p in side], unit, 1)]
    columns += [
        [_ratio(pair.estimate_ratio) for pair in pairs],
        [_faster(pair.verdict, comparison.by_mean) for pair in pairs],
    ]
    brackets = [a.bracket_title for a in apps]
    header = [h.replace("guaranteed", brackets[h[0] == "B"]) for h in HEADER]
    if comparison.by_mean:
        header = [h.replace("estimate", "expected") for h in header]
    hidden = 0 if any(a.counts_processors for a in apps) else 1
    if apps[0].unit != "s":
        header[-1] = "less"
    return header[hidden:], [list(row[hidden:]) for row in zip(*columns, strict=True)]


def _ratio(ratio: Interval | None) -> str:
    if ratio is None:
        return "-"
    low, high = f"{float(ratio.lo):.3g}", f"{float(ratio.hi):.3g}"
    return low if low == high else f"{low} … {high}"


def _faster(verdict: Verdict, by_mean: bool) -> str:
    if verdict.winner == EQUAL:
        return EQUAL if verdict.sure else f"equal {'expected times' if by_mean else 'estimates'}"
    if verdict.winner is None:
        return "undecided"
    unsure = "by expected time" if by_mean else "by estimate"
    return f"{verdict.winner} {'by bounds' if verdict.sure else unsure}"


def _stretches(name: str, stretches: Sequence[Stretch], by_mean: bool, indent: int = 2) -> Table:
    """Who is faster where; what is not certain was found at some values only."""
    tried = "(at the values tried)"
    rows = [[f"{name} = {_ends(s)}", _faster(s.verdict, by_mean), "" if s.certain else tried] for s in stretches]
    return Table(("", "", ""), rows, "<<<", indent)


def _ends(s: Stretch) -> str:
    return value_text(s.low) if s.low == s.high else f"{directed(s.low, True)}..{directed(s.high, False)}"


def _varied(varied: Varied, drawn: bool) -> Block:
    wide = [s for s in varied.stretches if s.low != s.high or isinstance(s.low, int)] or list(varied.stretches)
    sentences = []
    if any(s.certain for s in varied.stretches):
        sentences.append("By bounds: proved for the whole range. Between two ranges the verdict changes.")
    if drawn:
        sentences.append(f"By estimates. {MAXIMUM_OF_MEANS}".rstrip())
    title = f"As {varied.name} varies, on {varied.P} processor{'' if varied.P == 1 else 's'}:"
    return [Lines([title]), _stretches(varied.name, wide, False, 4), Sentences(sentences, 4)]


def comparison_sentences(comparison: Comparison) -> list[str]:
    """Where the winner changes, and what was not looked at."""
    if comparison.same:
        return ["Both are the same: the same formulas with the same values on the same machines."]

    by = "By the expected time" if comparison.by_mean else "By the estimate"
    sentences = [
        f"{by} {c.loser} is faster up to P = {c.before}, {c.winner} from P = {c.after}." for c in comparison.crossovers
    ]
    if not sentences:
        sentences = [f"{by} {_everywhere(comparison)}."]
    if len(comparison.stretches) == 1 and comparison.thorough:
        only, winner = comparison.stretches[0], comparison.stretches[0].verdict
        if winner.sure and only.high > only.low:
            sentences = [f"{winner.winner} is faster by its bounds at every P from {only.low} to {only.high}."]
    if comparison.by_mean:
        sentences.append("Expected: the mean run time with every branch drawn; see apet predict for how sure it is.")
    if not comparison.thorough:
        sentences.append("Only the numbers of processors shown were compared.")
    return sentences


def _everywhere(comparison: Comparison) -> str:
    """Who is faster where the winner never changes."""
    winners = {pair.estimated_winner for pair in comparison.scanned or comparison.pairs}
    if winners == {EQUAL}:
        return "both are equal at every P"
    sides = sorted(w for w in winners if w not in (None, EQUAL))
    if not sides:
        return "it is undecided which is faster"
    if None in winners:
        return f"{sides[0]} is faster where it is decided"
    return f"{sides[0]} is {'never slower' if EQUAL in winners else 'faster at every P'}"


def _difference(difference: Mapping[str, Formula]) -> Block:
    if all(f.node == f.graph.zero for f in difference.values()):
        return [Lines(["The formulas of both are the same."])]
    return [Formulas([Row(f"{name} of B - A", f) for name, f in difference.items()], most_lines=MOST_LINES)]
