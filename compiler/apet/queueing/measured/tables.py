"""Tables of throughput and utilization from files: CSV, and answers of Prometheus to range queries.

A plain table has a column `throughput` (of one class) or `throughput[CLASS]` in jobs per second, and columns
`utilization[STATION]`, busy shares between 0 and 1; other columns are left alone. In JSON of Prometheus each series
has a label `class` (its values are throughputs) or `station` (utilizations), as `label_replace` sets them; instants
that all series have are rows. What promtool prints (`query range -o json`, `tsdb dump`) is read as well.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from apet.ground.csv_cells import line_span
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.ground.tables import TableRow, table_rows
from apet.queueing import errors
from apet.queueing.measured.demands import UtilizationTable

COLUMN = re.compile(r"(throughput|utilization)(?:\[(.+)\])?")
DUMPED = re.compile(r"\{(.*)\} (\S+) (\d+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
ONE_CLASS = "requests"
MOST_ROWS = 1_000_000
GREATEST = {"throughput": 1e15, "utilization": 1.0 + 1e-6}


def read_table(source: Source) -> UtilizationTable:
    """The table in a text, JSON or CSV; `ApetError` with the place of what is wrong."""
    if source.text.lstrip()[:1] in ("{", "["):
        return _prometheus(source)
    return _csv(source)


def _csv(source: Source) -> UtilizationTable:
    rows = table_rows(source)
    header = next(rows, TableRow(1, [])).cells
    columns = {i: match for i, name in enumerate(header) if (match := COLUMN.fullmatch(name))}
    names = [(m[1], m[2] or (ONE_CLASS if m[1] == "throughput" else m[1])) for m in columns.values()]
    series: dict[tuple[str, str], list[float]] = {name: [] for name in names}
    if len(series) < len(names):
        raise _twice(source, *max(names, key=names.count))

    for line, row in rows:
        for (i, match), values in zip(columns.items(), series.values(), strict=True):
            text = row[i] if i < len(row) else ""
            values.append(_number(source, line, match[0], match[1], text))
    return _checked(source, series)


def _number(source: Source, line: int, column: str, kind: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= GREATEST[kind]:
        wanted = "a busy share between 0 and 1" if kind == "utilization" else "jobs per second, 0 or more"
        advice = "leave out rows without measurements"
        if value > 1:
            advice = "divide percents by 100, and what is summed over servers by their number"
        raise ApetError(errors.WrongCell(source, line_span(source, line), column, text, wanted, advice))
    return value


def _dumped(text: str) -> list[dict[str, Any]]:
    """The samples of `promtool tsdb dump`, each a series of one value: {station="web"} 0.5 1700000000000."""
    rows = (DUMPED.fullmatch(line.strip()) for line in text.splitlines() if line.strip())
    return [{"metric": dict(LABEL.findall(m[1])), "values": [[float(m[3]) / 1000, m[2]]]} for m in rows if m]


def _prometheus(source: Source) -> UtilizationTable:
    try:
        content = _dumped(source.text) or json.loads(source.text)
    except (ValueError, RecursionError):
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), "this is no JSON", PROMETHEUS)) from None
    if isinstance(content, dict) and content.get("status") == "error":
        reason = f"Prometheus reports an error, {content.get('error')}"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, PROMETHEUS))
    instants: dict[tuple[str, str], dict[float, float]] = {}
    for kind, name, values in _series(source, content):
        points = instants.setdefault((kind, name), {})
        for pair in values:
            try:
                if math.isnan(float(pair[1])):
                    continue  # no data at this instant
                value = _number(source, 1, f"{kind}[{name}]", kind, str(pair[1]))
                if points.setdefault(float(pair[0]), value) != value:
                    raise _twice(source, kind, name)
            except (TypeError, ValueError, IndexError, KeyError, OverflowError):
                raise ApetError(errors.NoMeasurements(source, Span(0, 1), "a value is no pair", PROMETHEUS)) from None

    common = sorted(set.intersection(*map(set, instants.values()))) if instants else []
    if instants and not common:
        advice = "ask for all with the same start, end and step"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), "no instant is in all series", advice))
    return _checked(source, {key: [points[t] for t in common] for key, points in instants.items()})


PROMETHEUS = "give the answer of /api/v1/query_range, its series with a label class or station"


def _twice(source: Source, kind: str, name: str) -> ApetError:
    reason = f"{kind}[{name}] is there twice"
    return ApetError(errors.NoMeasurements(source, Span(0, 1), reason, "add or average what belongs together"))


def _series(source: Source, content: Any) -> Iterator[tuple[str, str, list[Any]]]:
    """What has a class or a station, in an answer or a list of them."""
    for answer in content if isinstance(content, list) else [content]:
        data = answer.get("data") if isinstance(answer, dict) else None
        bare = [answer] if isinstance(answer, dict) and "metric" in answer else []
        for one in bare or (data.get("result") if isinstance(data, dict) else None) or []:
            metric = one.get("metric") if isinstance(one, dict) else None
            values = one.get("values") if isinstance(one, dict) else None
            if not isinstance(metric, dict) or not isinstance(values, list):
                continue
            kinds = [k for k in (("class", "throughput"), ("station", "utilization")) if k[0] in metric]
            if not kinds:
                reason = f"a series has neither a label class nor station: {str(metric)[:80]}"
                advice = 'set one in the query: label_replace(QUERY, "station", "web", "", "")'
                raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, advice))
            for label, kind in kinds:
                yield kind, str(metric[label]), values


def _checked(source: Source, series: dict[tuple[str, str], list[float]]) -> UtilizationTable:
    throughput = {name: values for (kind, name), values in series.items() if kind == "throughput"}
    utilization = {name: values for (kind, name), values in series.items() if kind == "utilization"}
    rows = len(next(iter(throughput.values()), []))
    if rows > MOST_ROWS:
        reason, advice = f"more than {MOST_ROWS:,} rows", "average over longer intervals"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, advice))
    if not throughput or not utilization or not rows:
        missing = "no throughput" if not throughput else "no utilization" if not utilization else "no row of numbers"
        advice = "a CSV has columns throughput[CLASS] and utilization[STATION]; JSON is an answer of Prometheus"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), f"there is {missing}", advice))
    return UtilizationTable(throughput, utilization)
