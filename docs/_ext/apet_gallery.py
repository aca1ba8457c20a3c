"""The directive `apet-picture`: a command on the samples, and the picture that it draws while the pages are built.

The content is a command with `--plot NAME.svg` or `-o NAME.svg`. It runs in the checkout; what it drew is kept
until APET's sources, its data or the command change.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import shlex
from functools import cache
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "docs" / "_build" / "gallery"
READ = {".py", ".c", ".lark", ".toml", ".pam", ".pasl", ".csv", ".txt", ".json", ".xml"}
DRAWN = re.compile(r"(?:--plot|--gantt|-o) (\S+\.svg)")


class ApetPicture(SphinxDirective):
    """`:alt:` describes the picture for those who do not see it."""

    has_content = True
    option_spec: ClassVar = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        command = " ".join(line.strip().removesuffix("\\") for line in self.content)
        picture = drawn(command)
        self.env.note_reread()
        block = nodes.literal_block(command, f"$ {command}", language="console")
        shown = f"/{os.path.relpath(picture, self.env.srcdir)}"
        image = nodes.image(uri=shown, alt=self.options.get("alt", command), classes=["only-picture"])
        return [image, block]


def drawn(command: str) -> Path:
    """The picture of a command; RuntimeError where it fails."""
    name = DRAWN.search(command)
    if name is None:
        raise ValueError(f"draws no .svg: {command}")
    path = KEPT / f"{Path(name[1]).stem}-{hashlib.sha256((state() + command).encode()).hexdigest()[:12]}.svg"
    if not path.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"making-{os.getpid()}-{path.name}")
        _call(command.replace(name[1], str(temporary)))
        temporary.rename(path)
    return path


@cache
def state() -> str:
    """A digest of everything that a picture may depend on."""
    digest = hashlib.sha256()
    for folder in ("compiler", "grammar", "machines", "samples"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and path.suffix in {
                ".py",
                ".c",
                ".lark",
                ".toml",
                ".pam",
                ".pasl",
                ".txt",
                ".json",
                ".xml",
            }:
                digest.update(path.read_bytes())
    return digest.hexdigest()


def _call(command: str) -> None:
    from apet.cli.main import main

    printed = io.StringIO()
    with contextlib.chdir(ROOT), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = main(shlex.split(command)[1:])
    if status:
        raise RuntimeError(f"$ {command}\n{printed.getvalue()}")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("apet-picture", ApetPicture)
    return {"parallel_read_safe": True}
