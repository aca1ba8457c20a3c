"""A whole prediction as a process: start, compile, predict, print."""

from __future__ import annotations

import json

from tests.benchmarks.measure import PYTHON, Row, Run, Table, agree, process, process_row, processes

APET = (*PYTHON, "-m", "apet.cli.main")
PREDICT = (*APET, "predict", "samples/pamela/pi.pam", "--machines", "join-2005")
PEER = (*PYTHON, "tests/benchmarks/peers/pi_sympy.py", "machines/join-2005.toml")


def prediction(quick: bool) -> Table:
    """pi.pam on 32 machines against a script with sympy; start-up alone as the floor."""
    table = Table("predict", "A cold prediction as a whole process: pi.pam on join-2005")
    number, ours = ("4" if quick else "32"), "apet predict"
    peers = {"sympy, Max(…)": (*PEER, number), "sympy, Max(…, evaluate=False)": (*PEER, number, "--unevaluated")}
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
    worst = max(agree(float(a), b) for n in peers for a, b in zip(found[n][0].printed.split(), ends.values(), strict=True))
    table.notes.append(f"P = {number}; all give {ends['tmin']:.6g} … {ends['tmax']:.6g} s, within {worst:.0e} of each other.")
    table.notes.append("Processes start with the files in the system's cache and compiled modules kept.")
    return table


def _row(name: str, runs: list[Run], base: list[Run] | tuple[()], against: str) -> Row:
    return process_row(name, runs, base, against if base else "")
