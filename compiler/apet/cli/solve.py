"""`apet solve`: which numbers of processors, or values of a parameter, meet a deadline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.cli import arguments, pictures

if TYPE_CHECKING:
    import argparse

    from apet.ground.interval import AskedRange


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
    from apet import api
    from apet.cli import output
    from apet.cli.limits import limit_of
    from apet.cli.stages import advise, subject
    from apet.ground.values import number
    from apet.questions.solve.solve import Question, curve, solve
    from apet.questions.solve.text import solution_json, solution_text
    from apet.show.context import PredictionContext

    limit = limit_of(options)
    budget = None if options.budget is None else number("--budget", options.budget)
    within, processors = _range(options.within), _one(options)
    values = arguments.parsed_settings(options.settings)
    pictures.check(options.plot)
    found = subject(options)
    app, machines = found
    advise(app)
    limit.check(app)
    name = options.name or limit.usual(app)
    if name != "P":
        (processors,) = found.processors([processors])
    predictor = api.predictor(app, machines, options.schedule)
    asked = Question(1, name, within, processors, found.values(values, name), budget, app.more_is_better)
    question = asked._replace(deadline=limit.value(predictor, asked))
    solution = solve(predictor, question)
    occasion = PredictionContext.of(predictor)
    if options.plot:
        from apet.questions.solve.plots import solution_figure

        figure = solution_figure(solution, curve(predictor, question, solution), occasion.title)
        pictures.deliver(figure, options.plot)
    if options.json:
        from apet.cli.version import version

        output.show(solution_json(occasion, solution, version()))
    else:
        output.show(solution_text(occasion, solution, output.width()))


def _range(text: str | None) -> AskedRange | None:
    if text is None:
        return None
    from apet.ground.values import number

    low, dots, high = text.partition("..")
    if not dots:
        from apet.cli.solve_errors import NotARange
        from apet.ground.diagnostics import ApetError

        raise ApetError(NotARange(None, None, text))
    return number("--range", low), number("--range", high)


def _one(options: argparse.Namespace) -> int | None:
    found = arguments.parsed_processors(options.processors)
    reason = ""
    if len(found) > 1:
        reason = "one number of processors is needed"
    elif options.processors is not None and options.name in (None, "P"):
        reason = "P is what is asked for; limit it with --range"
    if reason:
        from apet.cli.errors import BadProcessors
        from apet.ground.diagnostics import ApetError

        raise ApetError(BadProcessors(None, None, options.processors, reason))
    return found[0]
