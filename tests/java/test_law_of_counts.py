"""How often a marked statement runs is what the model says, at every size: exactly, or inside of an interval that says
why. Truth is one JVM that counts the marks of all methods; `law_of_counts` says how apet is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.java.law_of_counts import Case, Predicting, cases, counted_by_java
from tests.java.random_methods import generate
from tests.work import thorough

DATA = Path(__file__).parents[1] / "data" / "java-counts"
SHOWN, FURTHER = cases(DATA / "cases.json"), cases(DATA / "further.json")
PROFILED = (
    "CtorN",
    "DollarRec",
    "Double",
    "EarlyRow",
    "Halve",
    "LogTight",
    "RecAcc",
    "Resource",
    "SumTree",
    "Ternary",
    "TryIn",
    "TryRetry",
    "TwoCtors",
    *(
        "ComputeMethod",
        "HashKey",
        "LambdaHeld",
        "MapReduce",
        "MutualDeep",
        "MutualGiven",
        "NestSame",
        "StaticCache",
        "GivenObject",
        "GivenNever",
    ),
)
KINDS = ("wrong", "refused", "noted", "interval", "right")


def kinds(methods: Sequence[Case], folder: Path, profile: bool) -> dict[str, str]:
    """The worst kind of what apet says of each method."""
    counts = counted_by_java(methods, folder / "java")
    apet = Predicting(folder / "apet")
    worst: dict[str, str] = {}
    for case in methods:
        said = [apet.answer(case, n, profile).kind(counts[case.name, n]) for n in case.sizes]
        worst[case.name] = min(said, key=KINDS.index)
    return worst


def test_counts_that_the_source_fixes_are_right_or_said_to_be_unsure(tmp_path: Path) -> None:
    said = kinds([c for c in (*SHOWN, *FURTHER) if c.static], tmp_path, profile=False)
    assert not {name for name, kind in said.items() if kind in ("wrong", "refused")}
    assert Counter(said.values())["right"] >= 0.95 * len(said)


def test_calls_on_objects_whose_class_only_a_run_tells_lie_in_an_interval_that_says_so(tmp_path: Path) -> None:
    open_classes = [c for c in FURTHER if c.name in ("GivenOther", "GivenDeeper", "GivenLoop")]
    assert set(kinds(open_classes, tmp_path, profile=False).values()) == {"interval"}


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=thorough)])
def test_random_methods_are_never_counted_wrongly_without_a_word(seed: int, tmp_path: Path) -> None:
    said = kinds(generate(seed, 40, source_only=True), tmp_path, profile=False)
    assert not {name for name, kind in said.items() if kind in ("wrong", "refused")}
    assert Counter(said.values())["right"] >= 0.9 * len(said)


def test_a_run_gives_the_counts_that_the_source_leaves_open(tmp_path: Path) -> None:
    methods = [c._replace(sizes=c.sizes[-1:]) for c in (*SHOWN, *FURTHER) if c.name in PROFILED]
    assert set(kinds(methods, tmp_path, profile=True).values()) == {"right"}
