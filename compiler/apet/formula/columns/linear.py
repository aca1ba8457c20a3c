"""Wide sums and maxima of sums as sparse matrix products.

A maximum of sums of columns is one matrix of coefficients, in compressed rows, times the table of operands, and the
greatest in each column. Rows are summed one operand after the other, so that rounding does not depend on how many
configurations there are.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from apet.formula.columns import bands
from apet.formula.columns.bands import UNIT, Band
from apet.formula.columns.kernel import Kernel
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Extreme, NodeId, Symbol

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from apet.formula.columns.frames import Frame
    from apet.formula.columns.plan import Evaluation

LEAST_TERMS = 8
"""Shorter sums are not worth a matrix."""
WIDTH, ROWS = 512, 64
"""Configurations and sums at a time: the operands in the second cache, the sums in the first."""
MOST_KEPT = 64 * 2**20
"""Bytes of operands that are worth keeping room for."""
LEAST_FACTOR, MOST_FACTOR = bands.SMALL_FACTOR, 2.0**200


class Matrix:
    """Rows of non-negative coefficients for sums of the same operands, and what rounding may do to them."""

    def __init__(self, graph: Graph, rows: Sequence[NodeId]) -> None:
        from scipy.sparse import csr_array

        sums = [graph.terms(row) for row in rows]
        self.operands = sorted({n for _, terms in sums for n, _ in terms})
        place = {n: k for k, n in enumerate(self.operands)}
        constants = [bands.of_number(c) for c, _ in sums]
        self.constants = np.array([c.value for c in constants])[:, None] if any(c for c, _ in sums) else None
        factors = [[bands.of_number(c) for _, c in terms] for _, terms in sums]
        data = np.array([f.value for row in factors for f in row])
        columns = np.array([place[n] for _, terms in sums for n, _ in terms])
        starts = np.cumsum([0, *(len(terms) for _, terms in sums)])
        whole: csr_array[Any] = csr_array((data, columns, starts), shape=(len(rows), len(self.operands)))
        # A matrix for the kernel, which takes plain columns as they lie, and one in slices for bands.
        self.kernel = Kernel(data, columns, starts, self.constants)
        self.parts = [whole[k : k + ROWS] for k in range(0, len(rows), ROWS)]
        self._rooms = threading.local()
        # Roundings of a term: one per addition, one for its product, one for its coefficient as a float.
        longest = max(len(terms) for _, terms in sums)
        self.roundings = longest + 1 + (0 if (data == 1).all() else 1) + (1 if _rough(factors, constants) else 0)

    def bound(self, operands: Sequence[Band]) -> float:
        """The relative error of the sums."""
        return (max(b.relative for b in operands) + self.roundings * UNIT) * bands.SLACK

    def sums(self, operands: Sequence[Band], count: int) -> Iterator[tuple[int, int, Any]]:
        """The sums as blocks: first row, first configuration, an array that stays in the caches."""
        blocks = -(-count // WIDTH)
        table = self._table(blocks)
        full = count // WIDTH
        for k, band in enumerate(operands):
            value = band.value if band.value.shape[1] == count else np.broadcast_to(band.value, (1, count))
            if full == blocks:
                table[:, k] = value.reshape(full, WIDTH)
                continue
            table[:full, k] = value[0, : full * WIDTH].reshape(full, WIDTH)
            table[full, k, : count - full * WIDTH] = value[0, full * WIDTH :]

        for b in range(blocks):
            block = table[b] if b < full else np.ascontiguousarray(table[b, :, : count - full * WIDTH])
            for k, part in enumerate(self.parts):
                sums = part @ block
                if self.constants is not None:
                    sums += self.constants[k * ROWS : (k + 1) * ROWS]
                yield k * ROWS, b * WIDTH, sums

    def _table(self, blocks: int) -> Any:
        """Room for operands, the same for all chunks of a thread: fresh memory costs as much as the sums."""
        table = getattr(self._rooms, "table", None)
        if table is None or len(table) < blocks:
            table = np.empty((blocks, len(self.operands), WIDTH))
            if table.nbytes <= MOST_KEPT:
                self._rooms.table = table
        return table[:blocks]

    def extreme(self, kind: str, operands: Sequence[Band], count: int) -> Band:
        """The greatest or least of the sums, of shape (1, configurations)."""
        pick = np.maximum if kind == "max" else np.minimum
        best = np.empty(count)
        for row, start, sums in self.sums(operands, count):
            block = pick.reduce(sums, axis=0)
            place = best[start : start + sums.shape[1]]
            place[:] = pick(place, block) if row else block
        return Band(best[None], self.bound(operands))

    def alone(self, operands: Sequence[Band], count: int) -> Band:
        """The only sum."""
        value = np.empty(count)
        for _, start, sums in self.sums(operands, count):
            value[start : start + sums.shape[1]] = sums[0]
        return Band(value[None], self.bound(operands))


def _rough(factors: Sequence[Sequence[Band]], constants: Sequence[Band]) -> bool:
    return any(f.relative for row in factors for f in row) or any(c.relative for c in constants)


class WideSums:
    """Which sums and maxima of a graph to compute as matrix products, with their matrices."""

    def __init__(self, graph: Graph, order: Sequence[NodeId], varied: Mapping[NodeId, bool]) -> None:
        self.graph = graph
        self.varied = varied
        self.sums: dict[NodeId, Matrix] = {}
        self.rows: dict[NodeId, tuple[Matrix, list[NodeId]]] = {}
        for n in order:
            node = graph.nodes[n]
            if isinstance(node, Extreme):
                wide = [o for o in node.operands if self._suits(o)]
                if len(wide) > 1:
                    self.rows[n] = (Matrix(graph, wide), [o for o in node.operands if o not in set(wide)])

        inside = {o for n in self.rows for o in graph.nodes[n].operands if self._suits(o)}  # type: ignore[union-attr]
        for n in order:
            if n not in inside and self._suits(n):
                self.sums[n] = Matrix(graph, [n])

    @property
    def terms(self) -> int:
        """How many terms there are in all matrices."""
        matrices = [*self.sums.values(), *(matrix for matrix, _ in self.rows.values())]
        return sum(part.nnz for matrix in matrices for part in matrix.parts)

    def _suits(self, node: NodeId) -> bool:
        """A long sum, outside loops, of what varies and is not negative, without extreme coefficients."""
        form = self.graph.nodes[node]
        if not isinstance(form, Add) or len(form.terms) < LEAST_TERMS or self.graph.free[node]:
            return False
        numbers = [c for _, c in form.terms] + ([form.constant] if form.constant else [])
        if not all(LEAST_FACTOR < c < MOST_FACTOR for c in numbers):
            return False
        return all(self.varied[n] and self.graph.nonnegative(n) for n, _ in form.terms)

    def extreme(self, run: Evaluation, node: NodeId, frame: Frame) -> Band | None:
        """The value of a maximum that has a matrix."""
        row = self.rows.get(node)
        if row is None:
            return None
        matrix, others = row
        kind = self.graph.nodes[node].kind  # type: ignore[union-attr]
        if not others and (plain := self._plain(run, matrix)) is not None:
            found_by_kernel = matrix.kernel.extreme(kind, plain, run.count)
            if found_by_kernel is not None:
                return Band(found_by_kernel[None], matrix.roundings * UNIT * bands.SLACK)
        operands = [run.value(n, frame) for n in matrix.operands]
        if any(b.error is not None for b in operands):
            return None

        best = matrix.extreme(kind, operands, run.count)
        return bands.extreme(kind, [best, *(run.value(n, frame) for n in others)]) if others else best

    def _plain(self, run: Evaluation, matrix: Matrix) -> list[Any] | None:
        """The operands as arrays of floats, if all are varied parameters that may not be negative."""
        arrays = []
        for n in matrix.operands:
            node = self.graph.nodes[n]
            column = run.columns.get(node.name) if isinstance(node, Symbol) else None
            plain = getattr(column, "plain", None)
            if plain is None or len(plain) != run.count:
                return None
            arrays.append(plain)
        return arrays

    def sum(self, run: Evaluation, node: NodeId, frame: Frame) -> Band | None:
        """The value of a sum that has a matrix."""
        matrix = self.sums.get(node)
        if matrix is None:
            return None
        operands = [run.value(n, frame) for n in matrix.operands]
        if any(b.error is not None for b in operands):
            return None
        return matrix.alone(operands, run.count)
