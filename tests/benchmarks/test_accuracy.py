"""The page of accuracy: errors as they are, each reference beside what is held against it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.benchmarks import accuracy


def test_all_references_are_met_and_written_between_the_markers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "accuracy.md"
    assert accuracy.main(["--quick", "--markdown", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.strip() == capsys.readouterr().out.strip()
    for what in ("independent solvers", "simulation", "SimGrid", "size: auto", "date 20"):
        assert what in text


@pytest.mark.parametrize(("error", "shown"), [(0.0, "0"), (0.0366, "3.7 %"), (1.5e-5, "0.0015 %"), (3.1e-16, "3e-16")])
def test_errors_are_per_cent_where_they_can_be_seen(error: float, shown: str) -> None:
    assert accuracy.shown(error) == shown
