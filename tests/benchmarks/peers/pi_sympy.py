"""The peer of `apet predict samples/pamela/pi.pam --machines join-2005 -P N`, as one would write it with sympy.

    python tests/benchmarks/peers/pi_sympy.py machines/join-2005.toml 32 [--unevaluated] [--subs]

prints the estimate's two ends in seconds. One symbol per operation and machine. The symbols carry no assumptions and
the shares are numbers, which is the faster way for sympy. `--unevaluated` keeps `Max` from comparing its arguments.
Numbers are put in by `xreplace`; `--subs` does it the usual way, which evaluates `Max` again for every symbol.
"""

from __future__ import annotations

import math
import sys
import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

OPERATIONS = {"call_random": 2, "mpy_double": 2, "sum_double": 1, "compare": 1}
POINTS, TASKS, INSIDE, BYTES = 1_000_000_000, 100, 0.785, 8


def main(path: str, processors: int, evaluate: bool, one_by_one: bool) -> None:
    """Print the interval."""
    with open(path, "rb") as file:
        table = tomllib.load(file)
    machines = fastest(table["machine"], processors)
    formula = total(shares([factor(m, table["machine"]) for m in machines]), evaluate)
    put = formula.subs if one_by_one else formula.xreplace
    low, high = (put(values(table, machines, end)) for end in (0, 1))
    print(float(low), float(high))


def total(dealt: Sequence[int], evaluate: bool) -> Any:
    """max(T0, T[cpu[p]], T[bus]) for these shares of the tasks."""
    n, tasks, q = sympy.symbols("n tasks q")
    works, messages = [], []
    for p, share in enumerate(dealt, 1):
        once = sum(count * sympy.Symbol(f"t_{name}_{p}") for name, count in OPERATIONS.items())
        works.append(share * n / tasks * (once + q * sympy.Symbol(f"t_sum_int_{p}")))
        messages.append(sympy.Symbol(f"t_send_0_{p}") + sympy.Symbol(f"t_send_{p}_0"))
    alone = [work + message for work, message in zip(works, messages, strict=True)]
    return sympy.Max(*alone, *works, sympy.Add(*messages), evaluate=evaluate)


def values(table: Mapping[str, Any], machines: Sequence[Mapping[str, Any]], end: int) -> dict[Any, Any]:
    """What the symbols stand for at one end of the intervals."""
    found: dict[Any, Any] = {sympy.Symbol("n"): POINTS, sympy.Symbol("tasks"): TASKS, sympy.Symbol("q"): INSIDE}
    for p, machine in enumerate(machines, 1):
        for name in (*OPERATIONS, "sum_int"):
            found[sympy.Symbol(f"t_{name}_{p}")] = ends(machine["op_s"][name])[end]
        seconds = message(table["network"], machine["name"], end)
        found[sympy.Symbol(f"t_send_0_{p}")] = found[sympy.Symbol(f"t_send_{p}_0")] = seconds
    return found


def message(network: Mapping[str, Any], name: str, end: int) -> float:
    """Seconds of one message between the coordinator and a machine; links hold in both directions."""
    rates = dict(network)
    for link in network.get("link", ()):
        if name in (link["from"], link["to"]):
            rates |= link
    latency, bandwidth = ends(rates["latency_s"]), ends(rates["bandwidth_B_per_s"])
    return latency[end] + BYTES / bandwidth[1 - end]


def ends(given: Any) -> tuple[float, float]:
    """An interval, or one number twice."""
    return (given[0], given[1]) if isinstance(given, list) else (given, given)


def fastest(groups: Sequence[Mapping[str, Any]], processors: int) -> list[Mapping[str, Any]]:
    """The machines of that many processors, in the order of the file."""
    ranked = sorted(range(len(groups)), key=lambda g: -factor(groups[g], groups))
    kept, left = [0] * len(groups), processors
    for g in ranked:
        kept[g] = min(left, groups[g].get("count", 1))
        left -= kept[g]
    return [group for g, group in enumerate(groups) for _ in range(kept[g])]


def factor(machine: Mapping[str, Any], groups: Sequence[Mapping[str, Any]]) -> float:
    """The geometric mean of the best machine's time over this one's, to 12 digits."""
    shared = [name for name in groups[0]["op_s"] if all(name in g["op_s"] for g in groups)]
    logs = [math.log(min(sum(ends(g["op_s"][k])) for g in groups) / sum(ends(machine["op_s"][k]))) for k in shared]
    return float(f"{math.exp(math.fsum(logs) / len(logs)):.12g}")


def shares(factors: Sequence[float]) -> list[int]:
    """The tasks in proportion to the factors: floors first, then one more to the largest remainders."""
    whole = sum(map(Fraction, factors))
    exact = [TASKS * Fraction(f) / whole for f in factors]
    found = [int(e) for e in exact]
    first = sorted(range(len(found)), key=lambda p: (found[p] - exact[p], p))
    for p in first[: TASKS - sum(found)]:
        found[p] += 1
    return found


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), "--unevaluated" not in sys.argv, "--subs" in sys.argv)
