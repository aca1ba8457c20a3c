"""Where it is said what may be skipped, anything else that is skipped fails."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SKIPPING = """
import pytest

@pytest.mark.skipif(True, reason="no compiler of Algol is installed")
def test_of_algol() -> None: ...

def test_in_between() -> None:
    pytest.skip("the machine is busy")
"""


@pytest.mark.parametrize(
    ("expected", "outcomes"),
    [
        (None, "2 skipped"),
        ("compiler of Algol;busy", "2 skipped"),
        ("compiler of Algol", "1 failed, 1 skipped"),
        ("", "1 failed, 1 error"),
    ],
)
def test_a_skip_that_is_not_expected_fails(expected: str | None, outcomes: str, tmp_path: Path) -> None:
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    environment = {name: value for name, value in os.environ.items() if name != "APET_EXPECT"}
    environment |= {} if expected is None else {"APET_EXPECT": expected}
    words = [*command, "--rootdir", str(ROOT), str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1].startswith(outcomes), done.stdout + done.stderr


def test_a_module_that_is_skipped_whole_is_no_exception(tmp_path: Path) -> None:
    (tmp_path / "test_module.py").write_text("import pytest\npytest.importorskip('no_such_library')\n")
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    words = [*command, "--rootdir", str(ROOT), str(tmp_path)]
    environment = {**os.environ, "APET_EXPECT": "busy"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "no_such_library" in done.stdout
