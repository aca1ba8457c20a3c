"""`apet predict`: how long the program takes on configurations of a machine model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from apet import api
from apet.cli import arguments, output, pictures, programs, quantiles, rules, under_load
from apet.cli.errors import NotForThisFile
from apet.cli.loading import advise, advise_of_classes, branches_matter, load_target
from apet.cli.output import width
from apet.cost import Application, CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.model.rounding import dropped_work
from apet.prediction.prediction import Prediction
from apet.prediction.processor_count import declared_count
from apet.questions.expected import MAXIMUM_OF_MEANS, maximum_of_means, with_expectations
from apet.show.context import PredictionContext
from apet.show.prediction_text import predictions_text

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
    omitted = "omit the formulas from the text; JSON has none"
    plain = parser.add_argument("--no-formulas", action="store_true", help=omitted)
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
        output.write_result(load.text(predictor, processors, values), options.output)
        return
    quantiles.advise(predictor)
    predictions = programs.predicted(options, predictor, processors, values)
    predictions = with_expectations(predictor, predictions)
    uncertainties = noise.of(predictor, predictions, values)

    occasion = PredictionContext.of(predictor)
    if options.plot:
        _draw(options.plot, occasion, predictions, uncertainties)
    text = _text(options, occasion, predictions, tuple(values))
    output.write_result(quantiles.added(text, options, predictions, uncertainties), options.output)


def _text(
    options: argparse.Namespace, occasion: PredictionContext, predictions: Sequence[Prediction], varied: tuple[str, ...]
) -> str:
    if options.json:
        from apet.cli.version import version  # as other forms and pictures: not in the start-up of a plain prediction
        from apet.show.prediction_json import predictions_json

        return predictions_json(occasion, predictions, version())
    if options.csv:
        from apet.show.prediction_csv import predictions_csv

        return predictions_csv(predictions, varied)

    if options.quiet:
        return predictions_text(occasion, predictions, width(), brief=True)
    commands = _commands(options, occasion.app.name, predictions) if occasion.app.on_machines else []
    hints = _hints(occasion.app, predictions)
    return predictions_text(occasion, predictions, width(), hints, commands, formulas=not options.no_formulas)


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


def _hints(app: CostModel, predictions: Sequence[Prediction]) -> list[str]:
    """What a reader should know: work that roundings drop, and how branches were read."""
    hints = [BRANCH_NOTES[app.setting.branches]] if branches_matter(app) else []
    if maximum_of_means(app) and any(p.expectation is None and p.may_mislead for p in predictions):
        hints.append(f"{MAXIMUM_OF_MEANS}To see it: --expected-max, or apet simulate with several seeds.")
    if isinstance(app, Application):
        points = [{n: v for n, v in p.parameters.items() if not isinstance(v, Interval)} for p in predictions]
        dropped = (s for values in points for s in dropped_work(app.model, values))
        hints = [*islice(dict.fromkeys(dropped), MOST_DROPPED), *hints]
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


def _draw(
    path: str, occasion: PredictionContext, predictions: Sequence[Prediction], uncertainties: Sequence[Uncertainty]
) -> None:
    from apet.show.plots import interval_figure

    figure = interval_figure(predictions, occasion.title)
    if uncertainties:
        from apet.questions.quantiles.plots import add_quantiles

        add_quantiles(figure, predictions, uncertainties)
    pictures.write_figure(figure, path)
