"""Programs that APET asks something of: compilers, disassemblers, `ldd`.

Each runs in an empty folder of its own, which is then removed: what crashes, and Fortran compilers always, write files
into the folder that they are started in. So every path in a command is absolute.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence


def run_tool(command: Sequence[str], limit: float | None = None) -> subprocess.CompletedProcess[str]:
    """What a command prints, and its exit status. `limit` is in seconds; raises as `subprocess.run` does."""
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        return subprocess.run(
            [absolute_program(command[0]), *command[1:]],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
            check=False,
        )


def absolute_program(name: str) -> str:
    """A program as it is started from any folder: one that the path names by a relative folder is no exception."""
    program = shutil.which(name) or name
    return os.path.abspath(program) if os.sep in program else program
