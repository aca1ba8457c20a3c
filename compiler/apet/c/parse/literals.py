"""Numbers as literals of the translator's types."""

from __future__ import annotations

import math

from apet.program import syntax as s
from apet.program import types


def literal(number: float, kind: types.Type, at: s.LineColumn) -> s.Expression:
    """A number of a type; a negative one has its sign in front."""
    if isinstance(number, float) or kind.name in ("float", "double"):
        return _signed(repr(float(number)) if math.isfinite(number) else "1.0", kind.name, number < 0, at)
    name = kind.name if kind.name in ("int", "long", "uint", "ulong") and not kind.dimensions else "int"
    whole = int(number)
    if name in ("uint", "ulong"):
        return s.Literal(name, str(whole % 2 ** (32 if name == "uint" else 64)), at)
    name = "long" if not -(2**31) <= whole < 2**31 else name
    return _signed(f"{whole}L" if name == "long" else str(whole), name, whole < 0, at)


def _signed(text: str, kind: str, negative: bool, at: s.LineColumn) -> s.Expression:
    plain = s.Literal(kind if kind in ("int", "long", "float") else "double", text.lstrip("-"), at)
    return s.UnaryOp("-", plain, at) if negative else plain
