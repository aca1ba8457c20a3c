"""Laws of sizes that are put aside: the trace is the same, and only what folds badly is written so."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from tests.traces.random_traces import random_case, written
from tests.traces.test_folding import ON, RANKS, ring, text_of

from apet import api
from apet.ground.diagnostics import ApetError
from apet.traces.fold.folding import fold_file
from apet.traces.fold.steps import SIZES


@pytest.mark.parametrize("seed", range(6))
def test_sizes_put_aside_are_those_of_the_trace(seed: int, tmp_path: Path) -> None:
    trace, platform, hosts = written(random_case(seed), tmp_path)
    folded = fold_file(str(trace), SIZES)
    assert folded is not None
    file = tmp_path / "t.folded"
    file.write_text(text_of(folded))
    on = api.read_platform(platform, hosts)
    assert api.read_trace(file).ranks == api.read_trace(trace).ranks
    assert api.replay(file, *on).ranks == api.replay(trace, *on).ranks
    assert text_of(api.fold_trace(file)._replace(name=trace.name)) == file.read_text()


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
    path, file = tmp_path / "t.txt", tmp_path / "t.folded"
    path.write_text(sorting(100))
    folded = api.fold_trace(path, sizes_aside=True)
    assert folded.size().structure < 40 < api.fold_trace(path).size().structure / 20
    file.write_text(text_of(folded))
    assert "alltoallv ? ? ? ? ? ? ? ? ? ? 1 1" in file.read_text()
    assert api.read_trace(file).ranks == api.read_trace(path).ranks
    on = api.read_platform(ON)
    assert api.replay(file, *on).ranks == api.replay(path, *on).ranks
    with pytest.raises(ApetError, match="folded with sizes put aside"):
        api.trace_model([file, file, file], ["n=1,2,3"])


def test_what_folds_well_keeps_its_sizes(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_text(ring(200))
    assert api.fold_trace(path, sizes_aside=True) == api.fold_trace(path)
