"""Jobs with precedence: the default method, a tagged job in a mean field and the published models beside
long simulations.

`python -m tests.benchmarks.queue_accuracy [scenarios] [--methods reference,forkjoin]` prints a table:
errors of mean response times (and of the 95th
percentile), and processor time. Scenarios are those of `tests.queueing_scenarios`, from a seed on which nothing was
chosen.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

from tests.benchmarks.job_methods import reference_amva, tagged_job
from tests.queueing_scenarios import random_scenario

from apet.ground.diagnostics import ApetError
from apet.queueing.data.jobs import JobsResult, Scenario
from apet.queueing.methods.precedence import simulation
from apet.queueing.methods.precedence.solve import solve

FIRST = 50_000
REFERENCE_EVENTS = 12_000_000
REFERENCE_SEED = 7
Method = Callable[[Scenario], JobsResult]
METHODS: dict[str, Method] = {
    "default": solve,
    "tagged job": tagged_job.solve,
    "reference": lambda scenario: reference_amva.solve(scenario, "reference"),
    "forkjoin": lambda scenario: reference_amva.solve(scenario, "forkjoin"),
}


def study(number: int, methods: Sequence[str]) -> list[list[str]]:
    """A row per method of these names: errors, and seconds of processor."""
    scenarios = [random_scenario(FIRST + i)[1] for i in range(number)]
    references = [simulation.run(s, REFERENCE_EVENTS, REFERENCE_SEED) for s in scenarios]
    rows = []
    for name in methods:
        errors, tails, seconds = list[float](), list[float](), list[float]()
        for scenario, reference in zip(scenarios, references, strict=True):
            begin = time.process_time()
            try:
                result = METHODS[name](scenario)
            except (ApetError, tagged_job.NoAnalysis):
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


def main(number: int, methods: Sequence[str]) -> None:
    """Print the table."""
    header = ["method", "response times", "mean", "median", "95 % within", "worst", "p95, mean", "processor time"]
    for row in (header, ["---"] * len(header), *study(number, methods)):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenarios", nargs="?", type=int, default=140)
    parser.add_argument("--methods", default=",".join(METHODS), help="names, separated by commas")
    options = parser.parse_args()
    main(options.scenarios, options.methods.split(","))
