"""Logs in archives and folders, with a byte order mark, and packed as a library is needed for."""

from __future__ import annotations

import gzip
import io
import lzma
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from tests.joblogs.test_readers import DATA, _facts, plain

from apet.api.kinds import JOBS, kind_of
from apet.ground.diagnostics import ApetError
from apet.joblogs.job_log import JobLog
from apet.joblogs.read import read_job_log

__all__ = ("plain",)


def _packed(path: Path, content: bytes, kind: str) -> None:
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("eventLogs-app-1", content)
        return
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        info = tarfile.TarInfo("../app/../app-1")
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
    packed = plain.getvalue()
    path.write_bytes(gzip.compress(packed) if kind == "gz" else lzma.compress(packed) if kind == "xz" else packed)


@pytest.mark.parametrize("kind", ["zip", "", "gz", "xz"])
def test_the_log_in_an_archive_is_read_and_nothing_is_left_of_it(kind: str, tmp_path: Path, plain: JobLog) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder" / "download"
    _packed(path, DATA, kind)
    before = set(Path(tempfile.gettempdir()).glob("apet-log-*"))
    assert _facts(read_job_log(path)) == _facts(plain)
    assert set(Path(tempfile.gettempdir()).glob("apet-log-*")) <= before
    assert [each.name for each in path.parent.iterdir()] == ["download"]


def test_of_a_folder_the_only_log_is_read_and_several_are_named(tmp_path: Path, plain: JobLog) -> None:
    (tmp_path / "logs" / "below").mkdir(parents=True)
    (tmp_path / "logs" / "below" / "app-1").write_bytes(DATA)
    (tmp_path / "logs" / "readme.txt").write_text("logs", encoding="utf-8")
    assert _facts(read_job_log(tmp_path / "logs")) == _facts(plain)

    (tmp_path / "logs" / "app-2").write_bytes(DATA)
    with pytest.raises(ApetError, match="holds 2 logs of jobs"):
        read_job_log(tmp_path / "logs")


def test_a_byte_order_mark_is_no_part_of_a_log(tmp_path: Path, plain: JobLog) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"\xef\xbb\xbf" + DATA)
    assert _facts(read_job_log(path)) == _facts(plain)


def test_a_log_that_needs_a_library_says_which(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)
    path = tmp_path / "log"
    path.write_bytes(b"LZ4Block" + bytes(100))
    with pytest.raises(ApetError, match="compressed with LZ4, which needs a library"):
        read_job_log(path)


@pytest.mark.parametrize("kind", ["zip", "", "gz", "xz"])
def test_the_kind_of_an_archive_is_that_of_its_log(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "download"
    _packed(path, DATA, kind)
    assert kind_of(path) == JOBS
    _packed(path, b"L = delay(1);", kind)
    assert kind_of(path) != JOBS


def test_a_mistake_in_an_archive_is_told_by_the_name_of_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "tasks.zip"
    _packed(path, b"task,start,end,after\na,5,1,\n", "zip")
    with pytest.raises(ApetError) as refused:
        read_job_log(path)
    assert f"{path}/eventLogs-app-1:2:1: error: this task ends before it starts" in str(refused.value)


def test_an_archive_that_blows_up_or_is_broken_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    _packed(path, DATA + bytes(1 << 24), "zip")
    with pytest.raises(ApetError, match="unpacks to more than"):
        read_job_log(path)

    path.write_bytes(gzip.compress(b"a" * 512 + bytes(1 << 16))[:40])
    with pytest.raises(ApetError):
        read_job_log(path)
