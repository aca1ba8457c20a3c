"""`apet queue`: queueing networks and jobs with precedence."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from apet import api
from apet.cli import arguments, output, pictures, queue_measured
from apet.cli.errors import FormulaTooLong, WrongCall
from apet.cli.version import version
from apet.formula import Formula
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.notation import assignment, counts, numbers
from apet.ground.values import number
from apet.queueing.answer import simulated
from apet.queueing.jobs import ForkJoin
from apet.queueing.population_curve import population_curve
from apet.queueing.problems import Asked, Problem, Ranges, Result, Uncertain
from apet.queueing.read import QueueFile
from apet.queueing.report.formulas import EMITTERS
from apet.queueing.report.json import queueing_json
from apet.queueing.report.population_curve import population_figure, population_text
from apet.queueing.report.text import queueing_text
from apet.show.formula_lines import written_size

if TYPE_CHECKING:
    from apet.queueing.varied import Varied

DESCRIPTION = """Solve a queueing network, jobs with precedence that compete for stations, or an open fork-join:
response times, throughputs, utilizations. Times and rates may be intervals; small networks have formulas."""
METHODS = ("auto", "exact", "schweitzer", "linearizer", "bounds", "reference", "forkjoin")
FORMS = ("formula", "latex", "python", "json", "svg")
MOST_TERMS = 20_000
SIMULATED = 20_000
"""Jobs per class of a simulation."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    text = "a TOML or JSON file of stations and classes; "
    text += "or from-metrics, from-traces or from-log, to write one from measurements"
    parser.add_argument("file", metavar="FILE", help=text)
    queue_measured.declare(parser)
    text = (
        "method: auto (exact while that takes seconds), exact, schweitzer, linearizer, bounds; of jobs with precedence "
        "reference or forkjoin, the published models, next to the default (default: as the file says)"
    )
    parser.add_argument("--method", choices=METHODS, help=text)
    text = "print formulas in the demands instead of numbers, or a picture of the network (svg)"
    parser.add_argument("--emit", choices=FORMS, help=text)
    text = "solve for these numbers of jobs: 1:50, 1:64:2x or 1,2,5"
    parser.add_argument("--population", metavar="N", help=text)

    text = "solve for these values of a number: 'servers[cpu]=1:8', population[users]=1,2,5, arrival_rate=10,20"
    text += "; may be repeated, for all combinations"
    parser.add_argument("--against", metavar="NAME=VALUES", action="append", help=text)
    pictures.option(parser, "throughput and response time against the number of jobs, or what --against varies")
    parser.add_argument("--simulate", action="store_true", help="simulate networks and jobs, as a check")
    parser.add_argument(
        "--seed", metavar="S", type=arguments.Whole(), default=0, help="the seed of the simulation (default: 0)"
    )
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Read, solve, print."""
    if options.file in queue_measured.SOURCES:
        output.write_result(queue_measured.written(options), options.output)
        return
    queue_measured.refuse(options)
    file = api.read_queue(options.file)
    method = options.method or (file.method if file.method in METHODS else "auto")

    with Activity(f"solving {file.name}"):
        if options.emit == "svg":
            text = _picture(file, method)
        elif options.emit:
            text = _formulas(file, options.emit)
        elif options.against:
            text = against(file, options.against, options.json, options.plot)
        elif options.population or options.plot:
            text = _growth(file, method, options)
        else:
            text = _answer(file, method, options)
    output.write_result(text, options.output)


def _answer(file: QueueFile, method: str, options: argparse.Namespace) -> str:
    answers = [api.queue(file.problem, method, file.method, percentiles=True)]
    if method in ("reference", "forkjoin") and not options.json:
        answers.append(api.queue(file.problem))
    if options.simulate:
        answers.append(simulated(file.problem, SIMULATED, options.seed))
    if options.json:
        return queueing_json(file.name, answers[-1], version(), file.problem)
    return "\n".join(queueing_text(file.name, file.problem, answer) for answer in answers)


def _picture(file: QueueFile, method: str) -> str:
    from apet.queueing.report.network_picture import network_picture

    if isinstance(file.problem, ForkJoin) or method == "bounds":
        advice = "leave --method out, and give the file stations and classes"
        raise ApetError(WrongCall(None, None, "--emit svg draws networks and jobs with their means", advice))
    problem = file.problem.low if isinstance(file.problem, Uncertain) else file.problem
    return network_picture(file.name, problem, _result(problem, method))


def _result(problem: Problem, method: str) -> Result:
    """The answer to a problem without intervals, which has none either."""
    answer = api.queue(problem, method)
    assert not isinstance(answer, Ranges)
    return answer


def _formulas(file: QueueFile, form: str) -> str:
    symbolic = api.queue_formulas(file.problem)
    formulas, values = symbolic.formulas, symbolic.values
    if form != "python":
        _check_length(formulas)
    return EMITTERS[form](file.name, formulas, values, version())


def _check_length(formulas: Mapping[str, Formula]) -> None:
    """Refuse what would fill pages: text repeats what a graph shares. Python source shares as the graph does."""
    for name, formula in formulas.items():
        size = written_size(formula)
        if size > MOST_TERMS:
            digits = f"{size:,}" if size < 10**12 else f"about 10^{size.bit_length() * 30103 // 100000}"
            raise ApetError(
                FormulaTooLong(None, None, name, digits, "take fewer jobs, or source that shares parts: --emit python")
            )


def _growth(file: QueueFile, method: str, options: argparse.Namespace) -> str:
    curve = population_curve(file.problem, _populations(options.population), lambda problem: _result(problem, method))
    if options.plot:
        pictures.write_figure(population_figure(file.name, curve), options.plot)
    return queueing_json(file.name, curve, version()) if options.json else population_text(file.name, curve)


def against(file: QueueFile, variations: Sequence[str], as_json: bool, picture: str | None = None) -> str:
    """The answers for all combinations of values of numbers, each NAME=VALUES: tables against the last one."""
    from apet.queueing.report.targets import varied_json, varied_text
    from apet.queueing.targets import point
    from apet.queueing.varied import class_names, varied, with_value

    problem = varied(file.problem)
    axes = [_values(problem, text) for text in variations]
    if picture and len(axes) > 1:
        raise ApetError(WrongCall(None, None, "--plot draws one --against", "leave the others out, or the picture"))
    parameter, values = axes.pop()

    texts = []
    for settings in product(*([(name, value) for value in row] for name, row in axes)):
        changed = problem
        for name, value in settings:
            changed = with_value(changed, name, value)
        title = ", ".join([file.name, *(f"{name} = {value:g}" for name, value in settings)])
        points = [point(changed, parameter, value) for value in values]
        about = (title, parameter, class_names(problem), points)
        texts.append(varied_json(*about, version()) if as_json else varied_text(*about))

    if picture:
        from apet.queueing.report.load_curve import load_figure

        pictures.write_figure(load_figure(*about), picture)
    return f"[{','.join(texts)}]\n" if as_json and len(texts) > 1 else "\n".join(texts)


def refuse_in_numbers(options: argparse.Namespace, names: Sequence[str]) -> None:
    """`ApetError` for options that mean nothing where a queue is solved in numbers."""
    for name in names:
        if getattr(options, name) not in (None, "", []):
            raise ApetError(WrongCall(None, None, f"--{name} needs formulas, and this queue has none", "leave it out"))


def with_settings(problem: Asked, settings: Sequence[str]) -> Varied:
    """A problem with other numbers, each NAME=VALUE."""
    from apet.queueing.varied import full_name, varied, with_value

    changed = varied(problem)
    for text in settings:
        name, value = assignment("--set", text)
        changed = with_value(changed, full_name(changed, name), float(number("--set", value)))
    return changed


def _values(problem: Varied, text: str) -> tuple[str, list[float]]:
    """A parameter by its full name, and the values that `--against` gives it."""
    from apet.queueing.varied import WHOLE, full_name, kind_of

    name, values = assignment("--against", text, "values")
    parameter = full_name(problem, name)
    if kind_of(problem, parameter) in WHOLE:
        return parameter, sorted(map(float, counts("--against", values)))
    return parameter, [float(value) for value in numbers("--against", values)]


def _populations(text: str | None) -> Sequence[int] | None:
    """Numbers of jobs in order; None where the saturation point chooses."""
    return None if text is None else sorted(counts("--population", text))
