"""The tagged job as a Markov chain, variant by variant."""

from __future__ import annotations

from tests.benchmarks.job_methods import chain as chains
from tests.benchmarks.job_methods.chain import Chain
from tests.benchmarks.job_methods.mean_field import JobMeans, MeanField, is_queue, mixture

from apet.queueing.data.jobs import Scenario

MOST_STATES, MOST_STATES_ALONE = 1_000, 6_000
"""Where a chain is solved for every population up to that of the network; where one job is alone."""


class ChainSolver:
    """Solves one job of a class in a field by its Markov chain; `last` keeps the means of the variants of each class
    from its latest call. Raises `TooManyStates`.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.stations = scenario.stations
        queues = frozenset(k for k, s in enumerate(scenario.stations) if is_queue(s))
        alone = sum(c.population for c in scenario.classes) == 1
        most = MOST_STATES_ALONE if alone else MOST_STATES

        self.chains: list[list[tuple[float, Chain]]] = [
            [(v.probability, chains.build(v.tasks, queues, len(self.stations), most)) for v in circulation.variants]
            for circulation in scenario.classes
        ]
        self.last: dict[int, list[JobMeans]] = {}

    def __call__(self, c: int, met: MeanField) -> JobMeans:
        """The means of one job of class c."""
        variants = [(p, chains.solve(chain, self.stations, met)) for p, chain in self.chains[c]]
        self.last[c] = [means for _, means in variants]
        return mixture(variants)
