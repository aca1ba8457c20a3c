"""Files of queueing problems from measurements: what `apet queue from-metrics` and `from-traces` write."""

from __future__ import annotations

import argparse
import os

from apet.cli.errors import WrongCall, bad_option
from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_source

SOURCES = ("from-metrics", "from-traces")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of measurements."""
    text = "of from-metrics: a CSV of throughput and utilization, or JSON of Prometheus; "
    text += "of from-traces: OTLP or Jaeger JSON"
    parser.add_argument("measurements", metavar="MEASUREMENTS", nargs="?", help=text)
    text = "of measurements: how many servers a station has; may be repeated (default: 1)"
    parser.add_argument("--servers", action="append", default=[], metavar="STATION=N", help=text)


def refuse(options: argparse.Namespace) -> None:
    """`ApetError` where measurements are named beside a file."""
    if options.measurements is not None or options.servers:
        advice = f"begin with one of: {', '.join(SOURCES)}"
        raise ApetError(WrongCall(None, None, "measurements are read by verbs of their own", advice))


def written(options: argparse.Namespace) -> str:
    """The file, as text."""
    from apet.queueing.measured import demands, service_files, spans, tables

    if options.measurements is None:
        raise ApetError(WrongCall(None, None, "measurements of what?", f"name a file: apet queue {options.file} FILE"))
    source, servers = read_source(options.measurements), _servers(options)
    name = os.path.splitext(os.path.basename(options.measurements))[0]
    if options.file == "from-traces":
        return service_files.from_requests(name, spans.read_requests(source), servers)
    table = tables.read_table(source)
    return service_files.from_table(name, table, demands.demands(table, servers), servers)


def _servers(options: argparse.Namespace) -> dict[str, int]:
    servers = {}
    for text in options.servers:
        station, equals, number = text.rpartition("=")
        if not equals or not number.isdecimal() or not 0 < int(number[:9]) <= 10**6:
            raise ApetError(bad_option("--servers", text, "a station and a number of servers"))
        servers[station] = int(number)
    return servers
