"""What runners of benchmarks write, by the table of their formats: JSON, tables, and lines for people.

Each benchmark is a series of its own, by its name without parameters; `metric` names the one that is wanted, or another
metric of the only one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from apet.ground.csv_cells import csv_rows, line_span
from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document
from apet.ground.source import Source, Span
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.benchmark_formats import JSON, LINES, TABLES, JsonFormat, LineFormat, TableFormat
from apet.runs.read.benchmark_names import SUMMARY, named
from apet.runs.read.checking import Checker
from apet.runs.read.samples import WHOLE, SampleSet, Value, as_value, chosen_name

MOST_NUMBER = 1e100
HEAD = 65_536
ASV_UNITS = {"mem": "B", "peakmem": "B", "track": ""}
"""By the first word of the name of a benchmark of asv; others are timed."""
Place = Callable[[], Span | None]


class BenchmarkRun(NamedTuple):
    """One benchmark at one point: its name, the parameters, values of a metric (empty: the time) in a unit, and where
    it is in the file."""

    name: str
    parameters: dict[str, Value]
    values: list[object]
    unit: str
    place: Place
    metric: str = ""


def is_benchmark(content: object) -> bool:
    """Whether a JSON value is what one of the runners writes."""
    return _format_of(content) is not None or _is_asv(content)


def recognises(text: str) -> bool:
    """Whether a text that is no JSON is what one of the runners writes."""
    head = text[:HEAD]
    return _table_of(head) is not None or any(form.pattern.search(head) for form in LINES)


def read_document(document: Document, metric: str | None) -> SampleSet:
    """The samples of one benchmark of a JSON value; `ApetError` where there are several and none is chosen."""
    form = _format_of(document.content)
    runs = list(_json(document, form) if form else _asv(document))
    return _samples(document.source, runs, metric)


def read_text(source: Source, metric: str | None) -> SampleSet:
    """The same of a table, or of lines."""
    form = _table_of(source.text[:HEAD])
    if form is not None:
        return _samples(source, list(_table(source, form)), metric)
    lines = next(form for form in LINES if form.pattern.search(source.text))
    return _samples(source, list(_lines(source, lines)), metric)


def _samples(source: Source, runs: Sequence[BenchmarkRun], metric: str | None) -> SampleSet:
    if not runs:
        raise ApetError(errors.NoRuns(source, None, "this file", "all its entries are aggregates or failed"))
    timed = [run for run in runs if (own := units.measure(run.unit)) is not None and own.unit == units.TIME]
    runs = timed if timed and metric is None else runs
    series = [run.name for run in runs]
    if len({(run.name, *run.parameters.items()) for run in runs}) > 1:
        runs = _with_names(runs)
    names = list(dict.fromkeys(run.name for run in runs))
    others = list(dict.fromkeys(run.metric for run in runs if run.metric))
    other = metric if metric is not None and metric in others and len(names) == 1 else ""
    if len(names) == len(runs) > 1 and not other and metric not in names:
        raise ApetError(errors.OneRunEach(source, None, f"each of the {len(names)} benchmarks has one run"))
    wanted = names[0] if other or (metric in series and len(names) == 1) else chosen_name(source, names, metric)
    return _chosen(source, [run for run in runs if run.name == wanted and run.metric == other], wanted)


def _with_names(runs: Sequence[BenchmarkRun]) -> list[BenchmarkRun]:
    """With the parameters that are in names."""
    found = named([run.name for run in runs])
    return [
        run._replace(name=own.series, parameters=own.parameters | run.parameters)
        for run, own in zip(runs, found, strict=True)
    ]


def _chosen(source: Source, runs: Sequence[BenchmarkRun], name: str) -> SampleSet:
    """The samples of one series."""
    keys = tuple(dict.fromkeys(key for run in runs for key in run.parameters))
    notes, measures = Checker(source), [units.measure(run.unit) for run in runs]
    first = next((m for m in measures if m is not None), units.SECOND)
    samples = SampleSet(name, keys, source, False, unit=first.unit)

    for run, own in zip(runs, measures, strict=True):
        if own is None or own.unit != first.unit:
            notes.errors.append(errors.UnknownTimeUnit(source, run.place(), run.unit))
            continue
        point = tuple(_coordinate(notes, run.parameters.get(key), key, run.place) for key in keys)
        values = [notes.positive(v, "a time" if own.unit == units.TIME else "a value", run.place) for v in run.values]
        samples.add(point, WHOLE, [own.of(v) for v in values])
    notes.finish()
    return samples


def _coordinate(notes: Checker, value: Value | None, name: str, place: Place) -> Value:
    return value if isinstance(value, str) else notes.positive(value, name, place)


# JSON


def _format_of(content: Any) -> JsonFormat | None:
    return next((form for form in JSON if any(_is_entry(form, e) for e in _entries(form, content))), None)


def _entries(form: JsonFormat, content: Any) -> list[Any]:
    entries = content if not form.entries else content.get(form.entries) if isinstance(content, dict) else None
    return entries if isinstance(entries, list) else []


def _is_entry(form: JsonFormat, entry: object) -> bool:
    return isinstance(entry, dict) and all(mark in entry for mark in form.marks)


def _json(document: Document, form: JsonFormat) -> Iterator[BenchmarkRun]:
    entries = _entries(form, document.content)
    chosen = [k for k, e in enumerate(entries) if _is_entry(form, e) and not e.get("error_occurred")]
    single = [k for k in chosen if not _is_summary(entries[k])]
    for k in single or [k for k in chosen if _is_summary(entries[k], "median")]:
        entry = entries[k]
        path = (form.entries, k) if form.entries else (k,)
        parameters = _parameters(entry, form.parameters)
        name = "/".join(text for key in form.name if (text := str(_first(entry, key.split("|")) or "")))
        values = _flat(_first(entry, form.values))
        unit = str(_get(entry, form.unit[1:]) or "ns") if form.unit.startswith("@") else form.unit
        yield BenchmarkRun(
            _without(SUMMARY.sub("", name) if not single else name, parameters),
            parameters,
            [v for v in values if not (isinstance(v, float) and v != v)] or [None],
            unit,
            lambda path=path: document.locator.value(path),  # type: ignore[misc]
        )


def _is_summary(entry: Mapping[str, Any], which: str = "") -> bool:
    """Whether an entry sums up others: a mean, a median, a complexity; or whether it is that one."""
    if "run_type" in entry:
        return bool(entry["run_type"] == "aggregate" and (not which or entry.get("aggregate_name") == which))
    end = SUMMARY.search(str(entry.get("name", ""))) if "real_time" in entry else None
    return end is not None and (not which or end[0] == f"_{which}")


def _get(entry: Any, key: str) -> Any:
    """The value under a key, or under several, joined by dots."""
    for part in key.split("."):
        entry = entry.get(part) if isinstance(entry, dict) else None
    return entry


def _first(entry: Any, keys: Sequence[str]) -> Any:
    return next((value for key in keys if (value := _get(entry, key)) not in (None, [], "")), None)


def _flat(value: object) -> list[object]:
    """Numbers of lists within lists; a single one as a list."""
    if isinstance(value, list):
        return [v for inner in value for v in (_flat(inner) if isinstance(inner, list) else [inner])]
    return [value]


def _parameters(entry: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Value]:
    values = dict[str, Value]()
    for key in keys:
        value = entry.get(key)
        if isinstance(value, Mapping):
            values |= {str(k): as_value(str(v)) for k, v in value.items()}
        elif isinstance(value, str):
            values |= {k.strip(): as_value(v) for k, v in re.findall(r"([^=&,]+)=([^&,]*)", value)}
        elif isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < MOST_NUMBER:
            values[key] = float(value)
    return values


def _without(name: str, parameters: Mapping[str, Value]) -> str:
    """A name without the values of parameters that it repeats: `./sort 100` of n = 100, `test_sort[100]`."""
    name = re.sub(r"\[[^\[\]]*\]$", "", name) if parameters else name
    for key, value in parameters.items():
        text = value if isinstance(value, str) else f"{value:.12g}"
        if key != "threads" and text:
            name = re.sub(rf"(?<![\w.]){re.escape(text)}(?![\w.])", f"{{{key}}}", name)
    return name


def _is_asv(content: object) -> bool:
    results = content.get("results") if isinstance(content, dict) else None
    return isinstance(results, dict) and ("commit_hash" in content or "result_columns" in content or any(  # type: ignore[operator]
        isinstance(r, dict) and "result" in r for r in results.values()
    ))  # fmt: skip


def _asv(document: Document) -> Iterator[BenchmarkRun]:
    """asv: `results` by the name of a benchmark, a value for each combination of parameters; NaN where one failed.

    Those of newer versions are lists, whose meaning is in `result_columns`.
    """
    columns = document.content.get("result_columns") or ["result", "params"]
    for name, entry in document.content["results"].items():
        members = entry if isinstance(entry, dict) else dict(zip(columns, _flat_once(entry), strict=False))
        lists = members.get("params") or []
        values = _flat(members.get("result"))

        def place(name: str = name) -> Span | None:
            return document.locator.value(("results", name))

        unit = ASV_UNITS.get(name.rpartition(".")[2].partition("_")[0], "s")
        for point, value in zip(_combined(lists), values, strict=False):
            if isinstance(value, int | float) and value == value:
                yield BenchmarkRun(name, point, [value], unit, place)


def _flat_once(entry: object) -> list[Any]:
    return entry if isinstance(entry, list) else [entry]


def _combined(lists: Sequence[Any]) -> Iterator[dict[str, Value]]:
    """The points of asv's parameters, the last one fastest."""
    from itertools import product

    values = [[as_value(str(v).strip("'\"")) for v in own] for own in lists if isinstance(own, list)]
    for point in product(*values):
        yield {f"arg{k + 1}" if len(values) > 1 else "n": v for k, v in enumerate(point)}


