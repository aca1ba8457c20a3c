"""A file for what comes from standard input: verbs may read a file twice, and find its kind by its content."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from apet.cli import output
from apet.ground.source_files import read_stream

SHOWN = "standard-input"
WRITTEN = ("-o", "--output", "--plot", "--gantt", "--paje", "--pareto", "--save-pingpong", "--machine")
"""Options for which `-` means standard output."""
SOURCES = {
    ".java": r"^\s*(?:(?:public|final|abstract|sealed|strictfp)\s+)*(?:class|interface|record|enum)\s+\w+[^;=]*\{",
    ".pasl": r"^\s*(?:application\s+\w+\s*;|batch\s+\w+\s*\[)",
}
"""What only texts of a language contain, by the ending of its files."""


class StandardInput:
    """For the time of a call, the words that are `-` name a temporary file with what standard input holds, which may be
    compressed.

    Messages show it as `standard-input`.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = list(arguments)
        self._folder = ""

    def __enter__(self) -> Self:
        end = [*self.arguments, "--"].index("--")
        words = [k for k in range(end) if self.arguments[k] == "-" and self.arguments[k - 1] not in WRITTEN]
        if not words or sys.stdin is None:
            return self
        content = read_stream(SHOWN, sys.stdin.buffer)
        self._folder = tempfile.mkdtemp(prefix="apet-")
        path = os.path.join(self._folder, SHOWN + _ending(content.decode("utf-8-sig", "replace")))

        with open(path, "wb") as file:
            file.write(content)
        output.other_names[self._folder + os.sep] = ""
        for k in words:
            self.arguments[k] = path
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)


def _ending(text: str) -> str:
    """What tells kinds of documents apart where a file has a name: TOML, Java and PASL from everything else."""
    import tomllib

    for ending, beginning in SOURCES.items():
        if re.search(beginning, text, re.MULTILINE):
            return ending
    try:
        return ".toml" if tomllib.loads(text) else ""
    except (ValueError, RecursionError):
        return ""
