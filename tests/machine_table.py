"""Machine models of tests: plain tables behind the questions that backends ask."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from apet.ground.interval import Number
from apet.machine.network import End

Ends = tuple[float, float]


@dataclass(frozen=True)
class Table:
    """Seconds `op_s[p][op] = (tmin, tmax)`, latency (s), bandwidth (bytes/s) and servers per processor."""

    op_s: Mapping[int, Mapping[str, Ends]]
    latency_s: Ends = (0.0, 0.0)
    bandwidth_B_per_s: Ends = (1.0, 1.0)
    servers: Mapping[int, int] = field(default_factory=dict)

    @property
    def P(self) -> int:
        return max(self.op_s)

    def time(self, op: str, p: int, end: End) -> float:
        return self.op_s[p][op][end == "tmax"]

    def send(self, p: int, q: int, size: Number, end: End) -> float:
        if p == q:
            return 0.0
        return self.latency_s[end == "tmax"] + float(size) / self.bandwidth_B_per_s[end == "tmin"]

    def cores(self, p: int) -> int:
        return self.servers.get(p, 1)

    def shares(self, tasks: int, schedule: str = "static") -> tuple[int, ...]:
        """Tasks dealt evenly: the first ones get one more."""
        return tuple(tasks // self.P + (p < tasks % self.P) for p in range(self.P))

    def toml(self) -> str:
        """The same table as a machine file; processor 0 is a coordinator with its own numbers."""
        lines = ["schema = 1", 'name = "table"']
        if 0 in self.op_s:
            lines += ["[coordinator]", f"cores = {self.cores(0)}", "[coordinator.op_s]", *_op_lines(self.op_s[0])]
        for p in range(1, self.P + 1):
            lines += ["[[machine]]", f'name = "m{p}"', "count = 1", f"cores = {self.cores(p)}", "factor = 1.0"]
            lines += ["[machine.op_s]", *_op_lines(self.op_s[p])]
        lines += ["[network]", f"latency_s = {list(self.latency_s)}"]
        lines += [f"bandwidth_B_per_s = {list(self.bandwidth_B_per_s)}"]
        return "\n".join(lines) + "\n"


def _op_lines(op_s: Mapping[str, Ends]) -> list[str]:
    return [f"{op} = {list(ends)}" for op, ends in op_s.items()]


def read_table(path: Path) -> Table:
    """The times of a machine file that holds nothing but times; processor 0 costs what machine 1 costs."""
    machines = tomllib.loads(path.read_text(encoding="utf-8"))["machine"]
    op_s: dict[int, Mapping[str, Ends]] = {}
    for machine in machines:
        for _ in range(machine["count"]):
            op_s[len(op_s) + 1] = {op: (lo, hi) for op, (lo, hi) in machine["op_s"].items()}
    return Table({0: op_s[1], **op_s})
