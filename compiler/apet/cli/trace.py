"""`apet trace`: time-independent MPI traces."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import NoReturn

from apet import api
from apet.api.arguments import parsed_values
from apet.cli import arguments, output, pictures, trace_output
from apet.cli.errors import BadOption
from apet.cli.version import version
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.interval import Interval
from apet.traces.report.bounds import bounds_json, bounds_text, compiled_json, compiled_text
from apet.traces.report.critical import critical_json, critical_text
from apet.traces.report.gantt import gantt_figure
from apet.traces.report.paje import paje
from apet.traces.report.replay import check_json, check_text, replay_json, replay_text

DESCRIPTION = """Work with a trace of what an MPI program computes and sends, in volumes instead of times. TRACE is a
merged file, a list of one file per rank, or a folded trace; plain or gzip."""

FACTORS = ("speed", "latency", "bandwidth")


def declare(parser: argparse.ArgumentParser) -> None:
    """One verb for each thing to do with a trace."""
    verbs = parser.add_subparsers(dest="what", metavar="VERB", required=True, parser_class=type(parser))
    for name, summary, options, runs in (
        ("replay", "run it on a platform, event by event", _replay_options, _replay),
        ("predict", "lower and upper bounds of its time on a platform", _predict_options, _predict),
        ("explain", "what its longest path on a platform is made of", _explain_options, _explain),
        ("compile", "its bounds as formulas in speed, latency and bandwidth", _compile_options, _compile),
        ("check", "find deadlocks, messages without a partner, collectives that differ", _check_options, _check),
    ):
        verb = verbs.add_parser(name, help=summary, description=f"A trace: {summary}.", allow_abbrev=False)
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


def _platform(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--platform", metavar="P", required=True, help="hosts and links: SimGrid's XML, or a machine file in TOML"
    )
    text = "hosts of ranks 0, 1, …, one per line; taken in turn (default: all hosts in their order)"
    parser.add_argument("--hostfile", metavar="H", help=text)


def _replay_options(parser: argparse.ArgumentParser) -> None:
    _platform(parser)
    parser.add_argument("--gantt", metavar="F", help="draw what the ranks do when: F.svg, F.png or F.pdf")
    parser.add_argument("--paje", metavar="F", help="write what the ranks do when as a Paje trace")
    arguments.results(parser)


def _replay(options: argparse.Namespace) -> None:
    output.check_writable(options.paje)
    pictures.check(options.gantt)
    platform, hosts = api.read_platform(options.platform, options.hostfile)
    gaps = trace_output.warned(options.trace)
    times = api.replay(options.trace, platform, hosts, segments=bool(options.gantt or options.paje))
    if options.paje is not None:
        output.write_lines(options.paje, paje(times))
    if options.gantt is not None:
        pictures.write_figure(gantt_figure(times), options.gantt)
    output.write_result(replay_json(times, gaps, version()) if options.json else replay_text(times), options.output)


def _check_options(parser: argparse.ArgumentParser) -> None:
    arguments.results(parser)


def _check(options: argparse.Namespace) -> int:
    report = api.check_trace(options.trace)
    output.write_result(check_json(report, version()) if options.json else check_text(report), options.output)
    return 2 if any(f.fatal for f in report.findings) else 0


def _predict_options(parser: argparse.ArgumentParser) -> None:
    _platform(parser)
    text = "multiply speed, latency or bandwidth of the whole platform; a range A..B takes the worst and the best of it"
    parser.add_argument("--set", metavar="NAME=X", action="append", default=[], dest="settings", help=text)
    arguments.results(parser)


def _predict(options: argparse.Namespace) -> None:
    scales = _scales(options.settings)
    platform, hosts = api.read_platform(options.platform, options.hostfile)
    gaps = trace_output.warned(options.trace)
    trace = api.flat_trace(options.trace)
    compiled = api.compile_trace(trace, platform, hosts)

    # Of one platform alone, bounds from its own links are narrower than those of the formulas.
    bounds = compiled.at(scales)
    if all(low == high for low, high in scales.values()):
        one = platform.scaled(**{name: low for name, (low, _) in scales.items()})
        bounds = bounds.within(api.trace_bounds(trace, one, hosts))
    text = bounds_json(compiled, bounds, gaps, version()) if options.json else bounds_text(compiled, bounds, scales)
    output.write_result(text, options.output)


def _scales(settings: list[str], ranges: bool = True) -> dict[str, tuple[float, float]]:
    """Ranges of the factors that were set; single values if there may be no ranges."""
    scales = {}
    for name, value in parsed_values(arguments.parsed_settings(settings)).items():
        if name not in FACTORS:
            reason = f"a platform has no such figure{nearest(name, FACTORS)}"
            _refuse_scale(
                name,
                reason,
                f"one of {', '.join(FACTORS)}, as a multiple of what the platform file says: --set bandwidth=0.5..2",
            )
        low, high = (value.lo, value.hi) if isinstance(value, Interval) else (value, value)
        if not 0 < low <= high:
            advice = f"1 is the platform as it is: --set {name}=2, or a range: --set {name}=0.5..2"
            _refuse_scale(f"{name}={value}", "it should be above 0", advice)

        low, high = float(low), float(high)
        if low < high and not ranges:
            advice = f"ask for both: --set {name}={low:g}, then --set {name}={high:g}"
            _refuse_scale(f"{name}={low:g}..{high:g}", "the longest path is that for one value", advice)
        scales[name] = low, high
    return scales


def _refuse_scale(value: str, reason: str, advice: str) -> NoReturn:
    raise ApetError(BadOption(None, None, "--set", value, reason, advice))


def _explain_options(parser: argparse.ArgumentParser) -> None:
    _platform(parser)
    text = "multiply speed, latency or bandwidth of the whole platform"
    parser.add_argument("--set", metavar="NAME=X", action="append", default=[], dest="settings", help=text)
    text = "rows to show of each table, those with the greatest shares (default: 12; 0: all)"
    parser.add_argument("--longest", type=int, default=12, metavar="N", help=text)
    arguments.results(parser)


def _explain(options: argparse.Namespace) -> None:
    scales = _scales(options.settings, ranges=False)
    platform, hosts = api.read_platform(options.platform, options.hostfile)
    trace_output.warned(options.trace)
    path = api.explain_trace(options.trace, platform, hosts, {name: low for name, (low, _) in scales.items()})
    longest = options.longest if options.longest > 0 else None
    sites = api.trace_sites(options.trace)
    text = critical_json(path, version(), sites) if options.json else critical_text(path, longest, sites)
    output.write_result(text, options.output)


def _compile_options(parser: argparse.ArgumentParser) -> None:
    _platform(parser)
    parser.add_argument("--emit", choices=("text", "python", "latex"), default="text", help="how (default: text)")
    text = "fold maxima of more terms in text (default: 12; 0: never)"
    parser.add_argument("--longest", type=int, default=12, metavar="N", help=text)
    arguments.results(parser)


def _compile(options: argparse.Namespace) -> None:
    platform, hosts = api.read_platform(options.platform, options.hostfile)
    trace_output.warned(options.trace)
    compiled = api.compile_trace(api.flat_trace(options.trace), platform, hosts)
    if options.json:
        text = compiled_json(compiled, api.fold_trace(options.trace), version())
    elif options.emit == "python":
        text = compiled.lower.python("lower") + "\n\n" + compiled.upper.python("upper")
    elif options.emit == "latex":
        text = f"{compiled.lower.latex()}\n\n{compiled.upper.latex()}\n"
    else:
        text = compiled_text(compiled, api.fold_trace(options.trace), options.longest or None)

    output.write_result(text, options.output)
