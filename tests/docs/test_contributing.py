"""What CONTRIBUTING.md tells a developer to call works, and what it names exists."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.docs.test_docs import ROOT, blocks

PAGE = ROOT / "CONTRIBUTING.md"
TEXT = PAGE.read_text(encoding="utf-8")
FOLDERS = ("compiler", "docs", "editors", "grammar", "machines", "packaging", "samples", "tests")
SOME_TESTS = "tests/ground/test_tools.py"


def _commands() -> Iterator[str]:
    for block in blocks(PAGE.name, TEXT):
        if block.info[0] == "sh":
            yield from filter(None, (line.partition("  #")[0].strip() for line in block.text.splitlines()))


def _done(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("line", dict.fromkeys(_commands()))
def test_a_command_can_be_called(line: str) -> None:
    """Tests are collected by the script that the page calls, targets of `make` are looked up, modules are found."""
    match shlex.split(line):
        case [".venv/bin/pytest", *words]:
            tests = [] if any(word.startswith("tests") for word in words) else [SOME_TESTS]
            _done(str(Path(sys.executable).with_name("pytest")), "--collect-only", "-q", *words, *tests)
        case ["make", *words]:
            _done("make", "-n", *words)
        case [".venv/bin/python", "-m", module, *_]:
            package = find_spec(module)
            assert package is not None
            assert package.submodule_search_locations is None or find_spec(f"{module}.__main__") is not None
        case [".venv/bin/pip", "install", *words]:
            extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
            assert {extra for word in words for extra in re.findall(r"\[(\w+)\]", word)} <= set(extras)
        case ["git", *_]:
            pass
        case _:
            pytest.fail(f"'{line}' is a command that nobody checks")


def test_every_path_on_the_page_exists() -> None:
    named = set(re.findall(rf"`((?:{'|'.join(FOLDERS)})/[\w./-]*\w)`", TEXT)) | set(
        re.findall(r"\]\(([^)#:]+)\)", TEXT)
    )
    named |= {word for line in _commands() for word in line.split() if word.startswith(tuple(f"{f}/" for f in FOLDERS))}
    missing = sorted(name for name in named if not any(ROOT.glob(name)))
    assert named
    assert not missing
