"""A maximum of weighted sums for many configurations at once, with sympy and symengine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Rows = Sequence[Sequence[tuple[int, int]]]
"""For each sum its terms: number of a symbol, coefficient."""


def with_sympy(rows: Rows, symbols: int) -> Callable[[Any], Any]:
    """`lambdify` to numpy, common parts named once; takes an array (symbols, configurations)."""
    import sympy

    names = sympy.symbols(f"s0:{symbols}", nonnegative=True)
    sums = [sympy.Add(*(c * names[k] for k, c in row)) for row in rows]
    function = sympy.lambdify(names, sympy.Max(*sums, evaluate=False), modules="numpy", cse=True)
    return lambda table: function(*table)


def with_symengine(rows: Rows, symbols: int, kind: str) -> Callable[[Any], Any]:
    """Compiled by LLVM; `kind` is "Lambdify" or "LambdifyCSE"; takes an array (configurations, symbols)."""
    import symengine

    names = [symengine.Symbol(f"s{k}") for k in range(symbols)]
    sums = [symengine.Add(*(c * names[k] for k, c in row)) for row in rows]
    backend = "llvm" if symengine.have_llvm else "lambda"
    function: Callable[[Any], Any] = getattr(symengine, kind)(names, [symengine.Max(*sums)], backend=backend)
    return function
