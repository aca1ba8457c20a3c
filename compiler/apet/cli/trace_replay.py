"""`apet simulate`: one run of a trace, or a table of its runs on many platforms."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet import api
from apet.api.errors import NoPlatform
from apet.cli import answering, arguments, output, pictures, trace_output, trace_settings
from apet.cli.errors import bad_option
from apet.cli.trace_settings import Scales
from apet.ground.diagnostics import ApetError
from apet.ground.records import NamedTuple
from apet.traces.critical.efficiency import Efficiency, efficiency, ideal
from apet.traces.report.gantt import gantt_figure
from apet.traces.report.paje import paje
from apet.traces.report.replay import replay_answer
from apet.traces.trace import Gap, JobTimes, Replayed

DESCRIPTION = """Replay a trace on platforms, event by event: one run, or a table over platforms and multiples of their
figures."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_settings.trace(parser)
    text = "hosts and links: SimGrid's XML, or a machine file in TOML; several make a table"
    parser.add_argument("--platform", metavar="P", action="append", default=[], help=f"{text} (required)")
    text = "hosts of ranks 0, 1, …, one per line, used in turn (default: all hosts in order); one for all"
    text += " platforms, or one for each"
    parser.add_argument("--hostfile", metavar="H", action="append", default=[], help=text)
    trace_settings.scales(parser, ranges=False)
    trace_settings.jobs(parser)
    text = "also the tree of efficiencies (POP): load balance, serialization, transfer; a second replay, on a network"
    parser.add_argument("--efficiency", action="store_true", help=f"{text} that takes no time")
    parser.add_argument("--gantt", metavar="F", help="draw what the ranks do when: F.svg, F.png or F.pdf")
    parser.add_argument("--paje", metavar="F", help="write what the ranks do when as a Paje trace")

    text = "a table over multiples of the platforms' speed, latency or bandwidth: bandwidth=1:64:2x; may be repeated"
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUES", help=text)
    text = "use the bounds by formulas instead of a replay if they are within this share of each other: 1%%"
    parser.add_argument("--tolerance", dest="within", metavar="X", help=text)
    text = "continue an interrupted table into this file"
    parser.add_argument("--resume", action="store_true", help=text)
    arguments.engine(parser, "number of replays at a time (default: one for each core)")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file; a table to F.csv or F.parquet")


def run(options: argparse.Namespace) -> int | None:
    """Replay once, or for each row of a table."""
    if not options.platform:
        raise ApetError(NoPlatform(None, None, options.model))
    if len(options.platform) > 1 or options.vary:
        if options.efficiency:
            raise ApetError(bad_option("--efficiency", "", "a table has run times only"))
        for option in ("job", "settings"):
            if getattr(options, option):
                name = {"settings": "--set"}.get(option, "--job")
                raise ApetError(bad_option(name, getattr(options, option)[0], "a table has --vary, and one job"))
        from apet.cli import trace_table

        return trace_table.run(options)
    for option in ("within", "resume", "scheduler", "workers", "engine"):
        if getattr(options, option) not in (None, False, "local"):
            reason = "it is for a table: several platforms, or --vary"
            name = {"within": "tolerance", "scheduler": "dask"}.get(option, option)
            raise ApetError(bad_option(f"--{name}", str(getattr(options, option)), reason))

    output.check_writable(options.output)
    output.check_writable(options.paje)
    pictures.check(options.gantt)
    scales = trace_settings.parsed_scales(options.settings, ranges=False)
    result = _replayed(options, scales)
    if options.paje is not None:
        output.write_lines(options.paje, paje(result.times))
    if options.gantt is not None:
        pictures.write_figure(gantt_figure(result.times, result.sites), options.gantt)
    answering.write(replay_answer(result.times, result.gaps, result.jobs, result.lost), options)
    return None


class TraceRun(NamedTuple):
    """A run, what each of several jobs takes in it and alone, what the traces lack, and by segment the call site."""

    times: Replayed
    jobs: Sequence[JobTimes]
    gaps: Sequence[Gap]
    sites: Sequence[str] = ()
    lost: Efficiency | None = None


def _replayed(options: argparse.Namespace, scales: Scales) -> TraceRun:
    segments = bool(options.gantt or options.paje)
    file, hostfile = options.platform[0], options.hostfile[0] if options.hostfile else None
    factors = {name: low for name, (low, _) in scales.everywhere.items()}

    if not options.job:
        platform, hosts = trace_settings.read_platform(file, hostfile, options.model)
        gaps = trace_output.warned(options.model)
        platform = platform.scaled(**factors).with_speeds(scales.hosts)
        sites: Sequence[str] = ()
        if options.gantt:
            times, sites = api.replay_by_site(options.model, platform, hosts)
        else:
            times = api.replay(options.model, platform, hosts, segments=segments)
        lost = efficiency(times, api.replay(options.model, ideal(platform), hosts)) if options.efficiency else None
        return TraceRun(times, (), gaps, sites, lost)

    placed = trace_settings.placed(options, file, hostfile, scales.hosts)
    platform, jobs = placed.platform.scaled(**factors), list[JobTimes]()
    times, first = api.replay(placed.all, platform, placed.places, segments=segments), 0
    for trace, own in zip(placed.traces, placed.hosts, strict=True):
        together = max((rank.end_s for rank in times.ranks[first : first + len(own)]), default=0.0)
        jobs.append(JobTimes(trace.name, first, len(own), together, api.replay(trace, platform, own).makespan_s))
        first += len(own)
    lost = efficiency(times, api.replay(placed.all, ideal(platform), placed.places)) if options.efficiency else None
    return TraceRun(times, jobs, placed.gaps, (), lost)
