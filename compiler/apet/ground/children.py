"""Processes that APET starts: in a group of their own, which can be ended whole, and ended with APET.

Whatever ends APET, SIGKILL included, the system then kills what it has started. Only Linux can be asked for that; what
such a process has itself started is not reached.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Sequence
from typing import Any

with contextlib.suppress(ImportError):  # a system without it has no limits to hand on either
    import resource

PR_SET_PDEATHSIG = 1
"""Of linux/prctl.h: the signal that a process gets when its parent's thread ends."""
system_limits: dict[int, tuple[int, int]] = {}
"""Resource limits that the system sets, where APET has set others for itself."""
_running: weakref.WeakSet[subprocess.Popen[Any]] = weakref.WeakSet()
_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[Any]:
    """`subprocess.Popen` of a command in a session of its own. The calling thread must stay as long."""
    parent = os.getpid()

    def end_with_parent() -> None:
        assert _LIBRARY is not None
        _LIBRARY.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        for kind, limits in system_limits.items():
            resource.setrlimit(kind, limits)
        if os.getppid() != parent:  # it has ended before it could be asked for
            os._exit(1)

    if options.get("text"):
        options.setdefault("errors", "replace")  # a compiler or a program may print in any encoding
    hook = end_with_parent if _LIBRARY is not None else None
    process = subprocess.Popen(command, start_new_session=True, preexec_fn=hook, **options)
    _running.add(process)
    return process


def end_all() -> None:
    """Kill every process that was started and still runs, with its group."""
    for process in list(_running):
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
