"""Programs of several C files: what a function calls is looked for in the files of the call or of the build."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from apet import c
from apet.c.parse import flags
from apet.cli.main import main
from apet.ground.source_files import read_source

pytest.importorskip("clang.cindex")
TASK = """
#include "norm.h"
double f(int n, double *a) { double s = 0; for (int i = 0; i < n; i++) if (a[i] >= 0) s += norm(n, a); return s; }
"""
NORM = """
#include "norm.h"
double norm(int n, const double *a) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * a[i]; return s; }
"""


@pytest.fixture
def task(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "norm.h").write_text("double norm(int n, const double *a);\n", encoding="utf-8")
    (tmp_path / "norm.c").write_text(NORM, encoding="utf-8")
    (tmp_path / "task.c").write_text(TASK, encoding="utf-8")
    yield str(tmp_path / "task.c")
    flags.choose(())


def listed(task: str) -> None:
    folder = Path(task).parent
    words = [{"directory": str(folder), "file": f, "command": f"cc -Iinclude -c {f}"} for f in ("task.c", "norm.c")]
    (folder / "compile_commands.json").write_text(json.dumps(words), encoding="utf-8")


def test_a_function_of_a_file_behind_the_dashes_is_read(task: str) -> None:
    folder = Path(task).parent
    flags.choose([f"-I{folder / 'include'}", str(folder / "norm.c")])
    model = c.translate(read_source(task), "f", "flat").text
    assert "norm[p](n) = {" in model
    assert "call_norm" not in model


def test_a_function_of_a_file_of_the_build_is_read_and_built_for_a_run(
    task: str, capsys: pytest.CaptureFixture[str]
) -> None:
    listed(task)
    assert "norm[p](n) = {" in c.translate(read_source(task), "f", "flat").text
    if shutil.which("cc") is not None:
        assert main(["profile", task, "--set", "n=10", "--json"]) == 0
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        assert run["values"] == {"q_3": 1.0}


def test_without_the_file_the_call_is_one_of_a_library(task: str) -> None:
    flags.choose([f"-I{Path(task).parent / 'include'}"])
    assert "call_norm" in c.translate(read_source(task), "f", "flat").text


@pytest.mark.parametrize("ending", ["cpp", "cc", "cxx"])
def test_cpp_is_refused_by_its_name(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / f"task.{ending}").write_text("int f(int n) { return n; }", encoding="utf-8")
    assert main(["predict", str(tmp_path / f"task.{ending}"), "--entry", "f"]) == 2
    assert "is C++, which is not read" in capsys.readouterr().err


@pytest.mark.parametrize("call", [["profile", "--set", "n=1", "--entry", "f"], ["validate", "-m", "xeon-gcc12-O2"]])
def test_other_verbs_say_that_cpp_is_not_read(
    call: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "task.cpp").write_text("int f(int n) { return n; }\n", encoding="utf-8")
    assert main([call[0], str(tmp_path / "task.cpp"), *call[1:]]) == 2
    assert "is C++, which is not read" in capsys.readouterr().err