# Tables and lines


def _heading(text: str, form: TableFormat) -> tuple[int, str, list[str]] | None:
    """The number of the line with the columns of a format, what separates them, and their names."""
    for number, line in enumerate(text.splitlines(), start=1):
        if not all(mark in line for mark in form.marks):
            continue
        for delimiter in ",;\t|":
            if delimiter in line:
                cells = [c.strip().strip('"*') for c in line.split(delimiter)]
                if set(form.marks) <= set(cells):
                    return number, delimiter, cells
    return None


def _table_of(head: str) -> TableFormat | None:
    return next((form for form in TABLES if _heading(head, form) is not None), None)


def _table(source: Source, form: TableFormat) -> Iterator[BenchmarkRun]:
    found = _heading(source.text, form)
    assert found is not None
    first, delimiter, names = found
    columns = _parameter_columns(form, names)
    lines = source.text.splitlines()[first:]
    for number, row in csv_rows(source, lines, first + 1, delimiter):
        cells = [cell.strip().strip("*") for cell in row]
        value = cells[names.index(form.value)] if len(cells) == len(names) else ""
        parsed = units.number_and_unit(units.with_point(units.without_thousands(value)))
        if parsed is None or not all(cells[names.index(name)] for name in form.name):
            continue

        def place(number: int = number) -> Span | None:
            return line_span(source, number)

        unit = cells[names.index(form.unit)] if form.unit and form.unit in names else form.unit or parsed[1]
        divisor = units.number_and_unit(cells[names.index(form.divisor)]) if form.divisor else (1.0, "")
        parameters = {key: as_value(cells[k]) for key, k in columns.items() if cells[k]}
        name = "/".join(cells[names.index(n)] for n in form.name)
        if not SUMMARY.search(name) or form.title != "Google Benchmark":
            yield BenchmarkRun(_without(name, parameters), parameters, [parsed[0] / divisor[0]] if divisor else [None],
                               unit, place)  # fmt: skip


