"""The lines of a trace as sequences of symbols, folded by the core while they are read (`folding.c`, `loops.c`).

A symbol is the form of a line, where each number that may advance from iteration to iteration is a `PLACE`, and those
numbers. Computing is no step: its volume is kept with the step that follows. Several volumes before one step, or none
above 0, are a gap: a number below 0, -1 for the first of them.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from apet.core import Struct, library
from apet.traces.trace import WAIT_TAGS

PLACE = "\x01"
AFTER = "?"
"""In place of a number that is put aside: it is among the volumes before the step, behind those."""
LONGEST = 1 << 15
"""Steps and loops of a rank that are kept before numbers that advance are looked for, ahead of the end."""
NUMBERS = {
    **dict.fromkeys(("send", "isend", "ssend", "issend", "recv", "irecv"), "pii"),
    "wait": "ppi",
    "sendrecv": "ipip",
    **dict.fromkeys(("bcast", "allgather", "alltoall"), "ii"),
    **dict.fromkeys(("reduce", "allreduce", "scan", "exscan"), "i"),
    **dict.fromkeys(("gather", "scatter"), "iii"),
}
NUMBERS |= {name: NUMBERS[name[1:]] for name in WAIT_TAGS if name[1:] in NUMBERS}
"""By action, what its words are: p another rank, which counts modulo their number, i a whole number."""
SIZES = {name: kinds if "pi" in kinds[:3] else kinds.replace("i", "s") for name, kinds in NUMBERS.items()}
SIZES |= {name: "pis" for name, kinds in NUMBERS.items() if kinds == "pii"} | {"sendrecv": "spsp"}
SIZES |= dict.fromkeys(("allgatherv", "alltoallv", "reducescatter"), "2") | dict.fromkeys(("gatherv", "scatterv"), "3")
SIZES |= {f"i{name}": kinds for name, kinds in SIZES.items() if f"i{name}" in WAIT_TAGS}
"""The same where sizes, s, are put aside: a digit says how many words at the end of many are none."""
RANKS, ACTIONS, NUMBERS_IN_FORMS, FORMS, LENGTH, GAPS, VOLUMES, LEFT = range(8)
"""What the core counts."""
NODES, BASES, STEPS, RUNS = range(4)
"""Sizes of a folded rank."""
MOST_ITERATIONS = 1 << 40
"""Loops of more have a list of those by execution, whose length comes on top."""
BY_NODE = ("codes", "widths", "lines", "stepped")


class FoldedRank(NamedTuple):
    """A folded rank in the order of its lines. By node: the number of its form, or minus the iterations of a loop; the
    number of runs of volumes, or of nodes in a loop; its first line; how many `steps` a loop has. `bases` are the
    numbers of all steps, `steps` by how much those in a loop advance, `values` and `counts` the runs; `rest` is the
    volume after the last step. Runs of a loop say how often it iterates, by execution."""

    codes: Sequence[int]
    widths: Sequence[int]
    lines: Sequence[int]
    bases: Sequence[int]
    stepped: Sequence[int]
    steps: Sequence[int]
    values: Sequence[float]
    counts: Sequence[int]
    rest: float


class Folding:
    """Folds lines as they come; to be closed. `numbers` says by action what its words are; `counts_aside`: loops of
    equal bodies are alike, however often they iterate."""

    def __init__(self, numbers: dict[str, str], counts_aside: bool = False, longest: int = LONGEST) -> None:
        self.library = library()
        table = "".join(f"{name} {kinds}\n" for name, kinds in numbers.items())
        self.state = ctypes.c_void_p(self.library.apet_fold_new(table.encode(), longest, counts_aside))
        if self.state.value is None:
            raise MemoryError

    def feed(self, text: bytes) -> bool:
        """Read whole lines; False where one is not plain, and has to be read by other means."""
        return bool(_checked(self.library.apet_fold_feed(self.state, text, len(text))))

    def next_file(self) -> None:
        """The next line is the first of another file."""
        self.library.apet_fold_file(self.state)

    def _counts(self) -> Any:
        counts = array("q", bytes(8 * 8))
        self.library.apet_fold_counts(self.state, counts)
        return counts

    def ranks(self) -> int:
        """The number of ranks; 0 if one has no line."""
        return max(0, int(self._counts()[RANKS]))

    def left(self) -> int:
        """The most steps and loops that a rank has so far."""
        return int(self._counts()[LEFT])

    def actions(self) -> int:
        """The number of actions so far."""
        return int(self._counts()[ACTIONS])

    def forms(self) -> list[str]:
        """The forms by their numbers."""
        text = ctypes.create_string_buffer(int(self._counts()[LENGTH]) + 1)
        self.library.apet_fold_forms(self.state, text)
        return text.raw[: len(text) - 1].decode().split("\n")[:-1]

    def greatest_lines(self) -> list[str]:
        """The forms with the greatest number of all lines in each place."""
        greatest = array("q", bytes(8 * self._counts()[NUMBERS_IN_FORMS]))
        self.library.apet_fold_greatest(self.state, greatest)
        left = map(str, greatest)
        return ["".join(next(left) if c == PLACE else c for c in form) for form in self.forms()]

    def gaps(self) -> list[tuple[float, ...]]:
        """The volumes of gaps by their numbers; complete when all ranks are taken."""
        sizes = self._counts()
        counts = array("q", bytes(8 * sizes[GAPS]))
        volumes = array("d", bytes(8 * sizes[VOLUMES]))
        self.library.apet_fold_gaps(self.state, counts, volumes)
        left = iter(volumes)
        return [tuple(islice(left, count)) for count in counts]

    def take(self, rank: int) -> FoldedRank:
        """A rank at its end; once."""
        sizes, rest = array("q", bytes(8 * 4)), array("d", [0.0])
        _checked(self.library.apet_fold_rank(self.state, rank, sizes, rest))
        rooms = {"bases": BASES, "steps": STEPS, "counts": RUNS, **dict.fromkeys(BY_NODE, NODES)}
        columns: dict[str, Any] = {name: array("q", bytes(8 * sizes[size])) for name, size in rooms.items()}
        columns["values"] = array("d", bytes(8 * sizes[RUNS]))
        self.library.apet_fold_take(self.state, rank, Struct("Columns", **columns))
        return FoldedRank(**columns, rest=rest[0])

    def close(self) -> None:
        """Give back memory."""
        self.library.apet_fold_free(self.state)


def listed_counts(code: int) -> int:
    """Of a node the number of runs that say how often a loop iterates; 0 where that is always the same."""
    return max(0, -code - MOST_ITERATIONS)


def _checked(result: int) -> int:
    if result < 0:
        raise MemoryError
    return result
