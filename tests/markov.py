"""Whole Markov chains of small closed networks in order of arrival: an oracle that shares nothing with the methods."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from apet.queueing.data.jobs import Scenario

Job = tuple[int, int]
"""Class, and number of the step under way."""
State = tuple[tuple[int, ...], tuple[tuple[Job, ...], ...]]
"""Thinking jobs by class, and the line of each station, the oldest first."""
Way = tuple[float, State, int]
"""A rate, the next state, and the class of which a job ends (-1: none)."""


def order_of_arrival(scenario: Scenario) -> list[tuple[float, float]]:
    """Throughput and response time by class: jobs of one task, exponential demands, FCFS stations and delays."""
    chain = _Chain(scenario)
    rows = chain.explored()
    generator = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        for rate, new, _ in row:
            generator[i, chain.numbers[new]] += rate
            generator[i, i] -= rate
    equations = np.vstack([generator.T, np.ones(len(rows))])
    chances = np.linalg.lstsq(equations, np.append(np.zeros(len(rows)), 1.0), rcond=None)[0]

    results = []
    for c, circulation in enumerate(scenario.classes):
        rate = float(sum(p * r for p, row in zip(chances, rows, strict=True) for r, _, ended in row if ended == c))
        results.append((rate, circulation.population / rate - circulation.think))
    return results


class _Chain:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.steps = [c.variants[0].tasks[0].steps for c in scenario.classes]
        self.numbers: dict[State, int] = {}

    def explored(self) -> list[list[Way]]:
        """The ways out of every state, in the order of `numbers`."""
        state: State = (tuple(0 for _ in self.steps), tuple(() for _ in self.scenario.stations))
        for c, circulation in enumerate(self.scenario.classes):
            for _ in range(circulation.population):
                state = self.moved(state, c, 0)

        self.numbers, rows, waiting = {state: 0}, list[list[Way]](), [state]
        for one in waiting:
            rows.append([*self.arrivals(one), *self.ends(one)])
            for _, new, _ in rows[-1]:
                if new not in self.numbers:
                    self.numbers[new] = len(self.numbers)
                    waiting.append(new)
        return rows

    def moved(self, state: State, c: int, step: int) -> State:
        """A job comes to the station of a step, or thinks after its last."""
        thinking, lines = state
        if step == len(self.steps[c]):
            return tuple(n + (i == c) for i, n in enumerate(thinking)), lines
        k = self.steps[c][step].station
        return thinking, (*lines[:k], (*lines[k], (c, step)), *lines[k + 1 :])

    def arrivals(self, state: State) -> Iterator[Way]:
        thinking, lines = state
        for c, n in enumerate(thinking):
            if n:
                fewer = tuple(m - (i == c) for i, m in enumerate(thinking))
                yield n / self.scenario.classes[c].think, self.moved((fewer, lines), c, 0), -1

    def ends(self, state: State) -> Iterator[Way]:
        thinking, lines = state
        for k, line in enumerate(lines):
            station = self.scenario.stations[k]
            served = len(line) if station.discipline == "delay" else min(station.servers, len(line))
            for place, (c, step) in enumerate(line[:served]):
                rest = thinking, (*lines[:k], line[:place] + line[place + 1 :], *lines[k + 1 :])
                last = step + 1 == len(self.steps[c])
                # A class that does not think begins its next job at once.
                following = 0 if last and not self.scenario.classes[c].think else step + 1
                yield 1 / self.steps[c][step].demand, self.moved(rest, c, following), c if last else -1
