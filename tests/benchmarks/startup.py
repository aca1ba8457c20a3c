"""A whole prediction as a process: start, compile, predict, print."""

from __future__ import annotations

import json
from collections.abc import Iterable

from tests.benchmarks.measure import PYTHON, Row, Run, Table, agree, process, process_row, processes

APET = (*PYTHON, "-m", "apet.cli.main")
PREDICT = (*APET, "predict", "samples/pamela/pi.pam", "--machines", "join-2005")
PEER = (*PYTHON, "tests/benchmarks/peers/pi_sympy.py", "machines/join-2005.toml")


def prediction(quick: bool) -> Table:
    """pi.pam on 32 machines against a script with sympy; start-up alone as the floor."""
    table = Table("predict", "A cold prediction as a whole process: pi.pam on join-2005")
    number, ours = ("4" if quick else "32"), "apet predict"
    peers = {
        "sympy, Max(…)": (*PEER, number),
        "sympy, Max(…, evaluate=False)": (*PEER, number, "--unevaluated"),
    }
    ends = json.loads(process((*PREDICT, "-P", number, "--json")).printed)["predictions"][0]["estimate"]
    commands = {
        "python -c pass": (*PYTHON, "-c", "pass"),
        "apet --version": (*APET, "--version"),
        "apet --help": (*APET, "--help"),
        ours: (*PREDICT, "-P", number),
        "apet predict, P = 2 … 32": (*PREDICT, "-P", "2:32"),
        **peers,
    }
    found = processes(commands, 3 if quick else 7)
    for name, runs in found.items():
        base = found[ours] if name != ours else ()
        table.rows.append(_row(name, runs, base, ours))
    worst = max(_apart(found[name][0], ends.values()) for name in peers)
    shown = f"{ends['tmin']:.6g} … {ends['tmax']:.6g} s"
    table.notes.append(f"P = {number}; all give {shown}, within {worst:.0e} of each other.")
    table.notes.append("sympy compares all arguments of Max pairwise unless told not to evaluate it.")
    if not quick:
        slow = process((*PEER, "4", "--subs"))
        table.notes.append(f"sympy with subs instead of xreplace: {slow.wall:.1f} s on 4 machines (1 run).")
    table.notes.append("Processes start with the files in the system's cache and compiled modules kept.")
    return table


def _apart(run: Run, ends: Iterable[float]) -> float:
    """The greatest relative difference of a peer's interval; ValueError above 1e-9."""
    return max(agree(float(a), b) for a, b in zip(run.printed.split(), ends, strict=True))


def _row(name: str, runs: list[Run], base: list[Run] | tuple[()], against: str) -> Row:
    return process_row(name, runs, base, against if base else "")
