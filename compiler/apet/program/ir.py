"""What a method does, between a language and the model: typed operations with their data flow, loops, branches, calls.

Both cost levels read this: the flat one counts the operations, the core one follows the data through them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from apet.program import types
from apet.program.algebra import Value
from apet.program.types import Type


class LineColumn(NamedTuple):
    """Line and column, both from 1."""

    line: int
    column: int


NO_VALUE = -1
"""Stands for the number of a value that no operation makes: that of a literal."""


@dataclass(frozen=True)
class Access:
    """One element of an array: the array by a name within the method, and its subscripts (None where not affine)."""

    array: str
    subscripts: tuple[Value | None, ...]
    gathered: bool  # a subscript was itself loaded from memory
    extent: Value | None = None  # bytes of the whole array, where its lengths are known


class Operand(Enum):
    """What a compiler knows of an operand or a result, and makes another operation of."""

    POWER = "a divisor that is a power of two"
    CONSTANT = "another divisor that is known"
    SQUARE = "an exponent that is 2"
    OPENED = "the last of several values, the result of a method that stands in place of its call"
    RETURNED = "what a method returns"


@dataclass(frozen=True)
class Op:
    """One operation. `result` numbers its value, `inputs` the values that it needs; `variable` is what an access reads
    and an assignment writes; `memory` is the element of an array that is loaded or stored; `bytes` is the size of the
    object that is made or visited."""

    name: str
    type: Type | None
    inputs: tuple[int, ...] = ()
    result: int = -1
    variable: str = ""
    memory: Access | None = None
    store: bool = False
    control: bool = False  # of a loop's own counting: free where the compiler keeps the counter in a register
    bytes: int = 0
    operand: Operand | None = None
    place: str = ""  # of a visit of an object, or a change of an element: "File.java:line: the object of column 5"


@dataclass(frozen=True)
class Condition:
    """What is known of a branch's condition: a comparison of values, where both sides are known."""

    relation: str
    left: Value | None
    right: Value | None
    inputs: tuple[int, ...] = ()
    on_class: bool = False
    """Whether it asks which class an object has."""
    indirect: bool = False
    """Whether these are more classes than a compiler tests one by one: an indirect jump."""

    @property
    def predictable(self) -> bool:
        """Whether both sides are known as values of counters and parameters: such a branch has a simple pattern."""
        return self.left is not None and self.right is not None


NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
"""The relation that holds where another does not."""


@dataclass(frozen=True)
class CodeBranch:
    """`then` with a probability, else `otherwise`; `leaves` tells that `then` or `otherwise` never falls through."""

    probability: Value
    then: Items
    otherwise: Items
    condition: Condition | None
    at: LineColumn
    leaves: bool = False


@dataclass(frozen=True)
class Weighted:
    """What runs only with a probability because something before it may have jumped away; what holds a `lock`."""

    probability: Value
    body: Items
    at: LineColumn
    lock: str = ""


@dataclass(frozen=True)
class CodeLoop:
    """`body` for `index` from `low` to `high`, each round with the weight that none before it left the loop.

    `low` and `high` are None for a loop whose rounds are the parameter `rounds`. `control` is the part of the body that
    counts and compares. `counted` says that a compiler knows the number of rounds beforehand. `leaves` is the
    probability of leaving it in one round.
    """

    index: str
    low: Value | None
    high: Value | None
    rounds: Value
    body: Items
    counted: bool
    step: int
    counter: str
    leaves: Value
    at: LineColumn
    weighted: bool = False
    further: bool = False  # a further condition ends it, too
    chunk: int | None = None  # rounds that P threads take in turn, 0 for equal parts; None: one thread runs all


@dataclass(frozen=True)
class Repeat:
    """`body` so many times, with nothing else to it: the elements of a new array."""

    times: Value
    body: Items


@dataclass(frozen=True)
class Callee:
    """A call of a translated method, with the values of the formals that its equation needs."""

    equation: str
    arguments: tuple[Value, ...]
    at: LineColumn
    operands: tuple[int, ...] = ()
    """The numbers of what it is called on and of its arguments, -1 for those without."""
    result: int = -1
    recursive: bool = False
    formal_values: tuple[Value | None, ...] = ()

    @property
    def inputs(self) -> tuple[int, ...]:
        """The values that it needs."""
        return tuple(v for v in self.operands if v >= 0)


Item = Op | CodeBranch | Weighted | CodeLoop | Repeat | Callee
Items = tuple["Item", ...]


class ParameterKind(Enum):
    """What a parameter stands for, and so what a run counts for it at its site."""

    TEST = "how often a condition holds"
    CASE = "how often a case of a switch is taken where none before it was"
    HANDLER = "how often a handler is entered for each time that its body is"
    THROWN = "how often a statement or call ends with an exception"
    RECEIVER = "how often a call is that of a class, of the calls that are of none before it"
    ROUNDS = "rounds of a loop each time that it is entered"
    CALLS = "calls of a recursive method for each one from outside"
    UNSEEN = "calls of a method that no code of the program makes, in one run"
    ARGUMENT = "mean of a formal, over all calls of its method"
    LAMBDA = "calls of a lambda by the call that it is given to"
    ELEMENTS = "elements that a library call works on"
    STREAM = "elements of a stream"
    LENGTH = "length of a new array"
    LOCAL = "what a local variable begins with"
    FORMAL = "what the task is called with, or a method that prepares it"
    FORMAL_LENGTH = "length of an array that is a formal"
    FIELD = "what a field holds"
    FIELD_LENGTH = "length of an array that a field holds"
    MISSED = "mispredictions of a branch, each time"
    MISSED_SELECT = "the same of one that a compiler may turn into a selection"
    MISSED_TARGET = "mispredictions of where a call goes, each time"
    SHUFFLED = "lines out of order that a visit of an object brings"
    ORDERED = "lines in order that a visit of an object brings"
    SPREAD = "bytes visited between two visits of a line"
    OTHER = "what no run counts by a site"


OTHERS = "others"
"""The `variable` of calls that count as from outside wherever the method itself has not made them."""


class ParameterSite(NamedTuple):
    """Where a run counts for a parameter: the file's name without folders, the place, and which of the parameters of
    its kind there it is, from 0: a method that is translated for two lambdas has two at each of its places.

    `owner` is the class (of a method, a field, a receiver), `member` its method, constructor or field, `variable` the
    formal or local variable, `dimension` that of a length, from 1.
    """

    file: str
    at: LineColumn
    ordinal: int = 0
    owner: str = ""
    member: str = ""
    variable: str = ""
    dimension: int = 0


@dataclass
class SourceNote:
    """A parameter or a library operation, with what it stands for and where."""

    name: str
    text: str
    at: LineColumn
    value: Value | None = None
    low: Value | None = None
    high: Value | None = None
    kind: ParameterKind = ParameterKind.OTHER
    site: ParameterSite | None = None


@dataclass
class Body:
    """A translated method: its formals in the equation and what it does."""

    name: str
    formals: tuple[str, ...]
    items: Items
    at: LineColumn


ALLOCATIONS = ("new", "new_byte", "new_matrix", "new_row")
"""An object; a byte of an array; an array of arrays whose lengths only the run knows, and each array in it; a byte
that a collection copies."""
VALUE = "value"
"""The field of a box that holds its number."""
OBJECT, BOX, ELEMENT = "the object of column", "the box of column", "the element of column"
"""What the place of a visit says is visited there."""


def operation_name(op: Op) -> str:
    """An operation as models write it: its name, then its type where it has one."""
    return op.name if op.type is None else f"{op.name}_{types.word(op.type)}"
