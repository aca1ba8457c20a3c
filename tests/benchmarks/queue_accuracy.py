"""Jobs with precedence: the default method, analysis alone and the published models beside long simulations.

`python -m tests.benchmarks.queue_accuracy [scenarios]` prints a table: errors of mean response times (and of the 95th
percentile), and processor time. Scenarios are those of `tests.queueing_scenarios`, from a seed on which nothing was
chosen.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Sequence

from tests.queueing_scenarios import random_scenario

from apet.ground.diagnostics import ApetError
from apet.queueing.jobs import JobsResult, Scenario
from apet.queueing.precedence import reference_amva, simulation, solve
from apet.queueing.precedence.checked import checked

FIRST = 50_000
REFERENCE_EVENTS = 12_000_000
REFERENCE_SEED = 7
Method = Callable[[Scenario], JobsResult]
METHODS: dict[str, Method] = {
    "default": checked,
    "analysis alone": solve.solve,
    "reference": lambda scenario: reference_amva.solve(scenario, "reference"),
    "forkjoin": lambda scenario: reference_amva.solve(scenario, "forkjoin"),
}


def study(number: int) -> list[list[str]]:
    """A row per method: errors, and seconds of processor."""
    scenarios = [random_scenario(FIRST + i)[1] for i in range(number)]
    references = [simulation.run(s, REFERENCE_EVENTS, REFERENCE_SEED) for s in scenarios]
    rows = []
    for name, method in METHODS.items():
        errors, tails, seconds = list[float](), list[float](), list[float]()
        for scenario, reference in zip(scenarios, references, strict=True):
            begin = time.process_time()
            try:
                result = method(scenario)
            except (ApetError, solve.NoAnalysis):
                continue  # a fixed point that is not reached; too many states
            seconds.append(time.process_time() - begin)
            for c, mean, levels in zip(result.classes, reference.response, reference.percentiles, strict=True):
                errors.append(abs(c.response_time / mean.value - 1))
                if c.percentiles:
                    tails.append(abs(c.percentiles.by_level()[95] / levels[2].value - 1))
        rows.append([name, str(len(errors)), *_spread(errors), _percent(tails, statistics.mean), _times(seconds)])
    return rows


def _spread(errors: Sequence[float]) -> list[str]:
    return [_percent(errors, f) for f in (statistics.mean, statistics.median, _most_of, max)]


def _most_of(values: Sequence[float]) -> float:
    """What 95 % do not exceed."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def _percent(values: Sequence[float], of: Callable[[Sequence[float]], float]) -> str:
    return f"{100 * of(values):.2g} %" if values else ""


def _times(seconds: Sequence[float]) -> str:
    return f"{1e3 * statistics.median(seconds):.2g} ms, {1e3 * _most_of(seconds):.2g} ms"


def main(number: int) -> None:
    """Print the table."""
    header = ["method", "response times", "mean", "median", "95 % within", "worst", "p95, mean", "processor time"]
    for row in (header, ["---"] * len(header), *study(number)):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 140)
