"""Whether values of two columns lie on a grid, as those of parameters do and times do not."""

from __future__ import annotations

from collections.abc import Sequence


def is_grid(sizes: Sequence[str], values: Sequence[str]) -> bool:
    """Whether the values repeat over several sizes, and sizes repeat with several values: times hardly ever do both."""
    if len(sizes) != len(values):
        return False
    by_value, by_size = dict[str, set[str]](), dict[str, set[str]]()
    for n, v in zip(sizes, values, strict=True):
        by_value.setdefault(v, set()).add(n)
        by_size.setdefault(n, set()).add(v)
    crossed = sum(len(n) > 1 for n in by_value.values())
    return crossed >= 2 and 2 * crossed >= len(by_value) and any(len(v) > 1 for v in by_size.values())
