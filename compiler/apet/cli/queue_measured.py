"""Files of queueing problems from measurements: what `apet import` and `from-traces` write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping

from apet.cli.errors import bad_option
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.notation import assignment, count, duration
from apet.ground.resources import located
from apet.ground.source import Source, Span
from apet.ground.source_files import read_source
from apet.queueing.errors import NoSuchStation

LONGEST_INTERVAL = 366 * 86_400


def written(options: argparse.Namespace, kind: str) -> str:
    """The file, as text: from an access log, from metrics or from spans."""
    from apet.queueing.measured import demands, service_files, spans, tables

    source, servers = read_source(located(options.source)), _servers(options)
    name = os.path.splitext(os.path.basename(options.source))[0]
    if kind == "access-log":
        return _from_log(name, source, servers, options)
    if kind == "spans":
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
