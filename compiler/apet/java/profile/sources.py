"""The text of Java files, read as the translator reads them."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from pathlib import Path

from apet.ground.source_files import read_source
from apet.java.parse.class_files import roots_of

MODULE = "module-info.java"


def text_of(path: str) -> str:
    """The text of a file; `ApetError` where it cannot be read as UTF-8."""
    return read_source(path).text.replace("\r\n", "\n")


def compilable(path: str, folder: str) -> str:
    """The file as javac takes it: a copy below a folder where it begins with a mark of its encoding."""
    with open(path, "rb") as file:
        if file.read(len(BOM_UTF8)) != BOM_UTF8:
            return path
    copy = Path(folder) / "unmarked" / os.path.basename(path)
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(text_of(path), encoding="utf-8")
    return str(copy)


def folders_of(path: str) -> list[str]:
    """Where other classes of a source's program lie."""
    return roots_of(path, text_of(path))


def source_path_flags(roots: Iterable[str], folder: str) -> list[str]:
    """javac's option for where other classes lie. It would read a `module-info.java` there, and then refuse what the
    module requires and nobody has: a folder below `folder` takes the place of such a root, with links to the rest."""
    plain: list[str] = []
    for k, root in enumerate(roots):
        if os.path.exists(os.path.join(root, MODULE)):
            links = os.path.join(folder, f"root{k}")
            os.makedirs(links, exist_ok=True)
            for name in set(os.listdir(root)) - {MODULE}:
                os.symlink(os.path.join(os.path.abspath(root), name), os.path.join(links, name))
            root = links
        plain.append(os.path.abspath(root))
    return ["-sourcepath", os.pathsep.join(plain)]


def in_order(path: str, method: str, names: Sequence[str]) -> list[str]:
    """The sizes as `setup`, else the method, takes them: by its formals' names where all of them have a size."""
    text = text_of(path)
    for wanted in ("setup", re.escape(method)):
        for head in re.finditer(rf"\w\s+{wanted}\s*\(([^()]*)\)\s*(?:throws [\w., ]+)?\{{", text):
            formals = _named(head[1])
            if formals and set(formals) <= set(names):
                return formals
    return list(names)


def formals_of(path: str, method: str | None) -> set[str]:
    """What the methods of a file with this name (None: all of them) call their formals."""
    name = re.escape(method.partition("(")[0].rpartition(".")[2]) if method else r"\w+"
    heads = re.finditer(rf"[\w\]>]\s+{name}\s*\(((?:[^()]|\([^()]*\))*)\)\s*(?:throws [\w., ]+)?\{{", text_of(path))
    return {formal for head in heads for formal in _named(head[1])}


def _named(formals: str) -> list[str]:
    """The last name of each part, but for what stands in brackets: of Java, and of declarators of C."""
    parts = re.sub(r"\[[^\]]*\]", "", formals).split(",")
    return [names[-1] for part in parts if (names := re.findall(r"[^\W\d]\w*", part))]
