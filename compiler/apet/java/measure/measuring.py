"""Measures this machine: the content of a machine file, with provenance."""

from __future__ import annotations

import socket
from typing import Any, NamedTuple

from apet.ground import host
from apet.java.jvm import find_jdk, quiet_core
from apet.java.measure.library_classes import library_classes
from apet.java.measure.library_figures import library_figures
from apet.java.measure.messages import Peer, measure_network
from apet.java.measure.sampling import NORMAL, QUICK, Samples, sample
from apet.program.levels.memory import FAR
from apet.program.measure.bands import EXACT, band
from apet.program.measure.figures import core_figures, predictor_memory
from apet.program.measure.flat_figures import compiled, interpreted
from apet.program.measure.samples import Progress, median, quantile, rounded

SMALL = 1
TAIL = 0.25
"""The part of JVMs beyond either end of an interval."""
FAR_TAIL = 0.1
"""The same for the memory beyond the first level: where the system puts an array is luck."""


class MeasuredMachine(NamedTuple):
    """The content of a machine file, key by key."""

    content: dict[str, Any]


def measure(mode: str, quick: bool, progress: Progress, peer: Peer | None = None) -> MeasuredMachine:
    """Measure all operations in a mode of the JVM: "C2", "C1" or "Xint", and messages to a peer (None: the loopback).

    Raises `ApetError` without a JDK, and where the peer does not answer.
    """
    jdk = find_jdk()
    before = host.load()  # before the JVMs add to it
    progress("messages", 0.0)
    effort = QUICK if quick else NORMAL
    network = measure_network(jdk, mode, effort.messages, peer)
    taken = sample(jdk, mode, effort, progress)
    operations, seconds = operations_of(taken, mode)
    provenance = {
        "method": "apet benchmark",
        "host": socket.gethostname(),
        "date": host.now(),
        "cpu": host.processor(),
        "cores": host.cores(),
        "system": host.system(),
        "jvm": jdk.version(),
        "mode": mode,
        "flags": " ".join(taken.flags),
        "pinned_to_core": -1 if quiet_core() is None else quiet_core(),
        "load_before": before,
        "load_after": host.load(),
        "jvms": effort.forks,
        "samples_of_each": effort.samples,
        "band_core": list(band(mode, "core")),
        "band_flat": list(band(mode, "flat")),
        "parameters": parameters(taken),
        "measured_s": seconds,
    }
    classes = library_classes(median(seconds["lat_sum_int"]))
    content = {
        "schema": 1,
        "name": f"{socket.gethostname()}, {mode}",
        "machine": [{"name": "this", "count": host.cores(), "cores": 1, "op_s": {**operations, **classes}}],
        "network": network,
        "provenance": {k: v for k, v in provenance.items() if v is not None},
    }

    return MeasuredMachine(content)


def parameters(taken: Samples) -> dict[str, int]:
    """Values of this machine for parameters that translated models have."""
    levels = {f"cache_{level}": size for level, size in host.caches().items()}
    memory = predictor_memory({name: median(seconds) for name, seconds in taken.cases.items()})
    return {"vector_B": host.vector_bytes(), "predictor_memory": memory, **levels}


def operations_of(
    taken: Samples, mode: str, banded: bool = True
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Intervals with their band, and the plain figures of all JVMs, by operation."""
    lows: dict[str, list[float]] = {}
    highs: dict[str, list[float]] = {}
    level: dict[str, str] = {}
    # Figures are differences within one JVM: what two JVMs compile differently must not be subtracted.
    for k in range(min(map(len, taken.cases.values()))):
        raw = {name: seconds[k] for name, seconds in taken.cases.items()}
        core = core_figures(raw)
        flat = interpreted(raw, core) if mode == "Xint" else compiled(core)
        points = {n: (t, t) for n, t in core.items()}
        for name, (low, high) in {**points, **flat, **library_figures(raw)}.items():
            lows.setdefault(name, []).append(low)
            highs.setdefault(name, []).append(high)
            level[name] = "flat" if name in flat and name not in core else "core"

    intervals: dict[str, list[float]] = {}
    for name in sorted(lows):
        down, up = band(mode, level[name]) if banded else EXACT
        tail = FAR_TAIL if name.startswith(FAR) else TAIL
        least, most = quantile(lows[name], tail), quantile(highs[name], 1 - tail)
        intervals[name] = [rounded(least / down), rounded(most * up)]
    return intervals, {name: [rounded(t) for t in sorted({*lows[name], *highs[name]})] for name in intervals}
