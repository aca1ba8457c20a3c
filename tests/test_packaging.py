"""Recipes of other package managers say what pyproject.toml says: version, Python, dependencies with their bounds."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RECIPE = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
SPACK = (ROOT / "packaging/spack/spack_repo/apet/packages/apet/package.py").read_text(encoding="utf-8")
EXTENSION: dict[str, Any] = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
OTHER_NAMES = {"matplotlib": "matplotlib-base"}
"""What conda calls the library without a window system."""
BOUNDS = re.compile(r"([\w-]+)>=([\d.]+),<(\d+)")


def requirements() -> list[tuple[str, str, int]]:
    """Name, least version and first major version that is excluded of what has to be installed, and of the builder."""
    listed = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    matches = [BOUNDS.fullmatch(requirement) for requirement in listed]
    assert all(matches)
    return [(m[1], m[2], int(m[3])) for m in matches if m]


def test_all_recipes_are_of_this_version() -> None:
    version = PROJECT["project"]["version"]
    assert f'version: "{version}"' in RECIPE
    assert f'version("{version}")' in SPACK
    assert f'version: "{version}"' in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert EXTENSION["version"] == version


def test_conda_installs_what_the_project_declares() -> None:
    listed = set(re.findall(r"^    - ([\w-]+) (>=\S+)$", RECIPE, re.MULTILINE))
    wanted = {(OTHER_NAMES.get(name, name), f">={low},<{high}") for name, low, high in requirements()}
    assert listed == {*wanted, ("python", PROJECT["project"]["requires-python"])}


def test_spack_installs_what_the_project_declares() -> None:
    listed = set(re.findall(r'depends_on\("(?:py-([\w-]+)|python)@([^"]+)"', SPACK))
    wanted = {(name, f"{low}:{high - 1}") for name, low, high in requirements()}  # Spack's upper end is included
    assert listed == {*wanted, ("", PROJECT["project"]["requires-python"].removeprefix(">=") + ":")}
