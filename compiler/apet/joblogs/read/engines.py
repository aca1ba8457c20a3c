"""Which engine wrote a file, by how it begins."""

from __future__ import annotations

import re

from apet.joblogs.read.containers import head_of, packed_by_spark

SPARK, DASK, HADOOP, TABLE, NEUTRAL, WORKFLOW = "Spark", "Dask", "Hadoop", "tasks", "job log", "workflow"
_SPARK = re.compile(rb'\s*\{\s*"Event"\s*:\s*"(?:[\w.$]*[.$])?(?:SparkListener|DBCEventLogging)')
_DASK = re.compile(rb'\s*\{"event": ?"start", ?"t":')
_NEUTRAL = re.compile(rb'\s*\{\s*"job logs?"\s*:')


def engine_of_file(path: str) -> str:
    """What wrote the log in a file; what only Spark packs so is taken for its, though it may need a library."""
    if packed_by_spark(path):
        return SPARK
    return engine_of_head(head_of(path))


def engine_of_head(head: bytes) -> str:
    """The engine of a log that begins so, unpacked; "" for anything else."""
    head = head.removeprefix(b"\xef\xbb\xbf")
    from apet.joblogs.read.table import is_task_table

    for engine, form in ((SPARK, _SPARK), (DASK, _DASK), (NEUTRAL, _NEUTRAL)):
        if form.match(head):
            return engine
    if head.lstrip().startswith(b"{") and b'"workflow"' in head and b'"schemaVersion"' in head:
        return WORKFLOW
    if head.startswith((b"Avro-Json", b"Avro-Binary")):
        return HADOOP
    return TABLE if is_task_table(head) else ""
