"""`apet trace replay`: one run of a trace, or a table of its runs on many platforms."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import arguments, output, pictures, trace_output
from apet.cli.errors import bad_option
from apet.cli.version import version
from apet.ground.diagnostics import ApetError
from apet.traces.report.gantt import gantt_figure
from apet.traces.report.paje import paje
from apet.traces.report.replay import replay_json, replay_text


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb, but for the trace."""
    text = "hosts and links: SimGrid's XML, or a machine file in TOML; several make a table"
    parser.add_argument("--platform", metavar="P", nargs="+", required=True, help=text)
    text = "hosts of ranks 0, 1, …, one per line; taken in turn (default: all hosts in their order); one for all"
    text += " platforms, or one for each"
    parser.add_argument("--hostfile", metavar="H", nargs="+", default=[], help=text)
    parser.add_argument("--gantt", metavar="F", help="draw what the ranks do when: F.svg, F.png or F.pdf")
    parser.add_argument("--paje", metavar="F", help="write what the ranks do when as a Paje trace")

    text = "a table over multiples of the platforms' speed, latency or bandwidth: bandwidth=1:64:2x; may be repeated"
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUES", help=text)
    text = "take the bounds by formulas instead of a replay where they lie within this share of each other: 1%%"
    parser.add_argument("--within", metavar="X", help=text)
    text = "go on with a table into this file that was interrupted"
    parser.add_argument("--resume", action="store_true", help=text)
    arguments.engine(parser, "how many replays at a time (default: one for each core)")
    parser.add_argument("--json", action="store_true", help="for programs: JSON")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file; a table to F.csv or F.parquet")


def run(options: argparse.Namespace) -> int | None:
    """Replay once, or for each row of a table."""
    if len(options.platform) > 1 or options.vary:
        from apet.cli import trace_table

        return trace_table.run(options)
    for option in ("within", "resume", "scheduler", "workers"):
        if getattr(options, option):
            reason = "it is for a table: several platforms, or --vary"
            raise ApetError(bad_option(f"--{option}", str(getattr(options, option)), reason))

    output.check_writable(options.output)
    output.check_writable(options.paje)
    pictures.check(options.gantt)
    platform, hosts = api.read_platform(options.platform[0], options.hostfile[0] if options.hostfile else None)
    gaps = trace_output.warned(options.trace)
    times = api.replay(options.trace, platform, hosts, segments=bool(options.gantt or options.paje))
    if options.paje is not None:
        output.write_lines(options.paje, paje(times))
    if options.gantt is not None:
        pictures.write_figure(gantt_figure(times), options.gantt)
    output.write_result(replay_json(times, gaps, version()) if options.json else replay_text(times), options.output)
    return None
