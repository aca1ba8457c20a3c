"""The compiled core lowers and checks traces while it reads them, as Python does; what it cannot take it leaves."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.traces.lowering_oracle import lower as lowered_in_python
from tests.traces.random_traces import random_case
from tests.traces.test_replay_streaming import DATA, LEFT

from apet import api
from apet.ground.diagnostics import ApetError
from apet.traces.lines.actions import SIZES
from apet.traces.read.windows import windows
from apet.traces.replay.capturing import captured, checked
from apet.traces.replay.check import arrive, check, ends
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import ANY, MASK, RECEIVE, RECEIVED, SEND, SENT, SHIFT, LoweredTrace, Programs
from apet.traces.trace import ANY_SOURCE, ANY_TAG, WAIT_TAGS, Checked, Trace

RANKS = 3
SEEDS = range(40)


def flat(trace: Path) -> LoweredTrace | None:
    """By the core; None where it leaves the trace to Python."""
    lines = windows(trace)
    assert lines is not None
    try:
        return captured(trace.name, lines)
    finally:
        lines.close()


def looked_at(trace: Path) -> Checked | None:
    """What the core finds in a trace; None where it leaves it to Python."""
    lines = windows(trace)
    assert lines is not None
    try:
        return checked(trace.name, lines)
    finally:
        lines.close()


def in_form(text: str, form: str, folder: Path) -> Path:
    """A trace as one file, compressed, as a list of files, or with the lines of all ranks by turns."""
    by_rank: dict[str, list[str]] = {}
    for line in text.splitlines(keepends=True):
        by_rank.setdefault(line.split()[0], []).append(line)
    path = folder / "trace"
    match form:
        case "gzip":
            path.write_bytes(gzip.compress(text.encode()))
        case "list":
            for rank, own in by_rank.items():
                (folder / f"r{rank}").write_text("".join(own))
            path.write_text("".join(f"r{rank}\n" for rank in by_rank))
        case "by turns":
            longest = max(map(len, by_rank.values()))
            path.write_text("".join(own[k] for k in range(longest) for own in by_rank.values() if k < len(own)))
        case _:
            path.write_text(text)
    return path


@pytest.mark.parametrize("form", ["merged", "gzip", "list", "by turns"])
@pytest.mark.parametrize("seeds", [SEEDS[k::4] for k in range(4)])
def test_programs_are_those_that_python_makes(seeds: range, form: str, tmp_path: Path) -> None:
    for seed in seeds:
        path = in_form(random_case(seed).trace, form, tmp_path)
        trace, found = api.read_trace(path), flat(path)
        assert found == LoweredTrace(trace.name, trace.events, lowered_in_python(trace))
        assert looked_at(path) == check(trace)


def test_datatypes_and_tags_of_waits_are_those_that_python_knows(tmp_path: Path) -> None:
    """Each datatype; and each non-blocking collective that a wait ends which names its tag only."""
    lines = [f"0 send 1 0 100 {code}\n1 recv 0 0 100 {code}\n" for code in SIZES]
    words = {
        "ibcast": "900 1",
        "ibarrier": "",
        "ireducescatter": "9 8 100 6",
        "iscatterv": "9 8 5 0 6",
        "ialltoallv": "9 4 5 9 4 5 6 6",
    }
    words |= dict.fromkeys(("igatherv", "iallgatherv"), "4 4 5") | dict.fromkeys(
        ("ireduce", "iallreduce", "iscan", "iexscan"), "900 5"
    )
    for name, tag in WAIT_TAGS.items():
        each = f"{name} {words.get(name, '900 900')}\n{{0}} wait -333 -333 {tag}\n{{0}} compute 3\n"
        lines += [f"{rank} {each.format(rank)}" for rank in range(2)]
    path = tmp_path / "t"
    path.write_text("".join(lines))
    trace = api.read_trace(path)
    assert flat(path) == LoweredTrace(trace.name, trace.events, lowered_in_python(trace))


number = st.integers(0, RANKS - 1)
tags = st.integers(0, 1)
sizes = st.sampled_from([0, 700, 65_535, 65_536, 10**6])
alone = st.one_of(
    st.builds("isend {} {} {} 6".format, number, tags, sizes),
    st.builds("irecv {} {} {} 6".format, number, tags, sizes),
    st.builds("send {} {} {} 6".format, number, tags, st.sampled_from([0, 700])),
    st.builds("wait {} {} {}".format, number, number, tags),
    st.builds("wait {} {} {} # request 1".format, number, number, tags),
    st.builds("compute {}".format, st.sampled_from(["0", "1e6", "0.25", "7"])),
    st.sampled_from(["waitall", "sleep 0", "sleep 0.001", "test", "init 1", "sendrecv 8 0 8 0"]),
)
together = st.sampled_from(
    [
        "barrier",
        "allreduce 800 5 6",
        "alltoall 900 900",
        "scan 10 3.5",
        "bcast 70000 1 6",
        "reduce 8 1e3 2",
        "gather 9 9",
    ]
)
step = st.one_of(st.tuples(number, alone), st.tuples(number, alone), together)


def written(steps: list[tuple[int, str] | str]) -> str:
    """Lines of a trace in which each rank has something."""
    lines = [f"{rank} compute 1\n" for rank in range(RANKS)]
    for given_ in steps:
        if isinstance(given_, str):
            lines += [f"{rank} {given_}\n" for rank in range(RANKS)]
        else:
            lines.append(f"{given_[0]} {given_[1]}\n")
    return "".join(lines)


@settings(deadline=None, max_examples=150)
@given(st.lists(step, max_size=14))
def test_programs_are_the_same_whatever_is_left_open(steps: list[tuple[int, str] | str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = in_form(written(steps), "merged", Path(folder))
        trace, found, seen = api.read_trace(path), flat(path), looked_at(path)
    programs, judged = lowered_in_python(trace), check(trace)
    assert lower(trace) == programs
    assert found == (LoweredTrace(trace.name, trace.events, programs) if arrive(programs) else None)
    assert seen == (None if judged.findings else judged)
    if found is not None:
        assert found.programs.unmatched == programs.unmatched
        assert found.programs.unfinished == programs.unfinished


sources, any_tags = st.sampled_from([0, 1, 2, -333]), st.sampled_from([0, 1, -444])
blocking = st.one_of(
    st.builds("recv {} {} 700 6".format, sources, any_tags),
    st.builds("irecv {} {} 700 6".format, sources, any_tags),
    st.builds("wait {} {} {}".format, sources, number, any_tags),
)
choosing = st.sampled_from(["waitany", "waitsome"])


def ends_in_python(programs: Programs) -> list[int]:
    """How far ranks come: over and over, each as far as it can go, until nobody moves."""
    at, sides, moved = [0] * programs.ranks, [0] * len(programs.size), True
    while moved:
        moved = False
        for rank, operations in enumerate(programs.operations):
            while at[rank] < len(operations):
                code, what = operations[at[rank]] & MASK, operations[at[rank]] >> SHIFT
                if code in (SENT, RECEIVED) and sides[what] < 2:
                    break
                if code == ANY and not programs.groups[what].enough([side == 2 for side in sides]):
                    break
                if code in (SEND, RECEIVE):
                    sides[what] += 1
                at[rank] += 1
                moved = True
    return [k + 1 for k in at]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.one_of(step, st.tuples(number, st.one_of(alone, blocking, choosing))), max_size=16))
def test_ranks_come_equally_far_in_c_and_python(steps: list[tuple[int, str] | str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        trace = api.read_trace(in_form(written(steps), "merged", Path(folder)))
    programs = lower(trace)
    assert programs == lowered_in_python(trace)
    assert list(ends(programs)) == ends_in_python(programs)


WITHOUT_TIME = ("a receive from any rank", "waits for some")
"""What a replay while the trace is read cannot know, but its flat programs tell."""


@pytest.mark.parametrize("what", LEFT)
def test_what_needs_the_whole_trace_is_left_to_python(what: str, tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text(LEFT[what])
    found = flat(path)
    assert looked_at(path) is None
    assert (found is not None) == (what in WITHOUT_TIME)
    if found is not None:
        trace = api.read_trace(path)
        assert found == LoweredTrace(trace.name, trace.events, lowered_in_python(trace))


def test_messages_to_receives_from_any_come_in_the_order_of_their_sender() -> None:
    """Rank 0 sends with tags 1, 2, 1: a receive with any tag after one of the first takes the second."""
    sends = [("send", 1, tag, size) for tag, size in ((1, 10), (2, 20), (1, 30))]
    receives = [("recv", 0, 1, -1), ("recv", 0, ANY_TAG, -1), ("recv", ANY_SOURCE, ANY_TAG, -1)]
    programs = lower(Trace("t", (sends, receives)))
    received = [o >> SHIFT for o in programs.operations[1] if o & MASK == RECEIVED]
    assert [programs.size[message] for message in received] == [10, 20, 30]


def test_what_cannot_be_carried_out_is_said() -> None:
    """Of traces that programs make: a file is refused at its line."""
    for action, reason in (
        (("send", 2, 0, 8), "ranks or volumes that there cannot be"),
        (("send", 1, 0, 1 << 63), "ranks or volumes that there cannot be"),
        (("reducescatter", [10**18, 1], 1.0, 1), "beyond 1,000,000,000,000,000,000"),
    ):
        with pytest.raises(ApetError, match=f"t: rank 1, {action[0]}: .*{reason}"):
            lower(Trace("t", ([], [("compute", 1.0), action])))
    with pytest.raises(ApetError, match="t: rank 0, barrier: it names ranks"):
        lower(Trace("t", ([("compute", 1.0), ("barrier",)], []), communicators=({1: (0, 7)}, {})))


WRONG = {
    "another collective": "0 barrier\n1 bcast 8 0\n",
    "another root": "0 bcast 8 0\n1 bcast 8 1\n",
    "exscan for scan": "0 scan 8 0\n1 exscan 8 0\n",
    "a rank that names itself twice": "0 barrier # comm 0,0\n1 compute 1\n",
    "a communicator of no collective": "0 compute 1 # comm 0,1\n1 compute 1\n",
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_left_to_python(what: str, tmp_path: Path) -> None:
    trace = tmp_path / "t"
    trace.write_text(WRONG[what])
    assert flat(trace) is None
    assert looked_at(trace) is None


def test_sizes_that_differ_are_only_a_finding(tmp_path: Path) -> None:
    trace = tmp_path / "t"
    trace.write_text("0 bcast 8 0\n1 bcast 9 0\n")
    assert flat(trace) is not None
    assert looked_at(trace) is None
    assert [f.fatal for f in api.check_trace(trace).findings] == [False]


def test_a_rank_without_a_line_is_left_to_python(tmp_path: Path) -> None:
    (tmp_path / "r0").write_text("0 compute 5\n")
    (tmp_path / "r1").write_text("# nothing\n")
    trace = tmp_path / "list"
    trace.write_text("r0\nr1\n")
    assert flat(trace) is None
    platform, hosts = api.read_platform(DATA / "homog.xml")
    for act in (api.flat_trace, api.check_trace, lambda path: api.replay(path, platform, hosts)):
        assert api.read_trace(trace).ranks == ([("compute", 5.0)],)
        assert act(trace) is not None


def test_a_deadlock_is_told_with_its_lines(tmp_path: Path) -> None:
    trace = tmp_path / "t"
    trace.write_text("0 compute 1\n0 recv 1 7 8\n1 recv 0 7 8\n1 send 0 7 8\n0 send 1 7 8\n")
    with pytest.raises(ApetError) as caught:
        api.flat_trace(trace)
    assert "rank 0, line 2, recv: waits for a message from rank 1 with tag 7" in str(caught.value)


@pytest.mark.parametrize("name", ["comd.4", "ft.S.8", "is.S.4", "prk-pic.8"])
def test_formulas_and_bounds_do_not_depend_on_who_lowers(name: str) -> None:
    path = DATA / f"{name}.txt.gz"
    where = api.read_platform(DATA / "homog.xml", DATA / "homog.hostfile")
    trace, short = api.read_trace(path), api.flat_trace(path)
    mine, theirs = api.compile_trace(short, *where), api.compile_trace(trace, *where)
    assert (mine.low, mine.high, mine.actions, mine.trace) == (theirs.low, theirs.high, theirs.actions, theirs.trace)
    assert api.trace_bounds(short, *where) == api.trace_bounds(trace, *where)


def test_communicators_are_counted(tmp_path: Path) -> None:
    trace = tmp_path / "t"
    groups = ("0,1", "1,0", "0-1", "0,1,2", "0,2")
    trace.write_text(
        "".join(
            f"{r} allreduce 8 1 # comm {g}\n" for r in range(3) for g in groups if str(r) in g or (r == 1 and "-" in g)
        )
    )
    found = looked_at(trace)
    assert found == check(api.read_trace(trace))
    assert found is not None
    assert found.communicators == 1 + 4


PROGRAM = """
import re, sys
from apet import api
found = api.check_trace(sys.argv[1])
print(found.actions, len(found.findings), re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_checking_takes_no_more_memory_for_a_longer_trace(tmp_path: Path) -> None:
    peaks = []
    for rounds in (50_000, 200_000):
        trace = tmp_path / f"{rounds}.txt"
        with open(trace, "w", encoding="utf-8") as file:
            for r in range(4):
                step_ = f"{r} irecv {(r - 1) % 4} 0 9000 6\n{r} isend {(r + 1) % 4} 0 9000 6\n{r} waitall\n"
                file.write(f"{r} init\n" + (step_ + f"{r} compute 5000\n") * (rounds // 4))
        done = subprocess.run([sys.executable, "-c", PROGRAM, str(trace)], capture_output=True, text=True, check=True)
        actions, findings, peak = map(int, done.stdout.split())
        assert (actions, findings) == (4 * rounds, 0)
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 4096  # KiB; the longer trace has 10 MB more
