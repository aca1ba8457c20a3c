"""Files that are no models, are very long, or cannot be read."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest
from tests.robustness.inputs import GOOD, refusal, written
from tests.work import calls

import apet


@pytest.mark.parametrize(
    ("data", "offset"),
    [(b"\x7fELF\x02\x01\xff\xfe", 6), (GOOD.encode("utf-16"), 0), (b"L = a[1]; // caf\xe9\n", 16), (b"L = a\0[1];", 5)],
)
def test_a_file_that_is_no_text_is_refused_with_the_byte(tmp_path: Path, data: bytes, offset: int) -> None:
    message = refusal(lambda: apet.compile(written(tmp_path, data)))
    kind = "text: it has a null byte" if data.startswith(b"L = a\0") else "UTF-8 text"
    assert f"model.pam is not a {kind} (byte {offset})" in message


@pytest.mark.parametrize("data", [GOOD.encode("utf-8-sig"), GOOD.replace("\n", "\r\n").encode(), GOOD.encode()])
def test_a_byte_order_mark_and_either_line_end_are_accepted(tmp_path: Path, data: bytes) -> None:
    assert str(apet.compile(written(tmp_path, data)).T0) == str(apet.compile_text(GOOD).T0)


def test_columns_count_alike_with_either_line_end(tmp_path: Path) -> None:
    texts = [f"param n;{end}L = seq (i = 1, m) a[1];{end}" for end in ("\n", "\r\n")]
    plain, carriage = (refusal(partial(apet.compile, written(tmp_path, text.encode()))) for text in texts)
    assert plain == carriage


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert "is a directory" in refusal(lambda: apet.compile(tmp_path))


def test_a_missing_file_is_refused_and_its_neighbours_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.encode())
    message = refusal(lambda: apet.compile(path.with_name("modle.pam")))
    assert "no such file" in message
    assert "model.pam" in message


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.encode())
    path.chmod(0)
    assert "permission denied" in refusal(lambda: apet.compile(path))


def test_a_comment_of_ten_megabytes_is_no_obstacle(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.encode() + b"/*" + b" * " * 3_500_000 + b"*/\n")
    assert str(apet.compile(path).T0) == str(apet.compile_text(GOOD).T0)


def test_a_name_of_ten_megabytes_is_shown_in_part(tmp_path: Path) -> None:
    message = refusal(lambda: apet.compile(written(tmp_path, b"L = " + b"x" * 10_000_000 + b" y;")))
    excerpt = message.splitlines()[1]
    assert len(excerpt) < 200


@pytest.mark.parametrize("line", ["(" * 10_000_000, "L = a[1]; " + "= " * 5_000_000, "/* " * 3_000_000])
def test_a_wrong_line_of_ten_megabytes_is_refused_at_its_first_mistake(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, line.encode())
    assert calls(lambda: refusal(lambda: apet.compile(path))) < 100_000


@pytest.mark.slow
def test_a_model_of_ten_megabytes_compiles(tmp_path: Path) -> None:
    line = "    seq (i = 1, 10) sum_int[1]; mpy_int[2];\n"
    count = 10_000_000 // len(line) + 1
    app = apet.compile(written(tmp_path, ("L = {\n" + line * count + "};\n").encode()))
    assert str(app.T["cpu[1]"]) == f"{10 * count} t_sum_int[1]"
