"""Two predictions side by side: two models, two machine models, or two values of a parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from apet.cost import CostModel, deep_recursion
from apet.formula.algebra.polynomial import expand
from apet.formula.formula import Formula
from apet.formula.graph.importing import imported
from apet.ground.activity import over
from apet.ground.diagnostics import ApetError
from apet.ground.interval import AskedRange, Interval, Number
from apet.prediction.errors import UnknownParameter
from apet.prediction.predictor import Predictor
from apet.questions.compare.comparison import (
    EQUAL,
    ComparedSide,
    Comparison,
    PredictionPair,
    Stretch,
    Varied,
    WinnerCrossover,
    joined,
)
from apet.questions.compare.dominance import Candidate, candidate, constant, varied
from apet.questions.expected import maximum_of_means, with_expectations
from apet.questions.solve.errors import NoSuchFigure, NotInFormula, SetAndSought
from apet.questions.solve.prediction_cache import Question
from apet.questions.solve.solution import SearchSpace

MOST_SCANNED = 512
Values = Mapping[str, Number | Interval]


def compare(
    first: Predictor,
    second: Predictor,
    processors: Sequence[int] | None = None,
    values: tuple[Values, Values] = ({}, {}),
    titles: tuple[str, str] = ("A", "B"),
    vary: tuple[str, AskedRange] | None = None,
) -> Comparison:
    """Compare for some numbers of processors (None: 1, 2, 4, … and all that both have) and each side's own values.

    `vary` names a parameter or a figure of the machines, and its range: who is faster over it, for the greatest of the
    numbers of processors.
    """
    most = min(first.most_processors, second.most_processors)
    counts = list(processors) if processors else _doubled(most)
    predicted: dict[int, PredictionPair] = {}

    with deep_recursion():
        difference = _difference(first.app, second.app)
        alike = difference is not None and all(f.node == f.graph.zero for f in difference.values())
    alike = alike and first.machines == second.machines and first.schedule == second.schedule

    def pair(P: int) -> PredictionPair:
        if P not in predicted:
            [a] = with_expectations(first, [first.predict(P, values[0])])
            [b] = with_expectations(second, [second.predict(P, values[1])])
            predicted[P] = PredictionPair(P, a, b, alike and a == b)
        return predicted[P]

    pairs = tuple(pair(P) for P in counts) if processors else _possible(pair, counts)
    drawn = maximum_of_means(first.app), maximum_of_means(second.app)
    # mean run times take simulations: those of the rows shown have to do
    thorough = most <= MOST_SCANNED and not any(p.by_mean for p in pairs)
    scanned = _possible(pair, range(1, most + 1) if thorough else sorted({*counts, *_doubled(most)}))

    formulas = None if difference is None else {name: difference[name] for name in ("T0", "T")}
    first_side, second_side = (
        ComparedSide(title, p.app, p.origin, "none" if p.machines is None else p.machines.network.topology)
        for title, p in zip(titles, (first, second), strict=True)
    )
    return Comparison(
        first=first_side,
        second=second_side,
        pairs=pairs,
        crossovers=_crossovers(scanned),
        thorough=thorough,
        difference=formulas,
        same=all(p.same for p in pairs),
        stretches=joined(Stretch(p.P, p.P, p.verdict, thorough) for p in scanned),
        scanned=scanned,
        varied=None if vary is None else _varied(first, second, max(counts), values, *vary),
        drawn=drawn,
    )


def _varied(
    first: Predictor, second: Predictor, processors: int, values: tuple[Values, Values], name: str, within: AskedRange
) -> Varied:
    """Who is faster over a range; a side that does not have the name stays as it is."""
    if any(name in settings for settings in values):
        raise ApetError(SetAndSought(None, None, name))

    sides, failed, whole = list[Candidate](), list[ApetError](), False
    with deep_recursion():
        for predictor, settings in zip((first, second), values, strict=True):
            question = Question(1, name, within, processors, settings)
            try:
                side, counted = candidate(question, predictor)
                sides.append(side)
                whole |= counted
            except ApetError as error:
                if not isinstance(error.diagnostics[0], NotInFormula | NoSuchFigure | UnknownParameter):
                    raise
                failed.append(error)
                sides.append(constant(predictor, question))
        if len(failed) == len(sides):
            raise failed[0]
        low, high = within
        return varied(sides[0], sides[1], SearchSpace(name, low, high, whole), processors)


def _possible(pair: Callable[[int], PredictionPair], processors: Sequence[int]) -> tuple[PredictionPair, ...]:
    """The pairs that have predictions; `ApetError` if none has: a model may name processors that a machine lacks."""
    pairs, failed = [], None
    for P in over(processors, "comparing", "numbers of processors"):
        try:
            pairs.append(pair(P))
        except ApetError as error:
            failed = error
    if failed is not None and not pairs:
        raise failed
    return tuple(pairs)


def _doubled(most: int) -> list[int]:
    numbers = [1]
    while numbers[-1] * 2 <= most:
        numbers.append(numbers[-1] * 2)
    return numbers if numbers[-1] == most else [*numbers, most]


def _difference(first: CostModel, second: CostModel) -> dict[str, Formula] | None:
    """B's formulas minus A's in A's graph; None where they were read for different networks, or are not all exact."""
    if first.setting != second.setting or first.open_shape is not None or second.open_shape is not None:
        return None

    g = first.graph
    roots = {
        "T0": (first.T0, second.T0),
        "T": (first.T_total, second.T_total),
        "lower": (first.lower, second.lower),
        "upper": (first.upper, second.upper),
    }
    return {name: _simplest(Formula(g, imported(g, b.graph, b.node)) - a) for name, (a, b) in roots.items()}


def _simplest(formula: Formula) -> Formula:
    """The formula, or with its products multiplied out where that makes it shorter."""
    expanded = Formula(formula.graph, expand(formula.graph, formula.node))
    return min(formula, expanded, key=lambda f: f.size)


def _crossovers(pairs: Sequence[PredictionPair]) -> tuple[WinnerCrossover, ...]:
    """Where the winner of the estimate changes; where the estimates are equal or undecided nobody wins."""
    crossovers: list[WinnerCrossover] = []
    before: tuple[int, str] | None = None
    for pair in pairs:
        winner = pair.estimated_winner
        if winner is None or winner == EQUAL:
            continue

        # an undecided stretch between two winners is one crossover, from the last decided point to the first
        if before is not None and before[1] != winner:
            crossovers.append(WinnerCrossover(before[0], pair.P, before[1], winner))
        before = (pair.P, winner)

    return tuple(crossovers)
