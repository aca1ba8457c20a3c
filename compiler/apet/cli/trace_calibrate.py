"""The verb `apet calibrate`: how fast this machine computes what a trace counts, and what its messages cost."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet import api
from apet.answers.answer import Answer
from apet.answers.json_form import json_text
from apet.cli import arguments, output, rules
from apet.cli.trace_acquire import order_of, running_options
from apet.cli.version import version
from apet.ground.diagnostics import ApetError, render
from apet.ground.host import now, processor
from apet.ground.notation import counts
from apet.ground.source_files import read_source
from apet.traces.lines.header import volumes_unit
from apet.traces.lines.regions import volumes_of_file

if TYPE_CHECKING:
    from apet.traces.mpi import Order
    from apet.traces.mpi.network import NetworkFit, Sample
    from apet.traces.mpi.rates import Rate, TotalVolumes

# What stands inside functions belongs to `apet.traces.mpi`: every verb of traces loads this file, few run MPI.
DESCRIPTION = """Measure how fast this machine computes what a trace counts, by runs of the program itself, and what
messages cost, by a ping-pong that is fitted by pieces. Writes a platform for 'apet simulate' and SimGrid, with its
provenance. In a cluster, --mpiexec 'mpiexec -f HOSTS' measures its network."""
PASSES = 3
"""How often all sizes of messages are measured."""
SCATTER = 0.5
"""Relative error of a measured message that is worth a word."""
SHORT = 0.1
"""Seconds of CPU time of a rank below which caches and starting up make a run unlike larger ones."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("command", nargs="+", metavar="PROGRAM", help="after --: the program and its arguments")
    parser.add_argument(
        "-n", type=arguments.Whole(1), required=True, dest="ranks", metavar="N", help="ranks of the program"
    )
    text = "its trace, if volumes come from another build (apet record --cc) or another machine"
    parser.add_argument("--trace", metavar="T", help=text)
    parser.add_argument(
        "--repeat",
        dest="runs",
        type=arguments.Whole(1),
        default=3,
        metavar="K",
        help="timed runs of the program; more where they differ (default: 3)",
    )

    parser.add_argument(
        "--pingpong", metavar="F", help="use these measurements, lines BYTES SECONDS, instead of measuring"
    )
    parser.add_argument("--save-pingpong", metavar="F", help="write the measurements to a file")
    parser.add_argument(
        "--most",
        type=arguments.Whole(1),
        default=4 << 20,
        metavar="B",
        help="largest message in bytes (default: 4194304)",
    )
    parser.add_argument(
        "--sizes", type=arguments.Whole(1), default=60, metavar="N", help="sizes of messages measured (default: 60)"
    )
    for name in ("--save-pingpong", "--most", "--sizes"):
        rules.without(parser._option_string_actions[name], "--pingpong")
    parser.add_argument("--breaks", metavar="B,B,…", help="sizes where pieces end (default: found)")

    parser.add_argument(
        "--hosts", type=arguments.Whole(1), metavar="N", help="hosts of the platform (default: as many as ranks)"
    )
    parser.add_argument(
        "--cores-per-host",
        dest="cores",
        type=arguments.Whole(1),
        default=1,
        metavar="C",
        help="cores of each host (default: 1)",
    )
    parser.add_argument(
        "-o", "--output", metavar="P.xml", default="platform.xml", help="the platform (default: platform.xml)"
    )
    parser.add_argument("--machine", metavar="M.toml", help="write a machine file as well")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    running_options(parser)


def run(options: argparse.Namespace) -> None:
    """Measure, fit and write."""
    from apet.traces.mpi.acquiring import checked
    from apet.traces.mpi.platform_text import described, machine_toml

    _check(options)
    order = order_of(options, None)
    program, mpi = checked(order)
    rate, unit = _rate(options, order, program)
    network = _network(options, order)
    description = described(rate, network, provenance(order, f"{mpi.family} {mpi.version}", unit))
    hosts = options.hosts or options.ranks
    write_platform(options.output, rate, network, description, hosts, options.cores, options.trace)
    if options.machine:
        output.write_result(machine_toml(rate, network, hosts, options.cores, description), options.machine)
    if options.save_pingpong:
        output.write_result("\n".join(f"{n} {t:.9g}" for n, t in network.samples), options.save_pingpong)
    output.show(
        _json(rate, network, options.output)
        if options.json
        else "\n".join([*description, f"written to {options.output}"])
    )


def write_platform(
    path: str, rate: Rate, network: NetworkFit, description: list[str], hosts: int, cores: int, trace: str | None
) -> None:
    """Write what was measured, corrected so that the program's own trace takes as long as its undisturbed runs; that
    is added to the description."""
    from apet.traces.mpi.platform_text import platform_xml

    output.write_result(platform_xml(rate, network, hosts, cores, description), path)
    seconds = api.replay(trace, *api.read_platform(path)).makespan_s if trace and rate.elapsed else 0.0
    if rate.elapsed and seconds > 0:
        least, most = (elapsed / seconds for elapsed in rate.elapsed)
        description.append(
            f"replay: undisturbed runs take {least:.4g} to {most:.4g} times as long; figures are corrected"
        )
        output.write_result(platform_xml(rate, network, hosts, cores, description, (least, most)), path)


