"""Which engine wrote a log, by its content, and reading it."""

from __future__ import annotations

import os
from importlib import import_module

from apet.ground.diagnostics import ApetError
from apet.ground.resources import located
from apet.ground.source_files import UnreadableFile
from apet.joblogs import errors
from apet.joblogs.job_log import JobLog, SizedLogs
from apet.joblogs.read.archives import engine_in_archive, is_archive, logs_in, opened
from apet.joblogs.read.engines import (
    DASK,
    HADOOP,
    NEUTRAL,
    SPARK,
    STREAM,
    TABLE,
    UNORDERED,
    WORKFLOW,
    engine_of_file,
)
from apet.joblogs.read.rolled import is_rolled, parts_of


def engine_of(path: str) -> str:
    """What wrote the log in a file, folder or archive; "" if there is none. Of several logs, the first one."""
    if os.path.isdir(path):
        if is_rolled(path):
            return SPARK
        first = next(iter(logs_in(path)), "")
        return SPARK if os.path.isdir(first) else engine_of_file(first) if first else ""
    return engine_in_archive(path) if is_archive(path) else engine_of_file(path)


def read_job_log(path: str | os.PathLike[str]) -> JobLog:
    """The log of one application in a file, a folder of rolled parts, or a shipped sample; `ApetError`. Of logs at
    several sizes the largest."""
    return read_job_logs(path).logs[-1]


def read_job_logs(path: str | os.PathLike[str]) -> SizedLogs:
    """All logs of a file, most often one; `ApetError`."""
    name = os.fspath(located(path))
    if not os.path.exists(name):
        raise ApetError(UnreadableFile(None, None, name, "no such file or directory"))
    with opened(name) as log:
        engine = SPARK if os.path.isdir(log) else engine_of_file(log)
        if engine == NEUTRAL:
            from apet.joblogs.read.neutral import read_neutral

            return read_neutral(log)
        return SizedLogs((1,), (_read(log, engine),))


def _read(name: str, engine: str) -> JobLog:
    if engine == SPARK:
        from apet.joblogs.read.spark import read_spark

        return read_spark(name, parts_of(name))
    if engine not in READERS:
        raise ApetError(errors.UnknownLog(None, None, name, _problem(name)))
    module, function = READERS[engine]
    log: JobLog = getattr(import_module(f"apet.joblogs.read.{module}"), function)(name)
    return log


READERS = {
    DASK: ("dask", "read_dask"),
    HADOOP: ("hadoop", "read_hadoop"),
    STREAM: ("dask_stream", "read_stream"),
    TABLE: ("table", "read_table"),
    UNORDERED: ("unordered", "read_unordered"),
    WORKFLOW: ("wfformat", "read_workflow"),
}
"""Modules that are loaded for what only they read."""


def _problem(name: str) -> str:
    if os.path.getsize(name) == 0:
        return "the file is empty, no job ran"
    return "it begins like none"
