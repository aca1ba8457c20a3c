"""Sweeps as Parquet: typed columns, one row group for each chunk, and what was swept as metadata.

A chunk travels as an Arrow stream; the file is written at the end in one run, so that its bytes do not depend on when
or where the chunks were made.
"""

from __future__ import annotations

from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from apet.questions.sweep.evaluator import SweepRows
from apet.questions.sweep.ranges import Cells
from apet.questions.sweep.space import PROCESSORS
from apet.questions.sweep.task import TableTask


def encode(task: TableTask, rows: SweepRows) -> bytes:
    """A chunk as an Arrow stream."""
    empty = rows.undefined if rows.undefined.any() else None
    columns = [_column(task, name, cells) for name, cells in rows.cells.items()]
    columns += [pa.array(times, mask=empty) for times in rows.times.values()]
    names = pa.array(rows.dominants or ("",), type=pa.string())
    places = pa.array(np.where(rows.undefined, 0, rows.dominant), mask=empty)
    columns.append(names.take(places))
    batch = pa.record_batch(columns, schema=_schema(task))
    sink = pa.BufferOutputStream()

    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    payload: bytes = sink.getvalue().to_pybytes()
    return payload


def _column(task: TableTask, name: str, cells: Cells) -> Any:
    if name == task.labelled:
        return pa.array(task.labels, type=pa.string()).take(pa.array(cells))
    return pa.array(cells)


def _schema(task: TableTask) -> Any:
    fields = []
    for name in task.names:
        real = name not in (PROCESSORS, task.labelled) and not task.space.whole(name)
        fields.append(pa.field(name, pa.string() if name == task.labelled else pa.float64() if real else pa.int64()))
    times = [pa.field(name, pa.float64()) for name in task.header[len(task.names) : -1]]
    return pa.schema([*fields, *times, pa.field(task.reason, pa.string())])


class ParquetAssembler:
    """Joins encoded chunks to a file."""

    def __init__(self, task: TableTask, file: IO[bytes]) -> None:
        schema = _schema(task).with_metadata(task.metadata())
        self.writer = pq.ParquetWriter(file, schema, compression="zstd", use_dictionary=True, store_schema=True)
        self.schema = schema

    def add(self, payload: bytes) -> None:
        """The next chunk, as a row group of its own."""
        with pa.ipc.open_stream(pa.py_buffer(payload)) as reader:
            table = reader.read_all().cast(self.schema)
        self.writer.write_table(table, row_group_size=max(1, len(table)))

    def close(self) -> None:
        """After the last chunk."""
        self.writer.close()


def versions() -> dict[str, Any]:
    """What else the bytes depend on."""
    return {"pyarrow": pa.__version__}
