"""The benchmarks run, compare with their peers in the same run, and refuse peers that give other values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.benchmarks import rendering
from tests.benchmarks.__main__ import BENCHMARKS, benchmark, main
from tests.benchmarks.measure import Spread, Table, agree, exponent
from tests.benchmarks.plot import references, write_growth


def test_every_comparison_with_a_peer_has_a_ratio(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, data = tmp_path / "docs" / "background" / "page.md", tmp_path / "figures.json"
    assert main(["-k", "sum", "-k", "value", "--quick", "--markdown", str(page), "--json", str(data)]) == 0
    found = json.loads(data.read_text(encoding="utf-8"))
    assert {"processor", "cores", "Python", "sympy", "date"} <= set(found["machine"])
    for table in found["benchmarks"]:
        first, *others = table["rows"]
        assert others
        assert all(row["against"] == first["name"] and row["ratio"] > 0 for row in others)
    shown = capsys.readouterr().out
    assert page.read_text(encoding="utf-8").strip() == shown.strip()
    assert "| times apet" in shown
    figures = page.with_suffix(".csv").read_text(encoding="utf-8").splitlines()
    assert len(figures) == 1 + sum(row["wall"] is not None for table in found["benchmarks"] for row in table["rows"])


def test_peers_that_evaluate_agree_on_the_value() -> None:
    values = {row.value for row in benchmark("value")(True).rows}
    assert len(values) == 1


def test_peers_that_disagree_are_refused() -> None:
    with pytest.raises(ValueError, match="disagree"):
        agree(1.0, 1.0 + 1e-6)


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_can_be_found(name: str) -> None:
    assert callable(benchmark(name))


def test_an_unknown_name_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-k", "nothing-of-the-kind"]) == 2
    assert "there are: predict" in capsys.readouterr().err


def test_figures_replace_only_what_is_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{rendering.BEGIN}\nold\n{rendering.END}\nafter\n", encoding="utf-8")
    for text in ("one\n", "two\n"):
        rendering.insert(page, text)
    assert page.read_text(encoding="utf-8") == f"before\n{rendering.BEGIN}\n\ntwo\n\n{rendering.END}\nafter\n"


def test_a_power_law_has_its_exponent() -> None:
    assert exponent([(10.0**k, 3 * 10.0 ** (1.5 * k)) for k in range(4)]) == pytest.approx(1.5)


def test_a_spread_is_the_median_between_its_ends() -> None:
    assert Spread.of([3.0, 1.0, 2.0]) == Spread(2.0, 1.0, 3.0, 3)


@pytest.mark.parametrize(
    ("seconds", "shown"), [(12.34, "12.3 s"), (0.0123, "12.3 ms"), (4.5e-5, "45 µs"), (2e-8, "20 ns"), (120.4, "120 s")]
)
def test_durations_have_three_digits_and_a_fitting_unit(seconds: float, shown: str) -> None:
    assert rendering.duration(seconds) == shown


def test_the_lines_to_compare_growth_with_begin_where_the_curve_begins() -> None:
    (_, _, linear), (_, _, with_log) = references([(100.0, 2.0), (10_000.0, 100.0)])
    assert linear[0] == with_log[0] == (100.0, 2.0)
    assert linear[-1] == pytest.approx((10_000.0, 200.0))
    assert with_log[-1] == pytest.approx((10_000.0, 400.0))


def test_the_plot_of_growth_shows_time_and_memory_with_their_powers(tmp_path: Path) -> None:
    sizes = [100.0, 1000.0, 10_000.0]
    curves = {"parse, s": [(n, n / 7) for n in sizes], "parse, MiB": [(n, n**1.5) for n in sizes]}
    write_growth(Table("compile", "Growth", curves=curves), tmp_path / "growth.svg")
    shown = (tmp_path / "growth.svg").read_text(encoding="utf-8")
    for text in ("parse: n^1.00", "parse: n^1.50", "proportional to n log n", "time in s", "memory in MiB"):
        assert text in shown
