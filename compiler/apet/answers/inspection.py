"""What an application is made of, section by section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from apet.answers.answer import Answer
from apet.answers.blocks import Formulas, Heading, Lines, Piece, Sentences, Table, cut
from apet.answers.formulas import application_results, defaults
from apet.cost import Application, CostModel
from apet.machine import Machines
from apet.machine.operation_classes import completed
from apet.model.expression_text import expression_text
from apet.model.graph_parts import is_member_wise, predecessors
from apet.model.names import PROCESSORS, declaration
from apet.model.precedence import Prime, decomposed
from apet.model.terms import Expression, Parameter, PartGraph, Process
from apet.model.walk import processes
from apet.show.formula_lines import bound_rows, formula_rows
from apet.show.plain import plain
from apet.show.times import UNITS

LONGEST, MOST_LINES, MOST_ROWS, MOST_EQUATIONS = 40, 12, 60, 200


def inspection_answer(app: CostModel, machines: Machines | None = None) -> Answer:
    """Sections: parameters, equations, resources, operations, formulas, bounds, sizes."""
    sections: list[tuple[str, Piece]] = [
        ("Parameters", _parameters(app)),
        *(_process(app, machines) if isinstance(app, Application) else []),
        ("Formulas", Formulas(formula_rows(app), LONGEST, MOST_LINES)),
        ("Bounds", Formulas(bound_rows(app), LONGEST, MOST_LINES)),
        ("Size", Lines(_sizes(app))),
    ]
    heading = [Heading(app.heading())]
    if machines is not None:
        heading.append(Heading(f"machines: {machines.name} ({machines.file}), {machines.processors} processors"))
    return Answer(
        kind="inspection",
        subject=app.name,
        unit=app.unit,
        parameters=defaults(app),
        notes=app.notes,
        results={
            **application_results(app),
            "machines": None if machines is None else machines.file,
            "declared": [_declared(app, p) for p in app.declared.values()],
            **(_process_results(app, machines) if isinstance(app, Application) else {}),
            "nodes": len(app.graph.nodes),
        },
        blocks=[
            heading,
            *([Heading(title), piece] for title, piece in sections),
            *([Sentences([note.sentence], 0)] for note in app.notes),
        ],
    )


def _process(app: Application, machines: Machines | None) -> list[tuple[str, Piece]]:
    graphs = _graphs(app)
    return [
        ("Equations", _equations(app)),
        *([("Task graphs", graphs)] if graphs.rows else []),
        ("Resources", _resources(app)),
        ("Operations", _operations(app, machines)),
    ]


NONE = Lines(["none"])


def _listed(header: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> Table | Lines:
    return _cut(header, rows, align) if rows else NONE


def _cut(header: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> Table:
    return cut(header, rows, align, MOST_ROWS)


def _parameters(app: CostModel) -> Piece:
    rows = [_parameter(app, p) for p in app.declared.values()]
    rows += [[name, "", "[0, 1]", "probability of a branch"] for name in app.free_branches]
    rows += [[name, "", "", "named processor"] for name in sorted(app.processors)]
    return _listed(["name", "default", "range", ""], rows, "<<<<")


def _parameter(app: CostModel, p: Parameter) -> list[str]:
    value = expression_text(p.value) if p.value is not None else "from -P" if p.name == "P" else "must be set"
    allowed = ""
    if p.low is not None and p.high is not None:
        allowed = f"[{expression_text(p.low)}, {expression_text(p.high)}]"
    used = {*app.parameters, *app.shaping, *({"tasks", "P"} if app.needs_shares else ())}
    notes = ["whole"] * (p.name in app.whole) + ["not in the formulas"] * (p.name not in used)
    return [p.name, value, allowed, ", ".join(notes)]


def _equations(app: Application) -> Piece:
    headings = []
    for e in app.model.equations.values():
        subscripts = f"[{', '.join(e.subscripts)}]" if e.subscripts else ""
        formals = f"({', '.join(e.formals)})" if e.formals else ""
        headings.append(f"{e.name}{subscripts}{formals}")
    rest = len(headings) - MOST_EQUATIONS
    if rest > 0:
        headings = [*headings[:MOST_EQUATIONS], f"… {rest:,} more"]
    return Sentences([" · ".join(headings)])


def _graphs(app: Application) -> Table:
    """A row for each task graph: where it is, how large, and what kind of order it has."""
    rows = []
    for graph in (p for p in processes(app.model) if isinstance(p, PartGraph)):
        waits = sum(len(p.after) for p in graph.parts)
        rows.append([app.model.source.line_of(graph.span.start), str(len(graph.parts)), str(waits), _kind(graph)])
    return _cut(["line", "parts", "waits", "order"], rows, ">>><")


def _kind(graph: PartGraph[Process]) -> str:
    if any(map(is_member_wise, graph.parts)):
        return "members wait for members"
    waiting = [decomposed(predecessors(graph.parts))]
    while waiting:
        order = waiting.pop()
        if isinstance(order, Prime):
            return "no nesting of ; and ||"
        waiting += () if isinstance(order, int) else order.parts
    return "in series and at once"


def _resources(app: Application) -> Piece:
    rows = [[r.label, servers(app, r.family)] for r in app.resources]
    return _listed(["resource", "servers"], rows, "<<")


def servers(app: Application, family: str) -> str:
    """How many servers a resource or each member of a family has, as an expression."""
    if family == PROCESSORS:
        return "cores[p]" if app.setting.cores else "1 each"
    declared = declaration(app.model, family)
    return "1" if declared is None or declared.servers is None else expression_text(declared.servers)


def _operations(app: Application, machines: Machines | None) -> Piece:
    if machines is None:
        return Sentences([" · ".join(app.operations)]) if app.operations else NONE
    machines = completed(machines, app.operations)
    rows = [[name, *_times(name, machines)] for name in app.operations]
    groups = dict.fromkeys((*(g.name for g in machines.groups), machines.coordinator.name))
    return _listed(["operation", *groups], rows, "<" + ">" * len(groups))


def _times(name: str, machines: Machines) -> Iterator[str]:
    """The time of an operation on each group; a message's is the network's."""
    for group in {g.name: g for g in (*machines.groups, machines.coordinator)}.values():
        interval = group.op_s.get(name)
        if name == "send":
            yield "by the network" if machines.has_network else "missing"
        elif name in group.fits:
            yield f"fit of {group.fits[name].file}"
        elif interval is None:
            yield "missing"
        else:
            yield _interval(float(interval.lo), float(interval.hi))


def _interval(low: float, high: float) -> str:
    unit, seconds = next(((n, s) for n, s in reversed(UNITS) if high >= s), UNITS[0])
    numbers = dict.fromkeys((f"{low / seconds:.4g}", f"{high / seconds:.4g}"))
    return f"{' … '.join(numbers)} {unit}"


def _sizes(app: CostModel) -> list[str]:
    nodes = f"formula graph: {len(app.graph.nodes):,} nodes"
    if not isinstance(app, Application):
        return [nodes]
    formulas = {"T0": app.T0, "T": app.T_total, "lower": app.lower, "upper": app.upper}
    sizes = ", ".join(f"{name} {formula.size:,}" for name, formula in formulas.items())
    lines = app.source.text.count("\n") + 1
    return [f"source: {lines:,} lines, {len(app.model.equations):,} equations", f"{nodes}; distinct nodes in {sizes}"]


# For programs


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


def _process_results(app: Application, machines: Machines | None) -> dict[str, Any]:
    equations = app.model.equations.values()
    return {
        "branches_by_chance": list(app.free_branches),
        "processors": sorted(app.processors),
        "equations": [{"name": e.name, "subscripts": [*e.subscripts], "formals": [*e.formals]} for e in equations],
        "resources": {r.label: {"servers": servers(app, r.family)} for r in app.resources},
        "times": {} if machines is None else _time_results(app, completed(machines, app.operations)),
    }


def _time_results(app: Application, machines: Machines) -> dict[str, dict[str, Any]]:
    """Seconds [low, high] of each operation on each group of machines; null where the group has none."""
    groups = {g.name: g for g in (*machines.groups, machines.coordinator)}
    return {
        operation: {
            name: plain(group.op_s[operation]) if operation in group.op_s else None for name, group in groups.items()
        }
        for operation in app.operations
    }
