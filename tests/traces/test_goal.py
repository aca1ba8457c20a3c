"""GOAL: text and binary say the same, what is written is read back as the same run, and files of others are named."""

from __future__ import annotations

import gzip
import lzma
import struct
from pathlib import Path
from random import Random

import pytest
from tests.traces.option_traces import option_case
from tests.traces.random_traces import written

from apet import api
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.traces.event_traces import goal
from apet.traces.event_traces.formats import GOAL_MAGIC as MAGIC
from apet.traces.event_traces.goal import NODE_BYTES
from apet.traces.platform.parts import SMPI_PROTOCOL
from apet.traces.report.goal import goal_lines

TWO = """num_ranks 2
rank 0 {
l1: recv 100b from 1 tag 1 cpu 0
l2: calc 10 // beside it
l3: calc 2500
l3 requires l1
l4: send 8b to 1 tag 7
l4 irequires l3
}
rank 1 {
l1: calc 1000
l2: send 100b to 0 tag 1
l2 requires l1
l3: recv 8b from 0 tag 7
}
"""


def binary(ranks: list[tuple[list[tuple[int, int, int, int]], list[tuple[int, int, bool]]]]) -> bytes:
    """As `txt2bin` lays it out: by rank operations (kind, partner, size, tag) and dependencies (first, then, ends)."""
    bodies, head = list[bytes](), 6 + 16 * len(ranks)
    for operations, needs in ranks:
        lists = [
            [then for first, then, ends in needs if (first, ends) == (k, e)]
            for k in range(len(operations))
            for e in (True, False)
        ]
        places = [sum(map(len, lists[:n])) for n in range(len(lists))]
        rows = b""
        for k, (kind, partner, size, tag) in enumerate(operations):
            before = sum(then == k for _, then, _ in needs)
            ends, begins = lists[2 * k], lists[2 * k + 1]
            rest = len(ends), places[2 * k], len(begins), places[2 * k + 1]
            rows += struct.pack("<IBIQIBBIIII", before, kind, partner, size, tag, 0, 0, *rest)
        roots = [k for k in range(len(operations)) if all(then != k for _, then, _ in needs)]
        appendix = struct.pack(f"<{sum(map(len, lists))}I", *(n for each in lists for n in each))
        bodies.append(struct.pack(f"<II{len(roots)}I", len(operations), len(roots), *roots) + rows + appendix)
    begins = [head + sum(map(len, bodies[:r])) for r in range(len(ranks))]
    table = b"".join(struct.pack("<QQ", b, b + len(body)) for b, body in zip(begins, bodies, strict=True))
    return MAGIC + struct.pack("<IBB", len(ranks), 1, 1) + table + b"".join(bodies)


def test_a_receive_is_posted_first_and_waited_for_before_what_requires_it(tmp_path: Path) -> None:
    (tmp_path / "two.goal").write_text(TWO)
    trace = api.convert_trace(tmp_path / "two.goal")

    assert trace.ranks[0] == (
        ("irecv", 1, 1, 100),
        ("compute", 10.0),
        ("wait", 1, 0, 1),
        ("compute", 2500.0),
        ("isend", 1, 7, 8),
        ("wait", 0, 1, 7),
    )
    assert trace.ranks[1][:2] == (("irecv", 0, 7, 8), ("compute", 1000.0))


def test_text_and_binary_are_the_same_trace(tmp_path: Path) -> None:
    first = [(2, 1, 100, 1), (3, 0, 10, 0), (3, 0, 2500, 0), (1, 1, 8, 7)], [(0, 2, True), (2, 3, False)]
    second = [(3, 0, 1000, 0), (1, 0, 100, 1), (2, 0, 8, 7)], [(0, 1, True)]
    (tmp_path / "two.goal").write_text(TWO)
    (tmp_path / "two.bin").write_bytes(binary([first, second]))

    assert api.convert_trace(tmp_path / "two.bin").ranks == api.convert_trace(tmp_path / "two.goal").ranks


@pytest.mark.parametrize("content", [TWO.encode(), lzma.compress(TWO.encode())])
def test_the_verb_writes_what_the_trace_in_memory_has(content: bytes, tmp_path: Path) -> None:
    source, target = tmp_path / "two.goal", tmp_path / "two.txt"
    source.write_bytes(content)
    assert main(["import", str(source), "-o", str(target)]) == 0
    assert tuple(map(tuple, api.read_trace(target).ranks)) == api.convert_trace(source).ranks


def test_ranks_come_in_any_order_and_those_without_operations_are_there(tmp_path: Path) -> None:
    source = tmp_path / "t.goal"
    source.write_text("// four\nnum_ranks 4\nrank 2 {\nb: calc 5\n}\n\nrank 0 { // first\na: calc 7b cpu 1\n}\n")
    assert api.convert_trace(source).ranks == ((("compute", 7.0),), (), (("compute", 5.0),), ())


