"""The system's C compiler: where it is, and programs built with it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence

from apet.c import errors
from apet.ground.diagnostics import ApetError

LIMIT = 120.0
"""Seconds that a build may take."""


def compiler() -> str:
    """The path of the C compiler: that of `CC`, else `cc`, `gcc` or `clang`; `ApetError` without one."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        path = shutil.which(name) if name else None
        if path is not None:
            return path
    raise ApetError(errors.NoCompiler(None, None))


def version() -> str:
    """What the compiler calls itself."""
    run = subprocess.run([compiler(), "--version"], capture_output=True, text=True, check=False, timeout=LIMIT)
    return run.stdout.partition("\n")[0]


def build(what: str, words: Sequence[str], folder: str) -> None:
    """Run the compiler in a folder; `ApetError` with its own words where it refuses."""
    run = subprocess.run(
        [compiler(), *words], cwd=folder, capture_output=True, text=True, check=False, timeout=LIMIT, errors="replace"
    )
    if run.returncode:
        raise ApetError(errors.DoesNotBuild(None, None, os.path.basename(compiler()), what, run.stderr.strip()[:2000]))
