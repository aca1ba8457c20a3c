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


def _file(source: Path, options: tuple[str, ...], build: bool) -> Path | None:
    """The library for this source and this machine, in a folder that nobody else may write to."""
    try:
        text = source.read_bytes()
        stamp = hashlib.sha256(text + " ".join((sys.platform, os.uname().machine, *options)).encode()).hexdigest()[:16]
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "apet"
        file = folder / f"{source.parent.name}-{source.stem}-{stamp}.so"
        if not file.exists() and not (build and _build(source, options, folder, file)):
            return None
        for place in (folder, file):
            about = place.stat()
            if about.st_uid != os.getuid() or about.st_mode & 0o022:
                return None
        return file
    except (OSError, RuntimeError, AttributeError):
        return None


def _build(source: Path, options: tuple[str, ...], folder: Path, file: Path) -> bool:
    command = next(filter(None, map(shutil.which, COMMANDS)), None)
    if command is None:
        return False
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}.part")
    try:
        order = [command, str(source), "-o", str(temporary), *options]
        if subprocess.run(order, capture_output=True, timeout=LONGEST_BUILD, check=False).returncode:
            return False
        temporary.chmod(0o700)
        temporary.replace(file)
    except subprocess.TimeoutExpired:
        return False
    finally:
        temporary.unlink(missing_ok=True)
    return True
