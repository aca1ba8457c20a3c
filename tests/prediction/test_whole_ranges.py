"""Ranges of whole parameters are searched over whole numbers only."""

from __future__ import annotations

import pytest

import apet
from apet.machine import Machines
from apet.machine.plain import plain_machines


@pytest.mark.parametrize(
    ("text", "box", "expected"),
    [
        ("param n = 5; resource disk servers 1 + n % 2; L = use(disk, 10);", {"n": (5, 7)}, (10, 10)),
        ("param m = 1; resource disk servers 2 ^ m; L = use(disk, m);", {"m": (1, 3)}, (1, 3)),
        ("param k = 1; resource r[u]; L = use(r[k ^ 2], k);", {"k": (1, 3)}, (1, 3)),
        ("param n = 1; L = if ((n % 3) % 2) delay(1) else delay(2);", {"n": (1, 6)}, (1, 2)),
        ("param m = 1; L = seq (i = 1, m ^ 2) delay(1);", {"m": (1, 3)}, (1, 9)),
        ("param m = 1; param P; L = par (i = 1, P) use(r[(m ^ 2 - 1) % P + 1], i);", {"m": (1, 4)}, (10, 10)),
    ],
)
def test_a_range_is_that_of_its_whole_numbers(
    text: str, box: dict[str, tuple[int, int]], expected: tuple[int, int]
) -> None:
    machines: Machines = plain_machines(4)
    prediction = apet.predict(apet.compile_text(text), machines, values=dict(box))
    assert tuple(prediction.guaranteed) == expected
    ((name, (low, high)),) = box.items()
    every = [apet.predict(apet.compile_text(text), machines, values={name: v}) for v in range(low, high + 1)]
    assert min(p.guaranteed.lo for p in every) == prediction.guaranteed.lo
    assert max(p.guaranteed.hi for p in every) == prediction.guaranteed.hi
