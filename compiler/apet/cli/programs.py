"""What verbs that take a model do with a program in its place: values of this machine and of a run with counters."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

from apet import api
from apet.api.kinds import MODEL
from apet.cli import output, rules
from apet.cli.arguments import parsed_settings, takes
from apet.cli.errors import CountedByProfile, NotForThisFile, bad_option
from apet.cost import Application, CostModel
from apet.ground import activity
from apet.ground.activity import over
from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
from apet.ground.notation import count, duration
from apet.ground.notes import Note, NoteKind
from apet.java import task_values
from apet.machine import Machines
from apet.prediction import Predictor
from apet.prediction.errors import MissingParameter
from apet.prediction.prediction import Prediction
from apet.show.values import value_text
from apet.trials import programs
from apet.trials.languages import is_c, is_java, is_program, is_source

BUDGET = "10s"
MOST_NAMED = 5
NOTABLE = 1.1
"""By how many times an assumed value alone has to change a time to be named."""
T = TypeVar("T")
Values = dict[str, Number | Interval]


def option(parser: argparse.ArgumentParser) -> None:
    """`--profile`."""
    if not takes(parser, MODEL):
        return
    text = "of a Java task or task graph: run it here with counters, at the sizes set, for iterations and probabilities"
    parser.add_argument("--profile", action="store_true", help=text)
    text = f"time after which the run of --profile is stopped (default: {programs.LIMIT:.0f} s)"
    limit = parser.add_argument("--run-limit", dest="limit", metavar="TIME", default=f"{programs.LIMIT:.0f}", help=text)
    rules.needs(limit, "--profile")
    text = "of a Java or C task: also time one run of it here at this size, and scale the prediction by it"
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--calibrate-at", metavar="NAME=N", help=text)
    text = "the same at a quarter of the size set for NAME, or at the largest that --budget allows; of a task graph, "
    text += "without a NAME: time a few of its tasks here, each by itself"
    form.add_argument("--calibrate", metavar="NAME", nargs="?", const="", help=text)
    text = f"the time that --calibrate may take (default: {BUDGET})"
    rules.needs(parser.add_argument("--budget", metavar="TIME", default=BUDGET, help=text), "--calibrate")


def words(options: argparse.Namespace) -> list[str]:
    """These options as they were written."""
    calibration = ("--calibrate-at", options.calibrate_at), ("--calibrate", options.calibrate)
    chosen = [word for name, value in calibration if value is not None for word in (name, value) if word]
    return ["--profile"] * options.profile + chosen


def filled(
    options: argparse.Namespace, app: Application, machines: Machines, processors: Sequence[int | None], values: Values
) -> tuple[Application, Values, Machines]:
    """The application, values and machines with what the machine file and, with `--profile`, a run say of them."""
    if not is_program(options.model):
        if options.profile:
            _refuse(options.model)
        return app, values, machines

    if is_source(options.model):
        values = task_values.meant(options.model, app.source.text, False, values)
    text = _text(options, app, machines, values)
    if text != app.source.text:  # that of a task graph says less than its file
        app = api.compile_text(text, app.name, branches=options.branches)
    if options.profile:
        task = _counted(options, text, machines, processors[0], values)
        machines = programs.within_run(app, task, task.machines, values) if task else machines
        means = {n: v for n, v in task.values.items() if n not in values} if task else {}
        values = {**{n: task_values.rounded_where_whole(app, n, v) for n, v in means.items()}, **values}
    if is_source(options.model):
        values = {**task_values.of_formals(app.source.text, values), **values}
        text = text if options.profile else task_values.held_text(options.model, text, False, values)
        if text != app.source.text:
            app = api.compile_text(text, app.name, branches=options.branches)
    declared = app.model.parameters
    if not options.profile and is_source(options.model):
        values = _of_model(options, values, declared)
    host = {n: v for n, v in task_values.host_values(machines).items() if n in declared and n not in values}
    return app, {**{n: v for n, v in values.items() if n in declared or not options.profile}, **host}, machines


def basis(options: argparse.Namespace, app: CostModel, values: Values, given: Values) -> list[Note]:
    """What the bounds of a program's prediction rest on: counts that a run has shown, or that its source tells."""
    if not is_program(options.model) or not isinstance(app, Application):
        return []
    if options.profile:
        sizes = ", ".join(f"{name} = {value_text(value)}" for name, value in given.items())
        text = f"Guaranteed for the counts of a run{' with ' if sizes else ''}{sizes}."
    elif not is_source(options.model):
        text = "Guaranteed for the counts that the task graph and its sources tell."
    else:
        handlers = task_values.left_out(options.model, app.source.text, values)
        text = "Guaranteed: the counts follow from the source."
        if handlers:
            text = f"Guaranteed as long as nothing but a throw of the source throws ({_first(handlers)} = 0)."
    if is_source(options.model) and "P" in app.model.parameters:
        shares = "each has the mean counts of the run, and they" if options.profile else "they"
        text = f"{text} Of threads it is assumed that {shares} do not compete for memory and shared caches."
    return [Note(NoteKind.BOUNDS, text)]


