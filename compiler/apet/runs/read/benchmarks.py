"""What runners of benchmarks write, by the table of their formats: JSON, tables, and lines for people.

Each benchmark is a series of its own, by its name without parameters; `metric` names the one that is wanted, or another
metric of the only one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document
from apet.ground.source import Source, Span
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.benchmark_formats import JSON, LINES, JsonFormat
from apet.runs.read.benchmark_names import SUMMARY, BenchmarkRun, Place, named, without
from apet.runs.read.benchmark_tables import lines, table, table_of
from apet.runs.read.checking import Checker
from apet.runs.read.samples import WHOLE, SampleSet, Value, as_value, chosen_name

MOST_NUMBER = 1e100
HEAD = 65_536
ASV_UNITS = {"mem": "B", "peakmem": "B", "track": ""}
"""By the first word of the name of a benchmark of asv; others are timed."""


def is_benchmark(content: object) -> bool:
    """Whether a JSON value is what one of the runners writes."""
    return _format_of(content) is not None or _is_asv(content)


def recognises(text: str) -> bool:
    """Whether a text that is no JSON is what one of the runners writes."""
    head = text[:HEAD]
    return table_of(head) is not None or any(form.pattern.search(head) for form in LINES)


def read_document(document: Document, metric: str | None) -> SampleSet:
    """The samples of one benchmark of a JSON value; `ApetError` where there are several and none is chosen."""
    form = _format_of(document.content)
    runs = list(_json(document, form) if form else _asv(document))
    return _samples(document.source, runs, metric)


def read_text(source: Source, metric: str | None) -> SampleSet:
    """The same of a table, or of lines."""
    form = table_of(source.text[:HEAD])
    if form is not None:
        return _samples(source, list(table(source, form)), metric)
    printed = next(form for form in LINES if form.pattern.search(source.text))
    return _samples(source, list(lines(source, printed)), metric)


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
            without(SUMMARY.sub("", name) if not single else name, parameters),
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
        lists = listed if isinstance(listed := members.get("params"), list) else []
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
