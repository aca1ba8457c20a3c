"""What an application is made of, section by section."""

from __future__ import annotations

from collections.abc import Iterator

from apet.cost import Application, CostModel
from apet.machine import Machines
from apet.machine.operation_classes import completed
from apet.model.expression_text import expression_text
from apet.model.graph_parts import is_member_wise, predecessors
from apet.model.names import PROCESSORS, declaration
from apet.model.precedence import Prime, decomposed
from apet.model.terms import Parameter, PartGraph, Process
from apet.model.walk import processes
from apet.show.formula_lines import block, bound_rows, formula_rows, wrapped
from apet.show.tables import table
from apet.show.times import UNITS

LONGEST, MOST_LINES, MOST_ROWS, MOST_EQUATIONS = 40, 12, 60, 200


def inspection_text(app: CostModel, width: int, machines: Machines | None = None) -> str:
    """Sections: parameters, equations, resources, operations, formulas, bounds, sizes."""
    sections = [
        ("Parameters", _parameters(app)),
        *(_process(app, width, machines) if isinstance(app, Application) else []),
        ("Formulas", block(formula_rows(app), width, LONGEST, MOST_LINES)),
        ("Bounds", block(bound_rows(app), width, LONGEST, MOST_LINES)),
        ("Size", _sizes(app)),
    ]
    lines = [app.heading()]
    if machines is not None:
        lines.append(f"machines: {machines.name} ({machines.file}), {machines.processors} processors")
    for title, body in sections:
        lines += ["", title, *(body or ["  none"])]
    for note in app.notes:
        lines += ["", *wrapped(note.sentence, width)]

    return "\n".join(lines) + "\n"


def _process(app: Application, width: int, machines: Machines | None) -> list[tuple[str, list[str]]]:
    graphs = _graphs(app)
    return [
        ("Equations", _equations(app, width)),
        *([("Task graphs", graphs)] if graphs else []),
        ("Resources", _resources(app)),
        ("Operations", _operations(app, width, machines)),
    ]


def _cut(lines: list[str]) -> list[str]:
    rest = len(lines) - MOST_ROWS
    return [*lines[:MOST_ROWS], f"  … {rest} more"] if rest > 1 else lines


def _parameters(app: CostModel) -> list[str]:
    rows = [_parameter(app, p) for p in app.declared.values()]
    rows += [[name, "", "[0, 1]", "probability of a branch"] for name in app.free_branches]
    rows += [[name, "", "", "named processor"] for name in sorted(app.processors)]
    return _cut(table(["name", "default", "range", ""], rows, "<<<<")) if rows else []


def _parameter(app: CostModel, p: Parameter) -> list[str]:
    value = expression_text(p.value) if p.value is not None else "from -P" if p.name == "P" else "must be set"
    allowed = ""
    if p.low is not None and p.high is not None:
        allowed = f"[{expression_text(p.low)}, {expression_text(p.high)}]"
    used = {*app.parameters, *app.shaping, *({"tasks", "P"} if app.needs_shares else ())}
    notes = ["whole"] * (p.name in app.whole) + ["not in the formulas"] * (p.name not in used)
    return [p.name, value, allowed, ", ".join(notes)]


def _equations(app: Application, width: int) -> list[str]:
    headings = []
    for e in app.model.equations.values():
        subscripts = f"[{', '.join(e.subscripts)}]" if e.subscripts else ""
        formals = f"({', '.join(e.formals)})" if e.formals else ""
        headings.append(f"{e.name}{subscripts}{formals}")
    rest = len(headings) - MOST_EQUATIONS
    if rest > 0:
        headings = [*headings[:MOST_EQUATIONS], f"… {rest:,} more"]
    return ["  " + line for line in wrapped(" · ".join(headings), width - 2)]


def _graphs(app: Application) -> list[str]:
    """A row for each task graph: where it is, how large, and what kind of order it has."""
    rows = []
    for graph in (p for p in processes(app.model) if isinstance(p, PartGraph)):
        waits = sum(len(p.after) for p in graph.parts)
        rows.append([app.model.source.line_of(graph.span.start), str(len(graph.parts)), str(waits), _kind(graph)])
    return _cut(table(["line", "parts", "waits", "order"], rows, ">>><")) if rows else []


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


def _resources(app: Application) -> list[str]:
    rows = [[r.label, servers(app, r.family)] for r in app.resources]
    return _cut(table(["resource", "servers"], rows, "<<")) if rows else []


def servers(app: Application, family: str) -> str:
    """How many servers a resource or each member of a family has, as an expression."""
    if family == PROCESSORS:
        return "cores[p]" if app.setting.cores else "1 each"
    declared = declaration(app.model, family)
    return "1" if declared is None or declared.servers is None else expression_text(declared.servers)


def _operations(app: Application, width: int, machines: Machines | None) -> list[str]:
    if machines is None:
        return ["  " + line for line in wrapped(" · ".join(app.operations), width - 2)] if app.operations else []
    machines = completed(machines, app.operations)
    rows = [[name, *_times(name, machines)] for name in app.operations]
    groups = dict.fromkeys((*(g.name for g in machines.groups), machines.coordinator.name))
    return _cut(table(["operation", *groups], rows, "<" + ">" * len(groups))) if rows else []


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
    nodes = f"  formula graph: {len(app.graph.nodes):,} nodes"
    if not isinstance(app, Application):
        return [nodes]
    formulas = {"T0": app.T0, "T": app.T_total, "lower": app.lower, "upper": app.upper}
    sizes = ", ".join(f"{name} {formula.size:,}" for name, formula in formulas.items())
    lines = app.source.text.count("\n") + 1
    return [f"  source: {lines:,} lines, {len(app.model.equations):,} equations", f"{nodes}; distinct nodes in {sizes}"]
