"""Runs Java with counters in it."""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.harness_classes import harness_classes
from apet.java.jvm import CLASSPATH, HEAP, MODES, SILENT, Jdk, compile_java, run_java, sharing
from apet.java.parse.syntax import LineColumn
from apet.java.profile.call_times import CallTimes, TimedSite, call_times
from apet.java.profile.counts import Count, CountedRun
from apet.java.profile.failures import explained
from apet.java.profile.instrument import CountedSite, instrument
from apet.java.profile.met_classes import DISPATCHED
from apet.java.profile.parameter_values import parameters
from apet.java.profile.recompilations import logging, recompiled
from apet.java.profile.timed_calls import SORTS, WantedCalls
from apet.java.profile.visits import AT_PLACE
from apet.java.translation import Translation
from apet.java.translator.layout import BOX, ELEMENT

WARM_RUNS = 2
STREAMED = re.compile(r"([^:]+):(\d+): elements of the stream that (\w+) takes")
INTERPRETED = "Xint"
_TOO_LARGE = re.compile(r"([\w$]+\.java):(\d+): error: code too large$", re.MULTILINE)
"""Java allows 64 KiB of bytecode in a method."""


class Prepared(NamedTuple):
    """Instrumented classes in a folder, the folder of those that run them, and their sites by file; and the folder
    of the same classes as they were written, and their files."""

    folder: str
    harness: str
    sites: Mapping[str, Sequence[CountedSite]]
    numbers: int
    package: str = ""
    plain: str = ""
    files: tuple[str, ...] = ()

    @property
    def is_timed(self) -> bool:
        """Whether it has clocks."""
        return any(s.kind == "time" for in_file in self.sites.values() for s in in_file)

    def virtual_machine(self, mode: str) -> list[str]:
        """What the JVM is started with: in its mode where calls are timed, with room for deep recursion."""
        timed = MODES.get(mode, ()) if self.is_timed else ()
        # The collector that kernels are timed with: another one has other barriers and other costs of allocation.
        path = os.pathsep.join((self.folder, self.harness, *CLASSPATH))
        plain = (
            [f"-Dapet.plain={os.pathsep.join((self.plain, self.harness, *CLASSPATH))}"]
            if self.plain and self.is_timed
            else []
        )
        return [*timed, *HEAP, "-Xss64m", *logging(self.folder), *plain, "-cp", path]

    def repetitions(self, predictor: bool) -> str:
        """Runs before the one that is told about, to teach a predictor of branches, and whether calls are timed."""
        return f"{WARM_RUNS if predictor else 0}{'t' if self.is_timed else ''}"


def prepare(
    jdk: Jdk,
    path: str,
    folder: str,
    source_path: Sequence[str] = (),
    model: str = "",
    calls: Mapping[tuple[str, LineColumn], str] | None = None,
    others: Sequence[str] = (),
    files: Sequence[str] = (),
) -> Prepared:
    """Instrument a file, the `others` and those of its `files` that parameters of `model` come from, compile them into
    a folder.

    `calls` are operations to be timed, by file and place. Where javac refuses a clock or a counter of classes, its line
    goes without; so does a method that has no room for counters. Other classes beside the first one and in the folders
    of `source_path` are found and left as they are.
    """
    from apet.java.parse.packages import package_of
    from apet.java.profile.sources import compilable, folders_of, other_files, source_path_flags, text_of

    base = os.path.basename(path)
    timed = {file for file, _ in calls or ()}
    texts = {one: text_of(one) for one in (path, *others, *other_files(model, path, files, timed))}
    harness = harness_classes(jdk)
    folders = dict.fromkeys(f for one in (path, *others) for f in folders_of(one))
    search = ["-parameters", "-Xprefer:source", *source_path_flags((*folders, *source_path), folder)]
    counting, plain = os.path.join(folder, "classes"), os.path.join(folder, "plain")
    written = Path(folder) / "src"
    for place in (written, plain):
        os.makedirs(place, exist_ok=True)

    refused: Counter[tuple[str, int]] = Counter()
    full: set[tuple[str, int]] = set()
    with ThreadPoolExecutor(1) as beside:
        # The program as it was written, at the same time: what is wrong with it is reported as its author knows it.
        own = [compilable(one, folder) for one in texts]
        as_written = beside.submit(compile_java, jdk, [*search, *own], plain, base, harness, sharing(harness))
        while True:
            sites = _instrumented(texts, written, model, calls or {}, refused, full)
            try:
                files = [str(written / name) for name in sites]
                compile_java(jdk, [*search, *files], counting, f"{base} with counters", harness, sharing(harness))
            except ApetError as error:
                as_written.result()
                too_large = {(file, int(line)) for file, line in _TOO_LARGE.findall(str(error))} - full
                full |= too_large
                lines = set() if too_large else _refused_lines(error, sites)
                if not lines and not too_large:
                    raise
                refused.update(lines)
            else:
                break
        as_written.result()
    return Prepared(
        counting, harness, sites, sum(map(len, sites.values())), package_of(texts[path]), plain, tuple(texts)
    )


