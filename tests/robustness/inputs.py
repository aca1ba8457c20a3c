"""What tests of input that nobody meant share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import apet

GOOD = "param n = 3;\nL = seq (i = 1, n) sum_int[1];\n"


def refusal(act: Callable[[], object]) -> str:
    """The message of what is refused."""
    with pytest.raises(apet.ApetError) as caught:
        act()
    return str(caught.value)


def written(folder: Path, data: bytes) -> Path:
    """A file of a model."""
    path = folder / "model.pam"
    path.write_bytes(data)
    return path


def t0(text: str, **values: int | Fraction) -> object:
    """The value of T0 of a model."""
    return apet.compile_text(text).T0.evaluate(values)
