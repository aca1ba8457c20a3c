"""Java task code as an application model, and Java measured on this machine.

In: Java source; a JDK where something is run. Out: the text of a PAMELA-E model, machine files, measured times.
Packages, in the order of the work: `parse` (two parsers, one syntax), `translator` (syntax to typed operations),
`levels` (flat and core: what operations cost), `measure` (machine files), `profile` (trip counts from a run),
`jdk_calls` (times of library calls from their source),
`validate` (predicted beside measured). Start at `translation` (the stages of a translation in order).
"""

from apet.java.parse.reading import PARSERS
from apet.java.translation import LEVELS, Translation, translate, translate_resolved

__all__ = ["LEVELS", "PARSERS", "Translation", "translate", "translate_resolved"]
