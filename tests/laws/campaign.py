"""Many programs judged, block by block, and what contradicted the law, shrunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from random import Random

from tests.laws.drawing import draw_program
from tests.laws.formulas import FaultError
from tests.laws.law import Contradiction, judge
from tests.laws.machine_pool import POOL
from tests.laws.program import DrawnProgram
from tests.laws.shrinking import shrunk
from tests.laws.unrolled import TooLongError

BLOCK = 500
MOST_EXAMPLES = 4
"""Per kind of contradiction: how many are shrunk and printed."""


@dataclass(frozen=True)
class Counterexample:
    """A shrunk program that contradicts the law; `seed` draws the one that it was shrunk from."""

    kind: str
    seed: int
    program: DrawnProgram
    figures: str

    def __str__(self) -> str:
        program = self.program
        values = ", ".join(f"{n} = {_shown(v)}" for n, v in program.settings().items())
        with_values = f"// {values}\n" if values else ""
        reading = f"// branches: {program.branches}\n" if "if (" in str(program) else ""
        machine = "plain" if not program.machine else str(POOL[program.machine])
        return f"{program}{with_values}{reading}// machine: {machine}\n// {self.kind}: {self.figures}\n"


@dataclass
class Tally:
    """Counts of programs by outcome, of runs of the event simulator, and of programs by kind of contradiction."""

    outcomes: Counter[str] = field(default_factory=Counter)
    schedules: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    seeds: dict[str, list[int]] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Count what another tally has counted as well."""
        self.outcomes += other.outcomes
        self.schedules += other.schedules
        self.kinds += other.kinds
        for kind, seeds in other.seeds.items():
            self.seeds[kind] = [*self.seeds.get(kind, ()), *seeds]

    @property
    def programs(self) -> int:
        """How many were drawn."""
        return self.outcomes.total()


def drawn(seed: int) -> DrawnProgram:
    """The program of a seed; every fourth may have task graphs."""
    return draw_program(Random(seed), graphs=seed % 4 == 3)


def tally(seeds: Iterable[int]) -> Tally:
    """Judge one program per seed."""
    counts = Tally()
    for seed in seeds:
        try:
            verdict = judge(drawn(seed), seed)
        except TooLongError:
            counts.outcomes["too long to run"] += 1
            continue
        counts.outcomes[verdict.outcome] += 1
        counts.schedules += verdict.schedules
        for kind in {c.kind for c in verdict.contradictions}:
            counts.kinds[kind] += 1
            counts.seeds.setdefault(kind, []).append(seed)
    return counts


def tallies(programs: int, seed: int, workers: int) -> Iterator[Tally]:
    """The tallies of blocks of programs with the seeds from `seed` on, as they are done."""
    last = seed + programs
    blocks = [range(first, min(first + BLOCK, last)) for first in range(seed, last, BLOCK)]
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(tally, blocks)


def findings(counts: Tally, most: int = MOST_EXAMPLES) -> list[Counterexample]:
    """Examples of a tally, so many per kind, shrunk; what shrinks to one program is one, of the first kind."""
    smallest: dict[str, Counterexample] = {}
    for kind, seeds in counts.seeds.items():
        for seed in seeds[:most]:
            finding = shrunk_finding(kind, seed)
            text = str(finding.program)
            known = smallest.setdefault(text, finding)
            if kind not in known.kind:
                smallest[text] = replace(known, kind=f"{known.kind}; {kind}")
    return list(smallest.values())


def shrunk_finding(kind: str, seed: int) -> Counterexample:
    """The program of a seed made as small as it can be with a contradiction of that kind."""
    program = shrunk(drawn(seed), lambda p: _contradiction(p, kind, seed) is not None)
    contradiction = _contradiction(program, kind, seed)
    return Counterexample(kind, seed, program, contradiction.text if contradiction else "")


def _contradiction(program: DrawnProgram, kind: str, seed: int) -> Contradiction | None:
    """The first of that kind; none where the program makes no sense."""
    if not program.is_closed():
        return None
    try:
        verdict = judge(program, seed)
    except (TooLongError, FaultError, LookupError, ValueError):
        return None
    return next((c for c in verdict.contradictions if c.kind == kind), None)


def _shown(value: object) -> str:
    return " .. ".join(map(str, value)) if isinstance(value, tuple) else str(value)
