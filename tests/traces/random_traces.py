"""Random traces and platforms as text, to be replayed by several engines; without deadlock by the way they are made.

    python -m tests.traces.random_traces --cases 300 [--first 0] [--wide] [--options]

replays each by SimGrid's `smpirun` and by APET, and lists the errors; where they differ by more than 0.1 %, SimGrid is
asked again with its option `network/optim:Full`. `--wide` takes those of `wide_traces`, `--options` those of
`option_traces`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

SIZES = (0, 1, 100, 700, 3000, 9000, 40_000, 65_535, 65_536, 200_000, 1_500_000)
PRINTED = 1e-6
"""Seconds in the last digit that SimGrid prints."""


class Case(NamedTuple):
    """A trace, the platform's XML, the hosts of the ranks in turn, and how many ranks there are."""

    trace: str
    platform: str
    hosts: str
    ranks: int


def random_case(seed: int) -> Case:
    """The case of a seed."""
    random = Random(seed)
    ranks = random.choice((2, 3, 4, 5, 8, 11, 14))
    platform, names = _platform(random)
    hosts = random.sample(names, min(len(names), random.choice((ranks, ranks, (ranks + 1) // 2))))
    if random.random() < 0.15:
        hosts += hosts[:1]
    return Case(_trace(random, ranks), platform, "".join(f"{h}\n" for h in hosts), ranks)


def _platform(random: Random) -> tuple[str, list[str]]:
    speed, cores = random.choice((0.5, 1, 3)), random.choice((1, 1, 2, 4))
    bandwidth, latency = random.choice((0.125, 1, 10)), random.choice((0.5, 10, 100))
    common = f'speed="{speed}Gf" core="{cores}" bw="{bandwidth}GBps" lat="{latency}us"'
    policy = f'sharing_policy="{random.choice(("SPLITDUPLEX", "SPLITDUPLEX", "SHARED", "FATPIPE"))}"'
    backbone = ""
    if random.random() < 0.6:
        kind, factor = random.choice(("SHARED", "FATPIPE")), random.choice((0.5, 1, 2))
        backbone = f'bb_bw="{factor * bandwidth}GBps" bb_lat="1us" bb_sharing_policy="{kind}"'
    what = random.choice(("flat", "flat", "tree", "torus", "two"))
    loopback = ""
    if what in ("tree", "torus") or random.random() < 0.3:  # SimGrid knows no way from such a host to itself
        loopback = f'loopback_bw="{5 * bandwidth}GBps" loopback_lat="0.2us"'
    if what == "tree":
        shape = 'topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,2" sharing_policy="SPLITDUPLEX"'
        inside = f'<cluster id="c" prefix="n" suffix="" radical="0-15" {common} {shape} {loopback}/>'
    elif what == "torus":
        shape = 'topology="TORUS" topo_parameters="4,2,2" sharing_policy="SPLITDUPLEX"'
        inside = f'<cluster id="c" prefix="n" suffix="" radical="0-15" {common} {shape} {loopback}/>'
    elif what == "flat":
        inside = f'<cluster id="c" prefix="n" suffix="" radical="0-15" {common} {policy} {backbone} {loopback}/>'
    else:
        far, kind = random.choice((50, 3000)), random.choice(("SHARED", "FATPIPE"))
        second = f'speed="{2 * speed}Gf" bw="{0.3 * bandwidth}GBps" lat="{2 * latency}us"'
        inside = f"""<zone id="top" routing="Full">
<cluster id="c" prefix="n" suffix="" radical="0-7" {common} {policy} {backbone} {loopback}/>
<cluster id="d" prefix="n" suffix="" radical="8-15" {second}/>
<link id="w" bandwidth="{0.5 * bandwidth}GBps" latency="{far}us" sharing_policy="{kind}"/>
<zoneRoute src="c" dst="d" gw_src="nc_router" gw_dst="nd_router"><link_ctn id="w"/></zoneRoute></zone>"""
    text = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
    return f'{text}<platform version="4.1">\n{inside}\n</platform>\n', [f"n{k}" for k in range(16)]


def _trace(random: Random, ranks: int) -> str:
    lines: list[list[str]] = [["init"] for _ in range(ranks)]
    for step in range(random.randrange(3, 14)):
        kind = random.random()
        if kind < 0.25:
            for mine in lines:
                if random.random() < 0.8:
                    mine.append(f"compute {random.choice((1e3, 2e5, 3e6, 2.5e7)) * random.random():.6f}")
        elif kind < 0.3:
            lines[random.randrange(ranks)].append(f"sleep {random.random() / 1000:.6f}")
        elif kind < 0.65:
            _exchange(random, lines, step)
        elif kind < 0.75:
            shift, size = random.randrange(ranks), random.choice(SIZES)
            for r, mine in enumerate(lines):
                mine.append(f"sendRecv {size} {(r + shift) % ranks} {size} {(r - shift) % ranks} 6 6")
        else:
            _collective(random, lines)
    for mine in lines:
        mine.append("finalize")
    return "".join(f"{r} {action}\n" for r, mine in enumerate(lines) for action in mine)


def _exchange(random: Random, lines: list[list[str]], tag: int) -> None:
    """All post everything, then wait: one by one, or for all; or plain sends met by plain receives."""
    ranks = len(lines)
    if random.random() < 0.3:
        source, target = random.sample(range(ranks), 2)
        count, code = random.choice(SIZES), random.choice((0, 1, 6))
        lines[source].append(f"send {target} {tag} {count} {code}")
        lines[target].append(f"recv {source} {tag} {count} {code}")
        return
    pairs = [(random.randrange(ranks), random.randrange(ranks)) for _ in range(random.randrange(1, 3 * ranks))]
    for source, target in pairs:
        size = random.choice(SIZES)
        lines[target].append(f"irecv {source} {tag} {size} 6")
        lines[source].append(f"isend {target} {tag} {size} 6")
    for r, mine in enumerate(lines):
        if random.random() < 0.5:
            mine.append("waitall")
        else:
            mine += [f"wait {s} {d} {tag}" for s, d in pairs if d == r]
            mine += [f"wait {s} {d} {tag}" for s, d in pairs if s == r]


def _collective(random: Random, lines: list[list[str]]) -> None:
    ranks = len(lines)
    size, root, flops = random.choice(SIZES), random.randrange(ranks), random.choice((0, 1e5))
    sizes = [random.choice(SIZES[:9]) for _ in range(ranks)]
    listed = " ".join(map(str, sizes))
    table = [[random.choice(SIZES[:8]) for _ in range(ranks)] for _ in range(ranks)]
    column = [" ".join(str(row[r]) for row in table) for r in range(ranks)]
    forms: dict[str, Callable[[int], str]] = {
        "barrier": lambda r: "barrier",
        "bcast": lambda r: f"bcast {size} {root} 6",
        "reduce": lambda r: f"reduce {size} {flops} {root} 6",
        "allreduce": lambda r: f"allreduce {size} {flops} 6",
        "scan": lambda r: f"scan {size} {flops} 6",
        "exscan": lambda r: f"exscan {size} {flops} 6",
        "gather": lambda r: f"gather {size} {size} {root} 6 6",
        "scatter": lambda r: f"scatter {size} {size} {root} 6 6",
        "allgather": lambda r: f"allgather {size} {size} 6 6",
        "alltoall": lambda r: f"alltoall {size} {size} 6 6",
        "gatherv": lambda r: f"gatherv {sizes[r]} {listed} {root} 6 6",
        "scatterv": lambda r: f"scatterv {listed} {sizes[r]} {root} 6 6",
        "allgatherv": lambda r: f"allgatherv {sizes[r]} {listed} 6 6",
        "alltoallv": lambda r: (
            f"alltoallv {sum(table[r])} {' '.join(map(str, table[r]))} {sum(t[r] for t in table)} {column[r]} 6 6"
        ),
        "reducescatter": lambda r: f"reducescatter {' '.join([str(size)] * ranks)} {flops} 6",
    }
    form = forms[random.choice(list(forms))]
    for r, mine in enumerate(lines):
        mine.append(form(r))


def written(case: Case, folder: Path) -> tuple[Path, Path, Path]:
    """The trace, the platform and the host file of a case."""
    paths = folder / "trace.txt", folder / "platform.xml", folder / "hosts"
    for path, text in zip(paths, (case.trace, case.platform, case.hosts), strict=True):
        path.write_text(text)
    (folder / "list.txt").write_text(f"{paths[0]}\n")
    return paths


def simulated(case: Case, folder: Path, *options: str) -> float:
    """Seconds that SimGrid says; `RuntimeError` with what it prints where it fails."""
    _, platform, hosts = written(case, folder)
    command = ["smpirun", "-np", str(case.ranks), "-platform", str(platform), "-hostfile", str(hosts)]
    command += ["-replay", str(folder / "list.txt"), "--cfg=smpi/host-speed:1Gf", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    found = re.findall(r"Simulation time (\S+)", done.stdout + done.stderr)
    if not found:
        raise RuntimeError(done.stdout + done.stderr)
    return float(found[-1])  # it is also printed where all that have begun have ended


class Compared(NamedTuple):
    """Relative errors of one case beyond what is printed, and its number; `full` where SimGrid has no lazy update."""

    error: float
    full: float
    seed: int


def compared(seed: int, case: Case, folder: Path, keep: str | None) -> Compared:
    """By both; a case that differs by more than 0.1 % goes to a folder of that name in `keep`."""
    from apet import api

    true = simulated(case, folder)
    trace, platform, hosts = written(case, folder)
    found = api.replay(trace, *api.read_platform(platform, hosts)).makespan_s
    error = full = _beyond(found, true)
    if error > 1e-3:
        full = _beyond(found, simulated(case, folder, "--cfg=network/optim:Full"))
        print(f"seed {seed}: {found:.7f} s, SimGrid {true:.6f} s: {100 * error:.4f} %, {100 * full:.4f} % with Full")
        if keep:
            shutil.copytree(folder, Path(keep) / str(seed), dirs_exist_ok=True)
    return Compared(error, full, seed)


def _beyond(found: float, true: float) -> float:
    return max(0.0, abs(found - true) - PRINTED) / max(true, PRINTED)


def main() -> None:
    """Compare many cases."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--wide", action="store_true", help="more ranks, platforms, collectives, orders of requests")
    parser.add_argument("--options", action="store_true", help="platforms whose <config> says how messages are sent")
    parser.add_argument("--keep", help="a folder for cases that differ by more than 0.1 %%")
    options = parser.parse_args()
    if shutil.which("smpirun") is None:
        parser.error("there is no smpirun")
    if options.wide:
        from tests.traces.wide_traces import wide_case as make
    elif options.options:
        from tests.traces.option_traces import option_case as make
    else:
        make = random_case
    found = list[Compared]()
    with tempfile.TemporaryDirectory() as name:
        for seed in range(options.first, options.first + options.cases):
            try:
                found.append(compared(seed, make(seed), Path(name), options.keep))
            except RuntimeError as problem:
                print(f"{seed}: smpirun fails: {str(problem).splitlines()[-1:]}")
    if not found:
        parser.error("smpirun fails for all")
    for what, errors in (("as it is", [c.error for c in found]), ("network/optim:Full", [c.full for c in found])):
        errors.sort()
        figures = [100 * errors[int(part * (len(errors) - 1))] for part in (0.5, 0.95, 1)]
        above = sum(e > 1e-3 for e in errors)
        print(
            f"{what}: median {figures[0]:.4f} %, 95 % {figures[1]:.4f} %, worst {figures[2]:.4f} %, {above} above 0.1 %"
        )


if __name__ == "__main__":
    main()
