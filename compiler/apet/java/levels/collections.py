"""Young collections: what is alive when the young generation is full is copied, at a time for each byte.

What is dead costs nothing more than its allocation, which the operations `new` and `new_byte` contain.
"""

from __future__ import annotations

from apet.java.parse.syntax import LineColumn
from apet.java.translator.algebra import ZERO, as_value
from apet.java.translator.free_names import walk
from apet.java.translator.ir import Items, Op, ParameterKind, Repeat, SourceNote
from apet.java.translator.operations import ALLOCATIONS

MEASURED_BYTES = 24
"""Bytes of the object whose allocation `apet benchmark` times as `new`."""
COPIED = SourceNote(
    "copied_B", "bytes that young collections copy in a run", LineColumn(1, 1), ZERO, kind=ParameterKind.COPIED
)
COPYING: Items = (Repeat(as_value(COPIED.name), (Op("copy_byte", None),)),)
"""The collections of a run."""


def allocates(items: Items) -> bool:
    """Whether items make objects or texts: what libraries allocate, they put into such objects, or drop."""
    return any(isinstance(i, Op) and (i.name in ALLOCATIONS or i.name == "concat") for i in walk(items))
