"""How near predictions are to references: independent solvers, simulations, measured runs, SimGrid.

    python -m tests.benchmarks.accuracy --markdown docs/evidence/accuracy.md

The references are those of the tests, and the tests say how far off a case may be; here all errors are shown.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.benchmarks import host, rendering

COMMAND = "python -m tests.benchmarks.accuracy"


class Errors(NamedTuple):
    """A kind of prediction, what it is held against, and the relative error of each figure."""

    kind: str
    reference: str
    found: list[float]


def networks() -> Iterator[Errors]:
    """All figures of a case count as one: the greatest difference in any of them."""
    from tests.queueing.test_networks import APPROXIMATE, FOUND, SOLVED, distance, network_of

    from apet.queueing.methods.mva.solve import solve

    names = {
        "closed_single": "closed networks of one class, exact",
        "closed_multi": "closed networks of several classes, exact",
        "closed_multiserver": "closed networks with several servers, exact",
        "closed_loaddep": "closed networks with speeds that depend on the load, exact",
        "open": "open networks, exact",
        "mixed": "mixed networks, exact",
        "amva_schweitzer": "closed networks by Schweitzer's method",
        "amva_linearizer": "closed networks by Linearizer",
    }
    for kind, name in names.items():
        found = []
        for case in (c for c in SOLVED if c["kind"] == kind):
            result = solve(network_of(case), APPROXIMATE.get(kind, "auto"))
            found.append(max(distance(getattr(result, f), case["result"][f]) for f in FOUND))
        method = "the same method elsewhere" if kind in APPROXIMATE else "independent solvers"
        yield Errors(name, method, found)


def jobs() -> Iterator[Errors]:
    """Mean response times by class."""
    from tests.queueing.test_precedence import FORK_JOINS, JOBS, read

    from apet.queueing.methods.answer import queue

    found = []
    for case in JOBS:
        classes: Any = queue(read(case))
        for one in classes.classes:
            found.append(_error(one.response_time, case["result"]["classes"][one.name]["response_time"]["mean"]))
    yield Errors("jobs with precedence, response time", "simulation", found)
    solved: list[Any] = [queue(read(case)) for case in FORK_JOINS]
    pairs = zip(solved, FORK_JOINS, strict=True)
    joined = [_error(s.classes[0].response_time, c["result"]["response_time"]["mean"]) for s, c in pairs]
    yield Errors("open fork-joins, response time", "simulation", joined)


def traces() -> Iterator[Errors]:
    """Makespans of traces on platforms."""
    from tests.traces.test_replay import DATA, SIMULATED, platform

    from apet.traces.read import read_trace
    from apet.traces.replay import replay

    found = []
    for case in SIMULATED:
        made = replay(read_trace(DATA / f"{case['trace']}.txt.gz"), *platform(case["platform"]))
        found.append(_error(made.makespan_s, case["sim_time_s"]))
    yield Errors("replay of MPI traces, makespan", "SimGrid", found)


def _error(found: float, wanted: float) -> float:
    return abs(found / wanted - 1)


SOURCES: tuple[Callable[[], Iterator[Errors]], ...] = (networks, jobs, traces)


def markdown(found: Sequence[Errors], runs: str, machine: dict[str, str]) -> str:
    """Both tables, under one line that says where and when."""
    about = ", ".join(f"{k} {machine[k]}" for k in ("date", "processor", "cores", "memory", "system", "Python"))
    lines = [f"Found by `{COMMAND}` with {about}.", "", "| what | against | cases | median error | greatest |"]
    lines.append("|---|---|---|---|---|")
    for each in found:
        middle, most = shown(statistics.median(each.found)), shown(max(each.found))
        lines.append(f"| {each.kind} | {each.reference} | {len(each.found)} | {middle} | {most} |")
    return "\n".join(lines) + "\n\n" + runs


def shown(error: float) -> str:
    """Per cent where it can be seen, else the power of ten it is below."""
    if error == 0:
        return "0"
    return f"{100 * error:.2g} %" if error >= 1e-5 else f"{error:.0e}".replace("e-0", "e-")


def runs(quick: bool) -> str:
    """Predictions from a few measured runs: the table of that benchmark, without its times."""
    from tests.benchmarks.scaling import scaling

    table = scaling(quick)
    lines = [f"### {table.title}", "", "| task: method | median / mean / 90 % of the errors |", "|---|---|"]
    lines += [f"| {row.name} | {row.value} |" for row in table.rows]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print, write."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Hold predictions against references.")
    parser.add_argument("--quick", action="store_true", help="few of the measured curves: to see that it works")
    parser.add_argument("--markdown", type=Path, metavar="F", help="put the tables between the markers of a page")
    options = parser.parse_args(arguments)
    found = [errors for source in SOURCES for errors in source()]
    text = markdown(found, runs(options.quick), host.describe())
    print(text)
    if options.markdown:
        rendering.insert(options.markdown, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
