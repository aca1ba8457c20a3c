"""Measures operations of C on this machine: the content of a machine file, with provenance."""

from __future__ import annotations

import itertools
import os
import re
import socket
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from apet.c.compiling import build, version
from apet.c.measure.cases import c_source
from apet.ground import host
from apet.program.levels.memory import FAR
from apet.program.measure.bands import band
from apet.program.measure.cases import CHAINED
from apet.program.measure.figures import LEAST, core_figures, predictor_memory
from apet.program.measure.flat_figures import compiled, interpreted
from apet.program.measure.samples import Progress, median, quantile, rounded

FLAGS = {"O0": ("-O0",), "O2": ("-O2", "-fno-tree-vectorize")}
"""The compiler's flags by mode; at -O2 loads and stores of single operations must not be put on vectors."""
INTERPRETED = {"O0": "Xint", "O2": "C2"}
"""The rules of Java's figures that hold for a mode: statements that follow one another, or a compiled program."""
TAIL, FAR_TAIL = 0.25, 0.1
LIMIT = 300.0
UNSIGNED = {"int": "uint", "long": "ulong", "byte": "uchar", "short": "ushort"}
ABSENT = re.compile(
    r"new|monitor|instanceof|next_iterator|throw|concat|charAt|.*_string$|.*Exact|.*_char(_|$)|(tp_|lat_)?charAt"
    r"|call_(ArrayList|String|System|random|static)|no_call"
)
"""Operations of Java that no program of C has."""
CLASSES = {"call_*": (0.5, 2000.0), "each_*": (0.02, 5.0), "each_*sort*": (0.5, 15.0)}
"""Nanoseconds that are assumed of calls of the library that nobody has measured, on a core that adds in .22 ns."""
ADDITION_S = 0.22e-9


class Effort(NamedTuple):
    """Runs of the program, and in each the milliseconds of warm-up and of a sample, and samples of each case."""

    runs: int
    warm_ms: float
    sample_ms: float
    samples: int


NORMAL, QUICK = Effort(5, 3.0, 1.0, 7), Effort(2, 2.0, 0.5, 5)


def measure(mode: str, quick: bool, progress: Progress) -> dict[str, Any]:
    """The content of a machine file of programs compiled in a mode of `FLAGS`. `ApetError` without a compiler."""
    effort = QUICK if quick else NORMAL
    before = host.load()
    taken = sample(mode, effort, progress)
    operations, seconds = operations_of(taken, mode)
    medians = {name: median(times) for name, times in taken.items()}
    caches = {f"cache_{level}": size for level, size in host.caches().items()}
    parameters = {"vector_B": host.vector_bytes(), "predictor_memory": predictor_memory(medians), **caches}
    scale = median(taken["lat_sum_int"]) / (2 * CHAINED) / ADDITION_S
    classes = {
        name: [rounded(low * scale * 1e-9), rounded(high * scale * 1e-9)] for name, (low, high) in CLASSES.items()
    }
    provenance = {
        "kind": "measured",
        "method": "apet benchmark --language c",
        "host": socket.gethostname(),
        "date": host.now(),
        "cpu": host.processor(),
        "cores": host.cores(),
        "system": host.system(),
        "compiler": version(),
        "mode": mode,
        "flags": " ".join(FLAGS[mode]),
        "load_before": before,
        "load_after": host.load(),
        "runs": effort.runs,
        "samples_of_each": effort.samples,
        "band_core": list(band(INTERPRETED[mode], "core")),
        "band_flat": list(band(INTERPRETED[mode], "flat")),
        "band_from": "programs of Java",
        "parameters": parameters,
        "measured_s": seconds,
    }
    return {
        "schema": 1,
        "name": f"{socket.gethostname()}, cc -{mode}",
        "machine": [{"name": "this", "count": host.cores(), "cores": 1, "op_s": {**operations, **classes}}],
        "network": {"topology": "none"},
        "provenance": {key: value for key, value in provenance.items() if value is not None},
    }


