"""Exact plans whose long loops run over arrays of floats.

A sum over 10^6 roots takes a minute with numbers of many digits. Floats with bounds of their errors (`bands`) enclose
it within a second; the rounds where they cannot tell, say at a jump, are computed with digits, and so is everything if
what depends on the loop stays undecided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from apet.formula.evaluate.arithmetic import MOST_ITERATIONS, Values, spend
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.interpreter import Bodies
from apet.formula.evaluate.number_arithmetic import EXACTLY, LONGEST_DENOMINATOR
from apet.formula.evaluate.rounding import LARGEST_EXACT
from apet.formula.evaluate.tape import Tape
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, Interference, Item, Mul, NodeId, Peak, Reduce

if TYPE_CHECKING:
    from apet.formula.columns.plan import Batch, BatchPlan

FEWEST = 2000
"""Rounds of an evaluation, all loops together, after which loops run over arrays."""
FIRST = 600
"""Rounds of a sum of fractions that tell whether it stays short."""
BLOCK = 1 << 14
"""Rounds in one array."""


class LongLoopPlan(Plan):
    """An exact plan for all lengths of loops: what is long and has no exact sum runs over arrays."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId], checked: bool = False) -> None:
        self._graph = graph
        super().__init__(graph, roots, exact=True, checked=checked)

    def _bodies(self, loop: Reduce) -> Bodies:
        one_by_one, graph, origin = super()._bodies(loop), self._graph, self.tape.origin
        inside = graph.depending(origin[loop.body], origin[loop.index])
        irrational = any(_is_irrational(graph, n) for n in inside)
        long_fractions = loop.kind == "sum" and any(_divides(graph, n) for n in inside)
        foreign = any(isinstance(graph.nodes[n], Item | Peak | Interference) for n in inside)
        if foreign or not (irrational or long_fractions):
            return one_by_one

        in_arrays = _ArrayLoop(graph, self.tape, loop, one_by_one, lambda: self._runs)

        def bodies(rounds: Sequence[int], values: Values, environment: Any) -> Iterator[Any]:
            from apet.formula.evaluate.reals import LEVELS, PRECISION

            run_so_far = MOST_ITERATIONS - values[-1]
            way = in_arrays if run_so_far >= FEWEST and PRECISION.get() is LEVELS[0] else one_by_one
            if way is in_arrays and not irrational:
                first = list(one_by_one(rounds[:FIRST], values, environment))
                yield from first
                rounds = rounds[FIRST:]
                way = one_by_one if _short(first) else in_arrays
            yield from way(rounds, values, environment)

        return bodies


class _ArrayLoop:
    """The rounds of one loop, a block of them at a time."""

    def __init__(self, graph: Graph, tape: Tape, loop: Reduce, one_by_one: Bodies, runs: Callable[[], int]) -> None:
        self.graph = graph
        self.kind = loop.kind
        self.one_by_one = one_by_one
        self.index, self.body = tape.origin[loop.index], tape.origin[loop.body]
        self.outer = [(n, tape.origin[n]) for n in tape.free[loop.body] if n != loop.index]
        self.runs = runs  # of the plan
        self._plan: BatchPlan | None = None
        self._batch: tuple[int, Batch] | None = None

    def __call__(self, rounds: Sequence[int], values: Values, environment: Any) -> Iterator[Any]:
        """Numbers that have the sum, or the greatest or least, of those of all rounds."""
        import numpy as np

        best = -math.inf
        for start in range(0, len(rounds), BLOCK):
            block = rounds[start : start + BLOCK]
            value, error = self._floats(block, values, environment)
            sure = np.isfinite(value) & np.isfinite(error)
            if self.kind == "sum":
                yield _sum(value[sure], error[sure])
                others = ~sure
            else:
                rank = np.where(sure, value if self.kind == "max" else -value, -math.inf)
                least = np.where(sure, rank - error, -math.inf)
                winner = int(np.argmax(least))
                best = max(best, float(least[winner]))
                others = ~sure | (rank + error > best)
                others[winner] = True
            yield from self.one_by_one([block[k] for k in np.flatnonzero(others).tolist()], values, environment)

    def _floats(self, rounds: Sequence[int], values: Values, environment: Any) -> tuple[Any, Any]:
        """The values of the body and their error bounds, float64 of shape (rounds,); NaN where floats do not tell."""
        import numpy as np

        from apet.formula.columns.decisions import Exact, of_number
        from apet.formula.columns.frames import Frame
        from apet.formula.columns.loops import TooWide
        from apet.formula.columns.plan import Evaluation

        numbers, left = np.array(rounds, dtype=float), values[-1]
        if max(abs(rounds[0]), abs(rounds[-1])) > LARGEST_EXACT:
            return numbers * math.nan, numbers
        frame = self._shared(environment).still
        if self.outer:
            frame = Frame(frame, 1, {n: of_number(values[k]) for k, n in self.outer})
        frame = Frame(frame, len(rounds), {self.index: Exact(numbers[:, None])})
        try:
            with np.errstate(all="ignore"):
                band = Evaluation(self._shared(environment), {}, 1, partial(spend, values)).value(self.body, frame)
                value, error = (np.ravel(a + 0 * numbers[:, None]) for a in (band.value, band.distance))
        except (TooWide, MemoryError):
            values[-1] = left
            return numbers * math.nan, numbers

        # inner rounds that are run again, because floats do not tell, are counted then
        again = np.count_nonzero(~np.isfinite(value + error)) / len(rounds)
        values[-1] += int((left - values[-1]) * again)
        return value, error

    def _shared(self, environment: Any) -> Batch:
        """What all rounds share, computed once per run of the plan."""
        from apet.formula.columns.bands import NoItems
        from apet.formula.columns.plan import BatchPlan

        if self._plan is None:
            self._plan = BatchPlan(self.graph, [self.body], (), ())
        if self._batch is None or self._batch[0] != self.runs():
            self._batch = self.runs(), self._plan.start(environment, NoItems())
        return self._batch[1]


def _is_irrational(graph: Graph, node: NodeId) -> bool:
    match graph.nodes[node]:
        case Call("sqrt" | "log" | "log2"):
            return True
        case Call("pow", (_, exponent)):
            return not graph.integral[exponent]
        case _:
            return False


def _divides(graph: Graph, node: NodeId) -> bool:
    match graph.nodes[node]:
        case Call("pow"):
            return True
        case Mul(factors):
            return any(exponent < 0 for _, exponent in factors)
        case _:
            return False


def _short(numbers: Sequence[Any]) -> bool:
    """Whether the sum of numbers is a fraction that does not grow with their count."""
    if any(type(v) not in EXACTLY for v in numbers):
        return False
    return math.lcm(*[v.denominator for v in numbers]).bit_length() <= LONGEST_DENOMINATOR


def _sum(value: Any, error: Any) -> Any:
    """The sum of floats, float64 of shape (rounds,), that are wrong by at most `error`, of the same shape."""
    import numpy as np

    from apet.formula.evaluate.reals import Real

    total, off = math.fsum(value), math.fsum(error)
    if not off and not np.any(value % 1):
        return sum(map(int, value))
    return Real.around(total, off)
