"""`param P = R * R`: the parameter that the number of processors is made of, found from the number in use."""

from __future__ import annotations

from collections.abc import Mapping

from apet.cost import Application, CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.model.evaluate import parameter_values, prepare
from apet.model.expression_text import expression_text
from apet.model.terms import Parameter
from apet.model.walk import names_in
from apet.prediction import errors

MOST_TRIED = 100_000
MOST_OFFERED = 6
"""Numbers of processors that a message offers, the nearest ones."""


def solved_for_processors(
    app: CostModel, processors: int, values: Mapping[str, Number | Interval]
) -> Mapping[str, Number]:
    """The value of the one parameter that `P` is declared by, where nobody has set it.

    `ApetError` where no whole number fits. A parameter that is set is left alone: then some processors may be idle.
    """
    declared = app.declared.get("P")
    if not isinstance(app, Application) or declared is None or declared.value is None:
        return {}
    names = {n for n in names_in(declared.value) if n != "P"}
    if len(names) != 1 or names & values.keys():
        return {}
    (name,) = names
    own = app.declared.get(name)
    if own is None or (own.value is not None and any(True for _ in names_in(own.value))):
        return {}

    counts = _counts(declared, name, min(MOST_TRIED, 4 * processors + 64))
    fitting = [x for x, count in counts.items() if count == processors]
    default = parameter_values(app.model, {}).get(name)
    if default in fitting or not counts:
        return {}
    if not fitting:
        raise ApetError(_none_fits(app, declared, name, processors, set(counts.values())))
    return {name: fitting[0]}


def _counts(declared: Parameter, name: str, most: int) -> dict[int, Number]:
    """The number of processors for each value of the parameter; those without a value are left out."""
    assert declared.value is not None
    try:
        count = prepare(declared.value)
    except ApetError:
        return {}

    counts = {}
    for x in range(most + 1):
        try:
            counts[x] = count({name: x})
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
