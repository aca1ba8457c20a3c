"""What a command has written survives its end at any moment, a full disk, a missing home, and neighbours."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.loss.commands import APET, COMMANDS, PI, Command, environment, prepare
from tests.loss.kills import FULL, MARK, SIGNALS, Report, left_running, marked, reference, run, strike
from tests.work import campaign, thorough

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads processes from /proc")
QUICK = [pytest.param(command, id=command.name) for command in COMMANDS if not command.slow]
KINDS = [*SIGNALS, *["killed"] * 2, FULL]
STRIKES = len(KINDS)


@pytest.mark.parametrize("command", QUICK)
def test_a_file_survives_whatever_ends_the_command(command: Command, tmp_path: Path) -> None:
    if command.missing:
        pytest.skip(f"there is no {command.missing}")
    expected = reference(command, tmp_path)
    report, draw = Report(), random.Random(command.name)
    for kind in draw.sample(KINDS, k=campaign(STRIKES) or 1):
        strike(command, expected, tmp_path, kind, draw, report)
    assert report.findings == []


@pytest.mark.parametrize("home", [None, "/nowhere", "/proc"])
def test_no_home_is_needed(home: str | None, tmp_path: Path) -> None:
    bare = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
    env = bare | ({} if home is None else {"HOME": home})
    for words in (["predict", PI, "-m", "join-2005"], ["compile", PI, "-o", str(tmp_path / "pi.txt")]):
        done = subprocess.run([*APET, *words], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@thorough
def test_first_runs_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    command = next(c for c in COMMANDS if c.name == "acquire")
    if command.missing:
        pytest.skip(f"there is no {command.missing}")
    folders = [tmp_path / str(number) for number in range(3)]
    running = []
    for folder in folders:
        folder.mkdir()
        prepare(command, folder)
    for folder in folders:
        env = environment(tmp_path / "cache")
        running.append(subprocess.Popen(command.line(), cwd=folder, env=env, stderr=subprocess.PIPE, text=True))
    for folder, process in zip(folders, running, strict=True):
        assert process.communicate()[1] is not None
        assert process.returncode == 0
        assert command.whole is not None
        assert command.whole((folder / command.output).read_bytes())


@pytest.mark.parametrize(
    "words", [["predict", PI, "-m", "join-2005", "-P", "1:32"], ["explain", PI, "-m", "join-2005"]]
)
def test_a_closed_pipe_is_no_error(words: list[str]) -> None:
    process = subprocess.Popen([*APET, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait() in (0, 141, -13)


def test_a_run_that_nobody_disturbs_counts_as_whole(tmp_path: Path) -> None:
    command = COMMANDS[3]
    expected = reference(command, tmp_path)
    assert run(command, tmp_path).returncode == 0
    assert (tmp_path / command.output).read_bytes() == expected.data


def test_a_measured_command_ends_with_its_measurement(tmp_path: Path) -> None:
    words = [*APET, "measure", "--most", "8", "-o", "runs.json", "--", "sleep", "{n}h"]
    env = {**environment(tmp_path / "cache"), MARK: f"measured {os.getpid()}"}
    measuring = subprocess.Popen(words, cwd=tmp_path, env=env)
    while len(marked(env[MARK])) < 2:
        assert measuring.poll() is None
        time.sleep(0.02)
    measuring.kill()
    measuring.wait()
    assert left_running(env[MARK]) == []
