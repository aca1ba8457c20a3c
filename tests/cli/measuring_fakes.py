"""What measures, replaced: nothing runs, figures are always the same, and what would have been measured is noted."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MACHINE = tomllib.loads((ROOT / "machines" / "zen5-openjdk17.toml").read_text())
PLAIN = (str, int, float, bool, tuple, list, dict, type(None))

OF_MPI = {"-n": "3", "-o": "other.txt", "--mpiexec": "run", "--mpicc": "cc"}
OF_BENCHMARKS = {"-o": "this.toml", "--language": "c", "--mode": "C1", "--peer": "host:9", "--serve": "9"}
OF_BENCHMARKS |= {"--check": "join-2005"}
OF_CALIBRATIONS = {"--trace": "two.txt", "--repeat": "5", "--pingpong": "pingpong.txt", "--save-pingpong": "saved.txt"}
OF_CALIBRATIONS |= {
    "-n": "3",
    "--most": "2048",
    "--sizes": "10",
    "--breaks": "64",
    "--hosts": "5",
    "--cores-per-host": "3",
}
OF_CALIBRATIONS |= {"-o": "other.xml", "--machine": "m.toml", "--mpiexec": "run", "--mpicc": "cc"}
OF_PROFILES = {"--entry": "other", "--set": "points=20", "--source-path": "nowhere"}
OF_VALIDATIONS = {"--sizes": "other.json", "-P": "3", "--schedule": "join", "--set": "n=7", "--mode": "Xint"}
OF_VALIDATIONS |= {"-m": "join-2005", "--calibrate-at": "near", "--forks": "3", "--repeat": "7", "-o": "other.txt"}
MEASURING: dict[str, tuple[str, dict[str, str]]] = {
    "run": ("-- true {size}", {"--from": "4", "--most": "256", "-o": "other"}),
    "run procs": ("-- true {procs}", {"--from": "2", "--most": "64", "-o": "other"}),
    "run mpi": ("-- mpirun -n 2 true", {"--from": "4", "--most": "256", "-o": "other"}),
    "record": ("-n 2 -- true", {"--mode": "blocks", **OF_MPI}),
    "record cc": ("--cc -- true", {"--mode": "blocks", **OF_MPI}),
    "serve": ("pi", {"-m": "join-2005", "--port": "8000", "--seconds": "5"}),
    "benchmark": ("", OF_BENCHMARKS),
    "benchmark c": ("--language c", OF_BENCHMARKS | {"--mode": "O0"}),
    "benchmark network": ("--network", OF_BENCHMARKS),
    "benchmark check": ("--check zen5-openjdk17", OF_BENCHMARKS),
    "benchmark serve": ("--serve 9000", OF_BENCHMARKS),
    "calibrate": ("-n 2 -- true", OF_CALIBRATIONS),
    "calibrate file": ("-n 2 --pingpong pingpong.txt --trace two.txt -- true", OF_CALIBRATIONS),
    "profile": ("samples/java/PiTask.java --set points=10", OF_PROFILES),
    "profile c": ("samples/c/sieve.c --set n=10", OF_PROFILES),
    "validate": ("K_horner.java -m zen5-openjdk17 --sizes sizes.json", OF_VALIDATIONS),
    "validate c": ("samples/c/sieve.c -m xeon-gcc12-O2 --sizes sizes.json", OF_VALIDATIONS),
    "validate pasl": ("samples/pasl/pi.pasl -m zen5-openjdk17", OF_VALIDATIONS),
    "lsp": ("", {}),
}
"""Calls of verbs that measure or wait, which is replaced, with values of their own of options."""


class Notes(list[str]):
    """What was asked for, in order."""

    def of(self, name: str, answer: Any) -> Any:
        """A function that notes its arguments, as far as they are plain data, and answers always the same."""

        def fake(*given: Any, **named: Any) -> Any:
            self.append(f"{name}{[g for g in [*given, *named.values()] if isinstance(g, PLAIN)]}")
            return answer(*given, **named) if callable(answer) else answer

        return fake


def install(notes: Notes, patch: pytest.MonkeyPatch) -> None:
    """Replace all that measures."""
    _runs(notes, patch)
    _mpi(notes, patch)
    _java(notes, patch)
    _servers(notes, patch)


def _runs(notes: Notes, patch: pytest.MonkeyPatch) -> None:
    from apet.cli import forecast, measuring, run, run_sizes
    from apet.ground.timed_run import Timed
    from apet.runs.measure import growing_sizes, start_up
    from apet.runs.measure.growing_sizes import MeasuringStep
    from apet.runs.measure.start_up import StartUp

    def measured(runs: Any, _: object) -> Iterator[MeasuringStep]:
        notes.append(f"runs of {runs.plan.command}, {round(runs.plan.budget, -1)} s")
        n = runs.plan.first
        while len(runs.runs) < 6 and n <= (runs.plan.most or n):
            timed = Timed(0.01 * n**1.1, 0.01 * n, 1000, False)
            runs.add(n, timed)
            yield MeasuringStep(n, timed, 0.0, "a size")
            n *= 2

    document = growing_sizes.MeasuredRuns.document

    def undated(runs: Any, remarks: Sequence[str]) -> dict[str, Any]:
        return document(runs, remarks) | {"date": "today"}

    patch.setattr(measuring, "measure", measured)
    patch.setattr(start_up, "find", lambda *_: StartUp(16, 0.1, 8, True))
    patch.setattr(measuring, "load", lambda: 0.0)
    patch.setattr(run, "_page", lambda *_: "report.html")
    patch.setattr(run_sizes, "cores", lambda: 16)
    patch.setattr(forecast.RunOrder, "left", property(lambda order: order.budget))
    patch.setattr(growing_sizes.MeasuredRuns, "document", undated)


def _mpi(notes: Notes, patch: pytest.MonkeyPatch) -> None:
    from apet.cli import run_mpi, trace_acquire, trace_calibrate
    from apet.traces import mpi
    from apet.traces.mpi import acquiring, building, flavours, network, rates, weights

    here = flavours.Mpi("MPICH", "4", ("mpiexec",), ("mpicc",))
    ring = (ROOT / "samples" / "traces" / "ring.txt").read_text()
    acquired = SimpleNamespace(volumes="cpu", libraries=False, advice=(), parts=[0, 1], seconds=1.0, sites=((), ()))

    def recorded(order: Any, keep: Any, show: bool = False) -> Any:
        keep(acquired)
        return acquired

    def written(trace: Any, target: str, separate: bool) -> None:
        notes.append(f"trace to {target}, {separate}")
        Path(target).write_text(ring)

    for module in (mpi, run_mpi):
        patch.setattr(module, "acquire", notes.of("acquire", recorded))
    for module in (acquiring, run_mpi):
        patch.setattr(module, "checked", notes.of("checked", lambda order: (__file__, here)))
    for module in (trace_acquire, run_mpi):
        patch.setattr(module, "write_trace", written)
    patch.setattr(rates, "acquire_volumes", notes.of("volumes", (rates.TotalVolumes([1e9, 1e9], {}), acquired)))
    rate = rates.Rate(1e9, 0.9e9, 1.1e9, 3, 1.0)
    patch.setattr(rates, "measure_rate", notes.of("rate", rate))
    patch.setattr(
        network, "measure", notes.of("network", lambda m, r, sizes, *_: [(n, 1e-6 + n * 1e-9) for n in sizes])
    )
    patch.setattr(weights, "counts_blocks", lambda _: False)
    patch.setattr(building, "block_counter", lambda: Path("/dev/null"))
    patch.setattr(trace_calibrate, "now", lambda: "today")


def _java(notes: Notes, patch: pytest.MonkeyPatch) -> None:
    from apet.c.measure import measuring as of_c
    from apet.c.profile import profiling
    from apet.cli import benchmark, c_runs, java_runs, profile, validate
    from apet.ground import host
    from apet.java.measure.checking import Check
    from apet.java.measure.measuring import MeasuredMachine
    from apet.java.validate.points import Point, Trial

    for module in (benchmark, profile, java_runs):
        patch.setattr(module, "find_jdk", lambda: None)
    patch.setattr(benchmark, "measure", notes.of("Java", MeasuredMachine(MACHINE)))
    patch.setattr(of_c, "measure", notes.of("C", MACHINE))
    patch.setattr(benchmark, "measure_network", notes.of("messages", {"latency_s": [1e-6, 2e-6]}))
    patch.setattr(benchmark, "check", notes.of("check", Check((), (), 3)))

    counted = SimpleNamespace(advice=(), values={"rounds": 3.0})
    patch.setattr(profile, "prepare", lambda jdk, files, folder, *_, **named: notes.append(f"{files} {named}"))
    patch.setattr(profile, "run_profile", notes.of("count", counted))
    patch.setattr(profile, "values", lambda *_: counted.values)
    patch.setattr(profiling, "profile", notes.of("count C", counted))

    def kernels(jdk: Any, files: Any, sizes: Any, manner: Any, translate: Any, *others: Any) -> list[Point]:
        notes.append(str((sizes, manner, others[3] and others[3].size, translate(files[0], "run").text)))
        return [Point("Pi", n, 1.0, (1.0, 1.1), 0.9, 1.2) for ns in sizes[1].values() for n in ns]

    def trials(runs: Sequence[Any], machines: Any, ways: Any, progress: Any) -> list[Trial]:
        notes.append(str(ways))
        rows = [(r.name, r.workers, r.schedule, dict(r.settings)) for r in runs]
        return [Trial(*row, (1.0, 1.1), (1.0, 1.1), 0.9, 1.2, {}) for row in rows]

    patch.setattr(host, "load", lambda: 0.0)
    patch.setattr(java_runs, "validate", kernels)
    patch.setattr(validate, "run_applications", notes.of("trials", trials))
    patch.setattr(c_runs, "profile", notes.of("count C", SimpleNamespace(advice=(), values={})))
    patch.setattr(c_runs, "timed", notes.of("time C", (1.0, 1.1)))


def _servers(notes: Notes, patch: pytest.MonkeyPatch) -> None:
    from apet.cli import benchmark, serve
    from apet.editor import language_server

    class Server:
        """A server that ends at once."""

        address = "http://here"

        def __init__(self, port: int, model: str, machines: str, worker: Any, operations: Any) -> None:
            notes.append(f"page at {port}: {model} on {machines}, {worker.seconds} s, {sorted(operations)}")

        def serve_forever(self) -> None:
            """Serve nobody."""

        server_close = serve_forever

    patch.setattr(serve, "PageServer", Server)
    patch.setattr(benchmark, "serve", notes.of("serve", None))
    patch.setattr(language_server, "serve", notes.of("editor", None))
