"""What javac makes of names: the method that a call means, and the types of expressions, by their places.

Its answer is exact where sources compile: overloads, boxing, type variables, lambdas, inferred types. It is asked at
most once, and only if a translation meets a name that the sources alone leave open.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.java.harness_classes import harness_classes
from apet.java.jvm import SOURCES, find_jdk, run_java, sharing
from apet.program.ir import LineColumn
from apet.program.types import Type

SECONDS = 60.0
"""After which javac is stopped: of what it would have said, nothing is known."""
FLAGS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss16m")
_PART = re.compile(r"[^<>,\[\]]+|<|>|,|\[\]")


class ResolvedName(NamedTuple):
    """A call, a new object, a field or a variable: the class that declares it, whether a source of that is at hand, the
    formals as they are declared; the types of its target and of the whole (unknown where javac knows none)."""

    owner: str
    own: bool
    formals: tuple[Type, ...]
    target: Type
    type: Type


Names = Mapping[tuple[str, int, int], ResolvedName]
"""By file, line and column."""


class Resolution:
    """Asks javac about a file and the sources that it needs; without a path, and without a JDK, nothing is known."""

    def __init__(self, path: str = "", folders: Sequence[str] = ()) -> None:
        self.path = path
        self.folders = folders

    def name(self, file: str, at: LineColumn) -> ResolvedName | None:
        """What stands at a place of a file; None where nothing is known of it."""
        return self._names.get((os.path.abspath(file), *at)) if self.path else None

    @cached_property
    def _names(self) -> Names:
        path = os.path.abspath(self.path)
        try:
            return _asked(path, tuple(self.folders), os.stat(path).st_mtime_ns)
        except (ApetError, OSError):  # no JDK, no file, or a source that javac cannot digest: the sources have to do
            return {}


@lru_cache(maxsize=64)
def _asked(path: str, folders: tuple[str, ...], modified_ns: int) -> Names:
    """javac's answer about a file; a profile asks for the same one as the translation before it."""
    jdk = find_jdk()
    harness = harness_classes(jdk)
    words = [*FLAGS, *sharing(harness), "-cp", harness, "Resolve", os.pathsep.join((*folders, str(SOURCES))), path]
    rows = (line.split("\t") for line in run_java(jdk, words, "javac", SECONDS).splitlines())
    return {(row[0], int(row[1]), int(row[2])): _resolved(row) for row in rows if len(row) == 8}


def _resolved(row: Sequence[str]) -> ResolvedName:
    owner, own, formals, target, kind = row[3:]
    declared = tuple(parsed_type(f) for f in formals.split(";")) if formals else ()
    return ResolvedName(owner, own == "1", declared, parsed_type(target), parsed_type(kind))


def parsed_type(text: str) -> Type:
    """A type as `Resolve.java` writes it: `Map<String,int[]>`."""
    parts = _PART.findall(text)[::-1]
    return _type(parts) if parts else Type("")


def _type(parts: list[str]) -> Type:
    """The type that the parts begin with; they are in reverse order and are used up."""
    name = "" if parts[-1] in "<>,[]" else parts.pop()
    arguments: list[Type] = []
    if parts and parts[-1] == "<":
        while parts.pop() != ">":
            arguments.append(_type(parts))
    dimensions = 0
    while parts and parts[-1] == "[]":
        parts.pop()
        dimensions += 1
    return Type(name, dimensions, tuple(arguments))