def _text(options: argparse.Namespace, app: Application, machines: Machines, values: Values) -> str:
    """The model of a program: one that leaves open what a run counts, and of a task that is timed its operations."""
    timed = is_source(options.model) and (options.calibrate, options.calibrate_at) != (None, None)
    level = task_values.calibrated_level(machines) if timed else task_values.usual_level(machines)
    if options.profile:
        text = programs.counted_text(options.model, options.entry, level)
        return task_values.held_text(options.model, text, True, values) if is_source(options.model) else text
    return api.translate(options.model, entry=options.entry, level=level).text if timed else app.source.text


def _counted(
    options: argparse.Namespace, text: str, machines: Machines, workers: int | None, values: Values
) -> programs.CountedTask | None:
    """What a run says of a model's parameters and of its calls; of a Java task whose run fails for no fault of its own
    nothing, and the reason is told."""
    limit = float(duration("--run-limit", options.limit))
    try:
        return programs.counted(options.model, text, machines, workers, _sizes(values), limit, output.advise)
    except ApetError as error:
        reason = task_values.not_run(error) if is_java(options.model) else None
        if reason is None:
            raise
        output.advise(reason)
        return None


def _of_model(options: argparse.Namespace, values: Values, declared: Collection[str]) -> Values:
    """Values without those of the task's arguments that its model does not have."""
    # Only for names that no parameter has: it loads the Java package.
    unknown = [name for name in values if name not in declared]
    formals = task_values.formals_of(options.model, options.entry) if unknown else set[str]()
    unused = [name for name in unknown if re.sub(r"_length2?$", "", name) in formals]
    for name in unused:
        output.advise(f"note: '{name}' is not in the model: the time does not depend on it, or only a run tells how")
        output.advise("  hint: --profile runs the task with it")
    return {name: value for name, value in values.items() if name not in unused}


def predicted(
    options: argparse.Namespace, predictor: Predictor, processors: Sequence[int | None], values: Values
) -> list[Prediction]:
    """A prediction for each number of processors; of a task over assumed values where some are not known. With jumps
    that are not followed it is no guarantee."""
    predictions = _predicted(options, predictor, processors, values)
    if not is_c(options.model):
        return predictions
    jumps = task_values.not_followed(options.model, predictor.app.source.text, options.profile)
    for one in jumps:
        output.advise(render(one))
    places = dict.fromkeys(f"what follows line {one.line}" for one in jumps)
    return [p.replace(assumed=(*p.assumed, *places)) for p in predictions] if jumps else predictions


def _predicted(
    options: argparse.Namespace, predictor: Predictor, processors: Sequence[int | None], values: Values
) -> list[Prediction]:
    try:
        return [predictor.predict(p, values) for p in over(processors, "predicting", "configurations")]
    except ApetError as error:
        ranges = _assumed(options, predictor.app, error)
        from apet.java.assumed import predict_assumed

        assumed = [predict_assumed(predictor, p, values, ranges) for p in processors]
        widening = [name for name, times in assumed[0].effects.items() if times >= NOTABLE]
        _advise_of_assumed(options, ranges, widening)
        return [one.prediction for one in assumed]


def explained(options: argparse.Namespace, app: CostModel, explain: Callable[[Values], T], values: Values) -> T:
    """An explanation; of a Java task at the middles of assumed ranges where some values are not known."""
    try:
        return explain(values)
    except ApetError as error:
        ranges = _assumed(options, app, error)
        from apet.java.assumed import middle

        _advise_of_assumed(options, ranges, ())
        return explain({**values, **{name: middle(among) for name, among in ranges.items()}})


