"""What several verbs of `apet trace` take: a platform, multiples of its figures, and further jobs on it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from apet import api
from apet.api.arguments import parsed_values
from apet.api.errors import NoPlatform
from apet.cli import arguments, output, trace_output
from apet.ground.diagnostics import ApetError, nearest, render
from apet.ground.interval import Interval
from apet.ground.notation import BadOption
from apet.ground.records import NamedTuple
from apet.traces.platform.errors import UnusedOptions
from apet.traces.platform.platform import Platform
from apet.traces.replay.program import LoweredTrace
from apet.traces.trace import Gap

FACTORS = ("speed", "latency", "bandwidth")
Ends = tuple[float, float]
OF_HOST = re.compile(r"speed\[(.+)\]")


def trace(parser: argparse.ArgumentParser) -> None:
    """The trace."""
    parser.add_argument("model", metavar="TRACE", help="a trace, or a list of its files; or the name of a sample")


def needed(options: argparse.Namespace) -> str:
    """The platform of a call; `ApetError` where none is named."""
    if options.platform is None:
        raise ApetError(NoPlatform(None, None, options.model))
    return str(options.platform)


def platform(parser: argparse.ArgumentParser) -> None:
    """One platform, and the hosts of ranks."""
    text = "hosts and links: SimGrid's XML, or a machine file in TOML (required)"
    parser.add_argument("--platform", metavar="P", help=text)
    text = "hosts of ranks 0, 1, …, one per line, used in turn (default: all hosts in order)"
    parser.add_argument("--hostfile", metavar="H", help=text)


def scales(parser: argparse.ArgumentParser, ranges: bool) -> None:
    """Multiples of what the platform file says."""
    text = "multiply speed, latency or bandwidth of the whole platform, or the speed of one host: speed[node-3]=0.5"
    text += "; a range A..B takes the worst and the best of it" if ranges else ""
    parser.add_argument("--set", metavar="NAME=X", action="append", default=[], dest="settings", help=text)


def jobs(parser: argparse.ArgumentParser) -> None:
    """What runs at the same time."""
    text = "another trace that runs at the same time, and the host file of its ranks; may be repeated"
    parser.add_argument("--job", metavar="TRACE:HOSTS", action="append", default=[], help=text)


class Scales(NamedTuple):
    """Multiples of the platform's figures, each from the least to the greatest, above 0."""

    everywhere: dict[str, Ends]  #: by "speed", "latency", "bandwidth"
    hosts: dict[str, Ends]  #: of speed, by the name of the host

    def within(self, ranges: Mapping[str, Ends]) -> Scales:
        """The same where the platform was measured: what was not set has the spread of its measurements."""
        return Scales({name: ends for name, ends in ranges.items() if ends != (1, 1)} | self.everywhere, self.hosts)

    @property
    def shown(self) -> dict[str, Ends]:
        """As the headings of reports have them."""
        return self.everywhere | {f"speed[{host}]": ends for host, ends in self.hosts.items()}


def parsed_scales(settings: Sequence[str], ranges: bool = True) -> Scales:
    """What was set; single values if there may be no ranges. `ApetError`."""
    scales = Scales({}, {})
    for name, value in parsed_values(arguments.parsed_settings(settings)).items():
        host = OF_HOST.fullmatch(name)
        if name not in FACTORS and host is None:
            reason = f"a platform has no such figure{nearest(name, FACTORS)}"
            form = f"one of {', '.join(FACTORS)}, as a multiple of what the platform file says: --set bandwidth=0.5..2"
            _refuse(name, reason, f"{form}; speed[HOST] of one host")
        low, high = (value.lo, value.hi) if isinstance(value, Interval) else (value, value)
        if not 0 < low <= high:
            advice = f"1 is the platform as it is: --set {name}=2, or a range: --set {name}=0.5..2"
            _refuse(f"{name}={value}", "it should be above 0", advice)

        low, high = float(low), float(high)
        if low < high and not ranges:
            advice = f"ask for both: --set {name}={low:g}, then --set {name}={high:g}"
            _refuse(f"{name}={low:g}..{high:g}", "there is one run for one value", advice)
        (scales.everywhere if host is None else scales.hosts)[name if host is None else host[1]] = low, high
    return scales


def _refuse(value: str, reason: str, advice: str) -> NoReturn:
    raise ApetError(BadOption(None, None, "--set", value, reason, advice))


class PlacedTraces(NamedTuple):
    """A trace, or several at the same time, on a platform."""

    traces: tuple[LoweredTrace, ...]
    platform: Platform
    hosts: tuple[tuple[int, ...], ...]  #: by trace those of its ranks
    gaps: tuple[Gap, ...]  #: what the traces lack

    @property
    def all(self) -> LoweredTrace:
        """The trace of all."""
        return api.side_by_side(self.traces) if len(self.traces) > 1 else self.traces[0]

    @property
    def places(self) -> tuple[int, ...]:
        """The hosts of all ranks."""
        return tuple(host for hosts in self.hosts for host in hosts)


def read_platform(path: str, hostfile: str | None, trace: str) -> tuple[Platform, list[int]]:
    """A platform and the hosts of a trace's ranks, after a warning of options that change nothing. `ApetError`."""
    platform, hosts = api.read_platform(path, hostfile, trace)
    if platform.unused:
        output.warn(render(UnusedOptions(None, None, path, ", ".join(platform.unused))))
    return platform, hosts


def placed(
    options: argparse.Namespace, platform_file: str, hostfile: str | None, hosts: dict[str, Ends]
) -> PlacedTraces:
    """The traces of a call on its platform, in which some hosts are slower or faster. `ApetError`."""
    named = [(options.model, hostfile), *(_job(text) for text in options.job)]
    traces, chosen, gaps = list[LoweredTrace](), list[tuple[int, ...]](), list[Gap]()
    for trace, file in named:
        platform, listed = read_platform(platform_file, file, trace)
        gaps += trace_output.warned(trace)
        traces.append(api.flat_trace(trace, platform))
        chosen.append(tuple(listed[rank % len(listed)] for rank in range(traces[-1].programs.ranks)))
    return PlacedTraces(tuple(traces), platform.with_speeds(hosts), tuple(chosen), tuple(gaps))


def _job(text: str) -> tuple[str, str | None]:
    """A trace and its host file; the name of a file may have a drive in front (`C:`)."""
    trace, _, hosts = text.rpartition(":")
    if len(trace) <= 1:
        return text, None
    return trace, hosts or None
