"""Runs over n and P as text, in each format of runs that has several parameters."""

from __future__ import annotations

import json

Rows = list[tuple[float, float, float]]
"""A size, a number of processors, and seconds."""


def wide(rows: Rows) -> str:
    return "n,P,t\n" + "".join(f"{n:g},{p:g},{t!r}\n" for n, p, t in rows)


def long(rows: Rows) -> str:
    return "n,P,phase,metric,value,unit,rep\n" + "".join(f"{n:g},{p:g},,time,{t!r},s,1\n" for n, p, t in rows)


def named_points(rows: Rows) -> str:
    return json.dumps({"points": [{"n": n, "P": p, "t": t} for n, p, t in rows]})


def coordinates(rows: Rows) -> str:
    points = [{"x": [n, p], "seconds": [t]} for n, p, t in rows]
    return json.dumps({"parameters": ["n", "P"], "points": points})


def extrap_text(rows: Rows) -> str:
    points = " ".join(f"({n:g} {p:g})" for n, p, _ in rows)
    return f"PARAMETER n\nPARAMETER P\nPOINTS {points}\nREGION main\nMETRIC time\n" + "".join(
        f"DATA {t!r}\n" for _, _, t in rows
    )


def extrap_json(rows: Rows) -> str:
    entries = [{"point": [n, p], "values": [t]} for n, p, t in rows]
    return json.dumps({"parameters": ["n", "P"], "measurements": {"main": {"time": entries}}})


def extrap_lines(rows: Rows) -> str:
    return "".join(
        json.dumps({"params": {"n": n, "P": p}, "callpath": "main", "metric": "time", "value": t}) + "\n"
        for n, p, t in rows
    )


def talpas(rows: Rows) -> str:
    return extrap_lines(rows).replace(",", ";")


def hyperfine(rows: Rows) -> str:
    runs = [{"command": "c", "times": [t], "parameters": {"n": f"{n:g}", "P": f"{p:g}"}} for n, p, t in rows]
    return json.dumps({"results": runs})


def google(rows: Rows) -> str:
    runs = [
        {"name": f"f/n:{n:g}/P:{p:g}", "run_type": "iteration", "real_time": t * 1e9, "time_unit": "ns", "threads": 1}
        for n, p, t in rows
    ]
    aggregate = {"name": "f_mean", "run_type": "aggregate", "real_time": 1, "time_unit": "ns"}
    return json.dumps({"benchmarks": [*runs, aggregate]})


def jmh(rows: Rows) -> str:
    runs = [
        {
            "benchmark": "f",
            "threads": 1,
            "params": {"n": f"{n:g}", "P": f"{p:g}"},
            "primaryMetric": {"scoreUnit": "us/op", "rawData": [[t * 1e6]]},
        }
        for n, p, t in rows
    ]
    return json.dumps(runs)


def pytest_benchmark(rows: Rows) -> str:
    runs = [{"name": f"f[{k}]", "params": {"n": n, "P": p}, "stats": {"median": t}} for k, (n, p, t) in enumerate(rows)]
    return json.dumps({"benchmarks": runs})


FORMATS = {
    "wide.csv": wide,
    "long.csv": long,
    "named.json": named_points,
    "coordinates.json": coordinates,
    "extrap.txt": extrap_text,
    "extrap.json": extrap_json,
    "extrap.jsonl": extrap_lines,
    "talpas.txt": talpas,
    "hyperfine.json": hyperfine,
    "google.json": google,
    "jmh.json": jmh,
    "pytest.json": pytest_benchmark,
}
