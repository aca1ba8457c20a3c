"""Which engine wrote a log, by its content, and reading it."""

from __future__ import annotations

import os
import re

from apet.ground.diagnostics import ApetError
from apet.ground.resources import located
from apet.ground.source_files import UnreadableFile
from apet.joblogs import errors
from apet.joblogs.job_log import JobLog, SizedLogs
from apet.joblogs.read.containers import head_of
from apet.joblogs.read.rolled import is_rolled, parts_of

SPARK, DASK, HADOOP, TABLE, NEUTRAL = "Spark", "Dask", "Hadoop", "tasks", "job log"
_SPARK = re.compile(rb'\s*\{\s*"Event"\s*:\s*"(?:[\w.$]*[.$])?(?:SparkListener|DBCEventLogging)')
_DASK = re.compile(rb'\s*\{"event": ?"start", ?"t":')
_NEUTRAL = re.compile(rb'\s*\{\s*"job logs?"\s*:')


def engine_of(path: str) -> str:
    """What wrote the file or folder; "" if that is no log of jobs."""
    if os.path.isdir(path):
        return SPARK if is_rolled(path) else ""
    return engine_of_head(head_of(path))


def engine_of_head(head: bytes) -> str:
    """The engine of a log that begins so, unpacked; "" for anything else."""
    from apet.joblogs.read.table import is_task_table

    for engine, form in ((SPARK, _SPARK), (DASK, _DASK), (NEUTRAL, _NEUTRAL)):
        if form.match(head):
            return engine
    if head.startswith((b"Avro-Json", b"Avro-Binary")):
        return HADOOP
    return TABLE if is_task_table(head) else ""


def read_job_log(path: str | os.PathLike[str]) -> JobLog:
    """The log of one application in a file, a folder of rolled parts, or a shipped sample; `ApetError`. Of logs at
    several sizes the largest."""
    return read_job_logs(path).logs[-1]


def read_job_logs(path: str | os.PathLike[str]) -> SizedLogs:
    """All logs of a file, most often one; `ApetError`."""
    name = os.fspath(located(path))
    if not os.path.exists(name):
        raise ApetError(UnreadableFile(None, None, name, "no such file or directory"))
    engine = engine_of(name)
    if engine == NEUTRAL:
        from apet.joblogs.read.neutral import read_neutral

        return read_neutral(name)
    return SizedLogs((1,), (_read(name, engine),))


def _read(name: str, engine: str) -> JobLog:
    if engine == SPARK:
        from apet.joblogs.read.spark import read_spark

        return read_spark(name, parts_of(name))
    if engine == DASK:
        from apet.joblogs.read.dask import read_dask

        return read_dask(name)
    if engine == HADOOP:
        from apet.joblogs.read.hadoop import read_hadoop

        return read_hadoop(name)
    if engine == TABLE:
        from apet.joblogs.read.table import read_table

        return read_table(name)
    raise ApetError(errors.UnknownLog(None, None, name, _problem(name)))


def _problem(name: str) -> str:
    if os.path.isdir(name):
        return "the folder has no event log"
    if os.path.getsize(name) == 0:
        return "the file is empty, no job ran"
    return "it begins like none"
