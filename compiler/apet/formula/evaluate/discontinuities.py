"""Functions that jump, and functions without exact values."""

INEXACT = frozenset(("log", "log2", "sqrt", "pow"))
JUMPS = frozenset(("floor", "ceil", "mod"))
