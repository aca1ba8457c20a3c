"""Recipes of other package managers say what pyproject.toml says: version, Python, dependencies with their bounds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from apet.cli.errors import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RECIPE = (ROOT / "packaging" / "conda" / "recipe.yaml").read_text(encoding="utf-8")
SPACK = (ROOT / "packaging/spack/spack_repo/apet/packages/apet/package.py").read_text(encoding="utf-8")
EXTENSION: dict[str, Any] = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
LEFT_OUT = ("matplotlib", "scipy")
"""Libraries that are extras for their size; `apet[full]` has them, as the recipes have."""
OTHER_NAMES = {"matplotlib": "matplotlib-base"}
"""What conda calls the library without a window system."""
BOUNDS = re.compile(r"([\w-]+)>=([\d.]+),<(\d+)")


def requirements() -> list[tuple[str, str, int]]:
    """Name, least version and first major version that is excluded of what has to be installed, and of the builder."""
    extras = PROJECT["project"]["optional-dependencies"]
    full = [*extras["plot"], *extras["scipy"]]
    listed = [*PROJECT["project"]["dependencies"], *full, *PROJECT["build-system"]["requires"]]
    matches = [BOUNDS.fullmatch(requirement) for requirement in listed]
    assert all(matches)
    return [(m[1], m[2], int(m[3])) for m in matches if m]


def test_all_recipes_are_of_this_version() -> None:
    version = PROJECT["project"]["version"]
    assert f'version: "{version}"' in RECIPE
    assert f'version("{version}")' in SPACK
    assert f'version: "{version}"' in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert EXTENSION["version"] == version


def test_the_locked_versions_are_within_the_bounds_of_the_project() -> None:
    """What continuous integration installs is what `pyproject.toml` allows, for every library that is named there."""
    lines = (ROOT / "packaging" / "lock.txt").read_text(encoding="utf-8").splitlines()
    locked: dict[str, list[str]] = {}
    for line in lines:
        name, _, version = line.partition(";")[0].partition("==")
        locked.setdefault(canonicalize_name(name), []).append(version.strip())

    extras = PROJECT["project"]["optional-dependencies"]
    texts = [*PROJECT["project"]["dependencies"]]
    texts += [text for extra, listed in extras.items() if extra not in ("spark", "fuzz") for text in listed]
    needed = [Requirement(text) for text in texts if not text.startswith("apet[")]
    outside = {
        r.name: locked.get(canonicalize_name(r.name))
        for r in needed
        if not any(map(r.specifier.contains, locked.get(canonicalize_name(r.name), [])))
    }
    assert not outside


def test_conda_installs_what_the_project_declares() -> None:
    listed = set(re.findall(r"^    - ([\w-]+) (>=\S+)$", RECIPE, re.MULTILINE))
    wanted = {(OTHER_NAMES.get(name, name), f">={low},<{high}") for name, low, high in requirements()}
    assert listed == {*wanted, ("python", PROJECT["project"]["requires-python"])}


def test_spack_installs_what_the_project_declares() -> None:
    listed = set(re.findall(r'depends_on\("(?:py-([\w-]+)|python)@([^"]+)"', SPACK))
    wanted = {(name, f"{low}:{high - 1}") for name, low, high in requirements()}  # Spack's upper end is included
    assert listed == {*wanted, ("", PROJECT["project"]["requires-python"].removeprefix(">=") + ":")}


def test_a_hint_names_the_extra_that_brings_the_library() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    assert {extra: extras[extra][0].partition(">=")[0] for extra in EXTRAS.values()} == {
        "plot": "matplotlib",
        "scipy": "scipy",
        "editor": "pygls",  # which brings lsprotocol
    }
    assert extras["full"] == ["apet[plot,scipy]"]


WITHOUT = f"""
import sys
sys.modules.update(dict.fromkeys({LEFT_OUT}))
from apet.cli.main import main
sys.exit(main(sys.argv[1:]))
"""
CALLS = {
    "": [
        "predict pi -m zen5-openjdk17 -P 1,2",
        "explain machine-repair -m two-nodes",
        "queue terminals",
        "sweep pi -m zen5-openjdk17 --vary n=1e6,1e7",
        "extrapolate kmeans",
        "trace check ring",
        "trace predict ring --platform samples/traces/cluster.xml",
        "translate samples/java/PiTask.java",
        "compile pi --emit latex",
        "compile servers --emit sympy",
        "report kmeans -o kmeans.html",
    ],
    "matplotlib": ["predict pi -m zen5-openjdk17 --plot pi.svg"],
    "scipy": [
        "explain machine-repair -m two-nodes --sobol 32 --set repair=1..2",
        "trace compile ring --platform samples/traces/cluster.xml",
    ],
}
"""Calls by the library that they need."""


@pytest.mark.parametrize(("library", "words"), [(name, call) for name, calls in CALLS.items() for call in calls])
def test_a_call_works_or_names_the_library_that_it_needs(library: str, words: str, tmp_path: Path) -> None:
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    command = [sys.executable, "-c", WITHOUT, *words.split()]
    done = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == (2 if library else 0), done.stderr
    if library:
        hint = f"install it: pip install 'apet[{EXTRAS[library]}]'"
        assert f"this call needs {library}, which is not installed" in done.stderr
        assert hint in done.stderr


def test_the_recipe_for_conda_renders() -> None:
    rattler = pytest.importorskip("rattler_build", reason="py-rattler-build is not installed")
    (variant,) = rattler.Stage0Recipe.from_file(ROOT / "packaging" / "conda" / "recipe.yaml").render()
    recipe = variant.recipe.to_dict() if hasattr(variant.recipe, "to_dict") else variant.recipe().to_dict()
    assert recipe["package"] == {"name": "apet", "version": PROJECT["project"]["version"]}
    assert (
        len(recipe["requirements"]["run"]) == len(PROJECT["project"]["dependencies"]) + len(LEFT_OUT) + 1
    )  # and Python
