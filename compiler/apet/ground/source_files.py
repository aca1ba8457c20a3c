"""Reading the text of a model file, or saying why it cannot be read."""

from __future__ import annotations

import os
from typing import ClassVar

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source


class UnreadableFile(Diagnostic):
    """A file that is missing, a directory, or not allowed to be read."""

    message: ClassVar[str] = "cannot read {path}: {reason}"
    hint: ClassVar[str] = "{advice_text}"
    path: str
    reason: str
    advice_text: str = ""


class NotText(Diagnostic):
    """A file that is not UTF-8."""

    message: ClassVar[str] = "{path} is not a UTF-8 text (byte {offset})"
    hint: ClassVar[str] = "a model is a plain text file; is this the right one?"
    path: str
    offset: int


def read_source(path: str | os.PathLike[str]) -> Source:
    """The text of a file as a `Source` named by the path as given; `ApetError` if it cannot be read as UTF-8."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read()
    except OSError as error:
        raise ApetError(UnreadableFile(None, None, name, (error.strerror or "error").lower(), _near(name))) from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ApetError(NotText(None, None, name, error.start)) from None
    if "\0" in text:
        raise ApetError(NotText(None, None, name, text.index("\0")))

    return Source(name, text)


def _near(name: str) -> str:
    """Files of the same ending beside the one that is missing."""
    folder, base = os.path.split(name)
    try:
        ending = os.path.splitext(base)[1]
        beside = sorted(f for f in os.listdir(folder or ".") if ending and f.endswith(ending))
    except OSError:
        return ""
    return f"in that folder there are: {', '.join(beside[:6])}" if beside else ""
