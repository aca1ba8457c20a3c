"""Random traces with non-blocking collectives and synchronous sends; without deadlock by the way they are made.

    python -m tests.traces.begun_traces --cases 300 [--first 0] [--reference tests/data/titrace/begun.json]

has a program make the calls of each (`tests/data/mpi/player.c`) under SimGrid's `smpirun`, replays the same lines by
APET, and lists the errors of all ranks' ends.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.traces.random_traces import SIZES, Case, written

from apet.traces.trace import WAIT_TAGS

PLAYER = Path(__file__).parents[1] / "data" / "mpi" / "player.c"
OPTIONS = ("host-speed:1Gf", "simulate-computation:no", "wtime:0")
HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
SHARED = (
    '<cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="1GBps" lat="10us" bb_bw="2GBps" bb_lat="1us"/>'
)
SLOW = '<cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="0.125GBps" lat="10us"/>'
TREE = """<cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE"
 topo_parameters="2;4,4;1,2;1,2" sharing_policy="SPLITDUPLEX" loopback_bw="5GBps" loopback_lat="0.2us"/>"""
PLATFORMS = (SHARED, SLOW, TREE)


def begun_case(seed: int, ranks: int | None = None) -> Case:
    """The case of a seed."""
    random = Random(seed)
    inside = random.choice(PLATFORMS)
    number = ranks or random.choice((2, 3, 4, 5, 7, 8))
    trace = _Trace(random, number).text()
    hosts = "".join(f"n{k}\n" for k in random.sample(range(16), number))
    return Case(trace, f'{HEAD}<platform version="4.1">{inside}</platform>\n', hosts, number)


class _Trace:
    """Lines in the making: all ranks go through the same steps; what one begins, it may wait for in any later step."""

    def __init__(self, random: Random, ranks: int) -> None:
        self.random, self.ranks = random, ranks
        self.lines: list[list[str]] = [["init"] for _ in range(ranks)]
        self.open: list[list[int]] = [[] for _ in range(ranks)]
        """By rank the kinds of what is open, oldest first."""

    def text(self) -> str:
        """All lines."""
        for step in range(self.random.randrange(4, 16)):
            kind = self.random.random()
            if kind < 0.5:
                self.begin()
            elif kind < 0.6:
                self.message(step)
            elif kind < 0.7:
                self.exchange(step)
            elif kind < 0.78:
                size = self.random.choice(SIZES)
                every = self.random.choice(("barrier", f"bcast {size} 0 6", f"allreduce {size} 0 6"))
                for mine in self.lines:
                    mine.append(every)
            for rank in range(self.ranks):
                self.between(rank)
        for mine in self.lines:
            mine += ["waitall", "finalize"]
        return "".join(f"{r} {action}\n" for r, mine in enumerate(self.lines) for action in mine)

    def between(self, rank: int) -> None:
        """Compute, or wait for something."""
        random, mine, open_ones = self.random, self.lines[rank], self.open[rank]
        if random.random() < 0.4:
            mine.append(f"compute {random.choice((1e3, 2e5, 3e6)) * random.random():.3f}")
        while open_ones and random.random() < 0.3:
            at = random.randrange(len(open_ones))
            kind = open_ones.pop(at)
            older = open_ones[:at].count(kind)
            mine.append(f"wait -333 -333 {kind}" + (f" # request {older}" if older else ""))
        if open_ones and random.random() < 0.1:
            mine.append("waitall")
            open_ones.clear()

    def message(self, step: int) -> None:
        """One synchronous send."""
        source, target = self.random.sample(range(self.ranks), 2)
        size = self.random.choice(SIZES)
        self.lines[source].append(f"ssend {target} {step} {size} 6")
        self.lines[target].append(f"recv {source} {step} {size} 6")

    def exchange(self, step: int) -> None:
        """Some sends, waited for at once."""
        pairs = [tuple(self.random.sample(range(self.ranks), 2)) for _ in range(self.random.randrange(1, 5))]
        for source, target in pairs:
            size = self.random.choice(SIZES)
            self.lines[target].append(f"irecv {source} {step} {size} 6")
            self.lines[source].append(f"{self.random.choice(('issend', 'isend'))} {target} {step} {size} 6")
        for rank, mine in enumerate(self.lines):
            mine += [f"wait {s} {d} {step}" for s, d in pairs if rank in (s, d)]

    def begin(self) -> None:
        """A non-blocking collective, of all ranks or some."""
        random = self.random
        name, group = random.choice(list(WAIT_TAGS)), list(range(self.ranks))
        if random.random() < 0.3 and self.ranks > 2:
            group = random.sample(group, random.randrange(2, self.ranks))
        comment = "" if len(group) == self.ranks else f" # comm {','.join(map(str, group))}"
        form = arguments(random, name, len(group))
        for number, rank in enumerate(group):
            self.lines[rank].append(f"{name}{form[number]}{comment}")
            self.open[rank].append(WAIT_TAGS[name])


def arguments(random: Random, name: str, members: int) -> Sequence[str]:
    """By member the arguments of a non-blocking collective, with a blank before."""
    size, root = random.choice(SIZES), random.randrange(members)
    sizes = [random.choice(SIZES) for _ in range(members)]
    table = [[random.choice(SIZES) for _ in range(members)] for _ in range(members)]
    every = range(members)
    listed = _words(sizes)
    match name:
        case "ibarrier":
            return [""] * members
        case "ibcast":
            return [f" {size} {root} 6"] * members
        case "ireduce":
            return [f" {size} 0 {root} 6"] * members
        case "iallreduce" | "iscan" | "iexscan":
            return [f" {size} 0 6"] * members
        case "igather" | "iscatter":
            return [f" {size} {size} {root} 6 6"] * members
        case "iallgather" | "ialltoall":
            return [f" {size} {size} 6 6"] * members
        case "igatherv":
            return [f" {sizes[r]}{listed} {root} 6 6" for r in every]
        case "iscatterv":
            return [f"{listed} {sizes[r]} {root} 6 6" for r in every]
        case "iallgatherv":
            return [f" {sizes[r]}{listed} 6 6" for r in every]
        case "ialltoallv":
            columns = [[row[r] for row in table] for r in every]
            return [f" {sum(table[r])}{_words(table[r])} {sum(columns[r])}{_words(columns[r])} 6 6" for r in every]
    return [f"{listed} 0 6"] * members


def _words(numbers: Sequence[int]) -> str:
    return "".join(f" {each}" for each in numbers)


def built(folder: Path) -> Path:
    """The program that plays traces, for SimGrid."""
    player = folder / "player-simulated"
    if player.exists():
        return player
    command = ["smpicc", "-O1", "-w", "-DSIMULATED", "-o", str(player), str(PLAYER)]
    subprocess.run(command, check=True, capture_output=True)
    return player


def played(case: Case, player: Path, folder: Path, *options: str) -> list[float]:
    """Seconds at which each rank ends, as `smpirun` says where it runs the program; `RuntimeError` where it fails."""
    trace, platform, hosts = written(case, folder)
    command = ["smpirun", "-np", str(case.ranks), "-platform", str(platform), "-hostfile", str(hosts)]
    command += [f"--cfg=smpi/{option}" for option in OPTIONS]
    command += ["--cfg=network/optim:Full", "--log=root.thres:warning", *options, str(player), str(trace)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    found = {int(rank): float(seconds) for rank, seconds in re.findall(r"^R (\d+) (\S+)$", done.stdout, re.MULTILINE)}
    if len(found) != case.ranks:
        raise RuntimeError(done.stdout + done.stderr)
    return [found[rank] for rank in range(case.ranks)]


def single(name: str, ranks: int) -> Case:
    """A case of one non-blocking collective, waited for at once."""
    random = Random(f"{name} {ranks}")
    lines = [f"{name}{given}" for given in arguments(random, name, ranks)]
    trace = "".join(f"{r} {line}\n{r} wait -333 -333 {WAIT_TAGS[name]}\n" for r, line in enumerate(lines))
    hosts = "".join(f"n{k}\n" for k in range(ranks))
    return Case(trace, f'{HEAD}<platform version="4.1">{random.choice(PLATFORMS)}</platform>\n', hosts, ranks)


def synchronous(size: int, action: str) -> Case:
    """A synchronous send that is received late."""
    wait = "0 wait 0 1 7\n" if action == "issend" else ""
    trace = f"0 {action} 1 7 {size} 6\n{wait}0 compute 5000\n1 compute 200000\n1 recv 0 7 {size} 6\n"
    return Case(trace, f'{HEAD}<platform version="4.1">{SHARED}</platform>\n', "n0\nn1\n", 2)


def reference(player: Path, folder: Path) -> dict[str, list[dict[str, object]]]:
    """Cases with the seconds at which their ranks end."""
    cases = {name: [single(name, ranks) for ranks in (2, 3, 4, 7, 8, 16)] for name in WAIT_TAGS}
    cases["synchronous"] = [synchronous(size, name) for size in (0, 65_535, 65_536) for name in ("ssend", "issend")]
    cases["mixed"] = [begun_case(seed) for seed in range(24)]
    found: dict[str, list[dict[str, object]]] = {}
    for name, several in cases.items():
        found[name] = []
        for case in several:
            ranks: list[list[str]] = [[] for _ in range(case.ranks)]
            for line in case.trace.splitlines():
                rank, _, action = line.partition(" ")
                ranks[int(rank)].append(action)
            inside = case.platform.partition('version="4.1">')[2].partition("</platform>")[0]
            each: dict[str, object] = {"platform": inside, "hosts": case.hosts.split(), "ranks": ranks}
            found[name].append({**each, "ends_s": played(case, player, folder)})
    return found


def main() -> None:
    """Compare many cases."""
    from apet import api

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--reference", metavar="F", help="write cases with their times to a file instead")
    options = parser.parse_args()
    if shutil.which("smpirun") is None:
        parser.error("there is no smpirun")
    errors = list[float]()
    with tempfile.TemporaryDirectory() as name:
        player = built(Path(name))
        if options.reference:
            every = reference(player, Path(name)).items()
            lines = [f'"{what}": [\n' + ",\n".join(map(json.dumps, cases)) + "]" for what, cases in every]
            Path(options.reference).write_text("{" + ",\n".join(lines) + "}\n")
            return
        for seed in range(options.first, options.first + options.cases):
            case = begun_case(seed)
            try:
                true = played(case, player, Path(name))
            except RuntimeError as problem:
                print(f"{seed}: smpirun fails: {str(problem).splitlines()[-1:]}")
                continue
            trace, platform, hosts = written(case, Path(name))
            found = api.replay(trace, *api.read_platform(platform, hosts)).ranks
            pairs = [(f.end_s, t) for f, t in zip(found, true, strict=True)]
            errors.append(max(max(0.0, abs(f - t) - 2e-9) / max(t, 1e-9) for f, t in pairs))
            if errors[-1] > 1e-4:
                print(f"seed {seed}: {100 * errors[-1]:.4f} %", " ".join(f"{f:.9f}/{t:.9f}" for f, t in pairs))
    if not errors:
        parser.error("smpirun fails for all")
    errors.sort()
    figures = [100 * statistics.median(errors), 100 * errors[-1]]
    above = sum(error > 0 for error in errors)
    print(f"{len(errors)} cases: median {figures[0]:.5f} %, worst {figures[1]:.5f} %, {above} above 2 ns")


if __name__ == "__main__":
    main()