def _check(options: argparse.Namespace) -> None:
    from apet.traces.mpi.errors import BadCount

    for option, value, least in (
        ("--repeat", options.runs, 1),
        ("--hosts", options.hosts, 1),
        ("--cores-per-host", options.cores, 1),
        ("--most", options.most, 1024),
        ("--sizes", options.sizes, 10),
    ):
        if value is not None and not least <= value <= 1 << 30:
            raise ApetError(BadCount(None, None, option, str(value), f"{least} or more"))
    _breaks(options.breaks)
    for path in (options.output, options.machine, options.save_pingpong):
        output.check_writable(path)


def _breaks(text: str | None) -> list[int] | None:

    if text is None:
        return None
    return counts("--breaks", text, 0)


def _rate(options: argparse.Namespace, order: Order, program: str) -> tuple[Rate, str]:
    """The rate, and what it counts."""
    from apet.traces.mpi import errors, merging
    from apet.traces.mpi.rates import acquire_volumes

    if options.trace is None:
        volumes, acquired = acquire_volumes(order)
        unit = merging.VOLUMES[acquired.volumes] + merging.SLEEPING_LIBRARIES * acquired.libraries
    else:
        volumes, unit = volumes_in(options.trace), f"those of {options.trace}"
        if len(volumes.by_rank) != order.ranks:
            wanted = f"{len(volumes.by_rank)}, as in {options.trace}"
            raise ApetError(errors.BadCount(None, None, "-n", str(order.ranks), wanted))
    return rate_of(order, program, volumes, unit, options.runs), unit


def volumes_in(path: str) -> TotalVolumes:
    """What a trace has, for the speed of its program."""
    from apet.traces.mpi import merging
    from apet.traces.mpi.rates import TotalVolumes

    trace, asleep = api.read_trace(path), list[float]()
    if merging.SLEEPING_LIBRARIES in volumes_unit(path):
        asleep = [sum(action[1] for action in rank if action[0] == "sleep") for rank in trace.ranks]
    return TotalVolumes(trace.flops, volumes_of_file(path), asleep)


def rate_of(order: Order, program: str, volumes: TotalVolumes, unit: str, runs: int) -> Rate:
    """How fast this machine computes volumes, from so many runs or more; `unit` is what they count."""
    from apet.traces.mpi import errors, merging
    from apet.traces.mpi.rates import measure_rate
    from apet.traces.mpi.weights import counts_blocks

    if counts_blocks(program):
        output.warn(render(errors.CountsBlocks(None, None, program)))
    rate = measure_rate(order, volumes, runs)
    if rate.cpu_seconds < SHORT * order.ranks:
        output.warn(render(errors.ShortRuns(None, None, rate.cpu_seconds / order.ranks)))
    return rate._replace(per_second=1e9) if unit == merging.VOLUMES["cpu"] else rate  # by what the trace counts


def _network(options: argparse.Namespace, order: Order) -> NetworkFit:
    from apet.traces.mpi import network

    if options.pingpong is not None:
        return network_of(network.read_samples(read_source(options.pingpong).text), _breaks(options.breaks))
    return measured_network(order, network.sizes_to_measure(options.most, options.sizes), _breaks(options.breaks))


def measured_network(
    order: Order, sizes: Sequence[int], breaks: Sequence[int] | None = None, passes: int = PASSES
) -> NetworkFit:
    """What messages of these sizes in bytes cost between two ranks of the program's MPI, measured so many times."""
    from apet.traces.mpi import network
    from apet.traces.mpi.acquiring import checked

    _, mpi = checked(order)
    return network_of(network.measure(mpi, 2, sizes, passes, order.limit), breaks)


def network_of(samples: Sequence[Sample], breaks: Sequence[int] | None) -> NetworkFit:
    """The fit of measured messages, after a warning where they scatter."""
    from apet.traces.mpi import errors, network

    fit = network.fit(samples, breaks)
    worst = max(p.worst for p in fit.pieces)
    if worst > SCATTER:
        output.warn(render(errors.Scatters(None, None, worst)))
    return fit


def provenance(order: Order, mpi: str, unit: str, verb: str = "trace calibrate") -> Sequence[tuple[str, str]]:
    """By whom, when, where and with what a platform was measured."""
    return [
        ("measured by", f"apet {verb} {version()}"),
        ("date", now()),
        ("host", processor()),
        ("MPI", mpi),
        ("program", f"{order.ranks} ranks of {' '.join((os.path.basename(order.command[0]), *order.command[1:]))}"),
        ("volumes", unit),
    ]


def _json(rate: Rate, network: NetworkFit, path: str) -> str:
    document = {
        "platform": path,
        "speed_per_s": rate.per_second,
        "speed_by_rank_per_s": [rate.least, rate.greatest],
        "latency_s": network.latency,
        "bandwidth_B_per_s": network.bandwidth,
        "pieces": [
            {"above_B": p.above, "fixed_s": p.fixed, "per_byte_s": p.per_byte, "latency_factor": lat,
             "bandwidth_factor": bw, "worst_error": p.worst}
            for p, (_, lat, bw) in zip(network.pieces, network.factors, strict=True)
        ],
        "regions": {str(region): times for region, times in sorted(rate.regions.items())},
        "median_error": network.error,
    }  # fmt: skip

    return json_text(Answer(kind="calibration", subject=path, results=document), version())
