"""Replaying traces: beside SimGrid's `smpirun`, where there is one, and beside the compiled formula."""

from __future__ import annotations

import gzip
import re
import shutil
import tempfile
from pathlib import Path

from tests.benchmarks.measure import PYTHON, Row, Spread, Table, agree, alternate, process_row, processes

from apet import api

STAR = '<cluster id="c" prefix="n" suffix="" radical="0-63" speed="1Gf" bw="1.25GBps" lat="2us"/>'
TREE = STAR.replace("/>", ' topology="FAT_TREE" topo_parameters="3;4,4,4;1,2,2;1,1,1"/>')
HEADER = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n<platform version="4.1">'
RING, DENSE = 16, 64
SAME = 1e-3


def wavefront(steps: int) -> str:
    """Lines by rank of a pipeline through all ranks, as the LU benchmark has it: receive, compute, send on."""
    parts = []
    for rank in range(RING):
        step = f"{rank} recv {rank - 1} 1 200 0\n" if rank else ""
        step += f"{rank} compute 20000\n"
        step += f"{rank} send {rank + 1} 1 200 0\n" if rank + 1 < RING else ""
        parts.append(f"{rank} init\n{step * steps}{rank} barrier\n{rank} finalize\n")
    return "".join(parts)


def dense(rounds: int) -> str:
    """All ranks send to all others at once, with some computing between."""
    return "".join(
        f"{r} init\n" + f"{r} compute {100000 + 500 * (r * 7 % 13)}\n{r} alltoall 2000 2000 6 6\n" * rounds
        + f"{r} finalize\n"
        for r in range(DENSE)
    )  # fmt: skip


def replay(quick: bool) -> Table:
    """Whole commands, start included, on a compressed trace; SimGrid reads it unpacked, since it cannot otherwise."""
    table = Table("replay", "Replaying traces: start, reading and simulation")
    cases = (
        ("point to point, star", wavefront(200 if quick else 24_000), STAR, RING),
        ("all to all, star", dense(1 if quick else 24), STAR, DENSE),
        ("all to all, fat tree", dense(1 if quick else 8), TREE, DENSE),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, text, cluster, ranks in cases:
            _compare(table, folder, title, text, cluster, ranks, 1 if quick else 3)
    return table


def _compare(table: Table, folder: Path, title: str, text: str, cluster: str, ranks: int, repeats: int) -> None:
    trace, packed, platform, hosts, listed = (folder / n for n in ("t.txt", "t.gz", "p.xml", "hosts", "list"))
    trace.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    platform.write_text(f"{HEADER}\n{cluster}\n</platform>\n")
    hosts.write_text("".join(f"n{k}\n" for k in range(ranks)))
    listed.write_text(f"{trace}\n")
    where = ["--platform", str(platform), "--hostfile", str(hosts)]
    commands = {"apet": [*PYTHON, "-m", "apet.cli.main", "trace", "replay", str(packed), *where, "--json"]}
    if shutil.which("smpirun") is not None:
        options = ["-np", str(ranks), "-platform", str(platform), "-hostfile", str(hosts), "-replay", str(listed)]
        script = f"smpirun {' '.join(options)} --cfg=smpi/host-speed:1Gf 2>&1"
        commands["smpirun"] = ["/bin/sh", "-c", script]
    found = processes(commands, repeats)
    lines = text.count("\n")
    mine = process_row(f"apet, {title}", found["apet"])
    rate = lines / mine.wall.middle, "lines"
    table.rows.append(Row(mine.name, mine.wall, mine.cpu, mine.memory, rate))
    if "smpirun" not in found:
        table.notes.append(f"{title}: smpirun is missing (Debian: libsimgrid-dev).")
        return
    theirs = process_row(f"smpirun, {title}", found["smpirun"], found["apet"], mine.name)
    rate = lines / theirs.wall.middle, "lines"
    table.rows.append(Row(theirs.name, theirs.wall, theirs.cpu, theirs.memory, rate, theirs.against, theirs.ratio))
    said = float(re.findall(r"Simulation time (\S+)", found["smpirun"][-1].printed)[-1])
    made = float(re.findall(r'"makespan_s": ([^,]+)', found["apet"][-1].printed)[0])
    agree(said, made, SAME)
    table.notes.append(f"{title}: {lines:,} lines; {made:.6f} s, SimGrid says {said:.6f} s.")


def formula(quick: bool) -> Table:
    """The compiled bounds of a trace evaluated for another platform of its shape, against replaying it there."""
    table = Table("retime", "A trace on another platform of the same shape: its formula, and the replay")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "t.txt").write_text(wavefront(200 if quick else 12_000))
        (folder / "p.xml").write_text(f"{HEADER}\n{STAR}\n</platform>\n")
        platform, hosts = api.read_platform(folder / "p.xml")
        compiled = api.compile_trace(api.read_trace(folder / "t.txt"), platform, hosts)
        scales = {"bandwidth": (0.5, 0.5), "speed": (2.0, 2.0)}
        acts = {
            "both bounds from the formulas": lambda: compiled.at(scales),
            "replay": lambda: api.replay(folder / "t.txt", platform, hosts),
        }
        found: dict[str, Spread] = alternate(acts, 2 if quick else 5)
        first, *_ = found
        for label, spread in found.items():
            ratio = None if label == first else spread.middle / found[first].middle
            table.rows.append(Row(label, spread, against="" if label == first else first, ratio=ratio))
        size = len(str(compiled.lower)) + len(str(compiled.upper))
        table.notes.append(f"{compiled.actions:,} actions; {compiled.terms} terms, {size:,} characters.")
        true, at = api.replay(folder / "t.txt", platform, hosts).makespan_s, compiled.at({})
        if not at.lower_s <= true <= at.upper_s:
            raise ValueError(f"{true} s lie outside the bounds {at.lower_s} … {at.upper_s} s")
    return table


def fold(quick: bool) -> Table:
    """Folding traces while they are read, beside packing them by gzip."""
    table = Table("fold", "Folding traces: time, and how small they become")
    rounds = 200 if quick else 12_000
    cases = {"a pipeline": wavefront(rounds), "all to all": dense(rounds // 100), "measured volumes": _measured(rounds)}
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "t.txt"
        for title, text in cases.items():
            path.write_text(text)
            lines = text.count("\n")
            found = alternate(
                {"fold": lambda: api.fold_trace(path), "gzip": lambda: gzip.compress(path.read_bytes(), 6)},
                1 if quick else 3,
            )
            for label, spread in found.items():
                mine = f"fold, {title}"
                against, ratio = ("", None) if label == "fold" else (mine, spread.middle / found["fold"].middle)
                rate = lines / spread.middle, "lines"
                table.rows.append(Row(f"{label}, {title}", spread, rate=rate, against=against, ratio=ratio))
            folded = api.fold_trace(path)
            size = folded.size()
            table.notes.append(
                f"{title}: {folded.actions:,} actions, folded to {size.structure:,} and {size.runs:,} volumes."
            )
    return table


def _measured(steps: int) -> str:
    """The pipeline with volumes that differ in each step."""
    lines = wavefront(steps).splitlines(keepends=True)
    return "".join(f"{x[:-2]}{k * 7919 % 97 + 3}\n" if "compute" in x else x for k, x in enumerate(lines))
