"""`apet compare`: two models, two machine models, or two values, side by side."""

from __future__ import annotations

import argparse

from apet import api
from apet.api.any_file import needs_no_machines
from apet.api.errors import TWO_SIDES
from apet.api.kinds import MODEL
from apet.api.on_machines import Subject
from apet.cli import answering, arguments, pictures
from apet.cli.errors import WrongCall
from apet.cli.loading import advise, target_of
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.notation import assignment, span
from apet.questions.compare.report import comparison_answer

DESCRIPTION = """Compare two models on one machine model, one model on two, or one with two values of a parameter: both
predictions for each number of processors, which is faster by estimate and by bounds, and where that changes."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    text = "one or two PAMELA-E files, measured runs, queueing networks or traces, or names of shipped samples"
    parser.add_argument("models", metavar="MODEL", nargs="+", help=text)
    arguments.entry(parser)
    if arguments.takes(parser, MODEL):
        text = "one or two machine files (TOML), or names of shipped ones"
        text += "; runs, queues and traces need none"
        parser.add_argument("--machines", "-m", metavar="M", action="append", default=[], help=text)
    arguments.formulas(parser)

    text = "a value for the second prediction only: n=1e9; may be repeated"
    parser.add_argument("--with", action="append", default=[], metavar="NAME=VALUE", dest="changes", help=text)
    text = "which side is faster as a parameter, an operation's time or a figure of the network varies: n=1..1e9"
    parser.add_argument("--vary", metavar="NAME=A..B", help=text + " (for the greatest -P)")

    text = "how many processors: 2,4,8 or 2:32:2 or 2:32:2x (default: 1, 2, 4, … and all that both have)"
    arguments.configuration(parser, text)
    pictures.option(parser, "both times against P and the varied parameter")
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Compare and print."""
    _check(options)
    processors = arguments.parsed_processors(options.processors)
    wanted = None if options.processors is None else [p for p in processors if p is not None]
    vary = _varied(options.vary)
    first, second = _sides(options)
    comparison = api.compare(
        first,
        second,
        wanted,
        values=arguments.parsed_settings(options.settings),
        schedule=options.schedule,
        changes=arguments.parsed_settings(options.changes),
        vary=vary,
        titles=_titles(options, first, second),
    )

    answering.write(comparison_answer(comparison), options)


def _check(options: argparse.Namespace) -> None:
    """There are two of something, and not three."""
    models, machines = len(options.models), len(options.machines)
    reason = ""
    if max(models, machines) > 2:
        reason = "more than two are given"
    elif max(models, machines) == 1 and not options.changes:
        reason = "there is nothing to compare with"
    if reason:
        raise ApetError(WrongCall(None, None, reason, TWO_SIDES))


def _varied(text: str | None) -> tuple[str, Number, Number] | None:
    """The name and the range of `--vary`; `ApetError` where it is none."""
    if text is None:
        return None

    name, ends = assignment("--vary", text, "a range")
    return name, *span("--vary", ends, name)


def _sides(options: argparse.Namespace) -> tuple[Subject, Subject]:
    """Both sides; machine models belong to models of processes, in turn."""
    models = [options.models[k % len(options.models)] for k in (0, 1)]
    closed = [needs_no_machines(model) for model in models]
    machines: list[str | None] = [None, None]
    if all(closed) and options.machines:
        machines = [options.machines[0], None]  # refused as for every verb
    elif options.machines:
        turns = iter(options.machines * 2)
        machines = [None if each else next(turns) for each in closed]
    cores = arguments.cores_needed(options)
    sides = [target_of(options, model, on, cores) for model, on in zip(models, machines, strict=True)]
    for app, _ in sides[: len(options.models)]:
        advise(app)

    return sides[0], sides[1]


def _titles(options: argparse.Namespace, first: Subject, second: Subject) -> tuple[str, str]:
    """`pi.pam on JoiN`; the path where both models have one name, and what the second has of its own."""
    names = [first[0].name, second[0].name]
    if len(options.models) == 2 and names[0] == names[1]:
        names = options.models
    titles = [
        app.title(machines.name if machines else "").replace(app.name, name, 1)
        for name, (app, machines) in zip(names, (first, second), strict=True)
    ]
    changes = f" with {', '.join(options.changes)}" if options.changes else ""
    return titles[0], titles[1] + changes
