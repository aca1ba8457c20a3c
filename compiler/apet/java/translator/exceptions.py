"""Which handlers take which exceptions, by the classes of the program and those of the JDK; and what `throw` costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program.jumps import Jumps
from apet.program.translator.exceptions import THROW, catches
from apet.program.translator.facts import Instance
from apet.program.translator.statements import ALWAYS

if TYPE_CHECKING:
    from apet.java.translator.program import JavaProgram
    from apet.java.translator.translator import JavaTranslator

EVERYTHING = ("Throwable", "Exception", "RuntimeException")
_ABOVE = {
    "RuntimeException": (
        *("ArithmeticException", "ArrayStoreException", "ClassCastException", "ConcurrentModificationException"),
        *("EmptyStackException", "IllegalArgumentException", "IllegalMonitorStateException", "IllegalStateException"),
        *("IndexOutOfBoundsException", "NegativeArraySizeException", "NoSuchElementException", "NullPointerException"),
        *("SecurityException", "UncheckedIOException", "UnsupportedOperationException", "DateTimeException"),
    ),
    "IllegalArgumentException": ("NumberFormatException", "IllegalFormatException", "PatternSyntaxException"),
    "IndexOutOfBoundsException": ("ArrayIndexOutOfBoundsException", "StringIndexOutOfBoundsException"),
    "NoSuchElementException": ("InputMismatchException",),
    "IOException": ("FileNotFoundException", "EOFException", "UTFDataFormatException"),
    "Exception": (
        *("RuntimeException", "IOException", "CloneNotSupportedException", "InterruptedException"),
        *("ReflectiveOperationException", "TimeoutException", "ExecutionException"),
    ),
    "Error": ("AssertionError", "OutOfMemoryError", "StackOverflowError", "VirtualMachineError"),
    "Throwable": ("Exception", "Error"),
}
_PARENT = {below: above for above, names in _ABOVE.items() for below in names}
"""The classes that exceptions of the JDK extend."""


def is_caught(program: JavaProgram, thrown: str, wanted: str) -> bool | None:
    """Whether a handler of one class takes exceptions of another; None where nobody knows."""
    seen = thrown
    while seen:
        if seen == wanted:
            return True
        declared = program.get(seen)
        above = declared.parents[0] if declared is not None and declared.parents else _PARENT.get(seen, "")
        if not above:
            return False if seen == "Throwable" else None
        seen = above
    return None


def throw(t: JavaTranslator, thrown: s.Throw) -> Jumps:
    value, program = t.evaluate(thrown.value), t.program
    names = {c.name for c in program.line(value.type.name)}
    is_untraced = names & program.untraced or program.method(value.type.name, "fillInStackTrace", ()) is not None
    # Most of the time of `throw` is a walk up the stack; without it there is a jump to where the handler is looked up.
    t.op("call_virtual" if is_untraced else "throw", None, value)
    kind = value.fact.type.name if isinstance(value.fact, Instance) else value.type.name
    return Jumps({f"{THROW}{kind}" if catches(t) else "return": ALWAYS})
