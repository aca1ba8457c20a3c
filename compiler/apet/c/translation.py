"""C source to the text of a PAMELA-E model: what is read becomes the syntax that the translator takes."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from apet.c import errors
from apet.c.parse.flags import flags_of, sources_beside
from apet.c.parse.reading import read_unit
from apet.c.program import CProgram
from apet.c.translator import CTranslator
from apet.cost import deep_recursion
from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.program.algebra import Value
from apet.program.translation import Translation, translation_of
from apet.program.translator.entries import entry_method
from apet.program.translator.state import TranslationState

MOST_RECENT = 4
_recent: dict[tuple[object, ...], Translation] = {}
"""Translations by source, entry, level and flags."""


def translate(
    source: Source,
    entry: str | None = None,
    level: str = "flat",
    counted: bool = False,
    wrapped: AbstractSet[tuple[Value, str]] = frozenset(),
    flags: Sequence[str] = (),
) -> Translation:
    """The model of a C function.

    `entry` is the function's name; `level` one of the levels of Java; `flags` are those of the compiler, else those of
    `compile_commands.json` count. One that is `counted` asks a run for what closed forms only guess. Raises
    `ApetError` for what is no C, without libclang, and for an entry that is missing.
    """
    if not source.name.lower().endswith(".c"):
        raise ApetError(errors.CPlusPlus(None, None, source.name))
    options = flags_of(source.name, flags)
    key = (source.name, source.text, entry, level, counted, wrapped, options, *sources_beside(source.name))
    if key not in _recent:
        while len(_recent) >= MOST_RECENT:
            del _recent[next(iter(_recent))]
        with paused_collector(), deep_recursion():
            _recent[key] = _translated(source, entry, level, counted, wrapped, options)
    return _recent[key]


translate_resolved = translate


def _translated(
    source: Source,
    entry: str | None,
    level: str,
    counted: bool,
    wrapped: AbstractSet[tuple[Value, str]],
    options: Sequence[str],
) -> Translation:
    unit = read_unit(source, options)

    def begin(careful: bool) -> CTranslator:
        program = CProgram(unit.classes)
        function = entry_method(program, source, entry)
        state = TranslationState(program, unit.sources, function, counted=counted, wrapped=wrapped, careful=careful)
        state.unsupported |= unit.notes
        state.vectors = False  # cc -O2 keeps rounds apart whose number it does not know
        return CTranslator(state, function)

    return translation_of(begin, level)
