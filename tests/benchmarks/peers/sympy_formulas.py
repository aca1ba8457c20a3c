"""The formulas of the benchmarks, built with sympy."""

from __future__ import annotations

from typing import Any

import sympy


def maximum_of_sums(branches: int, terms: int, evaluate: bool = True) -> Any:
    """The maximum over branches of sums of different symbols."""
    sums = [sympy.Add(*(symbol(f"x{b}_{t}") for t in range(terms))) for b in range(branches)]
    return sympy.Max(*sums, evaluate=evaluate)


def nested_maximum(levels: int) -> Any:
    """max(c + x, …) nested; different symbols on every level."""
    found = symbol("z")
    for k in range(levels):
        found = sympy.Max(symbol(f"c{k}") + found, symbol(f"x{k}"))
    return found


def triple_sum() -> Any:
    """The sum over i = 1..n, j = i..n, k = j..n of i + 2 j k, in closed form."""
    i, j, k, n = sympy.symbols("i j k n", integer=True, positive=True)
    return sympy.Sum(i + 2 * j * k, (k, j, n), (j, i, n), (i, 1, n)).doit()


def triple_sum_afresh() -> Any:
    """The same with sympy's cache emptied before."""
    from sympy.core.cache import clear_cache

    clear_cache()
    return triple_sum()


def weighted_sum(terms: int) -> Any:
    """The sum of k t_k u_k."""
    return sympy.Add(*((k + 1) * symbol(f"t{k}") * symbol(f"u{k}") for k in range(terms)))


def symbol(name: str) -> Any:
    """A non-negative symbol."""
    return sympy.Symbol(name, nonnegative=True)
