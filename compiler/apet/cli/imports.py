"""`apet import`: event traces, access logs, metrics and spans, read into files of APET."""

from __future__ import annotations

import argparse
import os
import zlib

from apet.api.kinds import FOREIGN_QUEUES, refuse_empty
from apet.cli import output, rules, trace_convert
from apet.cli.errors import WrongCall
from apet.ground.diagnostics import ApetError
from apet.ground.resources import located

DESCRIPTION = """Read what other tools write. An event trace (the .otf2 of an OTF2 archive or what 'otf2-print -A'
prints of it, Extrae's .prv, what 'dumpi2ascii' prints, GOAL as text or binary, what liballprof records, traces of
PyTorch's profiler, graphs of Chakra) becomes a trace in volumes. An access log (common or combined format), a CSV of a
load generator (k6, JMeter, hey, Locust), a CSV of throughput and utilization, JSON of Prometheus or what promtool
prints, and spans (JSON of OTLP, Jaeger or Zipkin) become a queueing network of what they measured; layered queueing
networks of LQNS (.lqn, .lqnx) and networks of JMT (.jsimg) become files of queues."""
KINDS = ("trace", "access-log", "metrics", "spans", "queue")
HEAD = 65_536
SPANS = (b"resourceSpans", b"resource_spans", b"traceID", b"traceId", b"spans")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    text = "what another tool wrote, or a folder of it; several access logs or files of spans, packed by gzip or not"
    parser.add_argument("source", metavar="FILE", nargs="+", help=text)
    parser.add_argument("--from", choices=KINDS, dest="kind", help="what it is (default: as its content shows)")
    parser.add_argument("-o", "--output", metavar="F", help="the file to write; of a trace required")
    _of_services(parser)
    _of_traces(parser)


def _of_services(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("access logs, metrics and spans")
    text = "the number of servers of a station; may be repeated (default: 1)"
    group.add_argument("--servers", action="append", default=[], metavar="STATION=N", help=text)
    text = "of an access log: the length of its intervals (default: 60 s)"
    group.add_argument("--interval", metavar="T", help=text)
    text = "of an access log: a class for each first part of a path, or for each method (default: one class)"
    group.add_argument("--classes", dest="by", choices=("path", "method"), help=text)
    text = "of an access log: what its response times count (default: as the log shows; decimals are seconds)"
    group.add_argument("--time-unit", choices=("ns", "us", "ms", "s"), help=text)
    text = "of an access log: their field, rt of rt=0.056 or #3 for the third after the size (default: as found)"
    group.add_argument("--time-field", metavar="NAME", help=text)
    text = "of spans: the share of requests whose traces are recorded, as in 10%% (default: all)"
    group.add_argument("--sampled", metavar="SHARE", help=text)
    load = group.add_argument("--load", action="store_true", help="of an access log: its load over time as CSV instead")
    rules.without(load, "--servers")


def _of_traces(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("event traces")
    text = "flops per second of the event trace (default: 1e9, so that 1 flop is 1 ns)"
    group.add_argument("--rate", metavar="X", default="1e9", help=text)
    text = "divide the volumes of a region of MPI_Pcontrol by its relative speed, as 'calibrate' prints it: 3=1.4"
    group.add_argument("--region", metavar="K=X", action="append", default=[], help=text)
    text = "write collectives of some ranks and non-blocking ones as messages"
    group.add_argument("--unroll", action="store_true", help=text)
    text = "of PyTorch's profiler: one step of the training alone, by its number"
    group.add_argument("--step", metavar="K", help=text)
    text = "of PyTorch or Chakra: how many there are; those without a file do what others do (default: as recorded)"
    group.add_argument("--processes", metavar="N", help=text)


OF_LOGS = (
    ("--interval", "interval"),
    ("--classes", "by"),
    ("--time-unit", "time_unit"),
    ("--time-field", "time_field"),
    ("--load", "load"),
)
OF_TRACES = (("--region", "region"), ("--unroll", "unroll"), ("--step", "step"), ("--processes", "processes"))


def run(options: argparse.Namespace) -> None:
    """Read, write."""
    for source in options.source:
        refuse_empty(os.fspath(located(source)))
    kind = options.kind or kind_of_source(os.fspath(located(options.source[0])))
    unused = [] if kind == "access-log" else [name for name, dest in OF_LOGS if getattr(options, dest)]
    unused += [] if kind == "trace" else [name for name, dest in OF_TRACES if getattr(options, dest)]
    unused += ["--sampled"] if kind != "spans" and options.sampled else []
    unused += ["--servers"] if kind in ("trace", "queue") and options.servers else []
    unused += ["--rate"] if kind != "trace" and options.rate != "1e9" else []
    if unused:
        what = "an event trace" if kind == "trace" else f"a file of {kind}"
        raise ApetError([WrongCall(None, None, f"{n} has no effect on {what}", "leave it out") for n in unused])
    if len(options.source) > 1 and kind not in ("access-log", "spans"):
        raise ApetError(WrongCall(None, None, f"{kind}: one file at a time", "leave the others out"))
    if kind != "trace":
        from apet.cli.queue_measured import written

        output.check_writable(options.output)
        output.write_result(written(options, kind), options.output)
        return
    if options.output is None:
        raise ApetError(WrongCall(None, None, "where shall the trace go?", "name a file or folder: -o trace.txt"))
    trace_convert.run(argparse.Namespace(**{**vars(options), "source": options.source[0]}))


def kind_of_source(path: str) -> str:
    """Which of the kinds a file is, by its beginning."""
    from apet.traces.event_traces.formats import is_event_trace

    if os.path.isdir(path) or is_event_trace(path):
        return "trace"
    if path.lower().endswith(FOREIGN_QUEUES):
        return "queue"
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
        if head.startswith(b"\x1f\x8b"):
            head = zlib.decompressobj(16 + zlib.MAX_WBITS).decompress(head, HEAD)
    except (OSError, zlib.error):
        return "metrics"  # which is refused where it is read
    from apet.queueing.measured.load_tests import is_log_line

    line = head.partition(b"\n")[0]
    if is_log_line(line):
        return "access-log"
    if head.lstrip()[:1] in (b"{", b"["):
        return "spans" if any(word in head for word in SPANS) else "metrics"
    return "metrics" if path.lower().endswith(".csv") else "trace"
