"""Numbers are written with the digits 0 to 9, and a text holds no null byte."""

from __future__ import annotations

from pathlib import Path

import pytest

import apet
from apet.ground.diagnostics import ApetError


@pytest.mark.parametrize("number", ["٣", "1٣", "1.٣", "1e٣"])
def test_other_digits_are_no_numbers(number: str) -> None:
    with pytest.raises(ApetError, match="<text>:1:1"):
        apet.compile_text(f"L = delay({number});")


def test_a_null_byte_is_named(tmp_path: Path) -> None:
    path = tmp_path / "null.pam"
    path.write_bytes("L = delay(1); // ä\0\n".encode())
    with pytest.raises(ApetError, match=r"is not a text: it has a null byte \(byte 19\)"):
        apet.compile(path)
