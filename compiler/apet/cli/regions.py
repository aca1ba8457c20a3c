"""`apet regions`: which term is the bottleneck where, over the range of one or two parameters."""

from __future__ import annotations

import argparse

from apet import api
from apet.api.kinds import MODEL
from apet.cli import answering, arguments, pictures
from apet.cli.errors import WrongCall, bad_option
from apet.cli.loading import advise, load_target
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import AskedRange
from apet.ground.notation import span
from apet.questions.regions.report import regions_answer
from apet.show.context import PredictionContext

DESCRIPTION = """Split the range of one parameter, or a map over two, into regions in each of which one term of
T = max(T0, T[r]) is the greatest, with the borders between them as formulas where there is a closed form."""
USUAL_DEPTH, MOST_DEPTH = 6, 10
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
    arguments.configuration(parser, "number of processors, if P does not vary (default: all)")

    if arguments.takes(parser, MODEL):
        text = "which ends of the operation times (default: tmax)"
        parser.add_argument("--end", choices=("tmin", "tmax"), default="tmax", help=text)
    text = """terms of what: the estimate (default), or what the lower or the upper bound is an extreme of; of a queue
        also the quantity: response (default), throughput, utilization, bounds"""
    parser.add_argument("--of", metavar="WHAT", action="append", default=[], help=text)
    text = f"how often a map over two parameters is halved, 1 to {MOST_DEPTH} (default: {USUAL_DEPTH})"
    parser.add_argument("--depth", type=arguments.Whole(1, MOST_DEPTH), metavar="D", help=text)

    arguments.results(parser)
    pictures.option(parser, "the regions")


def run(options: argparse.Namespace) -> None:
    """Find the regions, draw and print them."""
    axes, processors = _axes(options.axes), arguments.one_count(options)
    of = _of(options)
    if options.depth is not None and len(axes) == 1:
        raise ApetError(WrongCall(None, None, "--depth has no effect on one axis", "name another: --for n --for P"))
    app, machines = load_target(options)
    values = arguments.parsed_settings(options.settings)
    advise(app)
    result = api.regions(
        app,
        machines,
        axes,
        values=values,
        P=processors,
        end=options.end,
        depth=options.depth or USUAL_DEPTH,
        of=of,
        schedule=options.schedule,
        drawn=bool(options.plot),
    )

    context = PredictionContext.on(app, machines, options.schedule)
    answering.write(regions_answer(context, result), options)


def _of(options: argparse.Namespace) -> str:
    """Which terms; what else --of says is the quantity, and kept for the model."""
    terms = [of for of in options.of if of in TERMS]
    quantities = [of for of in options.of if of not in TERMS]
    if len(terms) > 1 or len(quantities) > 1:
        advice = "one of estimate, lower, upper; and of a queue one quantity"
        raise ApetError(WrongCall(None, None, f"--of {options.of[-1]} is one too many", advice))
    options.quantity = quantities[0] if quantities else ""
    return terms[0] if terms else "estimate"


def _axes(texts: list[str]) -> dict[str, AskedRange | None]:
    """Names and ranges from `NAME`, `NAME=A:B` and `NAME=A..B`; `ApetError` with all errors."""
    axes: dict[str, AskedRange | None] = {}
    errors: list[Diagnostic] = []
    for text in texts:
        name, equals, rest = (part.strip() for part in text.partition("="))
        if not name or (equals and not rest):
            errors.append(bad_option("--for", text, "a name and a range are needed"))
        elif name in axes:
            errors.append(bad_option("--for", text, f"{name} is named twice"))
        else:
            try:
                axes[name] = span("--for", rest, name) if equals else None
            except ApetError as error:
                errors += error.diagnostics
    if errors:
        raise ApetError(errors)

    return axes
