"""Laws of counts of loops that are put aside: the trace is the same, and what no loop fits is still small."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.traces.random_traces import random_case, written
from tests.traces.test_folding import ON, RANKS, unfolded_file

from apet import api
from apet.traces.fold.folded import Folded
from apet.traces.fold.folding import fold_file
from apet.traces.fold.steps import SIZES


def solver(rank: int, draw: random.Random, volume: random.Random) -> Iterator[str]:
    """Steps of a solver that iterates until it converges, and looks at its residual at times."""
    for step in range(60):
        yield f"{rank} bcast 8 0 6\n"
        for iteration in range(draw.randrange(1, 30)):
            yield f"{rank} isend {(rank + 1) % RANKS} 1 400 6\n{rank} recv {(rank - 1) % RANKS} 1 400 6\n"
            yield f"{rank} waitall\n{rank} compute {volume.randrange(99)}\n{rank} allreduce 1 0 6\n"
            if iteration % 10 == 9:
                yield f"{rank} allreduce 2 0 6\n"
        if step % 7 == 0:
            yield f"{rank} barrier\n"


def cycles(rank: int, draw: random.Random, volume: random.Random) -> Iterator[str]:
    """Cycles over levels: how many there are, and how often each is smoothed, differs."""
    for _ in range(80):
        levels = range(draw.randrange(2, 6))
        for level in (*levels, *reversed(levels)):
            for _ in range(draw.randrange(3)):
                yield f"{rank} isend {(rank + level) % RANKS} {level} {100 >> level} 6\n"
                yield f"{rank} recv {(rank - level) % RANKS} {level} -1 6\n{rank} waitall\n"
                yield f"{rank} compute {volume.randrange(99)}\n"
        yield f"{rank} allreduce 1 10 6\n"


def anything(rank: int, draw: random.Random, volume: random.Random) -> Iterator[str]:
    """No structure at all."""
    for _ in range(1500):
        match draw.randrange(4):
            case 0:
                tag = draw.randrange(9)
                yield f"{rank} isend {(rank + 1) % RANKS} {tag} {draw.randrange(999)} 6\n"
                yield f"{rank} recv {(rank - 1) % RANKS} {tag} -1 6\n{rank} waitall\n"
            case 1:
                yield f"{rank} bcast {draw.randrange(99)} {draw.randrange(RANKS)} 6\n"
            case 2:
                yield f"{rank} compute {volume.randrange(99)}\n"
            case _:
                yield f"{rank} compute 0\n{rank} compute {volume.randrange(99)}\n{rank} barrier\n"


def trace_of(program: object, path: Path) -> Path:
    """The file of the trace that a program draws; volumes differ by rank, what is done does not."""
    assert callable(program)
    lines = [
        line
        for rank in range(RANKS)
        for line in (f"{rank} init\n", *program(rank, random.Random(5), random.Random(rank)), f"{rank} finalize\n")
    ]
    path.write_text("".join(lines))
    return path


def assert_same(file: Path, trace: Path, platform: Path) -> None:
    """What is unfolded reads and replays as its trace does, and is explained the same way."""
    on = api.read_platform(platform)
    assert api.read_trace(file).ranks == api.read_trace(trace).ranks
    assert api.replay(file, *on).ranks == api.replay(trace, *on).ranks
    assert api.explain_trace(file, *on).length_s == api.explain_trace(trace, *on).length_s


@pytest.mark.parametrize(("program", "least"), [(solver, 700), (cycles, 100), (anything, 40)])
def test_what_varies_folds_and_stays_the_same(program: object, least: float, tmp_path: Path) -> None:
    trace = trace_of(program, tmp_path / "t.txt")
    folded = fold_file(str(trace), SIZES, counts_aside=True)
    assert folded is not None
    assert folded.actions > least * folded.size().structure
    assert any(loop.counts for kind in folded.kinds for loop in kind.loops)
    assert_same(unfolded_file(folded, tmp_path / "again.txt"), trace, ON)


def test_slots_are_executed_as_often_as_their_actions(tmp_path: Path) -> None:
    trace = trace_of(cycles, tmp_path / "t.txt")
    folded = fold_file(str(trace), SIZES, counts_aside=True)
    assert folded is not None
    assert_executions(folded)


def assert_executions(folded: Folded) -> None:
    """Each slot is in the order of execution as often as its kind says."""
    for kind in folded.kinds:
        places = kind.all_places()
        assert [places.count(slot) for slot in range(len(kind.slots))] == kind.executions()


@pytest.mark.parametrize("seed", range(12))
def test_random_traces_with_counts_put_aside_are_the_same(seed: int, tmp_path: Path) -> None:
    trace, platform, hosts = written(random_case(seed), tmp_path)
    folded = fold_file(str(trace), SIZES, counts_aside=True)
    assert folded is not None
    file = unfolded_file(folded, tmp_path / "again.txt")
    on = api.read_platform(platform, hosts)
    assert api.read_trace(file).ranks == api.read_trace(trace).ranks
    assert api.replay(file, *on).ranks == api.replay(trace, *on).ranks
    assert_executions(folded)


def test_a_trace_that_hardly_folds_has_counts_aside(tmp_path: Path) -> None:
    trace = trace_of(anything, tmp_path / "t.txt")
    assert any(loop.counts for kind in api.fold_trace(trace, sizes_aside=True).kinds for loop in kind.loops)
    assert not any(loop.counts for kind in api.fold_trace(trace).kinds for loop in kind.loops)
