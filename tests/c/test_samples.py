"""The models of the shipped C functions stay the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.conftest import Golden

import apet
from apet import c
from apet.ground.source import Source

pytest.importorskip("clang.cindex")
TESTS = Path(__file__).parents[1]
SAMPLES = sorted((TESTS.parent / "samples" / "c").glob("*.c"))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_model_of_a_sample_stays_the_same(sample: Path, assert_golden: Golden) -> None:
    model = c.translate(Source(str(sample), sample.read_text(encoding="utf-8"))).text
    assert apet.compile_text(model).operations
    assert_golden(TESTS / "data" / "c" / f"{sample.stem}.txt", model)
