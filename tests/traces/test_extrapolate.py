"""Traces made at other sizes and numbers of ranks are those that the program has there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.traces import programs_by_size
from tests.traces.test_folding import unfolded_file

from apet import api
from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.traces.extrapolate.features import TracePoint
from apet.traces.extrapolate.fitting import fitted
from apet.traces.extrapolate.grids import divided
from apet.traces.extrapolate.nodes import Rank
from apet.traces.extrapolate.presence import presence
from apet.traces.trace import Action

GRID = [(n, ranks) for ranks in (4, 8, 16) for n in (64, 100, 192)]
EVEN = [(n, ranks) for ranks in (4, 8, 16) for n in (64, 128, 192)]
"""Sizes that all numbers of ranks divide."""
Program = Callable[[int, int, int], programs_by_size.Lines]


def taken(folder: Path, program: Program, grid: list[tuple[int, int]]) -> list[str]:
    """Traces of a program as files; their headers name the size."""
    files = list[str]()
    for n, ranks in grid:
        file = folder / f"{program.__name__}-{n}-{ranks}.txt"
        file.write_text(f"# apet trace of program {n} steady\n{programs_by_size.text(program, n, ranks)}")
        files.append(str(file))
    return files


def extrapolated(folder: Path, files: list[str], n: int, ranks: int) -> Path:
    """The trace that is made of them."""
    folded = api.extrapolate_trace(api.trace_model(files), {"n": n, "P": ranks})
    return unfolded_file(folded, folder / "made.txt")


def in_any_order(actions: list[Action]) -> list[list[Action]]:
    """Between waits, what does not block in one order: no rank of a small box shows how two sides of an axis mix."""
    runs: list[list[Action]] = [[]]
    for action in actions:
        if action[0] not in ("irecv", "isend"):
            runs += [[action], []]
        else:
            runs[-1].append(action)
    return [sorted(run) for run in runs]


@pytest.mark.parametrize("name", programs_by_size.PROGRAMS)
def test_a_trace_made_elsewhere_is_that_of_the_program_there(tmp_path: Path, name: str) -> None:
    program = programs_by_size.PROGRAMS[name]
    model = api.trace_model(taken(tmp_path, program, EVEN if name in ("pairs", "rows_and_columns") else GRID))
    for n, ranks in ((768, 16), (192, 64), (768, 64), (256 if name == "pairs" else 200, 32)):
        made = api.read_trace(unfolded_file(api.extrapolate_trace(model, {"n": n, "P": ranks}), tmp_path / "made.txt"))
        real = api.read_trace(taken(tmp_path, program, [(n, ranks)])[0])
        for rank in range(ranks):
            actions, there = ([a for a in trace.ranks[rank] if a[0] != "compute"] for trace in (made, real))
            assert in_any_order(actions) == in_any_order(there), (n, ranks)
            assert made.flops[rank] == pytest.approx(real.flops[rank], rel=0.01)
        assert made.communicators == real.communicators


def test_volumes_and_order_are_exact_where_all_ranks_do_the_same(tmp_path: Path) -> None:
    files = taken(tmp_path, programs_by_size.butterfly, GRID)
    made = api.read_trace(extrapolated(tmp_path, files, 1000, 128))
    assert made.ranks == api.read_trace(taken(tmp_path, programs_by_size.butterfly, [(1000, 128)])[0]).ranks


def test_what_follows_no_rule_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ApetError, match=r"irregular-64-16\.txt, line \d+: the set of ranks that execute 'sleep'"):
        api.trace_model(taken(tmp_path, programs_by_size.irregular, GRID))


def test_shares_are_told_from_quotients_by_their_remainders() -> None:
    points = [
        TracePoint((("n", float(n)),), rank, ranks) for n in (10, 13, 17) for ranks in (2, 4) for rank in range(ranks)
    ]
    shares = [float(programs_by_size.share(int(p.sizes[0][1]), p.ranks, p.rank)) for p in points]
    number = fitted(points, shares)
    assert number.exact
    target = TracePoint((("n", 101.0),), 2, 16)
    assert number.best.at(target) == programs_by_size.share(101, 16, 2)


def test_sums_that_the_points_do_not_tell_apart_make_an_interval() -> None:
    points = [TracePoint((("n", float(n)),), 0, 4) for n in (8, 16, 32)]
    low, high = fitted(points, [16.0, 32.0, 64.0]).range(TracePoint((("n", 64.0),), 0, 16))
    assert low < 128 == high or low == 128 < high or low < 128 < high


def test_noise_leaves_the_leading_term() -> None:
    points = [
        TracePoint((("n", float(n)),), rank, ranks) for n in (64, 128, 256) for ranks in (4, 16) for rank in range(4)
    ]
    noise = (1.01, 0.985, 1.004, 0.996, 0.99, 1.012)
    volumes = [(p.sizes[0][1] ** 2 / p.ranks) * 50 * noise[k % 6] for k, p in enumerate(points)]
    number = fitted(points, volumes, smooth=True)
    target = TracePoint((("n", 1024.0),), 5, 64)
    assert not number.exact
    assert number.best.at(target) == pytest.approx(50 * 1024**2 / 64, rel=0.03)
    low, high = number.range(target)
    assert low < 50 * 1024**2 / 64 < high


def test_conditions_are_the_fewest_that_hold_of_exactly_these_ranks() -> None:
    everybody = [Rank(t, r, ranks) for t, ranks in enumerate((4, 8, 16)) for r in range(ranks)]
    assert presence(set(everybody), everybody) == ()
    above = {rank for rank in everybody if rank.rank >= divided(rank.ranks, 2)[1]}
    conditions = presence(above, everybody)
    assert conditions is not None
    assert [(each.name, each.text) for each in conditions] == [("plane", "y > 0")]
    assert presence({everybody[1], everybody[9]}, everybody) is None


def test_planes_are_those_of_mpi_dims_create() -> None:
    assert [divided(ranks, 2) for ranks in (1, 2, 6, 8, 12, 16, 7)] == [
        (1, 1), (2, 1), (3, 2), (4, 2), (4, 3), (4, 4), (7, 1)
    ]  # fmt: skip
    assert divided(64, 3) == (4, 4, 4)


def test_the_verb_writes_a_trace_that_replays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = taken(tmp_path, programs_by_size.stencil, GRID)
    target = str(tmp_path / "large.xz")
    assert main(["trace", "extrapolate", *files, "--to", "n=768,P=64", "-o", target]) == 0
    text = capsys.readouterr().out
    assert "n=768, P=64: 64 ranks, a plane of 8 × 8 (P1 × P2)" in text
    assert "irecv (y-1, x), 1, 8 n/P2, 6   if y > 0 (plane)" in text
    assert "compute 7 n/P1 + 20 n/P1 n/P2 flops" in text
    assert main(["trace", "check", target]) == 0


def test_rules_that_only_seem_to_hold_make_no_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    few = [(n, ranks) for ranks in (2, 4) for n in (64, 100)]
    files, made = taken(tmp_path, programs_by_size.crossing, few), tmp_path / "made.xz"
    order = ["trace", "extrapolate", *files, "--to", "n=64,P=64", "-o", str(made)]
    assert main(order) == 2
    assert "traces of 2 and 4 ranks only do not decide how the program depends on P" in capsys.readouterr().err
    assert main([*order, "--few-ranks"]) == 2
    message = capsys.readouterr().err
    assert "line 5: several rules explain 'recv' in these traces, and the one taken makes no trace of n=64" in message
    assert not made.exists()
    with pytest.raises(ApetError, match="several rules explain"):
        api.extrapolate_trace(api.trace_model(files), {"n": 64, "P": 64}, few_ranks=True)


def test_traces_of_different_volumes_make_no_model(tmp_path: Path) -> None:
    files = taken(tmp_path, programs_by_size.stencil, GRID)
    for number, file in enumerate(files):
        words = "nanoseconds of CPU time" if number == 1 else "instructions, by a hardware counter"
        path = Path(file)
        path.write_text(path.read_text().replace("steady\n", f"steady\n# ranks: 4\n# volumes: {words}\n", 1))
    with pytest.raises(ApetError, match=r"counts instructions, .* but .* nanoseconds of CPU time"):
        api.trace_model(files)


def test_traces_of_one_point_that_differ_ask_for_the_size_they_differ_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    points = [(n, ranks) for n in (64, 100) for ranks in (4, 8, 16)]
    files = taken(tmp_path, programs_by_size.butterfly, points)
    for number, file in enumerate(map(Path, files)):  # as programs that are built for a size and ranks: cg.W.16
        file.write_text(f"# apet trace of cg.{number}\n" + file.read_text().partition("\n")[2])
    order = ["trace", "extrapolate", *files, "--to", "P=32"]
    assert main(order) == 2
    message = capsys.readouterr().err
    assert "are of 4 ranks both, but exchange different messages" in message
    assert "--size n=96,192" in message
    assert main([*order[:-1], "n=64,P=32", "--size", "n=64,64,64,100,100,100"]) == 0


def test_json_has_the_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = taken(tmp_path, programs_by_size.butterfly, GRID)
    sizes = "n=" + ",".join(str(n) for n, _ in GRID)
    assert main(["trace", "extrapolate", *files, "--size", sizes, "--to", "n=1000,P=32", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    loop = answer["model"][0]
    assert loop["loop"]["sum"] == "ceil(log2(P))"
    assert loop["loop"]["value"] == 5
    assert [slot["action"] for slot in loop["body"]] == ["irecv", "send", "wait"]
    assert loop["body"][0]["partners"] == ["x^2^k of the line"]
    assert loop["body"][0]["numbers"][2]["value"] == 8000
    assert answer["ranks"] == 32


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "n=8"], "--to n=8: P is missing"),
        (["--to", "P=8,m=3"], "--to P=8,m=3: the traces have no m"),
        (["--to", "n=8,P=2.5"], "--to P=2.5: is out of range"),
        (["--to", "n=8,P=1..4"], "P is a range; one value is needed"),
        (["--to", "n=8,P=4", "--size", "n=1,2"], "--size n=1,2: 2 numbers for 9 traces"),
        (["--to", "n=8,P=4", "--size", "P=1"], "a name other than P"),
    ],
)
def test_wrong_points_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    files = taken(tmp_path, programs_by_size.butterfly, GRID)
    assert main(["trace", "extrapolate", *files, *arguments]) == 2
    assert message in capsys.readouterr().err


def test_volumes_that_scatter_get_no_term_for_each_trace() -> None:
    """Measured volumes a / P, 1 % off: three numbers of ranks would explain any three terms, and none of them grows."""
    points, numbers = list[TracePoint](), list[float]()
    for ranks, error in ((4, 1.003), (8, 1.009), (16, 0.995)):
        for rank in range(ranks):
            points.append(TracePoint((), rank, ranks))
            numbers.append(3.58e8 / ranks * error * (1 + 1e-6 * (rank % 3)))
    there = fitted(points, numbers, smooth=True)
    assert there.best.at(TracePoint((), 5, 64)) == pytest.approx(3.58e8 / 64, rel=0.12)
