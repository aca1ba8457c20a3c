"""Event traces in the Open Trace Format 2, as Score-P and others write them, made time-independent.

In: an archive. Out: a `Trace`. Start at `reader`.
"""

from apet.traces.otf2.reader import is_otf2, read_otf2

__all__ = ["is_otf2", "read_otf2"]
