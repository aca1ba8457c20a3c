"""The compiled folding: see `folding_core`."""

from __future__ import annotations

import ctypes
from array import array
from itertools import islice
from pathlib import Path
from typing import Any

from apet import compiled
from apet.traces.fold.steps import LONGEST, Flat

SOURCE = Path(__file__).parent / "folding_core" / "folding.c"
OPTIONS = ("-O2", "-fPIC", "-shared", "-lm")
RANKS, ACTIONS, GREATEST, FORMS, LENGTH, GAPS, VOLUMES = range(7)
NODES, BASES, STEPS, RUNS = range(4)


def folding_library(build: bool) -> Any:
    """The compiled folding, or None."""
    found = compiled.library(SOURCE, OPTIONS, build)
    if found is not None:
        found.apet_fold_new.restype = ctypes.c_void_p
        found.apet_fold_feed.restype = found.apet_fold_rank.restype = ctypes.c_int64
    return found


class NativeFolding:
    """In C."""

    def __init__(self, library: Any, numbers: dict[str, str], longest: int = LONGEST) -> None:
        self.library = library
        table = "".join(f"{name} {kinds}\n" for name, kinds in numbers.items())
        self.state = ctypes.c_void_p(library.apet_fold_new(table.encode(), ctypes.c_int64(longest)))
        if self.state.value is None:
            raise MemoryError

    def feed(self, text: bytes) -> bool:
        return bool(_made(self.library.apet_fold_feed(self.state, text, ctypes.c_int64(len(text)))))

    def next_file(self) -> None:
        self.library.apet_fold_file(self.state)

    def _counts(self) -> Any:
        found = (ctypes.c_int64 * 7)()
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
        places = (ctypes.c_void_p(each.buffer_info()[0]) for each in (counts, volumes))
        self.library.apet_fold_gaps(self.state, *places)
        left = iter(volumes)
        return [tuple(islice(left, count)) for count in counts]

    def take(self, rank: int) -> Flat:
        sizes, rest = (ctypes.c_int64 * 4)(), ctypes.c_double()
        _made(self.library.apet_fold_rank(self.state, ctypes.c_int64(rank), sizes, ctypes.byref(rest)))
        lengths = [sizes[k] for k in (NODES, NODES, NODES, BASES, NODES, STEPS, RUNS)]
        columns = [array("q", bytes(8 * length)) for length in lengths]
        values = array("d", bytes(8 * sizes[RUNS]))
        places = [*(c.buffer_info()[0] for c in columns), values.buffer_info()[0]]
        self.library.apet_fold_take(self.state, ctypes.c_int64(rank), (ctypes.c_void_p * 8)(*places))
        codes, widths, lines, bases, stepped, steps, counts = columns
        return Flat(codes, widths, lines, bases, stepped, steps, values, counts, rest.value)

    def close(self) -> None:
        self.library.apet_fold_free(self.state)


def _made(found: int) -> int:
    if found < 0:
        raise MemoryError
    return found
