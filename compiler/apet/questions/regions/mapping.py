"""Which term of the estimate decides, over the range of one or two parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from apet.cost import CostModel, deep_recursion
from apet.formula.formula import Formula
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.interval import AskedRange, Interval, Number
from apet.machine import End, Machines
from apet.prediction.binding import bind
from apet.prediction.predictor import Predictor
from apet.prediction.processor_count import tied, tied_names
from apet.questions.expected import maximum_of_means
from apet.questions.regions.errors import (
    AxisNotInTime,
    BadAxis,
    DifferentLinks,
    NoSuchAxis,
    NotOneValue,
    TiedAxis,
    TooManyAxes,
    VariedAndSet,
)
from apet.questions.regions.regions import Line, Plane, RegionAxis
from apet.questions.regions.term_map import TermMap
from apet.questions.regions.terms import BANDWIDTH, LATENCY, Terms, terms_of
from apet.questions.steady_state import steady_range

DEPTH = 6
DEEPEST = 10
NETWORK = (LATENCY, BANDWIDTH)


class RegionQuestion(NamedTuple):
    """One or two names with their ranges (None: as declared), and everything else that is set.

    `of` is what terms decide: "estimate", or the "lower" or "upper" bound.
    `end` is that of the operation times. `depth` is how often a map over two parameters is halved at most; `drawn` asks
    for what a picture needs besides.
    """

    axes: Mapping[str, AskedRange | None]
    processors: int | None = None
    settings: Mapping[str, Number | Interval] = {}
    end: End = "tmax"
    depth: int = DEPTH
    drawn: bool = False
    of: str = "estimate"


def regions(predictor: Predictor, question: RegionQuestion) -> Line | Plane:
    """The map that answers a question; `ApetError` where there is none."""
    if not 1 <= len(question.axes) <= 2:
        raise ApetError(TooManyAxes(None, None, len(question.axes), next(iter(question.axes), "n")))
    settings = _values(question)
    if "P" in question.axes and tied(predictor.app) is not None:
        raise ApetError(TiedAxis(None, None, ", ".join(sorted(tied_names(predictor.app)))))
    count = predictor.deployed(question.processors).P
    for name in question.axes:
        predictor.refuse_shaping(name)
    predictor = predictor.settled(count, settings)
    with deep_recursion():
        terms = terms_of(predictor.app, question.of)
        moving = _moving(predictor.app, terms)
        axes = tuple(
            _steady(predictor, _axis(predictor, name, within, count, moving), count, settings)
            for name, within in question.axes.items()
        )
        room = _check_corners(predictor, axes, count, settings)
        fixed = _fixed(predictor.machines, axes, question.end)
        term_map = TermMap(predictor, terms, axes, count, settings, question.end, fixed)
        if len(axes) == 2:
            from apet.questions.regions.plane import plane

            return replace(plane(term_map, min(question.depth, DEEPEST)), room=room)
        from apet.questions.regions.line import line

        return replace(line(term_map, drawn=question.drawn), room=room)


def _values(question: RegionQuestion) -> dict[str, Number]:
    values: dict[str, Number] = {}
    for name, value in question.settings.items():
        if name in question.axes:
            raise ApetError(VariedAndSet(None, None, name, f"--set {name}=…"))
        if isinstance(value, Interval):
            raise ApetError(NotOneValue(None, None, name, _number_text(value.lo), _number_text(value.hi)))
        values[name] = value
    if "P" in question.axes and question.processors is not None:
        raise ApetError(VariedAndSet(None, None, "P", "-P"))
    return values


def _moving(app: CostModel, terms: Terms) -> list[str]:
    """Everything that the terms depend on, with the parameters on which defaults of its parameters depend."""
    formulas = [Formula(app.graph, node) for node in terms.nodes]
    names = dict.fromkeys(n for f in formulas for n in f.parameters)
    if app.needs_shares:
        names |= {"tasks": None, "P": None}
    operations = sorted({n for f in formulas for n in f.operations if n.startswith("t_")})
    sends = "t_send" in operations
    return [*app.with_sources(names), *(n for n in operations if n != "t_send"), *(NETWORK if sends else ())]


def _axis(predictor: Predictor, name: str, within: AskedRange | None, count: int, moving: Sequence[str]) -> RegionAxis:
    app = predictor.app
    machine_quantity = name.startswith("t_") or name in NETWORK
    declared = app.settable(name) or name == "P"
    by_machines = name == "P" and "P" not in moving and _uses_machines(app)
    if name not in moving and not by_machines:
        names = ", ".join(moving) or "no parameter"
        if declared:
            raise ApetError(AxisNotInTime(None, None, app.name, name, names))
        raise ApetError(NoSuchAxis(None, None, app.name, name, nearest(name, moving), names))
    declared_range = Interval(1, predictor.most_processors) if name == "P" else app.declared_range(name, count)
    ends = within or declared_range
    if ends is None:
        raise ApetError(BadAxis(None, None, name, "?", "?", "in which range may it lie?", f"--for {name}=1:1000"))

    low, high = (_exact(e) for e in ends)
    whole = name == "P" or name in app.whole or name in app.processors
    _check(name, low, high, whole, predictor)
    if machine_quantity and predictor.machines is not None:
        _check_quantity(name, low, high, predictor.machines)

    unit = "B/s" if name == BANDWIDTH else "s" if machine_quantity else ""
    return RegionAxis(name, low, high, whole, unit)


def _steady(predictor: Predictor, axis: RegionAxis, count: int, settings: Mapping[str, Number]) -> RegionAxis:
    """The part of an axis in which an open network has a steady state."""
    if axis.name == "P":
        return axis
    low, high = steady_range(predictor, count, settings, axis.name, Interval(axis.low, axis.high))
    return replace(axis, low=_exact(low), high=_exact(high))


def _uses_machines(app: CostModel) -> bool:
    """Whether machines are named: which are in use depends on P, though formulas may not contain it."""
    return bool(app.operations)


def _check(name: str, low: Number, high: Number, whole: bool, predictor: Predictor) -> None:
    if low > high:
        _refuse(name, low, high, "it ends before it begins", f"write --for {name}=low:high")
    if low == high:
        _refuse(name, low, high, "a range has two different ends", f"for one value: apet explain … --set {name}=…")
    if whole and (low != int(low) or high != int(high)):
        _refuse(name, low, high, f"{name} is whole", "give whole numbers")
    most = predictor.most_processors
    if name == "P" and (low < 1 or high > most):
        reason = f"{predictor.origin} has 1 to {most:,} processors"
        _refuse(name, low, high, reason, "choose a range among them")


def _check_quantity(name: str, low: Number, high: Number, machines: Machines) -> None:
    if low < 0 or (name == BANDWIDTH and low == 0):
        least = "above 0" if name == BANDWIDTH else "0 or more"
        _refuse(name, low, high, f"{name} must be {least}", "raise the lower end")
    if name in NETWORK and any(getattr(link, name) is not None for link in machines.network.links):
        raise ApetError(DifferentLinks(None, None, name, machines.file))


def _fixed(machines: Machines | None, axes: Sequence[RegionAxis], end: End) -> dict[str, int | Fraction]:
    """The one of latency and bandwidth that stays where the other varies, at one end."""
    names = {a.name for a in axes} & set(NETWORK)
    if len(names) != 1 or machines is None:
        return {}
    (other,) = set(NETWORK) - names
    if any(getattr(link, other) is not None for link in machines.network.links):
        raise ApetError(DifferentLinks(None, None, names.pop(), machines.file))
    interval = getattr(machines.network, other)
    return {other: Fraction(interval.lo if (end == "tmin") == (other == LATENCY) else interval.hi)}


def _check_corners(
    predictor: Predictor, axes: Sequence[RegionAxis], count: int, settings: Mapping[str, Number]
) -> bool:
    """Whether at a corner the mean run time may be far from T; `ApetError` where parameters have no allowed values."""
    room, by_chance = False, maximum_of_means(predictor.app)
    for corner in product(*((a.low, a.high) for a in axes)):
        point = dict(zip((a.name for a in axes), corner, strict=True))
        P = int(point.pop("P", count))
        named: dict[str, Number] = {n: v for n, v in point.items() if not n.startswith("t_") and n not in NETWORK}

        deployment = predictor.deployed(P)
        with predictor.evaluating({}):
            values = bind(predictor.app, P, {**settings, **named}).points
        predictor.check(deployment, values)
        room = room or (by_chance and predictor.predict(P, {**settings, **named}).may_mislead)
    return room


def _exact(value: Number) -> int | Fraction:
    fraction = Fraction(value)
    return fraction.numerator if fraction.denominator == 1 else fraction


def _refuse(name: str, low: Number, high: Number, reason: str, advice: str) -> None:
    raise ApetError(BadAxis(None, None, name, _number_text(low), _number_text(high), reason, advice))


def _number_text(value: Number) -> str:
    return str(value) if isinstance(value, int) else f"{float(value):g}"
