"""The two forms of a table of runs over several parameters: what a line of each means."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence

from apet.ground.csv_cells import line_span
from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.source import Source, Span
from apet.ground.tables import TableRow, place
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.checking import LEAST, MOST, MOST_SHOWN
from apet.runs.read.grids import PART, is_grid, telling_text
from apet.runs.read.parameter_names import IGNORED, TIMES, is_parameter
from apet.runs.read.samples import WHOLE, SampleSet, Value

VALUE, PHASE, METRIC, UNIT, KIND = "value", "phase", "metric", "unit", "kind"
LONG = (VALUE, PHASE, METRIC, UNIT, KIND, "callpath", "path")
TIME_METRICS = ("", "time", "seconds", "walltime", "wall", "elapsed")
REPEATED = re.compile(r"(?:t|time|rep|run|trial)[ _]?\d+")
"""Columns of repetitions."""
MOST_CHECKED, MOST_TEXTS = 5_000, 8


class TableForm(ABC):
    """What both forms share: parameters, checked numbers, errors."""

    def __init__(self, source: Source, heading: TableRow, columns: Sequence[int]) -> None:
        names = heading.cells
        self.heading_line = heading.line
        self.source = source
        self.names = names
        self.columns = columns
        self.samples = SampleSet("", tuple(names[k] for k in columns), source)
        self.wrong: list[Diagnostic] = []
        self._points: dict[tuple[str, ...], tuple[Value, ...]] = {}

    @abstractmethod
    def take(self, row: TableRow) -> None:
        """Take in a line."""

    def refuse(self, error: Diagnostic) -> None:
        self.wrong.append(error)

    def point(self, row: TableRow) -> tuple[Value, ...]:
        """The coordinates: numbers above 0, or text."""
        texts = tuple(row.cells[k] for k in self.columns)
        coordinates = self._points.get(texts)
        if coordinates is None:
            coordinates = self._points[texts] = tuple(self._coordinate(row, k) for k in self.columns)
        return coordinates

    def _coordinate(self, row: TableRow, column: int) -> Value:
        text = row.cells[column].strip()
        try:
            number = float(text.replace("_", ""))
        except ValueError:
            if text:
                return text
            self.refuse(errors.Missing(self.source, self.place(row, column), self.names[column]))
            return 1.0
        return self.checked(number, text, row, column, above=True)

    def checked(self, number: float, text: str, row: TableRow, column: int, above: bool) -> float:
        """A finite number in range; else 1, and an error."""
        what = self.names[column]
        if math.isfinite(number) and (LEAST <= number <= MOST or (number == 0 and not above)):
            return number
        place = self.place(row, column)
        if not math.isfinite(number):
            self.refuse(errors.NotATime(self.source, place, what, text))
        elif number <= 0:
            self.refuse(errors.NotPositive(self.source, place, what, text))
        else:
            self.refuse(errors.BeyondMeasuring(self.source, place, what, f"{number:.6g}"))
        return 1.0

    def place(self, row: TableRow, column: int) -> Span:
        """Where a cell is."""
        return place(self.source, row, column)

    def finished(self) -> SampleSet:
        if self.wrong:
            raise ApetError(self.wrong[:MOST_SHOWN])
        if not self.samples.times:
            advised = "below the heading, one line for each run"
            raise ApetError(errors.NoRuns(self.source, None, "this file", advised))
        return self.samples


class LongForm(TableForm):
    """One value a line."""

    def __init__(self, source: Source, heading: TableRow, metric: str | None) -> None:
        names = heading.cells
        lower = [n.lower() for n in names]
        own = {word: lower.index(word) for word in LONG if word in lower}
        columns = [k for k, n in enumerate(lower) if n not in LONG and n not in IGNORED]
        super().__init__(source, heading, columns)
        self.value = own[VALUE]
        self.path = own.get(PHASE, own.get("callpath", own.get("path")))
        self.metric, self.unit, self.kind = own.get(METRIC), own.get(UNIT), own.get(KIND)
        self.wanted = metric
        self.metrics = dict[str, None]()
        self.exclusive = set[str]()

    def take(self, row: TableRow) -> None:
        """A line: skipped where it is of another metric."""
        cells = row.cells
        metric = cells[self.metric].strip() if self.metric is not None else ""
        if metric not in self.metrics:
            self.metrics[metric] = None
        if metric != self.wanted if self.wanted is not None else metric.lower() not in TIME_METRICS:
            return
        text = cells[self.value]
        unit = cells[self.unit].strip() if self.unit is not None else ""
        measure = units.measure(unit) if unit else units.of_metric(metric or "time")
        if self.unit is not None and (measure is None or (self.samples.times and measure.unit != self.samples.unit)):
            self.refuse(errors.UnknownTimeUnit(self.source, self.place(row, self.unit), unit))
        measure = measure or units.SECOND
        self.samples.unit = measure.unit

        path = callpath(cells[self.path]) if self.path is not None else WHOLE
        if self.kind is not None and cells[self.kind].strip().lower().startswith("excl"):
            self.exclusive.add(path)

        try:
            number = float(text)
        except ValueError:
            self.refuse(errors.NotATime(self.source, self.place(row, self.value), "value", f"'{text.strip()}'"))
            return
        value = measure.of(self.checked(number, text.strip(), row, self.value, above=path == WHOLE))
        self.samples.add(self.point(row), path, (value,))

    def finished(self) -> SampleSet:
        if not self.samples.times and not self.wrong and self.metrics:
            listed = f"{', '.join(self.metrics)} (--metric {next(iter(self.metrics))})"
            raise ApetError(errors.UnknownRunName(self.source, None, "metric", self.wanted or "time", "", listed))
        if self.kind is not None:
            self.samples.exclusive = bool(self.exclusive)
        return super().finished()


def callpath(text: str) -> str:
    """A call path with `/` between its parts: `main -> solve` and `main => solve` are written so too."""
    path = text.strip()
    for separator in ("->", "=>"):
        if separator in path:
            path = "/".join(part.strip().replace("/", "|") for part in path.split(separator))
    return "" if path in (".", "/") else path.strip("/")


def _number_and_unit(text: str) -> tuple[float, str] | None:
    """As `units.number_and_unit`, at once where there is no unit; also what is not finite, to be refused."""
    try:
        return float(text), ""
    except ValueError:
        return units.number_and_unit(text)


class WideForm(TableForm):
    """A time and its phases a line; `t1`, `t2`, … are repetitions. `metric` names another column for the time."""

    def __init__(
        self,
        source: Source,
        heading: TableRow,
        parameters: Sequence[str],
        also: Sequence[str],
        metric: str | None = None,
    ) -> None:
        names = heading.cells
        split = [units.split_heading(n) for n in names]
        lower = [name.lower() for name, _ in split]
        columns = [k for k, n in enumerate(names) if n in (*parameters, *also) or is_parameter(split[k][0])]
        super().__init__(source, heading, columns)
        self.times = self._time_columns(names, lower, metric)
        if metric is not None and not self.times:
            listed = ", ".join(n for k, n in enumerate(names) if k not in columns)
            raise ApetError(errors.UnknownRunName(source, None, "metric", metric, nearest(metric, names), listed))
        if not self.times or not columns:
            self._refuse_heading(names, bool(columns))

        measure = units.SECOND if metric is None else units.of_metric(metric)
        self.samples.unit = measure.unit
        self.factors = [units.SECONDS.get(unit) for _, unit in split]
        own = (*columns, *self.times)
        self.phases = [k for k, n in enumerate(lower) if k not in own and n not in (*IGNORED, *TIMES)]
        self.phases = self.phases if metric is None else []
        self.marked = {k for k in self.phases if lower[k].startswith("phase:")}
        self.titles = [name.removeprefix("phase:").strip() for name, _ in split]
        self.larger = dict[int, TableRow]()
        self.checked_rows = list[list[str]]()
        self.first: tuple[str, int] | None = None

    def _time_columns(self, names: Sequence[str], lower: Sequence[str], metric: str | None) -> list[int]:
        if metric is not None:
            return [k for k, n in enumerate(names) if metric in (n, lower[k]) and k not in self.columns]
        repeated = [k for k, n in enumerate(lower) if REPEATED.fullmatch(n) and k not in self.columns]
        whole = (k for word in TIMES for k, n in enumerate(lower) if n == word and k not in self.columns)
        return repeated or list(whole)[:1]

    def _refuse_heading(self, names: Sequence[str], has_parameter: bool) -> None:
        span = line_span(self.source, self.heading_line)
        if not has_parameter and not self.times:
            raise ApetError(errors.UnknownFormat(self.source, span, "neither JSON, nor a table with columns n and t"))
        what = "n" if self.times else "the time t"
        raise ApetError(errors.MissingColumn(self.source, span, what, ", ".join(names)))

    def take(self, row: TableRow) -> None:
        """A line."""
        several = len(self.times) > 1
        times = [self._seconds(row, k, above=True) for k in self.times if not several or row.cells[k].strip()]
        if not times:
            self.refuse(errors.Missing(self.source, self.place(row, self.times[0]), self.names[self.times[0]]))
            return
        point = self.point(row)
        self.samples.add(point, WHOLE, times)
        if len(self.checked_rows) < MOST_CHECKED:
            self.checked_rows.append(row.cells)

        for k in self.phases:
            if (parsed := _number_and_unit(row.cells[k])) is None or not math.isfinite(parsed[0]):
                continue
            seconds = self._seconds(row, k, above=False)
            if seconds > PART * max(times) and k not in self.larger:
                self.larger[k] = row
            self.samples.add(point, callpath(self.titles[k]), (seconds,))

    def _seconds(self, row: TableRow, column: int, above: bool) -> float:
        text = row.cells[column].strip()
        parsed = _number_and_unit(text)
        if parsed is None:
            error = errors.NotATime if text else errors.Missing
            what = (self.names[column], f"'{text}'") if text else (self.names[column],)
            self.refuse(error(self.source, self.place(row, column), *what))
            return 1.0

        number, unit = parsed
        if unit and unit not in units.SECONDS:
            self.refuse(errors.UnknownTimeUnit(self.source, self.place(row, column), unit))
        else:
            self._compare(row, column, unit)
        factor = units.SECONDS.get(unit) or self.factors[column] or self.factors[self.times[0]] or 1.0
        return self.checked(number, text, row, column, above) * factor

    def _compare(self, row: TableRow, column: int, unit: str) -> None:
        """Every time its unit, or none any; and not another than the heading names."""
        headed = self.factors[column]
        if headed is not None and unit and units.SECONDS[unit] != headed:
            place = self.place(row, column)
            self.refuse(errors.MixedTimeUnits(self.source, place, unit, "another in the heading", self.heading_line))
        if column not in self.times or headed is not None:
            return
        self.first = self.first or (unit, row.line)
        if bool(unit) != bool(self.first[0]):
            here, there = unit or "no unit", self.first[0] or "no unit"
            place = self.place(row, column)
            self.refuse(errors.MixedTimeUnits(self.source, place, here, there, self.first[1]))

    def finished(self) -> SampleSet:
        points = [",".join(row[k] for k in self.columns) for row in self.checked_rows]
        unused = {k: n for k, n in enumerate(self.names) if k not in (*self.columns, *self.times)}
        telling = telling_text(unused, points, self.checked_rows)
        if telling is not None and not self.wrong:
            texts = list(dict.fromkeys(row[telling].strip() for row in self.checked_rows))
            listed = ", ".join(texts[:MOST_TEXTS]) + (", …" if len(texts) > MOST_TEXTS else "")
            self.refuse(errors.TextParameter(self.source, None, self.names[telling], listed, texts[0]))
        wrong = [k for k in self.phases if k not in self.marked and (k in self.larger or self._repeats(k))]
        if wrong and not self.wrong:
            k = wrong[0]
            place = self.place(self.larger[k], k) if k in self.larger else line_span(self.source, self.heading_line)
            names = ",".join([*self.samples.names, self.names[k]])
            self.refuse(errors.NeitherPhaseNorParameter(self.source, place, self.names[k], names))
        return super().finished()

    def _repeats(self, column: int) -> bool:
        """Whether a column goes through its values as a parameter does."""
        points = [",".join(row[k] for k in self.columns) for row in self.checked_rows]
        return is_grid(points, [row[column] for row in self.checked_rows])
