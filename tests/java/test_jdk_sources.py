"""The sources of the JDK translate: no crash, and every model passes the check and predicts.

`--slow` runs 500 files; the usual run takes a few. Without a `src.zip` (Debian: openjdk-17-source) nothing is run.
"""

from __future__ import annotations

import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from tests.java.campaign.campaign import drawn, run

from apet.ground.resources import located
from apet.machine import load_machines

FOLDERS = (os.environ.get("JAVA_HOME", ""), *map(str, Path("/usr/lib/jvm").glob("*")))
ARCHIVE = next((p for f in FOLDERS if f and (p := Path(f, "lib", "src.zip")).is_file()), None)
MACHINES = load_machines(located("zen5-openjdk17"))
pytestmark = pytest.mark.skipif(ARCHIVE is None, reason="no sources of a JDK are installed (openjdk-17-source)")


def check(folder: Path, most: int, seed: int, level: str, parser: str = "auto") -> int:
    """Translate a method of each of so many files, drawn by chance; how many there were."""
    assert ARCHIVE is not None
    with ZipFile(ARCHIVE) as archive:
        names = drawn(sorted(n for n in archive.namelist() if n.endswith(".java")), most, seed)
        paths = [archive.extract(name, folder) for name in names]
    counts = run(paths, MACHINES, level, 1, seed, parser)
    assert not counts.broken, counts.reasons
    return counts.kinds.total()


@pytest.mark.parametrize("level", ["flat", "core"])
def test_methods_of_the_jdk_translate_and_predict(tmp_path: Path, level: str) -> None:
    assert check(tmp_path, 15, 1, level) > 5


def test_methods_of_the_jdk_translate_by_way_of_javalang(tmp_path: Path) -> None:
    assert check(tmp_path, 10, 2, "flat", "javalang") > 2


@pytest.mark.slow
@pytest.mark.parametrize("level", ["flat", "core"])
def test_hundreds_of_files_of_the_jdk_translate_and_predict(tmp_path: Path, level: str) -> None:
    assert check(tmp_path, 500, 3, level) > 250
