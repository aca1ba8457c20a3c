"""CSV of load generators as requests: a row per request (k6, JMeter, hey), or running totals (Locust's history)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from apet.ground.csv_cells import line_span
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.tables import table_rows
from apet.queueing import errors
from apet.queueing.measured.log_lines import MILLISECONDS, LogLine, log_line


class LoadTest(NamedTuple):
    """The columns of a generator: moments, the request in one or two, its status, its duration and what that counts.

    `only` names a column and the value that rows of requests have in it. With `number` rows are running totals: so many
    requests until then, of so long a mean.
    """

    at: str
    request: tuple[str, ...]
    status: str
    duration: str
    unit: str = "ms"
    only: tuple[str, str] | None = None
    number: str = ""

    @property
    def needed(self) -> set[str]:
        """The columns by which a file is known."""
        return {self.at, *self.request, self.duration} | ({self.only[0]} if self.only else set())


FORMS = (
    LoadTest("timestamp", ("method", "url"), "status", "metric_value", only=("metric_name", "http_req_duration")),
    LoadTest("timeStamp", ("label",), "responseCode", "elapsed"),
    LoadTest("offset", ("status-code",), "status-code", "response-time", "s"),
    LoadTest(
        "Timestamp",
        ("Name",),
        "",
        "Total Average Response Time",
        only=("Name", "Aggregated"),
        number="Total Request Count",
    ),
)
"""k6 (`--out csv`), JMeter (JTL as CSV), hey (`-o csv`), Locust (`_stats_history.csv`)."""


def form_of(header: Sequence[str]) -> LoadTest | None:
    """The generator that writes such a header."""
    return next((form for form in FORMS if form.needed <= set(header)), None)


def is_log_line(line: bytes) -> bool:
    """Whether a line is an entry of an access log, or the header of a load generator's CSV."""
    text = line.decode("utf-8", "replace").lstrip("\ufeff")
    return log_line(text) is not None or form_of([cell.strip('" \r') for cell in text.split(",")]) is not None


def requests_of(source: Source) -> Iterator[LogLine] | None:
    """The requests in a file of a load generator; None for other files. `ApetError` for cells that are no numbers."""
    first = source.text.partition("\n")[0].lstrip("\ufeff").strip()
    form = form_of([cell.strip('"') for cell in first.split(",")])
    return None if form is None else _requests(source, form)


def _requests(source: Source, form: LoadTest) -> Iterator[LogLine]:
    rows = table_rows(source)
    header = next(rows).cells
    count, total = 0, 0.0
    for line, cells in rows:
        row = dict(zip(header, cells, strict=False))
        if form.only is not None and row.get(form.only[0]) != form.only[1]:
            continue
        at, duration = (_number(source, line, row, name) for name in (form.at, form.duration))
        number = 1
        if form.number:
            until = int(_number(source, line, row, form.number))
            number, count, before = until - count, until, total
            total = until * duration
            duration = max(0.0, total - before) / number if number > 0 else 0.0

        request = " ".join(row.get(name, "") for name in form.request)
        fields = {f"{form.duration}_{form.unit}": f"{duration:.9f}"}
        moment = at / 1000 if at > MILLISECONDS else at
        yield from [LogLine(moment, request, row.get(form.status, ""), fields)] * max(0, number)


def _number(source: Source, line: int, row: Mapping[str, str], name: str) -> float:
    text = row.get(name, "")
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e18:
        advice = "leave out rows that a generator did not finish"
        raise ApetError(errors.WrongCell(source, line_span(source, line), name, text, "a number, 0 or more", advice))
    return value
