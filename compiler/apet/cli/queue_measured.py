"""Files of queueing problems from measurements: what `apet import` and `from-traces` write."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence

from apet.cli.errors import bad_option
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.notation import assignment, count, duration, share
from apet.ground.resources import located
from apet.ground.source import Source, Span
from apet.queueing.errors import NoSuchStation
from apet.queueing.read import file_of_ours

LONGEST_INTERVAL = 366 * 86_400


def written(options: argparse.Namespace, kind: str) -> str:
    """The file, as text: from access logs, from metrics or from spans, or from queues of another tool."""
    if kind == "queue":
        return file_of_ours(options.source[0])
    from apet.queueing.measured import demands, service_files, spans, tables
    from apet.queueing.measured.files import read_plain

    sources, servers = [read_plain(os.fspath(located(path))) for path in options.source], _servers(options)
    name = os.path.basename(options.source[0]).removesuffix(".gz").rpartition(".")[0] or "service"
    if kind == "access-log":
        return _from_log(name, sources, servers, options)
    if kind == "spans":
        requests = spans.read_requests(*sources)
        _check(servers, service_files.services(requests.calls))
        recorded = share("--sampled", options.sampled) if options.sampled else 1.0
        return service_files.from_requests(name, requests, servers, recorded)
    table = tables.read_table(sources[0])
    _check(servers, table.utilization)
    return service_files.from_table(name, table, demands.demands(table, servers, sources[0]), servers)


def _from_log(name: str, sources: Sequence[Source], servers: dict[str, int], options: argparse.Namespace) -> str:
    from apet.queueing import errors
    from apet.queueing.measured import access_logs, service_files

    length = float(duration("--interval", options.interval or "60 s"))
    if not 1 <= length <= LONGEST_INTERVAL:
        raise ApetError(bad_option("--interval", options.interval, "it should lie between a second and a year"))
    unit, field = options.time_unit or "", options.time_field or ""
    log = access_logs.read_access_log(sources, length, options.by or "", unit, field)
    if options.load:
        return service_files.load_csv(log)
    _check(servers, (service_files.SERVER,))
    text = service_files.from_log(name, log, servers.get(service_files.SERVER))
    if text is None:
        advice = "log them (%D of Apache, $request_time of nginx), name their field (--time-field), or ask for --load"
        raise ApetError(errors.NoMeasurements(sources[0], Span(0, 1), "there are no response times", advice))
    return text


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
