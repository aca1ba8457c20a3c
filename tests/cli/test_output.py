"""Where results and messages go: files that are whole, closed streams, names that are no text."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.cli.main import main
from apet.ground.diagnostics import visible

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data" / "cli"
FARM, POOL = str(DATA / "farm.pam"), str(DATA / "pool.toml")
posix = pytest.mark.skipif(os.name != "posix", reason="as POSIX has it")


def _with_closed(streams: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", "-c", f'exec "$@" {streams}', "sh", sys.executable, "-m", "apet.cli.main", *arguments]
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    return subprocess.run(command, env=variables, capture_output=True, text=True, timeout=120, check=False)


@posix
def test_a_closed_standard_output_is_an_error() -> None:
    done = _with_closed(">&-", "predict", FARM, "-m", POOL)
    assert (done.returncode, done.stderr) == (2, "error: cannot write standard output: it is closed\n")


@posix
def test_a_closed_standard_output_is_no_obstacle_to_a_file(tmp_path: Path) -> None:
    page = tmp_path / "prediction.txt"
    done = _with_closed(">&-", "predict", FARM, "-m", POOL, "-o", str(page))
    assert (done.returncode, done.stderr) == (0, f"wrote {page}\n")
    assert "farm.pam" in page.read_text(encoding="utf-8")


@posix
@pytest.mark.parametrize("call", [["predict", FARM, "-m", POOL, "-P", "0"], ["predict", "--nothing"], ["nothing"]])
def test_a_closed_standard_error_changes_no_exit_code(call: list[str]) -> None:
    done = _with_closed("2>&-", *call)
    assert (done.returncode, done.stdout) == (2, "")


@posix
def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("private")
    page.chmod(0o600)
    assert main(["predict", FARM, "-m", POOL, "-o", str(page)]) == 0
    assert "farm.pam" in page.read_text(encoding="utf-8")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir()] == ["page.html"]


@posix
@pytest.mark.parametrize("name", ["n" * 255, f"{'n' * 250}.html", "." + "e" * 254])
def test_a_name_may_be_as_long_as_names_can_be(name: str, tmp_path: Path) -> None:
    assert main(["predict", FARM, "-m", POOL, "-o", str(tmp_path / name)]) == 0
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
@pytest.mark.parametrize("verb", ["report", "predict", "compile"])
def test_a_file_name_that_is_no_utf_8_is_written_with_escapes(verb: str, tmp_path: Path) -> None:
    model = tmp_path / os.fsdecode(b"ok\xff.pam")
    model.write_bytes(Path(FARM).read_bytes())
    result = tmp_path / "result"
    machines = [] if verb == "compile" else ["-m", POOL]
    assert main([verb, str(model), *machines, "-o", str(result)]) == 0
    escaped = rb"ok\udcff.pam" if verb == "report" else rb"ok\xff.pam"  # as in errors
    assert escaped in result.read_bytes()


def test_messages_show_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "\x1b]0;owned\x07.pam"
    model.write_bytes(b"L = a[1]; \x1b[31m !\n")
    assert main(["compile", str(model)]) == 2
    message = capsys.readouterr().err
    assert message.replace("\n", "").isprintable()
    assert r"\x1b]0;owned\x07.pam:1:11: error" in message
    line, caret = message.splitlines()[1:3]
    assert line[caret.index("^") :].startswith(r"\x1b")


@given(st.text())
def test_what_is_visible_cannot_steer_a_terminal(text: str) -> None:
    shown = visible(text)
    assert shown.replace("\n", "").isprintable()
    assert shown.count("\n") == text.count("\n")
    assert visible(shown) == shown


def test_the_missing_model_is_reported_before_the_missing_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "nothere.pam"]) == 2
    assert capsys.readouterr().err == "error: cannot read nothere.pam: no such file or directory\n"
    assert main(["predict", FARM]) == 2
    assert "needs a machine model" in capsys.readouterr().err


def test_thousands_of_mistakes_of_one_kind_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "unused.pam"
    model.write_text("".join(f"E{k} = delay({k});\n" for k in range(1_000)) + "param unused; L = delay(1);\n")
    assert main(["check", str(model)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum("is never used" in line and "more like this" not in line for line in lines) == 51
    assert lines[-2:] == ["950 more like this: equation 'E0' is never used", "1,001 warnings"]
