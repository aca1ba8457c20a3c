"""The law of counts for C: what a program counts of its marked statements is what the model says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.c.law_of_counts import SIZES, answer, counted, functions

pytest.importorskip("clang.cindex")
pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

LEFT_OPEN = {"comma_steps", "mutual", "after_return", "label_out", "skipped_round"}
"""Functions whose source fixes the count, and whose model has a parameter nevertheless."""
RUN = ("either", "cases", "data")
"""Functions that a test runs with counters; `python -m tests.c.law_of_counts` runs all."""


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], int]:
    fixed, open_ = functions()
    return counted([*fixed, *open_], tmp_path_factory.mktemp("marks"))


def test_the_source_alone_says_the_counts_that_it_fixes(truth: dict[tuple[str, int], int], tmp_path: Path) -> None:
    n = SIZES[0]
    kinds = {name: answer(name, n, tmp_path, False).kind(truth[name, n]) for name in functions()[0][::6]}
    assert {name for name, kind in kinds.items() if kind != "right"} <= LEFT_OPEN
    assert "wrong" not in kinds.values()


@pytest.mark.parametrize("name", RUN)
def test_a_run_with_counters_says_the_others(name: str, truth: dict[tuple[str, int], int], tmp_path: Path) -> None:
    n = SIZES[1]
    assert answer(name, n, tmp_path, True).kind(truth[name, n]) == "right"
