"""Where memory runs out in the C core, that is an error and no harm; see `tests.core.allocations`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core import sanitized
from tests.work import thorough

ROOT = Path(__file__).resolve().parents[2]


@thorough
def test_any_allocation_may_fail() -> None:
    environment = sanitized.environment()
    if environment is None:
        pytest.skip("there is no C compiler with AddressSanitizer")
    path = {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "compiler")))}
    command = [sys.executable, "-m", "tests.core.allocations"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment | path, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("no memory") > 3
