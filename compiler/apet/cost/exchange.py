"""Cost models without a process as text, for workers that do not share this memory."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from apet.cost.cost import Requirement
from apet.cost.cost_model import NOWHERE, CostModel, InputRange, graph_of, named_terms, of_inputs
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import imported
from apet.formula.graph.nodes import Rational
from apet.formula.graph.sums import whole
from apet.formula.show.exchange import plain as exact_text
from apet.formula.show.exchange_reader import from_json
from apet.ground.source import Source
from apet.model.terms import Number, Parameter

FORMULAS = {"total": "T_total", "lower": "lower", "upper": "upper", "alone": "T0"}
"""Keys of the text, and the attributes that they hold."""
FACTS = ("kind", "quantity", "symbol", "unit", "sure", "bracket", "base", "usual_processors", "most_processors")


def cost_model_text(model: CostModel) -> str:
    """All that a prediction needs of a cost model without a process."""
    data = {
        "name": model.source.name,
        **{key: getattr(model, key) for key in FACTS},
        "inputs": [_input(p, p.name in model.whole) for p in model.declared.values()],
        "formulas": {key: getattr(model, attribute).json() for key, attribute in FORMULAS.items()},
        "terms": [[r.label, r.peak.json()] for r in model.resources],
        "required": [[r.kind, Formula(model.graph, r.node).json()] for r in model.requirements],
    }
    return json.dumps(data, separators=(",", ":"))


def cost_model_from(text: str) -> CostModel:
    """The cost model of a text of `cost_model_text`; without what reports say of it."""
    data = json.loads(text)
    inputs = [
        InputRange(i["name"], _number(i["default"]), _number(i["low"]), _number(i["high"]), i["whole"])
        for i in data["inputs"]
    ]
    graph = graph_of(inputs)
    formulas: dict[str, Any] = {
        attribute: _formula(graph, data["formulas"][key]) for key, attribute in FORMULAS.items()
    }

    return CostModel(
        source=Source(data["name"], ""),
        graph=graph,
        resources=named_terms(graph, [(name, _formula(graph, term).node) for name, term in data["terms"]]),
        requirements=tuple(Requirement(_formula(graph, f).node, kind, NOWHERE) for kind, f in data["required"]),
        **formulas,
        **of_inputs(inputs),
        **{key: data[key] for key in FACTS},
    )


def _input(parameter: Parameter, is_whole: bool) -> dict[str, Any]:
    ends = {"default": parameter.value, "low": parameter.low, "high": parameter.high}
    values = {key: exact_text(end.value) for key, end in ends.items() if isinstance(end, Number)}
    return {"name": parameter.name, "whole": is_whole, **values}


def _number(value: int | str) -> Rational:
    return whole(Fraction(value))


def _formula(graph: Graph, data: dict[str, Any]) -> Formula:
    return Formula(graph, imported(graph, *from_json(data)))