@pytest.mark.parametrize("seed", range(20))
def test_of_what_is_ready_receives_come_first_then_sends_then_computing(seed: int, tmp_path: Path) -> None:
    random, source = Random(seed), tmp_path / "t.goal"
    kinds = [random.choice(("recv", "send", "calc")) for _ in range(40)]
    needs = [[random.randrange(k) for _ in range(random.choice((0, 0, 1, 3)))] if k else [] for k in range(40)]
    lines = [f"l{k}: {kind} {k + 1}{'' if kind == 'calc' else ' to 0 tag 3'}" for k, kind in enumerate(kinds)]
    lines += [f"l{k} requires l{before}" for k, each in enumerate(needs) for before in each]
    source.write_text("num_ranks 1\nrank 0 {\n" + "\n".join(lines) + "\n}\n")
    done, wanted = set[int](), list[int]()
    while len(done) < 40:
        ready = [k for k in range(40) if k not in done and done.issuperset(needs[k])]
        wanted.append(min(ready, key=lambda k: (("recv", "send", "calc").index(kinds[k]), k)))
        done.add(wanted[-1])
    found = [a for a in api.convert_trace(source).ranks[0] if a[0] != "wait"]
    assert [round(action[-1]) - 1 for action in found] == wanted


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_is_read_back_as_the_same_run(seed: int, tmp_path: Path) -> None:
    case = option_case(seed)  # to sleep is to compute there
    case = case._replace(trace="".join(line for line in case.trace.splitlines(True) if " sleep " not in line))
    trace_file, platform_file, hosts_file = written(case, tmp_path)
    platform, hosts = api.read_platform(platform_file, hosts_file)
    platform.network = platform.network._replace(protocol=SMPI_PROTOCOL)
    trace = api.read_trace(trace_file)
    (tmp_path / "t.goal").write_text("".join(goal_lines(trace)))
    back = api.convert_trace(tmp_path / "t.goal")

    true = api.replay(trace, platform, hosts).makespan_s
    assert api.replay(back, platform, hosts).makespan_s == pytest.approx(true, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("l9 requires l1", "line 5: 'l9 requires l1' names an operation"),
        ("what is this", "line 5: 'what is this' is no operation"),
        ("l5: send 1b to 7 tag 0", "names rank 7 of 2"),
        ("l5: send 1b tag 0", "names rank -1 of 2"),
        ("}\nrank 0 {", "line 6: a rank twice"),
        ("l2 requires l2", "require each other"),
        ("}\nnum_ranks 3\nrank 1 {", "line 6: the number of ranks twice"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "two.goal").write_text(TWO.replace("l3: calc 2500\n", f"{line}\nl3: calc 2500\n"))
    with pytest.raises(ApetError, match=problem):
        api.convert_trace(tmp_path / "two.goal")


@pytest.mark.parametrize("verb", [["check"], ["import", "-o", "out.txt"]])
@pytest.mark.parametrize("cut", [True, False])
def test_a_packed_file_that_is_damaged_is_refused_and_nothing_is_written(
    cut: bool, verb: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"l{k}: calc {k * k * 7919 % 1_000_003}\n" for k in range(20_000))
    content = bytearray(gzip.compress(f"num_ranks 1\nrank 0 {{\n{lines}}}\n".encode()))
    if not cut:
        content[-6] ^= 255
    (tmp_path / "t.goal.gz").write_bytes(content[:-30] if cut else content)
    assert main([verb[0], "t.goal.gz", *verb[1:]]) == 2
    assert "error: t.goal.gz: " in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_a_rank_that_never_ends_is_refused_before_memory_runs_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(goal, "MOST_TEXT", 1 << 23)
    (tmp_path / "t.goal").write_bytes(gzip.compress(b"num_ranks 1\nrank 0 {\n" + b"\n" * (3 << 22)))
    with pytest.raises(ApetError, match="more than 8 MiB"):
        api.convert_trace(tmp_path / "t.goal")


def test_a_binary_that_says_more_than_it_has_bytes_for_is_refused(tmp_path: Path) -> None:
    calc = [(3, 0, 5, 0)] * 4
    sharing = bytearray(binary([(calc, [(0, 1, True), (0, 2, True), (0, 3, True)])]))
    row = len(MAGIC) + 6 + 16 + 8 + 4 + NODE_BYTES
    sharing[row + 23 : row + 31] = struct.pack("<II", 2, 0)  # what waits for the second is in the list of the first
    body, ranks = binary([(calc, [])])[len(MAGIC) + 22 :], 20
    place = struct.pack("<QQ", 6 + 16 * ranks, 6 + 16 * ranks + len(body))
    many = MAGIC + struct.pack("<IBB", ranks, 1, 1) + place * ranks + body
    for content, problem in (
        (bytes(sharing), "damaged"),
        (many, "damaged"),
        (MAGIC + b"\xff" * 22, "more than 1,000,000 ranks"),
    ):
        (tmp_path / "bad.bin").write_bytes(content)
        with pytest.raises(ApetError, match=problem):
            api.convert_trace(tmp_path / "bad.bin")


def test_a_binary_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    whole = binary([([(3, 0, 5, 0)] * 4, [(0, 1, True)])])
    for length in (9, 20, 60, len(whole) - 3):
        (tmp_path / "cut.bin").write_bytes(whole[:length])
        with pytest.raises(ApetError, match="cut off"):
            api.convert_trace(tmp_path / "cut.bin")


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"# apet folded trace 2\n", "a trace that an earlier version folded"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_file_of_another_tool_is_named(tmp_path: Path, content: bytes, name: str, pack: type) -> None:
    (tmp_path / "f").write_bytes(pack(content))
    with pytest.raises(ApetError, match=name):
        api.read_trace(tmp_path / "f")
