"""A logged job under load: users that run it again and again, or jobs that arrive, in the steady state.

The replay says how fast the cluster works with 1, 2, … such jobs; the queueing network of that one load-dependent
station says how many are there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from apet.joblogs.answer import usual_cores
from apet.joblogs.job_log import US
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.streams import SteadyState, responses
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.methods.answer import queue
from apet.queueing.methods.mva.open_networks import jobs_beyond, waiting_in_turns

MOST_PRESENT = 200
"""Jobs at once up to which the speed of the cluster is looked for where jobs arrive from outside."""

MOST_TURNS, MOST_USED = 500, 0.99
"""Jobs of a run that are told apart: more turns are next to sharing. The greatest use that waits are solved for."""


def under_load(
    question: JobLogQuestion,
    cores: Sequence[int] | None = None,
    *,
    users: int | None = None,
    think: float = 0.0,
    arrival_rate: float | None = None,
    fair: bool = False,
) -> tuple[SteadyState, ...]:
    """The steady state on each number of cores (default: halved and doubled from the log's own): `users` that each
    pause `think` seconds after a run, or jobs that arrive at a rate per second."""
    group = JobClass("jobs", users, think, arrival_rate)
    return tuple(_steady_state(question, n, group, fair) for n in cores or usual_cores(question.work))


def _steady_state(question: JobLogQuestion, cores: int, group: JobClass, fair: bool) -> SteadyState:
    times = responses(question.work, cores, group.population or MOST_PRESENT, fair)
    speeds = tuple(accumulate((n * times[0] / time for n, time in enumerate(times, start=1)), max))
    each = sum(unit.work for unit in question.work.units_on(cores)) / US / cores
    at_least = _at_least(question, cores, group)
    arriving = group.arrival_rate or 0.0
    if arriving * times[0] / US >= speeds[-1]:
        return SteadyState(cores, None, at_least, arriving, None, arriving * each)

    network = Network((Station("cluster"),), (group,), [[times[0] / US]], [[1.0]], (speeds,))
    result = queue(network)
    assert isinstance(result, NetworkResult)
    (throughput,), ((present,),) = result.throughput, result.queue_length
    if group.is_open and not fair:
        waiting = waiting_in_turns(min(arriving * each, MOST_USED), _services(question.work))
        present += jobs_beyond(arriving * times[0] / US, speeds) * (waiting - 1)
    return SteadyState(cores, present / throughput, at_least, throughput, present, throughput * each)


def _services(work: WorkGraph) -> list[int]:
    """The work of the jobs of a run in their order: each waits for all that other runs have submitted before."""
    by_job = Counter[int]()
    for unit in work.units:
        by_job[unit.job] += unit.work
    services = [part for _, part in sorted(by_job.items()) if part]
    return [1] * MOST_TURNS if len(services) > MOST_TURNS else services or [1]


def _at_least(question: JobLogQuestion, cores: int, group: JobClass) -> float | None:
    """The asymptotic bound: no less than alone, and all work must be done in each cycle (P. J. Denning and J. P. Buzen,
    1978)."""
    (alone,) = question.answer([cores]).predictions
    if alone.lower is None:
        return None
    each = sum(unit.work for unit in question.work.lean) / US / cores
    return max(alone.lower, (group.population or 0) * each - group.think)