def _instrumented(
    texts: Mapping[str, str],
    folder: Path,
    model: str,
    calls: Mapping[tuple[str, LineColumn], str],
    refused: Mapping[tuple[str, int], int],
    full: Set[tuple[str, int]],
) -> dict[str, Sequence[CountedSite]]:
    """Write the files with counters into a folder; their sites."""
    wanted = re.compile(
        r" of (?:this call of )?(\w+), (?:mean|on)|: formal [\w$]+ of ([\w$]+)$|: calls of ([\w$]+) made"
    )
    methods = {m[m.lastindex or 0] for p in parameters(model) if (m := wanted.search(p.comment)) is not None}
    methods |= {f"{m[1]} =" for p in parameters(model) if (m := re.search(r": `(\w+) =", p.comment)) is not None}
    of_calls = {
        pattern: [m.groups()[:3] for p in parameters(model) if (m := pattern.match(p.comment)) is not None]
        for pattern in (DISPATCHED, STREAMED)
    }
    owners = {m[1] for p in parameters(model) if (m := re.search(r": .*\bfield [\w$]+ of ([\w$]+)$", p.comment))}
    places = {(m["file"], LineColumn(int(m["line"]), int(m["column"])), m["whose"]) for m in AT_PLACE.finditer(model)}
    sites: dict[str, Sequence[CountedSite]] = {}
    count = 0

    for path, text in texts.items():
        base = os.path.basename(path)
        timed = {at: op for (file, at), op in calls.items() if file == base}
        met, streams = ({(int(n), name) for file, n, name in own if file == base} for own in of_calls.values())
        lines = {line: n for (file, line), n in refused.items() if file == base}
        own = WantedCalls(timed, met, streams, lines, {line for file, line in full if file == base})
        changes = {at for file, at, whose in places if file == base and whose == ELEMENT}
        visits = {at: whose == BOX for file, at, whose in places if file == base and whose != ELEMENT}
        own = own._replace(changes=changes, visits=visits, owners=owners)
        instrumented = instrument(text, path, count, methods, own)
        (folder / base).write_text(instrumented.text, encoding="utf-8")
        sites[base] = instrumented.sites
        count += len(instrumented.sites)
    return sites


def _refused_lines(error: ApetError, sites: Mapping[str, Sequence[CountedSite]]) -> set[tuple[str, int]]:
    """Lines with what javac may refuse in which it has found errors; all of them if it names others only."""
    placed = {
        (file, s.line) for file, own in sites.items() for s in own if s.kind in ("time", "class", "stream", "visit")
    }
    named = re.findall(r"([\w$]+\.java):(\d+): error", str(error))
    return placed & {(file, int(line)) for file, line in named} or placed


def calls_to_time(translation: Translation, mode: str) -> Mapping[tuple[str, LineColumn], str]:
    """The library calls of a program, by file and place; none where it is interpreted: that takes too long."""
    return {} if mode == INTERPRETED else translation.calls


def run_profile(
    jdk: Jdk,
    prepared: Prepared,
    entry: tuple[str, str],
    sizes: Sequence[int],
    predictor: bool,
    limit: float,
    mode: str = "C2",
) -> CountedRun:
    """One run of what has been prepared; where it has clocks, then more to time calls, in a mode of the JVM."""
    words = [
        *prepared.virtual_machine(mode),
        "ProfileRun",
        prepared.package + entry[0],
        entry[1],
        str(prepared.numbers),
        prepared.repetitions(predictor),
        *map(str, sizes),
    ]

    title = f"{'.'.join(entry)} at {', '.join(map(str, sizes)) or 'no size'}"
    try:
        text = run_java(jdk, words, title, limit)
    except ApetError as error:
        # A main that gets no words is called with some that nobody has set.
        raise explained(error, prepared.files, bool(sizes) or entry[1] != "main") from None
    return counted_run(text, prepared, tuple(sizes), entry[1])


