"""Where the start of a program ends: the smallest size whose run takes clearly longer than the smallest run.

Sizes are tried at growing powers (1, 4, 16, 256, 65,536, …), then between the last that changed nothing and the first
that did. Below, a program only starts, and its law cannot be seen.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from apet.ground.timed_run import Timed

FIRST_STEP, LARGEST_STEP = 4, 256
GROWN = 2.0
"""By how much a run has to be longer than that of the smallest size."""
NEAR = 4
"""Sizes so far apart are near enough: the measuring doubles them."""
UPWARDS, PART, ONE_RUN = 0.4, 0.2, 0.025
"""Of the budget: for growing sizes, for those between, and for one run."""
LONG = 0.01
"""Of the budget: what makes a start long, so that the small steps are left out."""
PATIENCE = 3.0
"""How often as long as the start a run may always take."""
TWICE = 2
LEAST = 0.05
"""Seconds that any run may take."""
LARGEST = 2**40

Attempt = Callable[[int, float], Timed | None]
"""A run of a size that is ended after so many seconds; None where the program fails at this size."""


class StartUp(NamedTuple):
    """The size to begin with, seconds of the start, the largest size tried that took no longer, and whether any did;
    and the runs that came to their end."""

    first: int
    start: float
    largest: int
    grows: bool
    runs: Sequence[tuple[int, Timed]] = ()


def find(attempt: Attempt, most: int | None, budget: float) -> StartUp:
    """Where the run time begins to grow, in three fifths of `budget` seconds at most, and mostly much less."""
    begun, most, runs = time.monotonic(), min(most or LARGEST, LARGEST), list[tuple[int, Timed]]()

    def attempted(n: int, limit: float) -> Timed | None:
        left = (UPWARDS + PART) * budget - (time.monotonic() - begun)
        timed = attempt(n, max(min(limit, left), LEAST))
        if timed is not None and not timed.stopped:
            runs.append((n, timed))
        return timed

    smallest = attempt(1, budget)
    if smallest is None or smallest.stopped:
        return StartUp(1, budget, 1, False)
    start, limit = smallest.undisturbed, max(PATIENCE * smallest.wall, ONE_RUN * budget)

    def is_left(part: float) -> bool:
        return time.monotonic() - begun + smallest.wall < part * budget

    def grown(n: int) -> float | None:
        """Seconds of a size where they are clearly more than those of the start, infinite where it is not run to its
        end, else None."""
        nonlocal start
        seconds = math.inf
        for _ in range(TWICE):  # what else runs may have made one of them longer
            timed = attempted(n, limit)
            if timed is None or timed.stopped:
                return math.inf
            seconds = min(seconds, timed.undisturbed)
            if seconds <= GROWN * start or (again := attempt(1, limit)) is None:
                break
            start = max(start, again.undisturbed)
        return seconds if seconds > GROWN * start else None

    low, high, seconds = 1, 0, math.inf
    step = LARGEST_STEP if smallest.wall > LONG * budget else FIRST_STEP
    while not high and low < most and is_left(UPWARDS):
        n = min(low * max(step, min(low, LARGEST_STEP)), most)
        longer = grown(n)
        if longer is None:
            low = n
        else:
            high, seconds = n, longer
    if not high:
        return StartUp(1 if low >= most else low, start, low, False, runs)

    between = time.monotonic() - begun + PART * budget
    while high > NEAR * low and is_left(between / budget):
        n = round(math.sqrt(low * high))
        longer = grown(n)
        if longer is None:
            low = n
        else:
            high, seconds = n, longer
    if math.isinf(seconds):
        return StartUp(low, start, low, True, runs)
    # If what is beyond the start grows as n does, it is as long as the start at this size.
    equal = high * start / (seconds - start)
    return StartUp(max(low, 1 << math.floor(math.log2(max(min(equal, high), 1)))), start, low, True, runs)
