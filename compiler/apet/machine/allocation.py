"""How many tasks each processor gets: dealt in proportion to the relative performance factors, or half so and the
rest to whoever becomes free first.

Everything is exact: a factor is the rational number that its float is, so equal machines tie exactly. Processors come
in groups of equal ones, numbered in the order of the groups, and nothing is ever done task by task.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, repeat

from apet.ground.records import NamedTuple

SCHEDULES = ("static", "join")


class Equals(NamedTuple):
    """A number of equal processors, all with the same factor (greater than 0)."""

    number: int
    factor: float


class Dealt(NamedTuple):
    """The tasks of a group: its first `more` processors have `tasks + 1`, the others `tasks`."""

    tasks: int
    more: int


def static_shares(groups: Sequence[Equals], tasks: int) -> tuple[int, ...]:
    """Shares in proportion to the factors; they sum to `tasks`. Index 0 is the first processor of the first group.

    Floors of the exact proportions first, then one more to the largest remainders, ties to the smaller number
    (Hamilton's method).
    """
    return _spread(groups, _static(groups, _weights(groups), tasks))


def join_shares(groups: Sequence[Equals], tasks: int) -> tuple[int, ...]:
    """Shares of JoiN's schedule: half of the tasks (rounded down) dealt statically, the others dynamically.

    A dynamically dealt task goes to the processor that becomes free first, ties to the smaller number; a task takes
    1/factor on a processor, and the static half is worked off first.
    """
    weights = _weights(groups)
    half = _static(groups, weights, tasks // 2)
    level = _safe_level(groups, weights, tasks)

    # all that begins before the level is counted at once; only the last few tasks are dealt one by one
    runs = _runs_at(groups, weights, half, level)
    left = tasks - sum(run.tasks * run.number for run in runs)
    return _deal_rest(runs, left)


def _weights(groups: Sequence[Equals]) -> list[int]:
    """Integers in exactly the proportion of the factors: floats have denominators that are powers of two."""
    ratios = [group.factor.as_integer_ratio() for group in groups]
    common = max(denominator for _, denominator in ratios)
    return [numerator * (common // denominator) for numerator, denominator in ratios]


def _total(groups: Sequence[Equals], weights: Sequence[int]) -> int:
    return sum(group.number * weight for group, weight in zip(groups, weights, strict=True))


def _static(groups: Sequence[Equals], weights: Sequence[int], tasks: int) -> list[Dealt]:
    total = _total(groups, weights)
    floors = [tasks * weight // total for weight in weights]
    remainders = [tasks * weight % total for weight in weights]
    left = tasks - sum(group.number * floor for group, floor in zip(groups, floors, strict=True))
    more = [0] * len(floors)
    for g in sorted(range(len(floors)), key=lambda g: -remainders[g]):  # a stable sort: ties stay in file order
        more[g] = min(left, groups[g].number)
        left -= more[g]
    return [Dealt(floor, extra) for floor, extra in zip(floors, more, strict=True)]


def _spread(groups: Sequence[Equals], dealt: Sequence[Dealt]) -> tuple[int, ...]:
    runs = (
        chain(repeat(d.tasks + 1, d.more), repeat(d.tasks, group.number - d.more))
        for group, d in zip(groups, dealt, strict=True)
    )
    return tuple(chain.from_iterable(runs))


class _ShareRun(NamedTuple):
    """Neighbouring processors of one group with the same number of tasks; the first of them has number `first`."""

    first: int
    number: int
    tasks: int
    weight: int


def _safe_level(groups: Sequence[Equals], weights: Sequence[int], tasks: int) -> Fraction:
    """A time before which no more tasks begin than there are; at most 2 P tasks are left to deal after it.

    A processor of weight w begins its task number k (from 0) at k/w, so before the time t it has begun ceil(t·w) of
    them, and all together begin less than t·W + P tasks, where W is the sum of the weights. With t = (tasks - P)/W
    that is less than `tasks`, and at least `tasks - P`. Each processor has then used up its static half if tasks - P
    is at least tasks // 2; if it is not, fewer than 2 P + 1 tasks exist, and they are dealt from the start.
    """
    processors = sum(group.number for group in groups)

    if tasks - processors < tasks // 2:
        return Fraction(0)
    return Fraction(tasks - processors, _total(groups, weights))


def _runs_at(
    groups: Sequence[Equals], weights: Sequence[int], half: Sequence[Dealt], level: Fraction
) -> list[_ShareRun]:
    """What every processor has begun before the level, and at least its static half."""
    runs, first = [], 0
    for group, weight, dealt in zip(groups, weights, half, strict=True):
        begun = -((-level.numerator * weight) // level.denominator)
        for count, tasks in ((dealt.more, dealt.tasks + 1), (group.number - dealt.more, dealt.tasks)):
            if count:
                runs.append(_ShareRun(first, count, max(begun, tasks), weight))
                first += count
    return runs


def _deal_rest(runs: Sequence[_ShareRun], left: int) -> tuple[int, ...]:
    """Deal the last tasks, each to the processor that is free first, run by run."""
    queue = [(Fraction(run.tasks, run.weight), run) for run in runs]
    heapq.heapify(queue)  # two runs never begin at the same number, so that number decides every tie
    dealt: list[_ShareRun] = []
    while left:
        _, run = heapq.heappop(queue)
        served = min(left, run.number)
        left -= served
        if served < run.number:
            dealt.append(run._replace(first=run.first + served, number=run.number - served))
        richer = run._replace(number=served, tasks=run.tasks + 1)
        heapq.heappush(queue, (Fraction(richer.tasks, richer.weight), richer))

    dealt.extend(run for _, run in queue)
    dealt.sort()
    return tuple(chain.from_iterable(repeat(run.tasks, run.number) for run in dealt))
