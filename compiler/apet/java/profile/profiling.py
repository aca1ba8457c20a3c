"""Runs Java with counters in it, and gives the parameters of its model the values that the run showed."""

from __future__ import annotations

import math
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.jvm import SOURCES, Jdk, compile_java, run_java
from apet.java.profile.instrument import Site, instrument

WARM_RUNS = 2
LEARNT = 8000.0
"""Mispredictions per run that a branch predictor remembers, unless the machine file tells; of four times as many it
remembers none."""
DOUBT = "predictor_doubt"
ON_DATA = f"(1 + {DOUBT} / 2)"
"""What the guess is multiplied by where a branch looks at data that is only read: outcomes without a pattern."""
DOUBTED = (0.1, 5 / 3)
"""From a branch whose outcomes have a pattern to one whose rarer side is always mispredicted, as multiples of the
static guess, 3/5 of the rarer side."""
SELECTED = (0.18, 0.82)
"""Shares between which a compiler turns the choice of one int into a conditional move, which is never mispredicted."""


class Count(NamedTuple):
    """What a site has counted: evaluations, entries or calls from outside; how often true, rounds, all calls;
    mispredictions; and the sum of its values."""

    first: int
    second: int
    missed: int
    total: float


class CountedRun(NamedTuple):
    """What one run showed: counts by file and site, numbers of fields, lengths of arrays, sizes it was given."""

    sites: Mapping[str, Sequence[tuple[Site, Count]]]
    fields: Mapping[str, float]
    arrays: Mapping[str, tuple[int, ...]]
    sizes: tuple[int, ...]


class Prepared(NamedTuple):
    """Instrumented classes in a folder, with their sites by file."""

    folder: str
    sites: Mapping[str, Sequence[Site]]
    numbers: int


class ModelParameter(NamedTuple):
    """A parameter of a translated model: its name, its value as text ("" where it has none), its comment."""

    name: str
    value: str
    comment: str


def prepare(jdk: Jdk, path: str, folder: str, others: Sequence[str] = (), source_path: Sequence[str] = ()) -> Prepared:
    """Instrument a file and others, compile them into a folder.

    Classes beside the first one and in the folders of `source_path` that they name are found and left as they are.
    """
    from apet.java.profile.sources import text_of

    base = os.path.basename(path)
    written = Path(folder) / "src"
    written.mkdir(exist_ok=True)
    sites: dict[str, Sequence[Site]] = {}
    count = 0
    for one in (path, *others):
        instrumented = instrument(text_of(one), one, count)
        (written / os.path.basename(one)).write_text(instrumented.text, encoding="utf-8")
        sites[os.path.basename(one)] = instrumented.sites
        count += len(instrumented.sites)
    beside = os.path.dirname(os.path.abspath(path))
    runtime = [SOURCES / "ApetProfile.java", SOURCES / "ProfileRun.java"]
    where = os.path.join(folder, "classes")
    command = [*(str(written / name) for name in sites), *map(str, runtime)]
    search_path = os.pathsep.join((beside, *source_path, str(SOURCES)))
    compile_java(jdk, ["-sourcepath", search_path, *command], where, f"{base} with counters")
    return Prepared(where, sites, count)


def profile(
    jdk: Jdk, path: str, entry: tuple[str, str], sizes: Sequence[int], predictor: bool, limit: float
) -> CountedRun:
    """Run a class's method at sizes and count. `entry` is class and method; `limit` in seconds."""
    with tempfile.TemporaryDirectory(prefix="apet-") as folder:
        return run_profile(jdk, prepare(jdk, path, folder), entry, sizes, predictor, limit)


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
        *entry,
        str(prepared.numbers),
        str(warm),
        *map(str, sizes),
    ]
    title = f"{'.'.join(entry)} at {', '.join(map(str, sizes)) or 'no size'}"
    text = run_java(jdk, words, title, limit)

    counts: dict[int, Count] = {}
    fields: dict[str, float] = {}
    arrays: dict[str, tuple[int, ...]] = {}
    for line in text.splitlines():
        kind, name, *rest = line.split()
        if kind == "site":
            counts[int(name)] = Count(int(rest[0]), int(rest[1]), int(rest[2]), float(rest[3]))
        elif kind == "field":
            fields[name] = float(rest[0])
        elif kind == "array":
            arrays[name] = tuple(map(int, rest))
    sites = {file: [(s, counts[s.number]) for s in in_file] for file, in_file in prepared.sites.items()}
    return CountedRun(sites, fields, arrays, tuple(sizes))


