"""Benchmarks in tables, and in lines that runners print for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from apet.ground.csv_cells import csv_rows, line_span
from apet.ground.source import Source, Span
from apet.runs.read import units
from apet.runs.read.benchmark_formats import TABLES, LineFormat, TableFormat
from apet.runs.read.benchmark_names import SUMMARY, BenchmarkRun, without
from apet.runs.read.samples import Value, as_value


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


def table_of(head: str) -> TableFormat | None:
    return next((form for form in TABLES if _heading(head, form) is not None), None)


def table(source: Source, form: TableFormat) -> Iterator[BenchmarkRun]:
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
            yield BenchmarkRun(without(name, parameters), parameters, [parsed[0] / divisor[0]] if divisor else [None],
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


def lines(source: Source, form: LineFormat) -> Iterator[BenchmarkRun]:
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
