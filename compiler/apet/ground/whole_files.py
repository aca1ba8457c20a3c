"""Files that appear under their name only when they are complete, and are then on the disk."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress

LONGEST_ENDING = 16
_unfinished: set[str] = set()


def write_whole(path: str, write: Callable[[str], object]) -> None:
    """Let `write` make a file beside the target, then put it in the target's place; `OSError` leaves that as it was.

    A file that was there passes its permissions on.
    """
    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    # The ending stays, since it may choose a format; the name does not, since it may be as long as names can be.
    ending = os.path.splitext(name)[1]
    temporary = os.path.join(folder, f".apet-{os.getpid()}{ending if len(ending) <= LONGEST_ENDING else ''}")
    with suppress(FileNotFoundError):
        os.unlink(temporary)  # of a process that was killed

    _unfinished.add(temporary)
    try:
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        like(temporary, target)
        write(temporary)
        sync(temporary)
        os.replace(temporary, target)
        sync(folder)
    finally:
        _discard(temporary)


def discard_unfinished() -> None:
    """Remove what is being written, before the process ends at once."""
    for temporary in tuple(_unfinished):
        _discard(temporary)


def _discard(temporary: str) -> None:
    with suppress(FileNotFoundError):
        os.unlink(temporary)
    _unfinished.discard(temporary)


def like(path: str, other: str) -> None:
    """Give a file the permissions of another one, where that exists."""
    with suppress(FileNotFoundError):
        os.chmod(path, stat.S_IMODE(os.stat(other).st_mode))


def sync(path: str) -> None:
    """Wait until a file, or what a folder lists, is on the disk; some systems cannot say so of folders."""
    is_folder = os.path.isdir(path)
    if is_folder and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if is_folder else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError:
        if not is_folder:
            raise
    finally:
        os.close(handle)