def _assumed(options: argparse.Namespace, app: CostModel, error: ApetError) -> dict[str, Interval]:
    """Ranges of values that a Java task lacks; else the error, with the way to have a run count what is missing."""
    if is_source(options.model):
        from apet.java.assumed import assumed_ranges

        ranges = assumed_ranges(error, app, parsed_settings(options.settings))
        if ranges:
            return ranges
    missing = any(isinstance(d, MissingParameter) for d in error.diagnostics)
    if not missing or not is_program(options.model) or options.profile:
        raise error
    raise ApetError([*error.diagnostics, CountedByProfile(None, None, options.model)]) from None


def _advise_of_assumed(options: argparse.Namespace, ranges: Mapping[str, Interval], widening: Sequence[str]) -> None:
    """Say which values are assumed, and which of them make the interval wide."""
    shares = [name for name, among in ranges.items() if among.lo == 0]
    counts = [name for name in ranges if name not in shares]
    most = max((among.hi for among in ranges.values()), default=1)
    parts = [f"{_first(names)} from {ends}" for names, ends in ((shares, "0 to 1"), (counts, f"1 to {most}")) if names]
    wide = f"; the interval is wide by {_first(widening)}" if widening else ""
    output.advise(f"note: no source shows, so assumed: {' · '.join(parts)}{wide}")
    way = "set what you know" if options.profile else "a run counts them: --profile; or set what you know"
    output.advise(f"  hint: {way}: --set NAME=VALUE or NAME=LOW..HIGH")


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")


def calibrated(options: argparse.Namespace, app: Application, machines: Machines, values: Values) -> Machines:
    """The machines as a program's tasks see them, with `--calibrate-at` or `--calibrate`; else as they are."""
    if options.calibrate_at is None and options.calibrate is None:
        return machines
    option = "--calibrate" if options.calibrate_at is None else "--calibrate-at"
    budget = float(duration("--budget", options.budget))
    # Only for these options: it loads the whole Java package.
    from apet.trials.calibration import calibrated_machines, calibrated_nearby, calibrated_tasks

    if not is_source(options.model):
        if not is_program(options.model) or options.calibrate != "":
            advice = (
                "only a Java or C task can be timed at another size; the tasks of a task graph: --calibrate, without a "
                "name"
            )
            raise ApetError(NotForThisFile(None, None, option, options.model, advice))
        return calibrated_tasks(options.model, app, machines, values, budget)

    name, equals, size = (part.strip() for part in (options.calibrate_at or options.calibrate).partition("="))
    sizes = _sizes(parsed_settings(options.settings))
    task = options.model, options.entry, machines
    values = {**values, **sizes}  # the size of a task need not be a parameter of its model
    if options.calibrate is not None:
        if not isinstance(sizes.get(name), int) or equals:
            reason = "it needs the name of a size that --set gives"
            raise ApetError(bad_option(option, options.calibrate or "without a name", reason))
        calibration = calibrated_nearby(*task, sizes, name, values, budget)
    elif equals and name:
        calibration = calibrated_machines(*task, {**sizes, name: count(option, size)}, name, values)
    else:
        raise ApetError(bad_option(option, options.calibrate_at, "a name and a whole number are needed: n=1000"))
    for crossing in calibration.crossings:
        output.advise(f"warning: calibrated at {name} = {calibration.size}: {crossing}")
        output.advise("  hint: calibrate nearer to the size that is predicted: more --budget, or --calibrate-at")
    return calibration.machines


def _sizes(values: Values) -> dict[str, Number]:
    """The values that a run can be given."""
    return {name: value for name, value in values.items() if not isinstance(value, Interval)}


def _refuse(path: str) -> None:
    raise ApetError(NotForThisFile(None, None, "--profile", path, "only Java and task graphs can be run with counters"))


def measured_at_need(options: argparse.Namespace) -> None:
    """Measure this machine where `--machines this` asks for it and no file holds; say so first."""
    named = getattr(options, "machines", None)
    names = [named] if isinstance(named, str) else named or []
    if "this" not in names:
        return
    # Every verb with machines calls this, and Java takes as long to load as a prediction.
    from apet.java.measure.this_machine import is_this, this_machine

    if is_this("this"):
        this_machine(output.warn, activity.report)
