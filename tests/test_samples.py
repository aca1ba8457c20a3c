"""The shipped samples: their formulas, checked by unrolling and by running, and the published findings."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise, takewhile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.reproduce import Result, main, read_plan, results
from tests.brute_force import brute_force
from tests.conftest import Golden

import apet
from apet.cli.main import main as run_command
from apet.cost import Application
from apet.machine.network import End
from apet.model.evaluate import parameter_value
from apet.simulator.simulation import simulate

FOLDER = Path(__file__).resolve().parents[1] / "samples" / "pamela"
GOLDEN = Path(__file__).parent / "data" / "samples"
SAMPLES = sorted(path.stem for path in FOLDER.glob("*.pam"))
LABORATORY = (2, 4, 8, 16, 32)
ENDS: tuple[End, ...] = ("tmin", "tmax")


@dataclass(frozen=True)
class Trial:
    """How a sample is tried: ranges small enough to unroll, parameters that it lacks, the reading of its branches."""

    small: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    given: Mapping[str, int] = field(default_factory=dict)
    branches: str = "probability"
    processors: int = 8


PRIMES = {"top": (1, 200), "tasks": (1, 12), "divisions": (0, 4), "handling": (0, 4)}
TRIALS = {
    "blocks": Trial({"N": (1, 70)}),
    "branches": Trial({"rounds": (0, 20), "hit": (0, 1)}),
    "file-server": Trial({"tasks": (1, 40), "input": (0, 9), "disk": (1, 3), "compute": (0, 9), "disks": (1, 3)}),
    "gpu-offload": Trial({"batches": (1, 20), "prepare": (0, 9), "size": (0, 9), "work": (0, 9), "speed": (1, 3)}),
    "halo": Trial(processors=16),
    "machine-repair": Trial({"M": (1, 20), "before": (0, 20), "repair": (0, 20), "after": (0, 20)}),
    "map-reduce": Trial({"maps": (1, 12), "reduces": (1, 6), "part": (0, 9), "map_time": (0, 9), "straggler": (0, 1)}),
    "neighbours": Trial(),
    "nested-use": Trial({"J": (1, 12)}),
    "network": Trial({"block": (0, 10**6)}),
    "pi": Trial({"n": (0, 200), "tasks": (1, 40), "q": (0, 1)}),
    "pipeline": Trial({"items": (1, 20)}),
    "primes-average": Trial(PRIMES, branches="average"),
    "primes-q": Trial(PRIMES),
    "published": Trial(given={"p": 1}),
    "round-robin": Trial({"N": (0, 70), "rounds": (0, 5)}),
    "servers": Trial({"C": (0, 20), "k": (1, 8), "service": (0, 9)}),
    "tables": Trial({"rounds": (0, 12), "every": (1, 5)}),
    "task-graph": Trial(),
    "triangular": Trial({"n": (1, 15)}),
}
LOOSE = ("map-reduce",)
"""Samples whose formulas of the bounds leave out heads and tails of members that may do nothing, or count them."""
UNROLLABLE = [name for name in SAMPLES if TRIALS[name].small]
SPMD = ["blocks", "pi", "primes-average", "primes-q"]


@cache
def compiled(name: str, network: str = "bus") -> Application:
    app: Application = apet.compile(FOLDER / f"{name}.pam", branches=TRIALS[name].branches, network=network)
    return app


def formulas(app: Application) -> str:
    """All formulas, one per line."""
    named = {"T0": app.T0, **{f"T[{label}]": load for label, load in app.T.items()}, "T": app.T_total}
    named |= {"lower": app.lower, "upper": app.upper}
    return "".join(f"{name} = {formula}\n" for name, formula in named.items())


def test_every_sample_has_a_trial() -> None:
    assert list(TRIALS) == SAMPLES


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_begins_with_what_it_shows_and_prints(name: str) -> None:
    text = (FOLDER / f"{name}.pam").read_text(encoding="utf-8")
    comment = "".join(takewhile(lambda line: line.startswith("//"), text.splitlines(keepends=True)))
    assert comment.startswith(f"// {name}.pam: ")
    assert re.search(rf"^// Try: apet \w+ samples/pamela/{name}\.pam", comment, re.MULTILINE)
    assert re.search("^// Prints", comment, re.MULTILINE)


@pytest.mark.parametrize(("name", "network"), [*((s, "bus") for s in SAMPLES), ("network", "switch"), ("pi", "switch")])
def test_the_formulas_of_a_sample_stay_the_same(name: str, network: str, assert_golden: Golden) -> None:
    assert_golden(GOLDEN / f"{name}.{network}.txt", formulas(compiled(name, network)))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_compiles_without_warnings_and_predicts(name: str) -> None:
    assert not compiled(name).warnings
    trial = TRIALS[name]
    found = apet.predict(compiled(name), apet.load_machines("join-2005"), trial.processors, values=trial.given)
    assert 0 < found.guaranteed.lo <= found.lower.lo <= found.upper.hi <= found.guaranteed.hi
    assert 0 < found.estimate.lo <= found.estimate.hi <= found.guaranteed.hi


@pytest.mark.parametrize("machines", ["join-2005", "two-nodes", "cluster-64"])
@pytest.mark.parametrize("name", UNROLLABLE)
@settings(max_examples=10)
@given(data=st.data())
def test_a_prediction_agrees_with_unrolling_and_encloses_a_run(name: str, machines: str, data: st.DataObject) -> None:
    app, lab = compiled(name), apet.load_machines(machines)
    if set(app.operations) - {"send"} - lab.operations:
        pytest.skip("the machines lack operations")
    P = data.draw(st.integers(1, min(lab.processors, 9)), "P")
    values = {name: data.draw(st.integers(*ends), name) for name, ends in TRIALS[name].small.items()}
    found, on = apet.predict(app, lab, P, values=values), lab.configure(P)
    ends = zip(ENDS, found.estimate, found.lower, found.upper, strict=True)
    for end, estimate, lower, upper in ends:
        topology, branches = lab.network.topology, app.setting.branches
        want = brute_force(app.model, on, end, values, topology, branches)
        run = simulate(
            app.model, on, end, {"P": P, **values} if "P" in app.model.parameters else values, topology, branches
        )
        assert estimate == pytest.approx(want.estimate, rel=1e-9, abs=1e-18)
        assert name in LOOSE or lower >= want.lower * (1 - 1e-9)
        assert name in LOOSE or upper <= want.upper * (1 + 1e-9)
        assert lower * (1 - 1e-9) <= run.makespan <= upper * (1 + 1e-9)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_command_of_a_sample_runs(name: str, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = re.search(
        r"^// Try: apet (.*?)(  .*)?$", (FOLDER / f"{name}.pam").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert found is not None
    monkeypatch.chdir(root)
    assert run_command(shlex.split(found[1])) == 0


def test_the_published_example_gives_exactly_the_published_formulas() -> None:
    app = compiled("published")
    assert str(app.T0) == "1000001 t_sum_double[p] + t_mpy_int[p]"
    assert {label: str(load) for label, load in app.T.items()} == {"p": "10000001 t_sum_double[p] + t_mpy_int[p]"}


@pytest.mark.parametrize("name", SPMD)
def test_more_processors_never_take_longer_in_the_laboratory(name: str) -> None:
    lab = apet.load_machines("join-2005")
    times = [apet.predict(compiled(name), lab, P).estimate for P in LABORATORY]
    for fewer, more in pairwise(times):
        assert more.lo < fewer.lo
        assert more.hi < fewer.hi


@pytest.mark.parametrize("M", [2, 8, 32])
def test_machine_repair_is_exact_where_the_published_estimate_is_low(M: int) -> None:
    found = apet.predict(compiled("machine-repair"), apet.load_machines("two-nodes"), M=M)
    assert found.exact
    assert found.estimate.hi == max(21, M)
    assert found.upper.hi == 20 + M


@cache
def experiment(name: str) -> dict[tuple[str, str, int], Result]:
    plan = read_plan()
    chosen = next(e for e in plan.experiments if e.name == name)
    return {(r.variant, r.reading, r.processors): r for r in results(plan, chosen)}


def estimate(application: str, variant: str, reading: str, processors: int) -> apet.Interval:
    return experiment(application)[variant, reading, processors].prediction.estimate


EVERY_RUN = [(variant, processors) for variant in "ABCD" for processors in LABORATORY]


@pytest.mark.parametrize(("variant", "processors"), EVERY_RUN)
def test_the_average_case_of_the_primes_lies_above_the_interval_with_q(variant: str, processors: int) -> None:
    average = estimate("primes", variant, "average", processors)
    with_q = estimate("primes", variant, "probability", processors)
    assert average.lo > with_q.hi


@pytest.mark.parametrize(("variant", "processors"), EVERY_RUN)
def test_the_branch_hardly_matters_for_pi(variant: str, processors: int) -> None:
    average = estimate("pi", variant, "average", processors)
    with_q = estimate("pi", variant, "probability", processors)
    assert [*average] == pytest.approx([*with_q], rel=1e-3)


@pytest.mark.parametrize("processors", LABORATORY)
@pytest.mark.parametrize(("one", "two"), [("A", "B"), ("C", "D")])
@pytest.mark.parametrize(
    ("application", "reading", "within"),
    [("pi", "probability", 1e-3), ("primes", "average", 0.01), ("primes", "probability", 0.04)],
)
def test_twice_the_load_takes_twice_the_time(
    application: str, reading: str, within: float, one: str, two: str, processors: int
) -> None:
    once, twice = (estimate(application, variant, reading, processors) for variant in (one, two))
    assert twice.lo == pytest.approx(2 * once.lo, rel=within)
    assert twice.hi == pytest.approx(2 * once.hi, rel=within)


@pytest.mark.parametrize(("processors", "gains"), [(32, True), (2, False)])
def test_more_tasks_divide_more_evenly_among_many_computers(processors: int, gains: bool) -> None:
    coarse, fine = (estimate("pi", variant, "probability", processors) for variant in "AC")
    assert (fine.hi < 0.9 * coarse.hi) == gains


@pytest.mark.parametrize("processors", LABORATORY)
def test_with_a_light_block_the_average_case_would_have_done_for_the_primes(processors: int) -> None:
    lab = apet.load_machines("join-2005")
    average, with_q = (apet.predict(compiled(f"primes-{m}"), lab, processors, handling=0) for m in ("average", "q"))
    assert [*average.estimate] == pytest.approx([*with_q.estimate], rel=0.02)


@pytest.mark.parametrize(("top", "primes"), [(10, 4), (20, 8), (1000, 168), (500_000, 41_538), (10**6, 78_498)])
def test_the_share_of_primes_is_about_right(top: int, primes: int) -> None:
    share = parameter_value(compiled("primes-q").model, "Q", {"top": top})
    assert float(share) * top == pytest.approx(primes, rel=0.05)


def test_the_variants_are_the_eight_published_ones() -> None:
    table = tomllib.loads((FOLDER / "variants.toml").read_text(encoding="utf-8"))
    sizes = {a["name"]: [tuple(v.values()) for v in a["variants"].values()] for a in table["application"]}
    assert sizes["pi"] == [(100, 10**9), (100, 2 * 10**9), (200, 10**9), (200, 2 * 10**9)]
    assert sizes["primes"] == [(100, 500_000), (100, 10**6), (200, 500_000), (200, 10**6)]
    assert table["processors"] == [32, 16, 8, 4, 2]


def test_reproducing_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["-o", str(tmp_path / name)])
    written = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert written == ["index.md", "pi.svg", "primes.svg"]
    for name in written:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
