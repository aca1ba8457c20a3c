"""`apet predict`: how long the program takes on configurations of a machine model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.cli import arguments

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from apet.analysis import Application
    from apet.prediction import Prediction
    from apet.report.occasion import Occasion

SUMMARY = "predict the run time on a machine model"
DESCRIPTION = """Predict the run time on configurations of a machine model: an estimate, a guaranteed interval, and what
limits."""
PICTURES = (".svg", ".png", ".pdf")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser)
    text = "how many processors: 2,4,8 or 2:32:2 (step) or 2:32:2x (factor); the fastest are taken (default: all)"
    parser.add_argument("-P", "--processors", metavar="N", help=text)
    arguments.setting(parser)
    arguments.branches(parser)
    arguments.schedule(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="for programs: JSON")
    form.add_argument("--csv", action="store_true", help="for spreadsheets: comma-separated values")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")
    parser.add_argument("--plot", metavar="F", help="draw the intervals: F.svg, F.png or F.pdf")


def run(options: argparse.Namespace) -> None:
    """Predict, then show everything at once: no half of a table."""
    from apet import driver
    from apet.cli import output
    from apet.cli.stages import advise, application_on

    processors = arguments.parsed_processors(options.processors)
    values = arguments.parsed_settings(options.settings)
    output.check_writable(options.output)
    _check_picture(options.plot)
    app, machines = application_on(options.model, options.entry, options.machines, options.branches)
    advise(app)
    predictor = driver.predictor(app, machines, options.schedule)
    predictions = [predictor.predict(p, values) for p in processors]
    from apet.report.occasion import Occasion

    occasion = Occasion(predictor.app, machines.name, machines.file, machines.network.topology, options.schedule)
    if options.plot:
        _draw(options.plot, occasion, predictions)
    output.deliver(_text(options, occasion, predictions, tuple(values)), options.output)


def _text(
    options: argparse.Namespace, occasion: Occasion, predictions: Sequence[Prediction], varied: tuple[str, ...]
) -> str:
    if options.json:
        from apet.cli.version import version
        from apet.report.prediction_json import predictions_json

        return predictions_json(occasion, predictions, version())
    if options.csv:
        from apet.report.prediction_csv import predictions_csv

        return predictions_csv(predictions, varied)
    from apet.cli.output import width
    from apet.report.prediction_text import predictions_text

    return predictions_text(occasion, predictions, width(), _hints(options, occasion.app))


def _hints(options: argparse.Namespace, app: Application) -> list[str]:
    from apet.cli.stages import branches_matter

    hints = []
    if branches_matter(app):
        hints.append(BRANCH_NOTES[app.setting.branches])
    if not options.plot:
        hints.append(f"To plot: --plot {app.name.rpartition('.')[0] or app.name}.svg")
    return hints


BRANCH_NOTES = {
    "probability": "The estimate is an expectation: branches weigh by their probability. What is guaranteed holds for "
    "every way through them.",
    "average": "The estimate is an expectation: each side of a branch weighs one half. What is guaranteed holds for "
    "every way through them.",
    "best": "The estimate takes the better side of every branch. What is guaranteed holds for every way through them.",
    "worst": "The estimate takes the worse side of every branch. What is guaranteed holds for every way through them.",
}


def _check_picture(path: str | None) -> None:
    if path is None:
        return
    if not path.lower().endswith(PICTURES):
        from apet.cli.mistakes import UnknownPicture
        from apet.diagnostics import ApetError

        raise ApetError(UnknownPicture(None, None, path, ", ".join(PICTURES)))
    from apet.cli.output import check_writable

    check_writable(path)


def _draw(path: str, occasion: Occasion, predictions: Sequence[Prediction]) -> None:
    from apet.cli.output import write_file
    from apet.report.plots import interval_figure, save

    figure = interval_figure(predictions, f"{occasion.app.name} on {occasion.machines}")
    write_file(path, lambda temporary: save(figure, temporary))
