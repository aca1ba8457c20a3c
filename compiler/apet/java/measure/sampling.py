"""Runs the harness in several JVMs: samples of every case."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from apet.ground import host
from apet.java.jvm import HEAP, MODES, SOURCES, Jdk, compile_java, quiet_core, run_java
from apet.program.measure.cases import java_source
from apet.program.measure.samples import Progress, quantile

LIMIT = 300.0
# The heap of timed tasks, whose young generation is larger than the caches: an allocation clears memory, not a cache.
COMMON = ("-Xbatch", *HEAP, "-Xmx1g")
# Whether loads and stores were put on vectors is no question to ask of single operations.
SCALAR = {"C2": ("-XX:-UseSuperWord",), "C1": (), "Xint": ()}


class SamplingEffort(NamedTuple):
    """JVMs to run, warm-up and one sample in milliseconds, samples in each JVM, round trips of each message."""

    forks: int
    warm_ms: float
    sample_ms: float
    samples: int
    messages: int


NORMAL = SamplingEffort(5, 12.0, 0.6, 9, 120)
QUICK = SamplingEffort(2, 8.0, 0.3, 5, 80)


class Samples(NamedTuple):
    """Seconds by case, one figure for each JVM, and the flags of the JVMs."""

    cases: Mapping[str, list[float]]
    flags: tuple[str, ...]


def sample(jdk: Jdk, mode: str, effort: SamplingEffort, progress: Progress) -> Samples:
    """Time everything on this machine. `mode` is one of `MODES`; `progress` gets what runs and the part done."""
    samples: dict[str, list[float]] = {}
    core = quiet_core()

    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        progress("compiling the harness", 0.0)
        _compile(jdk, folder)
        for k in range(effort.forks):
            for part, share in (("operations,events", 0.0), ("library", 0.5), ("memory", 0.75)):
                progress(
                    f"JVM {k + 1} of {effort.forks}: {part.replace(',', ', ')}", (k + share) / (effort.forks + 0.1)
                )
                for name, seconds in _fork(jdk, folder, mode, effort, part, core).items():
                    samples.setdefault(name, []).append(seconds)
        progress("done", 1.0)
    return Samples(samples, (*MODES[mode], *COMMON))


def _compile(jdk: Jdk, folder: str) -> None:
    operations = Path(folder) / "Operations.java"
    operations.write_text(java_source(), encoding="utf-8")
    names = ("Harness", "Statements", "Memory", "Events", "Library")
    compile_java(jdk, [operations, *(SOURCES / f"{n}.java" for n in names)], folder, "the harness")


def _fork(jdk: Jdk, folder: str, mode: str, effort: SamplingEffort, part: str, core: int | None) -> dict[str, float]:
    """The lower quartile of each case's samples in one JVM: what disturbs a sample only makes it longer."""
    sizes = [f"-Dapet.{level.lower()}={size}" for level, size in host.caches().items()]
    sizes += ["-Dapet.quick=true"] if effort.forks <= QUICK.forks else []
    flags = (*MODES[mode], *COMMON, *(() if part == "memory" else SCALAR[mode]), *sizes)
    slow = 0.25 if mode == "Xint" else 1.0
    numbers = (f"{effort.warm_ms * slow:g}", f"{effort.sample_ms * 1000:g}", str(effort.samples))
    text = run_java(jdk, [*flags, "-cp", folder, "Harness", *numbers, part], "the harness", LIMIT, core)

    quartiles: dict[str, float] = {}
    for line in text.splitlines():
        name, *seconds = line.split()
        quartiles[name] = quantile([float(s) for s in seconds], 0.25)
    return quartiles
