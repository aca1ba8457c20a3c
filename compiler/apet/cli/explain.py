"""`apet explain`: why the prediction is what it is."""

from __future__ import annotations

import argparse
from functools import partial

from apet import api
from apet.answers.answer import combined
from apet.cli import answering, arguments, pictures, programs, rules
from apet.cli.loading import advise, advise_of_classes, load_target
from apet.cost import Application
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.notation import count
from apet.questions.explain.explanation import Explanation
from apet.questions.explain.report import explanation_answer
from apet.queueing.errors import lacks_formulas
from apet.show.context import PredictionContext

DESCRIPTION = """Explain the predicted time of one configuration: which term is the bottleneck and by how much, what
would change the time, and where another term takes over."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser)

    arguments.configuration(parser)
    programs.option(parser)

    text = "Sobol' indices of T at its intervals, from N samples per input (a power of 2, default: 256)"
    parser.add_argument("--sobol", metavar="N", nargs="?", const="256", help=text)
    text = "of the samples of --sobol (default: 0)"
    rules.needs(parser.add_argument("--seed", metavar="S", type=arguments.Whole(), default=0, help=text), "--sobol")
    pictures.option(parser, "what each interval does to the time, and what the time is made of")
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Explain one configuration."""
    counts = arguments.processor_counts(options)
    samples = None if options.sobol is None else count("--sobol", options.sobol)
    seed = options.seed
    try:
        app, machines = load_target(options)
    except ApetError as error:
        if not lacks_formulas(error):
            raise
        _in_numbers(options)
        return
    values = arguments.parsed_settings(options.settings)
    advise(app)
    if isinstance(app, Application) and machines is not None:
        app, values, machines = programs.filled(options, app, machines, counts, {**app.intervals, **values})
        if options.profile:
            advise_of_classes(options.model, app, machines)
        machines = programs.calibrated(options, app, machines, values)

    def explain(processors: int | None, values: programs.Values) -> Explanation:
        return api.explain(
            app, machines, processors, values=values, schedule=options.schedule, sobol=samples, seed=seed
        )

    with Activity(f"explaining {options.model}"):
        explanations = [programs.explained(options, app, partial(explain, P), values) for P in counts]

    context = PredictionContext.on(app, machines, options.schedule)
    answering.write(combined([explanation_answer(context, each) for each in explanations]), options)


def _in_numbers(options: argparse.Namespace) -> None:
    """Of a queue without formulas: what changes its response times."""
    from apet.cli.queue import refuse_in_numbers, with_settings
    from apet.queueing.report.varied import effects_answer

    refuse_in_numbers(options, {"--sobol": ("sobol", None), "--plot": ("plot", None), "--of": ("of", "")})
    file = api.read_queue(options.model)
    problem = with_settings(file.problem, options.settings)
    with Activity(f"explaining {options.model}"):
        answer = effects_answer(file.name, problem)
    answering.write(answer, options)
