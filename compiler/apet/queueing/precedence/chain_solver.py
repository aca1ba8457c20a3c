"""The tagged job as a Markov chain, variant by variant."""

from __future__ import annotations

from apet.queueing.jobs import JobTask, Scenario
from apet.queueing.precedence import chain as chains
from apet.queueing.precedence.chain import Chain
from apet.queueing.precedence.mean_field import JobMeans, MeanField, is_queue, mixture
from apet.queueing.precedence.phases import with_fewer_phases

MOST_STATES, MOST_STATES_ALONE = 1_000, 6_000
"""Where a chain is solved for every population up to that of the network; where one job is alone, or too little else is
known to interpolate."""


class ChainSolver:
    """Solves one job of a class in a field by its Markov chain.

    `order` is the greatest number of phases of a demand (None: as given), `most` that of states (None: as many as are
    solved quickly). Raises `TooManyStates`.
    """

    def __init__(self, scenario: Scenario, order: int | None = None, most: int | None = None) -> None:
        self.stations = scenario.stations
        queues = frozenset(k for k, s in enumerate(scenario.stations) if is_queue(s))
        alone = sum(c.population for c in scenario.classes) == 1
        most = most or (MOST_STATES_ALONE if alone else MOST_STATES)

        self.chains: list[list[tuple[float, Chain]]] = [
            [
                (
                    variant.probability,
                    chains.build(
                        [_simpler(t, order) for t in variant.tasks], variant.tasks, queues, len(self.stations), most
                    ),
                )
                for variant in circulation.variants
            ]
            for circulation in scenario.classes
        ]
        self.states = max((len(chain.states) for variants in self.chains for _, chain in variants), default=0)
        self.last: dict[int, list[JobMeans]] = {}

    def __call__(self, c: int, met: MeanField) -> JobMeans:
        """The means of one job of class c."""
        variants = [(p, chains.solve(chain, self.stations, met)) for p, chain in self.chains[c]]
        self.last[c] = [means for _, means in variants]
        return mixture(variants)


def _simpler(task: JobTask, order: int | None) -> JobTask:
    if order is None:
        return task
    steps = (s._replace(distribution=with_fewer_phases(s.distribution, order)) for s in task.steps)
    return task._replace(steps=tuple(steps))
