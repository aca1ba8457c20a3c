"""What runners of benchmarks write of programs at sizes, as text, in each format; times are in seconds."""

from __future__ import annotations

import json
from collections.abc import Callable

Row = tuple[str, int, float]
"""The name of a benchmark, a size, and seconds."""
Rows = list[Row]


def lines(text: str, form: Callable[[Row], str]) -> Callable[[Rows], str]:
    """A format that has a line for each benchmark below some text."""
    return lambda rows: text + "".join(form(row) + "\n" for row in rows)


def hyperfine_json(rows: Rows) -> str:
    runs = [{"command": f"./{name} -n {n}", "times": [t, t, t], "parameters": {"n": str(n)}} for name, n, t in rows]
    return json.dumps({"results": runs})


def numbers_in_commands(rows: Rows) -> str:
    return json.dumps({"results": [{"command": f"./{name} {n}", "median": t} for name, n, t in rows]})


def google_with_complexity(rows: Rows) -> str:
    """As written before there was `run_type`, with the rows of a fit."""
    runs = [{"name": f"{name}/{n}", "real_time": t * 1e9, "cpu_time": 1, "time_unit": "ns"} for name, n, t in rows]
    fits = [{"name": f"{name}_BigO", "real_coefficient": 1, "big_o": "N", "time_unit": "ns"} for name, *_ in rows[:1]]
    means = [{**run, "name": f"{run['name']}_mean", "real_time": 1.0} for run in runs]
    return json.dumps({"benchmarks": [*runs, *means, *fits, {"name": "a_RMS", "rms": 0.01}]})


def google_aggregates(rows: Rows) -> str:
    """With --benchmark_report_aggregates_only."""
    runs = []
    for name, n, t in rows:
        for what, factor in (("mean", 2.0), ("median", 1.0), ("stddev", 0.1)):
            own = {"run_name": f"{name}/{n}", "run_type": "aggregate", "aggregate_name": what}
            runs.append({"name": f"{name}/{n}_{what}", "real_time": factor * t * 1e6, "time_unit": "us", **own})
    return json.dumps({"benchmarks": runs})


def jmh_json(rows: Rows) -> str:
    """Throughputs at sizes written as 10K."""
    runs = [
        {
            "benchmark": name,
            "params": {"size": f"{n // 1000}K" if n % 1000 == 0 else str(n)},
            "primaryMetric": {"score": 60 / t, "scoreUnit": "ops/min", "rawData": [[60 / t], [60 / t]]},
        }
        for name, n, t in rows
    ]
    return json.dumps(runs)


def benchmark_dot_net_json(rows: Rows) -> str:
    runs = [
        {"Type": "T", "Method": name, "Parameters": f"N={n}", "Statistics": {"OriginalValues": [t * 1e9]}}
        for name, n, t in rows
    ]
    return json.dumps({"Title": "T", "Benchmarks": runs})


def asv(rows: Rows) -> str:
    """Each benchmark over all sizes, the last of which failed."""
    results = {}
    for name in dict.fromkeys(name for name, *_ in rows):
        own = [(n, t) for other, n, t in rows if other == name]
        sizes, times = [str(n) for n, _ in own], [t for _, t in own]
        results[f"suite.time_{name}"] = {"result": [*times, float("nan")], "params": [[*sizes, "1000000"]]}
    return json.dumps({"commit_hash": "a", "results": results})


def catch_console(rows: Rows) -> str:
    return "benchmark name    samples   iterations   est run time\n" + "".join(
        f"{name} {n:<40}  100       2     4.19 ms \n    {t * 1e6:.6f} us    1 us   2 us \n    4 ns   3 ns   8 ns \n\n"
        for name, n, t in rows
    )


FORMATS: dict[str, Callable[[Rows], str]] = {
    "hyperfine.json": hyperfine_json,
    "commands.json": numbers_in_commands,
    "complexity.json": google_with_complexity,
    "aggregates.json": google_aggregates,
    "jmh.json": jmh_json,
    "dotnet.json": benchmark_dot_net_json,
    "asv.json": asv,
    "criterion.jsonl": lines(
        "", lambda r: json.dumps({"reason": "x", "id": f"{r[0]}/{r[1]}", "typical": {"estimate": r[2], "unit": "s"}})
    ),
    "custom.json": lambda rows: json.dumps(
        [{"name": f"{name} {n}", "value": t * 1e3, "unit": "ms"} for name, n, t in rows]
    ),
    "hyperfine.csv": lines(
        "command,mean,stddev,median,user,system,min,max,parameter_n\n",
        lambda r: f"./{r[0]} {r[1]},9,0,{r[2]!r},1,0,1,1,{r[1]}",
    ),
    "google.csv": lines(
        "name,iterations,real_time,cpu_time,time_unit,label\n", lambda r: f'"{r[0]}/{r[1]}",3,{r[2] * 1e9!r},1,ns,'
    ),
    "jmh.csv": lines(
        '"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: size"\n',
        lambda r: f'"{r[0]}","avgt",1,5,{r[2] * 1e6!r},0.1,"us/op",{r[1]}',
    ),
    "dotnet.csv": lines(
        "Method;Job;WarmupCount;N;Mean;Error\n",
        lambda r: f'{r[0]};DefaultJob;Default;{r[1]};"{r[2] * 1e6:,.6f} us";0.1 us',
    ),
    "dotnet.md": lines(
        "``` ini\n\nBenchmarkDotNet=v0.13\n```\n| Method |   N |  Mean | Error |\n|------- |----:|------:|-----:|\n",
        lambda r: f"| **{r[0]}** | **{r[1]}** | **{r[2] * 1e6:,.6f} us** | **0.1 us** |",
    ),
    "google.txt": lines(
        "Benchmark   Time   CPU   Iterations\n-----\n", lambda r: f"{r[0]}/{r[1]}   {r[2] * 1e9:.4f} ns   1 ns    62"
    ),
    "jmh.txt": lines(
        "Benchmark (size)  Mode  Cnt  Score  Error  Units\n",
        lambda r: f"{r[0]}    {r[1]}  avgt    5  {r[2] * 1e6:.6f} ± 0.1  us/op",
    ),
    "go.txt": lines(
        "goos: linux\n", lambda r: f"Benchmark{r[0]}/n={r[1]}-8 \t 500\t {r[2] * 1e9:.5f} ns/op\t 16 B/op\t 1 allocs/op"
    ),
    "cargo.txt": lines("", lambda r: f"test {r[0]}_{r[1]} ... bench:   {r[2] * 1e9:,.3f} ns/iter (+/- 4)"),
    "criterion.txt": lines("", lambda r: f"{r[0]}/{r[1]}     time:   [1.0 us {r[2] * 1e6:.6f} us 9.0 us]"),
    "catch.txt": catch_console,
    "catch.xml": lines(
        "<Catch2TestRun>\n",
        lambda r: (
            f'<BenchmarkResults name="{r[0]} {r[1]}" samples="100">\n<!--all values in nano seconds-->\n'
            f'<mean value="{r[2] * 1e9!r}" lowerBound="1"/></BenchmarkResults>'
        ),
    ),
    "hyperfine.txt": lines(
        "",
        lambda r: f"Benchmark 1: ./{r[0]} {r[1]}\n  Time (mean ± σ):     {r[2] * 1e3:.8f} ms ±   0.6 ms  [User: 1 ms]",
    ),
    "benchmark-js.txt": lines("", lambda r: f"{r[0]}({r[1]}) x {1 / r[2]:,.7f} ops/sec ±0.74% (93 runs sampled)"),
}