def sample(mode: str, effort: Effort, progress: Progress) -> dict[str, list[float]]:
    """Seconds of processor time of each case, by run: the lower quartile of its samples."""
    samples: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        progress("compiling the harness", 0.0)
        with open(os.path.join(folder, "harness.c"), "w", encoding="utf-8") as file:
            file.write(c_source())
        build("the harness", [*FLAGS[mode], "-w", "-o", "harness", "harness.c", "-lm"], folder)
        sizes = [
            str(host.caches().get(level, default)) for level, default in (("L1", 2**15), ("L2", 2**20), ("L3", 2**25))
        ]
        numbers = [str(effort.warm_ms), str(effort.sample_ms), str(effort.samples)]
        for k in range(effort.runs):
            progress(f"run {k + 1} of {effort.runs}", k / effort.runs)
            command = [os.path.join(folder, "harness"), *numbers, *sizes]
            run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LIMIT)
            for line in run.stdout.splitlines():
                name, *times = line.split()
                samples.setdefault(name, []).append(quantile([max(float(t), 0.0) for t in times], 0.25))
    return samples


def operations_of(taken: Mapping[str, list[float]], mode: str) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Intervals with their band, and the plain figures of all runs, by operation."""
    lows: dict[str, list[float]] = {}
    highs: dict[str, list[float]] = {}
    cores: set[str] = set()
    for k in range(min(map(len, taken.values()))):
        raw = defaultdict(float, {name: times[k] for name, times in taken.items()})
        raw["moves_Object"] = raw["moves_long"]
        core = core_figures(raw)
        flat = interpreted(raw, core, waits=True) if mode == "O0" else compiled(core)
        # Interpreted statements follow one another: no unit works beside another one.
        points = {} if mode == "O0" else {n: (t, t) for n, t in core.items()}
        cores |= points.keys()
        for name, (low, high) in {**points, **flat, **_library(raw)}.items():
            for one in _names(name):
                lows.setdefault(one, []).append(low)
                highs.setdefault(one, []).append(high)
    cores = {one for name in cores for one in _names(name)}

    intervals: dict[str, list[float]] = {}
    for name in sorted(lows):
        down, up = band(INTERPRETED[mode], "core" if name in cores else "flat")
        tail = FAR_TAIL if name.startswith(FAR) else TAIL
        intervals[name] = [rounded(quantile(lows[name], tail) / down), rounded(quantile(highs[name], 1 - tail) * up)]
    return intervals, {name: [rounded(t) for t in sorted({*lows[name], *highs[name]})] for name in intervals}


def _names(name: str) -> Iterator[str]:
    """An operation of Java's figures as C has it: for each type also the one without a sign."""
    if ABSENT.match(name):
        return
    parts = [(part, UNSIGNED[part]) if part in UNSIGNED else (part,) for part in name.split("_")]
    yield from ("_".join(one) for one in itertools.product(*parts))


def _library(raw: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """Calls of C's library; of those that move or sort memory, a fixed part and one for each byte or element."""
    calls = {name: raw[name] for name in ("call_malloc", "call_rand", "call_strlen", "call_clock")}
    calls |= {"call_free": raw["call_malloc"], "call_calloc": raw["call_malloc"], "call_realloc": raw["call_malloc"]}
    calls |= {
        "call_srand": raw["call_rand"],
        "call_snprintf": raw["call_snprintf"],
        "call_sprintf": raw["call_snprintf"],
    }
    for name, case in (("memcpy", "copy"), ("memmove", "copy"), ("memset", "clear")):
        few, many = raw[f"{case}_64"], raw[f"{case}_4096"]
        calls[f"call_{name}"] = few
        calls[f"each_{name}"] = max(many - few, LEAST * many) / 4032
    calls["call_cleared"] = calls["call_memset"]
    calls["call_qsort"], calls["each_qsort"] = raw["call_malloc"], raw["sort_1024"] / (1024 * 10)
    # A program that prints also waits for whoever reads it.
    wide = dict.fromkeys(
        ("call_printf", "call_puts", "call_fprintf"), (raw["call_snprintf"], 40 * raw["call_snprintf"])
    )
    return {**{name: (time, 1.5 * time) for name, time in calls.items()}, **wide}
