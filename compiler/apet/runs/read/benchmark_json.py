"""JSON of benchmark runners: hyperfine, Google Benchmark, JMH and pytest-benchmark; each benchmark is a call path.

Where a file has several benchmarks, `metric` names the one that is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.checking import Checker
from apet.runs.read.samples import WHOLE, SampleSet, Value, as_value, chosen_name

_JMH_UNIT = re.compile(r"(ns|us|ms|s|min|h)/op")
MOST_NUMBER = 1e100
_JMH_RATE = re.compile(r"ops/(ns|us|ms|s|min|h)")


class BenchmarkRun(NamedTuple):
    """One benchmark at one point: its name, the parameters, seconds, and where it is in the document."""

    name: str
    parameters: dict[str, Value]
    seconds: list[object]
    place: tuple[str | int, ...]


def _is_hyperfine(content: Any) -> bool:
    return isinstance(content, dict) and _all_have(content.get("results"), "command")


def _is_google(content: Any) -> bool:
    return isinstance(content, dict) and _all_have(content.get("benchmarks"), "time_unit")


def _is_jmh(content: Any) -> bool:
    return _all_have(content, "primaryMetric")


def _is_pytest(content: Any) -> bool:
    return isinstance(content, dict) and _all_have(content.get("benchmarks"), "stats")


def _all_have(entries: Any, key: str) -> bool:
    return isinstance(entries, list) and bool(entries) and all(isinstance(e, dict) and key in e for e in entries)


def _hyperfine(content: Any) -> Iterator[BenchmarkRun]:
    """`results[].{command, times[], parameters}`, in seconds; the command is the same but for its parameters."""
    for k, entry in enumerate(content["results"]):
        parameters = _values(entry.get("parameters"))
        yield BenchmarkRun("", parameters, _list(entry.get("times") or entry.get("median")), ("results", k))


def _google(content: Any) -> Iterator[BenchmarkRun]:
    """`name` is `BM_f/n:1024/k:8/threads:4`, or positions without names; aggregates are left out."""
    for k, entry in enumerate(content["benchmarks"]):
        if entry.get("run_type") == "aggregate" or entry.get("error_occurred"):
            continue
        name, *parts = str(entry.get("run_name") or entry.get("name", "")).split("/")
        parameters = dict[str, Value]()
        for number, part in enumerate(p for p in parts if not p.startswith(("repeats:", "iterations:", "min_time"))):
            key, colon, value = part.rpartition(":")
            if colon and key not in ("real_time", "process_time"):
                parameters[key] = as_value(value)
            elif not colon and re.fullmatch(r"\d+(\.\d+)?", part):
                parameters[f"arg{number + 1}"] = as_value(part)

        parameters["threads"] = _threads(entry)
        factor = units.SECONDS.get(str(entry.get("time_unit", "ns")), 1e-9)
        yield BenchmarkRun(name, parameters, _scaled([entry.get("real_time")], factor), ("benchmarks", k))


def _jmh(content: Any) -> Iterator[BenchmarkRun]:
    """Scores per operation; a throughput is inverted. Repetitions are the iterations of all forks."""
    for k, entry in enumerate(content):
        metric = entry["primaryMetric"] if isinstance(entry["primaryMetric"], dict) else {}
        raw = metric.get("rawData")
        scores = [s for fork in raw if isinstance(fork, list) for s in fork] if isinstance(raw, list) else []
        scores = scores or [metric.get("score")]
        unit = str(metric.get("scoreUnit", ""))

        per_operation, rate = _JMH_UNIT.fullmatch(unit), _JMH_RATE.fullmatch(unit)
        if per_operation:
            seconds = _scaled(scores, units.SECONDS[per_operation[1]])
        elif rate:
            factor = units.SECONDS[rate[1]]
            seconds = [factor / s if _is_number(s) and s > 0 else s for s in scores]
        else:
            seconds = [f"a score in {unit}"]

        parameters = _values(entry.get("params")) | {"threads": _threads(entry)}
        yield BenchmarkRun(str(entry.get("benchmark", "")), parameters, seconds, (k,))


def _pytest(content: Any) -> Iterator[BenchmarkRun]:
    """`benchmarks[].{name, params, stats}`, in seconds."""
    for k, entry in enumerate(content["benchmarks"]):
        stats = entry["stats"] if isinstance(entry["stats"], dict) else {}
        name = str(entry.get("fullname") or entry.get("name", "")).partition("[")[0]
        seconds = _list(stats.get("data") or stats.get("median"))
        yield BenchmarkRun(name, _values(entry.get("params")), seconds, ("benchmarks", k))


class BenchmarkFormat(NamedTuple):
    """A runner: whether a JSON value is its, and the runs in it."""

    recognises: Callable[[Any], bool]
    runs: Callable[[Any], Iterator[BenchmarkRun]]


FORMATS = (
    BenchmarkFormat(_is_hyperfine, _hyperfine),
    BenchmarkFormat(_is_google, _google),
    BenchmarkFormat(_is_jmh, _jmh),
    BenchmarkFormat(_is_pytest, _pytest),
)


def is_benchmark(content: object) -> bool:
    """Whether a JSON value is what one of the runners writes."""
    return any(f.recognises(content) for f in FORMATS)


def read_samples(document: Document, metric: str | None) -> SampleSet:
    """The samples of one benchmark; `ApetError` where there are several and none is chosen."""
    reader = next(f for f in FORMATS if f.recognises(document.content))
    entries = list(reader.runs(document.content))
    names = list(dict.fromkeys(e.name for e in entries))
    if not entries:
        raise ApetError(errors.NoRuns(document.source, None, "this file", "all its entries are aggregates or failed"))

    wanted = chosen_name(document.source, names, metric)
    entries = [e for e in entries if e.name == wanted]
    keys = tuple(dict.fromkeys(key for e in entries for key in e.parameters))
    samples, notes = SampleSet(entries[0].name, keys, document.source, False), Checker(document.source)
    for entry in entries:

        def place(at: tuple[str | int, ...] = entry.place) -> Any:
            return document.locator.value(at)

        point = tuple(_coordinate(notes, entry.parameters.get(key), key, place) for key in keys)
        seconds = [notes.positive(s, "a time", place) for s in entry.seconds]
        samples.add(point, WHOLE, seconds)
    notes.finish()
    return samples


def _coordinate(notes: Checker, value: Value | None, name: str, place: Callable[[], Any]) -> Value:
    return value if isinstance(value, str) else notes.positive(value, name, place)


def _values(parameters: object) -> dict[str, Value]:
    if not isinstance(parameters, Mapping):
        return {}
    return {str(k): as_value(str(v)) for k, v in parameters.items()}


def _threads(entry: Mapping[str, Any]) -> Value:
    threads = entry.get("threads", 1)
    return float(threads) if _is_number(threads) else 1.0


def _list(value: object) -> list[object]:
    return list(value) if isinstance(value, list) else [value]


def _scaled(values: Sequence[object], factor: float) -> list[object]:
    return [factor * v if _is_number(v) else v for v in values]  # type: ignore[operator]


def _is_number(value: object) -> bool:
    """Whether a value can be calculated with; others are refused where all are checked."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < MOST_NUMBER
