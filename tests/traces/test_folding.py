"""Laws of folded traces: nothing is lost, C and Python fold alike, loops and equal ranks are found."""

from __future__ import annotations

import lzma
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.traces.slots_oracle import slots_of

from apet import api
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.traces.fold.folded import Folded, Kind, advancing, nested
from apet.traces.fold.folding import fold_lines
from apet.traces.fold.steps import LONGEST, NUMBERS, FoldedRank, Folding
from apet.traces.fold.unfolding import unfolded

DATA = Path(__file__).resolve().parents[1] / "data" / "titrace"
SAMPLES = Path(__file__).resolve().parents[2] / "samples" / "traces"
TRACES = [*sorted(DATA.glob("*.txt.gz")), *sorted((DATA / "fixtures").glob("*.gz")), *sorted(SAMPLES.glob("*.txt"))]
ON = DATA / "homog.xml"
RANKS = 4

Program = list[Any]
"""Actions as texts with {r} for the rank, {i} and {j} for iterations of the loops around them; (times, parts)."""

actions = st.sampled_from(
    (
        "send {next} {i} 100 6",
        "send {next} 7 {size} 0",
        "irecv {far} 3 8 6",
        "recv -333 -444 -1",
        "wait {r} {next} {j}",
        "allreduce 5 0 0",
        "bcast {size} 2 6",
        "gatherv 4 1 2 3 4 {own} 6 6",
        "barrier # comm 0-3",
        "wait {r} {far} 1 # request 1",
        "init 1",
        "init",
        "compute 5",
        "compute {volume}",
        "compute 0",
        "comm_size 1",
    )
)
programs = st.recursive(
    st.lists(actions, max_size=4),
    lambda inner: st.lists(st.one_of(actions, st.tuples(st.integers(1, 6), inner)), max_size=5),
    max_leaves=8,
)


def written_out(program: Program, rank: int, indices: tuple[int, ...] = ()) -> list[str]:
    """The lines of a rank."""
    found = list[str]()
    i, j = (*indices[::-1], 0, 0)[:2]
    for part in program:
        if isinstance(part, str):
            names = {"r": rank, "i": i, "j": j, "next": (rank + 1 + i) % RANKS, "far": rank ^ 2, "own": rank % 3}
            names |= {"size": 100 + 8 * i + 3 * j, "volume": 1000 + 7 * (i * j % 3) + rank}
            found.append(f"{rank} {part.format(**names)}\n")
        else:
            for index in range(part[0]):
                found += written_out(part[1], rank, (*indices, index))
    return found


def plain(lines: list[str]) -> list[str]:
    """Lines without what costs nothing, and without `init` that changes nothing."""
    found, double = list[str](), False
    for line in lines:
        words = line.split()
        if words[1] == "init":
            if (len(words) > 2) == double:
                continue
            double = not double
        if words[1] not in ("comm_size", "finalize"):
            found.append(" ".join(words))
    return found


def program_of(kind: Kind) -> list[str]:
    """Loops and actions of ranks that do the same, without computing."""
    found, lists = list[str](), dict.fromkeys((c.words for s in kind.slots for w in s.words for c in (w.base,)), 1)
    for what, number, depth in nested(kind):
        if what == "loop":
            found.append(f"{'  ' * depth}loop {kind.loops[number].times}")
        elif what == "slot":
            slot = kind.slots[number]
            found.append("  " * depth + " ".join((slot.action, *(advancing(word, lists) for word in slot.words))))
    return found


def lines_of(folded: Folded, rank: int) -> list[str]:
    return [line for _, line in unfolded(folded, [rank]) if not line.endswith("finalize")]


def unfolded_file(folded: Folded, path: Path) -> Path:
    """The file of the trace that a folded one stands for."""
    path.write_text("".join(f"{line}\n" for _, line in unfolded(folded)))
    return path


def listed(flat: FoldedRank) -> list[object]:
    return [list(column) for column in flat[:-1]] + [flat.rest]


@given(st.lists(programs, min_size=1, max_size=2))
@settings(max_examples=60)
def test_nothing_is_lost(choice: list[Program]) -> None:
    lines = {r: [*written_out(choice[r % len(choice)], r), f"{r} compute 1\n"] for r in range(RANKS)}
    folded = fold_lines("t", lambda: ("".join(each) for each in lines.values()))
    assert folded is not None
    for rank, each in lines.items():
        assert lines_of(folded, rank) == plain(each)


