"""Java sources in an archive, such as the `src.zip` of a JDK: classes by their simple names."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java.parse.declarations import Class
from apet.java.parse.reading import read_unit

_MEMBER = re.compile(r"java\.base/(?P<package>java/.*|jdk/internal/util)/(?P<name>\w+)\.java")
PACKAGES = ("java/lang", "java/util", "java/util/function", "java/math", "jdk/internal/util")
"""Of classes with one name, that of the first of these packages is meant."""
THROWN = ("Exception", "Error", "Throwable")
"""What classes end with that are not opened: walking up the stack is not Java."""


class SourceArchive:
    """The classes of `java.base` in an archive; each file is parsed at most once."""

    def __init__(self, path: str) -> None:
        """Raises `OSError` or `BadZipFile` for what is no archive."""
        self.path = path
        self.sources: dict[str, Source] = {}
        self._classes: dict[str, Sequence[Class]] = {}
        with open(path, "rb") as file:
            if not is_zipfile(file):
                raise BadZipFile(path)

    @cached_property
    def _zip(self) -> ZipFile:
        return ZipFile(self.path)

    @cached_property
    def _members(self) -> Mapping[str, str]:
        """Files by the simple name of their class; read at need, since a JDK has twelve thousand."""
        members: dict[str, str] = {}
        named = (m for member in self._zip.namelist() if (m := _MEMBER.fullmatch(member)) is not None)
        for m in sorted(named, key=lambda m: _rank(m["package"])):
            if not m["name"].endswith(THROWN):
                members.setdefault(m["name"], m[0])
        return members

    def __call__(self, name: str) -> Sequence[Class]:
        """The classes of the file of a class; none where there is no such file, or it cannot be read."""
        if name not in self._classes:
            self._classes[name] = self._read(self._members[name]) if name in self._members else ()
        return self._classes[name]

    def _read(self, member: str) -> Sequence[Class]:
        source = Source(os.path.join(self.path, member), self._zip.read(member).decode(errors="replace"))
        try:
            classes = read_unit(source).classes
        except ApetError:
            return ()
        self.sources[source.name] = source
        return classes


def _rank(package: str) -> tuple[int, str]:
    return PACKAGES.index(package) if package in PACKAGES else len(PACKAGES), package


@lru_cache(maxsize=1)
def jdk_archive() -> SourceArchive | None:
    """The sources of the JDK in use, else of another that is installed; None where there are none."""
    javac = shutil.which("javac")
    homes = [Path(os.environ.get("JAVA_HOME") or os.devnull)]
    homes += [] if javac is None else [Path(javac).resolve().parents[1]]
    homes += sorted(Path("/usr/lib/jvm").glob("*"))
    for home in homes:
        try:
            return SourceArchive(str(home / "lib" / "src.zip"))
        except (OSError, BadZipFile):
            continue
    return None
