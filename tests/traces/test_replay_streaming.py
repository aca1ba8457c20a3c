"""The replay of traces while they are read gives what the replay of whole traces gives, in bounded memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
from dataclasses import astuple, replace
from pathlib import Path

import pytest
from tests.traces.engine_oracle import replay_in_python
from tests.traces.random_traces import random_case, simulated, written

from apet import api
from apet.traces.read.windows import windows
from apet.traces.replay.streaming import stream
from apet.traces.trace import Replayed

DATA = Path(__file__).parents[1] / "data" / "titrace"
SEEDS = range(40)
AGAINST_SIMGRID = (0, 3, 31, 1009, 1049, 5005)


def streamed(trace: Path, platform: Path, hosts: Path, segments: bool = False) -> Replayed | None:
    """By the core; None where it leaves the trace to Python."""
    lines = windows(trace)
    assert lines is not None
    try:
        return stream(trace.name, lines, *api.read_platform(platform, hosts), segments)
    finally:
        lines.close()


def whole(trace: Path, platform: Path, hosts: Path) -> Replayed:
    """By Python alone."""
    return replay_in_python(api.read_trace(trace), *api.read_platform(platform, hosts), segments=True)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_core_and_python_agree(seed: int, tmp_path: Path) -> None:
    paths = written(random_case(seed), tmp_path)
    found, wanted = streamed(*paths, segments=True), whole(*paths)
    assert found is not None
    assert found.makespan_s == pytest.approx(wanted.makespan_s, rel=1e-6)
    assert (found.actions, found.messages, found.bytes_sent) == (wanted.actions, wanted.messages, wanted.bytes_sent)
    for mine, theirs in zip(found.ranks, wanted.ranks, strict=True):
        assert astuple(mine) == pytest.approx(astuple(theirs), rel=1e-6, abs=1e-8)
    assert {u.name: u.bytes_carried for u in found.links} == {u.name: u.bytes_carried for u in wanted.links}
    spent = [sum(s.end_s - s.begin_s for s in each.segments) for each in (found, wanted)]
    assert spent[0] == pytest.approx(spent[1], rel=1e-6)


@pytest.mark.parametrize("seed", AGAINST_SIMGRID)
def test_random_traces_take_as_long_as_smpirun_says(seed: int, tmp_path: Path) -> None:
    import shutil

    if shutil.which("smpirun") is None:
        pytest.skip("there is no smpirun (Debian: libsimgrid-dev)")
    case = random_case(seed)
    true = simulated(case, tmp_path)
    found = api.replay(written(case, tmp_path)[0], *api.read_platform(*written(case, tmp_path)[1:]))
    assert found.makespan_s == pytest.approx(true, rel=5e-4, abs=1e-6)


@pytest.mark.parametrize("form", ["gzip", "list", "gzip list", "by turns"])
def test_the_form_of_a_trace_makes_no_difference(form: str, tmp_path: Path) -> None:
    trace, platform, hosts = written(random_case(8), tmp_path)
    plain = streamed(trace, platform, hosts)
    lines = trace.read_text().splitlines(keepends=True)
    by_rank: dict[str, list[str]] = {}
    for line in lines:
        by_rank.setdefault(line.split()[0], []).append(line)
    if form == "gzip":
        trace = tmp_path / "t.gz"
        trace.write_bytes(gzip.compress("".join(lines).encode()))
    elif form == "by turns":
        turns = [each[k] for k in range(max(map(len, by_rank.values()))) for each in by_rank.values() if k < len(each)]
        trace.write_text("# merged\n\n" + "".join(turns).rstrip("\n"))
    else:
        for rank, own in by_rank.items():
            text = "".join(own).encode()
            (tmp_path / f"r{rank}").write_bytes(gzip.compress(text) if "gzip" in form else text)
        trace = tmp_path / "list"
        trace.write_text("".join(f"r{rank}\n" for rank in by_rank))
    found = streamed(trace, platform, hosts)
    assert found is not None
    assert plain is not None
    assert replace(found, trace="") == replace(plain, trace="")


def test_collectives_of_named_communicators_are_streamed(tmp_path: Path) -> None:
    trace = tmp_path / "t"
    comments = "".join(f"{r} allreduce 800 5 0 # comm 3,0-1\n" for r in (0, 1, 3))
    trace.write_text(comments + "2 compute 1e6\n" + "".join(f"{r} barrier\n" for r in range(4)))
    paths = trace, DATA / "homog.xml", DATA / "homog.hostfile"
    found = streamed(*paths)
    assert found is not None
    assert found.makespan_s == pytest.approx(whole(*paths).makespan_s, rel=1e-9)


LEFT = {
    "a receive from any rank": "0 send 1 0 8\n1 recv -333 -444 8\n",
    "waits for some": "0 irecv 1 0 8\n0 waitany\n1 send 0 0 8\n",
    "a mistake": "0 send 1 0\n1 recv 0 0 8\n",
    "a deadlock": "0 recv 1 0 8\n1 compute 1\n",
    "communicators that are not named": "0 allreduce 8 0\n1 allreduce 8 0\n2 compute 1\n",
    "lines after the end": "0 compute x\n",
}


@pytest.mark.parametrize("what", LEFT)
def test_what_needs_the_whole_trace_is_left_to_python(what: str, tmp_path: Path) -> None:
    trace = tmp_path / "t"
    trace.write_text(LEFT[what])
    assert streamed(trace, DATA / "homog.xml", DATA / "homog.hostfile") is None


PROGRAM = """
import re, sys
from apet import api
found = api.replay(sys.argv[1], *api.read_platform(*sys.argv[2:]))
print(found.actions, re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_memory_does_not_grow_with_the_trace(tmp_path: Path) -> None:
    peaks = []
    for rounds in (50_000, 200_000):
        trace = tmp_path / f"{rounds}.txt"
        with open(trace, "w", encoding="utf-8") as file:
            for r in range(4):
                step = f"{r} irecv {(r - 1) % 4} 0 9000 6\n{r} isend {(r + 1) % 4} 0 70000 6\n{r} waitall\n"
                file.write(f"{r} init\n" + (step + f"{r} compute 5000\n") * (rounds // 4))
        command = [sys.executable, "-c", PROGRAM, str(trace), str(DATA / "homog.xml"), str(DATA / "homog.hostfile")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        actions, peak = map(int, done.stdout.split())
        assert actions == 4 * rounds
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 4096  # KiB; the longer trace has 15 MB more


def test_a_wait_may_mean_a_later_request(tmp_path: Path) -> None:
    trace = tmp_path / "t"
    posts = "".join(f"0 irecv 1 5 {n} 6\n" for n in (10**7, 100, 10**6))
    waits = "0 wait 1 0 5 # request 1\n0 compute 5e7\n0 wait 1 0 5 # request 9\n0 compute 1e7\n0 wait 1 0 5\n"
    sends = "".join(f"1 isend 0 5 {n} 6\n" for n in (10**7, 100, 10**6)) + "1 waitall\n"
    trace.write_text(posts + waits + sends)
    paths = trace, DATA / "homog.xml", DATA / "homog.hostfile"
    found = streamed(*paths)
    assert found is not None
    assert astuple(found.ranks[0]) == pytest.approx(astuple(whole(*paths).ranks[0]), rel=1e-9)
