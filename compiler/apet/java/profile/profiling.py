"""Runs Java with counters in it."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.jvm import SOURCES, Jdk, compile_java, run_java
from apet.java.profile.counts import Count, CountedRun
from apet.java.profile.instrument import Site, instrument
from apet.java.profile.parameter_values import parameters

WARM_RUNS = 2


class Prepared(NamedTuple):
    """Instrumented classes in a folder, with their sites by file."""

    folder: str
    sites: Mapping[str, Sequence[Site]]
    numbers: int
    package: str = ""


def prepare(
    jdk: Jdk,
    path: str,
    folder: str,
    source_path: Sequence[str] = (),
    model: str = "",
) -> Prepared:
    """Instrument a file and those that parameters of `model` come from, compile them into a folder.

    Other classes beside the first one and in the folders of `source_path` are found and left as they are.
    """
    from apet.java.profile.sources import folders_of, other_files, package_of, text_of

    base = os.path.basename(path)
    written = Path(folder) / "src"
    written.mkdir(exist_ok=True)
    wanted = re.compile(r" of (?:this call of )?(\w+), (?:mean|on)|: formal [\w$]+ of ([\w$]+)$")
    methods = {m[1] or m[2] for p in parameters(model) if (m := wanted.search(p.comment)) is not None}
    methods |= {f"{m[1]} =" for p in parameters(model) if (m := re.search(r": `(\w+) =", p.comment)) is not None}
    sites: dict[str, Sequence[Site]] = {}
    count = 0
    for one in (path, *other_files(model, path, source_path)):
        instrumented = instrument(text_of(one), one, count, methods)
        (written / os.path.basename(one)).write_text(instrumented.text, encoding="utf-8")
        sites[os.path.basename(one)] = instrumented.sites
        count += len(instrumented.sites)
    runtime = [SOURCES / "ApetProfile.java", SOURCES / "ProfileRun.java"]
    where = os.path.join(folder, "classes")
    command = [*(str(written / name) for name in sites), *map(str, runtime)]
    search_path = os.pathsep.join((*folders_of(path), *source_path, str(SOURCES)))
    compile_java(jdk, ["-sourcepath", search_path, *command], where, f"{base} with counters")
    return Prepared(where, sites, count, package_of(text_of(path)))


def profile(
    jdk: Jdk, path: str, entry: tuple[str, str], sizes: Sequence[int], predictor: bool, limit: float, model: str = ""
) -> CountedRun:
    """Run a class's method at sizes and count. `entry` is class and method; `limit` in seconds."""
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        return run_profile(jdk, prepare(jdk, path, folder, model=model), entry, sizes, predictor, limit)


def run_profile(
    jdk: Jdk, prepared: Prepared, entry: tuple[str, str], sizes: Sequence[int], predictor: bool, limit: float
) -> CountedRun:
    """One run of what has been prepared."""
    warm = WARM_RUNS if predictor else 0
    words = [
        "-Xss64m",
        "-cp",
        prepared.folder,
        "ProfileRun",
        prepared.package + entry[0],
        entry[1],
        str(prepared.numbers),
        str(warm),
        *map(str, sizes),
    ]
    title = f"{'.'.join(entry)} at {', '.join(map(str, sizes)) or 'no size'}"
    text = run_java(jdk, words, title, limit)

    counts: dict[int, Count] = {}
    fields: dict[str, float] = {}
    arrays: dict[str, tuple[int, ...]] = {}
    means: dict[str, float] = {}
    for line in text.splitlines():
        kind, name, *rest = line.split()
        if kind == "site":
            counts[int(name)] = Count(int(rest[0]), int(rest[1]), int(rest[2]), float(rest[3]))
        elif kind == "field":
            fields[name] = float(rest[0])
        elif kind == "mean":
            means[name] = float(rest[0])
        elif kind == "array":
            arrays[name] = tuple(map(int, rest))
    sites = {file: [(s, counts[s.number]) for s in in_file] for file, in_file in prepared.sites.items()}
    return CountedRun(sites, fields, arrays, tuple(sizes), entry[1], means)


def check_fresh(path: str) -> None:
    """`ApetError` where a file is no Java source."""
    if not path.endswith(".java"):
        raise ApetError(errors.NotProfiled(None, None, path, "it is no .java file"))
