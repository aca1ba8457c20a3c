"""`apet explain`: why the prediction is what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.cli import arguments

if TYPE_CHECKING:
    import argparse

SUMMARY = "say why the predicted time is what it is"
DESCRIPTION = """Say why the predicted time is what it is on one configuration: which term limits and by how much, what
changes it, and when another term takes over."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser)
    parser.add_argument("-P", "--processors", metavar="N", help="how many processors (default: all)")
    arguments.setting(parser)
    arguments.branches(parser)
    arguments.schedule(parser)
    parser.add_argument("--json", action="store_true", help="for programs: JSON")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")


def run(options: argparse.Namespace) -> None:
    """Explain one configuration."""
    from apet.backends.bounds.explain import Explainer
    from apet.cli import output
    from apet.cli.stages import advise, application_on

    processors, *others = arguments.parsed_processors(options.processors)
    if others:
        from apet.cli.mistakes import BadProcessors
        from apet.diagnostics import ApetError

        raise ApetError(BadProcessors(None, None, options.processors, "one configuration is explained at a time"))
    values = arguments.parsed_settings(options.settings)
    output.check_writable(options.output)
    app, machines = application_on(options.model, options.entry, options.machines, options.branches)
    advise(app)
    explainer = Explainer(app, machines, options.schedule)
    found = explainer.explain(processors, values)
    from apet.report.explanation_report import explanation_json, explanation_text
    from apet.report.occasion import Occasion

    occasion = Occasion(explainer.app, machines.name, machines.file, machines.network.topology, options.schedule)
    if options.json:
        from apet.cli.version import version

        output.deliver(explanation_json(occasion, found, version()), options.output)
        return
    output.deliver(explanation_text(occasion, found, output.width()), options.output)
