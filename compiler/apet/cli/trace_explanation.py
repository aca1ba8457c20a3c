"""`apet explain` of a trace: what its longest path on a platform consists of."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, arguments, explain, pictures, rules, trace_output, trace_settings
from apet.ground.activity import Activity
from apet.traces.report.critical import critical_answer

DESCRIPTION = "Show what the longest path of a trace on a platform consists of: ranks, call sites, messages, waiting."


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_settings.trace(parser)
    trace_settings.platform(parser)
    trace_settings.scales(parser, ranges=False)
    text = "rows to show of each table, those with the greatest shares (default: 12; 0: all)"
    longest = parser.add_argument("--longest", type=arguments.Whole(), default=12, metavar="N", help=text)
    rules.without(longest, "--json", "--terms")
    text = "show instead which term of the formulas limits, what would change it, and where another one takes over"
    parser.add_argument("--terms", action="store_true", help=text)
    rules.needs(pictures.option(parser, "what the terms do to the time"), "--terms")
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Walk back from the last end, print; or ask the formulas."""
    if options.terms:
        explain.run(options)
        return
    scales = trace_settings.parsed_scales(options.settings, ranges=False)
    with Activity(f"explaining {options.model}"):
        platform, hosts = trace_settings.read_platform(trace_settings.needed(options), options.hostfile, options.model)
        trace_output.warned(options.model)
        factors = {name: low for name, (low, _) in scales.everywhere.items()}
        path = api.explain_trace(options.model, platform.with_speeds(scales.hosts), hosts, factors)
        sites = api.trace_sites(options.model)
    answering.write(critical_answer(path, options.longest or None, sites), options)
