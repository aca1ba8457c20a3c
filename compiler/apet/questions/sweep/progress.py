"""A progress bar on standard error: only on a terminal, and only for work of more than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

PATIENCE = 1.0


class Progress:
    """Shows how many rows are done; a context that clears the bar at its end."""

    def __init__(self, total: int, done: int = 0) -> None:
        self.total, self.done = total, done
        self._begun = time.monotonic()
        self._wanted = sys.stderr.isatty()
        self._bar: Any = None
        self._job: Any = None

    def advance(self, rows: int) -> None:
        """So many rows more are done."""
        self.done += rows
        if self._bar is not None:
            self._bar.update(self._job, completed=self.done)
        elif self._wanted and time.monotonic() - self._begun > PATIENCE:
            self._show()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._job = self._bar.add_task("sweep", total=self.total, completed=self.done)
        self._bar.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
