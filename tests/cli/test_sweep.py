"""Laws of `sweep`: golden texts, documented JSON, tables that other programs read, what is refused."""

from __future__ import annotations

import csv
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.questions.sweep.design import start, table

import apet
from apet.cli.main import main

DATA = Path(__file__).resolve().parents[1] / "data" / "cli"
FARM, POOL, ALONE = (str(DATA / name) for name in ("farm.pam", "pool.toml", "alone.pam"))
BASE = ["sweep", FARM, "-m", POOL]

GOLDEN: dict[str, list[str]] = {
    "sweep": [*BASE, "--vary", "P=1:4", "--vary", "n=1e6,2e6"],
    "sweep-large": [*BASE, "--vary", "n=1:100", "-P", "2,4", "--set", "tasks=7"],
    "sweep-machines": ["sweep", FARM, "-m", POOL, "POOL2", "--vary", "scale.t_step=0.5,1", "--by", "estimate"],
    "sweep-undefined": [*BASE, "--vary", "q=0.5:2:0.5", "--skip-undefined"],
    "sweep-json": [*BASE, "--vary", "P,n=2:1e6,4:2e6", "--json"],
    "sweep-pi": ["sweep", "pamela/pi.pam", "-m", "cluster-64", "--vary", "P=4:64:4x", "--against", "cost_per_hour"],
}


