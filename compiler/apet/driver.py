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
    from apet.analysis.queueing import Answer, Asked
    from apet.analysis.regions import Line, Plane
    from apet.analysis.solution import Solution
    from apet.analysis.sweep_summary import SweepSummary
    from apet.analysis.uncertainty import Uncertainty
    from apet.backends.bounds import Predictor
    from apet.backends.simulate import Simulation
    from apet.frontends.java import Translation
    from apet.frontends.queueing import QueueFile
    from apet.machine import End, Machines
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


def translate(
    path: str | os.PathLike[str], *, entry: str | None = None, level: str = "core", parser: str = "auto"
) -> Translation:
    """The PAMELA-E model of a Java task, as text.

    `entry` names the method to begin with (`Class.method`; else main or run); `level` is "core" (for a JIT) or "flat"
    (counts times intervals, as published); `parser` "auto", "javalang" or "tree-sitter". Raises `ApetError`.
    """
    from apet.frontends.java import LEVELS, PARSERS
    from apet.frontends.java import translate as translated
    from apet.frontends.pamela.files import read_source

    source = read_source(_located(path))
    return translated(source, entry, _one_of("level", level, LEVELS), _one_of("parser", parser, PARSERS))


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


def quantiles(
    app: Application,
    machines: Machines,
    P: int | None = None,
    levels: Sequence[float] = (0.05, 0.5, 0.95),
    *,
    draws: int = 10_000,
    seed: int = 0,
    noise: str = "systematic",
    expected: bool = False,
    schedule: str = "static",
    **parameters: Value,
) -> Uncertainty:
    """Quantiles of the estimate and of both bounds, in seconds, from draws of the machine model's times.

    `levels` lie in (0, 1). `noise` says what has a time of its own: a kind of machine ("systematic"), a "processor", or
    every execution ("independent"). `expected` adds the expected run time under independent executions. Otherwise as
    `predict`.
    """
    from apet.analysis.uncertainty import NOISES
    from apet.backends.uncertainty import Sampler

    made, given = predictor(app, machines, schedule), values(parameters.items())
    sampler = Sampler(made, levels, draws, seed, _one_of("noise", noise, NOISES), expected)
    return sampler.uncertainty(made.predict(P, given), given)


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

    `unknown` is P, a parameter, an operation's time in seconds (`t_mpy_double`), `latency_s` or `bandwidth_B_per_s`.

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
    vary: tuple[str, Number, Number] | None = None,
    **parameters: Value,
) -> Comparison:
    """Two predictions side by side: applications and machines in pairs; `changes` are values of the second only.

    `vary` names a parameter, an operation's time or a figure of the network, and the range over which to say who is
    faster. `processors` is 1, 2, 4, … and all that both machine models have, unless given. Raises `ApetError` as
    `predict`.
    """
    from apet.backends.bounds.compare import compare as compared

    shared, own = values(parameters.items()), values((changes or {}).items())
    sides = [predictor(app, machines, schedule) for app, machines in (first, second)]
    titles = [f"{app.name} on {machines.name}" for app, machines in (first, second)]
    around = None if vary is None else (vary[0], Interval(*vary[1:]))
    return compared(sides[0], sides[1], processors, (shared, {**shared, **own}), (titles[0], titles[1]), around)


def explain(
    app: Application, machines: Machines, P: int | None = None, *, schedule: str = "static", **parameters: Value
) -> Explanation:
    """Why T is what it is on the P fastest processors: its terms, what changes it, when another term takes over.

    Otherwise as `predict`; intervals of parameters are taken at their middle, except for what each does alone.
    """
    from apet.backends.bounds.explain import Explainer

    explainer = Explainer(app, machines, _one_of("schedule", schedule, SCHEDULES))
    return explainer.explain(P, values(parameters.items()))


def regions(
    app: Application,
    machines: Machines,
    axes: Mapping[str, tuple[Number, Number] | None],
    *,
    P: int | None = None,
    end: End = "tmax",
    depth: int = 6,
    of: str = "estimate",
    schedule: str = "static",
    **parameters: Value,
) -> Line | Plane:
    """Which term of the estimate decides, over the ranges of one or two names: P, parameters, machine quantities.

    `axes` gives each its ends, or None for all processors or the declared range. `depth` is how often a map over two is
    halved; `of` may be "lower" or "upper" for what the bounds are extremes of. Raises `ApetError` where a name is none
    of the time's, or a range is contradictory.
    """
    from apet.backends.regions.regions import Question
    from apet.backends.regions.regions import regions as found

    ranges = {name: None if ends is None else Interval(*ends) for name, ends in axes.items()}
    what = _one_of("of", of, ("estimate", "lower", "upper"))
    asked = Question(ranges, P, values(parameters.items()), end, depth, of=what)
    return found(predictor(app, machines, schedule), asked)


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


def sweep(
    app: Application,
    machines: Machines | Sequence[Machines],
    vary: Mapping[str | tuple[str, ...], Sequence[object] | str],
    *,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    skip_undefined: bool = False,
    by: str = "guaranteed",
    against: str = "P",
    engine: str = "local",
    scheduler: str | None = None,
    workers: int | None = None,
    schedule: str = "static",
    **parameters: Value,
) -> SweepSummary:
    """Predict every combination of the values in `vary`, the last name fastest: best, worst and Pareto front.

    `vary` maps a name, or names that vary together, to numbers (or tuples of them), or to a text as on the command
    line. `output` is a file for all rows (.csv, .parquet), which appears when it is complete; `resume` goes on with
    one that was interrupted. Raises `ApetError` where a point has no prediction, unless `skip_undefined`.
    """
    from apet.analysis.sweep_summary import OBJECTIVES
    from apet.sweeping.build import Request, build, labels
    from apet.sweeping.execute import ENGINES, Manner, execute
    from apet.sweeping.libraries import versions
    from apet.sweeping.notation import axis_of
    from apet.sweeping.task import AGAINST, form_of

    models = [machines] if not isinstance(machines, Sequence) else list(machines)
    path = None if output is None else os.fspath(output)
    form = "" if path is None else form_of(path)
    request = Request(
        app,
        models,
        labels(models, [f"{m.file} ({k})" for k, m in enumerate(models, 1)]),
        [axis_of(name, given) for name, given in vary.items()],
        values(parameters.items()),
        _one_of("schedule", schedule, SCHEDULES),
        form,
        skip_undefined,
        _one_of("by", by, tuple(OBJECTIVES)),
        _one_of("against", against, AGAINST),
        versions(form),
    )
    task, _ = build(request)
    manner = Manner(path, resume, _one_of("engine", engine, ENGINES), scheduler, workers)
    return execute(task, app, manner)


def read_queue(path: str | os.PathLike[str]) -> QueueFile:
    """The queueing problem in a TOML or JSON file, or in a shipped sample; `ApetError` with every mistake found."""
    from apet.frontends.queueing import read_queue_file

    return read_queue_file(_located(path))


def queue(problem: Asked, method: str = "auto", bound: str = "") -> Answer:
    """Solve a queueing problem: a network, jobs with precedence, or an open fork-join.

    `method` is "auto", "exact", "schweitzer", "linearizer" or "bounds" (`bound`: "aba", "bsb", "gb", or the sharpest).
    Raises `ApetError` where there is no steady state, or a method does not apply.
    """
    from apet.backends.queueing.answer import answer

    return answer(problem, method, bound)


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
    if not (low.strip() and high.strip()):
        from apet.values import OpenRange

        raise ApetError(OpenRange(None, None, name, text, "upper" if low.strip() else "lower"))
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
