"""Commands that tests start and then send signals to."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def start(command: Sequence[str | Path], **options: Any) -> subprocess.Popen[str]:
    """`subprocess.Popen` of a command that Ctrl-C reaches as in a terminal, however the tests were started: a shell
    lets the commands that it puts into the background ignore SIGINT, and they hand that on."""
    return subprocess.Popen(command, text=True, preexec_fn=_heed_interrupts, **options)


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
