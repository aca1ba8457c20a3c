"""Laws of the progress bar: only on a terminal, only for long work, and gone at the end."""

from __future__ import annotations

import io

import pytest

from apet.questions.sweep import progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def _work(stream: io.StringIO, patience: float, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(progress, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with progress.Progress(100, 10) as bar:
        for _ in range(9):
            bar.advance(10)
    assert bar.done == 100
    return stream.getvalue()


def test_long_work_shows_a_bar_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "sweep" in _work(Terminal(), -1.0, monkeypatch)


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _work(Terminal(), 60.0, monkeypatch) == ""


def test_what_is_no_terminal_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _work(io.StringIO(), -1.0, monkeypatch) == ""
