"""What needs POSIX says so; everything else runs where there is no POSIX."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from apet.ground.diagnostics import ApetError
from apet.ground.posix import need_posix

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
PI = SAMPLES / "pamela" / "pi.pam"
TRACE = SAMPLES / "traces"
WINDOWS = """
import os, signal, subprocess, sys
for name in ("fcntl", "resource", "termios", "pwd", "grp", "pty", "readline"):
    sys.modules[name] = None
for name in ("fork", "killpg", "wait4", "getuid", "geteuid", "getloadavg", "sched_getaffinity", "setsid"):
    delattr(os, name)
for name in ("SIGKILL", "SIGHUP", "SIGALRM"):
    delattr(signal, name)
from apet.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    "words",
    [
        ["predict", str(PI), "--machines", "join-2005", "-P", "2"],
        ["explain", str(PI), "--machines", "join-2005", "-P", "2"],
        ["sweep", str(PI), "--machines", "join-2005", "--vary", "P=1:4"],
        ["trace", "replay", str(TRACE / "ring.txt"), "--platform", str(TRACE / "cluster.xml")],
        ["trace", "predict", str(TRACE / "ring.txt"), "--platform", str(TRACE / "cluster.xml")],
        ["trace", "fold", str(TRACE / "ring.txt")],
        ["queue", str(SAMPLES / "queueing" / "terminals.toml")],
        ["translate", str(SAMPLES / "java" / "Pi.java")],
    ],
)
def test_predictions_and_replays_need_no_posix(words: list[str]) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    command = [sys.executable, "-c", WINDOWS, *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr


def test_elsewhere_the_message_says_what_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    need_posix("nothing")
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(ApetError, match="running MPI programs needs a POSIX system"):
        need_posix("running MPI programs")
