"""A design space: its size without enumeration, and any rows of it from their numbers.

Rows are numbered like a counter whose last axis turns fastest. What chooses machines turns slowest, since predictions
for one machine choice are made together: machine files, then numbers of processors and machine quantities in the order
given, then parameters in the order given. Rows are made chunk by chunk; within a chunk they are gathered by machine
choice, predicted, and put back in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from apet.ground.interval import Number
from apet.questions.sweep.ranges import Cells, Values, exact_value

MACHINES = "machines"
PROCESSORS = "P"
LEAST_CHUNK, MOST_CHUNK, CHUNKS = 1024, 16_384, 32
GREATEST_SPACE = 2**62


@dataclass(frozen=True)
class Axis:
    """Names that vary together: the k-th values of all of them make the k-th point of the axis."""

    names: tuple[str, ...]
    values: tuple[Values, ...]

    @property
    def size(self) -> int:
        """How many points it has."""
        return self.values[0].size


class MachineChoice(NamedTuple):
    """A machine file by number, its changed quantities in order, and a number of processors (None: all)."""

    machine: int
    quantities: tuple[tuple[str, Number], ...]
    processors: int | None


class Group(NamedTuple):
    """Rows of a chunk with one machine choice: their places in the chunk, and the parameters' cells there."""

    choice: MachineChoice
    places: Cells
    columns: Mapping[str, Cells]


def ordered(axes: Sequence[Axis], quantities: frozenset[str]) -> tuple[Axis, ...]:
    """Axes as rows are numbered: those that choose machines first, otherwise as given."""
    choosing = {MACHINES, PROCESSORS, *quantities}
    return tuple(sorted(axes, key=lambda axis: choosing.isdisjoint(axis.names)))


@dataclass(frozen=True)
class DesignSpace:
    """The points of all axes, the last one fastest. `quantities` are the names that change machines."""

    axes: tuple[Axis, ...]
    quantities: frozenset[str] = frozenset()
    least_chunk: int | None = None
    """Rows of a chunk at least; None: as many as predictions by formulas want."""

    @property
    def size(self) -> int:
        """How many points there are."""
        count = 1
        for axis in self.axes:
            count *= axis.size
        return count

    @property
    def names(self) -> tuple[str, ...]:
        """What varies, slowest first."""
        return tuple(name for axis in self.axes for name in axis.names)

    @property
    def chunk_rows(self) -> int:
        """Rows of a chunk: a power of two that gives some tens of chunks, where the limits allow."""
        wanted = max(1, self.size // CHUNKS)
        return min(max(1 << (wanted - 1).bit_length(), self.least_chunk or LEAST_CHUNK), MOST_CHUNK)

    @property
    def chunks(self) -> int:
        """How many chunks there are; the last one may be shorter."""
        return -(-self.size // self.chunk_rows)

    def bounds(self, chunk: int) -> tuple[int, int]:
        """The first row of a chunk, and the first row after it."""
        first = chunk * self.chunk_rows
        return first, min(first + self.chunk_rows, self.size)

    def described(self) -> list[Any]:
        """The axes as JSON holds them."""
        return [[list(axis.names), [repr(v) for v in axis.values]] for axis in self.axes]

    def whole(self, name: str) -> bool:
        """Whether all values of a name are whole numbers."""
        return self._of(name)[1].whole

    def cells(self, first: int, last: int) -> dict[str, Cells]:
        """The columns of rows first to last - 1, by name."""
        rows = np.arange(first, last, dtype=np.int64)
        return self._columns(rows, self.axes)

    def point(self, row: int) -> dict[str, Number]:
        """The exact values of one row."""
        return {name: exact_value(cells[0].item()) for name, cells in self.cells(row, row + 1).items()}

    def groups(self, first: int, last: int) -> Iterator[Group]:
        """The rows first to last - 1 gathered by machine choice, choices in the order of their first rows."""
        rows = np.arange(first, last, dtype=np.int64)
        outer = tuple(axis for axis in self.axes if any(self._chooses(name) for name in axis.names))
        codes = self._codes(rows, outer)
        unique, firsts, back = np.unique(codes, return_index=True, return_inverse=True)
        chosen = self._columns(rows[firsts], outer)
        choices: dict[MachineChoice, list[int]] = {}

        # two points of an axis may choose the same machines, where a parameter varies together with them
        for k in np.argsort(firsts).tolist():
            choices.setdefault(self._choice(chosen, k), []).append(k)
        order = np.argsort(back, kind="stable")
        starts = np.searchsorted(back[order], np.arange(len(unique) + 1))

        for choice, members in choices.items():
            places = np.sort(np.concatenate([order[starts[k] : starts[k + 1]] for k in members]))
            columns = self._columns(rows[places], self.axes)
            yield Group(choice, places, {n: c for n, c in columns.items() if not self._chooses(n)})

    def _chooses(self, name: str) -> bool:
        return name in (MACHINES, PROCESSORS) or name in self.quantities

    def _choice(self, cells: Mapping[str, Cells], k: int) -> MachineChoice:
        values: dict[str, Any] = {name: exact_value(c[k].item()) for name, c in cells.items()}
        changed = tuple((n, values[n]) for n in self.names if n in self.quantities)
        return MachineChoice(values.get(MACHINES, 0), changed, values.get(PROCESSORS))

    def _codes(self, rows: Cells, axes: tuple[Axis, ...]) -> Cells:
        """A number for each row that is the same where these axes are."""
        codes = np.zeros(len(rows), dtype=np.int64)
        for axis, places in self._places(rows):
            if axis in axes:
                codes = codes * axis.size + places
        return codes

    def _columns(self, rows: Cells, axes: tuple[Axis, ...]) -> dict[str, Cells]:
        columns: dict[str, Cells] = {}
        for axis, places in self._places(rows):
            if axis in axes:
                columns |= {name: v.cells(places) for name, v in zip(axis.names, axis.values, strict=True)}
        return columns

    def _places(self, rows: Cells) -> Iterator[tuple[Axis, Cells]]:
        stride = self.size
        for axis in self.axes:
            stride //= axis.size
            yield axis, (rows // stride) % axis.size

    def _of(self, name: str) -> tuple[Axis, Values]:
        for axis in self.axes:
            if name in axis.names:
                return axis, axis.values[axis.names.index(name)]
        raise KeyError(name)
