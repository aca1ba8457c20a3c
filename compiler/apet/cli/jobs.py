"""`apet predict`: logs of distributed engines."""

from __future__ import annotations

import argparse
from fractions import Fraction

from apet.answers.answer import Answer
from apet.cli import answering, arguments, pictures, rules
from apet.cli.errors import WrongCall
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.notation import BadOption, count
from apet.ground.values import number
from apet.joblogs.cost_model import MOST_CORES
from apet.joblogs.job_log import LARGEST
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.report.answers import joblog_answer

DESCRIPTION = """Predict a job on other numbers of cores from one log of it: a Spark event log, a Dask or Hadoop log,
or a table of tasks."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    logs(parser)
    where = parser.add_mutually_exclusive_group()
    text = "numbers of cores: 8,16 or 8:64:2x (default: halved and doubled from the log's own)"
    where.add_argument("--cores", metavar="N", help=text)
    where.add_argument("--executors", metavar="N", help="numbers of executors, of as many cores as the log's")
    parser.add_argument("--executor-cores", metavar="C", help="cores of an executor (default: as in the log)")
    text = (
        "a change: data=4 (four times the input), partitions.STAGE=512, skew.STAGE=1 (longest task over mean), or"
        " spread=0.05 (task times ± 5 %%)"
    )
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="settings", help=text)
    text = "number of such jobs, started together (default: 1)"
    parser.add_argument("--jobs", metavar="J", default="1", help=text)
    text = "how concurrent jobs share cores: fifo (default) or fair (equal shares)"
    scheduler = parser.add_argument("--scheduler", choices=("fifo", "fair"), default="fifo", help=text)
    rules.needs(scheduler, "--jobs", "--think", "--every")
    text = "steady state of --jobs users, each of whom pauses this long after a run, such as 1min"
    parser.add_argument("--think", metavar="Z", help=text)
    text = "steady state in which a run begins once in this time on average, such as 5min"
    parser.add_argument("--every", metavar="T", help=text)
    parser.add_argument("--cost-per-hour", metavar="C", help="the price of an executor, or of a core, per hour")
    pictures.option(parser, "stages over time, and time against cores")
    arguments.results(parser)


def logs(parser: argparse.ArgumentParser) -> None:
    """One log, or several of one program at different input sizes."""
    parser.add_argument("logs", metavar="LOG", nargs="+", help="a log, or the folder of a rolled one; or a sample")
    text = "input sizes of several logs of one program; ask for another one with --set data=16"
    parser.add_argument("--size", metavar="A,B,…", help=text)


def questions(options: argparse.Namespace) -> tuple[list[float], list[JobLogQuestion]]:
    """The sizes of several logs, and the logs."""
    sizes = _sizes(options.size, len(options.logs))
    with Activity(f"reading {options.logs[0]}"):
        return sizes, [JobLogQuestion(log) for log in options.logs]


def run(options: argparse.Namespace) -> None:
    """Read, replay, print."""
    sizes, (first, *others) = questions(options)
    answering.write(_answer(options, first.with_sizes(others, sizes) if sizes else first), options)


def _answer(options: argparse.Namespace, question: JobLogQuestion) -> Answer:
    question, values = changed_by(options, question)
    spread = single("spread", values.pop("spread", 0))
    changed = question
    per_executor = _per_executor(options, changed)
    jobs = count("--jobs", options.jobs, 1)
    cores = _cores(options, per_executor)
    if options.think is not None or options.every is not None:
        if spread:
            reason = "--set spread has no effect with --think and --every"
            raise ApetError(WrongCall(None, None, reason, "leave it out"))
        from apet.cli.job_load import load_result  # brings numpy

        return load_result(options, changed, cores, per_executor, jobs)

    with Activity("replaying the job on other numbers of cores"):
        answer = changed.answer(cores, spread=spread, jobs=jobs, fair=options.scheduler == "fair")
    executor_cores = per_executor if options.executors or len(changed.log.executors) > 1 else 0
    if options.executor_cores and not executor_cores:
        reason = "--executor-cores: this log has no executors"
        raise ApetError(WrongCall(None, None, reason, "name some: --executors N"))
    price = _price(options.cost_per_hour)
    return joblog_answer(answer, changed.work, per_executor=executor_cores, price=price)


def changed_by(
    options: argparse.Namespace, question: JobLogQuestion
) -> tuple[JobLogQuestion, dict[str, Number | Interval]]:
    """The job as `--set` changes it, and what of the settings is about the answer: the spread of times."""
    values = arguments.parsed_settings(options.settings)
    kept = {name: values.pop(name) for name in ("spread",) if name in values}
    if "cores" in values and "cores" in options:
        if options.cores is not None:
            raise ApetError(WrongCall(None, None, "cores are set twice", "leave --cores or --set cores out"))
        options.cores = str(single("cores", values.pop("cores")))
    data = values.pop("data", values.pop("size", None))
    if data is not None:
        question = question.with_data(single("data", data))
    elif options.size:
        advice = "ask for some: --set data=16, or make one model of these logs: apet export LOGS --size A,B --as json"
        raise ApetError(WrongCall(None, None, "for how much data?", advice))
    return question.changed({name: single(name, value) for name, value in values.items()}), kept


def _price(text: str | None) -> float | None:
    price = None if text is None else float(number("--cost-per-hour", text))
    if price is not None and price < 0:
        raise ApetError(BadOption(None, None, "--cost-per-hour", str(text), "it is below 0", "for example 0.40"))
    return price


def _sizes(text: str | None, logs: int) -> list[float]:
    """Sizes of the logs, in their order; none where there is one log."""
    sizes = [float(number("--size", part)) for part in text.split(",")] if text else []
    if len(sizes) != logs if sizes else logs != 1:
        advice = "name one log, or give the input size of each: --size 1,2,4 --set data=16"
        raise ApetError(WrongCall(None, None, f"{logs} logs and {len(sizes)} sizes", advice))
    if any(not 0 < size < LARGEST for size in sizes) or len(set(sizes)) != len(sizes) or len(sizes) == 1:
        advice = "at least two logs of different sizes above 0: --size 1,2"
        raise ApetError(BadOption(None, None, "--size", str(text), "these are no sizes to compare", advice))
    return sizes


def single(name: str, value: Number | Interval) -> Fraction:
    if isinstance(value, Interval):
        advice = "ask for both ends in turn"
        raise ApetError(BadOption(None, None, "--set", name, "a range is given where one value is needed", advice))
    exact = Fraction(value)
    if name == "spread" and not 0 <= exact <= Fraction(1, 2):
        raise ApetError(
            BadOption(None, None, "--set", f"spread={float(exact):g}", "it must be from 0 to 0.5", "5 % is 0.05")
        )
    return exact


def _per_executor(options: argparse.Namespace, question: JobLogQuestion) -> int:
    if options.executor_cores is None:
        return question.work.per_executor
    return count("--executor-cores", options.executor_cores, 1)


def _cores(options: argparse.Namespace, per_executor: int) -> list[int] | None:
    by_cores = options.executors is None
    option, text, factor = (
        ("--cores", options.cores, 1) if by_cores else ("--executors", options.executors, per_executor)
    )
    counts = [n for n in arguments.parsed_processors(text, option) if n is not None]

    most = MOST_CORES // factor
    if any(n > most for n in counts):
        advice = "that is beyond what a log can tell"
        raise ApetError(BadOption(None, None, option, text, f"more than {most:,}", advice))
    return [n * factor for n in counts] or None
