"""What a page needs to evaluate a prediction: the formulas as a script, the machines and parameters as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from apet.cost import Application, CostModel
from apet.cost.expressions import Expressions
from apet.formula.formula import Formula
from apet.formula.graph.nodes import Item, NodeId
from apet.formula.show.javascript_source import javascript_source, literal
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.machine.machines import MachineGroup
from apet.model.terms import Expression, Parameter
from apet.model.walk import names_in

MOST_TURNS = 2_000_000
"""Turns of loops after which an evaluation in the page is given up."""
LONGEST_SCRIPT = 700_000
"""Characters of formulas as a script; longer ones leave the page without sliders."""


class Script(NamedTuple):
    """The formulas as a script, and the data that it works on; `text` is empty where they are too long."""

    text: str
    data: dict[str, Any]


def script(app: CostModel, machines: Machines | None, schedule: str, values: Mapping[str, Number | Interval]) -> Script:
    """The formulas T, lower, upper, T0, T[r] and requirements, in this order, with all that they are evaluated by."""
    roots = [app.T_total.node, app.lower.node, app.upper.node, app.T0.node]
    roots += [r.peak.node for r in app.resources] + [r.node for r in app.requirements]
    text = _functions(app, roots)
    data = {
        "most": MOST_TURNS,
        "terms": [app.base, *(app.term(r.label) for r in app.resources)],
        "quantities": _quantities(app, roots),
        "machines": {"schedule": schedule, **(_counted(app) if machines is None else _machines(machines))},
        "parameters": _parameters(app, values),
        "requirements": [r.kind for r in app.requirements],
    }

    # the time of a fitted operation is no plain number
    fitted = machines is not None and machines.fitted.intersection(app.operations)
    return Script("" if fitted or len(text) > LONGEST_SCRIPT else text, data)


def _functions(app: CostModel, roots: list[NodeId]) -> str:
    lines = [f"Apet.costs = {javascript_source(app.graph, roots, isinstance(app, Application))};", "Apet.defaults = ["]
    for parameter in _in_order(app):
        assert parameter.value is not None
        source = javascript_source(app.graph, [_node(app, parameter.value)])
        lines.append(f"[{literal(parameter.name)}, {source}],")
    return "\n".join([*lines, "];"])


def _node(app: CostModel, expression: Expression) -> NodeId:
    return Expressions(app.graph, app.source, app.processors).node(expression, {})


def _in_order(app: CostModel) -> list[Parameter]:
    """The parameters with a default, each after those that it depends on."""
    ordered: dict[str, Parameter] = {}

    def add(parameter: Parameter) -> None:
        if parameter.name in ordered or parameter.value is None:
            return
        for name in names_in(parameter.value):
            if name in app.declared and name != parameter.name:
                add(app.declared[name])
        ordered[parameter.name] = parameter

    for parameter in app.declared.values():
        add(parameter)
    return list(ordered.values())


def _quantities(app: CostModel, roots: list[NodeId]) -> list[str]:
    nodes = {n for root in roots for n in Formula(app.graph, root).nodes()}
    return sorted({item.name for n in nodes if isinstance(item := app.graph.nodes[n], Item)})


# Machines


def _counted(app: CostModel) -> dict[str, Any]:
    """Processors of which nothing is known but how many there may be."""
    return {"processors": app.most_processors, "groups": []}


def _machines(machines: Machines) -> dict[str, Any]:
    factors = machines.factors()
    groups = [dict(_group(g), factor=f, count=g.count) for g, f in zip(machines.groups, factors, strict=True)]
    ratios = [float(f).as_integer_ratio() for f in factors]
    common = max(bottom for _, bottom in ratios)
    for group, (top, bottom) in zip(groups, ratios, strict=True):
        group["weight"] = str(top * (common // bottom))

    return {
        "processors": machines.processors,
        "groups": groups,
        "coordinator": _group(machines.coordinator),
        "network": _network(machines),
    }


def _group(group: MachineGroup) -> dict[str, Any]:
    """Times with the load of others in them: tmin / (1 - a), tmax / (1 - b)."""
    low, high = 1.0 - float(group.load.lo), 1.0 - float(group.load.hi)
    times = {op: [float(t.lo) / low, float(t.hi) / high] for op, t in group.op_s.items()}
    return {"name": group.name, "cores": group.cores, "times": times}


def _network(machines: Machines) -> dict[str, Any]:
    network = machines.network

    return {
        "latency": _ends(network.latency_s),
        "bandwidth": _ends(network.bandwidth_B_per_s),
        "links": [
            {
                "sender": link.sender,
                "receiver": link.receiver,
                "latency": _ends(link.latency_s),
                "bandwidth": _ends(link.bandwidth_B_per_s),
            }
            for link in network.links
        ],
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [float(interval.lo), float(interval.hi)]


# Parameters


def _parameters(app: CostModel, values: Mapping[str, Number | Interval]) -> list[dict[str, Any]]:
    """What can be turned: name, value, ends of the slider and of what is allowed, whether whole or logarithmic."""
    used = set(app.parameters) | ({"tasks"} if app.needs_shares else set())
    below = {n for p in _in_order(app) if p.name in used and p.value is not None for n in names_in(p.value)}
    controls = []
    for name, value in values.items():
        if name == "P" or name not in used | below or name in app.processors or name in app.fixed:
            continue
        middle = (float(value.lo) + float(value.hi)) / 2 if isinstance(value, Interval) else float(value)
        low, high, declared = _range(app, name, middle, values)
        whole = name in app.whole or name == "tasks"
        controls.append(
            {
                "name": name,
                "value": round(middle) if whole else middle,
                "given": [float(value.lo), float(value.hi)] if isinstance(value, Interval) else None,
                "computed": _computed(app, name),
                "low": low,
                "high": high,
                "declared": declared,
                "allowed": _declared_ends(app, name, values),
                "whole": whole,
                "log": low > 0 and high / low >= 100,
            }
        )

    return controls


def _computed(app: CostModel, name: str) -> bool:
    """Whether a default depends on other parameters."""
    declared = app.declared.get(name)
    return declared is not None and declared.value is not None and any(True for _ in names_in(declared.value))


def _range(
    app: CostModel, name: str, value: float, values: Mapping[str, Number | Interval]
) -> tuple[float, float, bool]:
    """The declared range where it is finite numbers, narrowed to a useful one; else a hundredth to a hundredfold."""
    ends = _declared_ends(app, name, values)
    if ends is not None:
        low, high = ends
        if value > 0 and high > max(1, 100 * value):  # a range to be inside of, not one to look at
            low, high = max(low, value / 100), min(high, value * 100)
        return low, high, True
    if value == 0:
        return 0.0, 100.0, False

    return (value / 100, value * 100, False) if value > 0 else (10 * value, 0.0, False)


def _declared_ends(app: CostModel, name: str, values: Mapping[str, Number | Interval]) -> tuple[float, float] | None:
    """The ends of the declared range, outside of which a value is refused; None where there are no two numbers."""
    if name in app.free_branches:
        return 0.0, 1.0
    declared = app.declared.get(name)
    if declared is None or declared.low is None or declared.high is None:
        return None
    low, high = (_number(app, e, values) for e in (declared.low, declared.high))
    return None if low is None or high is None or low >= high else (low, high)


def _number(app: CostModel, expression: Expression, values: Mapping[str, Number | Interval]) -> float | None:
    """The value of a bound; None where it is more than a number."""
    number = app.graph.value(_node(app, expression))
    return float(number) if number is not None and -(10**300) < number < 10**300 else None
