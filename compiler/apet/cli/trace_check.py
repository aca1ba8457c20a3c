"""`apet check` of a trace: deadlocks, messages without a partner, collectives that differ."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, arguments, trace_settings
from apet.ground.activity import Activity
from apet.traces.report.replay import check_answer

DESCRIPTION = """Find deadlocks, messages without a partner, and collectives that differ between ranks of a trace. The
exit status is 2 if there are errors."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_settings.trace(parser)
    arguments.results(parser)


def run(options: argparse.Namespace) -> int:
    """Check, print; 2 if there are errors."""
    with Activity(f"checking {options.model}"):
        report = api.check_trace(options.model)
    answering.write(check_answer(report), options)
    return 2 if any(f.fatal for f in report.findings) else 0
