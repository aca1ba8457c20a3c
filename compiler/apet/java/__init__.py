"""Java task code as an application model, and Java measured on this machine.

In: Java source; a JDK where something is run. Out: the text of a PAMELA-E model, machine files, measured times.
Packages, in the order of the work: `parse` (two parsers, one syntax), `translator` (what calls, objects and
lambdas mean, on `program.translator`), `measure` (machine files), `bytecode` (code by its place in the source),
`profile` (counts from a run), `validate` (predicted beside measured); `harness` is the Java that runs and measures.
Start at `translation` (the stages of a translation in order).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apet.java.parse.reading import PARSERS
    from apet.java.translation import LEVELS, Translation, translate, translate_resolved

__all__ = ["LEVELS", "PARSERS", "Translation", "translate", "translate_resolved"]


def __getattr__(name: str) -> Any:
    """What the package offers, imported when it is first used: machine files are read without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = "apet.java.parse.reading" if name == "PARSERS" else "apet.java.translation"
    value = globals()[name] = getattr(import_module(home), name)
    return value
