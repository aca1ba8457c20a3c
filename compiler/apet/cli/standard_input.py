"""A file for what standard input or a pipe holds: verbs may read a file twice, and find its kind by its content."""

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
from apet.cli.pipes import comes_once
from apet.ground.source_files import read_bytes, read_stream

SHOWN = "standard-input"
WRITTEN = ("-o", "--output", "--plot", "--gantt", "--paje", "--pareto", "--save-pingpong", "--machine")
"""Options for which `-` means standard output."""
SOURCES = {
    ".java": r"^\s*(?:(?:public|final|abstract|sealed|strictfp)\s+)*(?:class|interface|record|enum)\s+\w+[^;=]*\{",
    ".pasl": r"^\s*(?:application\s+\w+\s*;|batch\s+\w+\s*\[)",
}
"""What only texts of a language contain, by the ending of its files."""


class StandardInput:
    """For the time of a call, the words that are `-` or name a pipe name a temporary file with what that holds, which
    may be compressed.

    Messages show standard input as `standard-input`, and `/dev/fd/63` as `dev-fd-63`.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self.arguments = list(arguments)
        self._folder = ""

    def __enter__(self) -> Self:
        end = [*self.arguments, "--"].index("--")
        words = [k for k in range(end) if comes_once(self.arguments[k]) and self.arguments[k - 1] not in WRITTEN]
        if not words:
            return self
        self._folder = tempfile.mkdtemp(prefix="apet-")
        output.other_names[self._folder + os.sep] = ""
        names = {name: self._filled(name) for name in dict.fromkeys(self.arguments[k] for k in words)}
        for k in words:
            self.arguments[k] = names[self.arguments[k]]
        return self

    def _filled(self, word: str) -> str:
        """The path of a file with what a word names holds."""
        if word != "-":
            content, name = read_bytes(word), word.strip("/").replace("/", "-")
        elif sys.stdin is None:
            return word
        else:
            content, name = read_stream(SHOWN, sys.stdin.buffer), SHOWN
        path = os.path.join(self._folder, name + _ending(content.decode("utf-8-sig", "replace")))
        with open(path, "wb") as file:
            file.write(content)
        return path

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
