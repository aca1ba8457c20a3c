"""The sources of the JDK translate: no crash, and every model compiles.

`--slow` runs 3,000 files; the usual run takes a few. Without a `src.zip` (Debian: openjdk-17-source) nothing is run.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java import translate
from apet.java.parse.reading import read_unit

FOLDERS = (os.environ.get("JAVA_HOME", ""), *map(str, Path("/usr/lib/jvm").glob("*")))
ARCHIVE = next((p for f in FOLDERS if f and (p := Path(f, "lib", "src.zip")).is_file()), None)
LONGEST = 4_000_000
"""Characters of the largest model: what follows from the bound on operations."""
pytestmark = pytest.mark.skipif(ARCHIVE is None, reason="no sources of a JDK are installed (openjdk-17-source)")


def files(most: int, seed: int) -> Iterator[tuple[str, str]]:
    """Names and texts, drawn by chance."""
    assert ARCHIVE is not None
    with ZipFile(ARCHIVE) as archive:
        names = sorted(n for n in archive.namelist() if n.endswith(".java"))
        for name in random.Random(seed).sample(names, min(most, len(names))):
            yield name, archive.read(name).decode()


def check(most: int, seed: int, level: str, parser: str = "auto") -> int:
    """Translate a method of each file and compile the model; how many there were."""
    chosen, done = random.Random(seed), 0
    for name, text in files(most, seed):
        source = Source(name.rpartition("/")[2], text)
        try:
            methods = [m for c in read_unit(source, parser).classes for m in (*c.methods, *c.constructors)]
        except ApetError:
            continue
        bodies = [m for m in methods if m.body is not None]
        if not bodies:
            continue
        wanted = chosen.choice(bodies).title
        try:
            made = translate(source, wanted, level, parser).text
        except ApetError as error:
            if "several methods could be the entry" not in str(error):
                raise AssertionError(f"{name}: {wanted}: {error}") from None
            continue
        assert len(made) < LONGEST, f"{name}: {wanted}"
        try:
            apet.compile_text(made)
        except ApetError as error:
            raise AssertionError(f"{name}: {wanted}: {error}") from None
        done += 1
    return done


@pytest.mark.parametrize("level", ["flat", "core"])
def test_methods_of_the_jdk_translate_and_compile(level: str) -> None:
    assert check(15, 1, level) > 5


def test_methods_of_the_jdk_translate_by_way_of_javalang() -> None:
    assert check(10, 2, "flat", "javalang") > 2


@pytest.mark.slow
@pytest.mark.parametrize("level", ["flat", "core"])
def test_three_thousand_files_of_the_jdk_translate_and_compile(level: str) -> None:
    assert check(3_000, 3, level) > 1_500
