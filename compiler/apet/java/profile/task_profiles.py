"""Runs the tasks of an application with counters in them: what a run says of the parameters of its model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from apet.java.jvm import SOURCES, Jdk, compile_java, run_java
from apet.java.parse.packages import package_of
from apet.java.profile.counts import Count, CountedRun
from apet.java.profile.instrument import CountedSite, instrument
from apet.java.profile.profiling import WARM_RUNS
from apet.java.profile.sources import folders_of, text_of
from apet.java.profile.workload import BatchWork

RUNTIME = ("ApetProfile", "ApetCalls", "ApetTask", "ApetTaskProfile")
SAMPLED = 5
"""Tasks of a batch that are run where they differ."""


def profile_tasks(jdk: Jdk, batches: Sequence[BatchWork], predictor: bool, limit: float, folder: str) -> CountedRun:
    """Counts of all tasks, by file: a few of each batch stand for all of it. `limit` is in seconds, for each batch."""
    totals: dict[str, dict[CountedSite, list[float]]] = {}
    for k, work in enumerate(batches):
        if not work.tasks:
            continue
        own = os.path.join(folder, f"counters-{k}")
        sites = _compiled(jdk, work.file, own)
        counts = _counted(jdk, own, work, sites, predictor, limit)
        total = totals.setdefault(os.path.basename(work.file), {})
        for site, count in zip(sites, counts, strict=True):
            total[site] = [a + b for a, b in zip(total.get(site, [0.0] * 4), count, strict=True)]

    summed = {
        file: [(s, Count(round(c[0]), round(c[1]), round(c[2]), c[3])) for s, c in sites.items()]
        for file, sites in totals.items()
    }
    return CountedRun(summed, {}, {}, ())


def _compiled(jdk: Jdk, path: str, folder: str) -> Sequence[CountedSite]:
    instrumented = instrument(text_of(path), path)
    target = Path(folder) / "src" / os.path.basename(path)
    target.parent.mkdir(parents=True)
    target.write_text(instrumented.text, encoding="utf-8")
    runtime = [str(SOURCES / f"{name}.java") for name in RUNTIME]
    search_path = os.pathsep.join((*folders_of(path), str(SOURCES)))
    what = f"{os.path.basename(path)} with counters"
    compile_java(jdk, ["-parameters", "-sourcepath", search_path, str(target), *runtime], folder, what)
    return instrumented.sites


def _counted(
    jdk: Jdk, folder: str, work: BatchWork, sites: Sequence[CountedSite], predictor: bool, limit: float
) -> list[tuple[float, ...]]:
    """The counts of each site, for all tasks of the batch."""
    rows = sampled(work.rows)
    words = [
        "-Xss64m",
        "-cp",
        folder,
        "ApetTaskProfile",
        package_of(text_of(work.file)) + work.type,
        work.method,
        str(len(sites)),
    ]
    words += [str(WARM_RUNS if predictor else 0), str(len(work.formals)), *work.formals]
    words += [repr(value) for row in rows for value in row]
    text = run_java(jdk, words, f"{work.type}.{work.method} with counters", limit)

    lines = (line.split() for line in text.splitlines() if line.startswith("site "))
    counts = {int(number): tuple(map(float, rest)) for _, number, *rest in lines}
    scale = work.tasks / len(rows)
    return [tuple(scale * c for c in counts[s.number]) for s in sites]


def sampled(rows: Sequence[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """A few rows spread evenly over all of them."""
    if len(rows) <= SAMPLED:
        return list(rows)
    return [rows[round((k + 0.5) * len(rows) / SAMPLED - 0.5)] for k in range(SAMPLED)]
