"""A line on the terminal that says what a long work is doing, and how much of it is done."""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Self

from apet.cli import output
from apet.ground import activity
from apet.ground.diagnostics import visible

WIDTH = 24
PATIENCE, PERIOD = 1.0, 0.2
"""Seconds before the line appears, and between two of its states."""
ERASE = "\r\x1b[K"


class ProgressLine:
    """A thread that shows the innermost activity; a context that removes the line at its end."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self._over = threading.Event()
        self._drawing = threading.Lock()
        self._begun = time.monotonic()
        self._visible = False

    def erase(self) -> None:
        """Remove the line, so that something else can be written there."""
        with self._drawing:
            if self._visible:
                sys.stderr.write(ERASE)
                sys.stderr.flush()
            self._visible = False

    def __enter__(self) -> Self:
        output.before_writing.append(self.erase)
        threading.Thread(target=self._run, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.erase()
        output.before_writing.remove(self.erase)

    def _run(self) -> None:
        wait = PATIENCE
        while not self._over.wait(wait):
            wait = PERIOD
            with self._drawing:
                if self._over.is_set():
                    return
                sys.stderr.write(ERASE + self._text())
                sys.stderr.flush()
                self._visible = True

    def _text(self) -> str:
        now = activity.innermost()
        part = None if now is None else now.part
        text = visible(self.verb if now is None else str(now))
        if part is None:
            line = f"({time.monotonic() - self._begun:.0f} s) {text}"
        else:
            filled = round(WIDTH * part)
            line = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {part:4.0%} {text}"

        try:
            columns = os.get_terminal_size(sys.stderr.fileno()).columns
        except (OSError, ValueError):
            columns = 0
        return line[: (columns or 80) - 1]
