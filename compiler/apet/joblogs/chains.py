"""Upper bounds of a segment from several chains of tasks, for schedules that leave no core idle while a task waits.

With k disjoint chains of tasks on m >= k cores, D = m - k + 1, W all work, S that on the chains, L the longest path, Z
the longest path of which only tasks and delays on chains count, and E the delays on no chain:

    makespan <= ((W - S) + (D - 1) L + Z + E) / D = L + (W - S - (L - Z) + E) / (m - k + 1)

One chain, the longest path, gives R. L. Graham (1969); Z <= L gives Q. He, N. Guan, M. Lv, X. Jiang, W. Chang (RTSS
2022). Proof: let r and z be what is left at a time of the paths L and Z, n the running tasks off the chains. (D - 1) r
+ z never grows, and it falls at a rate of at least D - n beside what E pays for: with an idle core all that is ready
runs, so r falls, and z too if only chains run; with none idle n >= D - 1, and if n = D - 1 all chains run, and the
first unfinished task of every path z is among them. Every length may be shorter than was thought: the bound only falls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from itertools import islice
from typing import NamedTuple

from apet.joblogs.chain_flow import ChainFlow
from apet.joblogs.rules.work import WorkUnit

MOST_CHAINS = 32
"""Chains that are tried of a segment, of a large one fewer: `MOST_PLACES` over the number of its units."""
MOST_PLACES, FEWEST_CHAINS = 200_000, 4
CORES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 128, 1024)
CLOSE = 1.001
"""A term is left out where another is so many times as great for each of these numbers of cores."""


class ChainTerm(NamedTuple):
    """From `chains` cores on, no schedule takes more than path + over / (cores - chains + 1) microseconds."""

    chains: int
    path: int
    over: int

    def at(self, cores: int) -> float:
        """The bound on so many cores."""
        return self.path + self.over / (cores - self.chains + 1)


def chain_terms(units: Sequence[WorkUnit], before: Sequence[Sequence[int]], turnaround: int) -> list[ChainTerm]:
    """Terms of which the least is a bound; the chains are those that cover the most. None of so many units that only a
    few chains could be tried: these are hardly better than the longest path."""
    most = min(MOST_CHAINS, MOST_PLACES // len(units))
    if most < FEWEST_CHAINS:
        return []
    tasks = [[hold + turnaround for hold in nlargest(MOST_CHAINS, unit.holds)] for unit in units]
    delays = [unit.delay + unit.late + unit.tail for unit in units]
    work = sum(unit.work + turnaround * len(unit.holds) for unit in units)
    path = _longest(before, [delay + sum(times[:1]) for delay, times in zip(delays, tasks, strict=True)])

    terms = list[ChainTerm]()
    for delayed, taken in islice(_covered(tasks, delays, before), most):
        covered = sum(sum(times[:n]) for times, n in zip(tasks, taken, strict=True))
        delayed_on = [delay if on else 0 for delay, on in zip(delays, delayed, strict=True)]
        on_chains = [d + sum(times[: min(n, 1)]) for d, times, n in zip(delayed_on, tasks, taken, strict=True)]
        over = work - covered - (path - _longest(before, on_chains)) + sum(delays) - sum(delayed_on)
        terms.append(ChainTerm(len(terms) + 1, path, over))
    return _needed(terms)


def _covered(
    tasks: Sequence[Sequence[int]], delays: Sequence[int], before: Sequence[Sequence[int]]
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """For one chain more each time, by unit: whether its delays are on a chain, and how many of its tasks are."""
    if len(tasks) == 1:  # each chain is one task
        yield from (([1], [n]) for n in range(1, max(1, len(tasks[0])) + 1))
        return

    # a unit is its delays and then its tasks, of which each chain takes one
    weights, places = list[Sequence[int]](), list[list[int]]()
    for k, (delay, times) in enumerate(zip(delays, tasks, strict=True)):
        weights += ([delay] if delay else [], times)
        places += ([2 * p + 1 for p in before[k]], [2 * k])
    for taken in ChainFlow(weights, places).chains():
        yield taken[::2], taken[1::2]


def _longest(before: Sequence[Sequence[int]], weights: Sequence[int]) -> int:
    """The longest path over units of such weights."""
    ends = list[int]()
    for weight, needed in zip(weights, before, strict=True):
        ends.append(max((ends[p] for p in needed), default=0) + weight)
    return max(ends, default=0)


def _needed(terms: Sequence[ChainTerm]) -> list[ChainTerm]:
    """The terms that are least, or nearly, for some number of cores."""
    chosen = list[ChainTerm]()
    for cores in CORES:
        usable = [term for term in terms if term.chains <= cores]
        least = min(usable, key=lambda term: term.at(cores), default=None)
        if least is None:
            continue
        if all(term.at(cores) > CLOSE * least.at(cores) for term in chosen if term in usable):
            chosen.append(least)
    return chosen
