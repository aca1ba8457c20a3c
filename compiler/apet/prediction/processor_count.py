"""`param P = R * C`: the parameters that the number of processors is made of, and what they have to do with it.

The number in use is what the declaration says: one parameter follows from it, or what is known of all of them has to
make as many processors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apet.cost import Application, CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.model.evaluate import evaluate, prepare
from apet.model.expression_text import expression_text
from apet.model.terms import Expression, Parameter
from apet.model.walk import names_in
from apet.prediction import errors

MOST_TRIED = 100_000
MOST_OFFERED = 6
"""Numbers of processors that a message offers, the nearest ones."""

Settings = Mapping[str, Number | Interval]
Points = Mapping[str, Number]


def solved_for_processors(app: CostModel, processors: int, values: Settings) -> Mapping[str, Number]:
    """The value of the one parameter that `P` is declared by, where nobody has set it.

    Among several it is the only one that is not set; where defaults are left, the only one without. `ApetError` where
    no whole number fits, or where what is set, or the defaults of several, make another number of processors.
    """
    declared = tied(app)
    if declared is None:
        return {}
    names = dict.fromkeys(_leaves(app, declared, values))
    ranged = [n for n in names if isinstance(values.get(n), Interval)]
    if ranged:
        text = _text(declared)
        raise ApetError(errors.TiedToProcessors(app.source, declared.span, text, ranged[0], str(processors)))
    open_names = [n for n in names if n not in values]
    given = {**{n: v for n, v in values.items() if not isinstance(v, Interval)}, "P": processors}
    unknowns = [n for n in open_names if app.declared[n].value is None] or open_names
    if len(unknowns) > 1 and app.declared[unknowns[0]].value is None:
        return {}  # they are missing

    value = _value_of(app, declared)
    if len(unknowns) != 1:
        _refuse_other(app, declared, processors, value(given), open_names)
        return {}
    (name,) = unknowns
    counts = _counts(lambda x: value({**given, name: x}), min(MOST_TRIED, 4 * processors + 64))
    fitting = [x for x, count in counts.items() if count == processors]
    default = app.declared[name].value
    if not counts or (default is not None and any(evaluate(default, given) == x for x in fitting)):
        return {}
    if not fitting:
        raise ApetError(_none_fits(app, declared, name, processors, set(counts.values())))
    return {name: fitting[0]}


def declared_count(app: CostModel, values: Settings, plain: bool = False) -> int | None:
    """The number of processors that `P` is declared to be, where values and several defaults decide it.

    One parameter that nobody has set follows from the number in use instead: then it is None, as it is for ranges.
    `plain` asks for the number that a declaration without parameters names as well.
    """
    declared = app.declared.get("P")
    if declared is None or declared.value is None or not isinstance(app, Application):
        return None
    names = dict.fromkeys(_leaves(app, declared, values))
    open_names = [n for n in names if n not in values]
    ranged = any(isinstance(values.get(n), Interval) for n in names)
    if ranged or any(app.declared[n].value is None for n in open_names):
        return None
    if not plain and (not names or len(open_names) == 1):
        return None
    try:
        count = _value_of(app, declared)({n: v for n, v in values.items() if not isinstance(v, Interval)})
    except ApetError:
        return None
    return int(count) if count == int(count) and count >= 1 else None


def tied(app: CostModel) -> Parameter | None:
    """The declaration of `P`, if other parameters stand in it."""
    declared = app.declared.get("P")
    if not isinstance(app, Application) or declared is None or declared.value is None:
        return None
    return declared if any(n != "P" for n in names_in(declared.value)) else None


def tied_names(app: CostModel) -> set[str]:
    """The parameters that the number of processors is made of."""
    declared = tied(app)
    return set() if declared is None else set(_leaves(app, declared, {}))


def _leaves(app: CostModel, declared: Parameter, values: Settings) -> Iterator[str]:
    """The parameters in a declaration that are set, or depend on no others; what follows others is looked into."""
    for name in names_in(declared.value) if declared.value is not None else ():
        inner = app.declared.get(name)
        if name == "P" or inner is None:
            continue
        if name in values or inner.value is None or not any(True for _ in names_in(inner.value)):
            yield name
        else:
            yield from _leaves(app, inner, values)


def _value_of(app: CostModel, declared: Parameter) -> Callable[[Points], Number]:
    """The value of a declaration for values of its `_leaves`, else their defaults."""
    assert declared.value is not None
    count = prepare(declared.value)
    names = [n for n in dict.fromkeys(names_in(declared.value)) if n in app.declared and n != "P"]
    below = {n: _value_of(app, app.declared[n]) for n in names if app.declared[n].value is not None}

    def value(given: Points) -> Number:
        return count({**given, **{n: of(given) for n, of in below.items() if n not in given}})

    return value


def _text(declared: Parameter) -> str:
    expression: Expression | None = declared.value
    return "" if expression is None else expression_text(expression)


def _refuse_other(app: CostModel, declared: Parameter, processors: int, count: Number, open_names: list[str]) -> None:
    """`ApetError` where what is set, or defaults, make another number of processors."""
    if count == processors:
        return
    names = " or ".join(open_names)
    advice = f", or set {names}: another one is found from the number in use" if open_names else ""
    text = _text(declared)
    raise ApetError(errors.OtherProcessors(app.source, declared.span, text, str(count), str(processors), advice))


def _counts(count: Callable[[int], Number], most: int) -> dict[int, Number]:
    """The number of processors for each value of the parameter; those without a value are left out."""
    counts = {}
    for x in range(most + 1):
        try:
            counts[x] = count(x)
        except ApetError:
            continue
    return counts


def _none_fits(
    app: CostModel, declared: Parameter, name: str, processors: int, counts: set[Number]
) -> errors.NoFittingParameter:
    whole = (int(c) for c in counts if c == int(c) and c >= 1)
    near = sorted(whole, key=lambda c: abs(c - processors))[:MOST_OFFERED]
    offered = ", ".join(map(str, sorted(near)))
    text = _text(declared)
    return errors.NoFittingParameter(app.source, declared.span, text, str(processors), name, offered)
