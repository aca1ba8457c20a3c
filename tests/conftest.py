"""Options and fixtures of the whole test suite: golden files, slow tests, hypothesis profiles."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator
from difflib import unified_diff
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from tests.bad_inputs import BadInput
from tests.core import sanitized

Golden = Callable[[Path | BadInput, str], None]
Refuse = Callable[..., None]
"""Called with a bad input, the words of a command, and the folder of its files: `assert_refused` below."""
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

sanitized.load()  # `make core-sanitized` names another C core for all tests
EXPECTED_SKIPS = os.environ.get("APET_EXPECT")
"""Parts of the reasons for which tests may be skipped, between semicolons; where it is set, any other reason fails."""
settings.register_profile("default", deadline=None)
# Continuous integration draws the same examples every time: a red run can be repeated.
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files with what is produced now")
    parser.addoption("--slow", action="store_true", help="run the tests marked slow or measures as well")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    if config.getoption("dist") != "loadfile":
        return None
    from tests.distribution import ByFile

    config.option.loadscopereorder = False  # the number of tests in a file does not tell how long they take
    return ByFile(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):
        from tests.distribution import turn

        items.sort(key=turn)
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="runs only with --slow")
    for item in items:
        if item.get_closest_marker("slow") or item.get_closest_marker("measures"):
            item.add_marker(skip)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    return _only_expected(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    return _only_expected(report)


def _only_expected(report: Report) -> Report:
    """A report as it is, but of a failure where something is skipped that `APET_EXPECT` does not name."""
    if EXPECTED_SKIPS is None or not report.skipped or hasattr(report, "wasxfail"):
        return report

    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if not any(part in reason for part in filter(None, EXPECTED_SKIPS.split(";"))):
        report.outcome = "failed"
        report.longrepr = f"{reason}\n(APET_EXPECT does not name this reason)"
    return report


def pytest_collection_finish() -> None:
    """What lives as long as the process is no garbage: looking for some as often as usual takes a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture
def assert_golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a whole text with a golden file, `assert_golden(path, text)`, or with the message of a bad input.

    With `--update-golden` the file or message is rewritten instead; without it, a missing file is a failure.
    """
    update = bool(request.config.getoption("--update-golden"))

    def check(place: Path | BadInput, text: str) -> None:
        if isinstance(place, BadInput):
            check_block(place, text)
        else:
            check_file(place, text)

    def check_block(bad: BadInput, text: str) -> None:
        if update:
            bad.accept(text)
        _compare(str(bad), bad.message, text)

    def check_file(path: Path, text: str) -> None:
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            return
        if not path.exists():
            pytest.fail(f"{path} does not exist; write it with: pytest --update-golden", pytrace=False)
        _compare(str(path), path.read_text(encoding="utf-8"), text)

    return check


def _compare(name: str, expected: str, text: str) -> None:
    if text != expected:
        lines = unified_diff(expected.splitlines(), text.splitlines(), name, "produced now", lineterm="")
        advice = "the text differs from the golden file (accept it with --update-golden)"
        pytest.fail("\n".join([advice, *lines]), pytrace=False)


@pytest.fixture
def assert_refused(
    assert_golden: Golden, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Refuse:
    """A command answers a bad input with status 2 and its message alone; `folder` holds its files."""
    from apet.cli.main import main

    def check(bad: BadInput, *words: str, folder: str = ".") -> None:
        (tmp_path / folder).mkdir(exist_ok=True)
        bad.write(tmp_path / folder)
        monkeypatch.chdir(tmp_path)
        assert main(list(words)) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert "Traceback" not in captured.err
        said = captured.err.splitlines(keepends=True)  # old spellings work, with a note
        assert_golden(bad, "".join(line for line in said if not line.startswith("note: written anew: ")))

    return check
