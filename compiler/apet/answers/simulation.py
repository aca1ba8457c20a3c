"""A simulation at both ends of the operation times, compared with the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from apet.answers.answer import Answer
from apet.answers.blocks import Heading, Lines, Settings, Table
from apet.answers.predictions import estimate, settings, shared_parameters
from apet.cost import Application
from apet.ground.records import NamedTuple
from apet.machine import Configuration
from apet.model.names import MACHINE_FAMILIES, PROCESSORS, declaration, own_family, shown_family
from apet.model.terms import Number
from apet.prediction.prediction import Prediction
from apet.show.context import PredictionContext
from apet.show.plain import ends
from apet.show.tables import time_cells
from apet.show.times import percent

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


def simulation_answer(context: PredictionContext, runs: Runs, configuration: Configuration) -> Answer:
    """Makespans between their bounds, and how busy each resource was."""
    assert isinstance(context.app, Application)
    p, shared = runs.prediction, shared_parameters([runs.prediction])
    labels = sorted({*runs.low.busy, *runs.high.busy})
    busy = {label: _both(*(run.busy.get(label, 0.0) for run in (runs.low, runs.high))) for label in labels}
    events = f"{runs.low.events:,} events at tmin, {runs.high.events:,} at tmax; seed {runs.seed}"
    return Answer(
        kind="simulation",
        subject=context.app.name,
        parameters=p.parameters,
        predictions=[estimate(p, [])],
        results={
            **{"model": context.app.name, "machines": context.file, **context.json_setting, "seed": runs.seed},
            "makespan_s": _both(runs.low.makespan, runs.high.makespan),
            "events": _both(runs.low.events, runs.high.events),
            "busy_s": busy,
            "resources": {label: {"busy_s": held} for label, held in busy.items()},
            "bounds_s": {"lower": ends(p.lower), "upper": ends(p.upper)},
        },
        blocks=[
            [Heading(context.heading), Settings(settings(context.app, shared))],
            [_makespans(runs)],
            [_resources(context.app, runs, configuration)],
            [Lines([events])],
        ],
    )


def _both(low: float, high: float) -> dict[str, float]:
    return {"tmin": low, "tmax": high}


def _makespans(runs: Runs) -> Table:
    p = runs.prediction
    columns = [
        [float(p.lower.lo), float(p.lower.hi)],
        [runs.low.makespan, runs.high.makespan],
        [float(p.upper.lo), float(p.upper.hi)],
        [float(p.estimate.lo), float(p.estimate.hi)],
    ]
    cells = time_cells([v for c in columns for v in c])
    rows = [[end, *cells[k::2]] for k, end in enumerate(("tmin", "tmax"))]
    return Table(["", "lower bound", "simulated", "upper bound", "estimate"], rows, "<>>>>")


def _resources(app: Application, runs: Runs, configuration: Configuration) -> Table | Lines:
    if not runs.high.busy:
        return Lines(["No resource is held."])

    order = sorted(runs.high.busy, key=lambda label: (-runs.high.busy[label], label))
    held = time_cells([runs.high.busy[label] for label in order[:MOST_RESOURCES]])
    rows = []
    for label, seconds in zip(order, held, strict=False):
        servers = _servers(app, configuration, label)
        used = [_used(run, label, servers) for run in (runs.low, runs.high)]
        rows.append([label, "" if servers is None else str(servers), seconds, *used])
    header = ["busiest", "servers", "held (tmax)", "used at tmin", "used at tmax"]
    more = len(order) - len(rows)
    return Table(header, rows, "<>>>>", rest=f"… {more} more" if more else "")


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