@pytest.mark.parametrize("path", TRACES, ids=lambda p: p.name)
def test_what_is_unfolded_is_the_same_trace(path: Path, tmp_path: Path) -> None:
    folded = api.fold_trace(path)
    file = unfolded_file(folded, tmp_path / "t.txt")
    trace, again = api.read_trace(path), api.read_trace(file)
    assert [list(a) for a in again.ranks] == [list(a) for a in trace.ranks]
    assert [dict(c) for c in again.communicators] == [dict(c) for c in trace.communicators]
    assert folded.actions == trace.events == api.fold_trace(file).actions


@pytest.mark.parametrize("name", ["prk-p2p.4.txt.gz", "comd.4.txt.gz"])
def test_a_trace_in_memory_folds_as_one_in_a_file(name: str) -> None:
    found, wanted = api.fold_trace(api.read_trace(DATA / name)), api.fold_trace(DATA / name)
    assert (found.actions, found.size().loops, len(found.kinds)) == (
        wanted.actions,
        wanted.size().loops,
        len(wanted.kinds),
    )


@pytest.mark.parametrize("path", TRACES, ids=lambda p: p.name)
def test_every_action_has_its_slot(path: Path) -> None:
    folded, trace = api.fold_trace(path), api.read_trace(path)
    members = folded.members()
    for rank, each in enumerate(trace.ranks):
        kind, _ = members[rank]
        steps = [a[0] for a in each if a[0] != "compute"]
        assert [a for k in kind.all_places() if (a := kind.slots[k].action) != "init"] == steps
        places = slots_of(kind, each)
        for k, (action, place) in enumerate(zip(each, places, strict=True)):
            following = next((p for a, p in zip(each[k:], places[k:], strict=True) if a[0] != "compute"), -1)
            assert place == following
            assert action[0] == "compute" or all(kind.loops[n].times > 1 for n in kind.path(place))


def ring(rounds: int, ranks: int = 8) -> str:
    """Ranks pass on messages whose tags count; each tenth time they agree on something."""
    return "".join(
        f"{r} irecv {(r - 1) % ranks} {k} 800 6\n{r} isend {(r + 1) % ranks} {k} 800 6\n{r} compute 5000\n{r} waitall\n"
        + (f"{r} allreduce 1 0 0\n" if k % 10 == 9 else "")
        for r in range(ranks)
        for k in range(rounds)
    )


