"""Results of Criterion.rs: a folder `GROUP/FUNCTION/VALUE/new` for each benchmark, times in nanoseconds.

`benchmark.json` names the benchmark (`group_id`, `function_id`, `value_str`), `sample.json` has the time of so many
iterations for each sample; where it is missing, `estimates.json` has the median or the mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document, read_document
from apet.runs import errors
from apet.runs.read.checking import Checker
from apet.runs.read.name_pattern import by_pattern, labelled
from apet.runs.read.samples import WHOLE, SampleSet, Value, chosen_name

NEWEST = "new"
"""Next to it are `base`, the run before, and `report`."""
NAMES, SAMPLES, ESTIMATES = "benchmark.json", "sample.json", "estimates.json"
BEST_ESTIMATES = ("median", "mean", "slope")
NANOSECONDS = 1e-9
DEEPEST, MOST_FOLDERS = 6, 50_000
SIZE = "n"
"""What a value is called that is but a number."""
_NUMBERS = re.compile(r"\d+(?:\.\d+)?")


class CriterionBenchmark(NamedTuple):
    """A folder with the newest results of a benchmark, its name, and its value as text."""

    folder: str
    name: str
    value: str


def is_results(path: str) -> bool:
    """Whether a folder is `target/criterion`, or one below it."""
    return os.path.isdir(path) and next(_folders(path), None) is not None


def _folders(path: str) -> Iterator[str]:
    """Those with results of a benchmark."""
    base = path.rstrip(os.sep).count(os.sep)
    for count, (folder, inner, files) in enumerate(os.walk(path)):
        if count > MOST_FOLDERS:
            return
        if os.path.basename(folder) == NEWEST and (SAMPLES in files or ESTIMATES in files):
            yield folder
        inner[:] = sorted(inner) if folder.count(os.sep) - base < DEEPEST else []


def read_samples(path: str, metric: str | None, pattern: str) -> SampleSet:
    """The samples of one benchmark; `ApetError` where there are several and none is chosen.

    The value of a benchmark is n; numbers with labels (`n100_P4`), or at places of a pattern, are parameters by their
    names, several without are `arg1`, `arg2`, ….
    """
    benchmarks = [_benchmark(path, folder) for folder in _folders(path)]
    wanted = chosen_name(None, list(dict.fromkeys(b.name for b in benchmarks)), metric)
    chosen = [b for b in benchmarks if b.name == wanted]
    points = _points([b.value for b in chosen], pattern)

    samples = SampleSet(chosen[0].name, tuple(points[0]), None, False)
    for benchmark, point in zip(chosen, points, strict=True):
        samples.add(tuple(point[n] for n in samples.names), WHOLE, _seconds(benchmark.folder))
    return samples


def _benchmark(path: str, folder: str) -> CriterionBenchmark:
    file = os.path.join(folder, NAMES)
    if os.path.isfile(file):
        document = read_document(file)
        content = document.content if isinstance(document.content, dict) else {}
        group, function = content.get("group_id"), content.get("function_id")
        if isinstance(group, str):
            name = f"{group}/{function}" if function else group
            return CriterionBenchmark(folder, name, str(content.get("value_str") or ""))
        raise _broken(document, "it does not name its benchmark")

    *parts, value = os.path.relpath(os.path.dirname(folder), path).split(os.sep)
    return CriterionBenchmark(folder, "/".join(parts) or os.path.basename(path), value)


def _points(values: Sequence[str], pattern: str) -> list[dict[str, Value]]:
    """The parameters of each value, the same ones for all."""
    if pattern:
        return [dict(by_pattern(pattern, value)) for value in values]
    named = labelled(values)
    if named is not None:
        return [dict(point) for point in named]

    numbers = [_NUMBERS.findall(value) for value in values]
    if len({len(each) for each in numbers}) > 1 or not numbers[0]:
        return [{"value": value or "none"} for value in values]
    names = [SIZE] if len(numbers[0]) == 1 else [f"arg{k + 1}" for k in range(len(numbers[0]))]
    return [dict(zip(names, map(float, each), strict=True)) for each in numbers]


def _seconds(folder: str) -> list[float]:
    """The time of an iteration in each sample, else its estimate."""
    file = os.path.join(folder, SAMPLES)
    if not os.path.isfile(file):
        return [_estimated(read_document(os.path.join(folder, ESTIMATES)))]

    document = read_document(file)
    content = document.content if isinstance(document.content, dict) else {}
    counts, times = content.get("iters"), content.get("times")
    if not isinstance(counts, list) or not isinstance(times, list) or len(counts) != len(times) or not times:
        raise _broken(document, "it has not as many times as numbers of iterations (iters)")
    notes, seconds = Checker(document.source), list[float]()
    for k, (count, time) in enumerate(zip(counts, times, strict=True)):

        def place(key: str, number: int = k) -> Any:
            return lambda: document.locator.value((key, number))

        iterations = notes.positive(count, "a number of iterations", place("iters"))
        seconds.append(notes.positive(time, "a time", place("times")) * NANOSECONDS / iterations)
    notes.finish()
    return seconds


def _estimated(document: Document) -> float:
    content = document.content if isinstance(document.content, dict) else {}
    for key in BEST_ESTIMATES:
        estimate = content.get(key)
        if isinstance(estimate, dict):
            notes = Checker(document.source)
            value = estimate.get("point_estimate")
            seconds = notes.positive(value, f"the {key}", lambda key=key: document.locator.value((key,)))  # type: ignore[misc]
            notes.finish()
            return seconds * NANOSECONDS
    raise _broken(document, "it has neither a median nor a mean")


def _broken(document: Document, problem: str) -> ApetError:
    return ApetError(errors.BrokenProfile(document.source, document.locator.value(()), "Criterion", problem))
