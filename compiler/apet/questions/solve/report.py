"""What meets a deadline, as an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Sentences, Settings, Table
from apet.answers.predictions import settings
from apet.ground.interval import Interval, Number
from apet.ground.notes import Note, NoteKind
from apet.prediction.prediction import Prediction
from apet.questions.solve.solution import ALL, BISECTION, GRID, PIECES, Solution
from apet.show.context import PredictionContext
from apet.show.plain import ends, plain
from apet.show.tables import interval_cells
from apet.show.times import column, unit_for
from apet.show.values import value_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DIGITS = 9
MOST_LISTED = 8
"""Values without an answer that a sentence names."""
WARNING = "{name} was tried at {tried} values only, and nothing is proved between them: other values may differ."

SURE = {
    ALL: "Every value was tried.",
    PIECES: "Between the bends of the formulas both ends are proved to move in one direction.",
    BISECTION: "Both bounds are proved to move in one direction over the range.",
}


def solution_answer(
    context: PredictionContext, solution: Solution, figure: Callable[[], Figure] | None = None
) -> Answer:
    """The question, one row per kind of answer, how sure that is, and the cost; `figure` draws its curve."""
    s = solution
    shared = _settings(context, s)
    notes = [*answer_notes(s), *context.app.notes]
    return Answer(
        kind="solution",
        subject=context.app.name,
        unit=context.unit,
        parameters=shared,
        predictions=[_row(s, v, p) for v, p in sorted(s.predictions.items())],
        notes=notes,
        results={**context.json_head, **context.json_setting, **_results(s)},
        blocks=[
            [Heading(context.heading), Settings([*settings(context.app, shared), question(s)])],
            [solution_table(s)],
            [Sentences([note.sentence for note in notes])],
        ],
        figure=figure,
    )


def question(s: Solution) -> str:
    """What is asked for, within which time, and where it was looked for."""
    return f"{_limit(s)} · {s.name} from {directed(s.space.low)} to {directed(s.space.high)}{_unit(s)}"


def solution_table(s: Solution) -> Table:
    """What is known of each range of values."""
    rows = answer_rows(s)
    return Table([""] * len(rows[0]), rows, "<" * len(rows[0]))


def _row(s: Solution, value: Number, p: Prediction) -> Estimate:
    mean = {} if p.expectation is None else {"expectation": ends(p.expectation.seconds)}
    return Estimate({s.name: value}, p.estimate, p.lower, p.upper, p.guaranteed, {s.name: plain(value), **mean})


def _results(s: Solution) -> dict[str, Any]:
    """The keys of docs/howto/meet-a-deadline.md."""
    best = None if s.best is None else {s.name: plain(s.best[0]), "guaranteed": ends(s.best[1].guaranteed)}
    return {
        **{"for": s.name, "for_unit": s.unit, "range": [s.space.low, s.space.high], "deadline_s": s.deadline},
        **{"enough_from": s.enough_from, "enough_up_to": s.enough_up_to, "not_enough_below": s.not_enough_below},
        **{"undecided": s.undecided_between, "enough": s.enough, "undecided_in": s.undecided},
        **{"not_enough": s.not_enough, "monotone": s.direction is not None and s.certain},
        **{"certificate": s.certificate, "certain": s.certain, "without": s.without, "tried": s.tried, "best": best},
        "warnings": [] if s.certain else [WARNING.format(name=s.name, tried=s.tried)],
        **_cost_json(s),
    }


def _cost_json(s: Solution) -> dict[str, Any]:
    if s.budget is None:
        return {}
    best = s.cheapest
    cheapest = None if best is None else {"P": best.processors, "cost": ends(best.cost), "within_budget": best.within}
    return {"budget": s.budget, "cheapest": cheapest}


def _unit(s: Solution) -> str:
    return f" {s.unit}" if s.unit else ""


def _limit(s: Solution) -> str:
    """`deadline 90 s`, or the target of another quantity."""
    number = f"{float(s.deadline):,.10g}"
    if s.measured == "s":
        return f"deadline {number} s"
    return f"{'at least' if s.at_least else 'at most'} {number} {s.measured.removeprefix('1')}".rstrip()


def _settings(context: PredictionContext, s: Solution) -> dict[str, Number | Interval]:
    """The values that all predictions share; others depend on what is sought."""
    first, *others = (p.parameters for p in s.predictions.values())
    shared = {name: v for name, v in first.items() if name != s.name and all(o[name] == v for o in others)}
    if not context.has_processors:
        shared.pop("P", None)
    return shared


def directed(value: Number, up: bool | None = None) -> str:
    """A value; one that is not whole is rounded up or down on request."""
    if isinstance(value, int) or up is None:
        return value_text(value)
    from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

    context = Context(prec=DIGITS, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"{float(context.create_decimal(Decimal(repr(float(value))))):.{DIGITS}g}"


def _part(s: Solution, part: Interval, outward: bool) -> str:
    """A range of values as text: what is sure is rounded inward, what is undecided outward, but for the very ends."""
    if part.is_point:
        return directed(part.lo)
    low = directed(part.lo, None if part.lo == s.space.low else not outward)
    return f"{low}..{directed(part.hi, None if part.hi == s.space.high else outward)}"


def answer_rows(s: Solution) -> list[list[str]]:
    """What is known of each range of values in order, the range, and the time at its ends."""
    rows: list[tuple[str, Interval]] = [("not met", part) for part in s.not_enough]
    rows += [("undecided", part) for part in s.undecided]
    rows += [("met", part) for part in s.enough]

    rows.sort(key=lambda row: (row[1].lo, row[1].hi))
    times = _times(s, [part for _, part in rows])
    return [
        [kind, f"{s.name} = {_part(s, part, kind == 'undecided')}{_unit(s)}", time, *_means(s, part)]
        for (kind, part), time in zip(rows, times, strict=True)
    ]


def _times(s: Solution, parts: Sequence[Interval]) -> list[str]:
    """The guaranteed time at the ends of each range."""
    brackets = [[s.predictions[end].guaranteed for end in dict.fromkeys(part)] for part in parts]
    unit = unit_for((float(end) for group in brackets for guaranteed in group for end in guaranteed), s.measured)
    texts = []
    for group in brackets:
        low = column([float(g.lo) for g in group], unit, -1, [float(g.hi) for g in group])
        high = column([float(g.hi) for g in group], unit, 1, [float(g.lo) for g in group])
        spans = [f"{a if a == b else f'{a} … {b}'} {unit.name}".rstrip() for a, b in zip(low, high, strict=True)]
        texts.append(" to ".join(dict.fromkeys(spans)))
    return texts


def _means(s: Solution, part: Interval) -> list[str]:
    """The mean run time at the ends of a range, where one is far from the estimate."""
    ends_of_part = [s.predictions[end] for end in dict.fromkeys(part)]
    if not any(p.misleads for p in s.predictions.values()):
        return []
    known = [p.mean for p in ends_of_part if p.expectation is not None]
    unit = unit_for((float(end) for mean in known for end in mean), s.measured)
    texts = [cell.replace("  ", " ").strip() for cell in interval_cells(known, unit)]
    return [f"expected {' to '.join(dict.fromkeys(texts))}" if texts else ""]


def answer_notes(s: Solution) -> list[Note]:
    """How sure the answer is, and what was found of the best and of the cost."""
    unsure = s.certificate == GRID
    return [Note(NoteKind.WARNING if unsure else NoteKind.METHOD, sentence) for sentence in answer_sentences(s)]


def answer_sentences(s: Solution) -> list[str]:
    """How sure the answer is, the best that can be reached, and the cost."""
    sentences = []
    if not s.enough:
        around = f"{directed(s.space.low)} to {directed(s.space.high)}{_unit(s)}"
        none = f"No {s.name} from {around} meets {_what(s)}"
        sentences.append(f"{none}; {'some may' if s.undecided else 'all miss it'}.")
        sentences += _best(s)
    elif not s.undecided and not s.not_enough:
        sentences.append(f"Every {s.name} asked for meets {_what(s)}.")
    if s.certificate == GRID:
        sentences.append("Warning: " + WARNING.format(name=s.name, tried=s.tried))
    else:
        sentences.append(SURE[s.certificate])
    if s.without:
        listed = ", ".join(map(str, s.without[:MOST_LISTED])) + (", …" if len(s.without) > MOST_LISTED else "")
        sentences.append(f"Left out, since not asked for or without a prediction: {s.name} = {listed}.")

    if any(p.misleads for p in s.predictions.values()):
        sentences.append("Expected: the mean run time with every branch drawn; met and not met are about every run.")

    return [*sentences, *_cost(s)]


def _what(s: Solution) -> str:
    return f"the {'deadline' if s.measured == 's' else 'target'} with its whole interval"


def _best(s: Solution) -> list[str]:
    """What is the least time that is sure, where the deadline is not met."""
    if s.best is None or s.at_least:
        return []
    value, prediction = s.best
    low, high = prediction.guaranteed
    unit = unit_for([float(high)], s.measured)
    first, last = column([float(low)], unit, -1, [float(high)])[0], column([float(high)], unit, 1, [float(low)])[0]
    best = first if first == last else f"{first} … {last}"
    least = "The best reachable" if s.certain else "The best of those tried"
    return [f"{least}: {f'{best} {unit.name}'.rstrip()}, {s.title}, at {s.name} = {directed(value)}{_unit(s)}."]


def _cost(s: Solution) -> list[str]:
    if s.budget is None:
        return []
    if s.cheapest is None:
        return ["Nothing to buy: no P meets the deadline."]

    best = s.cheapest
    relation = {True: "within", False: "above", None: "perhaps within"}[best.within]
    low, high = f"{float(best.cost.lo):.4g}", f"{float(best.cost.hi):.4g}"
    costs = low if low == high else f"{low} … {high}"
    budget = f"{float(s.budget):.10g}"
    return [f"Cheapest that meets it: P = {best.processors}. It costs {costs}, {relation} the budget of {budget}."]
