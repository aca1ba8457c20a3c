"""Runs Java with counters in it."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.bytecode.code_places import SourceCopy
from apet.java.harness_classes import harness_classes
from apet.java.jvm import CLASSPATH, HEAP, MODES, SILENT, Jdk, compile_java, run_java, sharing
from apet.java.profile.asked import Site, asked, owners
from apet.java.profile.call_times import CallTimes, TimedSite, call_times
from apet.java.profile.counted_classes import SORTS, Counting, copies, count
from apet.java.profile.counts import Count, CountedRun, Told, most
from apet.java.profile.failures import explained
from apet.java.profile.recompilations import logging, recompiled
from apet.java.profile.sources import compilable, folders_of, source_path_flags, text_of
from apet.program.ir import LineColumn, SourceNote
from apet.program.translation import Translation

WARM_RUNS = 2
INTERPRETED = "Xint"
POSITIONS = ("-Xjcov", "-g")
"""Options of javac that make it tell which code was made from which text."""


class Prepared(NamedTuple):
    """Classes with counters in a folder, the folder of those that run them, and how sites are counted; the folder of
    the same classes without counters, and the files of the program."""

    folder: str
    harness: str
    counting: Counting
    package: str = ""
    plain: str = ""
    files: tuple[str, ...] = ()

    @property
    def numbers(self) -> int:
        """How many counters there are."""
        return self.counting.numbers

    @property
    def is_timed(self) -> bool:
        """Whether it has clocks."""
        return any(s.kind == "time" and tallies for s, tallies in self.counting.tallies.items())

    def virtual_machine(self, mode: str) -> list[str]:
        """What the JVM is started with: in its mode where calls are timed, with room for deep recursion."""
        timed = MODES.get(mode, ()) if self.is_timed else ()
        # The collector that kernels are timed with: another one has other barriers and other costs of allocation.
        path = os.pathsep.join((self.folder, self.harness, *CLASSPATH))
        plain = [f"-Dapet.plain={os.pathsep.join((self.plain, self.harness, *CLASSPATH))}"] if self.is_timed else []
        loops = [f"-Dapet.loops={self.counting.loops}"] if self.counting.loops else []
        names = ",".join(f"{binary}={name}" for binary, name in self.counting.names.items())
        called = [f"-Dapet.names={names}"] if names else []
        return [*timed, *HEAP, "-Xss64m", *logging(self.folder), *plain, *loops, *called, "-cp", path]

    def repetitions(self, predictor: bool) -> str:
        """Runs before the one that is told about, to teach a predictor of branches, and whether calls are timed."""
        return f"{WARM_RUNS if predictor else 0}{'t' if self.is_timed else ''}"


def prepare(
    jdk: Jdk,
    files: Sequence[str],
    folder: str,
    parameters: Mapping[str, SourceNote],
    calls: Mapping[tuple[str, LineColumn], str] | None = None,
    source_path: Sequence[str] = (),
) -> Prepared:
    """Compile files into a folder and put counters into their classes, where `parameters` are counted.

    `calls` are operations to be timed, by file and place. Other classes beside the files and in the folders of
    `source_path` are found. A method that has no room for counters goes without.
    """
    from apet.java.parse.class_files import package_of

    sorts = (Site("size", file, at) for (file, at), operation in (calls or {}).items() if operation in SORTS)
    sites = tuple(dict.fromkeys((*asked(parameters).values(), *sorts)))
    timed = [Site("time", file, at, operation) for (file, at), operation in (calls or {}).items()]
    own = tuple(dict.fromkeys(files))
    sources = copies({os.path.basename(one): text_of(one) for one in own}, (*sites, *timed))

    compiled, counting = Path(folder) / "plain", Path(folder) / "classes"
    for place in (compiled, counting):
        place.mkdir(exist_ok=True)
    harness = harness_classes(jdk)
    _compile(jdk, own, sources, compiled, source_path, harness)
    plan = count(compiled, counting, sources, [*sites, *timed], owners(parameters))
    return Prepared(str(counting), harness, plan, package_of(text_of(own[0])), str(compiled), own)


def _compile(
    jdk: Jdk,
    files: Sequence[str],
    sources: Mapping[str, SourceCopy],
    into: Path,
    source_path: Sequence[str],
    harness: str,
) -> None:
    """Compile files with line ends put in; where that fails, as they are, so that their own lines are told."""
    base, folder = os.path.basename(files[0]), str(into.parent)
    roots = dict.fromkeys((*(root for one in files for root in folders_of(one)), *source_path))
    flags = [*POSITIONS, "-parameters", "-Xprefer:source", *source_path_flags(roots, folder)]
    copied = [_copy(one, sources[os.path.basename(one)].text, into.parent / f"copy{k}") for k, one in enumerate(files)]
    try:
        compile_java(jdk, [*flags, *copied], str(into), base, harness, sharing(harness))
    except ApetError:
        written = [compilable(one, folder) for one in files]
        compile_java(jdk, [*flags, *written], str(into), base, harness, sharing(harness))
        raise


def _copy(path: str, text: str, folder: Path) -> str:
    folder.mkdir(exist_ok=True)
    copy = folder / os.path.basename(path)
    copy.write_text(text, encoding="utf-8")
    return str(copy)


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
    lines = [line.split() for line in text.splitlines()]
    told = Told.read(lines)
    if len(told.counters) < prepared.numbers:
        raise ApetError(errors.RunFailed(None, None, method, 0, SILENT, "name a method that returns"))

    plan = prepared.counting
    counts = {site: most(told.count(tally) for tally in tallies) for site, tallies in plan.tallies.items()}
    known = {site: _per_task(site, count, told, method) for site, count in counts.items() if count is not None}
    classes = {s: told.classes_of(t[0], plan.anonymous) for s, t in plan.tallies.items() if s.kind == "class" and t}
    visited = {
        s: told.visits[k] for s, t in plan.tallies.items() for one in t for k in one.counters if k in told.visits
    }
    return CountedRun(
        known,
        told.fields,
        told.arrays,
        sizes,
        method,
        told.means,
        classes,
        times=_call_times(lines, dict(_operations(plan, known))),
        recompiled=recompiled(prepared.folder, told.settling),
        visits=visited,
        assumed=told.assumed,
        unseen=told.unseen,
    )


def _per_task(site: Site, count: Count, told: Told, method: str) -> Count:
    """What a site has counted; what counts in a whole run, each time that the entry was run."""
    if site.kind != "unseen":
        return count
    is_own = site.variable.rpartition(".")[2] == method
    return count._replace(first=told.runs * is_own, second=count.second * is_own)


def _operations(plan: Counting, counts: Mapping[Site, Count]) -> Iterator[tuple[int, tuple[str, float]]]:
    """The operation of each timed site, and how often one call does it: a sort as often as its model says."""
    elements = {(s.file, s.at): c.total / c.first for s, c in counts.items() if s.kind == "size" and c.first}
    for site, tallies in plan.tallies.items():
        for number in (k for t in tallies for k in t.counters if site.kind == "time"):
            many = elements.get((site.file, site.at), 0.0) if site.member in SORTS else 0.0
            steps = many * math.log2(max(2.0, many))
            yield number, (SORTS[site.member], steps) if steps else (site.member, 1.0)


def _call_times(lines: Sequence[Sequence[str]], operations: Mapping[int, tuple[str, float]]) -> CallTimes:
    """What a run says of the calls that it timed after it had counted; `operations` are those of its sites."""
    timed: list[TimedSite] = []
    nested: list[str] = []
    clock: list[float] = []
    addition, plain = 0.0, math.inf

    for kind, name, *rest in lines:
        if kind == "time":
            operation, steps = operations[int(name)]
            calls, *quartiles, handed = map(float, rest)
            timed.append(TimedSite(operation, calls, quartiles, steps, handed))
        elif kind == "nested":
            nested.append(operations[int(name)][0])
        elif kind == "clock":
            clock = [float(t) for t in rest[1:]]
        elif kind == "addition":
            addition = float(rest[0])
        elif kind == "plain":
            plain = float(rest[0])
    return call_times(timed, clock, addition, nested, plain) if clock else CallTimes()


def check_fresh(path: str) -> None:
    """`ApetError` where a file is no Java source."""
    if not path.endswith(".java"):
        raise ApetError(errors.NotProfiled(None, None, path, "it is no .java file"))
