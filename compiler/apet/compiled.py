"""Small C sources, built with the C compiler of the system where there is one, and kept in the user's cache.

Nothing depends on them: without a compiler, or with `APET_NATIVE=0`, the same is done in Python.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

COMMANDS = ("cc", "gcc", "clang")
LONGEST_BUILD = 60
loaded: dict[str, Any] = {}
"""Libraries of this process by the name of their source."""


def library(source: Path, options: tuple[str, ...], build: bool) -> Any:
    """The library of a C source, or None: not there and not to be built, no compiler, not allowed."""
    if os.environ.get("APET_NATIVE", "1") == "0":
        return None
    key = str(source)
    if key not in loaded:
        file = _file(source, options, build)
        if file is None:
            return None
        try:
            loaded[key] = ctypes.CDLL(str(file))
        except OSError:
            return None
    return loaded[key]


class BuildFailed(Exception):
    """A compiler's complaint."""


def built(sources: Sequence[Path], compiler: Sequence[str], options: Sequence[str], name: str) -> Path:
    """What a compiler makes of C sources, kept in the user's cache under a name; `BuildFailed` says why it cannot.

    `compiler` is the command with what tells it from others of that name; the same sources give the same file.
    """
    folder = cache()
    text = b"".join(source.read_bytes() for source in sources)
    file = folder / f"{name}-{_stamp(text, (*compiler, *options))}"
    try:
        if not file.exists():
            order = [compiler[0], *(str(s) for s in sources if s.suffix == ".c"), *options]
            _make(order, folder, file)
        if not _ours(folder) or not _ours(file):
            raise BuildFailed(f"others may write to {folder}")
    except subprocess.TimeoutExpired:
        raise BuildFailed(f"{compiler[0]} took more than {LONGEST_BUILD} s") from None
    except OSError as error:
        raise BuildFailed(f"{compiler[0]}: {error.strerror or error}") from None
    return file


def cache() -> Path:
    """The folder for what can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "apet"


def _stamp(text: bytes, words: Sequence[str]) -> str:
    return hashlib.sha256(text + " ".join((sys.platform, os.uname().machine, *words)).encode()).hexdigest()[:16]


def _ours(place: Path) -> bool:
    """Whether nobody else may write to it."""
    about = place.stat()
    return about.st_uid == os.getuid() and not about.st_mode & 0o022


def _file(source: Path, options: tuple[str, ...], build: bool) -> Path | None:
    """The library for this source and this machine, in a folder that nobody else may write to."""
    try:
        folder = cache()
        text = b"".join(file.read_bytes() for file in sorted(source.parent.glob("*.[ch]")))
        file = folder / f"{source.parent.name}-{source.stem}-{_stamp(text, options)}.so"
        if not file.exists() and not (build and _build(source, options, folder, file)):
            return None
        return file if _ours(folder) and _ours(file) else None
    except (OSError, RuntimeError, AttributeError):
        return None


def _build(source: Path, options: tuple[str, ...], folder: Path, file: Path) -> bool:
    command = next(filter(None, map(shutil.which, COMMANDS)), None)
    if command is None:
        return False
    try:
        _make([command, str(source), *options], folder, file)
    except (subprocess.TimeoutExpired, BuildFailed):
        return False
    return True


def _make(order: Sequence[str], folder: Path, file: Path) -> None:
    """Let a command write a file beside its place, then rename it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}.part")
    try:
        done = subprocess.run(
            [*order, "-o", str(temporary)], capture_output=True, text=True, timeout=LONGEST_BUILD, check=False
        )
        if done.returncode:
            raise BuildFailed((done.stderr or done.stdout).strip())
        temporary.chmod(0o700)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
