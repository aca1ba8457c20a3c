"""Checks what a release would publish: `python -m tests.release dist`, or `make release`.

Every wheel holds the package, its data and one library, and names the version of the project; the one of this host
is installed into a fresh environment and predicts a sample there; what it brought is listed in `apet.cdx.json`.
Exit status 1 with a line for each problem.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("apet/__init__.py", "apet/__main__.py", "apet/py.typed", "apet/_data/samples/pamela/pi.pam")
LIBRARIES = (".so", ".dylib", ".dll")
MOST_MB = 5


def problems(folder: Path) -> Iterator[str]:
    """What is wrong with the wheels and the source distribution of a folder."""
    version = str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    wheels = sorted(folder.glob("*.whl"))
    if not wheels:
        yield f"{folder}: no wheels"
    if not list(folder.glob(f"apet-{version}.tar.gz")):
        yield f"{folder}: no source distribution of version {version}"
    if f"## [{version}]" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        yield f"CHANGELOG.md has no section {version}"
    if f'version: "{version}"' not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        yield f"CITATION.cff is not of version {version}"

    for wheel in wheels:
        yield from (f"{wheel.name}: {problem}" for problem in wheel_problems(wheel, version))


def wheel_problems(wheel: Path, version: str) -> Iterator[str]:
    """What is wrong with one wheel."""
    if wheel.stat().st_size > MOST_MB * 10**6:
        yield f"larger than {MOST_MB} MB"
    if wheel.name.endswith("-any.whl"):
        yield "it is for any platform, but holds a library"

    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = Parser().parsestr(archive.read(f"apet-{version}.dist-info/METADATA").decode("utf-8"))
    yield from (f"lacks {name}" for name in NEEDED if name not in names)
    if metadata["Version"] != version or not metadata["License-Expression"]:
        yield "its metadata lack the version or the licence"
    if len([name for name in names if name.startswith("apet/core/") and name.endswith(LIBRARIES)]) != 1:
        yield "it does not hold exactly one library"
    sources = [name for name in names if name.startswith("apet/core/") and name.endswith((".c", ".h"))]
    if stray := [*sources, *(name for name in names if name.endswith(".pyc"))]:
        yield f"it holds {stray[0]}"


def installs(wheel: Path, bill: Path) -> bool:
    """Whether a wheel installs with its dependencies and predicts a sample; writes what was installed into `bill`.

    The bill of materials is CycloneDX in JSON: name, version and licence of each library that comes with APET.
    """
    with tempfile.TemporaryDirectory() as home:
        venv.create(home, with_pip=True)
        python = Path(home) / "bin" / "python"
        install: list[str | Path] = [
            python,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            wheel.resolve(),
        ]
        predict: list[str | Path] = [python, "-m", "apet", "predict", "pi", "--machines", "join-2005", "--quiet"]
        listed: list[str | Path] = [
            sys.executable,
            "-m",
            "cyclonedx_py",
            "environment",
            python,
            "--output-file",
            bill.resolve(),
        ]
        return all(
            subprocess.run(command, cwd=home, check=False).returncode == 0 for command in (install, predict, listed)
        )


def for_this_platform(folder: Path) -> Path | None:
    """The wheel that pip would choose here, if there is one."""
    from packaging.tags import sys_tags
    from packaging.utils import parse_wheel_filename

    tags = set(sys_tags())
    return next((w for w in sorted(folder.glob("*.whl")) if tags & parse_wheel_filename(w.name)[3]), None)


def main(folder: Path) -> int:
    """Print every problem; 1 if there is one."""
    lines = list(problems(folder))
    wheel = for_this_platform(folder)
    if wheel is None or not installs(wheel, folder / "apet.cdx.json"):
        lines.append("no wheel installs and predicts on this platform")
    print("\n".join(lines) or f"{folder}: ready")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
