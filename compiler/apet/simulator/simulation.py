"""The simulator's front door: a model, a machine and an end of its intervals to one makespan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Literal

from apet.cost import deep_recursion
from apet.ground.activity import Activity
from apet.ground.interval import Number
from apet.machine.network import End
from apet.model.resolve import resolve
from apet.model.resolved import ResolvedModel, Step
from apet.model.terms import Branch, Model
from apet.simulator.composites import drawing
from apet.simulator.costs import Costs
from apet.simulator.engine import Engine, Scope
from apet.simulator.names import Names
from apet.simulator.program import Program
from apet.simulator.serial import weighing

BranchMode = Literal["probability", "average", "best", "worst"]
BRANCH_MODES: tuple[BranchMode, ...] = ("probability", "average", "best", "worst")
MOST_EVENTS = 10_000_000


@dataclass(frozen=True, slots=True)
class Simulation:
    """What one run gave.

    `makespan` in seconds. `events` counts the operations, messages and delays that ended. `busy` is how long the
    servers of each resource were held, in seconds of server time (two servers for 3 s make 6), by label: `cpu[2]`.
    """

    makespan: float
    events: int
    busy: Mapping[str, float]


class Simulator:
    """A model made ready once for runs with several seeds; `simulate` says what the arguments are."""

    def __init__(
        self,
        model: ResolvedModel,
        costs: Costs,
        end: End,
        parameters: Mapping[str, Number],
        topology: str = "none",
        branches: str = "probability",
        schedule: str = "static",
        most_events: int = MOST_EVENTS,
    ) -> None:
        if branches not in BRANCH_MODES:
            raise ValueError(f"unknown branches {branches!r}; known are {', '.join(BRANCH_MODES)}")
        self.branches = branches
        self.engine = Engine(model.model.source, most_events)
        names = Names(model, costs, self.engine, parameters, schedule)
        self.program = Program(self.engine, names, costs, end, topology)
        self.entry = model.entry.body

    def run(self, seed: int = 0) -> Simulation:
        """One run; it depends on no earlier one, but for what it has not held: that is then `busy` for 0 s."""
        engine, program = self.engine, self.program
        program.choose = _choice(program, self.branches, seed)
        with Activity("simulating", "events", lambda: engine.events, advice="take smaller sizes"):
            engine.run(program.node(self.entry), program.names.parameters)
        return Simulation(engine.now, engine.events, {label: s.busy for label, s in engine.servers.items()})


def simulate(
    model: Model | ResolvedModel,
    costs: Costs,
    end: End,
    parameters: Mapping[str, Number],
    topology: str = "none",
    branches: str = "probability",
    seed: int = 0,
    schedule: str = "static",
    most_events: int = MOST_EVENTS,
) -> Simulation:
    """Run the model event by event, first come first served in program order; the same call gives the same run.

    `branches`: `probability` and `average` draw each branch at random from `seed`; `best` and `worst` take the side
    whose leaves' durations sum to less or more, a heuristic. Raises `ApetError` on an error in the model, a deadlock,
    or after `most_events` events or iterations; ValueError on an unknown mode.
    """
    if isinstance(model, Model):
        with deep_recursion():
            model = resolve(model)
    return Simulator(model, costs, end, parameters, topology, branches, schedule, most_events).run(seed)


def _choice(program: Program, branches: str, seed: int) -> Callable[[Branch[Step], Scope], bool]:
    if branches in ("best", "worst"):
        return weighing(program, branches == "worst")
    return drawing(program.names, Random(seed), branches == "average")
