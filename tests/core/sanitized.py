"""A C core that is compiled to be tested: under AddressSanitizer and UndefinedBehaviorSanitizer, with allocations that
can be made to fail. Processes load it instead of the usual one where their environment says so.

    python -m tests.core.sanitized FOLDER COMMAND      builds it into a folder and runs a command with it
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import hatch_build

from apet.core import boundary

FAILING = Path(__file__).with_name("failing")
COMPILING = (
    *("-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
    *("-include", f"{FAILING}.h", f"{FAILING}.c"),
)
VARIABLE = "APET_TESTED_CORE"
"""The library that tests and fuzzing workers are to load."""
OPTIONS = "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=2048"
"""Python itself does not free all at its end; what is too large is an allocation that fails."""


def build(folder: Path) -> dict[str, str] | None:
    """Compile it; the environment of processes that are to use it. None where the system cannot."""
    compiler = hatch_build.system_compiler()
    runtime = _runtime(compiler[0]) if compiler else None
    if runtime is None:
        return None
    library = hatch_build.build(folder, further=COMPILING)
    return {VARIABLE: str(library), "LD_PRELOAD": runtime, "ASAN_OPTIONS": OPTIONS}


@cache
def environment() -> dict[str, str] | None:
    """One build for all tests of this process (`tests.distribution` gives it all of them): it takes some seconds."""
    folder = tempfile.TemporaryDirectory(prefix="apet-sanitized-")
    atexit.register(folder.cleanup)
    return build(Path(folder.name))


def load() -> bool:
    """Let this process use the library that its environment names, if any."""
    if VARIABLE in os.environ:
        boundary.FILE = Path(os.environ[VARIABLE])
    return VARIABLE in os.environ


def _runtime(compiler: str) -> str | None:
    """The library of AddressSanitizer, which has to be loaded before Python."""
    path = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=False)
    name = path.stdout.strip()
    return name if os.path.isabs(name) and shutil.which(compiler) else None


def main(folder: str, *command: str) -> int:
    """The exit code of the command."""
    built = build(Path(folder).resolve())
    if built is None:
        print("there is no C compiler with AddressSanitizer", file=sys.stderr)
        return 2
    return subprocess.run(command, env=os.environ | built, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
