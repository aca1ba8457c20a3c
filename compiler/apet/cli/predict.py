"""`apet predict`: how long the program takes on configurations of a machine model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from apet import api
from apet.answers.answer import Answer
from apet.answers.predictions import predictions_answer
from apet.cli import answering, arguments, output, pictures, programs, quantiles, rules, under_load
from apet.cli.errors import NotForThisFile
from apet.cli.loading import advise, advise_of_classes, branches_matter, load_target
from apet.cost import Application, CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.model.rounding import dropped_work
from apet.prediction.prediction import Prediction
from apet.prediction.processor_count import declared_count
from apet.questions.expected import MAXIMUM_OF_MEANS, maximum_of_means, with_expectations
from apet.show.context import PredictionContext

if TYPE_CHECKING:
    from apet.questions.quantiles.uncertainty import Uncertainty

DESCRIPTION = """Predict the run time on configurations of a machine model: an estimate, a guaranteed interval, and what
limits."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser)
    text = "how many processors: 2,4,8 or 2:32:2 (step) or 2:32:2x (factor); the fastest are taken (default: all)"
    arguments.configuration(parser, text)

    programs.option(parser)
    quantiles.declare(parser)
    under_load.declare(parser)

    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, for programs")
    csv = form.add_argument("--csv", action="store_true", help="for spreadsheets: comma-separated values")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")
    plain = parser.add_argument("--no-formulas", action="store_true", help="omit the formulas")
    rules.without(plain, "--csv", "--backend queueing")
    for action in (csv, pictures.option(parser, "the intervals")):
        rules.without(action, "--backend queueing")


def run(options: argparse.Namespace) -> None:
    """Predict, then show everything at once: no half of a table."""
    processors = arguments.parsed_processors(options.processors)
    values = arguments.parsed_settings(options.settings)
    noise, load = quantiles.QuantileOptions(options), under_load.LoadOptions(options)
    output.check_writable(options.output)
    app, machines = load_target(options)
    advise(app)
    given = values
    values = {**app.intervals, **values}
    processors = [app.usual_processors or declared_count(app, values) if p is None else p for p in processors]
    if not isinstance(app, Application) or machines is None:
        _check_needs(options)
    else:
        app, values, machines = programs.filled(options, app, machines, processors, values)
        if options.profile:
            advise_of_classes(options.model, app, machines)
        machines = programs.calibrated(options, app, machines, values)
    predictor = api.predictor(app, machines, options.schedule)
    if load.wanted:
        answering.write(load.answer(predictor, processors, values), options)
        return
    quantiles.advise(predictor)
    predictions = programs.predicted(options, predictor, processors, values)
    predictions = with_expectations(predictor, predictions)
    uncertainties = noise.of(predictor, predictions, values)

    basis = [] if any(p.assumed for p in predictions) else programs.basis(options, app, values, given)
    answer = _answer(options, PredictionContext.of(predictor), predictions, uncertainties, basis)
    answering.write(answer, options, _csv(predictions, tuple(values), uncertainties) if options.csv else None)


def _answer(
    options: argparse.Namespace,
    context: PredictionContext,
    predictions: Sequence[Prediction],
    uncertainties: Sequence[Uncertainty],
    basis: Sequence[Note],
) -> Answer:
    commands = _commands(options, context.app.name, predictions) if context.app.on_machines else []
    hints = [*basis, *_hints(context.app, predictions)]
    formulas = not options.no_formulas
    answer = predictions_answer(context, predictions, hints, commands, formulas=formulas, brief=options.quiet)
    if uncertainties:
        from apet.questions.quantiles.report import with_quantiles

        return with_quantiles(answer, predictions, uncertainties)
    return answer


def _csv(predictions: Sequence[Prediction], varied: Sequence[str], uncertainties: Sequence[Uncertainty]) -> str:
    from apet.answers.predictions_csv import predictions_csv

    text = predictions_csv(predictions, varied)
    if uncertainties:
        from apet.questions.quantiles.report import with_quantiles_csv

        return with_quantiles_csv(text, uncertainties)
    return text


def _check_needs(options: argparse.Namespace) -> None:
    """`ApetError` for options that need operations or a process."""
    uses = (
        ("--quantiles", options.quantiles is not None),
        ("--expected-max", options.expected_max),
        ("--backend queueing", options.backend != "bounds"),
    )
    refused = [option for option, is_given in uses if is_given]
    if refused:
        advice = "a formula without operations has nothing to draw from, and no process to run next to others"
        raise ApetError([NotForThisFile(None, None, option, options.model, advice) for option in refused])


def _hints(app: CostModel, predictions: Sequence[Prediction]) -> list[Note]:
    """What a reader should know: work that roundings drop, and how branches were read."""
    hints = [Note(NoteKind.BRANCHES, BRANCH_NOTES[app.setting.branches])] if branches_matter(app) else []
    if maximum_of_means(app) and any(p.expectation is None and p.may_mislead for p in predictions):
        advice = f"{MAXIMUM_OF_MEANS}To see it: --expected-max, or apet simulate with several seeds."
        hints.append(Note(NoteKind.MEANING, advice))
    if isinstance(app, Application):
        points = [{n: v for n, v in p.parameters.items() if not isinstance(v, Interval)} for p in predictions]
        dropped = (s for values in points for s in dropped_work(app.model, values))
        hints = [*(Note(NoteKind.ROUNDING, s) for s in islice(dict.fromkeys(dropped), MOST_DROPPED)), *hints]
    return hints


def _commands(options: argparse.Namespace, name: str, predictions: Sequence[Prediction]) -> list[str]:
    """What to call next: the last row explained, and a picture."""
    import shlex

    words = ["apet", "explain", options.model, "--machines", options.machines]
    words += ["-P", str(predictions[-1].parameters["P"])] if options.processors else []
    for option, value, usual in (
        ("--entry", options.entry, None),
        ("--branches", options.branches, "probability"),
        ("--schedule", options.schedule, "static"),
    ):
        words += [option, value] if value != usual else []
    words += [word for text in options.settings for word in ("--set", text)]
    words += programs.words(options)
    advice = [f"To see why: {shlex.join(words)}"]
    return advice if options.plot else [*advice, f"To plot: --plot {name.rpartition('.')[0] or name}.svg"]


MOST_DROPPED = 3
"""Sentences about work that roundings drop."""
BRANCH_NOTES = {
    "probability": "The estimate weighs branches by their probability; the bounds cover every branch outcome.",
    "average": "The estimate weighs both sides of a branch equally; the bounds cover every branch outcome.",
    "best": "The estimate takes the better side of every branch; the bounds cover every branch outcome.",
    "worst": "The estimate takes the worse side of every branch; the bounds cover every branch outcome.",
}
