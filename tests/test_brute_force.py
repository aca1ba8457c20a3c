"""The brute force against 60 models whose answers were computed by other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.brute_force import brute_force
from tests.machine_table import read_table

from apet.machine.network import End
from apet.model.pamela import read_model

MODELS = Path(__file__).parent / "data" / "models"
ENDS: tuple[End, ...] = ("tmin", "tmax")
NAMES = sorted(p.stem for p in MODELS.glob("*.pam"))


def test_there_are_sixty_models() -> None:
    assert len(NAMES) == 60


@pytest.mark.parametrize("end", ["tmin", "tmax"])
@pytest.mark.parametrize("name", NAMES)
def test_unrolling_gives_the_reference_bounds(name: str, end: End) -> None:
    want = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))[end]
    found = brute_force(read_model(MODELS / f"{name}.pam"), read_table(MODELS / f"{name}.toml"), end)
    assert found.t0 == pytest.approx(want["t0"], rel=1e-12)
    assert found.estimate == pytest.approx(want["estimate"], rel=1e-12)
    assert found.lower == pytest.approx(want["lower"], rel=1e-12)
    assert found.upper == pytest.approx(want["upper"], rel=1e-12)
