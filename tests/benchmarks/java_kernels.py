"""Kernels that were timed once, with the machine's figures of that hour, and their predictions from these."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT / "compiler") not in sys.path:
    sys.path.insert(0, str(ROOT / "compiler"))

FORKS = {"C2": 5, "Xint": 1}
LIMIT = 300.0


class KernelSet(NamedTuple):
    """A folder of kernels with `sizes.json`, times in `measured/MACHINE.json`, and perhaps halves and families."""

    folder: Path

    @property
    def sizes(self) -> dict[str, list[int]]:
        """Sizes by class."""
        return dict(self._read("sizes.json"))

    @property
    def measured(self) -> list[Path]:
        """A file for each machine."""
        return sorted((self.folder / "measured").glob("*.json"))

    def half(self, name: str | None) -> list[str]:
        """The kernels of a half; all without one."""
        return list(self.sizes) if name is None else list(self._read("halves.json")[name])

    def families(self) -> dict[str, str]:
        """By kernel, its family; itself where there are none."""
        if not (self.folder / "families.json").exists():
            return {name: name for name in self.sizes}
        return {kernel: family for family, kernels in self._read("families.json").items() for kernel in kernels}

    def file(self, kernel: str) -> str:
        """The source of a kernel."""
        return str(self.folder / f"{kernel}.java")

    def _read(self, name: str) -> Any:
        return json.loads((self.folder / name).read_text(encoding="utf-8"))


class Kernels:
    """Predicts kernels from plain figures of a machine; all modes share the counts of one run."""

    def __init__(
        self,
        kernels: KernelSet,
        measured: Mapping[str, Any],
        mode: str,
        folder: str,
        counted: dict[tuple[str, int], Any],
        level: str = "core",
    ) -> None:
        from apet import api
        from apet.cli.java_runs import predictor_on
        from apet.java.jvm import find_jdk
        from apet.java.measure.library_classes import library_classes
        from apet.java.measure.machine_text import machine_text
        from apet.java.task_values import host_values
        from apet.java.validate.validation import Predicting, ValidationManner
        from apet.program.translation import Translation

        self.kernels, self.family = kernels, kernels.families()
        self.level = "flat" if mode == "Xint" else level
        path = os.path.join(folder, f"{mode}.toml")
        # What the benchmark has learnt to measure since has the time of its class, as a call that nobody has measured.
        op_s = measured["machine"]["machine"][0]["op_s"]
        classes = library_classes(sum(op_s["lat_sum_int" if mode != "Xint" else "sum_int"]) / 2)
        op_s.update({name: times for name, times in classes.items() if name not in op_s})
        Path(path).write_text(machine_text(measured["machine"]), encoding="utf-8")
        self.machines = api.load_machines(path)

        def translate(file: str, entry: str) -> Translation:
            translation = api.translate(file, entry=entry, level=self.level)
            assert isinstance(translation, Translation)
            return translation

        def predicting(predictor: bool) -> Predicting:
            inside = tempfile.mkdtemp(dir=folder)
            manner = ValidationManner(mode, 1, 0, 0, LIMIT, predictor)
            predict, given = predictor_on(self.machines), host_values(self.machines)
            return Predicting(find_jdk(), manner, translate, predict, given, inside)

        self.predicting = {predictor: predicting(predictor) for predictor in (True, False)}
        for one in self.predicting.values():
            one.counted = counted
            one.prepared = self.predicting[True].prepared

    def text(self, kernel: str) -> str:
        """The model of a kernel."""
        models = self.predicting[True].models
        if kernel not in models:
            models[kernel] = self.predicting[True].translate(self.kernels.file(kernel), f"{kernel}.run()")
        return str(models[kernel].text)

    def interval(self, kernel: str, n: int, predictor: bool) -> tuple[float, float]:
        """Seconds without a band. The run that counts simulates the predictor for whoever asks later."""
        self.predicting[True].filled(self.kernels.file(kernel), kernel, n)
        found = self.predicting[predictor].interval(self.kernels.file(kernel), kernel, n)
        return float(found.lo), float(found.hi)

    def calibrated(self, kernel: str, small: int, seconds: float, large: int) -> tuple[float, float]:
        """Seconds at the large size, as the run at the small one scales them, without a band."""
        from apet.cli.java_runs import after_run
        from apet.program.measure.bands import EXACT

        there, here = (self.predicting[True].filled(self.kernels.file(kernel), kernel, n) for n in (small, large))
        found = after_run(self.machines, seconds, EXACT, there, here)
        return float(found.lo), float(found.hi)


def measured_here(kernels: KernelSet, name: str, modes: Sequence[str]) -> None:
    """Time the machine's operations and all kernels."""
    file = kernels.folder / "measured" / f"{name}.json"
    file.parent.mkdir(exist_ok=True)
    by_mode = {mode: _measured(kernels, mode, print) for mode in modes}
    file.write_text(json.dumps(by_mode, indent=1) + "\n", encoding="utf-8")


def _measured(kernels: KernelSet, mode: str, say: Callable[[str], None]) -> dict[str, Any]:
    from apet.cli.java_runs import BUDGET_MS, WARM_MS
    from apet.java.jvm import find_jdk
    from apet.java.measure.sampling import NORMAL, sample
    from apet.java.validate.kernels import compile_kernels
    from apet.java.validate.validation import ValidationManner, time_kernel
    from apet.program.measure.samples import median

    jdk, sizes = find_jdk(), kernels.sizes
    manner = ValidationManner(mode, FORKS[mode], BUDGET_MS, WARM_MS, LIMIT, False)
    machine = plain_machine(mode, sample(jdk, mode, NORMAL, lambda _, __: None))
    seconds: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        compile_kernels(jdk, [kernels.file(k) for k in sizes], folder)
        for kernel, of_kernel in sizes.items():
            say(f"{mode}: {kernel}")
            for n in of_kernel:
                forks = [time_kernel(jdk, folder, kernel, n, manner) for _ in range(manner.forks)]
                seconds.setdefault(kernel, {})[str(n)] = float(f"{median(forks):.4g}")
    return {"forks": FORKS[mode], "seconds": seconds, "machine": machine}


def plain_machine(mode: str, taken: Any) -> dict[str, Any]:
    """The content of a machine file without bands."""
    from apet.ground import host
    from apet.java.jvm import find_jdk
    from apet.java.measure.measuring import operations_of, parameters

    operations, _ = operations_of(taken, mode, banded=False)
    provenance: dict[str, Any] = {"method": "tests.benchmarks.java_kernels", "mode": mode}
    provenance |= {"date": host.now(), "cpu": host.processor()}
    provenance |= {"jvm": find_jdk().version(), "parameters": parameters(taken)}
    machine = {"name": "this", "count": 1, "cores": 1, "op_s": operations}
    return {
        "schema": 1,
        "name": "training",
        "machine": [machine],
        "network": {"topology": "none"},
        "provenance": provenance,
    }
