"""Many programs judged, block by block, and what contradicted the law, shrunk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace

from lark.exceptions import LarkError
from tests.laws.drawing import Program, draw_program
from tests.laws.grammar import Pair, parsed, used_in
from tests.laws.law import Contradiction, judge
from tests.laws.machine_pool import POOL
from tests.laws.numbers import BeyondError
from tests.laws.shrinking import shrunk

BLOCK = 500
MOST_EXAMPLES = 4
"""Per kind of contradiction: how many are shrunk and printed."""


@dataclass(frozen=True)
class Counterexample:
    """A shrunk program that contradicts the law; `seed` draws the one that it was shrunk from."""

    kind: str
    seed: int
    program: Program
    figures: str

    def __str__(self) -> str:
        program = self.program
        values = ", ".join(
            f"{n} = {low if low == high else f'{low} .. {high}'}" for n, (low, high) in program.settings.items()
        )
        with_values = f"// {values}\n" if values else ""
        reading = f"// branches: {program.branches}\n" if "if (" in str(program) else ""
        machine = "plain" if not program.machine else str(POOL[program.machine])
        return f"{program.text.strip()}\n{with_values}{reading}// machine: {machine}\n// {self.kind}: {self.figures}\n"


@dataclass
class Tally:
    """Counts of programs by outcome, of runs of the event simulator, and of programs by kind of contradiction."""

    outcomes: Counter[str] = field(default_factory=Counter)
    schedules: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    seeds: dict[str, list[int]] = field(default_factory=dict)
    used: set[int | Pair] = field(default_factory=set)
    """The productions and the pairs of productions that were drawn."""

    def add(self, other: Tally) -> None:
        """Count what another tally has counted as well."""
        self.outcomes += other.outcomes
        self.schedules += other.schedules
        self.kinds += other.kinds
        self.used |= other.used
        for kind, seeds in other.seeds.items():
            self.seeds[kind] = [*self.seeds.get(kind, ()), *seeds]

    @property
    def programs(self) -> int:
        """How many were drawn."""
        return self.outcomes.total()


def tally(seeds: Iterable[int]) -> Tally:
    """Judge one program per seed."""
    counts = Tally()
    for seed in seeds:
        program = draw_program(seed)
        counts.used.update(used_in(parsed(program.text)))
        try:
            verdict = judge(program, seed)
        except BeyondError:
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
    program = shrunk(draw_program(seed), lambda p: _contradiction(p, kind, seed) is not None)
    contradiction = _contradiction(program, kind, seed)
    return Counterexample(kind, seed, program, contradiction.text if contradiction else "")


def _contradiction(program: Program, kind: str, seed: int) -> Contradiction | None:
    """The first of that kind; none where the text is no program."""
    try:
        verdict = judge(program, seed)
    except (BeyondError, LarkError, LookupError, ValueError, AssertionError, RecursionError):
        return None
    return next((c for c in verdict.contradictions if c.kind == kind), None)
