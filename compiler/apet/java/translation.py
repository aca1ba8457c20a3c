"""Java source to the text of a PAMELA-E model: the stages in order."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress

from apet.cost import deep_recursion
from apet.ground.collection import paused_collector
from apet.ground.source import Source
from apet.java.parse.class_files import roots_of
from apet.java.parse.javac import Resolution
from apet.java.parse.reading import Beside, read_unit
from apet.java.translator.program import JavaProgram
from apet.java.translator.translator import JavaTranslator
from apet.program.algebra import Value
from apet.program.translation import LEVELS as LEVELS
from apet.program.translation import Translation as Translation
from apet.program.translation import translation_of
from apet.program.translator.entries import entry_method
from apet.program.translator.state import TranslationState

MOST_RECENT = 4


_recent: dict[tuple[object, ...], Translation] = {}
"""Translations by source, level, files beside and entry."""


def translate(
    source: Source,
    entry: str | None = None,
    level: str = "core",
    parser: str = "auto",
    source_path: Sequence[str] = (),
    resolved: bool = False,
    counted: bool = False,
    wrapped: AbstractSet[tuple[Value, str]] = frozenset(),
) -> Translation:
    """The model of a Java task.

    `entry` is `Class.method` or `method`, with types in brackets where it is overloaded; `level` is one of `LEVELS`.
    Classes are looked for beside the file, then in the folders of `source_path`. With `resolved`, javac is asked for
    what the sources leave open (of a file on disk, and where there is a JDK). One that is `counted` asks a run for
    what closed forms only guess. Of the numbers that are `wrapped` only the low bits count. Raises
    `ApetError` for what is no Java, and for an entry that is missing or not clear.
    """
    with paused_collector(), deep_recursion():
        folders = (*roots_of(source.name, source.text), *source_path)
        resolution = Resolution(source.name, folders) if resolved else Resolution()
        beside = Beside(source, parser, source_path)
        unit = read_unit(source, parser)

        def begin(careful: bool) -> JavaTranslator:
            program = JavaProgram(unit.classes, beside, beside.files.static, resolution)
            method = entry_method(program, source, entry)
            state = TranslationState(program, beside.sources, method, counted=counted, wrapped=wrapped, careful=careful)
            return JavaTranslator(state, method)

        return translation_of(begin, level)


def translate_resolved(
    source: Source,
    entry: str | None = None,
    level: str = "core",
    counted: bool = False,
    wrapped: AbstractSet[tuple[Value, str]] = frozenset(),
) -> Translation:
    """`translate` with what javac knows, for tasks that are going to be run.

    The last few are kept: a prediction from a run asks for that of its task again and again, by one name or another.
    """
    task = (source.name, source.text, level, counted, wrapped, _beside(source.name))
    translation = _recent.get((*task, entry))
    if translation is None:
        while len(_recent) >= MOST_RECENT:
            del _recent[next(iter(_recent))]
        translation = translate(source, entry, level, resolved=True, counted=counted, wrapped=wrapped)
        title = re.match(r"// .*?: (?P<entry>.*), \w+ level$", translation.text, re.MULTILINE)
        _recent[(*task, entry)] = translation
        if title is not None:
            _recent[(*task, title["entry"])] = translation
    return translation


def _beside(path: str) -> tuple[tuple[str, int], ...]:
    """The files beside a source, and when each was changed."""
    with suppress(OSError), os.scandir(os.path.dirname(path) or ".") as entries:
        return tuple(sorted((e.name, e.stat().st_mtime_ns) for e in entries if e.name.endswith(".java")))
    return ()
