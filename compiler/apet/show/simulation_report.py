"""A simulation at both ends of the operation times, compared with the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from apet.cost import Application
from apet.machine import Configuration
from apet.model.names import MACHINE_FAMILIES, PROCESSORS, declaration, own_family, shown_family
from apet.model.terms import Number
from apet.prediction.prediction import Prediction
from apet.show.context import PredictionContext
from apet.show.plain import as_json, dumps, ends, plain
from apet.show.tables import table
from apet.show.times import column, percent, unit_for

MOST_RESOURCES = 10


class SimulationSummary(Protocol):
    """What a simulation gives: seconds, leaves that ended, and how long the servers of each resource were held."""

    @property
    def makespan(self) -> float: ...
    @property
    def events(self) -> int: ...
    @property
    def busy(self) -> Mapping[str, float]: ...


class Runs(NamedTuple):
    """The runs at tmin and at tmax, what the formulas say, and the seed of the branches."""

    low: SimulationSummary
    high: SimulationSummary
    prediction: Prediction
    seed: int


def simulation_json(context: PredictionContext, runs: Runs, version: str) -> str:
    """One object; times in seconds."""
    labels = sorted({*runs.low.busy, *runs.high.busy})
    p = runs.prediction

    return dumps(
        {
            "apet": version,
            "model": context.app.name,
            "machines": context.file,
            "unit": "s",
            "branches": context.app.setting.branches,
            "schedule": context.schedule,
            "seed": runs.seed,
            "parameters": as_json(p.parameters),
            "makespan_s": {"tmin": plain(runs.low.makespan), "tmax": plain(runs.high.makespan)},
            "events": {"tmin": runs.low.events, "tmax": runs.high.events},
            "busy_s": {
                label: {"tmin": plain(runs.low.busy.get(label, 0.0)), "tmax": plain(runs.high.busy.get(label, 0.0))}
                for label in labels
            },
            "bounds_s": {
                "lower": ends(p.lower),
                "upper": ends(p.upper),
            },
        }
    )


def simulation_text(context: PredictionContext, runs: Runs, configuration: Configuration, width: int) -> str:
    """Makespans between their bounds, and the busiest resources."""
    from apet.show.prediction_text import shared_parameters

    lines = [context.heading, *shared_parameters([runs.prediction], width), ""]
    lines += [*_makespans(runs), ""]
    assert isinstance(context.app, Application)
    lines += _resources(context.app, runs, configuration)
    lines += ["", f"  {runs.low.events:,} events at tmin, {runs.high.events:,} at tmax; seed {runs.seed}"]
    return "\n".join(lines) + "\n"


def _makespans(runs: Runs) -> list[str]:
    p = runs.prediction
    columns = [
        [float(p.lower.lo), float(p.lower.hi)],
        [runs.low.makespan, runs.high.makespan],
        [float(p.upper.lo), float(p.upper.hi)],
        [float(p.estimate.lo), float(p.estimate.hi)],
    ]
    unit = unit_for(v for c in columns for v in c)
    numbers = column([v for c in columns for v in c], unit)
    cells = [[f"{number} {unit.name}" for number in numbers[k::2]] for k in (0, 1)]
    rows = [[end, *cells[k]] for k, end in enumerate(("tmin", "tmax"))]

    return table(["", "lower bound", "simulated", "upper bound", "estimate"], rows, "<>>>>")


def _resources(app: Application, runs: Runs, configuration: Configuration) -> list[str]:
    if not runs.high.busy:
        return ["  No resource is held."]

    order = sorted(runs.high.busy, key=lambda label: (-runs.high.busy[label], label))
    unit = unit_for(runs.high.busy[label] for label in order[:MOST_RESOURCES])
    held = column([runs.high.busy[label] for label in order[:MOST_RESOURCES]], unit)
    rows = []
    for label, seconds in zip(order, held, strict=False):
        servers = _servers(app, configuration, label)
        ends = [_used(run, label, servers) for run in (runs.low, runs.high)]
        rows.append([label, "" if servers is None else str(servers), f"{seconds} {unit.name}", *ends])
    header = ["busiest", "servers", "held (tmax)", "used at tmin", "used at tmax"]
    lines = table(header, rows, "<>>>>")
    rest = len(order) - MOST_RESOURCES
    return [*lines, f"  … {rest} more"] if rest > 0 else lines


def _used(run: SimulationSummary, label: str, servers: int | None) -> str:
    """The share of its servers that a resource has in use on average; how many servers, where that is not known."""
    if not run.makespan:
        return "0 %"
    average = run.busy.get(label, 0.0) / run.makespan
    return f"{average:.2f} servers" if servers is None else percent(min(average / servers, 1.0))


def _servers(app: Application, configuration: Configuration, label: str) -> int | None:
    """How many servers a resource has; None where that depends on parameters."""
    family, _, member = label.partition("[")
    own = family not in MACHINE_FAMILIES or shown_family(app.resolved, own_family(family)) == family
    if family == PROCESSORS and not own:
        number = member.rstrip("]")
        return configuration.cores(int(number)) if number.isdecimal() else 1

    declared = declaration(app.model, own_family(family) if own else family)
    if declared is None or declared.servers is None:
        return 1
    servers = declared.servers
    return int(servers.value) if isinstance(servers, Number) else None
