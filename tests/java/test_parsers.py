"""Which parser reads which sample: tree-sitter all of them, javalang those of Java 8, and both see the same classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_source
from apet.java.parse.reading import read_unit

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.java"))
NEWER = {"OrdersTask.java", "Shop.java"}
"""Samples of newer Java, which javalang refuses."""


def heads(path: Path, parser: str) -> list[tuple[str, list[str]]]:
    """The classes of a file with the titles of their methods."""
    unit = read_unit(read_source(str(path)), parser)
    return [(c.name, sorted(m.title for m in (*c.methods, *c.constructors))) for c in unit.classes]


def test_both_parsers_see_the_same_classes_of_all_samples_that_both_read() -> None:
    refused = set()
    for path in SAMPLES:
        first = heads(path, "tree-sitter")
        assert heads(path, "auto") == first
        try:
            assert heads(path, "javalang") == first, path.name
        except ApetError:
            refused.add(path.name)
    assert refused == NEWER
