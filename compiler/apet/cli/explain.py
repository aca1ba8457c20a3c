"""`apet explain`: why the prediction is what it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from apet.cli import arguments, pictures

if TYPE_CHECKING:
    import argparse

    from apet.questions.explain.explanation import Explanation
    from apet.show.context import PredictionContext

DESCRIPTION = """Say why the predicted time is what it is on one configuration: which term limits and by how much, what
changes it, and when another term takes over."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser)
    parser.add_argument("-P", "--processors", metavar="N", help="how many processors (default: all)")
    arguments.setting(parser)
    arguments.branches(parser)
    arguments.schedule(parser)
    text = "Sobol' indices of T at its intervals, from N samples per input (a power of 2, default: 256)"
    parser.add_argument("--sobol", metavar="N", nargs="?", const="256", help=text)
    parser.add_argument("--seed", metavar="S", default="0", help="of the samples of --sobol (default: 0)")
    pictures.option(parser, "what each interval does to the time, and what the time is made of")
    parser.add_argument("--json", action="store_true", help="for programs: JSON")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")


def run(options: argparse.Namespace) -> None:
    """Explain one configuration."""
    from apet.cli import output
    from apet.cli.stages import advise, subject
    from apet.questions.explain.explain import Explainer

    processors, *others = arguments.parsed_processors(options.processors)
    if others:
        from apet.cli.errors import BadProcessors
        from apet.ground.diagnostics import ApetError

        raise ApetError(BadProcessors(None, None, options.processors, "one configuration is explained at a time"))
    values = arguments.parsed_settings(options.settings)
    samples = None if options.sobol is None else arguments.whole("--sobol", options.sobol)
    seed = arguments.whole("--seed", options.seed)
    output.check_writable(options.output)
    pictures.check(options.plot)
    found = subject(options)
    app, machines = found
    advise(app)
    (processors,), values = found.processors([processors]), found.values(values)
    explainer = Explainer(app, machines, options.schedule)
    explained = explainer.explain(processors, values)
    if samples is not None:
        explained = replace(explained, indices=explainer.indices(processors, values, samples, seed))
    from apet.show.context import PredictionContext

    occasion = PredictionContext.of(explainer)
    if options.plot:
        _draw(options.plot, occasion, explained)
    output.deliver(_text(options, occasion, explained), options.output)


def _text(options: argparse.Namespace, occasion: PredictionContext, found: Explanation) -> str:
    if options.json:
        from apet.cli.version import version
        from apet.questions.explain.json_form import explanation_json

        return explanation_json(occasion, found, version())
    from apet.cli.output import width
    from apet.questions.explain.text import explanation_text

    return explanation_text(occasion, found, width())


def _draw(path: str, occasion: PredictionContext, found: Explanation) -> None:
    from apet.questions.explain.plots import explanation_figure

    title = f"{occasion.title}, P = {found.parameters['P']}" if occasion.has_processors else occasion.title
    pictures.deliver(explanation_figure(found, title), path)
