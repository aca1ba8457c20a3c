"""Non-blocking collectives and synchronous sends: as SimGrid has them where it runs a program that makes these calls,
and the same in the compiled core, in Python and as plain messages."""

from __future__ import annotations

import json
import shutil
from dataclasses import astuple
from pathlib import Path

import pytest
from tests.traces.begun_traces import begun_case, built, played
from tests.traces.engine_oracle import replay_in_python
from tests.traces.random_traces import simulated, written
from tests.traces.test_replay_capturing import flat, looked_at
from tests.traces.test_replay_streaming import streamed, whole

from apet import api
from apet.cli.main import main
from apet.traces.lines.writer import trace_lines
from apet.traces.replay.check import check
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import LoweredTrace
from apet.traces.replay.unrolling import unrolled
from apet.traces.trace import WAIT_TAGS, Replayed

DATA = Path(__file__).parents[1] / "data" / "titrace"
FOUND = json.loads((DATA / "begun.json").read_text())
PRINTED = 2e-9
"""Seconds: two of the last digit that the reference has, since all ranks begin within one."""
SEEDS = range(1000, 1040)
CLUSTER = DATA / "homog.xml", DATA / "homog.hostfile"


def counted(replayed: Replayed) -> tuple[int, int]:
    """Messages, and bytes in them."""
    return replayed.messages, replayed.bytes_sent


def replayed(text: str, folder: Path, where: tuple[Path, Path] = CLUSTER) -> Replayed:
    """The replay of lines."""
    path = folder / "lines"
    path.write_text(text)
    return api.replay(path, *api.read_platform(*where))


def ends(text: str, folder: Path) -> list[float]:
    """Microseconds at which ranks end."""
    return [1e6 * rank.end_s for rank in replayed(text, folder).ranks]


@pytest.mark.parametrize("name", FOUND)
def test_ranks_end_when_smpirun_says(name: str, tmp_path: Path) -> None:
    for case in FOUND[name]:
        (tmp_path / "platform.xml").write_text(f'<platform version="4.1">{case["platform"]}</platform>')
        (tmp_path / "hosts").write_text("".join(f"{host}\n" for host in case["hosts"]))
        lines = "".join(f"{r} {action}\n" for r, mine in enumerate(case["ranks"]) for action in mine)
        found = replayed(lines, tmp_path, (tmp_path / "platform.xml", tmp_path / "hosts"))
        assert [rank.end_s for rank in found.ranks] == pytest.approx(case["ends_s"], rel=0, abs=PRINTED)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_core_does_as_python(seed: int, tmp_path: Path) -> None:
    paths = written(begun_case(seed), tmp_path)
    found, wanted = streamed(*paths), whole(*paths)
    assert found is not None
    assert counted(found) == counted(wanted)
    assert found.actions == wanted.actions
    for mine, theirs in zip(found.ranks, wanted.ranks, strict=True):
        assert astuple(mine) == pytest.approx(astuple(theirs), rel=1e-6, abs=1e-8)
    trace = api.read_trace(paths[0])
    assert flat(paths[0]) == LoweredTrace(trace.name, trace.events, lower(trace))
    assert looked_at(paths[0]) == check(trace)


