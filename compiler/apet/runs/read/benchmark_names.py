"""Runs of benchmarks, and the parameters in their names: `BM_f/n:1024/threads:4`, `sort/1000`, `fib_20`, `Sort(n=100)`.

A number that differs between names which are the same otherwise is a parameter; all other numbers are of the name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from apet.ground.source import Span
from apet.runs.read.parameter_names import is_parameter
from apet.runs.read.samples import Value, as_value

SETTINGS = re.compile(
    r"/(?:real_time|process_time|manual_time|(?:min_time|min_warmup_time|repeats|iterations):[^/]*)(?=/|$)"
)
"""Parts of Google Benchmark's names that say how was measured."""
SUMMARY = re.compile(r"_(?:mean|median|stddev|cv|min|max|BigO|RMS)$")
"""Ends of names of summaries, as of before there was a key that says so."""
_LABELLED = re.compile(r"(?<![A-Za-z0-9])([A-Za-z]\w*)[:=]('[^']*'|[^/,;:=\s()\[\]]+)")
_NUMBER = re.compile(r"(?<![A-Za-z\d.])(\d[\d_]*(?:\.\d+)?(?:[eE]\+?\d+)?(?:[KMGkmg]i?)?)(?![A-Za-z\d.]|_\d{3})")
_WRITTEN_ON = re.compile(r"(?<=[A-Za-z])(\d+)(?![A-Za-z\d.])")
"""A number at the end of a word: a size if there are several of them (`fib10`, `fib20`, `fib30`), and else of the word
(`int32`, `sha256`)."""
TYPES = frozenset(("int", "uint", "i", "u", "f", "float", "fp", "bf", "double", "utf", "sha", "md", "base", "crc", "x",
                   "v", "aes", "rsa", "vec", "simd", "avx", "sse", "xxh", "char", "bit"))  # fmt: skip
SEVERAL = 3


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


class NamedBenchmark(NamedTuple):
    """A name without its parameters, and these."""

    series: str
    parameters: dict[str, Value]


def named(names: Sequence[str]) -> list[NamedBenchmark]:
    """The benchmarks of a file by their names."""
    short = [SETTINGS.sub("", name) for name in names]
    labels = [{key: as_value(value) for key, value in _LABELLED.findall(name)} for name in short]
    rest = [re.sub(r"/(?=/|$)|\(\s*[,\s]*\)|\[\s*[,\s]*\]", "", _LABELLED.sub("", name)) for name in short]
    numbered = _numbered(rest, _NUMBER)
    without = [k for k, own in enumerate(numbered) if not own.parameters and not labels[k]]
    for k, own in zip(without, _numbered([rest[k] for k in without], _WRITTEN_ON), strict=True):
        numbered[k] = own
    return [NamedBenchmark(name.strip(" /_-,"), own | more) for (name, more), own in zip(numbered, labels, strict=True)]


def _numbered(names: Sequence[str], pattern: re.Pattern[str]) -> list[NamedBenchmark]:
    """Names without those of their numbers that vary between names of one form."""
    forms = defaultdict[str, list[int]](list)
    for k, name in enumerate(names):
        forms[pattern.sub("\0", name)].append(k)
    result = [NamedBenchmark(name, {}) for name in names]

    for form, members in forms.items():
        numbers = [pattern.findall(names[k]) for k in members]
        varying = [j for j in range(form.count("\0")) if _varies(form, j, [each[j] for each in numbers], pattern)]
        labels = _labels(form, varying)
        for k, own in zip(members, numbers, strict=True):
            first, *parts = form.split("\0")
            series = first
            for j, (number, part) in enumerate(zip(own, parts, strict=True)):
                is_doubled = j in varying and series[-1:] == part[:1]  # of two separators one is left
                series += part[is_doubled:] if j in varying else number + part
            values = {label: as_value(own[j]) for label, j in zip(labels, varying, strict=True)}
            result[k] = NamedBenchmark(re.sub(r"([/_\-(\[ ,])[/_\-)\] ,]*$", "", series), values)
    return result


def _varies(form: str, place: int, texts: Sequence[str], pattern: re.Pattern[str]) -> bool:
    if pattern is _NUMBER:
        return len(set(texts)) > 1
    word = re.findall(r"[A-Za-z]+$", form.split("\0")[place])
    return len(set(texts)) >= SEVERAL and (not word or word[0].lower() not in TYPES)


def _labels(form: str, varying: Sequence[int]) -> list[str]:
    """What numbers are called: by the word before them where that is one of sizes or processors, else by place."""
    words = [re.findall(r"(?<![A-Za-z])([A-Za-z]+)[_\-=: ]?$", form.split("\0")[j]) for j in varying]
    named_so = [word[0] if word and is_parameter(word[0]) else "" for word in words]
    if len(set(named_so)) == len(named_so) and all(named_so):
        return named_so
    return [f"arg{j + 1}" for j in varying]


def without(name: str, parameters: dict[str, Value]) -> str:
    """A name without the values of parameters that it repeats: `./sort 100` of n = 100, `test_sort[100]`."""
    name = re.sub(r"\[[^\[\]]*\]$", "", name) if parameters else name
    for key, value in parameters.items():
        text = value if isinstance(value, str) else f"{value:.12g}"
        if key != "threads" and text:
            name = re.sub(rf"(?<![\w.]){re.escape(text)}(?![\w.])", f"{{{key}}}", name)
    return name
