"""What an application is made of, as JSON."""

from __future__ import annotations

from typing import Any

from apet.cost import Application, CostModel
from apet.machine import Machines
from apet.machine.operation_classes import completed
from apet.model.expression_text import expression_text
from apet.model.terms import Expression, Parameter
from apet.show.application_text import application_document
from apet.show.inspection import servers
from apet.show.plain import dumps, plain


def inspection_json(app: CostModel, version: str, machines: Machines | None = None) -> str:
    """One object: what `compile --json` has without graphs, and declarations, equations, resources, times, sizes."""
    document = application_document(app, version)
    document["machines"] = None if machines is None else machines.file
    document["declared"] = [_declared(app, p) for p in app.declared.values()]
    if isinstance(app, Application):
        document |= _process(app, machines)
    document["nodes"] = len(app.graph.nodes)
    return dumps(document)


def _declared(app: CostModel, p: Parameter) -> dict[str, Any]:
    return {
        "name": p.name,
        "default": _text(p.value),
        "low": _text(p.low),
        "high": _text(p.high),
        "whole": p.name in app.whole,
    }


def _text(expression: Expression | None) -> str | None:
    return None if expression is None else expression_text(expression)


def _process(app: Application, machines: Machines | None) -> dict[str, Any]:
    equations = app.model.equations.values()
    return {
        "branches_by_chance": list(app.free_branches),
        "processors": sorted(app.processors),
        "equations": [{"name": e.name, "subscripts": [*e.subscripts], "formals": [*e.formals]} for e in equations],
        "resources": [{"name": r.label, "servers": servers(app, r.family)} for r in app.resources],
        "times": {} if machines is None else _times(app, completed(machines, app.operations)),
    }


def _times(app: Application, machines: Machines) -> dict[str, dict[str, Any]]:
    """Seconds [low, high] of each operation on each group of machines; null where the group has none."""
    groups = {g.name: g for g in (*machines.groups, machines.coordinator)}
    return {
        operation: {
            name: plain(group.op_s[operation]) if operation in group.op_s else None for name, group in groups.items()
        }
        for operation in app.operations
    }
