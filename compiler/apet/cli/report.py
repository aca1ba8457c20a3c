"""`apet report`: one self-contained page about a prediction."""

from __future__ import annotations

import argparse
import os

from apet import api
from apet.api.reports import pictures_of
from apet.cli import arguments, loading, output
from apet.ground.activity import Activity

DESCRIPTION = """Write one page that opens in any browser without a network: predictions with sliders, formulas, what
limits and why, the model with the work of each line, assumptions, and where every number comes from."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser)
    text = "table rows: 2,4,8 or 2:32:2x (default: 1, 2, 4, … and all); the last one is explained"
    arguments.configuration(parser, text)
    parser.add_argument("--title", metavar="TEXT", help="the title of the page (default: model and machines)")
    parser.add_argument("-o", "--output", metavar="F", help="the page (default: MODEL.html in this directory)")


def run(options: argparse.Namespace) -> None:
    """Predict, explain, write the page."""
    counts = arguments.parsed_processors(options.processors)
    path = options.output or _usual_name(options.model)
    output.check_writable(path)
    app, machines = loading.load_target(options)
    values = arguments.parsed_settings(options.settings)
    loading.advise(app)
    processors = None if counts == [None] else [p for p in counts if p is not None]
    with Activity(f"drawing what is in {options.model}"):
        extra = (
            []
            if app.on_machines
            else pictures_of(options.model, loading.source_options(options) | loading.changes(options, options.model))
        )
    text = api.report_page(
        app, machines, processors, values=values, schedule=options.schedule, title=options.title, extra=extra
    )
    output.write_result(text, path)

    if path != "-":
        output.show(f"{path}: {len(text) / 1000:.0f} kB")


def _usual_name(model: str) -> str:
    return f"{os.path.splitext(os.path.basename(model))[0] or 'report'}.html"
