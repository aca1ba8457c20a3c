"""C task code as an application model, and C measured on this machine.

In: C source and its compile flags; a C compiler where something is run. Out: the text of a PAMELA-E model, machine
files, counts of a run. Packages, in the order of the work: `parse` (libclang's tree as the syntax that the translator
reads), `measure` (machine files), `profile` (counts from a run); Start at `translation` (the stages in order).
"""

from apet.c.translation import translate, translate_resolved
from apet.program.front_ends import FRONT_ENDS

FRONT_ENDS[".c"] = translate_resolved

__all__ = ["translate", "translate_resolved"]
