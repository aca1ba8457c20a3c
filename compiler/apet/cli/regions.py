"""`apet regions`: which term decides where, over the range of one or two parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.cli import arguments, pictures

if TYPE_CHECKING:
    import argparse

    from apet.ground.interval import AskedRange


DESCRIPTION = """Split the range of one parameter, or a map over two, into regions in each of which one term of
T = max(T0, T[r]) is the greatest, with the borders between them as formulas where there is a closed form."""
MOST_DEPTH = 10
TERMS = ("estimate", "lower", "upper")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser, quantity=False)
    text = (
        "what varies, with its range: P=1:5000, n=1e3..1e9, t_mpy_double=1ns:1us, latency_s or bandwidth_B_per_s; "
        "without a range all processors, or the declared range; twice for a map"
    )
    parser.add_argument("--for", metavar="NAME[=A:B]", action="append", required=True, dest="axes", help=text)
    text = "how many processors, where P does not vary (default: all)"
    parser.add_argument("-P", "--processors", metavar="N", help=text)
    arguments.setting(parser)
    text = "at which ends of the operation times (default: tmax)"
    parser.add_argument("--end", choices=("tmin", "tmax"), default="tmax", help=text)
    text = """terms of what: the estimate (default), or what the lower or the upper bound is an extreme of; of a queue
        also the quantity: response (default), throughput, utilization, bounds"""
    parser.add_argument("--of", metavar="WHAT", action="append", default=[], help=text)
    text = f"how often a map over two parameters is halved, 1 to {MOST_DEPTH} (default: 6)"
    parser.add_argument("--depth", type=int, choices=range(1, MOST_DEPTH + 1), default=6, metavar="D", help=text)
    arguments.branches(parser)
    arguments.schedule(parser)
    parser.add_argument("--json", action="store_true", help="for programs: JSON")
    parser.add_argument("-o", "--output", metavar="F", help="write to a file")
    pictures.option(parser, "the regions")


def run(options: argparse.Namespace) -> None:
    """Find the regions, draw and print them."""
    from apet import api
    from apet.cli import output
    from apet.cli.stages import advise, subject
    from apet.questions.regions.mapping import Question, regions
    from apet.questions.regions.text import regions_json, regions_text
    from apet.show.context import PredictionContext

    axes, processors = _axes(options.axes), _one(options)
    values = arguments.parsed_settings(options.settings)
    output.check_writable(options.output)
    pictures.check(options.plot)
    of = _of(options)
    subject_found = subject(options)
    app, machines = subject_found
    advise(app)
    if "P" not in axes:
        (processors,) = subject_found.processors([processors])
    predictor = api.predictor(app, machines, options.schedule)
    question = Question(axes, processors, values, options.end, options.depth, bool(options.plot), of)
    found = regions(predictor, question)
    occasion = PredictionContext.of(predictor)
    if options.plot:
        from apet.questions.regions.plots import regions_figure

        pictures.deliver(regions_figure(found, occasion.title), options.plot)
    if options.json:
        from apet.cli.version import version

        output.deliver(regions_json(occasion, found, version()), options.output)
    else:
        output.deliver(regions_text(occasion, found, output.width()), options.output)


def _of(options: argparse.Namespace) -> str:
    """Which terms; what else --of says is the quantity, and kept for the model."""
    terms = [of for of in options.of if of in TERMS]
    quantities = [of for of in options.of if of not in TERMS]
    if len(terms) > 1 or len(quantities) > 1:
        from apet.cli.errors import NotTogether
        from apet.ground.diagnostics import ApetError

        advice = "one of estimate, lower, upper; and of a queue one quantity"
        raise ApetError(NotTogether(None, None, f"--of {options.of[-1]}", "is one too many", advice))
    options.quantity = quantities[0] if quantities else ""
    return terms[0] if terms else "estimate"


def _axes(given: list[str]) -> dict[str, AskedRange | None]:
    """Names and ranges from `NAME`, `NAME=A:B` and `NAME=A..B`; `ApetError` with all mistakes."""
    from apet.cli.regions_errors import NotAnAxis
    from apet.ground.diagnostics import ApetError, Diagnostic

    found: dict[str, AskedRange | None] = {}
    wrong: list[Diagnostic] = []
    for text in given:
        name, equals, rest = (part.strip() for part in text.partition("="))
        if not name or (equals and not rest):
            wrong.append(NotAnAxis(None, None, text, "a name and a range are needed"))
        elif name in found:
            wrong.append(NotAnAxis(None, None, text, f"{name} is named twice"))
        else:
            try:
                found[name] = _range(text, name, rest) if equals else None
            except ApetError as error:
                wrong += error.diagnostics
    if wrong:
        raise ApetError(wrong)
    return found


def _range(text: str, name: str, rest: str) -> AskedRange:
    from apet.cli.regions_errors import NotAnAxis
    from apet.ground.diagnostics import ApetError
    from apet.ground.values import number

    parts = rest.split("..") if ".." in rest else rest.split(":")
    if len(parts) != 2:
        raise ApetError(NotAnAxis(None, None, text, "a range has two ends"))
    return number(name, parts[0]), number(name, parts[1])


def _one(options: argparse.Namespace) -> int | None:
    found = arguments.parsed_processors(options.processors)
    if len(found) > 1:
        from apet.cli.errors import BadProcessors
        from apet.ground.diagnostics import ApetError

        raise ApetError(BadProcessors(None, None, options.processors, "one number of processors is needed"))
    return found[0]