@pytest.mark.parametrize("seed", SEEDS)
def test_it_takes_as_long_as_its_messages(seed: int, tmp_path: Path) -> None:
    """Written as isend, irecv and waits; small synchronous sends, which that cannot say, left out."""
    case = begun_case(seed)
    large = case.trace.replace("issend", "isend").replace("ssend", "send")
    (tmp_path / "trace").write_text(large)
    trace, where = api.read_trace(tmp_path / "trace"), api.read_platform(*written(case, tmp_path)[1:])
    found, wanted = api.replay(unrolled(trace), *where), api.replay(trace, *where)
    assert not set(WAIT_TAGS) & {action[0] for actions in unrolled(trace).ranks for action in actions}
    assert [rank.end_s for rank in found.ranks] == pytest.approx([r.end_s for r in wanted.ranks], rel=1e-9)
    assert counted(found) == counted(wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_trace_as_written_is_the_same_trace(seed: int, tmp_path: Path) -> None:
    (tmp_path / "trace").write_text(begun_case(seed).trace)
    trace = api.read_trace(tmp_path / "trace")
    (tmp_path / "copy").write_text("".join(line for r in range(len(trace.ranks)) for line in trace_lines(trace, r)))
    copied = api.read_trace(tmp_path / "copy")
    assert lower(copied) == lower(trace)
    assert copied.communicators == trace.communicators


@pytest.mark.parametrize("seed", SEEDS)
def test_bounds_and_formulas_enclose_the_replay(seed: int, tmp_path: Path) -> None:
    paths = written(begun_case(seed), tmp_path)
    where = api.read_platform(*paths[1:])
    true = api.replay(paths[0], *where).makespan_s
    for short in (api.flat_trace(paths[0]), api.read_trace(paths[0])):
        for found in (api.trace_bounds(short, *where), api.compile_trace(short, *where).at({})):
            assert found.lower_s <= true * (1 + 1e-9)
            assert found.upper_s >= true * (1 - 1e-9)


SAME = {
    "igather": ("igather 70000 70000 1 6 6", "gather 70000 70000 1 6 6"),
    "igatherv": ("igatherv 70000 70000 70000 70000 2 6 6", "gatherv 70000 70000 70000 70000 2 6 6"),
    "iscatter": ("iscatter 9000 9000 0 6 6", "scatter 9000 9000 0 6 6"),
    "iscatterv": ("iscatterv 9 8 7 9 0 6 6", "scatterv 9 8 7 9 0 6 6"),
    "ireduce": ("ireduce 70000 1e5 0 6", "reduce 70000 1e5 0 6"),
    "iallgather": ("iallgather 8 8 6 6", "allgather 8 8 6 6"),
    "iallgatherv": ("iallgatherv 9 9 9 9 6 6", "allgatherv 9 9 9 9 6 6"),
    "ialltoallv": ("ialltoallv 3 1 1 1 3 1 1 1 6 6", "alltoallv 3 1 1 1 3 1 1 1 6 6"),
    "iscan": ("iscan 70000 1e4 6", "scan 70000 1e4 6"),
    "iexscan": ("iexscan 8 5 6", "exscan 8 5 6"),
}


@pytest.mark.parametrize("kind", SAME)
def test_a_wait_at_once_makes_it_the_blocking_one(kind: str, tmp_path: Path) -> None:
    """Where SimGrid takes the same algorithm for both."""
    begun, blocking = SAME[kind]
    wait = f"wait -333 -333 {WAIT_TAGS[kind]}"
    found = ends("".join(f"{r} {begun}\n{r} {wait}\n" for r in range(3)), tmp_path)
    assert found == ends("".join(f"{r} {blocking}\n" for r in range(3)), tmp_path)


def test_flops_come_when_all_messages_have_ended(tmp_path: Path) -> None:
    lines = "".join(f"{r} iallreduce 70000 1e6 6\n{r} wait -333 -333 -4446\n" for r in range(2))
    without = ends(lines.replace("1e6", "0"), tmp_path)
    assert ends(lines, tmp_path) == pytest.approx([each + 1000 for each in without])
    together = "".join(f"{r} iallreduce 70000 1e6 6\n{r} waitall\n" for r in range(2))
    assert ends(together, tmp_path) == pytest.approx(ends(lines, tmp_path))


def test_computing_goes_on_meanwhile(tmp_path: Path) -> None:
    lines = "".join(f"{r} ibcast 1e6 0 6\n{r} compute 5e6\n{r} wait -333 -333 -3335\n" for r in range(4))
    assert ends(lines, tmp_path) == pytest.approx([5000] * 4)


def test_partners_in_waits_mean_nothing(tmp_path: Path) -> None:
    """SimGrid writes -333 on rank 0, else the rank before."""
    lines = "".join(f"{r} ibcast 1e6 0 6\n{r} wait -333 -333 -3335\n" for r in range(3))
    strange = "".join(
        f"{r} ibcast 1e6 0 6\n{r} wait {r - 1 if r else -333} {r - 1 if r else -333} -3335\n" for r in range(3)
    )
    assert ends(strange, tmp_path) == ends(lines, tmp_path)


def test_communicators_may_begin_in_any_order(tmp_path: Path) -> None:
    """Two with the same ranks in another order never take each other's messages."""
    first, second = "ibcast 3e6 0 6 # comm 0,1", "ibcast 80000 1 6 # comm 1,0"
    lines = f"0 {first}\n0 {second}\n0 waitall\n1 {second}\n1 {first}\n1 wait -333 -333 -3335\n1 compute 1\n1 waitall\n"
    early = ends(lines.replace("1 compute 1\n1 waitall\n", "1 compute 1e8\n1 waitall\n"), tmp_path)
    assert early[1] < ends(lines, tmp_path)[1] + 1e5
    assert not check(api.read_trace(tmp_path / "lines")).findings


def some(text: str, folder: Path) -> list[float]:
    """Microseconds at which ranks end, which are those of the oracle."""
    found = ends(text, folder)
    oracle = replay_in_python(api.read_trace(folder / "lines"), *api.read_platform(*CLUSTER))
    assert [1e6 * rank.end_s for rank in oracle.ranks] == pytest.approx(found)
    return found


def test_some_of_several_requests_count_a_collective_once(tmp_path: Path) -> None:
    """Rank 0 goes on when the message is there, though two of the collective's messages have come before."""
    begin = "0 ireduce 100 1e6 0 6\n0 irecv 3 5 100 6\n0 waitany\n0 compute 1000\n0 waitall\n"
    others = "1 ireduce 100 1e6 0 6\n1 waitall\n2 ireduce 100 1e6 0 6\n2 waitall\n"
    last = "3 isend 0 5 100 6\n3 compute {}\n3 ireduce 100 1e6 0 6\n3 waitall\n"
    found = some(begin + others + last.format(2e6), tmp_path)
    assert found[0] == pytest.approx(3000, abs=20)  # computed 1 µs meanwhile, then 1 ms for the reduction
    late = "3 compute 2e6\n3 isend 0 5 100 6\n3 ireduce 100 1e6 0 6\n3 waitall\n"
    assert some(begin + others + late, tmp_path)[0] == pytest.approx(3001, abs=20)


def test_some_requests_are_bounded(tmp_path: Path) -> None:
    lines = "".join(
        f"{r} iallgather 70000 70000 6 6\n{r} ibcast 200000 1 6\n{r} isend {(r + 1) % 3} 1 70000 6\n"
        f"{r} irecv {(r + 2) % 3} 1 70000 6\n{r} waitany\n{r} compute 4e4\n{r} waitsome\n{r} waitall\n"
        for r in range(3)
    )
    true = replayed(lines, tmp_path).makespan_s
    trace, where = api.read_trace(tmp_path / "lines"), api.read_platform(*CLUSTER)
    for found in (api.trace_bounds(trace, *where), api.compile_trace(trace, *where).at({})):
        assert found.lower_s <= true * (1 + 1e-9)
        assert found.upper_s >= true * (1 - 1e-9)
    assert not check(trace).findings


WRONG = {
    "0 ibarrier\n0 wait -333 -333 -779\n1 barrier\n": [
        ("deadlock", 0, 2, "wait waits for ever for rank 1 in the same ibarrier"),
        ("deadlock", 1, 3, "barrier waits for ever for rank 0 in the same barrier"),
        ("mismatch", 1, 3, "collective 1 is barrier: rank 0 has ibarrier"),
    ],
    "0 ibcast 1e5 0 6\n0 waitall\n1 ibcast 1e5 1 6\n1 waitall\n": [
        ("deadlock", 0, 2, "waitall waits for ever for rank 1 in the same ibcast"),
        ("deadlock", 1, 4, "waitall waits for ever for rank 0 in the same ibcast"),
        ("mismatch", 1, 3, "collective 1 is ibcast: its root is 1, that of rank 0 is 0"),
    ],
    "0 iallreduce 8 0 6\n0 waitall\n1 iallreduce 9 0 6\n1 waitall\n": [
        ("mismatch", 1, 3, "collective 1 is iallreduce: 9 bytes, but rank 0 has 8"),
    ],
    "0 ibarrier\n1 ibarrier\n1 waitall\n": [("unfinished", 0, 1, "no wait for this ibarrier")],
    "0 ibcast 1e5 0 6\n1 ibcast 1e5 0 6\n1 wait -333 -333 -779\n0 waitall\n": [
        ("unfinished", 1, 2, "no wait for this ibcast")
    ],
    "0 ssend 1 5 8\n0 recv 1 5 8\n1 ssend 0 5 8\n1 recv 0 5 8\n": [
        ("deadlock", 0, 1, "ssend waits for ever for rank 1 to receive 8 bytes with tag 5"),
        ("deadlock", 1, 3, "ssend waits for ever for rank 0 to receive 8 bytes with tag 5"),
    ],
    "0 issend 1 5 8\n1 recv 0 5 8\n": [("unfinished", 0, 1, "no wait for this send")],
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "t").write_text(text)
    found = [
        (f.kind, f.rank, f.line, f.text) for f in api.check_trace(tmp_path / "t").findings if f.kind != "unmatched"
    ]
    assert sorted(found) == sorted(WRONG[text])


BAD = {
    "0 ibarier\n": "t:1:3: error: there is no action 'ibarier'; did you mean 'ibarrier'?",
    "0 ibcast x\n": "t:1:3: error: ibcast: 'x' is no number",
    "0 ssend 0 1\n": "t:1:3: error: ssend: argument 3 is missing",
    "0 issend 0 -1 8\n": "t:1:3: error: issend: there is no tag -1",
    "0 ireduce 8 0 3\n": "t:1:3: error: ireduce names rank 3, but ranks go up to 0",
    "0 ireducescatter 5\n": "t:1:3: error: ireducescatter: argument 2 is missing",
    "0 igatherv 5 4 7\n": "t:1:3: error: igatherv names rank 7, but ranks go up to 0",
    "0 wait -333 -333 -5\n": "t:1:3: error: wait: -5 is the tag of no non-blocking collective",
    "0 ibarrier # comm 1\n1 ibarrier\n": "t:1:1: error: rank 0 is not in its own communicator",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_lines_are_told(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t").write_text(text)
    assert main(["trace", "check", "t"]) == 2
    assert BAD[text] in capsys.readouterr().err


def test_what_a_program_under_smpirun_traces_is_read(tmp_path: Path) -> None:
    """SimGrid's own lines, and the times of the program that wrote them."""
    if shutil.which("smpirun") is None:
        pytest.skip("there is no smpirun (Debian: libsimgrid-dev)")
    case = begun_case(7, 4)
    player, traced = built(tmp_path), tmp_path / "traced.txt"
    true = played(case, player, tmp_path, "-trace-ti", "-trace-file", str(traced))
    files = traced.read_text().split()
    lines = "".join(Path(file).read_text() for file in files)
    assert {action[0] for actions in api.read_trace(traced).ranks for action in actions} & set(WAIT_TAGS)
    plain = [line for line in lines.splitlines(keepends=True) if line.split()[1] not in ("sleep",)]
    path = tmp_path / "plain"
    path.write_text("".join(plain))
    found = api.replay(path, *api.read_platform(*written(case, tmp_path)[1:]))
    assert [rank.end_s for rank in found.ranks] == pytest.approx(true, rel=0, abs=PRINTED)


@pytest.mark.parametrize("seed", [1000, 1003, 1013])
def test_simgrid_replays_the_messages(seed: int, tmp_path: Path) -> None:
    """Its replay knows no non-blocking collectives, but their messages."""
    if shutil.which("smpirun") is None:
        pytest.skip("there is no smpirun (Debian: libsimgrid-dev)")
    case = begun_case(seed)
    (tmp_path / "t").write_text(case.trace)
    trace = unrolled(api.read_trace(tmp_path / "t"))
    text = "".join(line for r in range(case.ranks) for line in trace_lines(trace, r))
    true = simulated(case._replace(trace=text), tmp_path, "--cfg=network/optim:Full")
    found = api.replay(trace, *api.read_platform(*written(case, tmp_path)[1:]))
    assert found.makespan_s == pytest.approx(true, rel=0, abs=0.6e-6)


def test_a_random_program_ends_when_smpirun_says(tmp_path: Path) -> None:
    if shutil.which("smpirun") is None:
        pytest.skip("there is no smpirun (Debian: libsimgrid-dev)")
    player = built(tmp_path)
    for seed in range(3000, 3006):
        case = begun_case(seed)
        true = played(case, player, tmp_path)
        paths = written(case, tmp_path)
        found = api.replay(paths[0], *api.read_platform(*paths[1:]))
        assert [rank.end_s for rank in found.ranks] == pytest.approx(true, rel=0, abs=PRINTED)
