"""Files of queueing problems from measurements: what `apet queue from-metrics` and `from-traces` write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping

from apet.cli.errors import WrongCall, bad_option
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.notation import assignment, count, duration
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source
from apet.queueing.errors import NoSuchStation

LONGEST_INTERVAL = 366 * 86_400
SOURCES = ("from-metrics", "from-traces", "from-log")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of measurements."""
    text = "of from-metrics: a CSV of throughput and utilization, or JSON of Prometheus; "
    text += "of from-traces: OTLP or Jaeger JSON; of from-log: an access log in the common or combined format"
    parser.add_argument("measurements", metavar="MEASUREMENTS", nargs="?", help=text)
    text = "of measurements: the number of servers of a station; may be repeated (default: 1)"
    parser.add_argument("--servers", action="append", default=[], metavar="STATION=N", help=text)

    text = "of an access log: the length of its intervals (default: 60 s)"
    parser.add_argument("--interval", metavar="T", help=text)
    text = "of an access log: a class for each first part of a path, or for each method (default: one class)"
    parser.add_argument("--by", choices=("path", "method"), help=text)
    text = "of an access log: the unit of its response times (default: whole numbers microseconds, decimals seconds)"
    parser.add_argument("--time-unit", choices=("us", "ms", "s"), help=text)
    text = "of an access log: write its load over time as CSV instead"
    parser.add_argument("--load", action="store_true", help=text)


def refuse(options: argparse.Namespace) -> None:
    """`ApetError` where measurements are named next to a file."""
    of_logs = options.interval or options.by or options.time_unit or options.load
    if options.measurements is not None or options.servers or of_logs:
        advice = f"begin with one of: {', '.join(SOURCES)}"
        raise ApetError(WrongCall(None, None, "measurements are read by verbs of their own", advice))


def written(options: argparse.Namespace) -> str:
    """The file, as text."""
    from apet.queueing.measured import demands, service_files, spans, tables

    if options.measurements is None:
        raise ApetError(WrongCall(None, None, "measurements of what?", f"name a file: apet queue {options.file} FILE"))
    source, servers = read_source(options.measurements), _servers(options)
    name = os.path.splitext(os.path.basename(options.measurements))[0]
    if options.file == "from-log":
        return _from_log(name, source, servers, options)
    if options.file == "from-traces":
        requests = spans.read_requests(source)
        _check(servers, service_files.services(requests))
        return service_files.from_requests(name, requests, servers)
    table = tables.read_table(source)
    _check(servers, table.utilization)
    return service_files.from_table(name, table, demands.demands(table, servers, source), servers)


def _from_log(name: str, source: Source, servers: dict[str, int], options: argparse.Namespace) -> str:
    from apet.queueing import errors
    from apet.queueing.measured import access_logs, service_files, service_times

    length = float(duration("--interval", options.interval or "60 s"))
    if not 1 <= length <= LONGEST_INTERVAL:
        raise ApetError(bad_option("--interval", options.interval, "it should lie between a second and a year"))
    log = access_logs.read_access_log(source, length, options.by or "", options.time_unit or "")
    if options.load:
        return service_files.load_csv(log)
    _check(servers, (service_files.SERVER,))
    number = servers.get(service_files.SERVER, 1)
    estimates = service_times.service_times(log, number)
    if estimates is None:
        advice = "log them (%D of Apache, $request_time of nginx), or ask for the load alone: --load"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), "there are no response times", advice))
    return service_files.from_log(name, log, estimates, number)


def _check(servers: Mapping[str, int], stations: Iterable[str]) -> None:
    """`ApetError` for servers of a station that is not there."""
    names = list(stations)
    for name in servers:
        if name not in names:
            raise ApetError(NoSuchStation(None, None, name, nearest(name, names), ", ".join(names)))


def _servers(options: argparse.Namespace) -> dict[str, int]:
    servers = {}
    for text in options.servers:
        station, number = assignment("--servers", text, "a number of servers")
        servers[station] = count("--servers", number, 1, 10**6)
    return servers
