"""Methods drawn from folders of Java, and what became of them, counted."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.java.campaign.outcome import BROKEN, PREDICTED, REFUSED, Outcome, TooLate, outcome, within

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.java.parse.reading import read_unit
from apet.machine import Machines
from apet.program.translator.entries import entry_titles

SECONDS = 30.0
"""Of CPU time, for one method."""


@dataclass
class Counts:
    """Methods by what became of them; the reasons with an example each; files that do not parse."""

    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    unread: int = 0

    def add(self, where: str, one: Outcome) -> None:
        """One more method."""
        self.kinds[one.kind] += 1
        if one.kind != PREDICTED:
            self.reasons[one.kind, one.reason] += 1
            self.examples.setdefault((one.kind, one.reason), where)

    @property
    def broken(self) -> int:
        """Methods that break the law."""
        return sum(self.kinds[kind] for kind in BROKEN)


def sources(places: Iterable[str]) -> list[str]:
    """The Java files of folders, of lists of files (`@list`), and files themselves, in order."""
    paths: list[str] = []
    for place in places:
        if place.startswith("@"):
            paths += Path(place[1:]).read_text(encoding="utf-8").split("\n")
        elif os.path.isdir(place):
            paths += sorted(map(str, Path(place).rglob("*.java")))
        else:
            paths.append(place)
    return [p for p in paths if p]


def drawn(paths: Sequence[str], most: int, seed: int) -> list[str]:
    """So many of the files, drawn by chance."""
    return random.Random(seed).sample(list(paths), min(most, len(paths)))


def entries(source: Source, most: int, seed: int, parser: str = "auto") -> Iterator[str]:
    """So many methods of a file that have bodies, drawn by chance."""
    methods = [t for c in read_unit(source, parser).classes for t in entry_titles([m for m in c.methods if m.has_body])]
    yield from random.Random(f"{seed} {os.path.basename(source.name)}").sample(methods, min(most, len(methods)))


def run(
    paths: Sequence[str],
    machines: Machines,
    level: str,
    methods: int,
    seed: int,
    parser: str = "auto",
    resolved: bool = False,
    report: Callable[[str], object] = lambda _: None,
) -> Counts:
    """Try methods of every file; each that is not predicted, and each file, is reported as it comes."""
    counts = Counts()
    for k, path in enumerate(paths, 1):
        try:
            source = read_source(path)
            chosen = list(entries(source, methods, seed, parser))
        except ApetError:
            counts.unread += 1
            chosen = []
        for entry in chosen:
            try:
                with within(SECONDS):
                    one = outcome(source, entry, level, machines, parser, resolved)
            except TooLate:
                one = Outcome(BROKEN[3], "at its end")
            where = f"{path} --entry '{entry}'"
            counts.add(where, one)
            if one.kind != PREDICTED:
                report(f"{one.kind}: {one.reason}\n       {where}")
        report(f"{k} of {len(paths)} files, {counts.kinds[PREDICTED]} of {counts.kinds.total()} methods: {path}")
    return counts


def table(counts: Counts, most: int) -> str:
    """Counts as text: kinds with their shares, then the most frequent reasons with an example each."""
    total = max(1, counts.kinds.total())
    lines = [f"{counts.kinds.total():6,} methods, {counts.unread} files do not parse"]
    for kind in (PREDICTED, REFUSED, *BROKEN):
        lines.append(f"{counts.kinds[kind]:6,} {counts.kinds[kind] / total:7.2%} {kind}")
    for (kind, reason), count in counts.reasons.most_common(most):
        lines.append(f"{count:6,} {kind}: {reason}\n       {counts.examples[kind, reason]}")
    return "\n".join(lines)
