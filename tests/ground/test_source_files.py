"""Laws of reading files: what has no end is refused at a limit, whoever reads it."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from apet import api
from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_bytes, read_source, read_stream
from apet.queueing.read import read_queue
from apet.runs.read import read_runs

ENDLESS = "/dev/zero"
READERS: list[Callable[[str], object]] = [
    api.compile,
    api.load_machines,
    api.read_platform,
    api.read_trace,
    api.check_trace,
    read_queue,
    read_runs,
]


@pytest.mark.skipif(not os.path.exists(ENDLESS), reason="needs a device without end")
@pytest.mark.parametrize("read", READERS)
def test_a_device_without_end_is_refused(read: Callable[[str], object]) -> None:
    with pytest.raises(ApetError, match=r"is larger than 256 MiB|is no regular file"):
        read(ENDLESS)


@pytest.mark.skipif(not os.path.exists(ENDLESS), reason="needs a device without end")
def test_a_list_of_traces_may_name_no_device(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text(f"{ENDLESS}\n", encoding="utf-8")
    with pytest.raises(ApetError, match="is no regular file"):
        api.check_trace(path)


def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("L = a[1];\n",))
    writer.start()
    assert read_source(path).text == "L = a[1];\n"
    writer.join()


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"1234")
    assert read_bytes(path, 4) == b"1234"
    with pytest.raises(ApetError, match="is larger than 0 MiB"):
        read_bytes(path, 3)


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "trace.txt"
    path.write_text("0 init\n0 compute " + "1" * (1 << 25), encoding="utf-8")
    with pytest.raises(ApetError, match="line 2 is longer than"):
        api.read_trace(path)


def test_a_stream_has_the_same_limit() -> None:
    assert read_stream("standard input", io.BytesIO(b"1234"), most=4) == b"1234"
    with pytest.raises(ApetError, match="standard input is larger than"):
        read_stream("standard input", io.BytesIO(b"12345"), most=4)
