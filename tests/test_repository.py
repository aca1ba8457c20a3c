"""What lies at the top of the repository, and that nothing else does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HIDDEN = {
    *(".ci", ".devcontainer", ".github"),
    *(".editorconfig", ".gitattributes", ".gitignore", ".pre-commit-config.yaml"),
}
FILES = {
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md"),
    *("hatch_build.py", "pyproject.toml"),
}
FOLDERS = {"compiler", "docs", "editors", "grammar", "machines", "packaging", "samples", "tests"}


def _git(*words: str) -> list[str]:
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout of the repository")
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.split("\0")[:-1]


def test_the_root_holds_what_is_listed_here_and_nothing_else() -> None:
    assert {path.partition("/")[0] for path in _git("ls-files", "-z")} == HIDDEN | FILES | FOLDERS


def test_nothing_that_tools_leave_behind_is_kept() -> None:
    """What `.gitignore` names is in no commit, such as reports of crashes that were added with everything else."""
    assert _git("ls-files", "-z", "--cached", "--ignored", "--exclude-standard") == []


@pytest.mark.parametrize("page", ["tests/README.md", "tests/data/README.md"])
def test_every_folder_has_its_row_on_the_map(page: str) -> None:
    """A folder of tests says what belongs there, a folder of data where it comes from."""
    folder = (ROOT / page).parent
    named = set(re.findall(r"`([\w-]+)`", (ROOT / page).read_text(encoding="utf-8")))
    held = {Path(path).relative_to(folder.relative_to(ROOT)).parts[0] for path in _git("ls-files", "-z", str(folder))}
    assert {name for name in held if (folder / name).is_dir()} <= named