@pytest.fixture
def second(tmp_path: Path) -> str:
    """Another machine model."""
    path = tmp_path / "other.toml"
    path.write_text(Path(POOL).read_text(encoding="utf-8").replace('"Pool"', '"Other"'), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("name", GOLDEN)
def test_the_output_is_the_golden_text(
    name: str, second: str, assert_golden: Callable[[Path, str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([second if a == "POOL2" else a for a in GOLDEN[name]]) == 0
    shown = capsys.readouterr().out.replace(f"{DATA}/", "")
    if name.endswith("json"):
        found = json.loads(shown, parse_float=lambda text: float(f"{float(text):.9g}"))
        assert found.pop("seconds") >= 0
        shown = json.dumps(found, indent=2) + "\n"
    assert_golden(DATA / f"{name}.txt", shown)


def test_a_row_of_the_table_is_what_predict_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.csv"
    assert main([*BASE, "--vary", "P=1,4", "--vary", "n=10,1e6", "-o", str(path)]) == 0
    capsys.readouterr()
    for row in table(path):
        assert main(["predict", FARM, "-m", POOL, "-P", row["P"], "--set", f"n={row['n']}", "--csv"]) == 0
        (one,) = csv.DictReader(capsys.readouterr().out.splitlines())
        for kind in ("estimate", "lower", "upper", "guaranteed"):
            for end in ("tmin", "tmax"):
                name = f"{kind}_{end}_s"
                assert float(row[name]) == pytest.approx(float(one[name]), rel=1e-12)


def test_parquet_has_types_row_groups_and_says_what_was_swept(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "s.parquet"
    assert main([*BASE, "--vary", "n=1:3000", "--vary", "q=0.25", "-o", str(path)]) == 0
    file = parquet.ParquetFile(path)
    assert file.metadata.num_rows == 3000
    assert file.metadata.num_row_groups == 3
    kinds = {field.name: str(field.type) for field in file.schema_arrow}
    assert (kinds["n"], kinds["q"], kinds["P"]) == ("int64", "double", "int64")
    assert (kinds["guaranteed_tmax_s"], kinds["dominant"]) == ("double", "string")
    told = {key.decode(): value.decode() for key, value in file.schema_arrow.metadata.items() if key[:4] == b"apet"}
    assert (told["apet.model"], told["apet.unit"], told["apet.machines"]) == ("farm.pam", "s", '["pool.toml"]')
    assert len(told["apet.formulas.sha256"]) == 64
    assert main([*BASE, "--vary", "n=1:3000", "--vary", "q=0.25", "-o", str(tmp_path / "s.csv")]) == 0
    columns = file.read().to_pydict()
    for k, row in enumerate(table(tmp_path / "s.csv")):
        assert {name: type(column[k])(row[name]) for name, column in columns.items()} == {
            name: column[k] for name, column in columns.items()
        }


def test_undefined_points_are_empty_cells(tmp_path: Path) -> None:
    call = [*BASE, "--vary", "q=0.5:2:0.5", "--skip-undefined", "-o"]
    assert main([*call, str(tmp_path / "s.csv")]) == 0
    rows = table(tmp_path / "s.csv")
    assert [row["estimate_tmin_s"] == "" for row in rows] == [False, False, True, True]
    assert rows[3]["dominant"] == ""
    parquet = pytest.importorskip("pyarrow.parquet")
    assert main([*call, str(tmp_path / "s.parquet")]) == 0
    found = parquet.read_table(tmp_path / "s.parquet").to_pydict()
    assert [v is None for v in found["upper_tmax_s"]] == [False, False, True, True]
    assert found["dominant"][3] is None


def test_the_front_is_written_and_drawn(tmp_path: Path) -> None:
    front, picture = tmp_path / "front.csv", tmp_path / "front.svg"
    call = ["sweep", "pamela/pi.pam", "-m", "cluster-64", "-P", "1:64", "--against", "cost_per_hour"]
    assert main([*call, "--pareto", str(front), "--plot", str(picture)]) == 0
    rows = table(front)
    costs = [float(row["cost_per_hour"]) for row in rows]
    times = [float(row["guaranteed_tmax_s"]) for row in rows]
    assert costs == sorted(costs)
    assert times == sorted(times, reverse=True)
    assert len(rows) > 2
    assert picture.read_text(encoding="utf-8").startswith("<?xml")


def test_points_come_from_a_table(tmp_path: Path) -> None:
    points, out = tmp_path / "p.csv", tmp_path / "s.csv"
    points.write_text("P,n\n1,10\n4,2e6\n", encoding="utf-8")
    assert main([*BASE, "--points", str(points), "--vary", "tasks=5,6", "-o", str(out)]) == 0
    found = [(row["P"], row["n"], row["tasks"]) for row in table(out)]
    assert found == [("1", "10", "5"), ("1", "10", "6"), ("4", "2000000", "5"), ("4", "2000000", "6")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*BASE, "--vary", "P=4:1"], "ends before it begins"),
        ([*BASE, "--vary", "P=1:5"], "P = 5 is not possible: pool.toml has 4 processors"),
        ([*BASE, "--vary", "P=1", "--vary", "P=2"], "P is given twice"),
        ([*BASE, "--vary", "P=1", "-P", "2"], "P is given twice"),
        ([*BASE, "--vary", "n=1", "--set", "n=2"], "n is given twice: varied, and set with --set"),
        ([*BASE, "--vary", "nn=1"], "no such parameter or machine quantity; did you mean 'n'?"),
        ([*BASE, "--vary", "q=0.5:1.5:0.5"], "point 3 of 3 (P = 4, q = 1.5): q = 1.5: outside its declared range"),
        ([*BASE, "--vary", "n=1:1e12"], "1,000,000,000,000 points are more than 10,000,000: about "),
        ([*BASE, "--vary", "n=1:30", "--limit", "20"], "30 points are more than 20"),
        ([*BASE, "--vary", "n=1:1e18", "--vary", "tasks=1:1e6", "--yes"], "more than APET can number"),
        ([*BASE, "--limit", "0"], "--most-points 0: not a whole number of 1 or more"),
        ([*BASE, "-o", "s.txt"], "cannot write s.txt: its ending is none of .csv, .parquet"),
        ([*BASE, "-o", "/no/such/s.csv"], "there is no directory /no/such"),
        ([*BASE, "--pareto", "/no/such/s.csv"], "there is no directory /no/such"),
        ([*BASE, "--plot", "f.gif"], "its ending is none of .svg, .png, .pdf"),
        ([*BASE, "--resume"], "--resume goes on with a file, and none is named"),
        ([*BASE, "--workers", "2"], "--workers is for --engine dask"),
        ([*BASE, "--against", "cost_per_hour"], "pool.toml gives no cost_per_hour for new, old"),
        (["sweep", FARM, "-m", POOL, POOL], "is given twice"),
        ([*BASE, "--points", "/no/such.csv"], "/no/such.csv: no such file"),
    ],
)
def test_a_wrong_call_is_explained(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert "Traceback" not in shown.err


def test_varying_what_the_time_does_not_contain_is_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BASE, "--vary", "machine.network.latency=1us,2us", "--vary", "t_step=1us"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["sweep", ALONE, "-m", POOL, "--vary", "scale.latency=1,2"]) == 0
    assert "does not contain 'scale.latency_s': varying it changes nothing" in capsys.readouterr().err


@pytest.mark.parametrize(("library", "form"), [("pyarrow", "parquet"), ("distributed", "csv")])
def test_a_missing_library_names_its_extra(
    library: str, form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    engine = ["--engine", "dask"] if library == "distributed" else []
    assert main([*BASE, "-o", str(tmp_path / f"s.{form}"), *engine]) == 2
    assert f"pip install 'apet[{'dask' if engine else 'parquet'}]'" in capsys.readouterr().err


def test_a_file_that_may_not_grow_is_a_mistake_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
        process = start(FARM, "-m", POOL, "--vary", "n=1:1000", "-o", str(path))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "File too large" in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_the_same_from_python(tmp_path: Path) -> None:
    app, pool = apet.compile(FARM), apet.load_machines(POOL)
    found = apet.sweep(app, pool, {"P": range(1, 5), "n": [10, "1e6"]}, output=tmp_path / "s.csv", values={"tasks": 5})
    assert (found.points, found.undefined, len(table(tmp_path / "s.csv"))) == (8, 0, 8)
    assert found.best is not None
    assert found.best.values["n"] == 10
    assert [p.values["P"] for p in apet.sweep(app, pool, {"P": "1:3"}).rows] == [1, 2, 3]
    with pytest.raises(apet.ApetError, match="engine cannot be 'spark'"):
        apet.sweep(app, pool, {}, engine="spark")
