"""Closed models: formulas that were made without a process, as applications that need no machine file.

A fit of measured runs, a queueing network or a compiled trace gives an estimate, a lower and an upper formula in
parameters of its own. Put into an `Application` without operations, and on `Machines` that have none, everything that
is asked of an application can be asked of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from apet.cost.application import Application, Resource
from apet.cost.cost import Requirement
from apet.cost.costing import Setting
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import imported
from apet.formula.graph.nodes import NodeId, Rational
from apet.formula.graph.sums import whole
from apet.formula.show.exchange import plain as exact_text
from apet.formula.show.exchange import to_json
from apet.formula.show.exchange_reader import from_json
from apet.ground.interval import Interval, Number
from apet.ground.source import Source, Span
from apet.machine.machines import MachineGroup, Machines
from apet.model.terms import Equation, Model, Parameter
from apet.model.terms import Number as Literal
from apet.model.terms import Sequence as Nothing

ENTRY = "L"
NOWHERE = Span(-1, -1)
SECONDS, PER_SECOND, PLAIN = "s", "1/s", ""


class Quantity(NamedTuple):
    """A parameter of a closed model: its value unless set, the range that it may lie in, whether it is whole.

    `interval` is what is known of the value where it is uncertain.
    """

    name: str
    default: Rational
    low: Rational
    high: Rational
    whole: bool = False
    interval: Interval | None = None


class Formulas(NamedTuple):
    """The formulas of a closed model, all of one graph.

    `alone` is what the time is without contention, or a constant 0 where `terms` say it all; `terms` are parts or
    bounds of `total` by name. `required` must not be negative, each with what it is.
    """

    graph: Graph
    total: NodeId
    lower: NodeId
    upper: NodeId
    alone: NodeId
    terms: Sequence[tuple[str, NodeId]] = ()
    required: Sequence[tuple[str, NodeId]] = ()


class Closed(NamedTuple):
    """What an application without a process is about.

    `symbol` stands for the quantity (T, R, X, U) in reports, `unit` is "s", "1/s" or "". `bracket` says what lies
    between the lower and the upper formula; it is guaranteed if `sure`. Between neighbouring `breaks` of a parameter
    both are monotone in it; formulas do no more than count those in `counted`, whole ones. `base` names the term that
    is no resource. `where` is the platform, if there is one.
    """

    kind: str
    quantity: str
    symbol: str
    unit: str
    sure: bool
    bracket: str
    machines: Machines
    quantities: tuple[Quantity, ...]
    breaks: Mapping[str, tuple[Number, ...]]
    base: str = "T0"
    where: str = ""
    notes: tuple[str, ...] = ()
    processors: int | None = None
    more_is_better: bool = False
    counted: tuple[str, ...] = ()

    @property
    def intervals(self) -> dict[str, Number | Interval]:
        """What is known of uncertain parameters, by name."""
        return {q.name: q.interval for q in self.quantities if q.interval is not None}

    @property
    def counts_processors(self) -> bool:
        """Whether the parameter is the number of processors in use."""
        return self.processors is not None

    @property
    def title(self) -> str:
        """The head of the column of lower and upper ends."""
        return "guaranteed" if self.sure else "90 % interval"


def nothing(name: str, processors: int = 1) -> Machines:
    """Machines without operations and network: as many processors as a formula may be asked about."""
    group = MachineGroup("processor", {}, count=processors)
    return Machines(name, name, (group,), MachineGroup("coordinator", {}))


def application_of(name: str, formulas: Formulas, closed: Closed) -> Application:
    """The application that a closed model is."""
    return _application(name, formulas, closed)


def written(app: Application) -> str:
    """A closed model as text, for processes that have not this memory; `application_from` reads it."""
    assert app.closed is not None
    terms = [(r.label, r.peak.node) for r in app.resources]
    required = [(r.kind, r.node) for r in app.requirements]
    roots = (app.T_total.node, app.lower.node, app.upper.node, app.T0.node)
    formulas = Formulas(app.graph, *roots, terms, required)
    return json.dumps(_as_data(app.model.source.name, formulas, app.closed), separators=(",", ":"))


def application_from(text: str) -> Application:
    """The application that was `written`, with all that a prediction needs."""
    data = json.loads(text)
    graph = Graph()
    quantities = tuple(
        Quantity(q["name"], _number(q["default"]), _number(q["low"]), _number(q["high"]), q["whole"])
        for q in data["quantities"]
    )
    _assume(graph, quantities)
    read = {key: _read(graph, value) for key, value in data["formulas"].items()}
    terms, required = ([(n, _read(graph, f)) for n, f in data[key]] for key in ("terms", "required"))
    formulas = Formulas(graph, read["total"], read["lower"], read["upper"], read["alone"], terms, required)
    name = data["name"]
    said = (data["kind"], data["quantity"], data["symbol"], data["unit"])
    closed = Closed(*said, data["sure"], data["bracket"], nothing(name), quantities, {}, data["base"])
    return _application(name, formulas, closed)


def assumed(quantities: Sequence[Quantity]) -> Graph:
    """A graph that knows the ranges of parameters."""
    graph = Graph()
    _assume(graph, quantities)
    return graph


def _assume(graph: Graph, quantities: Sequence[Quantity]) -> None:
    graph.assume("P", 1)
    for q in quantities:
        graph.assume(q.name, q.low, q.high)
        if q.whole:
            graph.integers.add(q.name)


def _application(name: str, formulas: Formulas, closed: Closed) -> Application:
    g, total, lower, upper, alone, terms, required = formulas

    def formula(node: NodeId) -> Formula:
        return Formula(g, node)

    resources = tuple(Resource(n, n, (), (), formula(node), formula(node), None) for n, node in terms)
    asked = tuple(Requirement(node, what, NOWHERE) for what, node in required)
    loads = {r.label: r.load for r in resources}
    return Application(
        _model(name, closed.quantities),
        g,
        Setting(),
        formula(alone),
        loads,
        formula(total),
        formula(lower),
        formula(upper),
        formula(total),
        resources,
        asked,
        {},
        frozenset(q.name for q in closed.quantities if q.whole),
        frozenset(),
        (),
        closed,
    )


def _model(name: str, quantities: Sequence[Quantity]) -> Model:
    """Declarations of the parameters, and an equation of nothing."""
    parameters = {
        q.name: Parameter(q.name, _literal(q.default), _literal(q.low), _literal(q.high), NOWHERE) for q in quantities
    }
    equation = Equation(ENTRY, (), (), Nothing((), NOWHERE), NOWHERE)
    return Model(Source(name, ""), parameters, {}, {ENTRY: equation}, ENTRY)


def _literal(value: Rational) -> Literal:
    return Literal(value, "", NOWHERE)


def _as_data(name: str, formulas: Formulas, closed: Closed) -> dict[str, Any]:
    g = formulas.graph

    def named(pairs: Sequence[tuple[str, NodeId]]) -> list[list[Any]]:
        return [[n, to_json(g, node)] for n, node in pairs]

    return {
        "name": name,
        **{key: getattr(closed, key) for key in ("kind", "quantity", "symbol", "unit", "sure", "bracket", "base")},
        "quantities": [
            {"name": q.name, "whole": q.whole}
            | dict(zip(("default", "low", "high"), map(exact_text, q[1:4]), strict=True))
            for q in closed.quantities
        ],
        "formulas": {key: to_json(g, getattr(formulas, key)) for key in ("total", "lower", "upper", "alone")},
        "terms": named(formulas.terms),
        "required": named(formulas.required),
    }


def _number(value: int | str) -> Rational:
    from fractions import Fraction

    return whole(Fraction(value))


def _read(graph: Graph, data: dict[str, Any]) -> NodeId:
    return imported(graph, *from_json(data))
