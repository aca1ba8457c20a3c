"""Rows per second of sweeps: into CSV and Parquet on one core, and on two Dask workers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.benchmarks.inputs import mixed
from tests.benchmarks.measure import PYTHON, Row, Run, Table, process, process_row

LIGHT, HEAVY = "samples/pamela/pi.pam", 300
"""A model whose rows are written as fast as they are computed, and lines of one whose evaluation dominates."""


def sweep(quick: bool) -> Table:
    """Whole processes, start of the workers included; the files of both engines must be the same bytes."""
    table = Table("sweep", "Sweeping a design space: whole processes, from the call to the finished file")
    points, repeats = (20_000, 1) if quick else (1_000_000, 3)
    with TemporaryDirectory() as folder:
        heavy = Path(folder) / "heavy.pam"
        heavy.write_text(mixed(HEAVY), encoding="utf-8")
        for form in ("csv", "parquet"):
            out = Path(folder) / f"light.{form}"
            runs = [_run(LIGHT, points, out) for _ in range(repeats)]
            table.rows.append(_rated(f"pi.pam, local, {form}", runs, points))
            table.notes.append(f"{points:,} rows as {form}: {out.stat().st_size / 1e6:,.0f} MB.")
        _engines(table, heavy, 2_000 if quick else 400_000, 1 if quick else 2)
    return table


def _engines(table: Table, model: Path, points: int, repeats: int) -> None:
    """One core beside two workers, in turn."""
    engines = {"local": ["--engine", "local"], "dask": ["--engine", "dask", "--workers", "2"]}
    files = {name: model.with_name(f"{name}.csv") for name in engines}
    runs: dict[str, list[Run]] = {name: [] for name in engines}
    for _ in range(repeats):
        for name, options in engines.items():
            runs[name].append(_run(str(model), points, files[name], *options))
    if files["local"].read_bytes() != files["dask"].read_bytes():
        raise ValueError("the engines wrote different files")
    title = f"{HEAVY} statements"
    table.rows.append(_rated(f"{title}, one core", runs["local"], points))
    base = table.rows[-1].name
    table.rows.append(_rated(f"{title}, 2 Dask workers", runs["dask"], points, runs["local"], base))
    table.notes.append("Both engines wrote the same bytes.")


def _run(model: str, points: int, out: Path, *options: str) -> Run:
    """A sweep over 20 numbers of processors and values of n, with one thread."""
    vary = ["-P", "13:32", "--vary", f"n=1000000:{1_000_000 + points // 20 - 1}"]
    call = ["sweep", model, "--machines", "join-2005", *vary, "-o", str(out), *options]
    return process([*PYTHON, "-m", "apet.cli.main", *call])


def _rated(name: str, runs: list[Run], points: int, base: list[Run] | None = None, against: str = "") -> Row:
    row = process_row(name, runs, base or (), against)
    return replace(row, rate=(points / row.wall.middle, "rows"))
