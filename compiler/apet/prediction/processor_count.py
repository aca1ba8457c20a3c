"""`param P = R * R`: the parameter that the number of processors is made of, found from the number in use."""

from __future__ import annotations

from collections.abc import Mapping

from apet.cost import Application, CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.model.evaluate import evaluate, prepare
from apet.model.expression_text import expression_text
from apet.model.terms import Parameter
from apet.model.walk import names_in
from apet.prediction import errors

MOST_TRIED = 100_000
MOST_OFFERED = 6
"""Numbers of processors that a message offers, the nearest ones."""

Settings = Mapping[str, Number | Interval]


def solved_for_processors(app: CostModel, processors: int, values: Settings) -> Mapping[str, Number]:
    """The value of the one parameter that `P` is declared by, where nobody has set it.

    Among several it is the only one that is not set; where defaults are left, the only one without. `ApetError` where
    no whole number fits, or where what is set makes more processors than there are; fewer may leave some idle.
    """
    declared = app.declared.get("P")
    if not isinstance(app, Application) or declared is None or declared.value is None:
        return {}
    names = dict.fromkeys(n for n in names_in(declared.value) if n != "P")
    open_names = [n for n in names if n not in values]
    unknowns = [n for n in open_names if app.declared[n].value is None] or open_names
    others = {n: _setting(app, n, values) for n in names if unknowns != [n]}
    if len(unknowns) > 1 or any(number is None for number in others.values()):
        return {}

    fixed = {n: number for n, number in others.items() if number is not None}
    if not unknowns:
        _refuse_more(app, declared, processors, fixed)
        return {}
    (name,) = unknowns
    if app.declared[name].value is not None and _setting(app, name, {}) is None:
        return {}  # it follows others

    counts = _counts(declared, name, fixed, min(MOST_TRIED, 4 * processors + 64))
    fitting = [x for x, count in counts.items() if count == processors]
    if _setting(app, name, {}) in fitting or not counts:
        return {}
    if not fitting:
        raise ApetError(_none_fits(app, declared, name, processors, set(counts.values())))
    return {name: fitting[0]}


def _setting(app: CostModel, name: str, values: Settings) -> Number | None:
    """What a parameter is set to, else its default; None for a range, and where it depends on others."""
    number = values.get(name)
    default = app.declared[name].value
    if number is not None or default is None or any(True for _ in names_in(default)):
        return None if isinstance(number, Interval) else number
    return evaluate(default, {})


def _refuse_more(app: Application, declared: Parameter, processors: int, settings: Mapping[str, Number]) -> None:
    """`ApetError` where the parameters that are set make more processors than there are."""
    assert declared.value is not None
    count = evaluate(declared.value, settings)
    if settings and count > processors:
        text = expression_text(declared.value)
        names = " or ".join(settings)
        raise ApetError(errors.TooManyProcessors(app.source, declared.span, text, str(count), str(processors), names))


def _counts(declared: Parameter, name: str, others: Mapping[str, Number], most: int) -> dict[int, Number]:
    """The number of processors for each value of the parameter; those without a value are left out."""
    assert declared.value is not None
    try:
        count = prepare(declared.value)
    except ApetError:
        return {}

    counts = {}
    for x in range(most + 1):
        try:
            counts[x] = count({**others, name: x})
        except ApetError:
            continue
    return counts


def _none_fits(
    app: Application, declared: Parameter, name: str, processors: int, counts: set[Number]
) -> errors.NoFittingParameter:
    assert declared.value is not None
    whole = (int(c) for c in counts if c == int(c) and c >= 1)
    near = sorted(whole, key=lambda c: abs(c - processors))[:MOST_OFFERED]
    offered = ", ".join(map(str, sorted(near)))
    text = expression_text(declared.value)
    return errors.NoFittingParameter(app.source, declared.span, text, str(processors), name, offered)
