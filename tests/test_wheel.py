"""What is published works: the wheel and the source archive hold what they should, and the wheel predicts anywhere."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from apet.core.boundary import FILE

ROOT = Path(__file__).resolve().parents[1]


def _run(command: Sequence[str | Path], cwd: Path, path: Path | None = None) -> str:
    """What a command prints; `path` is the only folder in which it finds others."""
    environment = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "PYTHONHOME", "CC"}}
    environment |= {} if path is None else {"PATH": str(path)}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one wheel and one source archive, built without network where there is a C compiler."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    out = tmp_path_factory.mktemp("dist")
    isolation = ["--no-isolation"] if shutil.which("cc") else []  # without a compiler, building asks for one
    build: list[str | Path] = [sys.executable, "-m", "build", *isolation, "--outdir", out]
    _run([*build, "--wheel", ROOT], out)
    _run([*build, "--sdist", ROOT], out)
    return out


@pytest.fixture(scope="module")
def clean(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel in it; the dependencies come from the running one, after its own."""
    home = tmp_path_factory.mktemp("clean")
    _run([sys.executable, "-m", "venv", "--without-pip", home], home)
    (wheel,) = built.glob("*.whl")
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", home / "bin" / "python", "install", "--quiet"]
    _run([*pip, "--no-deps", "--no-index", "--disable-pip-version-check", wheel], home)
    # A folder named in a .pth comes later on the path and its own .pth files are not read: an editable apet stays out.
    (_site(home) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home


def _site(home: Path) -> Path:
    (site,) = (home / "lib").glob("python3*/site-packages")
    return site


def _members(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_package_and_every_data_file(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    expected = {
        f"apet/_data/{p.relative_to(ROOT).as_posix()}"
        for folder in ("grammar", "machines", "samples")
        for p in (ROOT / folder).rglob("*")
        if p.is_file() and not p.name.startswith(".") and p.suffix != ".class"
    }
    members = _members(wheel)
    assert {"apet/__init__.py", "apet/py.typed", "apet/_data/samples/pamela/pi.pam"} <= members
    assert expected <= members


def test_the_wheel_is_for_this_platform_and_any_python_3(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name.startswith(f"apet-{_version()}-py3-none-")
    assert not wheel.name.endswith("-any.whl")


def test_the_wheel_holds_the_core_as_a_library_without_its_sources(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    core = {name.removeprefix("apet/core/") for name in _members(wheel) if name.startswith("apet/core/")}
    assert core == {"__init__.py", "boundary.py", FILE.name}


def test_the_wheel_holds_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    tops = {name.split("/")[0] for name in _members(wheel)}
    assert tops == {"apet", f"apet-{_version()}.dist-info"}
    assert not [name for name in _members(wheel) if "tests" in name.split("/") or "__pycache__" in name]


def test_the_wheel_passes_the_checks_of_a_release(built: Path) -> None:
    checks = runpy.run_path(str(ROOT / "tests" / "release.py"))
    assert not list(checks["problems"](built))


def test_the_source_archive_holds_what_building_needs(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        names = {name.partition("/")[2] for name in files.getnames()}
    assert {"pyproject.toml", "README.md", "LICENSE", "compiler/apet/__init__.py"} <= names
    assert not [name for name in names if name.startswith("tests/")]  # they run in a checkout
    assert {"hatch_build.py", "compiler/apet/core/boundary.h", "compiler/apet/core/replay.c"} <= names
    assert f"compiler/apet/core/{FILE.name}" not in names
    assert {"grammar", "machines", "samples"} <= {name.split("/")[0] for name in names}


def test_the_installed_wheel_is_the_apet_that_is_imported(clean: Path, tmp_path: Path) -> None:
    where = _run([clean / "bin" / "python", "-c", "import apet; print(apet.__file__)"], tmp_path)
    assert Path(where.strip()).is_relative_to(clean)


def test_the_installed_wheel_knows_its_version(clean: Path, tmp_path: Path) -> None:
    assert _version() in _run([clean / "bin" / "apet", "--version"], tmp_path)


def test_the_installed_wheel_predicts_its_sample_from_another_directory(clean: Path, tmp_path: Path) -> None:
    model = _site(clean) / "apet" / "_data" / "samples" / "pamela" / "pi.pam"
    options = ["--machines", "join-2005", "-P", "2,4", "--json"]
    answer = json.loads(_run([clean / "bin" / "apet", "predict", model, *options], tmp_path, clean / "bin"))
    assert answer["apet"] == _version()
    assert answer["unit"] == "s"
    assert answer["model"].endswith("pi.pam")
    assert {"T0", "T"} <= answer["formulas"].keys()
    assert [p["parameters"]["P"] for p in answer["predictions"]] == [2, 4]
    for prediction in answer["predictions"]:
        _check_prediction(prediction)


@pytest.mark.parametrize(("verb", "key"), [("replay", "makespan_s"), ("predict", "lower_s")])
def test_the_installed_wheel_runs_traces_where_there_is_no_compiler(
    clean: Path, tmp_path: Path, verb: str, key: str
) -> None:
    trace, platform = (_site(clean) / "apet" / "_data" / "samples" / "traces" / n for n in ("ring.txt", "cluster.xml"))
    words: list[str | Path] = [clean / "bin" / "apet", "trace", verb, trace, "--platform", platform, "--json"]
    answer = json.loads(_run(words, tmp_path, clean / "bin"))
    assert answer[key] > 0


@pytest.mark.slow
def test_the_source_archive_installs_where_there_is_no_compiler(built: Path, tmp_path: Path) -> None:
    """With the C compiler of `ziglang`, which the build asks for; needs the network."""
    (archive,) = built.glob("*.tar.gz")
    _run([sys.executable, "-m", "venv", tmp_path / "fresh"], tmp_path)
    programs = tmp_path / "fresh" / "bin"
    _run([programs / "python", "-m", "pip", "install", "--quiet", "--no-deps", archive], tmp_path, programs)
    assert list((tmp_path / "fresh").rglob(FILE.name))


def _check_prediction(prediction: dict[str, Any]) -> None:
    lower, upper, estimate = prediction["lower"], prediction["upper"], prediction["estimate"]
    for end in ("tmin", "tmax"):
        assert 0 < lower[end] <= upper[end]
        assert estimate[end] <= upper[end] * (1 + 1e-9)
    guaranteed = prediction["guaranteed"]
    assert guaranteed["tmin"] <= lower["tmin"] <= guaranteed["tmin"] * (1 + 1e-15)
    assert guaranteed["tmax"] * (1 - 1e-15) <= upper["tmax"] <= guaranteed["tmax"]
    assert isinstance(prediction["exact"], bool)
    assert prediction["dominant"].keys() == {"tmin", "tmax"}


def _version() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])
