"""Tools run in folders of their own: what crashes leaves nothing where the user stands."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from tests.traces.mpi_programs import SAMPLES, needs_mpi, program

from apet.cli.main import main
from apet.ground.tools import absolute_program, run_tool

needs_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")
CRASH = """import java.lang.reflect.Field;
import sun.misc.Unsafe;

class Crash {
  static double run(int n) throws Exception {
    Field field = Unsafe.class.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    ((Unsafe) field.get(null)).putAddress(0, n);
    return n;
  }
}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which a user stands; caches are elsewhere, and empty."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def failing(folder: Path, name: str, text: str = "") -> Path:
    """A command that writes a crash report where it is started, and fails."""
    folder.mkdir(exist_ok=True)
    command = folder / name
    command.write_text(f"#!/bin/sh\n{text}\necho crashed > {name}.crash.args; echo 'internal error' >&2; exit 4\n")
    command.chmod(0o755)
    return command


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(os.listdir(folder))


def test_a_tool_writes_where_nobody_stands(here: Path) -> None:
    done = run_tool(["sh", "-c", "pwd; touch left; ls"])
    folder, left = done.stdout.split()
    assert (left, names(here)) == ("left", [])
    assert not os.path.exists(folder)


def test_a_tool_that_is_named_relative_to_a_folder_is_found(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(here / "bin", "tool")
    monkeypatch.setenv("PATH", f"bin{os.pathsep}{os.environ['PATH']}")
    assert absolute_program("tool") == absolute_program("bin/tool") == str(here / "bin" / "tool")
    assert run_tool(["tool"]).stderr == "internal error\n"
    assert names(here) == ["bin"]


@needs_jdk
@pytest.mark.parametrize("verb", [("benchmark", "-o", "here.toml"), ("profile", "Task.java", "--set", "n=2")])
def test_a_compiler_of_java_that_crashes_leaves_nothing(
    verb: tuple[str, ...], here: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    home = here.parent / "jdk"
    java = shutil.which("java")
    assert java is not None
    home.mkdir()
    failing(home / "bin", "javac")
    (home / "bin" / "java").symlink_to(java)
    monkeypatch.setenv("JAVA_HOME", str(home))
    (here / "Task.java").write_text("class Task { static int run(int n) { return n; } }\n")
    assert main(list(verb)) == 2
    assert "internal error" in capfd.readouterr().err
    assert names(here) == ["Task.java"]


@needs_jdk
def test_a_compiler_of_java_writes_its_arguments_elsewhere(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JDK_JAVAC_OPTIONS", "-XDprintArgsToFile=true")
    (here / "Task.java").write_text("class Task { static int run(int n) { return n; } }\n")
    assert main(["profile", "Task.java", "--set", "n=2"]) == 0
    assert names(here) == ["Task.java"]


@needs_jdk
def test_a_virtual_machine_that_crashes_leaves_nothing(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (here / "Crash.java").write_text(CRASH)
    assert main(["profile", "Crash.java", "--set", "n=2"]) == 2
    assert "failed in the JVM" in capfd.readouterr().err
    assert names(here) == ["Crash.java"]


@needs_mpi
def test_a_compiler_of_mpi_that_crashes_leaves_nothing(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ring = program(SAMPLES / "ring.c", counting=False)
    compiler = failing(here.parent / "bin", "mpicc", 'case "$1" in -show) echo mpich -lmpi; exit 0;; esac')
    words = ["trace", "acquire", "-n", "2", "--mpicc", str(compiler), "-o", "t.txt", "--", ring]
    assert main(words) == 2
    assert "internal error" in capfd.readouterr().err
    assert names(here) == []
