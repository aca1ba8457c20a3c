"""`apet predict`: queueing networks and jobs with precedence."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from apet import api
from apet.answers.answer import Answer, combined
from apet.cli import answering, arguments, pictures, predict, rules
from apet.cli.errors import WrongCall
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.notation import assignment, counts, numbers
from apet.ground.values import number
from apet.queueing.data.problems import Asked, Problem, Ranges, Result
from apet.queueing.questions.population_curve import population_curve
from apet.queueing.read import QueueFile
from apet.queueing.report.answers import queueing_answer
from apet.queueing.report.population import population_answer

if TYPE_CHECKING:
    from apet.queueing.data.varied import Varied

DESCRIPTION = """Solve a queueing network, jobs with precedence that compete for stations: response
times, throughputs, utilizations. Times and rates may be intervals; small networks have formulas."""
VARIED = ("servers", "population", "think", "arrival_rate", "rate", "size")
"""What `apet.queueing.data.varied` names."""
METHODS = ("auto", "exact", "schweitzer", "linearizer", "bounds")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("model", metavar="FILE", help="a TOML or JSON file of stations and classes, or a sample")
    text = (
        "method: auto (exact while that takes seconds), exact, schweitzer, linearizer, bounds "
        "(default: as the file says)"
    )
    method = parser.add_argument("--method", choices=METHODS, help=text)
    text = "solve for these numbers of jobs: 1..50, 1..64:2x or 1,2,5"
    population = parser.add_argument("--population", metavar="N", help=text)

    text = "solve for these values of a number: 'servers[cpu]=1:8', population[users]=1,2,5, arrival_rate=10,20"
    text += "; may be repeated, for all combinations"
    parser.add_argument("--vary", dest="against", metavar="NAME=VALUES", action="append", help=text)
    rules.without(population, "--vary")
    rules.without(method, "--vary")
    arguments.setting(parser)
    of = parser.add_argument("--of", metavar="Q", default="", help=f"{arguments.QUANTITY_HELP}; as a formula")
    csv = parser.add_argument("--csv", action="store_true", help="of a formula: comma-separated values")
    plot = pictures.option(parser, "throughput and response time against the number of jobs, or what --vary varies")
    arguments.results(parser)
    for action in (of, csv):
        rules.without(action, "--method", "--population", "--vary")
    rules.without(csv, "--json")
    rules.without(plot, "--method bounds")


def run(options: argparse.Namespace) -> None:
    """Read, solve, print."""
    if _as_formula(options):
        predict.run(options)
        return
    file = api.read_queue(options.model)
    if options.settings:
        file = replace(file, problem=with_settings(file.problem, options.settings))
    method = options.method or (file.method if file.method in METHODS else "auto")

    with Activity(f"solving {file.name}"):
        if options.against:
            answer = against(file, options.against, options.plot)
        elif options.population or options.plot:
            answer = _growth(file, method, options)
        else:
            answer = _answer(file, method, options)
    answering.write(answer, options)


def _as_formula(options: argparse.Namespace) -> bool:
    """Whether a call is about one quantity as a formula: of the parameters that formulas have, and over ranges."""
    names = [text.partition("=")[0].partition("[")[0].strip() for text in options.settings]
    in_numbers = options.population or options.against or options.method
    in_formula = bool(names) and not in_numbers and not set(names) & set(VARIED)
    return bool(options.of or options.csv) or in_formula


def _answer(file: QueueFile, method: str, options: argparse.Namespace) -> Answer:
    return queueing_answer(file.name, file.problem, api.queue(file.problem, method, file.method, percentiles=True))


def result(problem: Problem, method: str) -> Result:
    """The answer to a problem without intervals, which has none either."""
    answer = api.queue(problem, method)
    assert not isinstance(answer, Ranges)
    return answer


def _growth(file: QueueFile, method: str, options: argparse.Namespace) -> Answer:
    curve = population_curve(file.problem, _populations(options.population), lambda problem: result(problem, method))
    return population_answer(file.name, curve)


def against(file: QueueFile, variations: Sequence[str], picture: str | None = None) -> Answer:
    """The answers for all combinations of values of numbers, each NAME=VALUES: tables against the last one."""
    from apet.queueing.data.varied import class_names, varied, with_value
    from apet.queueing.questions.targets import point
    from apet.queueing.report.varied import varied_answer

    problem = varied(file.problem)
    axes = [_values(problem, text) for text in variations]
    if picture and len(axes) > 1:
        raise ApetError(WrongCall(None, None, "--plot draws one --vary", "leave the others out, or the picture"))
    parameter, values = axes.pop()

    answers = []
    for settings in product(*([(name, value) for value in row] for name, row in axes)):
        changed = problem
        for name, value in settings:
            changed = with_value(changed, name, value)
        title = ", ".join([file.name, *(f"{name} = {value:g}" for name, value in settings)])
        points = [point(changed, parameter, value) for value in values]
        answers.append(varied_answer(title, parameter, class_names(problem), points, dict(settings)))
    return combined(answers)


def refuse_in_numbers(options: argparse.Namespace, names: Mapping[str, tuple[str, object]]) -> None:
    """`ApetError` for options that mean nothing where a queue is solved in numbers: by name, where their values are
    kept, and what these are where an option is not given."""
    for name, (dest, usual) in names.items():
        if getattr(options, dest) != usual:
            raise ApetError(WrongCall(None, None, f"{name} needs formulas, and this queue has none", "leave it out"))


def with_settings(problem: Asked, settings: Sequence[str]) -> Varied:
    """A problem with other numbers, each NAME=VALUE."""
    from apet.queueing.data.varied import full_name, varied, with_value

    changed = varied(problem)
    for text in settings:
        name, value = assignment("--set", text)
        changed = with_value(changed, full_name(changed, name), float(number("--set", value)))
    return changed


def _values(problem: Varied, text: str) -> tuple[str, list[float]]:
    """A parameter by its full name, and the values that `--vary` gives it."""
    from apet.queueing.data.varied import WHOLE, full_name, kind_of

    name, values = assignment("--vary", text, "values")
    parameter = full_name(problem, name)
    if kind_of(problem, parameter) in WHOLE:
        return parameter, sorted(map(float, counts("--vary", values)))
    return parameter, [float(value) for value in numbers("--vary", values)]


def _populations(text: str | None) -> Sequence[int] | None:
    """Numbers of jobs in order; None where the saturation point chooses."""
    return None if text is None else sorted(counts("--population", text))
