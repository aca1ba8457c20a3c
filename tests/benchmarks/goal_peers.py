"""Time over latency of GOAL files by APET and by LogGOPSim (https://github.com/spcl/LogGOPSim), in one run.

    python -m tests.benchmarks.goal_peers FOLDER [FILE.goal ...] [--overheads]

FOLDER has the built programs LogGOPSim and txt2bin; without files, random ones are drawn. Each file's curve is computed
once by APET, and asked at 25 latencies of 1 ns to 10 ms, for each of which LogGOPSim runs once: with o = g = G = 0 both
are to be equal to the nanosecond. With --overheads, replays at o = 1.5 us are compared: o is computing before a send
and behind a receive, which is waited for where the file first needs it; LogGOPSim takes messages as they come.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from apet import api
from apet.traces.bounds.curve import time_curve
from apet.traces.event_traces.goal import read_goal
from apet.traces.front import lowered
from apet.traces.trace import Action, Trace

LATENCIES, OVERHEAD = 25, 1500
PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<config>
  <prop id="smpi/async-small-thresh" value="1000000000"/><prop id="smpi/send-is-detached-thresh" value="1000000000"/>
  <prop id="smpi/lat-factor" value="1"/><prop id="smpi/bw-factor" value="1"/>
  <prop id="network/TCP-gamma" value="0"/><prop id="network/crosstraffic" value="no"/>
</config>
<cluster id="c" prefix="n" suffix="" radical="0-{last}" speed="1Gf" bw="1000000000GBps" lat="0us"
         loopback_bw="1000000000GBps" loopback_lat="1us" sharing_policy="FATPIPE"
         bb_bw="1000000000GBps" bb_lat="1us" bb_sharing_policy="FATPIPE"/>
</platform>
"""


def random_goal(seed: int) -> str:
    """Rounds in which ranks compute, send to random others, and receive what was sent to them, with dependencies."""
    random = Random(seed)
    ranks = random.choice((2, 3, 5, 8))
    lines: list[list[str]] = [[] for _ in range(ranks)]
    last: list[list[int]] = [[] for _ in range(ranks)]
    numbers = [0] * ranks

    def add(rank: int, what: str, after: Sequence[int]) -> int:
        numbers[rank] += 1
        lines[rank].append(f"l{numbers[rank]}: {what}")
        lines[rank].extend(f"l{numbers[rank]} requires l{before}" for before in after)
        return numbers[rank]

    for tag in range(random.randrange(2, 12)):
        for rank in range(ranks):
            last[rank] = [add(rank, f"calc {random.randrange(100, 100_000)}", last[rank])]
        ends = [(a, b) for a in range(ranks) for b in range(ranks) if a != b and random.random() < 0.5]
        before = [list(each) for each in last]
        for a, b in ends:
            last[a].append(add(a, f"send {random.randrange(1, 9000)}b to {b} tag {tag}", before[a]))
            last[b].append(add(b, f"recv 1b from {a} tag {tag}", before[b]))
    body = "".join(f"rank {r} {{\n{chr(10).join(own)}\n}}\n" for r, own in enumerate(lines))
    return f"num_ranks {ranks}\n{body}"


def simulated(folder: Path, binary: Path, latency: int, overhead: int) -> int:
    """Nanoseconds that LogGOPSim says."""
    options = {"-L": latency, "-o": overhead, "-g": 0, "-G": 0, "-S": 1_000_000_000}
    words = [str(word) for option in options.items() for word in option]
    done = subprocess.run([folder / "LogGOPSim", "-f", binary, *words], capture_output=True, text=True, check=True)
    return max(int(ns) for ns in re.findall(r"[Hh]ost \d+: (\d+)", done.stdout))


def with_overheads(trace: Trace, overhead: int) -> Trace:
    """A send costs its sender the overhead before it, a wait for a receive its receiver behind it."""
    own: tuple[Action, ...] = (("compute", float(overhead)),)
    ranks = []
    for rank, actions in enumerate(trace.ranks):
        made = list[Action]()
        for action in actions:
            made += own if action[0] == "isend" else ()
            made.append(action)
            made += own if action[0] == "wait" and action[2] == rank else ()
        ranks.append(made)
    return Trace(trace.name, tuple(ranks))


def compared(folder: Path, file: Path, overhead: int) -> tuple[float, float, str]:
    """The greatest error in nanoseconds, relative to the time of it, and both CPU times of all latencies as text."""
    trace = read_goal(str(file), 1e9)
    trace = with_overheads(trace, overhead) if overhead else trace
    with tempfile.TemporaryDirectory() as name:
        platform_file, binary = Path(name) / "p.xml", Path(name) / "t.bin"
        platform_file.write_text(PLATFORM.format(last=len(trace.ranks) - 1))
        subprocess.run([folder / "txt2bin", "-i", file, "-o", binary], capture_output=True, check=True)
        platform, hosts = api.read_platform(platform_file)
        random = Random(len(trace.ranks))
        latencies = [round(10 ** random.uniform(0, 7)) for _ in range(LATENCIES)]

        began = time.process_time()
        curve = time_curve(lowered(trace, platform), platform, hosts, "latency")
        times = [1e9 * max(curve.bounds(latency / 1000)) for latency in latencies]
        spent, began = time.process_time() - began, time.perf_counter()
        true = [simulated(folder, binary, latency, overhead) for latency in latencies]
        others = time.perf_counter() - began
    errors = [(abs(mine - ns), abs(mine - ns) / max(1, ns)) for mine, ns in zip(times, true, strict=True)]
    worst, relative = max(each[0] for each in errors), max(each[1] for each in errors)
    return worst, relative, f"curve {spent:.2f} s, {LATENCIES} runs {others:.2f} s"


def _files(named: Sequence[str], folder: Path) -> Iterator[Path]:
    yield from map(Path, named)
    for seed in range(0 if named else 40):
        file = folder / f"random-{seed}.goal"
        file.write_text(random_goal(seed))
        yield file


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, print; 1 where the times differ by half a nanosecond or more without overheads."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--overheads", action="store_true")
    options = parser.parse_args(arguments)
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        for file in _files(options.files, Path(name)):
            error, relative, spent = compared(options.folder, file, OVERHEAD if options.overheads else 0)
            worst = max(worst, error)
            print(f"{file.name}: {error:.3f} ns, {100 * relative:.4f} %; {spent}")
    return 0 if options.overheads or worst < 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
