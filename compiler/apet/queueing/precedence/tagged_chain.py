"""The tagged job as a Markov chain, variant by variant."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from apet.queueing.jobs import Scenario, Task
from apet.queueing.precedence import chain as chains
from apet.queueing.precedence.chain import Field, Solved, is_queue
from apet.queueing.precedence.phases import cut
from apet.queueing.precedence.states import MOST_EVER, MOST_STATES, Chain, build

Mixed = tuple[list[tuple[float, Solved]], Solved]


class Direct:
    """Solves one job of a class in a field.

    `order` is the greatest number of phases of a demand (None: as given), `most` that of states (None: as many as are
    solved quickly).

    Raises `TooManyStates` when made.
    """

    def __init__(self, scenario: Scenario, order: int | None = None, most: int | None = None) -> None:
        self.stations = scenario.stations
        queues = frozenset(k for k, s in enumerate(scenario.stations) if is_queue(s))
        most = most or (MOST_EVER if sum(c.population for c in scenario.classes) == 1 else MOST_STATES)
        self.chains: list[list[tuple[float, Chain]]] = []
        for circulation in scenario.classes:
            found = []
            for variant in circulation.variants:
                simpler = [_cut(t, order) for t in variant.tasks]
                found.append((variant.probability, build(simpler, variant.tasks, queues, len(self.stations), most)))
            self.chains.append(found)
        self.states = max((len(c.present) for found in self.chains for _, c in found), default=0)
        self.last: dict[int, list[Solved]] = {}

    def __call__(self, c: int, field: Field) -> Solved:
        """The means of one job of class c; those of its variants are kept in `last`."""
        each = [(p, chains.solve(found, self.stations, field)) for p, found in self.chains[c]]
        self.last[c] = [s for _, s in each]
        return mixture(each)


def _cut(task: Task, order: int | None) -> Task:
    if order is None:
        return task
    return task._replace(steps=tuple(s._replace(distribution=cut(s.distribution, order)) for s in task.steps))


def mixture(each: list[tuple[float, Solved]]) -> Solved:
    """The means over variants with their probabilities; per task there is no mean over different jobs."""
    if len(each) == 1:
        return each[0][1]
    add = _added
    present = tuple(add([(p, s.present[k]) for p, s in each]) for k in range(len(each[0][1].present)))
    leading = tuple(add([(p, s.leading[k]) for p, s in each]) for k in range(len(each[0][1].leading)))
    lots = add([(p, s.batches) for p, s in each])
    response = sum(p * s.response for p, s in each)
    return Solved(response, present, leading, lots, np.zeros(0), np.zeros((0, 0)))


def _added(parts: list[tuple[float, np.ndarray]]) -> np.ndarray:
    found = np.zeros([max(sizes) for sizes in zip(*(a.shape for _, a in parts), strict=True)])
    for p, a in parts:
        found[tuple(slice(0, n) for n in a.shape)] += p * a
    return found


Solver = Callable[[int, Field], Solved]
