"""The rounds of a loop that each of P threads runs, as compilers with OpenMP deal them; p is the thread, from 1."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from apet.program.algebra import Value, apply, as_value, quotient
from apet.program.ir import CodeLoop

THREADS = as_value("P")
OWN = as_value("p")


def own_rounds(loop: CodeLoop, names: Set[str]) -> CodeLoop | None:
    """Thread p's part of a loop as one loop, where it is one; `names` are those in its body.

    Equal parts are as gcc and clang deal them, the first ones a round longer. Chunk number k, from 1, is that of
    thread 1 + (k - 1) % P.
    """
    alone = replace(loop, chunk=None)
    if loop.low is None or loop.high is None:
        return replace(alone, rounds=quotient(loop.rounds, THREADS))
    chunk, many = loop.chunk or 0, loop.high - loop.low + 1
    if loop.index not in names:
        return replace(alone, low=as_value(1), high=_number(many, chunk))
    if not chunk:
        return replace(alone, low=loop.low + _before(many, OWN - 1), high=loop.low - 1 + _before(many, OWN))
    return None


def own_chunks(loop: CodeLoop, low: Value, high: Value, index: str) -> tuple[CodeLoop, Value, CodeLoop, Value]:
    """One whole chunk of thread p, the greatest `index` of its chunks from 0, and the chunk that is not whole, with
    whether it is that thread's."""
    chunk = loop.chunk or 1
    whole = _floor(high - low + 1, as_value(chunk))
    first = low + (OWN - 1 + as_value(index) * THREADS) * chunk
    one = replace(loop, chunk=None, low=first, high=first + chunk - 1)
    rest = replace(loop, chunk=None, low=low + whole * chunk)
    return one, _floor(whole - OWN, THREADS), rest, apply("==", OWN, 1 + apply("%", whole, THREADS))


def _before(many: Value, threads: Value) -> Value:
    """The rounds of so many threads, the first ones."""
    return threads * _floor(many, THREADS) + apply("min", threads, apply("%", many, THREADS))


def _number(many: Value, chunk: int) -> Value:
    """How many rounds thread p has."""
    if not chunk:
        return _floor(many + THREADS - OWN, THREADS)
    left = apply("%", many, chunk * THREADS) - (OWN - 1) * chunk
    return chunk * _floor(many, chunk * THREADS) + apply("min", chunk, apply("max", 0, left))


def _floor(left: Value, right: Value) -> Value:
    return apply("floor", quotient(left, right))
