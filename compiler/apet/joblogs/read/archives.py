"""Archives and folders of logs: what the history server gives for download (zip), tar files, and folders with one log.

An archive is unpacked into a temporary folder under new names, so that none of its own names is a path on this machine.
"""

from __future__ import annotations

import lzma
import os
import re
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source
from apet.joblogs import errors
from apet.joblogs.read.containers import FREE_BYTES, HEAD, MOST_TIMES
from apet.joblogs.read.engines import engine_of_file
from apet.joblogs.read.rolled import is_rolled

MOST_MEMBERS = 10_000
MOST_NAMED, MOST_LOOKED_AT, DEEPEST = 6, 1_000, 2
ODD = re.compile(r"[^\w.-]")
# RuntimeError is what zipfile raises for a file with a password, or packed in a way that it does not know
UNREADABLE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, RuntimeError, OSError)
"""What reading an archive may raise."""


def is_archive(path: str) -> bool:
    """Whether a file is a zip or tar file, compressed or not."""
    try:
        return zipfile.is_zipfile(path) or (os.path.isfile(path) and tarfile.is_tarfile(path))
    except UNREADABLE:
        return False


@contextmanager
def opened(path: str) -> Iterator[str]:
    """The log that a file or folder holds: itself, or the only one in it; `ApetError` where there are several or none.
    Of an archive it is there for as long as this is entered."""
    if not is_archive(path):
        yield only_log(path, path)
        return
    folder = tempfile.mkdtemp(prefix="apet-log-")
    try:
        _unpack(path, folder)
        yield only_log(folder, path)
    except ApetError as error:
        raise ApetError([_shown(each, folder, path) for each in error.diagnostics]) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def engine_in_archive(path: str) -> str:
    """What wrote the first log in an archive, by the beginnings of its files; "" if there is none."""
    with tempfile.TemporaryDirectory(prefix="apet-log-") as folder:
        head = os.path.join(folder, "head")
        try:
            for _, content in _members(path):
                with open(head, "wb") as file:
                    file.write(content.read(HEAD))
                if engine := engine_of_file(head):
                    return engine
        except UNREADABLE:
            return ""
    return ""


def _shown(diagnostic: Diagnostic, folder: str, path: str) -> Diagnostic:
    """A diagnostic with the name of the archive instead of where it was unpacked."""
    texts = {name: getattr(diagnostic, name) for name in diagnostic._fields}
    changed: dict[str, object] = {
        n: text.replace(folder, path) for n, text in texts.items() if isinstance(text, str) and folder in text
    }
    if diagnostic.source is not None:
        changed["source"] = Source(diagnostic.source.name.replace(folder, path), diagnostic.source.text)
    return diagnostic.replace(**changed) if changed else diagnostic


def only_log(path: str, shown: str) -> str:
    """The file or folder of rolled parts that is the only log in a folder; `ApetError`."""
    if not os.path.isdir(path) or is_rolled(path):
        return path
    logs = logs_in(path)
    if len(logs) != 1:
        names = [os.path.relpath(log, path) for log in logs[:MOST_NAMED]] + ["…"] * (len(logs) > MOST_NAMED)
        listed = f": {', '.join(names)}" if logs else ""
        raise ApetError(errors.LogsInFolder(None, None, shown, str(len(logs)) if logs else "no", listed))
    return logs[0]


def logs_in(path: str) -> list[str]:
    """The logs in a folder, some levels deep, among the first files there."""
    logs, seen = list[str](), 0
    for folder, folders, files in os.walk(path):
        if os.path.relpath(folder, path).count(os.sep) >= DEEPEST:
            folders.clear()
        rolled = {name for name in folders if is_rolled(os.path.join(folder, name))}
        logs += [os.path.join(folder, name) for name in sorted(rolled)]
        folders[:] = sorted(set(folders) - rolled)
        names = [os.path.join(folder, name) for name in sorted(files)[: MOST_LOOKED_AT - seen]]
        logs += filter(engine_of_file, names)
        seen += len(names)
    return logs


def _unpack(path: str, folder: str) -> None:
    """All members, into folders that are called alike; `ApetError` for what blows up or cannot be unpacked."""
    left = max(FREE_BYTES, MOST_TIMES * os.path.getsize(path))
    try:
        for number, (name, content) in enumerate(_members(path)):
            parts = [ODD.sub("_", part) for part in name.split("/") if part not in ("", ".", "..")]
            target = os.path.join(folder, *parts[:-1][-2:], parts[-1] if parts else "log")
            if number >= MOST_MEMBERS or os.path.exists(target):
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                while piece := content.read(1 << 20):
                    left -= len(piece)
                    if left < 0:
                        raise ApetError(errors.Overblown(None, None, path, MOST_TIMES))
                    file.write(piece)
    except UNREADABLE as error:
        raise ApetError(errors.DamagedLog(None, None, path, str(error))) from None


def _members(path: str) -> Iterator[tuple[str, IO[bytes]]]:
    """Names and contents of the files in an archive."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    with archive.open(info) as content:
                        yield info.filename, content
        return
    with tarfile.open(path) as tar:
        for member in tar:
            extracted = tar.extractfile(member) if member.isreg() else None
            if extracted is not None:
                yield member.name, extracted