_PARAMETER = re.compile(
    r"^param (?P<name>[\w$]+)(?: = (?P<value>.*?))?(?: in \[.*?\])?;\s*// (?P<comment>.*)$", re.MULTILINE
)


def parameters(model: str) -> list[ModelParameter]:
    """The parameters of a translated model in order."""
    return [ModelParameter(m["name"], m["value"] or "", m["comment"]) for m in _PARAMETER.finditer(model)]


def values(model: str, counted: CountedRun, misses: bool, learnt: float = LEARNT) -> dict[str, float]:
    """What a run says of the parameters of a model: name to value. With `misses`, mispredictions too, of which a
    predictor remembers `learnt` per run.

    What the run did not reach keeps its value in the model, or becomes 0 where it has none.
    """
    return _Filler(counted, learnt).filled(parameters(model), misses)


def with_doubt(model: str) -> str:
    """A model whose static guesses of mispredictions are multiplied by one more parameter, `DOUBT`."""
    guesses = [p for p in parameters(model) if p.name.startswith("miss_") and p.value]
    for p in guesses:
        factor = ON_DATA if " on data," in p.comment else DOUBT
        model = model.replace(
            f"param {p.name} = {p.value} in ", f"param {p.name} = min(1, {factor} * ({p.value})) in ", 1
        )

    first = model.find("param ")
    if not guesses or first < 0:
        return model
    line = f"param {DOUBT} in [0, 2];  // how far the static guesses of mispredictions are from what a run shows\n"
    return model[:first] + line + model[first:]


