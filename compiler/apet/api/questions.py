"""Questions about a prediction: why, where, how much, which."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from apet.api.any_file import machines_of
from apet.api.arguments import SCHEDULES, Value, one_of, parsed_values
from apet.api.predictions import asked, predictor, without
from apet.cost import CostModel
from apet.ground.interval import Number

if TYPE_CHECKING:
    from apet.machine import End, Machines
    from apet.questions.compare.comparison import Comparison
    from apet.questions.explain.explanation import Explanation
    from apet.questions.regions.regions import Line, Plane
    from apet.questions.solve.solution import Solution
    from apet.questions.sweep.summary import SweepSummary


def solve(
    app: CostModel,
    machines: Machines | None,
    deadline: Number,
    unknown: str = "P",
    *,
    within: tuple[Number, Number] | None = None,
    values: Mapping[str, Value] | None = None,
    P: int | None = None,
    budget: Number | None = None,
    schedule: str = "static",
) -> Solution:
    """The numbers of processors, or the values of a parameter, that meet a deadline in seconds for sure, or may.

    `unknown` is P, a parameter, an operation's time in seconds (`t_mpy_double`), `latency_s` or `bandwidth_B_per_s`.

    `within` limits where to look; `P` is the number of processors where a parameter is asked for; `budget` asks for the
    cheapest P as well. Raises `ApetError` where the parameter is none of the time's, or a range is contradictory.
    """
    from apet.questions.solve.solve import Question
    from apet.questions.solve.solve import solve as solved

    processors, known = asked(app, P, values)
    least = app.more_is_better
    question = Question(deadline, unknown, within, processors, without(known, values, unknown), budget, least)
    return solved(predictor(app, machines, schedule), question)


def compare(
    first: tuple[CostModel, Machines | None],
    second: tuple[CostModel, Machines | None],
    processors: Sequence[int] | None = None,
    *,
    values: Mapping[str, Value] | None = None,
    schedule: str = "static",
    changes: Mapping[str, Value] | None = None,
    vary: tuple[str, Number, Number] | None = None,
) -> Comparison:
    """Two predictions side by side, of applications and machines in pairs; `changes` are values of the second only.

    `vary` names a parameter, an operation's time or a figure of the network, and the range over which to say who is
    faster. `processors` is 1, 2, 4, … and all that both machine models have, unless given. Raises `ApetError` as
    `predict`.
    """
    from apet.questions.compare.compare import compare as compared

    shared, own = parsed_values(values), parsed_values(changes)
    sides = [predictor(app, machines, schedule) for app, machines in (first, second)]
    titles = [p.app.name if p.machines is None else p.app.title(p.machines.name) for p in sides]
    around = None if vary is None else (vary[0], vary[1:])
    return compared(sides[0], sides[1], processors, (shared, {**shared, **own}), (titles[0], titles[1]), around)


def explain(
    app: CostModel,
    machines: Machines | None = None,
    P: int | None = None,
    *,
    values: Mapping[str, Value] | None = None,
    schedule: str = "static",
) -> Explanation:
    """Why T is what it is on the P fastest processors: its terms, what changes it, when another term takes over.

    Otherwise as `predict`; intervals of parameters are taken at their middle, except for what each does alone.
    """
    from apet.questions.explain.explain import Explainer

    explainer = Explainer(app, machines_of(app, machines), one_of("schedule", schedule, SCHEDULES))
    return explainer.explain(*asked(app, P, values))


def regions(
    app: CostModel,
    machines: Machines | None,
    axes: Mapping[str, tuple[Number, Number] | None],
    *,
    values: Mapping[str, Value] | None = None,
    P: int | None = None,
    end: End = "tmax",
    depth: int = 6,
    of: str = "estimate",
    schedule: str = "static",
) -> Line | Plane:
    """Which term of the estimate decides, over the ranges of one or two names: P, parameters, machine quantities.

    `axes` gives each its ends, or None for all processors or the declared range. `depth` is how often a map over two is
    halved; `of` may be "lower" or "upper" for what the bounds are extremes of. Raises `ApetError` where a name is none
    of the time's, or a range is contradictory.
    """
    from apet.questions.regions.mapping import RegionQuestion
    from apet.questions.regions.mapping import regions as found

    what = one_of("of", of, ("estimate", "lower", "upper"))
    count = P if P or "P" in axes else app.usual_processors
    question = RegionQuestion(axes, count, parsed_values(values), end, depth, of=what)
    return found(predictor(app, machines, schedule), question)


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
    from apet.questions.sweep.build import Request, build, labels
    from apet.questions.sweep.execute import ENGINES, Manner, execute
    from apet.questions.sweep.libraries import versions
    from apet.questions.sweep.notation import axis_of
    from apet.questions.sweep.summary import OBJECTIVES
    from apet.questions.sweep.task import AGAINST, form_of

    models = list(machines) if isinstance(machines, Sequence) else [machines_of(app, machines)]
    fixed = {**app.intervals, **parsed_values(values)}
    path = None if output is None else os.fspath(output)
    form = "" if path is None else form_of(path)
    request = Request(
        app,
        models,
        labels(app, models, [f"{app.origin if m is None else m.file} ({k})" for k, m in enumerate(models, 1)]),
        [axis_of(name, given) for name, given in vary.items()],
        {name: value for name, value in fixed.items() if name in (values or {}) or name not in vary},
        one_of("schedule", schedule, SCHEDULES),
        form,
        skip_undefined,
        one_of("by", by, tuple(OBJECTIVES)),
        one_of("against", against, AGAINST),
        versions(form),
    )
    task, _ = build(request)
    manner = Manner(path, resume, one_of("engine", engine, ENGINES), scheduler, workers)
    return execute(task, app, manner)
