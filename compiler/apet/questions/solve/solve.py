"""Inverse questions: for which numbers of processors, or values of a parameter, is a deadline met for sure?

A value is enough where the guaranteed upper end is not above the deadline, and not enough where the lower end is above
it; else it is undecided. Each value reported at a border was predicted itself. Between them the answer rests on a proof
that both bounds are monotone, or on every value having been tried; where neither is possible, the solution says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby, pairwise

from apet.cost import deep_recursion
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.prediction.prediction import Prediction
from apet.prediction.predictor import Predictor
from apet.questions.solve.errors import BadDeadline, BudgetForParameter, NoPrice, SetAndSought
from apet.questions.solve.machine_figures import direction_of_figure, figure_space, is_figure, unit_of
from apet.questions.solve.prediction_cache import PredictionCache, Question
from apet.questions.solve.search_space import directions, parameter_space, processor_space
from apet.questions.solve.solution import (
    ALL,
    BISECTION,
    ENOUGH,
    GRID,
    NOT_ENOUGH,
    PIECES,
    UNDECIDED,
    Cheapest,
    SearchSpace,
    Solution,
)

__all__ = ["Question", "curve", "solve"]

MOST_TRIED = 2_000
GRID_POINTS = 257
CURVE_POINTS = 65
CLOSEST = 1e-12
MOST_STEPS = 300


def solve(predictor: Predictor, question: Question) -> Solution:
    """Answer a question; `ApetError` where it has no answer."""
    deadline, name = question.deadline, question.name
    if not 0 < deadline < 10**300:
        raise ApetError(BadDeadline(None, None, f"{float(deadline):g} s", "it must be above 0 and finite"))
    if name in question.settings:
        raise ApetError(SetAndSought(None, None, name))

    if question.budget is not None:
        _check_prices(predictor, name)
    trials = PredictionCache(predictor, question)
    ways: tuple[int | None, ...] = (None,)
    if name == "P" and predictor.app.counts_processors:
        space = processor_space(predictor, question.within, question.among)
    elif is_figure(predictor.app, name):
        space = figure_space(predictor, name, question.within)
        ways = (direction_of_figure(name),)
    else:
        with deep_recursion():
            space = parameter_space(predictor, question.processors, question.settings, name, question.within)
            ways = directions(predictor, question.processors, question.settings, space)
    with Activity(f"trying values of {name}", "values", lambda: len(trials.predictions), advice="narrow the range"):
        if name == "P" and predictor.app.counts_processors:
            solution = _of_counts(trials, space, ways)
        elif name in predictor.app.breaks:
            solution = _solution(trials, space, *_by_pieces(trials, space, predictor.app.breaks[name]))
        else:
            solution = _solved(trials, space, ways)

    priced = solution if question.budget is None else _priced(predictor, trials, solution, question.budget)
    return replace(priced, predictions={value: trials.with_mean(value) for value in priced.predictions})


def _of_counts(trials: PredictionCache, space: SearchSpace, ways: tuple[int | None, ...]) -> Solution:
    """The numbers of processors: all in the range, those that are asked for, or those that the model can have."""
    among = trials.question.among
    if not among:
        try:
            return _solved(trials, space, ways)
        except ApetError:
            if space.high - space.low >= MOST_TRIED:
                raise

    tried, failed = list[tuple[Number, str]](), list[ApetError]()
    without = [P for P in range(int(space.low), int(space.high) + 1) if among and P not in among]
    for P in among or range(int(space.low), int(space.high) + 1):
        try:
            tried.append((P, trials.kind(P)))
        except ApetError as error:
            failed.append(error)
            without.append(P)
    if (among and failed) or not tried:
        raise failed[0]
    return replace(_solution(trials, space, _runs(tried, gaps=True), ALL), without=tuple(sorted(without)))


def _solved(trials: PredictionCache, space: SearchSpace, ways: tuple[int | None, ...]) -> Solution:
    if None not in ways and not {1, -1} <= set(ways):
        parts, certificate = _bisected(trials, space), BISECTION
    elif space.whole and space.high - space.low < MOST_TRIED:
        parts = _runs([(v, trials.kind(v)) for v in range(int(space.low), int(space.high) + 1)])
        certificate = ALL
    else:
        parts, certificate = _runs([(v, trials.kind(v)) for v in grid(space)]), GRID
    return _solution(trials, space, parts, certificate)


def _by_pieces(trials: PredictionCache, space: SearchSpace, breaks: Sequence[Number]) -> tuple[Parts, str]:
    """The ranges of each kind where both bounds are monotone between breaks, each in a direction of its own."""
    parts, certificate = list[tuple[str, Interval]](), PIECES
    ends = [space.low, *(b for b in breaks if space.low < b < space.high), space.high]
    if space.whole:
        ends = sorted({int(e) for e in ends})
    if ends[0] == ends[-1]:
        return [(trials.kind(ends[0]), Interval(ends[0], ends[0]))], ALL
    if len(ends) == 2:
        certificate = BISECTION

    for low, high in pairwise(ends):
        first, last = (trials.at(end).guaranteed for end in (low, high))
        moves = (last.lo - first.lo, last.hi - first.hi)
        piece = SearchSpace(space.name, low, high, space.whole)
        # a piece whose bounds move in opposite ways has more than one frontier of a kind: it is tried instead
        if min(moves) >= 0 or max(moves) <= 0:
            kinds = _bisected(trials, piece)
        elif space.whole and high - low < MOST_TRIED:
            kinds = _runs([(v, trials.kind(v)) for v in range(int(low), int(high) + 1)])
        else:
            kinds, certificate = _runs([(v, trials.kind(v)) for v in grid(piece)]), GRID
        for kind, part in kinds:
            if parts and parts[-1][0] == kind:
                part = Interval(parts.pop()[1].lo, part.hi)
            parts.append((kind, part))
    return parts, certificate


def _solution(trials: PredictionCache, space: SearchSpace, parts: Parts, certificate: str) -> Solution:
    app = trials.predictor.app
    kinds = [kind for kind, _ in parts]
    ends = {end: trials.at(end) for _, part in parts for end in part}
    of = {kind: tuple(part for k, part in parts if k == kind) for kind in (ENOUGH, UNDECIDED, NOT_ENOUGH)}

    return Solution(
        name=space.name,
        deadline=trials.question.deadline,
        space=space,
        enough=of[ENOUGH],
        undecided=of[UNDECIDED],
        not_enough=of[NOT_ENOUGH],
        direction=_direction(kinds),
        certificate=certificate,
        predictions=ends,
        tried=len(trials.predictions),
        best=min(trials.predictions.items(), key=lambda f: (f[1].guaranteed.hi, f[1].guaranteed.lo, f[0])),
        unit=unit_of(app, space.name),
        measured=app.unit,
        title=app.bracket_title,
        at_least=trials.question.at_least,
    )


def curve(predictor: Predictor, question: Question, solution: Solution) -> list[tuple[Number, Prediction]]:
    """Predictions to draw, from end to end of the searched range, the ends of the answers among them."""
    trials, space = PredictionCache(predictor, question), solution.space
    if space.whole and space.high - space.low < CURVE_POINTS:
        values: Sequence[Number] = range(int(space.low), int(space.high) + 1)
    else:
        values = grid(space, CURVE_POINTS)
    return [(v, trials.at(v)) for v in sorted({*values, *(v for v in solution.predictions)})]


Parts = list[tuple[str, Interval]]


def _direction(kinds: Sequence[str]) -> int | None:
    rank = [(NOT_ENOUGH, UNDECIDED, ENOUGH).index(kind) for kind in kinds]
    if len(rank) == 1:
        return 0
    if rank == sorted(rank):
        return -1
    return 1 if rank == sorted(rank, reverse=True) else None


def _runs(tried: Sequence[tuple[Number, str]], gaps: bool = False) -> Parts:
    """Neighbours of one kind as ranges; where there are `gaps`, of whole numbers that follow each other."""
    parts = []
    for (kind, _), group in groupby(enumerate(tried), key=lambda t: (t[1][1], gaps and t[1][0] - t[0])):
        values = [value for _, (value, _) in group]
        parts.append((kind, Interval(values[0], values[-1])))
    return parts


def _bisected(trials: PredictionCache, space: SearchSpace) -> Parts:
    """The ranges of each kind where both bounds are monotone in one direction."""
    low, high = trials.kind(space.low), trials.kind(space.high)
    if low == high:
        return [(low, Interval(space.low, space.high))]
    parts: Parts = []
    first, last = space.low, space.high

    # from one sure kind to the other there are two frontiers, as the two ends of the bracket pass the deadline
    if UNDECIDED not in (low, high):
        same, other = frontier(lambda v: trials.kind(v) == low, first, last, space.whole)
        end, begin = same, frontier(lambda v: trials.kind(v) != high, first, last, space.whole)[1]
        parts = [(low, Interval(first, end)), (high, Interval(begin, last))]
        least, most = (other, begin - 1) if space.whole else (end, begin)
        if least <= most:
            parts.insert(1, (UNDECIDED, Interval(least, most)))
        return parts

    # between real neighbours lies what was not tried: it counts as undecided
    same, other = frontier(lambda v: trials.kind(v) == low, first, last, space.whole)
    if space.whole:
        return [(low, Interval(first, same)), (high, Interval(other, last))]
    if low == UNDECIDED:
        return [(low, Interval(first, other)), (high, Interval(other, last))]

    return [(low, Interval(first, same)), (high, Interval(same, last))]


def frontier(holds: Callable[[Number], bool], yes: Number, no: Number, whole: bool) -> tuple[Number, Number]:
    """Neighbours, of which a monotone predicate holds for the first and not for the second.

    It holds for `yes` and not for `no`. Whole numbers differ by 1; others by 1e-12 of themselves, or as little as
    `MOST_STEPS` halvings reach.
    """
    for _ in range(MOST_STEPS * 4 if whole else MOST_STEPS):
        middle: Number | None = _middle(yes, no, whole)
        if middle is None:
            break

        if holds(middle):
            yes = middle
        else:
            no = middle
    return yes, no


def _middle(a: Number, b: Number, whole: bool) -> Number | None:
    """A number strictly between, or None where they are close enough."""
    if whole:
        return (int(a) + int(b)) // 2 if abs(int(a) - int(b)) > 1 else None
    low, high = Fraction(min(a, b)), Fraction(max(a, b))
    if high - low <= CLOSEST * max(abs(low), abs(high)):
        return None
    middle = float((low + high) / 2)
    return middle if float(low) < middle < float(high) else None


def grid(space: SearchSpace, points: int = GRID_POINTS) -> list[Number]:
    """Values from end to end: evenly spaced, or by a factor where the range spans more than three decades."""
    low, high, last = space.low, space.high, points - 1
    if low > 0 and high > 1000 * low:
        factor = (float(high) / float(low)) ** (1 / last)
        inner: list[Number] = [float(low) * factor**k for k in range(1, last)]
    else:
        inner = [float(low + (high - low) * Fraction(k, last)) for k in range(1, last)]
    if space.whole:
        inner = [int(v) for v in inner]
    return sorted({low, high, *(v for v in inner if low < v < high)})


# Cost


def _check_prices(predictor: Predictor, name: str) -> None:
    if name != "P":
        raise ApetError(BudgetForParameter(None, None, name))
    groups = () if predictor.machines is None else predictor.machines.groups
    lacking = ", ".join(g.name for g in groups if g.cost_per_hour is None)
    if lacking or not groups:
        raise ApetError(NoPrice(None, None, predictor.origin, lacking or "processor"))


def cost(predictor: Predictor, processors: int, seconds: Interval) -> Interval:
    """What the processors in use cost for so long; the coordinator is not counted."""
    from apet.formula.evaluate.rounding import down, up

    used = predictor.deployed(processors).groups
    per_hour: Fraction = sum(((g.last - g.first + 1) * Fraction(g.group.cost_per_hour or 0) for g in used), Fraction(0))
    low, high = (Fraction(s) * per_hour / 3600 for s in seconds)
    return Interval(down(low), up(high))


def _priced(predictor: Predictor, trials: PredictionCache, solution: Solution, budget: Number) -> Solution:
    """With the cheapest number of processors among those tried that meet the deadline for sure."""
    costs = [
        (cost(predictor, int(value), prediction.guaranteed), int(value))
        for value, prediction in sorted(trials.predictions.items())
        if prediction.guaranteed.hi <= solution.deadline
    ]
    if not costs:
        return replace(solution, budget=budget)

    best, processors = min(costs, key=lambda c: (c[0].hi, c[1]))
    within = True if best.hi <= budget else False if best.lo > budget else None
    ends = {**solution.predictions, processors: trials.predictions[processors]}
    return replace(solution, budget=budget, cheapest=Cheapest(processors, best, within), predictions=ends)
