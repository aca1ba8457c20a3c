"""Questions about a prediction: why, where, how much, which."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from apet.api.any_file import machines_of
from apet.api.arguments import SCHEDULES, Value, one_of, parsed_values
from apet.api.errors import DifferentUnits
from apet.api.predictions import Values, predictor, request_of, usual_counts, without
from apet.cost import CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import AskedRange, Number
from apet.prediction.processor_count import declared_count

if TYPE_CHECKING:
    from apet.machine import End, Machines
    from apet.prediction import Predictor
    from apet.prediction.prediction import Prediction
    from apet.questions.compare.comparison import Comparison
    from apet.questions.explain.explanation import Explanation
    from apet.questions.regions.regions import Line, Plane
    from apet.questions.solve.solution import Solution
    from apet.questions.sweep.summary import SweepSummary


def solve(
    app: CostModel,
    machines: Machines | None,
    deadline: Number | None,
    unknown: str = "P",
    *,
    within: AskedRange | None = None,
    values: Mapping[str, Value] | None = None,
    P: int | None = None,
    among: Sequence[int] = (),
    budget: Number | None = None,
    schedule: str = "static",
    near_best: Number | None = None,
) -> Solution:
    """The numbers of processors, or the values of a parameter, that meet a deadline in seconds for sure, or may.

    `unknown` is P, a parameter, an operation's time in seconds (`t_mpy_double`), `latency_s` or `bandwidth_B_per_s`.

    `within` limits where to look, `among` names numbers of processors to choose from; `P` is the number of processors
    where a parameter is sought; `budget` asks for the cheapest P as well. Without a deadline, `near_best` asks what
    comes within this share (0.05) of the best. Raises `ApetError` where the parameter is none of the time's, or a range
    is contradictory.
    """
    from apet.questions.solve.best import near
    from apet.questions.solve.solve import Question
    from apet.questions.solve.solve import solve as solved

    processors, settings = request_of(app, P, values)
    settings = without(settings, values, unknown)
    choice = sorted(set(among))
    question = Question(deadline or 0, unknown, within, processors, settings, budget, app.more_is_better, choice)
    deployed = predictor(app, machines, schedule)
    if deadline is None:
        question = near(deployed, question, near_best or 0)
    return solved(deployed, question)


def solution_curve(
    app: CostModel,
    machines: Machines | None,
    solution: Solution,
    *,
    values: Mapping[str, Value] | None = None,
    P: int | None = None,
    schedule: str = "static",
) -> list[tuple[Number, Prediction]]:
    """Predictions over the range of a solution, to draw; values, processors and schedule as for `solve`."""
    from apet.questions.solve.solve import Question, curve

    processors, settings = request_of(app, P, values)
    settings = without(settings, values, solution.name)
    question = Question(solution.deadline, solution.name, None, processors, settings, None, solution.at_least)
    return curve(predictor(app, machines, schedule), question, solution)


def compare(
    first: tuple[CostModel, Machines | None],
    second: tuple[CostModel, Machines | None],
    processors: Sequence[int] | None = None,
    *,
    values: Mapping[str, Value] | None = None,
    schedule: str = "static",
    changes: Mapping[str, Value] | None = None,
    vary: tuple[str, Number, Number] | None = None,
    titles: tuple[str, str] | None = None,
) -> Comparison:
    """Two predictions side by side, of applications and machines in pairs; `changes` are values of the second only.

    Of two models each gets those of `values` that it knows. `vary` names a parameter, an operation's time or a figure
    of the network, and the range over which to say who is faster. `processors` is 1, 2, 4, … and all that both machine
    models have, unless given. Raises `ApetError` as `predict`.
    """
    from apet.questions.compare.compare import compare as compared

    apps = first[0], second[0]
    if apps[0].unit != apps[1].unit:
        raise ApetError(DifferentUnits(None, None))

    sides = [predictor(app, machines, schedule) for app, machines in (first, second)]
    if titles is None:
        titles = sides[0].title, sides[1].title
    unknown, around = ("", None) if vary is None else (vary[0], (vary[0], vary[1:]))
    settings = _of_each(apps, parsed_values(values, *apps), parsed_values(changes, apps[1]), unknown)
    return compared(sides[0], sides[1], processors or _counts(sides), settings, titles, around)


def _of_each(apps: tuple[CostModel, CostModel], shared: Values, changes: Values, unknown: str) -> tuple[Values, Values]:
    """The values of two models: each gets those that it knows; what neither knows, the first refuses."""
    names = [{*app.declared, *app.free_branches, *app.processors} for app in apps]
    own = [
        {name: value for name, value in shared.items() if name in mine or name not in other}
        for mine, other in (names, reversed(names))
    ]
    own[1] |= changes
    merged = [{**app.intervals, **settings} for app, settings in zip(apps, own, strict=True)]
    return without(merged[0], own[0], unknown), without(merged[1], own[1], unknown)


def _counts(sides: Sequence[Predictor]) -> list[int] | None:
    """The numbers of processors to compare for where none are named; None where both sides have several."""
    counting = [side for side in sides if side.app.counts_processors]
    if len(counting) == len(sides):
        return None
    return usual_counts(counting[0].most_processors if counting else 1)


def explain(
    app: CostModel,
    machines: Machines | None = None,
    P: int | None = None,
    *,
    values: Mapping[str, Value] | None = None,
    schedule: str = "static",
    sobol: int | None = None,
    seed: int = 0,
) -> Explanation:
    """Why T is what it is on the P fastest processors: its terms, what changes it, when another term takes over.

    `sobol` asks for Sobol' indices of T at its intervals, from so many samples per input (a power of 2) that `seed`
    chooses. Otherwise as `predict`; intervals of parameters are taken at their middle, except for what each does alone.
    """
    from apet.questions.explain.explain import Explainer

    processors, settings = request_of(app, P, values)
    on = machines_of(app, machines, processors or declared_count(app, settings, plain=True))
    explainer = Explainer(app, on, one_of("schedule", schedule, SCHEDULES))
    explanation = explainer.explain(processors, settings)
    if sobol is None:
        return explanation
    return replace(explanation, indices=explainer.indices(processors, settings, sobol, seed))


def regions(
    app: CostModel,
    machines: Machines | None,
    axes: Mapping[str, AskedRange | None],
    *,
    values: Mapping[str, Value] | None = None,
    P: int | None = None,
    end: End = "tmax",
    depth: int = 6,
    of: str = "estimate",
    schedule: str = "static",
    drawn: bool = False,
) -> Line | Plane:
    """Which term of the estimate decides, over the ranges of one or two names: P, parameters, machine quantities.

    `axes` gives each its ends, or None for all processors or the declared range. `depth` is how often a map over two is
    halved; `of` may be "lower" or "upper" for what the bounds are extremes of; `drawn` asks for what a picture needs
    besides. Raises `ApetError` where a name is none of the time's, or a range is contradictory.
    """
    from apet.questions.regions.mapping import RegionQuestion
    from apet.questions.regions.mapping import regions as mapped

    terms = one_of("of", of, ("estimate", "lower", "upper"))
    settings = parsed_values(values, app)
    processors = P if P or "P" in axes else request_of(app, P, values)[0]
    question = RegionQuestion(axes, processors, settings, end, depth, drawn, terms)
    return mapped(predictor(app, machines, schedule), question)


def sweep(
    app: CostModel,
    machines: Machines | Sequence[Machines] | None,
    vary: Mapping[str | tuple[str, ...], Sequence[object] | str],
    *,
    values: Mapping[str, Value] | None = None,
    output: str | os.PathLike[str] | None = None,
    resume: bool = False,
    skip_undefined: bool = False,
    by: str = "guaranteed",
    against: str = "P",
    engine: str = "local",
    scheduler: str | None = None,
    workers: int | None = None,
    schedule: str = "static",
) -> SweepSummary:
    """Predict every combination of the values in `vary`, the last name fastest: best, worst and Pareto front.

    `vary` maps a name, or names that vary together, to numbers (or tuples of them), or to a text as on the command
    line. `output` is a file for all rows (.csv, .parquet), which appears when it is complete; `resume` goes on with
    one that was interrupted. Raises `ApetError` where a point has no prediction, unless `skip_undefined`.
    """
    from apet.questions.sweep.build import SweepRequest, build
    from apet.questions.sweep.evaluator import Evaluator
    from apet.questions.sweep.execute import ENGINES, SweepOptions, execute
    from apet.questions.sweep.notation import axis_of
    from apet.questions.sweep.summary import OBJECTIVES
    from apet.questions.sweep.task import AGAINST, form_of

    models = list(machines) if isinstance(machines, Sequence) else [machines_of(app, machines)]
    path = None if output is None else os.fspath(output)
    request = SweepRequest(
        app=app,
        machines=models,
        names=[f"{app.origin if m is None else m.file} ({k})" for k, m in enumerate(models, 1)],
        axes=[axis_of(name, points) for name, points in vary.items()],
        settings=parsed_values(values, app),
        schedule=one_of("schedule", schedule, SCHEDULES),
        form="" if path is None else form_of(path),
        skip_undefined=skip_undefined,
        objective=one_of("by", by, tuple(OBJECTIVES)),
        against=one_of("against", against, AGAINST),
    )
    task, _ = build(request)
    way = SweepOptions(path, resume, one_of("engine", engine, ENGINES), scheduler, workers)
    return execute(task, Evaluator(task, app), way)