def _parameter_columns(form: TableFormat, names: Sequence[str]) -> dict[str, int]:
    """Where parameters are, by name; of a format that does not mark them, all between what the runner calls its job and
    the value, and they tell by varying."""
    if form.parameters:
        matches = ((k, re.fullmatch(form.parameters, name)) for k, name in enumerate(names))
        return {next(filter(None, match.groups())): k for k, match in matches if match}
    last = names.index(form.value)
    begin = max((names.index(name) + 1 for name in (*form.name, "WarmupCount") if name in names), default=0)
    return {name: k for k, name in enumerate(names[begin:last], start=begin) if name}


def _lines(source: Source, form: LineFormat) -> Iterator[BenchmarkRun]:
    heading = form.heading.search(source.text) if form.heading else None
    labels = re.findall(r"\(([^()\s]+)\)", heading[1]) if heading else []
    for match in form.pattern.finditer(source.text):
        groups = match.groupdict()
        span = Span(match.start("name"), match.end("value"))
        parameters: dict[str, Value] = {"procs": float(groups["procs"])} if groups.get("procs") else {}
        parameters |= {k: as_value(v) for k, v in zip(labels, (groups.get("cells") or "").split(), strict=False)}
        parameters = {k: v for k, v in parameters.items() if v != "N/A"}
        value = _number(groups["value"])
        if SUMMARY.search(groups["name"]) and form.title == "Google Benchmark":
            continue
        unit, place = groups.get("unit") or form.unit, partial(_span, span)
        run = BenchmarkRun(groups["name"].strip(), parameters, [value], unit, place)
        yield run
        for more in re.finditer(r"([\d.e+-]+) (\S+)", groups.get("more") or ""):
            yield run._replace(values=[_number(more[1])], unit=more[2], metric=more[2])


def _span(span: Span) -> Span:
    return span


def _number(text: str) -> object:
    try:
        return float(units.without_thousands(text).replace(",", "."))
    except ValueError:
        return text
