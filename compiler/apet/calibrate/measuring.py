"""Measures this machine: the content of a machine file, with provenance."""

from __future__ import annotations

import socket
from typing import Any, NamedTuple

from apet.calibrate import host
from apet.calibrate.bands import band
from apet.calibrate.figures import core_figures, core_ranges
from apet.calibrate.flat import compiled, interpreted
from apet.calibrate.jvm import find_jdk, quiet_core
from apet.calibrate.sampling import NORMAL, QUICK, Progress, Samples, sample
from apet.calibrate.statistics import quantile

SMALL = 1
DIGITS = 4


class Measured(NamedTuple):
    """The content of a machine file, key by key."""

    content: dict[str, Any]


def measure(mode: str, quick: bool, progress: Progress) -> Measured:
    """Measure all operations in a mode of the JVM: "C2", "C1" or "Xint". Raises `ApetError` without a JDK."""
    jdk = find_jdk()
    before = host.load()
    effort = QUICK if quick else NORMAL
    taken = sample(jdk, mode, effort, progress)
    operations, seconds = operations_of(taken, mode)
    provenance = {
        "method": "apet benchmark",
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
        "parameters": _parameters(),
        "measured_s": seconds,
    }
    content = {
        "schema": 1,
        "name": f"{socket.gethostname()}, {mode}",
        "machine": [{"name": "this", "count": host.cores(), "cores": 1, "op_s": operations}],
        "network": _network(taken),
        "provenance": {k: v for k, v in provenance.items() if v is not None},
    }
    return Measured(content)


def _parameters() -> dict[str, int]:
    """Values of this machine for parameters that translated models have."""
    levels = {f"cache_{level}": size for level, size in host.caches().items()}
    return {"vector_B": host.vector_bytes(), **levels}


def operations_of(taken: Samples, mode: str) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Intervals with their band, and the plain figures of all JVMs, by operation."""
    lows: dict[str, list[float]] = {}
    highs: dict[str, list[float]] = {}
    level: dict[str, str] = {}
    for k in range(min(map(len, taken.cases.values()))):
        raw = {name: seconds[k] for name, seconds in taken.cases.items()}
        core = core_figures(raw)
        flat = interpreted(raw, core) if mode == "Xint" else compiled(core)
        for name, (low, high) in {**core_ranges(raw, core), **flat}.items():
            lows.setdefault(name, []).append(low)
            highs.setdefault(name, []).append(high)
            level[name] = "core" if name in core else "flat"
    found: dict[str, list[float]] = {}
    for name in sorted(lows):
        down, up = band(mode, level[name])
        found[name] = [_rounded(quantile(lows[name], 0.1) / down), _rounded(quantile(highs[name], 0.9) * up)]
    return found, {name: [_rounded(t) for t in sorted({*lows[name], *highs[name]})] for name in found}


def _network(taken: Samples) -> dict[str, Any]:
    """Latency and bandwidth of the loopback: a single byte's way, and the slope to the largest message."""
    sizes = sorted(taken.messages)
    first, last = taken.messages[sizes[0]], taken.messages[sizes[-1]]
    latency = [quantile(first, 0.05), quantile(first, 0.95)]
    slopes = [(quantile(last, u) - quantile(first, 0.5)) / (sizes[-1] - sizes[0]) for u in (0.95, 0.05)]
    bandwidth = sorted(1 / max(slope, 1e-12) for slope in slopes)
    return {
        "topology": "none",
        "latency_s": [_rounded(t) for t in latency],
        "bandwidth_B_per_s": [_rounded(b) for b in bandwidth],
        "note": "two JVMs on this machine, through the loopback",
    }


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
