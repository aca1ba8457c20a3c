"""Laws of `trace replay` on many platforms: rows are single replays, formulas enclose them, files can be resumed."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import apet
from apet.api.replays import replays
from apet.cli.main import main
from apet.questions.sweep.loop import Interrupted, Local, sweep_to
from apet.questions.sweep.notation import parse_variation

ROOT = Path(__file__).resolve().parents[2]
STENCIL, CLUSTER = (str(ROOT / "samples" / "traces" / name) for name in ("stencil.xz", "cluster.xml"))
TORUS = str(ROOT / "machines" / "cluster-64.toml")
CALL = ["trace", "replay", STENCIL, "--platform", CLUSTER, TORUS]
VARIED = ["--vary", "bandwidth=0.5:2:2x", "--vary", "latency,speed=1:1,4:2"]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_each_row_is_the_replay_on_that_platform(tmp_path: Path) -> None:
    assert main([*CALL, *VARIED, "-o", str(tmp_path / "t.csv")]) == 0
    rows = _rows(tmp_path / "t.csv")
    assert len(rows) == 2 * 3 * 2

    for row in rows:
        platform, hosts = apet.read_platform(CLUSTER if row["platform"] == "cluster.xml" else TORUS)
        scaled = platform.scaled(**{name: float(row[name]) for name in ("speed", "latency", "bandwidth")})
        assert float(row["makespan_s"]) == apet.replay(STENCIL, scaled, hosts).makespan_s
        assert row["makespan_s"] == row["lower_s"] == row["upper_s"]
        assert row["method"] == "replay"


def test_formulas_that_are_exact_enough_enclose_the_replay() -> None:
    exact = apet.replay_many(STENCIL, [TORUS], {"latency": "1:8:2x"})
    close = apet.replay_many(STENCIL, [TORUS], {"latency": "1:8:2x"}, within=0.05)
    assert {p.dominant for p in exact.rows} == {"replay"}
    assert {p.dominant for p in close.rows} == {"formula"}
    for true, row in zip(exact.rows, close.rows, strict=True):
        assert row.times["lower"] <= true.times["makespan"] <= row.times["upper"] <= 1.05 * row.times["lower"]


def test_rows_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    for workers in ("1", "3"):
        assert main([*CALL, *VARIED, "--workers", workers, "-o", str(tmp_path / f"{workers}.csv")]) == 0
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "3.csv").read_bytes()


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_an_interrupted_table_ends_in_the_same_bytes(form: str, tmp_path: Path) -> None:
    axes = [parse_variation("bandwidth=1:20"), parse_variation("latency=1,2")]
    task = replays(STENCIL, [CLUSTER], [], axes, form=form)
    sweep_to(task, Local(), str(tmp_path / f"whole.{form}"))

    def stopping(*arguments: object) -> object:
        for k, result in enumerate(Local()(*arguments)):  # type: ignore[arg-type]
            if k == 2:
                raise KeyboardInterrupt
            yield result

    path = tmp_path / f"again.{form}"
    with pytest.raises(Interrupted):
        sweep_to(task, stopping, str(path))  # type: ignore[arg-type]
    assert sweep_to(task, Local(), str(path), resume=True).reused == 2
    assert path.read_bytes() == (tmp_path / f"whole.{form}").read_bytes()


def test_another_trace_does_not_resume_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    axes = [parse_variation("bandwidth=1:20")]
    path = str(tmp_path / "t.csv")

    def stopping(*arguments: object) -> object:
        yield next(iter(Local()(*arguments)))  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        sweep_to(replays(STENCIL, [CLUSTER], [], axes, form="csv"), stopping, path)  # type: ignore[arg-type]
    ring = str(ROOT / "samples" / "traces" / "ring.txt")
    call = ["trace", "replay", ring, "--platform", CLUSTER, "--vary", "bandwidth=1:20", "-o", path, "--resume"]
    assert main(call) == 2
    assert "it differs in the trace" in capsys.readouterr().err


@pytest.mark.slow
def test_dask_workers_write_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    assert main([*CALL, *VARIED, "-o", str(tmp_path / "local.csv")]) == 0
    assert main([*CALL, *VARIED, "-o", str(tmp_path / "dask.csv"), "--engine", "dask", "--workers", "2"]) == 0
    assert (tmp_path / "local.csv").read_bytes() == (tmp_path / "dask.csv").read_bytes()


def test_json_of_a_table_has_the_documented_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALL, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["columns"] == ["platform"]
    assert [row["parameters"]["platform"] for row in found["rows"]] == ["cluster.xml", "cluster-64.toml"]
    assert found["best"]["makespan_s"] == min(row["makespan_s"] for row in found["rows"])


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--vary", "sped=1,2"], "did you mean 'speed'"),
        (["--vary", "speed=0,1"], "it must be above 0"),
        (["--vary", "speed=1,2", "--vary", "speed=3"], "speed is given twice"),
        (["--gantt", "g.svg"], "it draws one replay"),
        (["--within", "2"], "between 0 and 100 %"),
        (["--resume"], "--resume"),
        (["-o", "t.txt"], "its ending is none of"),
        (["--hostfile", "a", "b", "c"], "one for all, or one for each"),
    ],
)
def test_calls_that_make_no_table_are_refused(
    more: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*CALL, *more]) == 2
    assert message in capsys.readouterr().err


def test_options_of_a_table_need_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "replay", STENCIL, "--platform", CLUSTER, "--within", "1%"]) == 2
    assert "several platforms, or --vary" in capsys.readouterr().err
