"""`apet solve`: which numbers of processors, or values of a parameter, meet a deadline."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from apet import api
from apet.api.kinds import MODEL, QUEUE
from apet.api.questions import solution_curve
from apet.cli import answering, arguments, pictures, trace_tolerance
from apet.cli.errors import WrongCall, bad_option
from apet.cli.loading import advise, held, load_target
from apet.cli.queue import VARIED
from apet.cli.solve_goals import goal_of, usual_unknown
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.notation import duration, span
from apet.ground.values import number
from apet.questions.solve.plots import solution_figure
from apet.questions.solve.report import solution_answer
from apet.queueing.errors import lacks_formulas
from apet.show.context import PredictionContext

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from apet.queueing.data.problems import Asked
    from apet.queueing.data.varied import Varied

DESCRIPTION = """Find the numbers of processors, or the values of a parameter, for which a deadline is met, not
met, or undecided because it lies between the bounds."""

MOST_PERCENT = 99.99


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser)
    goal = parser.add_mutually_exclusive_group(required=True)
    text = "the time allowed: 90 s, '2 min', 1.5h; a number alone is seconds"
    goal.add_argument("--deadline", metavar="T", help=text)
    text = "of a queue's throughput (jobs per second, at least) or utilization (at most): a number"
    goal.add_argument("--target", metavar="X", help=text)
    text = "instead of a deadline: within this share of the best in the range, as in 5%%"
    goal.add_argument("--near-best", metavar="SHARE", dest="slack", help=text)

    if arguments.takes(parser, QUEUE):
        text = "of a queue: the percentile that has to meet the deadline, as in 95 or 99.9 (default: the mean)"
        parser.add_argument("--percentile", metavar="Q", help=text)
    text = "what to solve for: P, a parameter, an operation's time (t_mpy_double), latency_s or bandwidth_B_per_s"
    text += "; of a queue also servers[STATION], population[CLASS], think[CLASS] or arrival_rate[CLASS]"
    parser.add_argument("--for", metavar="NAME[=A..B]", dest="name", help=text + " (default: P)")
    text = "the range to search: 1..1e9, 1ns..1us (default: all processors, or the parameter's declared range)"
    parser.add_argument("--range", metavar="A..B", dest="within", help=text)
    if arguments.takes(parser, QUEUE):
        text = "of a queue: what a server of a station costs per hour; may be repeated"
        parser.add_argument("--price", action="append", default=[], metavar="STATION=C", help=text)
    if arguments.takes(parser, MODEL):
        text = "also find the cheapest P (machines with cost_per_hour), and whether it costs at most C"
        parser.add_argument("--most-cost", dest="budget", metavar="C", help=text)

    text = "number of processors, when solving for a parameter (default: all); for P those to choose from: 4,8,16"
    arguments.configuration(parser, text)
    pictures.option(parser, "both ends of the time, and the deadline")
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Solve and print."""
    name, mark, within = (options.name or "").partition("=")
    if mark:
        if options.within is not None:
            raise ApetError(bad_option("--range", options.within, "--for has a range already"))
        options.name, options.within = name.strip(), within.strip()
    if options.percentile or options.price or (options.name and options.name.partition("[")[0] in VARIED):
        _varied(options)
        return
    goal = goal_of(options)
    budget = None if options.budget is None else number("--most-cost", options.budget)
    if trace_tolerance.asks(options):
        trace_tolerance.run(options, goal, _range(options.within))
        return
    within, (processors, among) = _range(options.within), _processors(options)
    try:
        app, machines = load_target(options)
    except ApetError as error:
        if options.deadline is None or not lacks_formulas(error):
            raise
        _varied(options)  # a queue that is solved in numbers
        return
    values = arguments.parsed_settings(options.settings)
    advise(app)
    if within is not None and options.name is not None:
        app = held(options, options.model, app, {**values, options.name: Interval(*within)})
    goal.check(app)
    setting = {"values": values, "P": processors, "schedule": options.schedule}
    solution = api.solve(
        app,
        machines,
        goal.deadline,
        options.name or usual_unknown(app),
        within=within,
        budget=budget,
        among=among,
        near_best=goal.near_best,
        **setting,
    )

    context = PredictionContext.on(app, machines, options.schedule)

    def figure() -> Figure:
        return solution_figure(solution, solution_curve(app, machines, solution, **setting), context.title)

    answering.write(solution_answer(context, solution, figure), options)


def _varied(options: argparse.Namespace) -> None:
    """Of a queue: numbers of servers or jobs, times or rates, for a mean or a percentile."""
    from apet.queueing.data.varied import class_names
    from apet.queueing.questions.targets import target
    from apet.queueing.report.varied import target_answer

    if options.deadline is None:
        raise ApetError(WrongCall(None, None, "a queue is asked for a deadline here", "give one: --deadline 300ms"))
    file = api.read_queue(options.model)
    within = _range(options.within)
    limits = None if within is None else (float(within[0]), float(within[1]))
    percentile = _percentile(options.percentile) if options.percentile else None
    quantity, _, of = options.of.partition("[")
    if quantity not in ("", "response"):
        raise ApetError(bad_option("--of", options.of, "a deadline is for response times", "--of 'response[CLASS]'"))

    limit = float(duration("--deadline", options.deadline))
    problem = _as_set(file.problem, options)
    border = target(problem, options.name or "N", limit, percentile, limits, of.rstrip("]"))
    answering.write(target_answer(file.name, class_names(problem), border), options)


def _percentile(text: str) -> float:
    """A percentile in percent."""
    level = float(number("--percentile", text))
    if not 1 <= level <= MOST_PERCENT:
        raise ApetError(bad_option("--percentile", text, f"it lies between 1 and {MOST_PERCENT}"))
    return level


def _as_set(problem: Asked, options: argparse.Namespace) -> Varied:
    """A queueing problem with the values of `--set`, and the prices of `--price`."""
    from apet.cli.queue import with_settings
    from apet.queueing.data.varied import with_prices

    prices = dict[str, float]()
    for text in options.price:
        name, equals, value = text.rpartition("=")
        if not equals or number("--price", value) < 0:
            raise ApetError(bad_option("--price", text, "a station and a price of 0 or more"))
        prices[name] = float(number("--price", value))
    return with_prices(with_settings(problem, options.settings), prices)


def _range(text: str | None) -> tuple[Number, Number] | None:
    return None if text is None else span("--range", text)


def _processors(options: argparse.Namespace) -> tuple[int | None, list[int]]:
    """The number of processors, or those to choose from where it is what is asked for."""
    if options.processors is None or options.name not in (None, "P"):
        return arguments.one_count(options), []
    among = [p for p in arguments.parsed_processors(options.processors) if p is not None]
    if options.within is not None:
        raise ApetError(bad_option("-P", options.processors, "--range says already which are asked for"))
    if len(among) == 1:
        advice = "name some to choose from: -P 4,8,16, or a range: --range 1..64"
        raise ApetError(bad_option("-P", options.processors, "P is what is asked for", advice))
    return None, among
