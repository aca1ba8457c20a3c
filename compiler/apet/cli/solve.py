"""`apet solve`: which numbers of processors, or values of a parameter, meet a deadline."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import arguments, output, pictures
from apet.cli.errors import bad_option
from apet.cli.limits import limit_of
from apet.cli.loading import advise, load_target
from apet.cli.version import version
from apet.ground.diagnostics import ApetError
from apet.ground.interval import AskedRange
from apet.ground.values import number
from apet.questions.solve.plots import solution_figure
from apet.questions.solve.solve import Question, curve, solve
from apet.questions.solve.text import solution_json, solution_text
from apet.show.context import PredictionContext

DESCRIPTION = """Find the numbers of processors, or the values of a parameter, for which a deadline is met for sure,
surely not met, or undecided between the guaranteed bounds."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser)
    limit = parser.add_mutually_exclusive_group(required=True)
    text = "the time allowed: 90 s, '2 min', 1.5h; a number alone is seconds"
    limit.add_argument("--deadline", metavar="T", help=text)
    text = "of a queue's throughput (jobs per second, at least) or utilization (at most): a number"
    limit.add_argument("--target", metavar="X", help=text)
    text = "where nothing more is to be gained: within so much of the best in the range, as in 5%%"
    limit.add_argument("--within", metavar="SHARE", dest="slack", help=text)
    text = "what is asked for: P, a parameter, an operation's time (t_mpy_double), latency_s or bandwidth_B_per_s"
    parser.add_argument("--for", metavar="NAME", dest="name", help=text + " (default: P)")
    text = "where to look: 1..1e9, 1ns..1us (default: all processors, or the parameter's declared range)"
    parser.add_argument("--range", metavar="A..B", dest="within", help=text)
    text = "how many processors, where a parameter is asked for (default: all)"
    parser.add_argument("-P", "--processors", metavar="N", help=text)
    text = "find the cheapest P as well (machines with cost_per_hour), and say whether it costs C at most"
    parser.add_argument("--budget", metavar="C", help=text)
    arguments.setting(parser)
    arguments.branches(parser)
    arguments.schedule(parser)
    pictures.option(parser, "both ends of the time against what is asked for, with the deadline")
    parser.add_argument("--json", action="store_true", help="for programs: JSON")


def run(options: argparse.Namespace) -> None:
    """Solve and print."""
    limit = limit_of(options)
    budget = None if options.budget is None else number("--budget", options.budget)
    within, processors = _range(options.within), _one(options)
    values = arguments.parsed_settings(options.settings)
    pictures.check(options.plot)
    target = load_target(options)
    app, machines = target
    advise(app)
    limit.check(app)
    name = options.name or limit.usual(app)
    if name != "P":
        (processors,) = target.processors([processors])

    predictor = api.predictor(app, machines, options.schedule)
    asked = Question(1, name, within, processors, target.values(values, name), budget, app.more_is_better)
    question = asked._replace(deadline=limit.value(predictor, asked))
    solution = solve(predictor, question)
    occasion = PredictionContext.of(predictor)
    if options.plot:
        figure = solution_figure(solution, curve(predictor, question, solution), occasion.title)
        pictures.write_figure(figure, options.plot)

    if options.json:
        output.show(solution_json(occasion, solution, version()))
    else:
        output.show(solution_text(occasion, solution, output.width()))


def _range(text: str | None) -> AskedRange | None:
    if text is None:
        return None

    low, dots, high = text.partition("..")
    if not dots:
        raise ApetError(bad_option("--range", text, "a range has two ends"))
    return number("--range", low), number("--range", high)


def _one(options: argparse.Namespace) -> int | None:
    processors = arguments.parsed_processors(options.processors)
    reason = ""
    if len(processors) > 1:
        reason = "one number of processors is needed"
    elif options.processors is not None and options.name in (None, "P"):
        reason = "P is what is asked for; limit it with --range"
    if reason:
        raise ApetError(bad_option("-P", options.processors, reason))
    return processors[0]
