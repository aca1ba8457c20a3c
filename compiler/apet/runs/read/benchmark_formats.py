"""What runners of benchmarks write, as tables: by what a format is known, where the time is, where the parameters are.

A runner of benchmarks is added here, by a line, and needs no code.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class JsonFormat(NamedTuple):
    """Entries of a list under the key `entries` (empty: the document is the list); those that have all keys of `marks`
    are benchmarks, others are summaries.

    Keys may be several, joined by a dot. `name` has those whose texts make up the name of a benchmark; `parameters`
    those of parameters, alone or together in an object or a text (`N=1&M=2`); `values` the first of which is there has
    the values. `unit` is a unit, or names a key after @.
    """

    title: str
    entries: str
    marks: tuple[str, ...]
    name: tuple[str, ...]
    parameters: tuple[str, ...]
    values: tuple[str, ...]
    unit: str


class TableFormat(NamedTuple):
    """A table with all columns of `marks`; `name` are those of the name, `value` that of the values, `unit` that of
    their unit, or a unit, or empty where cells have it. `parameters` matches the columns of parameters, whose name is
    its group; of an empty one, those before the value are. `divisor` is the column that values are divided by."""

    title: str
    marks: tuple[str, ...]
    name: tuple[str, ...]
    value: str
    unit: str
    parameters: str
    divisor: str = ""


class LineFormat(NamedTuple):
    """A text with matches of `pattern`: its groups `name`, `value`, `unit`; `procs` is a number of processors, `cells`
    further parameters under the words of `heading`, `more` further metrics with their units."""

    title: str
    pattern: re.Pattern[str]
    unit: str = ""
    heading: re.Pattern[str] | None = None


JSON = (
    JsonFormat("hyperfine", "results", ("command",), ("command",), ("parameters",), ("times", "median", "mean"), "s"),
    JsonFormat("Google Benchmark", "benchmarks", ("name", "real_time"), ("run_name|name",), ("threads",),
               ("real_time",), "@time_unit"),
    JsonFormat("JMH", "", ("benchmark", "primaryMetric"), ("benchmark",), ("params", "threads"),
               ("primaryMetric.rawData", "primaryMetric.score"), "@primaryMetric.scoreUnit"),
    JsonFormat("pytest-benchmark", "benchmarks", ("stats",), ("fullname|name",), ("params",),
               ("stats.data", "stats.median"), "s"),
    JsonFormat("BenchmarkDotNet", "Benchmarks", ("Method", "Statistics"), ("Type", "Method"), ("Parameters",),
               ("Statistics.OriginalValues", "Statistics.Median", "Statistics.Mean"), "ns"),
    JsonFormat("cargo-criterion", "", ("reason", "id", "typical"), ("id",), (), ("typical.estimate",), "@typical.unit"),
    JsonFormat("nanobench", "results", ("name", "median(elapsed)"), ("title", "name"), ("complexityN",),
               ("median(elapsed)",), "s"),
    JsonFormat("github-action-benchmark", "", ("name", "value", "unit"), ("name",), (), ("value",), "@unit"),
)  # fmt: skip

TABLES = (
    TableFormat("JMH", ("Benchmark", "Mode", "Score", "Unit"), ("Benchmark",), "Score", "Unit",
                r"Param: (.+)|(Threads)"),
    TableFormat("hyperfine", ("command", "mean", "median", "user", "system"), ("command",), "median", "s",
                r"parameter_(.+)"),
    TableFormat("Google Benchmark", ("name", "iterations", "real_time", "time_unit"), ("name",), "real_time",
                "time_unit", r"(?!)"),
    TableFormat("pytest-benchmark", ("name", "median", "iqr", "rounds", "iterations"), ("name",), "median", "s",
                r"param:(.+)"),
    TableFormat("Criterion", ("group", "function", "value", "sample_measured_value", "unit", "iteration_count"),
                ("group", "function"), "sample_measured_value", "unit", r"(value)", "iteration_count"),
    TableFormat("BenchmarkDotNet", ("Method", "Mean"), ("Method",), "Mean", "", ""),
)  # fmt: skip

_SECONDS = r"ps|ns|us|[µμ]s|ms|s|min"
_DECIMAL = r"[\d.,]+(?:e[-+]?\d+)?"
LINES = (
    LineFormat("go test -bench", re.compile(
        rf"^Benchmark(?P<name>\S*?)(?:-(?P<procs>\d+))?\s+\d+\s+(?P<value>{_DECIMAL})\s(?P<unit>ns/op)(?P<more>.*)$",
        re.MULTILINE)),
    LineFormat("cargo bench", re.compile(
        rf"^test (?P<name>\S.*?)\s+\.\.\. bench:\s+(?P<value>{_DECIMAL}) (?P<unit>ns/iter)", re.MULTILINE)),
    LineFormat("Criterion", re.compile(
        rf"^(?P<name>\S.*?)\s+time:\s+\[{_DECIMAL} \S+ (?P<value>{_DECIMAL}) (?P<unit>\S+) ", re.MULTILINE)),
    LineFormat("JMH", re.compile(
        rf"^(?P<name>[\w.$:]+)(?P<cells>(?:[^\S\n]+\S+)*?)[^\S\n]+(?:thrpt|avgt|sample|ss)(?:[^\S\n]+\d+)?[^\S\n]+"
        rf"(?P<value>{_DECIMAL})(?:[^\S\n]+(?:±[^\S\n]*\(?[\d.]+%?\)?|{_DECIMAL}))?"
        r"[^\S\n]+(?P<unit>ops/\S+|\S+/op)[^\S\n]*$",
        re.MULTILINE), heading=re.compile(r"^Benchmark((?:\s+\(\S+\))*)\s+Mode\s", re.MULTILINE)),
    LineFormat("Google Benchmark", re.compile(
        rf"^(?P<name>\S+)\s+(?P<value>{_DECIMAL}) (?P<unit>{_SECONDS})\s+{_DECIMAL} (?:{_SECONDS})\s+\d+(?:\s|$)",
        re.MULTILINE)),
    LineFormat("Catch2", re.compile(
        rf"^(?P<name>\S.*?)(?:\s{{2,}}|\s*\n\s+)\d+\s+\d+\s+{_DECIMAL} (?:{_SECONDS})\s*\n"
        rf"\s+(?P<value>{_DECIMAL}) (?P<unit>{_SECONDS})\s", re.MULTILINE)),
    LineFormat("Catch2", re.compile(
        r"""<BenchmarkResults\s[^>]*?name="(?P<name>[^"]*)"[^>]*>\s*(?:<!--.*?-->\s*)?<mean\s[^>]*?"""
        r"""value="(?P<value>[\d.eE+-]+)\"""", re.DOTALL), unit="ns"),
    LineFormat("benchmark.js", re.compile(
        rf"^(?P<name>\S.*?) x (?P<value>{_DECIMAL}) (?P<unit>ops/sec) ±", re.MULTILINE)),
    LineFormat("hyperfine", re.compile(
        rf"^Benchmark #?\d+: (?P<name>.+)\n\s+Time \(mean ± σ\):\s+(?P<value>{_DECIMAL}) (?P<unit>{_SECONDS})\s",
        re.MULTILINE)),
)  # fmt: skip