def counted_run(text: str, prepared: Prepared, sizes: tuple[int, ...] = (), method: str = "run") -> CountedRun:
    """What the lines that a run has printed say of its sites."""
    counts: dict[int, Count] = {}
    fields: dict[str, float] = {}
    arrays: dict[str, tuple[float, ...]] = {}
    means: dict[str, float] = {}
    classes: dict[int, dict[str, int]] = {}
    visits: dict[int, list[float]] = {}
    copied, settling = 0.0, (0, 0)
    assumed: list[str] = []
    lines = [line.split() for line in text.splitlines()]

    for kind, name, *rest in lines:
        if kind == "site":
            counts[int(name)] = Count(int(rest[0]), int(rest[1]), int(rest[2]), float(rest[3]))
        elif kind == "field":
            fields[name] = float(rest[0])
        elif kind == "mean":
            means[name] = float(rest[0])
        elif kind == "array":
            arrays[name] = tuple(map(float, rest))
        elif kind == "copied":
            copied = float(rest[0])
        elif kind == "visits":
            visits[int(name)] = [float(v) for v in rest]
        elif kind == "class":
            classes.setdefault(int(name), {})[rest[0]] = int(rest[1])
        elif kind == "inside":
            # Handed code that runs inside a timed call is a part of that call's time.
            counts[int(name)] = counts[int(name)].outside(float(rest[0]))
        elif kind == "assumed":
            assumed.append(" ".join(rest))
        elif kind == "settling":
            settling = int(name), int(rest[0])

    if len(counts) < prepared.numbers:
        raise ApetError(errors.RunFailed(None, None, method, 0, SILENT, "name a method that returns"))
    sites = {file: [(s, counts[s.number]) for s in in_file] for file, in_file in prepared.sites.items()}
    times = _call_times(lines, dict(_operations(sites)))
    again = recompiled(prepared.folder, settling)
    return CountedRun(sites, fields, arrays, sizes, method, means, classes, times, again, copied, visits, assumed)


def _operations(sites: Mapping[str, Sequence[tuple[CountedSite, Count]]]) -> Iterator[tuple[int, tuple[str, float]]]:
    """The operation of each timed site, and how often one call does it: a sort as often as its model says."""
    for own in sites.values():
        elements = {(s.line, s.column): c.total / c.first for s, c in own if s.kind == "size" and c.first}
        for site in (s for s, _ in own if s.kind == "time"):
            many = elements.get((site.line, site.column), 0.0) if site.text in SORTS else 0.0
            steps = many * math.log2(max(2.0, many))
            yield site.number, (SORTS[site.text], steps) if steps else (site.text, 1.0)


def _call_times(lines: Sequence[Sequence[str]], operations: Mapping[int, tuple[str, float]]) -> CallTimes:
    """What a run says of the calls that it timed after it had counted; `operations` are those of its sites."""
    timed: list[TimedSite] = []
    nested: list[str] = []
    clock: list[float] = []
    addition, is_handed_code, plain = 0.0, False, math.inf

    for kind, name, *rest in lines:
        if kind == "time":
            operation, steps = operations[int(name)]
            timed.append(TimedSite(operation, float(rest[0]), [float(t) for t in rest[1:]], steps))
        elif kind == "nested":
            nested.append(operations[int(name)][0])
        elif kind == "inside":
            is_handed_code = True
        elif kind == "clock":
            clock = [float(t) for t in rest[1:]]
        elif kind == "addition":
            addition = float(rest[0])
        elif kind == "plain":
            plain = float(rest[0])
    return call_times(timed, clock, addition, nested, is_handed_code, plain) if clock else CallTimes()


def check_fresh(path: str) -> None:
    """`ApetError` where a file is no Java source."""
    if not path.endswith(".java"):
        raise ApetError(errors.NotProfiled(None, None, path, "it is no .java file"))
