"""`apet trace`: time-independent MPI traces."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from importlib import import_module

from apet import api
from apet.cli import arguments, output, trace_output, trace_replay, trace_settings
from apet.cli.version import version
from apet.ground.activity import Activity
from apet.traces.report.bounds import bounds_json, bounds_text, compiled_json, compiled_text
from apet.traces.report.critical import critical_json, critical_text
from apet.traces.report.replay import check_json, check_text
from apet.traces.trace import TraceBounds

DESCRIPTION = """Work with a trace of what an MPI program computes and sends, in volumes instead of times. TRACE is a
merged file, a list of one file per rank, or a folded trace; plain or gzip."""


def declare(parser: argparse.ArgumentParser) -> None:
    """One verb for each thing to do with a trace."""
    verbs = parser.add_subparsers(dest="what", metavar="VERB", required=True, parser_class=type(parser))
    for name, summary, options, runs in (
        ("replay", "replay a trace on platforms, event by event", trace_replay.declare, trace_replay.run),
        ("predict", "compute lower and upper bounds of the run time on a platform", _predict_options, _predict),
        ("explain", "show what the longest path on a platform consists of", _explain_options, _explain),
        ("compile", "print the bounds as formulas in speed, latency and bandwidth", _compile_options, _compile),
        ("check", "find deadlocks, messages without a partner, collectives that differ", _check_options, _check),
    ):
        verb = verbs.add_parser(
            name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.", allow_abbrev=False
        )
        verb.add_argument("trace", metavar="TRACE", help="a trace, or a list of its files")
        options(verb)
        verb.set_defaults(perform=runs)

    for name in ("acquire", "cc", "score", "calibrate", "convert", "fold", "extrapolate"):
        module = import_module(f"apet.cli.trace_{name}")
        verb = verbs.add_parser(name, help=module.SUMMARY, description=module.DESCRIPTION, allow_abbrev=False)
        module.declare(verb)
        verb.set_defaults(perform=module.run)


def run(options: argparse.Namespace) -> int | None:
    """Do what the verb says."""
    perform: Callable[[argparse.Namespace], int | None] = options.perform
    with Activity(f"{options.what} of {getattr(options, 'trace', 'a trace')}"):
        return perform(options)


def _check_options(parser: argparse.ArgumentParser) -> None:
    arguments.results(parser)


def _check(options: argparse.Namespace) -> int:
    report = api.check_trace(options.trace)
    output.write_result(check_json(report, version()) if options.json else check_text(report), options.output)
    return 2 if any(f.fatal for f in report.findings) else 0


MOST_COUNTED = 1_000_000
"""Actions of a trace whose formulas `predict --json` makes only to say how long they are."""


def _predict_options(parser: argparse.ArgumentParser) -> None:
    trace_settings.platform(parser)
    trace_settings.scales(parser, ranges=True)
    trace_settings.jobs(parser)
    arguments.results(parser)


def _predict(options: argparse.Namespace) -> None:
    scales = trace_settings.parsed_scales(options.settings)
    placed = trace_settings.placed(options, options.platform, options.hostfile, scales.hosts)
    trace, platform = placed.all, placed.platform
    scales = scales.within(platform.ranges)
    low, high = scales.everywhere.get("speed", (1.0, 1.0))
    others = {name: ends for name, ends in scales.everywhere.items() if name != "speed"}

    # formulas are wider: only where latency or bandwidth is a range, or where counting their terms takes a moment
    bounds, terms = TraceBounds(0.0, math.inf), None
    counted = options.json and trace.events <= MOST_COUNTED
    if counted or any(least < most for least, most in others.values()):
        compiled = api.compile_trace(trace, platform, placed.places)
        bounds, terms = compiled.at(scales.everywhere), compiled.terms

    # for one latency and bandwidth; speeds may vary in time and by host
    if all(least == most for least, most in others.values()):
        one = platform.scaled(**{name: least for name, (least, _) in others.items()})
        one = one.with_speeds({host.name: (low, high) for host in one.hosts})
        bounds = bounds.within(api.trace_bounds(trace, one, placed.places))

    names = trace.name, platform.name
    text = bounds_text(*names, bounds, scales.shown)
    if options.json:
        text = bounds_json(*names, terms, bounds, placed.gaps, version())
    output.write_result(text, options.output)


def _explain_options(parser: argparse.ArgumentParser) -> None:
    trace_settings.platform(parser)
    trace_settings.scales(parser, ranges=False)
    text = "rows to show of each table, those with the greatest shares (default: 12; 0: all)"
    parser.add_argument("--longest", type=arguments.Whole(), default=12, metavar="N", help=text)
    arguments.results(parser)


def _explain(options: argparse.Namespace) -> None:
    scales = trace_settings.parsed_scales(options.settings, ranges=False)
    platform, hosts = api.read_platform(options.platform, options.hostfile)
    trace_output.warned(options.trace)
    factors = {name: low for name, (low, _) in scales.everywhere.items()}
    path = api.explain_trace(options.trace, platform.with_speeds(scales.hosts), hosts, factors)
    longest = options.longest if options.longest > 0 else None
    sites = api.trace_sites(options.trace)
    text = critical_json(path, version(), sites) if options.json else critical_text(path, longest, sites)
    output.write_result(text, options.output)


def _compile_options(parser: argparse.ArgumentParser) -> None:
    trace_settings.platform(parser)
    parser.add_argument("--emit", choices=("text", "python", "latex"), default="text", help="how (default: text)")
    text = "fold maxima of more terms in text (default: 12; 0: never)"
    parser.add_argument("--longest", type=arguments.Whole(), default=12, metavar="N", help=text)
    arguments.results(parser)


def _compile(options: argparse.Namespace) -> None:
    platform, hosts = api.read_platform(options.platform, options.hostfile)
    trace_output.warned(options.trace)
    compiled = api.compile_trace(api.flat_trace(options.trace), platform, hosts)
    if options.json:
        text = compiled_json(compiled, api.fold_trace(options.trace, sizes_aside=True), version())
    elif options.emit == "python":
        text = compiled.lower.python("lower") + "\n\n" + compiled.upper.python("upper")
    elif options.emit == "latex":
        text = f"{compiled.lower.latex()}\n\n{compiled.upper.latex()}\n"
    else:
        text = compiled_text(compiled, api.fold_trace(options.trace, sizes_aside=True), options.longest or None)

    output.write_result(text, options.output)
