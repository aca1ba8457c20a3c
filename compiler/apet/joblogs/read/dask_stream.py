"""The task stream of Dask: in a performance report (HTML, a document of Bokeh), and what `get_task_stream` returns, as
JSON or as a table of pandas.

It has when workers did what for each task, but not what tasks waited for.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import re
import zlib
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.job_log import US, ExecutorSpan, JobLog
from apet.joblogs.read.containers import FREE_BYTES, MOST_TIMES, text_of
from apet.joblogs.read.dask import HOLDING, LATEST
from apet.joblogs.read.table import TaskRow
from apet.joblogs.read.unordered import SeenTask, log_of_seen

DOCUMENT = re.compile(r'<script type="application/json"[^<>]*>')
THREADS = re.compile(r"Threads: (\d{1,6})\b")
ACTION = re.compile(r"""action['"]: ['"]([\w-]+)['"], ['"]start['"]: ([\d.e+]+), ['"]stop['"]: ([\d.e+]+)""")
NAMED = re.compile(r"(transfer|deserialize|disk-read|disk-write)-")
TOKEN = re.compile(r"-(?=[0-9a-f]{8,}(?:-|$)|\d+$)")
BROKEN = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, csv.Error, zlib.error)
NUMBERS = {"float64": "d", "int64": "q", "int32": "i"}


class _Span(NamedTuple):
    """What a thread of a worker did for a task, in seconds since 1970."""

    key: str
    worker: str
    thread: str
    action: str
    start: float
    stop: float


def read_stream(path: str) -> JobLog:
    """The tasks of a stream; `ApetError`."""
    text = text_of(path)
    threads = 0
    try:
        if text.lstrip()[:1] == "<":
            spans = list(_of_report(text))
            threads = max((int(number) for number in THREADS.findall(text)), default=0)
        else:
            rows = json.loads(text) if text.lstrip()[:1] in "[{" else csv.DictReader(io.StringIO(text))
            spans = [span for row in rows for span in _of_task(row)]
        tasks = _tasks(spans)
    except BROKEN as error:
        reason = f"it is a task stream of another form ({type(error).__name__}: {str(error)[:60]})"
        raise ApetError(errors.UnknownLog(None, None, path, reason)) from None
    return _of_workers(log_of_seen(path, tasks), tasks, spans, threads)


def _of_workers(log: JobLog, tasks: Sequence[SeenTask], spans: Sequence[_Span], threads: int) -> JobLog:
    """The log as one of Dask: tasks with the names of their groups, on workers that share so many threads, or have as
    many as were seen."""
    used = {(span.worker, span.thread) for span in spans if span.action in HOLDING}
    workers = sorted({worker for worker, _ in used})
    seen = Counter(worker for worker, _ in used)
    executors = tuple(ExecutorSpan(w, max(seen[w], threads // len(workers)), 0, log.end) for w in workers)

    place = {span.key: workers.index(span.worker) for span in spans if span.action in HOLDING}
    ordered = sorted(tasks, key=lambda task: (task.row.start, task.row.name))  # as the log has them
    log.tasks.executor[:] = array("q", [place[task.row.name] for task in ordered])
    stages = tuple(s._replace(name=task.group[:60]) for s, task in zip(log.stages, ordered, strict=True))
    return replace(log, engine="Dask", order="dask", executors=executors, stages=stages)


def _of_task(row: Mapping[str, Any]) -> Iterator[_Span]:
    """The spans of a task that did not fail; a cell of a table holds them as text."""
    if row.get("status", "OK") != "OK":
        return
    spans = row["startstops"]
    if isinstance(spans, str):
        parts = ACTION.findall(spans)
    else:
        parts = [(each["action"], each["start"], each["stop"]) for each in spans]
    for action, start, stop in parts:
        yield _Span(str(row["key"]), str(row["worker"]), str(row["thread"]), str(action), float(start), float(stop))


def _of_report(text: str) -> Iterator[_Span]:
    """The rectangles of the task stream, in milliseconds: `start` is the middle of one. Failed ones are black."""
    begin = DOCUMENT.search(text)
    if begin is None:
        raise ValueError("it has no document")
    columns = _stream(json.loads(text[begin.end() : text.index("</script>", begin.end())]))
    names = ("key", "name", "worker", "worker_thread", "start", "duration", "color")
    for key, name, worker, thread, middle, duration, colour in zip(*map(columns.__getitem__, names), strict=True):
        action = NAMED.match(name) if name != prefix(key) else None
        if colour != "black":
            begin, end = (middle - duration / 2) / 1000, (middle + duration / 2) / 1000
            yield _Span(str(key), str(worker), str(thread), action[1] if action else "compute", begin, end)


def _stream(document: Any) -> dict[str, Sequence[Any]]:
    """The columns of the source of data that has threads of workers, anywhere in a document; `KeyError`."""
    ahead = [document]
    for part in ahead:  # which grows
        if isinstance(part, dict):
            data = part.get("data")
            if isinstance(data, dict):
                columns = dict(data["entries"]) if "entries" in data else data
                if "worker_thread" in columns:
                    return {name: _column(column) for name, column in columns.items()}
            ahead += part.values()
        elif isinstance(part, list):
            ahead += [each for each in part if isinstance(each, dict | list)]
    raise KeyError("worker_thread")


def _column(column: Any) -> Sequence[Any]:
    """The values of a list, or of an array that Bokeh has packed."""
    if isinstance(column, list):
        return column
    packed = column["__ndarray__"] if "__ndarray__" in column else column["array"]["data"]
    content = base64.b64decode(packed)
    if content.startswith(b"\x1f\x8b"):
        unpacking = zlib.decompressobj(wbits=31)
        content = unpacking.decompress(content, max(FREE_BYTES, MOST_TIMES * len(content)))
        if not unpacking.eof:
            raise ValueError("a column is cut off, or too long")
    values = array(NUMBERS[column["dtype"]])
    values.frombytes(content)
    return values


def _tasks(spans: Sequence[_Span]) -> list[SeenTask]:
    """By key, from the first span that holds a thread to the last one."""
    by_key: dict[str, list[_Span]] = {}
    for span in spans:
        if not 0 <= span.start <= span.stop < LATEST:
            raise ValueError(f"{span.key[:40]} ends before it starts")
        by_key.setdefault(span.key, []).append(span)

    tasks = list[SeenTask]()
    for number, (key, parts) in enumerate(by_key.items(), start=1):
        holding = [span for span in parts if span.action in HOLDING]
        if holding:
            start, end = min(span.start for span in holding), max(span.stop for span in holding)
            ready = min(span.start for span in parts)
            row = TaskRow(key, round(start * US), round(end * US), "", 1, number)
            tasks.append(SeenTask(row, prefix(key), "", round(ready * US)))
    return tasks


def prefix(key: str) -> str:
    """What tasks that are alike are called: a key without its token and its place."""
    first = re.split(r"['\",]", key.lstrip("('\""))[0]
    return TOKEN.split(first, maxsplit=1)[0] or first
