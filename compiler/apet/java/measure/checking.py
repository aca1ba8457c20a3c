"""Whether a machine file still describes this machine: a few operations are measured again."""

from __future__ import annotations

from typing import NamedTuple

from apet.ground import host
from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.jvm import MODES, find_jdk
from apet.java.measure.measuring import operations_of
from apet.java.measure.sampling import QUICK, sample
from apet.machine import Machines
from apet.program.measure.samples import Progress, median

AGREEING = 1.25
"""Times that differ by no more than this factor are the same: the noise of a shared machine."""
LOOKED_AT = (
    "tp_sum_int", "lat_sum_int", "lat_mpy_int", "tp_sum_double", "lat_mpy_double", "lat_div_double", "lat_sqrt_double",
    "tp_load_double", "tp_store_double", "lat_load_int", "line_memory", "mispredict", "call_random", "lat_exp_double",
)  # fmt: skip


class Difference(NamedTuple):
    """An operation, its time in the file and now, in seconds, and their factor (now / file)."""

    operation: str
    file_s: float
    now_s: float
    factor: float


class Check(NamedTuple):
    """What differs: facts of the host by name (file, now), and operations; `same` if nothing does."""

    facts: tuple[tuple[str, str, str], ...]
    operations: tuple[Difference, ...]
    compared: int

    @property
    def same(self) -> bool:
        """Whether the file still describes this machine: no fact differs, and most operations agree."""
        return not self.facts and len(self.operations) <= self.compared // 5


def check(machines: Machines, progress: Progress) -> Check:
    """Compare a machine file with this machine. Raises `ApetError` where it was not measured, or without a JDK."""
    provenance = machines.provenance
    plain = provenance.get("measured_s")
    mode = provenance.get("mode")
    if provenance.get("method") != "apet benchmark" or not isinstance(plain, dict) or mode not in MODES:
        raise ApetError(errors.NotMeasured(None, None, machines.file))

    jdk = find_jdk()
    now = {"cpu": host.processor(), "cores": host.cores(), "jvm": jdk.version()}
    facts = [
        (key, str(provenance.get(key)), str(value))
        for key, value in now.items()
        if str(provenance.get(key)) != str(value)
    ]
    measured = operations_of(sample(jdk, mode, QUICK, progress), mode)[1]
    names = [n for n in LOOKED_AT if n in plain and n in measured]
    differences = []

    for name in names:
        file_s, now_s = median(plain[name]), median(measured[name])
        factor = now_s / file_s if file_s > 0 else float("inf")
        if not 1 / AGREEING <= factor <= AGREEING:
            differences.append(Difference(name, file_s, now_s, factor))
    return Check(tuple(facts), tuple(differences), len(names))
