"""What was measured, as a platform for replays (SimGrid's XML) and as a machine file."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from apet.traces.mpi.network import HEADER, NetworkFit
from apet.traces.mpi.rates import Rate
from apet.traces.platform.ranges import SPREAD

LARGE = 16384
"""Bytes from which messages tell the bandwidth."""
OTHER_RUNS = 0.76, 1.08
"""Multiples of the speed between which other runs and larger cases of eight programs computed, but for one whose larger
case alone leaves a cache (0.57). `tests/benchmarks/calibrating.py` judges by other programs as well."""


def platform_xml(
    rate: Rate,
    network: NetworkFit,
    hosts: int,
    cores: int,
    remarks: Sequence[str],
    undisturbed: tuple[float, float] | None = None,
) -> str:
    """A cluster of equal hosts on a switch; SMPI's factors are those of the fit. `remarks` is its provenance.

    `undisturbed` is how many times as long as its replay on the measured figures the program takes, the least and the
    greatest of its undisturbed runs: speed, latency and bandwidth are corrected by their middle.
    """
    longer = math.sqrt(math.prod(undisturbed or (1.0,)))
    lat = ";".join(f"{above}:{latency:.6g}" for above, latency, _ in network.factors)
    bw = ";".join(f"{above}:{bandwidth:.6g}" for above, _, bandwidth in network.factors)
    lines = [
        "<?xml version='1.0'?>",
        '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
        "<!--",
        *(f"  {line.replace('--', '- -')}" for line in remarks),
        "-->",
        '<platform version="4.1">',
        '  <config id="General">',
        f'    <prop id="smpi/lat-factor" value={quoteattr(lat)}/>',
        f'    <prop id="smpi/bw-factor" value={quoteattr(bw)}/>',
        "  </config>",
        f'  <cluster id="cluster" prefix="host-" suffix="" radical="0-{hosts - 1}"'
        f' speed="{rate.per_second / longer:.6g}f" core="{cores}" bw="{network.bandwidth / longer:.6g}Bps"'
        f' lat="{network.latency * longer / 2:.6g}s" sharing_policy="SPLITDUPLEX">',
        f'    <prop id="{SPREAD}" value={quoteattr(_spread(rate, network, undisturbed))}/>',
        "  </cluster>",
        "</platform>",
    ]

    return "\n".join(lines) + "\n"


def _spread(rate: Rate, network: NetworkFit, undisturbed: tuple[float, float] | None) -> str:
    """Multiples of speed, latency and bandwidth: undisturbed runs, or else the medians of ranks, and those of larger
    cases lie between them; so do nine of ten messages of any size."""
    ranks = rate.least / rate.per_second, rate.greatest / rate.per_second
    around = math.sqrt(undisturbed[1] / undisturbed[0]) if undisturbed else 1.0
    slowest, fastest = (1 / around, around) if undisturbed else ranks

    (slower, faster), (slow, fast) = network.spread, OTHER_RUNS
    spans = {
        "speed": (slowest * slow, fastest * fast),
        "latency": (faster / around, slower * around),
        "bandwidth": (1 / slower / around, 1 / faster * around),
    }
    return ";".join(f"{name}:{low:.4g}:{high:.4g}" for name, (low, high) in spans.items())


def machine_toml(rate: Rate, network: NetworkFit, hosts: int, cores: int, remarks: Sequence[str]) -> str:
    """A machine file whose one operation is what the trace counts; its network encloses all measurements."""
    latency, bandwidth = enclosing_line(network)
    lines = [
        "schema = 1",
        'name = "calibrated"',
        "",
        "[[machine]]",
        'name = "host"',
        f"count = {hosts}",
        f"cores = {cores}",
        "[machine.op_s]",
        f"flop = [{1 / rate.greatest:.6g}, {1 / rate.least:.6g}]",
        "",
        "[network]",
        'topology = "switch"',
        f"latency_s = [{latency[0]:.6g}, {latency[1]:.6g}]",
        f"bandwidth_B_per_s = [{bandwidth[0]:.6g}, {bandwidth[1]:.6g}]",
        "",
        "[provenance]",
        *(
            f"{key.strip().replace(' ', '_')} = {json.dumps(text.strip())}"
            for key, _, text in (s.partition(":") for s in remarks)
        ),
    ]

    return "\n".join(lines) + "\n"


def enclosing_line(network: NetworkFit) -> tuple[tuple[float, float], tuple[float, float]]:
    """Latencies and bandwidths, [low, high], between whose lines all measured messages lie."""
    samples = network.samples
    large = [n / t for n, t in samples if n >= LARGE] or [n / t for n, t in samples[-1:]]
    fastest = max([*large, *(1 / p.per_byte for p in network.pieces[-1:] if p.per_byte > 0)])
    slowest = min(large)
    low = max(0.0, min(t - n / fastest for n, t in samples))
    high = max(t - n / slowest for n, t in samples)
    return (low, max(low, high)), (slowest, fastest)


def described(rate: Rate | None, network: NetworkFit | None, more: Sequence[tuple[str, str]]) -> list[str]:
    """Lines `what: how` for a file's provenance."""
    lines = [f"{what}: {how}" for what, how in more]
    if rate is not None:
        lines.append(
            f"speed: {rate.per_second:.6g} per second of CPU time, {rate.least:.4g} to {rate.greatest:.4g} by rank,"
            f" {rate.runs} runs of {rate.cpu_seconds:.3g} s"
        )
        lines += [f"region {region}: {times:.4g} times as fast" for region, times in sorted(rate.regions.items())]
    if network is not None:
        lines.append(
            f"network: {len(network.samples)} sizes from {network.samples[0][0]} to {network.samples[-1][0]} bytes,"
            f" {len(network.pieces)} pieces, median error {network.error:.2%}"
        )
        lines += [
            f"piece above {max(0, p.above - HEADER)} bytes: {p.fixed:.4g} s + {p.per_byte:.4g} s per byte,"
            f" worst error {p.worst:.1%}"
            for p in network.pieces
        ]

    return lines
