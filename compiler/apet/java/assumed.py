"""Predictions of a Java task some of whose values nobody knows: they are tried at the ends of assumed ranges.

A probability lies in [0, 1]; iterations, calls, lengths and numbers in fields are taken to be from 1 to the greatest
size that is set. A search over all of that may find no bound, so each value is moved by itself, from the middle of its
range to either end, and then all of them together to the ends that make the task slower, and to those that make it
faster (of very many values, all shares and all counts to either end). Of a time that rises or falls with each value,
wherever the others are, these last two are the extremes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Interval, Number
from apet.model.evaluate import evaluate
from apet.model.terms import Parameter
from apet.prediction.errors import MissingParameter
from apet.prediction.prediction import Prediction

if TYPE_CHECKING:
    from apet.cost import CostModel
    from apet.prediction import Predictor

USUAL_MOST = 100
"""The greatest size where none is set."""
MOST_ALONE = 40
"""Values that are moved one at a time: of more, all shares and all counts move together."""
RULE = "trying assumed values at their ends, by themselves and all together"
_TITLE = re.compile(r"// .*?: [\w.$]+\.(?P<method>[\w$]+)\(.*\), ")
_ARGUMENT = re.compile(r"formal [\w$]+ of (?P<method>[\w$]+)$|length (?:in dimension \d+ )?of (?!field )[\w$]+$")


class AssumedPrediction(NamedTuple):
    """A prediction over assumed values, and by how many times each of them alone changes its time, the most first."""

    prediction: Prediction
    effects: Mapping[str, float]


def assumed_ranges(error: ApetError, app: CostModel, settings: Mapping[str, Number | Interval]) -> dict[str, Interval]:
    """Ranges of the values that a translated task lacks; none if `error` is about more than that. Raises `ApetError`
    with the arguments of the task among them, which only its user knows."""
    # of Java only: it takes as long as a prediction
    from apet.java.profile.parameter_values import parameters
    from apet.program.levels.writer import MACHINE

    machine = {note.name for note in MACHINE}
    comments = {p.name: p.comment.partition(": ")[2] for p in parameters(app.source.text)}
    title = _TITLE.match(app.source.text)
    ranges: dict[str, Interval] = {}
    sizes = (v for name, v in settings.items() if name not in machine and isinstance(v, int) and v >= 1)
    most = max(sizes, default=USUAL_MOST)

    arguments: list[Diagnostic] = []
    for missing in error.diagnostics:
        if not isinstance(missing, MissingParameter) or title is None:
            return {}
        argument = _ARGUMENT.match(comments.get(missing.name, ""))
        if argument is not None and argument["method"] in (None, title["method"]) and title["method"] != "main":
            arguments.append(missing)
        ranges[missing.name] = _declared(app.declared[missing.name], settings) or Interval(1, most)
    if arguments:
        raise ApetError(arguments)
    return ranges


def _declared(parameter: Parameter, settings: Mapping[str, Number | Interval]) -> Interval | None:
    """The range that a share has, or proved rounds, at the values that are set."""
    numbers = {n: v for n, v in settings.items() if not isinstance(v, Interval)}
    if parameter.low is None or parameter.high is None:
        return None
    try:
        return Interval(*(evaluate(end, numbers) for end in (parameter.low, parameter.high)))
    except (ApetError, ArithmeticError, KeyError, ValueError):
        return None


def predict_assumed(
    predictor: Predictor, P: int | None, values: Mapping[str, Number | Interval], ranges: Mapping[str, Interval]
) -> AssumedPrediction:
    """The prediction where some values are anywhere in their ranges. Raises `ApetError` where it has no value at the
    middles of all ranges."""
    middles = {name: middle(among) for name, among in ranges.items()}

    def at(changed: Mapping[str, Number]) -> Prediction:
        return predictor.predict(P, {**values, **middles, **changed})

    usual = at({})
    tried = [usual]
    effects: dict[str, float] = {}
    slow, fast = dict(middles), dict(middles)

    for name, among in ranges.items() if len(ranges) <= MOST_ALONE else ():
        ends: list[tuple[float, Number]] = [(_time(usual), middles[name])]
        for end in among:
            # Some values do not go together, as an end before its start.
            with suppress(ApetError):
                tried.append(at({name: end}))
                ends.append((_time(tried[-1]), end))
        (least, fast[name]), (most, slow[name]) = min(ends), max(ends)
        effects[name] = most / least if least else math.inf

    for corner in (slow, fast) if effects else _corners(ranges):
        with suppress(ApetError):
            tried.append(at(corner))
    ordered = dict(sorted(effects.items(), key=lambda effect: -effect[1]))
    return AssumedPrediction(_hull(usual, tried, ranges), ordered)


def _corners(ranges: Mapping[str, Interval]) -> list[dict[str, Number]]:
    """All shares and all counts at either end."""
    return [
        {name: among.hi if (share if among.lo == 0 else count) else among.lo for name, among in ranges.items()}
        for share in (False, True)
        for count in (False, True)
    ]


def middle(among: Interval) -> Number:
    """1/2 of a share; of a count the geometric middle, as a whole number."""
    if among.lo == 0:
        return 0.5 * among.hi if among.hi <= 1 else round(math.sqrt(among.hi))
    return round(math.sqrt(among.lo * among.hi))


def _time(prediction: Prediction) -> float:
    return math.sqrt(float(prediction.estimate.lo) * float(prediction.estimate.hi))


def _hull(usual: Prediction, tried: list[Prediction], ranges: Mapping[str, Interval]) -> Prediction:
    """One prediction that encloses several."""

    def around(ends: Iterator[Interval]) -> Interval:
        every = list(ends)
        return Interval(min(one.lo for one in every), max(one.hi for one in every))

    slowest = max(tried, key=lambda one: one.estimate.hi)
    return usual.replace(
        parameters={**usual.parameters, **ranges},
        estimate=around(p.estimate for p in tried),
        lower=around(p.lower for p in tried),
        upper=around(p.upper for p in tried),
        guaranteed=around(p.guaranteed for p in tried),
        exact=all(p.exact for p in tried),
        limits=slowest.limits,
        rules=(RULE,),
        assumed=tuple(ranges),
    )
