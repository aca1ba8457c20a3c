"""Every block of README.md and docs/ is true: commands print what is shown, code runs, models and machines load.

| block | what is checked |
|---|---|
| `console` | each `$ apet …` runs beside a copy of samples/ and machines/ and prints what follows; `…` is any text |
| `console fails` | the same, but the exit status is 2 |
| `python` | runs, after the page's earlier python blocks; with `>>>`, as a doctest |
| `pamela` | compiles; `pamela fragment` is only shown |
| `pasl` | translates, with tasks beside samples/pasl |
| `toml machines` | loads as a machine file |
"""

from __future__ import annotations

import contextlib
import doctest
import io
import itertools
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    p
    for p in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "_build" not in p.parts
]

_FENCE = re.compile(r"^(?P<ticks>`{3,})(?P<info>\w[^\n`]*)\n(?P<text>.*?)^(?P=ticks)[ ]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: the words after its fence and its text; `place` is page:line."""

    place: str
    info: tuple[str, ...]
    text: str


def blocks(page: str, text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order. MyST directives (```{name}) are not blocks."""
    for found in _FENCE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(f"{page}:{line}", tuple(found["info"].split()), found["text"])


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Pairs of a command and the output shown below it; a backslash at the end of a line continues the command."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.replace("\\\n", " ").partition("\n")
        yield command, output


def matches(shown: str, printed: str) -> bool:
    """Whether an output is as shown; `…` or `...` stands for any text, alone on a line for any lines."""
    pattern = "".join(_line_pattern(line) for line in _lines(shown))
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _lines(printed))) is not None


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip("\n").rstrip().splitlines()]


def _line_pattern(line: str) -> str:
    if line.strip() in {"…", "..."}:
        return r"(?:.*\n)*?"
    return ".*?".join(re.escape(part) for part in re.split(r"…|\.\.\.", line)) + r"\n"


def call(command: str) -> tuple[int, str]:
    """Exit status and everything printed by one `apet …` command, run in this process."""
    from apet.cli.main import main

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            status = main(shlex.split(command, comments=True)[1:])
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return status, printed.getvalue()


def _check_console(block: Block, names: dict[str, Any]) -> None:
    expected = 2 if "fails" in block.info else 0
    for command, shown in commands(block.text):
        assert command.startswith("apet "), f"'{command}' is not checked: show it in a ```sh block"
        status, printed = call(command)
        assert status == expected, f"$ {command}\nexit status {status}, not {expected}:\n{printed}"
        assert matches(shown, printed), f"$ {command}\nprints:\n{printed}\nbut the page shows:\n{shown}"


def _check_python(block: Block, names: dict[str, Any]) -> None:
    if ">>> " not in block.text:
        exec(compile(block.text, block.place, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.text, names, block.place, block.place, 0)
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    assert not runner.failures, report.getvalue()


def _check_pamela(block: Block, names: dict[str, Any]) -> None:
    import apet

    if "fragment" not in block.info:
        apet.compile_text(block.text, block.place)


def _check_toml(block: Block, names: dict[str, Any]) -> None:
    from apet.ground.source import Source
    from apet.machine import parse_machines

    if "machines" in block.info:
        parse_machines(Source(block.place, block.text))


def _check_pasl(block: Block, names: dict[str, Any]) -> None:
    from apet import java
    from apet.ground.source import Source
    from apet.pasl import translate

    translate(Source("samples/pasl/block.pasl", block.text), java.translate)


CHECKS: dict[str, Callable[[Block, dict[str, Any]], None]] = {
    "console": _check_console,
    "python": _check_python,
    "pamela": _check_pamela,
    "pasl": _check_pasl,
    "toml": _check_toml,
}


@pytest.fixture
def copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A scratch folder with the samples and machines, as the current directory of a 100-column terminal."""
    for folder in ("samples", "machines"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_block_of_the_page_is_true(page: Path, copy: Path) -> None:
    names: dict[str, Any] = {"__name__": "page"}
    wrong = []
    for block in blocks(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")):
        check = CHECKS.get(block.info[0])
        try:
            if check is not None:
                check(block, names)
        except Exception as mistake:
            wrong.append(f"{block.place}: {type(mistake).__name__}: {mistake}")
    assert not wrong, "\n\n".join(wrong)


_INTERRUPTS = re.compile(r"#+ |[-+*] |1[.)] ")
_IN_A_LIST = re.compile(r"\s*(?:[-+*]|\d+[.)]) |  ")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_line_within_a_paragraph_becomes_a_heading_or_an_item(page: Path) -> None:
    text = _FENCE.sub(lambda block: "\n" * block[0].count("\n"), page.read_text(encoding="utf-8"))
    lines = text.split("\n")
    for before, line in itertools.pairwise(lines):
        assert not (_INTERRUPTS.match(line) and before.strip() and not _IN_A_LIST.match(before)), line
        assert not re.search(r"[.;:] - [A-Z`]", line), "an item that a paragraph swallowed"


def test_an_ellipsis_matches_within_a_line_and_whole_lines() -> None:
    assert matches("T = … s\n…\nend\n", "T = 1 s\na\nb\nend\n\n")
    assert matches("one\n...\ntwo", "one\ntwo\n")
    assert not matches("one\n", "one\ntwo\n")
    assert not matches("a … b", "a 1 c")


def test_commands_are_split_from_their_output() -> None:
    assert list(commands("$ apet a \\\n  -b\nx\ny\n$ apet c\n")) == [("apet a    -b", "x\ny\n"), ("apet c", "")]


def test_directives_are_not_blocks_but_what_stands_between_them_is() -> None:
    text = "```{note}\nhello\n```\n\n```toml machines\nschema = 1\n```\n"
    assert list(blocks("p.md", text)) == [Block("p.md:5", ("toml", "machines"), "schema = 1\n")]
