"""How many loops of integer programs get their rounds: `python -m tests.benchmarks.rounds DIR [RUNS [HALF]]`.

DIR holds C programs such as those of the complexity competition (github.com/TermCOMP/TPDB, Complexity_C_Integer). Each
program is analysed, and run RUNS times (default 200) with random inputs by an interpreter of its own; a run outside of
its bounds is a violation. HALF is `shown` or `other`: the programs that the analysis was written with, or the rest."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from math import inf, log10
from pathlib import Path
from random import Random
from statistics import median
from time import process_time

from tests.benchmarks.rounds_oracle import Run
from tests.benchmarks.rounds_reader import NotRead, read

from apet.program.rounds import Rounds, rounds_of
from apet.program.rounds.bounds import Bound, degree, text, value
from apet.program.rounds.statements import Statement


@dataclass
class Judged:
    """One program: whether it is bounded, the CPU seconds of the analysis, runs that ended, and runs outside."""

    name: str
    upper: float | None = None
    lower: float | None = None
    seconds: float = 0.0
    runs: int = 0
    outside: str = ""
    note: str = ""


def judged(path: Path, runs: int) -> Judged:
    answer = Judged(path.name)
    try:
        statement, formals = read(path)
    except NotRead as error:
        answer.note = f"not read: {error}"
        return answer
    start = process_time()
    loops = rounds_of(statement, formals)
    answer.seconds = process_time() - start
    if all(r.upper is not None for r in loops.values()):
        degrees = [degree(r.upper) for r in loops.values() if r.upper is not None]
        answer.upper = max(degrees, default=0)
    answer.lower = max((growth(r.lower, formals) for r in loops.values() if r.lower is not None), default=0)
    answer.note = "; ".join(f"{k}: {_text(r.lower)} .. {_text(r.upper)}" for k, r in loops.items())
    check(answer, statement, formals, loops, runs)
    return answer


def growth(bound: Bound, formals: tuple[str, ...]) -> float:
    """The largest degree by which a bound grows along rays of the parameters, some of which keep small values: unlike
    what `degree` reads off a formula, terms that are 0 or cancel do not count."""
    random, most = Random(1), 0.0
    for _ in range(120):
        ray = {n: (random.choice((0, 1, 1, 2, 5, -1, -3)), random.choice((0, 0, 1, 3))) for n in formals}
        small, large = (max(value(bound, {n: f * s + c for n, (f, c) in ray.items()}), 0) for s in (10**4, 10**8))
        if large > small:
            power = log10(large / small) / 4 if small else inf
            most = max(most, 0.01 if power < 0.2 else round(power) if power < inf else 0.01)
    return most


def _text(bound: Bound | None) -> str:
    return "?" if bound is None else text(bound)


def check(answer: Judged, statement: Statement, formals: tuple[str, ...], loops: dict[str, Rounds], runs: int) -> None:
    random = Random(answer.name)
    for _ in range(runs):
        size = random.choice((3, 8, 30, 100))
        at = {n: random.randint(-size // 3, size) for n in formals}
        run = Run(at, random)
        ended = run.whole(statement) is not None
        answer.runs += ended
        for label, rounds in loops.items():
            many = run.rounds[label]
            if rounds.upper is not None and many > value(rounds.upper, at):
                answer.outside = f"{label} at {at}: {many} > {value(rounds.upper, at)}"
            if ended and rounds.lower is not None and many < value(rounds.lower, at):
                answer.outside = f"{label} at {at}: {many} < {value(rounds.lower, at)}"


def is_shown(path: Path) -> bool:
    """Whether a program is of the half that the analysis may have been written with."""
    return sha256(path.name.encode()).digest()[0] % 2 == 0


def main(folder: str, runs: str = "200", half: str = "both") -> None:
    answers = list[Judged]()
    for path in sorted(Path(folder).rglob("*.c")):
        if half != "both" and is_shown(path) != (half == "shown"):
            continue
        a = judged(path, int(runs))
        answers.append(a)
        print(f"{_degree(a.upper):>5} {_degree(a.lower):>5} {a.seconds * 1000:6.0f} ms  {a.name}  {a.note}", flush=True)
        if a.outside:
            print(f"      VIOLATION {a.outside}")
    finite = [a for a in answers if a.upper is not None and a.upper < inf]
    both = [a for a in finite if a.upper is not None and a.lower is not None and round(a.upper) <= a.lower + 0.01]
    count = len(answers)
    print(f"{count} programs, {sum(a.note.startswith('not read') for a in answers)} not read")
    print(
        f"upper of finite degree {len(finite)} ({len(finite) / count:.1%}), lower of the same {len(both)} "
        f"({len(both) / count:.1%})"
    )
    print("degrees", dict(sorted(Counter(_degree(a.upper) for a in answers).items())))
    times = [a.seconds * 1000 for a in answers]
    print(
        f"median {median(times):.0f} ms, longest {max(times):.0f} ms; {sum(a.runs for a in answers)} runs ended, "
        f"{sum(bool(a.outside) for a in answers)} programs with a violation"
    )


def _degree(degree: float | None) -> str:
    return "-" if degree is None else "log" if 0 < degree < 1 else "exp" if degree == inf else f"{degree:.3g}"


if __name__ == "__main__":
    main(*sys.argv[1:])
