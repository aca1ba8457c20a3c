"""Laws of sizes that are put aside: the trace is the same, and only what folds badly has them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.traces.random_traces import random_case, written
from tests.traces.test_folding import ON, RANKS, program_of, ring, unfolded_file

from apet import api
from apet.traces.fold.folding import fold_file
from apet.traces.fold.steps import SIZES


@pytest.mark.parametrize("seed", range(6))
def test_sizes_put_aside_are_those_of_the_trace(seed: int, tmp_path: Path) -> None:
    trace, platform, hosts = written(random_case(seed), tmp_path)
    folded = fold_file(str(trace), SIZES)
    assert folded is not None
    file = unfolded_file(folded, tmp_path / "again.txt")
    on = api.read_platform(platform, hosts)
    assert api.read_trace(file).ranks == api.read_trace(trace).ranks
    assert api.replay(file, *on).ranks == api.replay(trace, *on).ranks


def sorting(rounds: int) -> str:
    """Exchanges as a parallel sort has them: how much goes to whom is other in each round."""
    draw, lines = random.Random(3), list[str]()
    for rank in range(RANKS):
        lines.append(f"{rank} init\n")
        for _ in range(rounds):
            to, back = ([draw.randrange(90) for _ in range(RANKS)] for _ in range(2))
            words = " ".join(map(str, [sum(to), *to, sum(back), *back]))
            lines.append(f"{rank} compute {draw.randrange(9)}\n{rank} alltoallv {words} 1 1\n")
            lines.append(f"{rank} isend {(rank + 1) % RANKS} 5 {draw.randrange(99)} 6\n")
            lines.append(
                f"{rank} recv {(rank - 1) % RANKS} 5 -1 6\n{rank} waitall\n{rank} bcast {draw.randrange(3)} 2 6\n"
            )
        lines.append(f"{rank} finalize\n")
    return "".join(lines)


def test_sizes_that_follow_no_rule_are_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text(sorting(100))
    folded = api.fold_trace(path, sizes_aside=True)
    assert folded.size().structure < 40 < api.fold_trace(path).size().structure / 20
    assert "  alltoallv ? ? ? ? ? ? ? ? ? ? 1 1" in program_of(folded.kinds[0])
    file = unfolded_file(folded, tmp_path / "again.txt")
    assert api.read_trace(file).ranks == api.read_trace(path).ranks
    on = api.read_platform(ON)
    assert api.replay(file, *on).ranks == api.replay(path, *on).ranks


def test_what_folds_well_keeps_its_sizes(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text(ring(200))
    assert api.fold_trace(path, sizes_aside=True) == api.fold_trace(path)
