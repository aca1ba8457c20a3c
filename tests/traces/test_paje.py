"""Paje traces: what they hold, and that a tool of others reads them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from apet.cli.main import main
from apet.traces.report.paje import paje
from apet.traces.trace import LinkUse, RankTimes, Replayed, Segment

FOUND = Replayed(
    "t",
    "p",
    2.0,
    (RankTimes(1.0, 0.5, 1.5), RankTimes(2.0, 0.0, 2.0)),
    ('a "b"', "c"),
    3,
    1,
    8,
    (LinkUse("l", 8, 0.1),),
    (Segment(0, True, 0.0, 1.0), Segment(0, False, 1.0, 1.5), Segment(1, True, 0.0, 2.0)),
)
EVENTS = """\
0 HOST 0 "host"
0 RANK HOST "rank"
1 DOES RANK "what the rank does"
2 computes DOES "computes" "0.12 0.47 0.71"
2 waits DOES "waits" "1.0 0.73 0.47"
3 0 h0 HOST 0 "a 'b'"
3 0 h1 HOST 0 "c"
3 0 r0 RANK h0 "rank 0"
3 0 r1 RANK h1 "rank 1"
5 0.000000000 DOES r0 computes
5 0.000000000 DOES r1 computes
5 1.000000000 DOES r0 waits
4 1.500000000 RANK r0
4 2.000000000 RANK r1
4 2.000000000 HOST h0
4 2.000000000 HOST h1
"""


def test_events_follow_definitions_by_time() -> None:
    lines = list(paje(FOUND))
    assert "".join(line for line in lines if not line.startswith("%")) == EVENTS


def test_pj_dump_reads_what_a_replay_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ring.paje"
    ring = ["samples/traces/ring.txt", "--platform", "samples/traces/cluster.xml"]
    assert main(["trace", "replay", *ring, "--paje", str(path)]) == 0
    if shutil.which("pj_dump") is None:
        pytest.skip("there is no pj_dump (Debian: pajeng)")
    done = subprocess.run(["pj_dump", str(path)], capture_output=True, text=True, check=True)
    states = [line.split(", ") for line in done.stdout.splitlines() if line.startswith("State")]
    computed = sum(float(s[5]) for s in states if s[1] == "rank 0" and s[-1] == "computes")
    assert computed == pytest.approx(4.0e-3, rel=1e-3)
