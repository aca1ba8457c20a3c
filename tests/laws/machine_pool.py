"""The machine models that programs are run on: a fixed pool, as numbers for the oracle and as text for the product."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random

OPERATION_NAMES = ("a", "b")
PROCESSORS = 4


@dataclass(frozen=True)
class Computers:
    """Seconds `times[p][operation] = (tmin, tmax)` and cores of processors 0 (the coordinator) to 4, and a network."""

    times: tuple[dict[str, tuple[int, int]], ...]
    cores: tuple[int, ...]
    topology: str
    latency: tuple[int, int]
    bandwidth: tuple[int, int]

    def message_seconds(self, size: int | Fraction) -> tuple[int | Fraction, int | Fraction]:
        """The least and the greatest time of a message between two processors."""
        return self.latency[0] + Fraction(size) / self.bandwidth[1], self.latency[1] + Fraction(size) / self.bandwidth[
            0
        ]

    def toml(self) -> str:
        """The machine file."""
        lines = ["schema = 1", 'name = "drawn"']
        for p, (times, cores) in enumerate(zip(self.times, self.cores, strict=True)):
            table = "machine" if p else "coordinator"
            lines += [f"[[{table}]]" if p else f"[{table}]", f'name = "m{p}"', f"cores = {cores}"]
            lines += ["count = 1", "factor = 1.0"] if p else []
            lines += [f"[{table}.op_s]", *(f"{o} = [{low}.0, {high}.0]" for o, (low, high) in times.items())]
        lines += ["[network]", f'topology = "{self.topology}"', f"latency_s = {list(map(float, self.latency))}"]
        return "\n".join([*lines, f"bandwidth_B_per_s = {list(map(float, self.bandwidth))}"]) + "\n"


def _computers(random: Random, topology: str, most_cores: int, width: int) -> Computers:
    def ends(least: int = 1) -> tuple[int, int]:
        low = random.randint(least, 4)
        return low, low + random.randint(0, width)

    times = tuple({name: ends() for name in OPERATION_NAMES} for _ in range(PROCESSORS + 1))
    cores = tuple(random.randint(1, most_cores) for _ in range(PROCESSORS + 1))
    return Computers(times, cores, topology, ends(0), ends())


def _plain() -> Computers:
    times = ({"a": (1, 2), "b": (3, 4)},) * (PROCESSORS + 1)
    return Computers(times, (1,) * (PROCESSORS + 1), "none", (1, 2), (1, 1))


def _pool() -> tuple[Computers, ...]:
    random = Random(1)
    drawn = (
        _computers(random, topology, most_cores, width)
        for topology in ("none", "none", "bus", "switch")
        for most_cores in (1, 2)
        for width in (0, 3)
    )
    return (_plain(), *drawn)


POOL = _pool()
"""The first one is the plainest; failures are shrunk to it."""
