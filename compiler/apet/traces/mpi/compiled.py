"""C sources that are built with the user's compiler, and kept in the user's cache: what records MPI calls."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from apet.ground.tools import run_tool
from apet.ground.user_cache import cache_folder, only_ours

LONGEST_BUILD = 300


class BuildFailed(Exception):
    """A compiler's complaint."""


def built(
    sources: Sequence[Path],
    compiler: Sequence[str],
    options: Sequence[str],
    name: str,
    generate: Callable[[str], str] | None = None,
) -> Path:
    """What a compiler makes of C sources, kept in the user's cache under a name; `BuildFailed` says why it cannot.

    `compiler` is the command with what tells it from others of that name; the same sources give the same file.
    `generate` gives one source more, from what the preprocessor makes of the others.
    """
    folder = cache_folder()
    text = b"".join(source.read_bytes() for source in sources)
    text += Path(sys.modules[generate.__module__].__file__ or "").read_bytes() if generate else b""
    file = folder / f"{name}-{_stamp(text, (*compiler, *options))}"
    try:
        if not file.exists():
            order = [compiler[0], *(str(s) for s in sources if s.suffix == ".c"), *options]
            _make(order, folder, file, generate)
        if not only_ours(folder) or not only_ours(file):
            raise BuildFailed(f"others may write to {folder}")
    except subprocess.TimeoutExpired:
        raise BuildFailed(f"{compiler[0]} took more than {LONGEST_BUILD} s") from None
    except OSError as error:
        raise BuildFailed(f"{compiler[0]}: {error.strerror or error}") from None

    return file


def _stamp(text: bytes, words: Sequence[str]) -> str:
    return hashlib.sha256(text + " ".join((sys.platform, os.uname().machine, *words)).encode()).hexdigest()[:16]


def _make(order: list[str], folder: Path, file: Path, generate: Callable[[str], str] | None) -> None:
    """Let a command write a file beside its place, then rename it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = file.with_suffix(f".{os.getpid()}.part")
    more = file.with_suffix(f".{os.getpid()}.c")

    try:
        if generate:
            more.write_text(generate(_run([*(w for w in order if w != "-shared"), "-E", "-P"])))
            order = [*order, f"-I{Path(order[1]).parent}", str(more)]
        _run([*order, "-o", str(temporary)])
        temporary.chmod(0o700)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
        more.unlink(missing_ok=True)


def _run(command: Sequence[str]) -> str:
    """What a compiler prints."""
    process = run_tool(command, LONGEST_BUILD)
    if process.returncode:
        raise BuildFailed((process.stderr or process.stdout).strip())
    return process.stdout
