"""How long the tasks of an application take by themselves: without messages, without other workers."""

from __future__ import annotations

from apet.java.jvm import Jdk
from apet.java.profile.task_profiles import sampled
from apet.java.profile.timing import VIRTUAL_MACHINES
from apet.java.profile.workload import BatchWork, Workload
from apet.java.validate.running import RunEffort, compile_application, run_application
from apet.program.measure.samples import median

WARM_S, WARM_PART, RUNS = 1.0, 0.3, 5
"""Seconds of warming up, at most this part of the budget of a virtual machine; runs that are timed in it."""


def time_tasks(jdk: Jdk, work: Workload, mode: str, budget: float, folder: str) -> list[float]:
    """Seconds that all tasks take in turn, in each of some virtual machines: a few of each batch stand for all of it.

    They run where those of the coordinator run, so that no message is timed. Each virtual machine of each batch has an
    equal part of the `budget` in seconds; raises `ApetError` as `run_application`.
    """
    batches = [batch for batch in work.batches if batch.tasks]
    compile_application(jdk, [batch.file for batch in batches], folder)
    limit = budget / VIRTUAL_MACHINES / max(len(batches), 1)
    effort = RunEffort(min(WARM_S, WARM_PART * limit), 2, RUNS, limit)
    seconds = [0.0] * VIRTUAL_MACHINES

    for batch in batches:
        alone = _alone(work, batch)
        scale = batch.tasks / alone.batches[0].tasks
        for k in range(VIRTUAL_MACHINES):
            seconds[k] += scale * median(run_application(jdk, folder, alone, mode, effort).wall_s)
    return seconds


def _alone(work: Workload, batch: BatchWork) -> Workload:
    """A few tasks of a batch, on the coordinator."""
    rows = tuple(sampled(batch.rows))
    few = batch._replace(tasks=len(rows), here=True, rows=rows, static=(), dynamic=(), replicas=0)
    return Workload(f"{work.name}: tasks of {batch.name} by themselves", 0, (few,), (";", (batch.name,)))