class _Filler:
    def __init__(self, profile: CountedRun, learnt: float = LEARNT) -> None:
        self.profile = profile
        self.learnt = learnt
        self.used: set[int] = set()
        self.tests: dict[str, Count] = {}

    def filled(self, wanted: Sequence[ModelParameter], misses: bool) -> dict[str, float]:
        """Values by name."""
        values: dict[str, float] = {}
        for p in wanted:
            value = self.value(p)
            if value is not None:
                values[p.name] = value
        for p in wanted if misses else ():
            value = self.missed(p)
            if value is not None:
                values[p.name] = value
        return values

    def value(self, p: ModelParameter) -> float | None:
        """The value of one parameter; None where the run has nothing to say."""
        at = re.match(r"(?P<file>[^:]+):(?P<line>\d+): (?P<rest>.*)$", p.comment)
        if at is None:
            return None

        sites, rest = self.at(at["file"], int(at["line"])), at["rest"]
        if (m := re.match(r"probability of `(.*)`", rest)) is not None:
            return self.share(p, sites, m[1])
        if rest.startswith("probability of this case"):
            return self.case(sites)
        if rest == "probability of this exception":
            return self.handled(sites)
        if rest.startswith("rounds of "):
            one = self.next_of(sites, "loop")
            return None if one is None else _ratio(one.second, one.first)
        if (m := re.match(r"calls of (\w+) made", rest)) is not None:
            one = self.named("method", m[1])
            return None if one is None else _ratio(one.second, one.first)
        if (m := re.match(r"(\w+) of (?:this call of )?(\w+), (?:mean|on average)", rest)) is not None:
            one = self.named("formal", f"{m[2]}:{m[1].rstrip('_')}")
            return None if one is None else _ratio(one.total, one.first)
        if rest.startswith("length of the new array"):
            one = self.next_of(sites, "length")
            return None if one is None else _ratio(one.total, one.first)
        return None if p.value else self.known(rest)

    def known(self, rest: str) -> float | None:
        """A field as it was after `setup`, the length of an array, or the size itself."""
        if (m := re.match(r"field ([\w$]+)", rest)) is not None:
            return self.profile.fields.get(m[1])
        if (m := re.match(r"length (?:in dimension (\d+) )?of field ([\w$]+)", rest)) is not None:
            lengths, k = self.profile.arrays.get(m[2], ()), int(m[1] or 1)
            return float(lengths[k - 1]) if k <= len(lengths) else None
        if rest.startswith("formal ") and len(self.profile.sizes) == 1:
            return float(self.profile.sizes[0])
        return None

    def at(self, file: str, line: int) -> list[tuple[Site, Count]]:
        """The sites of a line; a condition after the ones inside it."""
        return [(s, c) for s, c in self.profile.sites.get(file, ()) if s.line == line]

    def next_of(self, sites: Sequence[tuple[Site, Count]], kind: str) -> Count | None:
        """The next site of a kind that no parameter has yet."""
        for site, count in sites:
            if site.kind == kind and site.number not in self.used:
                self.used.add(site.number)
                return count
        return None

    def share(self, p: ModelParameter, sites: Sequence[tuple[Site, Count]], text: str) -> float | None:
        """How often a condition held; the same text first, then the order in the line."""
        shown = re.sub(r"\s", "", text.rstrip("…"))
        tests = [(s, c) for s, c in sites if s.kind == "test" and s.number not in self.used]
        tests.sort(key=lambda t: len(t[0].text))
        exact = [t for t in tests if re.sub(r"\s", "", t[0].text) == shown]
        near = [t for t in tests if shown in re.sub(r"\s", "", t[0].text)]
        left = [t for t in tests if shown.startswith(re.sub(r"\s", "", t[0].text))]
        chosen = (left or exact or near or tests)[:1]
        if not chosen:
            return None

        site, count = chosen[0]
        self.used.add(site.number)
        self.tests[p.name] = count
        return _ratio(count.second, count.first)

    def numbered(self, number: int) -> Count:
        """What the site of a number has counted."""
        return next(c for sites in self.profile.sites.values() for s, c in sites if s.number == number)

    def case(self, sites: Sequence[tuple[Site, Count]]) -> float | None:
        """How often a case of a switch is taken where none before it was."""
        mine = next(((s, c) for s, c in sites if s.kind == "case" and s.number not in self.used), None)
        if mine is None:
            return None
        self.used.add(mine[0].number)
        same = [(s, c) for all_ in self.profile.sites.values() for s, c in all_ if s.kind == "case"]
        earlier = sum(c.first for s, c in same if s.text == mine[0].text and s.number < mine[0].number and s.labelled)
        return _ratio(mine[1].first, self.numbered(int(mine[0].text)).first - earlier)

    def handled(self, sites: Sequence[tuple[Site, Count]]) -> float | None:
        """How often a handler is entered for each time that its body is."""
        mine = next(((s, c) for s, c in sites if s.kind == "catch" and s.number not in self.used), None)
        if mine is None:
            return None
        self.used.add(mine[0].number)
        return _ratio(mine[1].first, self.numbered(int(mine[0].text)).first)

    def named(self, kind: str, text: str) -> Count | None:
        """A site by what it is about."""
        counts = (c for sites in self.profile.sites.values() for s, c in sites if s.kind == kind and s.text == text)
        return next(counts, None)

    def missed(self, p: ModelParameter) -> float | None:
        """Mispredictions each time, with the part of them that the predictor's memory takes from run to run."""
        at = re.match(r"line (?P<line>\d+): mispredictions (?P<what>of this branch|at the end of this loop)", p.comment)
        if at is None:
            return None

        if at["what"] == "of this branch":
            names = [n for n in re.findall(r"\bq_\w+", p.value) if n in self.tests]
            one = self.tests[names[0]] if names else None
            if one is not None and "<" in p.value and SELECTED[0] <= _ratio(one.second, one.first) <= SELECTED[1]:
                return 0.0
        else:
            lines = [
                c
                for sites in self.profile.sites.values()
                for s, c in sites
                if s.kind == "loop" and s.line == int(at["line"])
            ]
            one = lines[0] if lines else None
        if one is None:
            return None
        forgotten = math.log(max(one.missed, 1) / self.learnt) / math.log(4)
        return min(1.0, _ratio(one.missed, one.first) * min(max(forgotten, 0.0), 1.0))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def check_fresh(path: str) -> None:
    """`ApetError` where a file is no Java source."""
    if not path.endswith(".java"):
        raise ApetError(errors.NotProfiled(None, None, path, "it is no .java file"))
