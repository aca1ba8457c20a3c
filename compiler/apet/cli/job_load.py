"""`apet predict` with `--think` or `--every`: the job run again and again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet.answers.answer import Answer
from apet.api.job_load import under_load
from apet.cli.errors import WrongCall
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.notation import duration
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.report.answers import load_answer
from apet.show.times import single

LONGEST = 1e12


def load_result(
    options: argparse.Namespace, question: JobLogQuestion, cores: Sequence[int] | None, per_executor: int, jobs: int
) -> Answer:
    """The steady state; `ApetError` where the options make no sense together."""
    if options.think is not None and options.every is not None:
        raise ApetError(WrongCall(None, None, "--think and --every", "users pause, or runs begin every so often"))
    if options.every is not None and jobs > 1:
        raise ApetError(
            WrongCall(None, None, "--every and --jobs", "runs begin every so often, however many there are")
        )
    for option, value in (("--plot", options.plot), ("--cost-per-hour", options.cost_per_hour)):
        if value:
            raise ApetError(WrongCall(None, None, f"{option} does not go with --think and --every", "leave one out"))

    think = _seconds("--think", options.think or "0", 0.0)
    rate = 1 / _seconds("--every", options.every, 1 / LONGEST) if options.every is not None else None
    users = jobs if rate is None else None
    with Activity("replaying runs at once"):
        states = under_load(
            question, cores, users=users, think=think, arrival_rate=rate, fair=options.scheduler == "fair"
        )
    executor_cores = per_executor if options.executors or len(question.log.executors) > 1 else 0
    about = {"users": users, "think_s": think, "arrival_rate": rate}
    return load_answer(question.log, _load(users, think, rate), states, about, per_executor=executor_cores)


def _load(users: int | None, think: float, rate: float | None) -> str:
    if rate is not None:
        return f"a run begins every {single(1 / rate)} in the mean"
    who = "1 user, who pauses" if users == 1 else f"{users} users, each of whom pauses"
    return f"{who} {single(think)} after a run" if think else f"{users} such jobs always there"


def _seconds(option: str, text: str, least: float) -> float:
    seconds = float(duration(option, text))
    if not least <= seconds <= LONGEST:
        raise ApetError(WrongCall(None, None, f"{option} {text} is out of range", "a time such as 2.5, 500ms or 5min"))
    return seconds
