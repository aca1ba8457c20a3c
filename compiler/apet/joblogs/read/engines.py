"""Which engine wrote a file, by how it begins."""

from __future__ import annotations

import re

from apet.ground.tables import heading_of
from apet.joblogs.read.containers import head_of, packed_by_spark

SPARK, DASK, HADOOP, TABLE, NEUTRAL, WORKFLOW = "Spark", "Dask", "Hadoop", "tasks", "job log", "workflow"
STREAM, UNORDERED = "Dask's task stream", "tasks without order"
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
    for engine, form in ((SPARK, _SPARK), (DASK, _DASK), (NEUTRAL, _NEUTRAL)):
        if form.match(head):
            return engine
    if head.lstrip().startswith(b"{") and b'"workflow"' in head and b'"schemaVersion"' in head:
        return WORKFLOW
    if head.startswith((b"Avro-Json", b"Avro-Binary")):
        return HADOOP
    if head.lstrip().startswith(b"<") and b"<title>Dask Performance Report" in head:
        return STREAM
    return _engine_of_table(head)


def _engine_of_table(head: bytes) -> str:
    """By the columns of a table, or the keys of the first of several records."""
    from apet.joblogs.read.table import is_task_table
    from apet.joblogs.read.unordered import AIRFLOW, NEXTFLOW

    text = head.decode("utf-8-sig", "replace")
    records = text.lstrip()[:1] in ("[", "{")
    columns = re.findall(r'"([\w%]+)"\s*:', text.partition("}")[0]) if records else heading_of(text)
    names = {column.lower() for column in columns}
    if {"key", "worker", "thread", "startstops"} <= names or (records and '"startstops":' in text):
        return STREAM
    if not records and is_task_table(head):
        return TABLE
    return UNORDERED if names >= NEXTFLOW or names >= AIRFLOW else ""
