"""Bad task graphs beside their whole messages: tests/data/bad/pasl, with the tasks that many of them name."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bad_inputs import ROOT, BadInput, bad_inputs
from tests.conftest import Golden

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java import translate as translate_java
from apet.pasl import translate

BAD = bad_inputs("pasl")
TASKS = [ROOT / "pasl" / name for name in ("task.pam", "PiTask.java")]
FEWEST = 45
WHOLE = ("empty", "only_parameters")
INSIDE = re.compile(r"Traceback|\bapet\.|Span\(|object at 0x|__|\bNone\b|\{[a-z_]+\}|ANON|LPAR|\$END")
PLACE = re.compile(r"([\w.-]+):(\d+):(\d+): (error|warning): \S.*")
CARET = re.compile(r" *\| ( *)(\^+)")
GOOD = """application a; level flat; param n = 3 in [1, 2^4];
batch one[n + 1] { task "task.pam" with m = max(n, 2) % 7; arguments 8 B; arguments 1 kB per worker; replicas 1; }
batch two[1] { task "PiTask.java" PiTask.run with points = -n * 2; on coordinator; }
flow one -> two (8 B * n) per task; // the end
"""
SYMBOLS = re.findall(r'\s+|"[^"]*"|\w+|->|\S', GOOD)


@pytest.fixture(autouse=True)
def _beside_the_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for task in TASKS:
        shutil.copy(task, tmp_path)
    monkeypatch.chdir(tmp_path)


def test_there_are_many_bad_graphs() -> None:
    assert len(BAD) >= FEWEST


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_a_bad_graph_is_answered_with_its_message(
    bad: BadInput,
    assert_golden: Golden,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    bad.write(tmp_path)
    status = main(["translate", bad.name])
    text = capsys.readouterr().err
    assert status == (0 if bad.name.startswith("warning_") else 2)
    assert_golden(bad, text)


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_every_mistake_shows_its_line_with_a_caret_at_the_column(bad: BadInput) -> None:
    text = bad.message
    assert not INSIDE.search(text)
    lines = text.splitlines()
    placed = [(k, m) for k, line in enumerate(lines) if (m := PLACE.fullmatch(line))]
    assert placed or bad.stem in WHOLE
    for k, m in placed:
        source = bad.files[m[1]].split("\n")[int(m[2]) - 1]
        caret = CARET.fullmatch(lines[k + 2])
        assert lines[k + 1] == f"  {m[2]} | {source}".rstrip()
        assert caret
        assert len(caret[1]) == int(m[3]) - 1


def test_every_mistake_has_a_message_of_its_own() -> None:
    texts = [bad.message.replace(bad.name, "") for bad in BAD if bad.stem not in WHOLE]
    assert len(set(texts)) == len(texts)


@settings(max_examples=150)
@given(data=st.data())
def test_a_damaged_graph_is_read_or_refused_but_nothing_else(data: st.DataObject) -> None:
    symbols = list(SYMBOLS)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(symbols) - 1))
        other = st.sampled_from(["", symbols[at] * 2, "}", " batch ", "(", "§", "9 B"])
        symbols[at] = data.draw(other)
    with suppress(ApetError):
        assert translate(Source("damaged.pasl", "".join(symbols)), translate_java).text.startswith("// ")


def test_what_is_nested_thousands_of_levels_deep_is_read() -> None:
    text = f'batch a[{"(" * 5000}3{")" * 5000}] {{ task "task.pam" with m = {"-" * 400}3; }}'
    assert "share[p](3)" in translate(Source("deep.pasl", text), translate_java).text


def test_what_is_nested_deeper_than_a_model_may_be_is_refused() -> None:
    text = f'batch a[3] {{ task "task.pam" with m = {"-" * 50000}3; }}'
    with pytest.raises(ApetError, match="more than 500 levels"):
        translate(Source("deep.pasl", text), translate_java)
