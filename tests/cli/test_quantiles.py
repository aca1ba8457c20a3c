"""`apet predict --quantiles` and `--expected-max`: whole outputs as golden texts, keys, columns, and wrong calls."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Golden

from apet.cli.main import main

DATA = Path(__file__).resolve().parents[1] / "data" / "cli"
CALL = ["predict", str(DATA / "unsure.pam"), "-m", str(DATA / "unsure.toml"), "-P", "2,4"]
ASKED = ["--quantiles", "5%,50%,95%", "--draws", "2000"]


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("quantiles", ASKED),
        ("quantiles-processor", [*ASKED, "--noise", "processor", "--seed", "7"]),
        ("quantiles-independent", [*ASKED, "--noise", "independent", "--expected-max"]),
        ("quantiles-expected", ["--expected-max"]),
    ],
)
def test_the_output_is_the_golden_text(
    name: str, more: list[str], assert_golden: Golden, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*CALL, *more]) == 0
    shown = capsys.readouterr()
    assert_golden(DATA / f"{name}.txt", shown.out.replace(f"{DATA}/", ""))
    assert shown.err.startswith(
        "warning: unsure.toml gives work by quantiles that leave up to 0.1 of the values outside"
    )


def document(capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    assert main([*CALL, "--json", *more]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_has_the_keys_beside_what_is_guaranteed(capsys: pytest.CaptureFixture[str]) -> None:
    plain = document(capsys)
    found = document(capsys, *ASKED, "--expected-max")
    for before, after in zip(plain["predictions"], found["predictions"], strict=True):
        quantiles, expected = after.pop("quantiles"), after.pop("expected")
        assert after == before
        assert [quantiles[key] for key in ("noise", "draws", "seed", "confidence")] == ["systematic", 2000, 0, 0.95]
        for name in ("estimate", "lower", "upper"):
            levels = quantiles[name]["levels"]
            assert [q["level"] for q in levels] == [0.05, 0.5, 0.95]
            assert all(q["low"] <= q["seconds"] <= q["high"] for q in levels)
            assert (
                quantiles[name]["least"] <= levels[0]["seconds"] <= levels[2]["seconds"] <= quantiles[name]["greatest"]
            )
        assert quantiles["lower"]["least"] >= after["guaranteed"]["tmin"]
        assert quantiles["upper"]["greatest"] <= after["guaranteed"]["tmax"]
        assert expected["mean"] == expected["candidates"][expected["by"]]["mean"]
        assert expected["deviation"] > 0
    del plain["predictions"], found["predictions"]
    assert plain == {**found, "notes": plain["notes"]}


def test_csv_has_columns_behind_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*CALL, "--csv", "--quantiles", "97.5%,5%", "--expected-max"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert list(rows[0])[-8:] == [
        "q5_s", "q5_low_s", "q5_high_s", "q97.5_s", "q97.5_low_s", "q97.5_high_s", "expected_s", "deviation_s"
    ]  # fmt: skip
    for row in rows:
        assert float(row["q5_low_s"]) <= float(row["q5_s"]) < float(row["q97.5_s"]) <= float(row["q97.5_high_s"])


def test_the_picture_has_the_band_and_is_the_same_each_time(tmp_path: Path) -> None:
    first, second, plain = (tmp_path / f"{name}.svg" for name in ("first", "second", "plain"))
    for path in (first, second):
        assert main([*CALL, *ASKED, "--plot", str(path), "-o", str(tmp_path / "text")]) == 0
    assert main([*CALL, "--plot", str(plain), "-o", str(tmp_path / "text")]) == 0
    assert first.read_bytes() == second.read_bytes() != plain.read_bytes()
    assert "#b3e2d5" in first.read_text(encoding="utf-8").lower()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["--quantiles", "5%,many"], "error: --quantiles many: 'many' is no number"),
        (["--quantiles", "0"], "error: --quantiles 0: 0 is not between 0 and 100"),
        (["--quantiles", "100"], "error: --quantiles 100: 100 is not between 0 and 100"),
        (["--quantiles", "nan"], "error: --quantiles nan: 'nan' is no number"),
        (["--quantiles", ""], "error: --quantiles : '' is no number"),
        (["--quantiles", ",".join(f"{k / 2}%" for k in range(1, 101))], "more than 99 levels"),
        (["--draws", "10"], "error: --draws 10: not a whole number from 100 to 10,000,000"),
        (["--draws", "1.5"], "error: --draws 1.5: not a whole number"),
        (["--noise", "loud"], "unknown --noise 'loud'"),
        (["--seed", "x"], "--seed x: not a whole number"),
    ],
)
def test_a_wrong_call_is_answered_and_nothing_is_printed(
    wrong: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main([*CALL, *wrong])
    except SystemExit as stop:
        status = int(str(stop.code))
    shown = capsys.readouterr()
    assert status == 2
    assert message in shown.err
    assert shown.out == ""


def test_a_prediction_without_quantiles_imports_no_numpy(root: Path) -> None:
    import subprocess
    import sys

    code = f"import sys; from apet.cli.main import main; main({CALL!r}); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, cwd=root).returncode == 0
