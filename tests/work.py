"""How much work is done, counted and not timed: the same on every machine, whatever else runs there."""

from __future__ import annotations

import os
import runpy
import sys
import tracemalloc
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

SHARE = 20
WHOLE = os.environ.get("APET_CAMPAIGNS") == "whole"


thorough = pytest.mark.skipif(not WHOLE, reason="takes more than ten seconds: runs with `make campaigns`, as in CI")
"""Of tests that a change of their own subject alone is likely to break."""


def campaign(count: int) -> int:
    """How many random cases to try: a twentieth, so that tests stay quick, and all with APET_CAMPAIGNS=whole."""
    return count if WHOLE else count // SHARE


def crossed(*axes: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Each value of every axis in one case at least, and all combinations with APET_CAMPAIGNS=whole."""
    values = [list(axis) for axis in axes]
    if WHOLE:
        return list(product(*values))

    count = max(len(axis) for axis in values)
    return [tuple(axis[k % len(axis)] for axis in values) for k in range(count)]


def calls(act: Callable[[], object]) -> int:
    """How often functions are called by `act`, those written in C included."""
    count = 0

    def observe(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    previous = sys.getprofile()
    sys.setprofile(observe)
    try:
        act()
    finally:
        sys.setprofile(previous)
    return count


def run_source(text: str, folder: Path) -> dict[str, Any]:
    """What a Python text defines when it runs as a script."""
    path = folder / "generated.py"
    path.write_text(text, encoding="utf-8")
    return runpy.run_path(str(path))


def growth(act: Callable[[int], object], size: int) -> float:
    """How many times as many calls `act` makes for twice the size: 2 where its work is in proportion to it."""
    act(size)  # what is loaded or computed only once is so now
    return calls(lambda: act(2 * size)) / calls(lambda: act(size))


def peak_memory(act: Callable[[], object]) -> int:
    """The greatest number of bytes that Python's objects take up at once while `act` runs."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
