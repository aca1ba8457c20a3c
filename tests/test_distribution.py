"""Files that are named for processes of tests exist, and those that belong together come to one process."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("xdist")

from tests.distribution import FIRST, SINGLY, TOGETHER, unit

ROOT = Path(__file__).resolve().parents[1]
FILES = [*SINGLY, *(file for files in TOGETHER.values() for file in files)]


def test_every_file_that_is_named_exists_once() -> None:
    assert all((ROOT / file).is_file() for file in FILES)
    assert len({*FILES}) == len(FILES)
    assert all((ROOT / "tests" / name).is_dir() or (ROOT / "tests" / f"{name}.py").is_file() for name in FIRST)


def test_a_file_is_dealt_as_a_whole_and_with_those_of_its_group() -> None:
    assert unit("tests/test_a.py::test_b[c::d]") == unit("tests/test_a.py::TestE::test_f") == "tests/test_a.py"
    assert {unit(f"{file}::test_b[c@d]") for file in TOGETHER["mpi"]} == {"mpi"}


def test_long_tests_that_share_nothing_are_dealt_one_by_one() -> None:
    tests = [f"{file}::test_b[{number}]" for file in SINGLY for number in range(2)]
    assert list(map(unit, tests)) == tests
