"""The parts of a sweep on disk, until they are joined to its file.

Beside `F` lies the folder `F.parts` with `sweep.json` (what is swept, and its fingerprint) and one file per finished
chunk. A part begins with a line of JSON (its length, checksum and digest); it is written beside its name, synced and
renamed, so that a part under its name is whole. When all are there they are joined in order into a file of that folder,
which is synced and renamed to `F`. Whenever the process is killed, only unfinished parts are lost.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import IO, Any, Protocol

from apet.ground.diagnostics import ApetError
from apet.ground.posix import need_posix
from apet.ground.whole_files import like, sync
from apet.questions.sweep.errors import CannotStore, InUse, NotOurs, OtherSweep, Unfinished
from apet.questions.sweep.front import NOTHING, Digest, merged
from apet.questions.sweep.task import TableTask

MANIFEST, JOINED, TEMPORARY = "sweep.json", "joined", ".tmp"
PART = re.compile(r"part-(\d{9,})")
PARTIAL = re.compile(r"(part-\d{9,}|sweep\.json|joined)\.tmp")
FULL = "free some space or choose another place; finished parts are kept: go on with --resume"


class Assembler(Protocol):
    """Joins encoded chunks, given in order, to a file."""

    def add(self, payload: bytes) -> None:
        """The next chunk."""

    def close(self) -> None:
        """After the last chunk."""


class Store:
    """The parts of one sweep. Between `open` and `close` no other process can open it."""

    def __init__(self, task: TableTask, path: str) -> None:
        self.task = task
        self.path = os.path.realpath(path)
        self.shown = f"{path}.parts"
        self.folder = f"{self.path}.parts"
        self._lock: int | None = None

    def open(self, resume: bool) -> tuple[set[int], Digest]:
        """Begin, or go on where an earlier sweep ended: the chunks that are there, and their digest.

        `ApetError` where the folder holds an unfinished sweep and `resume` is not given, another sweep, or no sweep.
        """
        if os.path.lexists(self.folder) and not os.path.isdir(self.folder):
            raise ApetError(NotOurs(None, None, self.shown))

        with self._writing(self.folder):
            os.makedirs(self.folder, exist_ok=True)
            self._hold()

        manifest = self._manifest()
        finished = self._numbers()
        if not finished:
            self._write(MANIFEST, json.dumps(self._own_manifest(), indent=1).encode())
            return set(), NOTHING
        if manifest["fingerprint"] != self.task.fingerprint:
            raise ApetError(OtherSweep(None, None, self.shown, _differences(self._own_manifest(), manifest)))
        if not resume:
            progress = f"{len(finished):,}", f"{self.task.space.chunks:,}"
            raise ApetError(Unfinished(None, None, self.shown, *progress))
        return self._verified(finished)

    def close(self) -> None:
        """Let others go on. A folder without any part is removed."""
        if self._lock is None:
            return
        if os.path.isdir(self.folder) and not self._numbers():
            self._clear()
        os.close(self._lock)
        self._lock = None

    def put(self, chunk: int, payload: bytes, digest: Digest) -> None:
        """Keep a finished chunk for good."""
        text = json.dumps(digest.plain())
        head = {"bytes": len(payload), "blake2b": _checksum(text, payload), "digest": json.loads(text)}
        self._write(_name(chunk), json.dumps(head).encode() + b"\n" + payload)

    def join(self, assembler: Callable[[TableTask, IO[bytes]], Assembler]) -> None:
        """Make the file of all parts, then forget them."""
        joined = os.path.join(self.folder, JOINED + TEMPORARY)
        with self._writing(self.path):
            with open(joined, "wb") as file:
                whole = assembler(self.task, file)
                for chunk in range(self.task.space.chunks):
                    whole.add(self._payload(chunk))
                whole.close()
            like(joined, self.path)
            sync(joined)
            os.replace(joined, self.path)
            sync(os.path.dirname(self.path))

        self._clear()

    def _clear(self) -> None:
        """Remove what APET put into the folder, what says so last, and the folder if nothing else is in it."""
        with contextlib.suppress(OSError):
            ours = [n for n in os.listdir(self.folder) if PARTIAL.fullmatch(n) or PART.fullmatch(n)]
            for name in (*ours, MANIFEST):
                os.unlink(os.path.join(self.folder, name))
            os.rmdir(self.folder)

    # Reading

    def _payload(self, chunk: int) -> bytes:
        part = self._read(chunk)
        if part is None:
            with contextlib.suppress(OSError):
                os.unlink(os.path.join(self.folder, _name(chunk)))
            reason = f"part {chunk + 1} is damaged"
            raise ApetError(CannotStore(None, None, self.shown, reason, "it is computed again with --resume"))
        return part[0]

    def _read(self, chunk: int) -> tuple[bytes, Digest] | None:
        """A part, or None if it is not what was written."""
        try:
            with open(os.path.join(self.folder, _name(chunk)), "rb") as file:
                head = json.loads(file.readline())
                payload = file.read()

            # a part that was cut off or altered is computed again rather than believed
            digest_text = json.dumps(head["digest"])
            if len(payload) == head["bytes"] and _checksum(digest_text, payload) == head["blake2b"]:
                return payload, Digest.of_plain(head["digest"])
        except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError):
            pass
        return None

    def _verified(self, numbers: list[int]) -> tuple[set[int], Digest]:
        """The parts that are whole; others are removed."""
        parts, digest = set(), NOTHING
        for chunk in numbers:
            part = self._read(chunk)
            if part is None or chunk >= self.task.space.chunks:
                os.unlink(os.path.join(self.folder, _name(chunk)))
            else:
                parts.add(chunk)
                digest = merged(digest, part[1])
        return parts, digest

    def _numbers(self) -> list[int]:
        """The chunks that have a part, in order."""
        return sorted(int(m[1]) for m in map(PART.fullmatch, os.listdir(self.folder)) if m)

    def _manifest(self) -> dict[str, Any]:
        """What the folder holds; temporary files are removed. `ApetError` where it holds something else."""
        names = os.listdir(self.folder)
        temporary = [n for n in names if PARTIAL.fullmatch(n)]
        strange = [n for n in names if n != MANIFEST and not PART.fullmatch(n) and n not in temporary]
        if strange or (MANIFEST not in names and len(names) > len(temporary)):
            raise ApetError(NotOurs(None, None, self.shown))

        for name in temporary:
            os.unlink(os.path.join(self.folder, name))
        try:
            with open(os.path.join(self.folder, MANIFEST), "rb") as file:
                manifest = json.load(file)
            whole = isinstance(manifest, dict) and isinstance(manifest.get("is"), dict) and "fingerprint" in manifest
        except (OSError, ValueError, RecursionError):
            whole = False
        return manifest if whole else {"fingerprint": None, "is": {}}

    def _own_manifest(self) -> dict[str, Any]:
        return {"fingerprint": self.task.fingerprint, "is": self.task.parts_of_identity()}

    # Writing

    def _write(self, name: str, data: bytes) -> None:
        target = os.path.join(self.folder, name)
        with self._writing(target):
            try:
                with open(target + TEMPORARY, "wb") as file:
                    file.write(data)
                # on the disk before the name leads to it: a crash leaves the old file or the new one
                sync(target + TEMPORARY)
                os.replace(target + TEMPORARY, target)
                sync(self.folder)
            finally:
                with contextlib.suppress(OSError):
                    os.unlink(target + TEMPORARY)

    def _hold(self) -> None:
        need_posix("a sweep that is kept in a folder")
        import fcntl  # not on Windows

        handle = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            raise ApetError(InUse(None, None, self.shown)) from None
        self._lock = handle

    @contextlib.contextmanager
    def _writing(self, path: str) -> Iterator[None]:
        """A full disk and the like as a diagnostic."""
        try:
            yield
        except OSError as error:
            raise ApetError(CannotStore(None, None, path, error.strerror or str(error), FULL)) from None


def _differences(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    mine, other = ours["is"], theirs["is"]
    different = [what for what in mine if json.loads(json.dumps(mine[what])) != other.get(what)]
    return "it differs in " + ", ".join(different) if different and other else "it cannot be read"


def _name(chunk: int) -> str:
    return f"part-{chunk:09d}"


def _checksum(digest: str, payload: bytes) -> str:
    return blake2b(payload, digest_size=16, key=blake2b(digest.encode(), digest_size=16).digest()).hexdigest()
