"""Options and fixtures of the whole test suite: golden files, slow tests, hypothesis profiles."""

from __future__ import annotations

import os
from collections.abc import Callable
from difflib import unified_diff
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

Golden = Callable[[Path, str], None]

settings.register_profile("default", deadline=None)
# Continuous integration draws the same examples every time: a red run can be repeated.
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files with what is produced now")
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="runs only with --slow")
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(skip)


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a whole text with a golden file: `golden(path, text)`.

    With `--update-golden` the file is rewritten instead; without it, a missing file is a failure.
    """
    update = bool(request.config.getoption("--update-golden"))

    def check(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"{path} does not exist; write it with: pytest --update-golden", pytrace=False)
        expected = path.read_text(encoding="utf-8")
        if text != expected:
            pytest.fail(_difference(path, expected, text), pytrace=False)

    return check


def _difference(path: Path, expected: str, text: str) -> str:
    lines = unified_diff(expected.splitlines(), text.splitlines(), str(path), "produced now", lineterm="")
    return "\n".join(["the text differs from the golden file (accept it with --update-golden)", *lines])
