"""From source to prediction: the stages of APET in order, and the public API.

    text --parse--> Model --analyse--> Application (formulas) --predict(machines)--> Prediction

Each function does one stage or a run of them; the command line calls nothing else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from apet.analysis import Application, Setting, analyse
from apet.diagnostics import ApetError
from apet.interval import Interval, Number
from apet.prediction import Prediction

if TYPE_CHECKING:
    from apet.analysis.comparison import Comparison
    from apet.analysis.explanation import Explanation
    from apet.analysis.solution import Solution
    from apet.backends.bounds import Predictor
    from apet.backends.simulate import Simulation
    from apet.machine import Machines
    from apet.model.terms import Model

BRANCHES = ("probability", "average", "best", "worst")
TOPOLOGIES = ("bus", "switch", "none")
SCHEDULES = ("static", "join")

Value = Number | Interval | tuple[Number, Number] | str
"""A parameter's value: a number, an interval as a pair, or either as text (`"1e9"`, `"0.1..0.3"`)."""


def read(path: str | os.PathLike[str], entry: str | None = None) -> Model:
    """The model in a PAMELA-E file; `ApetError` with every mistake found. The name of a shipped sample serves too."""
    from apet.frontends.pamela import read_model

    return read_model(_located(path), entry)


def compile(
    path: str | os.PathLike[str], *, entry: str | None = None, branches: str = "probability", network: str = "none"
) -> Application:
    """Compile a PAMELA-E file to formulas.

    `entry` overrides the equation to begin with; `branches` is "probability", "average", "best" or "worst"; `network`
    the topology to assume without a machine model, "bus", "switch" or "none". Raises `ApetError` with every mistake.
    """
    return analyse(read(path, entry), Setting(_one_of("branches", branches, BRANCHES), _topology(network)))


def compile_text(
    text: str, name: str = "<text>", *, entry: str | None = None, branches: str = "probability", network: str = "none"
) -> Application:
    """Compile a PAMELA-E text; otherwise as `compile`."""
    from apet.frontends.pamela import parse
    from apet.source import Source

    model = parse(Source(name, text), entry)
    return analyse(model, Setting(_one_of("branches", branches, BRANCHES), _topology(network)))


def load_machines(name: str | os.PathLike[str]) -> Machines:
    """A machine model: a TOML file, or the name of a shipped one (`"join-2005"`). `ApetError` with every mistake."""
    from apet.machine import load_machines as load

    return load(name)


def predictor(app: Application, machines: Machines, schedule: str = "static") -> Predictor:
    """A predictor for many configurations; what they share is made once."""
    from apet.backends.bounds import Predictor

    return Predictor(app, machines, _one_of("schedule", schedule, SCHEDULES))


def predict(
    app: Application, machines: Machines, P: int | None = None, *, schedule: str = "static", **parameters: Value
) -> Prediction:
    """Predict the run time on the P fastest processors of a machine model (None: all of them), in seconds.

    Keywords set parameters of the model: a number, or a pair or `Interval` for a range. Raises `ApetError` where a
    value is missing or not allowed, or the machine model lacks operations.
    """
    return predictor(app, machines, schedule).predict(P, values(parameters.items()))


def solve(
    app: Application,
    machines: Machines,
    deadline: Number,
    unknown: str = "P",
    *,
    within: tuple[Number, Number] | None = None,
    P: int | None = None,
    budget: Number | None = None,
    schedule: str = "static",
    **parameters: Value,
) -> Solution:
    """The numbers of processors, or the values of a parameter, that meet a deadline in seconds for sure, or may.

    `within` limits where to look; `P` is the number of processors where a parameter is asked for; `budget` asks for the
    cheapest P as well. Raises `ApetError` where the parameter is none of the time's, or a range is contradictory.
    """
    from apet.backends.bounds.solve import Question
    from apet.backends.bounds.solve import solve as solved

    given, where = values(parameters.items()), None if within is None else Interval(*within)
    return solved(predictor(app, machines, schedule), Question(deadline, unknown, where, P, given, budget))


def compare(
    first: tuple[Application, Machines],
    second: tuple[Application, Machines],
    processors: Sequence[int] | None = None,
    *,
    schedule: str = "static",
    changes: Mapping[str, Value] | None = None,
    **parameters: Value,
) -> Comparison:
    """Two predictions side by side: applications and machines in pairs; `changes` are values of the second only.

    `processors` is 1, 2, 4, … and all that both machine models have, unless given. Raises `ApetError` as `predict`.
    """
    from apet.backends.bounds.compare import compare as compared

    shared, own = values(parameters.items()), values((changes or {}).items())
    sides = [predictor(app, machines, schedule) for app, machines in (first, second)]
    titles = [f"{app.name} on {machines.name}" for app, machines in (first, second)]
    return compared(sides[0], sides[1], processors, (shared, {**shared, **own}), (titles[0], titles[1]))


def explain(
    app: Application, machines: Machines, P: int | None = None, *, schedule: str = "static", **parameters: Value
) -> Explanation:
    """Why T is what it is on the P fastest processors: its terms, what changes it, when another term takes over.

    Otherwise as `predict`; intervals of parameters are taken at their middle.
    """
    from apet.backends.bounds.explain import Explainer

    explainer = Explainer(app, machines, _one_of("schedule", schedule, SCHEDULES))
    return explainer.explain(P, values(parameters.items()))


def simulate(
    app: Application,
    machines: Machines,
    P: int | None = None,
    *,
    end: str = "tmin",
    schedule: str = "static",
    seed: int = 0,
    **parameters: Value,
) -> Simulation:
    """Run the model event by event with first-come-first-served queues, all operations at one end ("tmin", "tmax").

    Intervals of parameters are not allowed here. Branches with probability are drawn with the seed.
    """
    from apet.backends.simulate.run import simulate_on

    return simulate_on(app, machines, P, end, schedule, seed, values(parameters.items()))


def values(pairs: Iterable[tuple[str, Value]]) -> dict[str, Number | Interval]:
    """Parameter values from what a user gives; `ApetError` naming what is no number."""
    found: dict[str, Number | Interval] = {}
    for name, value in pairs:
        if isinstance(value, str):
            found[name] = parse_value(name, value)
        elif isinstance(value, tuple):
            found[name] = Interval(*value)
        else:
            found[name] = value
    return found


def parse_value(name: str, text: str) -> Number | Interval:
    """A value as written on the command line: `1e9`, `3/4`, `8 kB`, or a range `low..high`."""
    from apet.values import number

    low, dots, high = text.partition("..")
    if not dots:
        return number(name, text)
    return Interval(number(name, low), number(name, high))


def _located(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """A path as given, or that of a shipped sample of this name."""
    if os.path.exists(path):
        return path
    from apet.resources import data_path

    name = os.fspath(path).replace("\\", "/").removeprefix("samples/")
    shipped = data_path("samples", name)
    return shipped if not os.path.isabs(name) and shipped.is_file() else path


def _topology(network: str) -> str:
    return _one_of("network", network, TOPOLOGIES)


def _one_of(what: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        from apet.values import NotAllowed

        raise ApetError(NotAllowed(None, None, what, value, ", ".join(allowed)))
    return value
