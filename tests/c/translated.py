"""Models of C functions that tests write themselves."""

from __future__ import annotations

from apet import c
from apet.ground.source import Source
from apet.program.translation import Translation


def translated(text: str, entry: str | None = None, level: str = "flat", *flags: str) -> Translation:
    """The translation of a text as if it stood in `task.c`."""
    return c.translate(Source("task.c", text), entry, level, flags=flags)


def body(text: str, entry: str = "f") -> str:
    """The equations of a function at the flat level, in one line each."""
    model = translated(text, entry).text
    return "\n".join(" ".join(block.split()) for block in model.split("\n\n") if "[p]" in block)


def parameters(text: str, entry: str = "f") -> list[str]:
    """The names of the parameters of a function's model."""
    return [line.split()[1].rstrip(";") for line in translated(text, entry).text.splitlines() if line[:6] == "param "]
