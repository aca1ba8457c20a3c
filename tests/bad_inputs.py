"""Bad inputs beside their whole messages: text files of related blocks, so that neighbours can be compared at a glance.

    What the inputs of this file have in common.

    === NAME [ARGUMENTS]
    the text of the input, the file NAME
    --- OTHER
    the text of another file that the input needs
    --- expected
    the whole message

Texts are taken as they stand, so no line of an input can begin with `=== ` or `--- `; the blank lines between a message
and the next block belong to neither. To add a case, write its block without a message and run its tests with
`--update-golden`.
"""

from __future__ import annotations

import fcntl
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent / "data" / "bad"
EXPECTED = "expected"


@dataclass(frozen=True)
class BadInput:
    """One block of a file: `files` are the texts by file name, that of the input itself first."""

    theme: Path
    name: str
    arguments: tuple[str, ...]
    files: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.theme.stem}/{self.name}"

    @property
    def stem(self) -> str:
        """The name of the input without its ending."""
        return Path(self.name).stem

    @property
    def text(self) -> str:
        """The text of the input."""
        return self.files[self.name]

    @property
    def message(self) -> str:
        """The expected message, read anew because `accept` may have changed it meanwhile."""
        (block,) = (b for b in _blocks(_read(self.theme)) if _name(b) == self.name)
        return _cut(block)[1].rstrip("\n") + "\n"

    def write(self, folder: Path) -> None:
        """Put the files into a folder."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")

    def accept(self, message: str) -> None:
        """Replace the expected message in its block, and nothing else in the file."""
        with self.theme.open("r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # other blocks may be rewritten in other processes
            text = file.read()
            blocks = _blocks(text)
            preamble = text[: len(text) - sum(map(len, blocks))]
            changed = [_cut(b)[0] + message + "\n" if _name(b) == self.name else b for b in blocks]

            file.seek(0)
            file.truncate()
            file.write(preamble + "".join(changed).rstrip("\n") + "\n")


def bad_inputs(kind: str) -> list[BadInput]:
    """The blocks of all files in a folder of `tests/data/bad`, in the order of the files and of their texts."""
    inputs = [bad for theme in sorted((ROOT / kind).glob("*.txt")) for bad in read_theme(theme)]
    names = [bad.name for bad in inputs]
    assert len(set(names)) == len(names), f"{kind}: two blocks of one name"
    return inputs


def read_theme(theme: Path) -> Iterator[BadInput]:
    """The blocks of one file."""
    for block in _blocks(_read(theme)):
        header, _, body = _cut(block)[0].partition("\n")
        name, *arguments = shlex.split(header.removeprefix("=== "))
        parts = re.split(r"^--- (.+)\n", body, flags=re.M)[:-2]
        yield BadInput(theme, name, tuple(arguments), dict(zip([name, *parts[1::2]], parts[::2], strict=True)))


def _read(theme: Path) -> str:
    with theme.open(encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_SH)  # half a file may be there while `accept` writes it
        return file.read()


def _blocks(text: str) -> list[str]:
    """The texts of the blocks, each from its header to the next one."""
    return re.split(r"^(?==== )", text, flags=re.M)[1:]


def _name(block: str) -> str:
    return block.split(maxsplit=2)[1]


def _cut(block: str) -> tuple[str, str]:
    """The block up to the line before its message, and the rest."""
    before, mark, after = block.partition(f"\n--- {EXPECTED}\n")
    assert mark, f"{_name(block)}: there is no line '--- {EXPECTED}'"
    return before + mark, after
