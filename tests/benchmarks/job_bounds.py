"""How narrow bounds of task graphs are, and whether they hold in any order of tasks.

    python -m tests.benchmarks.job_bounds [FOLDER] [--graphs 40] [--orders 500] [--markdown docs/evidence/job-logs.md]

FOLDER has task tables or workflows in WfFormat (WfInstances, for example); without one, graphs are drawn: chains beside
each other that join, layers, trees, and any graph. Each is a log of a run on 8 cores. An event simulation of a few
lines, which shares nothing with APET, then serves ready tasks by random priorities, and no core idles while one is
ready. Exit status 1 if a time lies outside its bounds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks import rendering

from apet.joblogs.question import JobLogQuestion
from apet.joblogs.read.reader import engine_of

CORES = (4, 8, 16, 32)
LOGGED = 8
COMMAND = "python -m tests.benchmarks.job_bounds"
US = 1_000_000


class TaskGraph(NamedTuple):
    """Times in microseconds, and the tasks before each, all of which have lesser places."""

    kind: str
    times: Sequence[int]
    before: Sequence[Sequence[int]]


class Width(NamedTuple):
    """On so many cores: the upper bound over the lower one, the orders tried, and how many of them lie outside."""

    kind: str
    cores: int
    ratio: float
    orders: int
    outside: int


def drawn(source: random.Random) -> TaskGraph:
    """A graph of 10 to 120 tasks."""
    kind = source.choice(("chains", "layers", "trees", "any"))
    before = list[list[int]]()
    if kind == "chains":
        steps, samples = source.randint(2, 6), source.randint(3, 18)
        before = [[k - 1] if k % steps else [] for k in range(steps * samples)]
        before.append([steps * (sample + 1) - 1 for sample in range(samples)])
    elif kind == "layers":
        widths = [source.randint(1, 20) for _ in range(source.randint(2, 7))]
        for layer, width in enumerate(widths):
            first = len(before)
            last = range(first - widths[layer - 1] if layer else 0, first)
            before += [source.sample(last, min(len(last), source.randint(1, 3))) for _ in range(width)]
    elif kind == "trees":
        before = [[source.randrange(k)] if k else [] for k in range(source.randint(10, 100))]
    else:
        before = [source.sample(range(k), min(k, source.randint(0, 3))) for k in range(source.randint(10, 60))]
    scale = source.uniform(1, 30) * US
    return TaskGraph(kind, [1 + round(scale * source.paretovariate(1.7)) for _ in before], before)


class Scheduler:
    """Runs a graph; `starts` are those of the last run."""

    def __init__(self, graph: TaskGraph) -> None:
        self.graph = graph
        self.after: list[list[int]] = [[] for _ in graph.times]
        for k, before in enumerate(graph.before):
            for p in set(before):
                self.after[p].append(k)
        self.waits = [len(set(before)) for before in graph.before]
        self.starts = [0] * len(graph.times)

    def run(self, cores: int, rank: Sequence[float]) -> int:
        """The time until the last task has ended; of ready tasks the least rank goes first."""
        waits, times = list(self.waits), self.graph.times
        ready = sorted((rank[k], k) for k, count in enumerate(waits) if not count)
        running, now = list[tuple[int, int]](), 0
        while ready or running:
            while ready and len(running) < cores:
                _, k = heappop(ready)
                self.starts[k] = now
                heappush(running, (now + times[k], k))
            now = running[0][0]
            while running and running[0][0] == now:
                _, k = heappop(running)
                for following in self.after[k]:
                    waits[following] -= 1
                    if not waits[following]:
                        heappush(ready, (rank[following], following))
        return now


def widths(graph: TaskGraph, orders: int, source: random.Random) -> Iterator[Width]:
    """By number of cores, from the log of one run."""
    scheduler, places = Scheduler(graph), range(len(graph.times))
    scheduler.run(LOGGED, places)
    lines = ["task,start,end,after"]
    for k in places:
        start, end = scheduler.starts[k], scheduler.starts[k] + graph.times[k]
        lines.append(f"t{k},{start / US:.6f},{end / US:.6f},{';'.join(f't{p}' for p in graph.before[k])}")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "tasks.csv")
        log.write_text("\n".join(lines) + "\n", encoding="utf-8")
        predictions = JobLogQuestion(log).answer(CORES).predictions

    for p in predictions:
        assert p.lower is not None
        assert p.upper is not None
        found = [scheduler.run(p.cores, [source.random() for _ in places]) / US for _ in range(orders)]
        outside = sum(not p.lower - 2 / US <= time <= p.upper + 2 / US for time in found)
        yield Width(graph.kind, p.cores, p.upper / p.lower, orders, outside)


def graphs_in(folder: Path) -> Iterator[TaskGraph]:
    """Those of the tables and workflows in a folder that have one core a task."""
    for path in sorted(path for path in folder.iterdir() if path.is_file() and engine_of(str(path))):
        question = JobLogQuestion(path)
        units = [unit for unit in question.work.units if unit.holds]
        place = {unit.stage: k for k, unit in enumerate(units)}
        if all(len(unit.holds) == 1 for unit in units):
            parents = {stage.number: stage.parents for stage in question.log.stages}
            before = [[place[p] for p in parents[unit.stage]] for unit in units]
            yield TaskGraph(path.parent.name, [unit.work for unit in units], before)


def table(found: Sequence[Width]) -> str:
    """A row for each number of cores."""
    rows = ["| cores | upper/lower: median | mean | worst | orders | outside |", "|---|---|---|---|---|---|"]
    for cores in sorted({width.cores for width in found}):
        ratios = [width.ratio for width in found if width.cores == cores]
        orders, outside = (sum(getattr(w, name) for w in found if w.cores == cores) for name in ("orders", "outside"))
        middle, mean = statistics.median(ratios), statistics.mean(ratios)
        rows.append(f"| {cores} | {middle:.3f} | {mean:.3f} | {max(ratios):.2f} | {orders:,} | {outside} |")
    return "\n".join(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw or read, measure, print."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--graphs", type=int, default=40)
    parser.add_argument("--orders", type=int, default=500, help="of each graph on each number of cores")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", type=Path, help="a page whose table is replaced")
    options = parser.parse_args(arguments)

    source = random.Random(options.seed)
    graphs = graphs_in(options.folder) if options.folder else (drawn(source) for _ in range(options.graphs))
    found = [width for graph in graphs for width in widths(graph, options.orders, source)]
    print(table(found))
    if options.markdown:
        drawn_as = f"--graphs {options.graphs}" if options.folder is None else str(options.folder)
        command = f"{COMMAND} {drawn_as} --orders {options.orders}"
        rendering.insert(options.markdown, f"`{command}`:\n\n{table(found)}", "job-bounds")
    return int(any(width.outside for width in found))


if __name__ == "__main__":
    raise SystemExit(main())
