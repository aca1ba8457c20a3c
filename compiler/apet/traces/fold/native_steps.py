"""The compiled folding: see `folding_core`."""

from __future__ import annotations

import ctypes
import os
from array import array
from itertools import islice
from typing import Any

from apet.core import Struct, library
from apet.traces.fold.steps import LONGEST, Flat

RANKS, ACTIONS, GREATEST, FORMS, LENGTH, GAPS, VOLUMES = range(7)
NODES, BASES, STEPS, RUNS = range(4)


def folding_library(build: bool) -> Any:
    """The compiled folding, or None."""
    return None if os.environ.get("APET_NATIVE", "1") == "0" else library()


class NativeFolding:
    """In C."""

    def __init__(self, library: Any, numbers: dict[str, str], longest: int = LONGEST) -> None:
        self.library = library
        table = "".join(f"{name} {kinds}\n" for name, kinds in numbers.items())
        self.state = ctypes.c_void_p(library.apet_fold_new(table.encode(), longest))
        if self.state.value is None:
            raise MemoryError

    def feed(self, text: bytes) -> bool:
        return bool(_made(self.library.apet_fold_feed(self.state, text, len(text))))

    def next_file(self) -> None:
        self.library.apet_fold_file(self.state)

    def _counts(self) -> Any:
        found = array("q", bytes(8 * 7))
        self.library.apet_fold_counts(self.state, found)
        return found

    def ranks(self) -> int:
        return max(0, int(self._counts()[RANKS]))

    def actions(self) -> int:
        return int(self._counts()[ACTIONS])

    def greatest(self) -> int:
        return int(self._counts()[GREATEST])

    def forms(self) -> list[str]:
        text = ctypes.create_string_buffer(int(self._counts()[LENGTH]) + 1)
        self.library.apet_fold_forms(self.state, text)
        return text.raw[: len(text) - 1].decode().split("\n")[:-1]

    def gaps(self) -> list[tuple[float, ...]]:
        sizes = self._counts()
        counts = array("q", bytes(8 * sizes[GAPS]))
        volumes = array("d", bytes(8 * sizes[VOLUMES]))
        self.library.apet_fold_gaps(self.state, counts, volumes)
        left = iter(volumes)
        return [tuple(islice(left, count)) for count in counts]

    def take(self, rank: int) -> Flat:
        sizes, rest = array("q", bytes(8 * 4)), array("d", [0.0])
        _made(self.library.apet_fold_rank(self.state, rank, sizes, rest))
        rooms = dict(codes=NODES, widths=NODES, lines=NODES, bases=BASES, stepped=NODES, steps=STEPS, counts=RUNS)
        columns: dict[str, Any] = {name: array("q", bytes(8 * sizes[size])) for name, size in rooms.items()}
        columns["values"] = array("d", bytes(8 * sizes[RUNS]))
        self.library.apet_fold_take(self.state, rank, Struct("Columns", **columns))
        return Flat(**columns, rest=rest[0])

    def close(self) -> None:
        self.library.apet_fold_free(self.state)


def _made(found: int) -> int:
    if found < 0:
        raise MemoryError
    return found
