"""`apet benchmark --language c` makes a machine file of what the compiler here builds."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.c.law_of_counts import functions
from tests.c.test_pointers import operations_of

import apet
from apet.c.measure.measuring import FLAGS
from apet.cli.main import main

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")]


@pytest.mark.parametrize("mode", FLAGS)
def test_a_measured_machine_has_the_operations_of_models_for_it(mode: str, tmp_path: Path) -> None:
    place = tmp_path / "this.toml"
    assert main(["benchmark", "--language", "c", "--quick", "--mode", mode, "-o", str(place)]) == 0
    machines = apet.load_machines(place)
    level = "flat" if mode == "O0" else "core"
    asked = {operation for function in functions()[0][::5] for operation in operations_of(function, level)}
    assert {operation for operation in asked if not operation.startswith(("call_", "each_"))} <= machines.operations
    assert all(0 <= time.lo <= time.hi < 1e-3 for time in machines.groups[0].op_s.values())
