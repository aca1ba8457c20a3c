"""Sums and extremes that a loop gathers: how a compiler finds them, and what a round waits for then.

C2 brings each vector down to one number within the loop, and adds that to what it has so far. It does so only where the
loop computes something besides (`SuperWord::profitable`): `s += a[i]` stays scalar, `s += a[i] * b[i]` does not.
Extremes of floating-point numbers took as long with and without such work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction

from apet.java.levels.counts import Counts
from apet.java.levels.paths import LatencyPath
from apet.java.parse import types
from apet.java.translator.algebra import Value, apply, as_value, quotient
from apet.java.translator.free_names import walk
from apet.java.translator.ir import CodeLoop, Op

ARITHMETIC = ("sum", "sub", "mpy", "div", "and", "or", "xor", "shift", "neg", "not", "abs", "sqrt", "max", "min")
"""What vectors have operations for."""
SUMS = ("sum", "xor", "and", "or")
WAIT = "lat_sum_int"
EXTREMES = tuple(f"{name}_{kind}" for name in ("max", "min") for kind in ("float", "double"))
LIKELY_BYTES = 64
"""Of a vector register, where only the order of paths matters."""
STEPS = 9
"""Additions of int as long as it takes to bring a vector of them down to one and add that: there and back between two
kinds of registers (2.2 ns for 16 of them on Granite Rapids)."""
JUMPS = Fraction(1, 5)
"""The part of a maximum of floating-point numbers, where a counting loop finds it in every round: compiled code
compares and jumps there, where it merges registers elsewhere (0.3 to 0.8 of 3.3 ns on Granite Rapids)."""


def on_vectors(loop: CodeLoop, chains: Mapping[str, LatencyPath], free: Collection[int]) -> bool:
    """Whether all that a round hands to the next are sums of int found on vectors; `free` are results without cost."""
    gathered = dict(_gathered(loop))
    for name, path in chains.items():
        change = gathered.get(name)
        waits = len(path.weights) == 1 and path.weights[0][0] == WAIT and path.weights[0][1].constant == 1
        if change is None or change.name not in SUMS or change.type != types.INT or not waits:
            return False

    results = {i.result: i for i in loop.body if isinstance(i, Op)}
    counts = {i for op in results.values() if op.name == "assign" and op.variable == loop.counter for i in op.inputs}
    unpaid = counts | set(free)
    work = [op for op in results.values() if op.name in ARITHMETIC and not op.control and op.result not in unpaid]
    # A constant in a summand is added to what is gathered, behind it: no compiler finds the sum then.
    summands = (results[i] for name in chains for i in gathered[name].inputs if i in results)
    shifted = any(op.name in ("sum", "sub") and len(op.inputs) == 1 for op in summands)
    return len(work) > len(chains) and not shifted


def waits_of_vectors(chains: Mapping[str, LatencyPath], size: int) -> dict[str, LatencyPath]:
    """What a loop over vectors of elements of `size` bytes waits for, by round of the loop in the source."""
    steps = STEPS * len(chains) * size
    part, guess = apply("min", 1, quotient(steps, "vector_B")), min(1.0, steps / LIKELY_BYTES)
    return {name: path.scaled(part, guess) for name, path in chains.items()}


def with_jumps(
    loop: CodeLoop, chains: Mapping[str, LatencyPath], counted: Counts
) -> tuple[dict[str, LatencyPath], Counts]:
    """What a loop on single elements waits for and does, with what its extremes take there."""
    times = {name: weight for path in chains.values() for name, weight in path.weights}
    jumping = [name for name in EXTREMES if f"lat_{name}" in times]
    if not jumping or not loop.counted or loop.leaves.terms:
        return dict(chains), counted

    changed = {}
    for chain, path in chains.items():
        weights = tuple((n, w * _jumped(w) if n[4:] in jumping else w) for n, w in path.weights)
        changed[chain] = LatencyPath(path.cycles, weights)
    everywhere = {f"tp_{name}" for name in jumping if times[f"lat_{name}"].constant is not None}
    functions = {n: v * JUMPS if n in everywhere else v for n, v in counted.get("fn", {}).items()}
    return changed, {**counted, "fn": functions} if functions else counted


def _jumped(weight: Value) -> Value:
    """The part of a latency: what is not found in every round is merged."""
    if weight.constant is not None:
        return as_value(JUMPS)
    return JUMPS + (1 - JUMPS) * apply("<", weight, 1)


def _gathered(loop: CodeLoop) -> Iterator[tuple[str, Op]]:
    """Variables that a round changes once, by an operation on what they were; and these operations."""
    inside = [i for i in walk(loop.body) if isinstance(i, Op)]
    results = {op.result: op for op in inside}
    assigned = Counter(op.variable for op in inside if op.name == "assign")
    for op in inside:
        if op.name != "assign" or len(op.inputs) != 1 or assigned[op.variable] != 1:
            continue
        change = results.get(op.inputs[0])
        before = [] if change is None else [results[i] for i in change.inputs if i in results]
        if change is not None and any(b.name == "access" and b.variable == op.variable for b in before):
            yield op.variable, change