def test_loops_that_advance_and_equal_ranks_are_found(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text(ring(200))
    folded = api.fold_trace(path)
    assert len(folded.kinds) == 1
    kind = folded.kinds[0]
    assert [loop.times for loop in kind.loops] == [20, 10]
    assert program_of(kind) == [
        "loop 20",
        "  loop 10",
        "    irecv rank-1 0{1,10} 800 6",
        "    isend rank+1 0{1,10} 800 6",
        "    waitall",
        "  allreduce 1 0 0",
    ]
    assert kind.path(0) == (0, 1)
    assert kind.path(3) == (0,)
    assert kind.label(1) == "loop of 10 at line 1"
    assert folded.size().total == 4 + 2 + 4 + 1


@pytest.mark.parametrize("longest", [12, 40, LONGEST])
def test_folding_ahead_of_the_end_finds_the_same_loops(longest: int) -> None:
    folding = Folding(NUMBERS, longest=longest)
    assert folding.feed(ring(200).encode())
    assert [-code for code in folding.take(0).codes if code < 0] in ([20, 10], [10, 19, 10])


def test_volumes_keep_their_order_in_nested_loops(tmp_path: Path) -> None:
    path = tmp_path / "t"
    volumes = [(i * 7 + j * 3) % 11 for i in range(5) for j in range(6)]
    path.write_text("".join(f"0 compute {v}\n0 send 0 {k % 6} 1 6\n" for k, v in enumerate(volumes)))
    folded = api.fold_trace(path)
    assert [loop.times for loop in folded.kinds[0].loops] == [5, 6]
    found = [float(line.split()[2]) for line in lines_of(folded, 0) if "compute" in line]
    assert found == volumes


def test_several_volumes_in_a_row_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "t"
    text = "0 compute 5\n0 compute 0\n0 barrier\n0 compute 5\n0 compute 0\n0 barrier\n0 compute 0\n"
    path.write_text(text)
    folded = api.fold_trace(path)
    assert [loop.times for loop in folded.kinds[0].loops] == [2]
    assert "".join(f"{line}\n" for line in lines_of(folded, 0)) == text


@pytest.mark.parametrize(
    ("words", "written_as"),
    [
        (["1", "2", "3", "0"], "rank+1"),
        (["1", "0", "3", "2"], "rank^1"),
        (["0", "1", "2", "3"], "rank"),
        (["2", "2", "2", "2"], "2"),
        (["3", "1", "1", "0"], "@1"),
    ],
)
def test_partners_are_described_by_rank(words: list[str], written_as: str, tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text("".join(f"{r} isend {w} 0 8 6\n" for r, w in enumerate(words)))
    assert f"isend {written_as} 0 8 6" in program_of(api.fold_trace(path).kinds[0])


def test_what_python_has_to_read_is_folded_too(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text("0 compute 1_0\n0 wait 9 0 1\n0 barrier extra\n")
    folded = api.fold_trace(path)
    assert lines_of(folded, 0) == ["0 compute 10", "0 wait 9 0 1", "0 barrier"]


def test_a_file_that_an_earlier_version_folded_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.folded"
    path.write_text("# apet folded trace 1\nranks 2\nkind 0-1\n  barrier\n")
    for act in (api.fold_trace, api.read_trace, api.check_trace):
        with pytest.raises(ApetError, match="a trace that an earlier version folded") as caught:
            act(path)
        assert "hint: 'apet export' of that version makes a trace of it" in str(caught.value)


def test_a_cut_off_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.xz"
    path.write_bytes(lzma.compress(TRACES[-1].read_bytes())[:-9])
    for act in (api.fold_trace, api.read_trace, api.check_trace):
        with pytest.raises(ApetError, match="damaged or cut off"):
            act(path)


@pytest.mark.parametrize("verb", [["check"], ["fold"], ["replay", "--platform", str(ON)]])
def test_xz_is_read_as_what_it_packs(verb: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain, packed = tmp_path / "t.txt", tmp_path / "t.xz"
    plain.write_text(ring(30))
    assert main(["trace", "convert", str(plain), "-o", str(packed)]) == 0
    assert packed.read_bytes() == lzma.compress(lzma.decompress(packed.read_bytes()))
    said = []
    for path in (plain, packed):
        capsys.readouterr()
        assert main(["trace", verb[0], str(path), *verb[1:]]) == 0
        said.append(capsys.readouterr().out.replace(path.name, "T"))
    assert said[0] == said[1]


PROGRAM = """
import re, sys
from apet import api
from apet.cli.main import main
found = api.fold_trace(sys.argv[1])
print(found.actions, found.size().total, re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_memory_does_not_grow_with_what_is_folded(tmp_path: Path) -> None:
    peaks = []
    for rounds in (10_000, 60_000):
        path = tmp_path / f"{rounds}.txt"
        path.write_text(re.sub(r"(recv|send) (\d+) \d+", r"\1 \2 0", ring(rounds, 4)))
        done = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True, check=True)
        actions, size, peak = map(int, done.stdout.split())
        assert actions > 16 * rounds
        assert size < 20
        peaks.append(peak)
    assert peaks[1] < peaks[0] + 4096  # KiB


def test_what_is_nested_is_written_inside_out() -> None:
    kind = api.fold_trace(DATA / "prk-p2p.4.txt.gz").kinds[0]
    depth = 0
    for what, _, at in nested(kind):
        depth -= what == "end"
        assert at == depth
        depth += what == "loop"
    assert depth == 0


def test_a_root_outside_of_an_inferred_communicator_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ranks 0 and 1 have a broadcast that 2 and 3 have not: they are a communicator of two, and 3 is no root of it."""
    lines = [f"{r} {a}" for r in range(4) for a in ("init", *(["bcast 8 3 6"] if r < 2 else []), "barrier", "finalize")]
    path = tmp_path / "t.txt"
    path.write_text("\n".join(lines) + "\n")
    for verb in ("check", "fold"):
        assert main(["trace", verb, str(path)]) == 2
        assert "bcast names rank 3, but its communicator has 2 ranks" in capsys.readouterr().err
