"""`apet export` of a job log: as the neutral log, without names, or as a model in PAMELA-E."""

from __future__ import annotations

import argparse

from apet.cli import answering, arguments, jobs, output, rules
from apet.cli.version import version
from apet.ground.diagnostics import ApetError
from apet.ground.notation import BadOption
from apet.joblogs.read.neutral import neutral_text, sized_text
from apet.joblogs.report.pamela import pamela_text

DESCRIPTION = """Write a job log as the neutral log of APET, as one without names (structure and durations only), or as
a model in PAMELA-E."""
FORMS = ("json", "anonymous", "pamela")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    jobs.logs(parser)
    text = "json: the neutral log (default); anonymous: without names; pamela: a model"
    parser.add_argument("--as", choices=FORMS, default="json", dest="form", help=text)
    arguments.setting(parser)
    rules.needs(parser._option_string_actions["--set"], "--as pamela")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")


def run(options: argparse.Namespace) -> None:
    """Read, write."""
    output.check_writable(options.output)
    sizes, (first, *others) = jobs.questions(options)
    if options.form == "pamela":
        question = first.with_sizes(others, sizes) if sizes else first
        changed, unused = jobs.changed_by(options, question)
        if unused:
            advice = "it is no change of the job: ask apet predict for it"
            raise ApetError([BadOption(None, None, "--set", name, "it has no effect", advice) for name in unused])
        text = pamela_text(changed.log, changed.work, version())
    elif sizes:
        text = sized_text(sizes, [first.log, *(other.log for other in others)])
    else:
        text = neutral_text(first.log, anonymous=options.form == "anonymous")
    answering.write_text(text, options, "a log or model")
