"""Laws of the boundary between Python and the C core: nothing is passed that the core does not expect."""

from __future__ import annotations

import ctypes
import re
from array import array
from pathlib import Path

import numpy
import pytest

from apet.core import Struct, boundary, library, structure
from apet.core.boundary import CoreMissing, constants
from apet.ground.diagnostics import ApetError
from apet.traces.replay import engine, program

SOURCES = Path(boundary.__file__).parent
BOUNDARY = (SOURCES / "boundary.h").read_text(encoding="utf-8")


def test_the_library_is_not_older_than_its_sources() -> None:
    newest = max(path.stat().st_mtime for path in SOURCES.glob("*.[ch]"))
    assert boundary.FILE.stat().st_mtime >= newest, "make core"


@pytest.mark.parametrize("name", re.findall(r"^SHARED\((\w+)", BOUNDARY, re.MULTILINE))
def test_a_structure_has_the_fields_of_the_header(name: str) -> None:
    """`structure` itself compares its size with that of the compiler."""
    body = re.sub(r"/\*.*?\*/", "", BOUNDARY.split(f"SHARED({name},")[1].split("\n)")[0], flags=re.DOTALL)
    words = re.findall(r"(\w+)(?=[,;])", body)
    assert [field[0] for field in structure(name)._fields_] == words


@pytest.mark.parametrize("name", re.findall(r"^FUNCTION\([^,]+, (\w+)", BOUNDARY, re.MULTILINE))
def test_a_function_takes_what_the_header_says(name: str) -> None:
    arguments = BOUNDARY.split(f" {name}, ")[1].split(")\n")[0].split(",")
    assert len(getattr(library(), name).argtypes) == len(arguments)


def test_both_sides_count_with_the_same_numbers() -> None:
    mine = {name: getattr(place, name) for place in (program, engine) for name in constants() if hasattr(place, name)}
    assert mine == constants()


@pytest.mark.parametrize(
    "value", [array("d", [1.0]), array("i", [1]), numpy.zeros(3, numpy.int32), numpy.zeros((4, 4), numpy.int64)[:, 0]]
)
def test_an_array_of_another_kind_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="the core takes"):
        Struct("Programs", lengths=value)
    with pytest.raises(ctypes.ArgumentError):
        library().apet_ends(Struct("Programs"), value)


def test_a_structure_of_another_kind_is_refused() -> None:
    with pytest.raises(ctypes.ArgumentError):
        library().apet_ends(Struct("Held"), array("q", [0]))


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(KeyError):
        Struct("Programs", rank=1)


def test_without_its_library_apet_says_how_to_build_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("apet.core.boundary.FILE", tmp_path / boundary.FILE.name)
    library.cache_clear()
    try:
        with pytest.raises(ApetError, match="not built") as caught:
            library()
    finally:
        library.cache_clear()
    assert isinstance(caught.value.diagnostics[0], CoreMissing)
    assert "make core" in caught.value.diagnostics[0].advice
