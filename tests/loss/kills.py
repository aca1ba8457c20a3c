"""One command, ended at a random moment or without space on the disk, and what must hold of its file afterwards."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests import processes
from tests.loss.commands import Command, environment, prepare

EARLIER = b"an earlier file\n"
MARK = "APET_TEST_STRIKE"
"""A variable of the environment by which the processes of one call are known."""
SIGNALS = {"killed": signal.SIGKILL, "ended": signal.SIGTERM, "interrupted": signal.SIGINT}
FULL = "without space"
PATIENCE = 120.0
"""Seconds for a command to come to an end."""
ENDLESS = -99
"""The status of a command that did not come to an end."""
GRACE = 10.0
"""Seconds for what a killed command has started to end."""


@dataclass
class Reference:
    """What a command writes when nobody disturbs it, and how long it takes in seconds."""

    data: bytes
    seconds: float


@dataclass
class Report:
    """Strikes by command and kind; findings as text."""

    strikes: Counter[tuple[str, str]] = field(default_factory=Counter)
    midway: int = 0
    findings: list[str] = field(default_factory=list)


def run(command: Command, folder: Path) -> subprocess.CompletedProcess[str]:
    """The command, undisturbed; it goes on with what it has left behind."""
    words, env = command.line(), environment(folder / "cache")
    if (folder / f"{command.output}.parts").exists():
        words.append("--resume")
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=PATIENCE, check=False)


def reference(command: Command, folder: Path) -> Reference:
    """Run a command twice: the second run shows what it takes with a warm cache. `AssertionError` where it fails."""
    prepare(command, folder)
    for _ in range(2):
        (folder / command.output).unlink(missing_ok=True)
        begin = time.monotonic()
        done = run(command, folder)
        assert done.returncode == 0, f"{command.name}: {done.stderr}"
    return Reference((folder / command.output).read_bytes(), time.monotonic() - begin)


def strike(command: Command, expected: Reference, folder: Path, kind: str, draw: random.Random, report: Report) -> None:
    """Start a command in a folder that `reference` has used, end it in this way, and look at what it left behind."""
    output = folder / command.output
    before = EARLIER if draw.random() < 0.5 and command.name != "measure" else None
    for path in (*folder.glob(f"{output.stem}*"), *folder.glob(".apet-*")):
        if path.name != "ring":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    if before is not None:
        output.write_bytes(before)

    mark = f"{os.getpid()}-{draw.getrandbits(64)}"
    most = draw.randrange(max(len(expected.data), 2)) if kind == FULL else None
    process = _start(command, folder, mark, most)
    if kind != FULL:
        time.sleep(draw.uniform(0, 1.1 * expected.seconds))
        process.send_signal(SIGNALS[kind])
    try:
        said, status = process.communicate(timeout=PATIENCE)[1], process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        said, status = process.communicate()[1], ENDLESS

    report.strikes[command.name, kind] += 1
    report.midway += status != 0
    problems = list(_problems(command, expected, output, before, kind, status, said))
    problems += [f"left running: {line}" for line in left_running(mark)]
    if command.resumes or draw.random() < 0.1:
        problems += _again(command, expected, folder)
    report.findings += [f"{command.name}, {kind}, status {status}: {problem}" for problem in problems]


def _start(command: Command, folder: Path, mark: str, most: int | None) -> subprocess.Popen[str]:
    env = environment(folder / "cache") | {MARK: mark}
    words: Sequence[str] = command.line()
    if most is not None:  # a limit of the shell's, in blocks of 1,024 bytes, as if the disk were full
        words = ["bash", "-c", f'ulimit -f {most // 1024}; exec "$@"', "bash", *words]
    return processes.start(
        words,
        cwd=folder,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,  # a pipe: the limit holds for files
        start_new_session=True,
    )


def _problems(
    command: Command, expected: Reference, output: Path, before: bytes | None, kind: str, status: int, said: str
) -> list[str]:
    """What is wrong with the file, or with what was said."""
    problems = []
    after = output.read_bytes() if output.exists() else None
    if after != before and not (after is not None and _is_whole(command, expected, after)):
        problems.append(f"a file that is neither the earlier nor a whole one: {after and after[-60:]!r}")
    if status == 0 and after is None:
        problems.append("it succeeded without a file")
    if status == ENDLESS:
        problems.append("it does not end")
    if kind == FULL and status not in (0, 2):
        problems.append(f"it ends with status {status}: {said[-300:]}")
    if kind != "killed" and ("Traceback" in said or "apet failed" in said) and not _while_starting(said):
        problems.append(f"it fails with {said[-300:]}")
    return problems


def _while_starting(said: str) -> bool:
    """Whether Python itself was interrupted, before anything of APET ran that could answer."""
    return said.rstrip().endswith("KeyboardInterrupt") and "in main" not in said


def _again(command: Command, expected: Reference, folder: Path) -> list[str]:
    """The same call once more, undisturbed."""
    done = run(command, folder)
    if done.returncode:
        return [f"started again it ends with status {done.returncode}: {done.stderr[-300:]}"]
    if not _is_whole(command, expected, (folder / command.output).read_bytes()):
        return ["started again it writes another file"]
    return []


def _is_whole(command: Command, expected: Reference, data: bytes) -> bool:
    if command.whole is None:
        return data == expected.data
    try:
        return command.whole(data)
    except (ValueError, EOFError, OSError):
        return False


def left_running(mark: str) -> list[str]:
    """The processes with this mark that are there after a time of grace; they are killed."""
    deadline = time.monotonic() + GRACE
    while (processes := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    lines = []
    for process in processes:
        lines.append(Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:100])
        os.kill(process, signal.SIGKILL)
    return lines


def marked(mark: str) -> list[int]:
    """Processes of Linux with this mark in their environment; none elsewhere."""
    wanted = f"{MARK}={mark}".encode()
    processes = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            if status != "Z" and wanted in (folder / "environ").read_bytes().split(b"\0"):
                processes.append(int(folder.name))
        except OSError:  # it has gone meanwhile
            continue
    return processes
