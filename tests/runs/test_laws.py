"""Laws that hold: found exactly, with intervals that say so, by whatever way they are asked for."""

import json
import math
import random
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from apet.cli.main import main
from apet.ground.notes import NoteKind
from apet.runs.fit.laws.change import change_of_regime
from apet.runs.fit.methods import extrapolate
from apet.runs.measurements import Curve, Run


def curve(kind: str, law: Callable[[float], float], at: tuple[float, ...] = (100, 200, 400, 800, 1600)) -> Curve:
    return Curve("c", kind, tuple(Run(float(n), law(float(n))) for n in at))


EXPONENTS = (0.5, 2 / 3, 1, 1.5, 2, 2.5, 3)


@pytest.mark.parametrize(("i", "j"), list(product(EXPONENTS, (0, 1, 2))))
def test_a_term_and_a_constant_are_found_exactly(i: float, j: int) -> None:
    def law(n: float) -> float:
        return float(0.37 + 1.7 * (n / 1600) ** i * (math.log(n) / math.log(1600)) ** j)

    found = extrapolate(curve("size", law), [8 * 1600]).predictions[0]
    assert found.t == pytest.approx(law(8 * 1600), rel=1e-3)
    assert found.interval.lo <= law(8 * 1600) <= found.interval.hi
    assert found.interval.hi / found.interval.lo <= 1.05


@pytest.mark.parametrize(
    "law",
    [
        lambda p: 1 / p + 0.02,
        lambda p: 1 / p + 0.02 + 0.01 * math.log2(p),
        lambda p: 1 / p + 0.1 + 0.001 * p,
        lambda p: 1 + 0.1 * math.log2(p),
        lambda p: 1 + 0.02 * (p**0.5 - 1),
    ],
)
def test_laws_over_processors_are_found_exactly(law: Callable[[float], float]) -> None:
    found = extrapolate(curve("procs", law, (1, 2, 4, 8, 16)), [64]).predictions[0]
    assert found.t == pytest.approx(law(64), rel=0.01)


def test_more_runs_of_a_law_make_no_worse_prediction() -> None:
    def law(n: float) -> float:
        return 10 + 1e-5 * n**2

    for count in (4, 5, 6, 8, 40):
        sizes = tuple(8000 * (k + 1) / count for k in range(count))
        assert extrapolate(curve("size", law, sizes), [16000]).predictions[0].t == pytest.approx(law(16000), rel=1e-3)


def test_repetitions_that_scatter_widen_the_interval() -> None:
    def repeated(scatter: float) -> Curve:
        runs = []
        for n in (100, 200, 400, 800, 1600):
            times = [1e-3 * n * math.exp(s * scatter) for s in (-1.0, 0.1, 1.0)]
            runs.append(Run(float(n), times[1], tuple(times)))
        return Curve("c", "size", tuple(runs))

    calm, wild = (extrapolate(repeated(s), [6400]).predictions[0].interval for s in (0.01, 0.2))
    assert wild.hi / wild.lo > calm.hi / calm.lo


def test_a_law_that_rises_over_processors_is_not_said_to_fall() -> None:
    found = extrapolate(curve("procs", lambda p: 10 * (1 + 0.1 * math.log2(p)), (1, 2, 4, 8, 16)), [32, 64, 128])
    assert 14 < found.predictions[0].t < found.predictions[1].t < found.predictions[2].t


def test_the_printed_formula_says_how_far_it_is_from_the_runs() -> None:
    bent = curve("size", lambda n: 1e-3 * n * (1.3 if n > 500 else 1.0))
    found = extrapolate(bent, [3200])
    from apet.runs.scaling_laws import seconds

    assert found.law is not None
    off = max(abs(seconds(found.law, r.n) / r.t - 1) for r in bent.runs)
    assert found.fit["whole"]["off_by_at_most"] == pytest.approx(off)


@pytest.mark.parametrize("law", [lambda n: 0.163 + 2.743e-7 * n**3, lambda n: n * 1e-3 * (1 + 0.2 * (n > 300))])
def test_one_question_has_one_answer_whatever_road_it_takes(
    law: Callable[[float], float], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "runs.csv"
    file.write_text("n,t\n" + "".join(f"{n},{law(n):.6g}\n" for n in (64, 128, 256, 512, 1024)))

    def printed(*arguments: str) -> str:
        assert main([*arguments]) == 0
        return capsys.readouterr().out

    formulas = {printed(verb, str(file), "--emit", "formula").strip() for verb in ("predict", "extrapolate", "fit")}
    ways = [("predict", "4096"), ("extrapolate", "4096"), ("predict", "n=4096"), ("fit", "n=4096")]
    answers = [json.loads(printed(verb, str(file), "--to", to, "--json"))["predictions"][0] for verb, to in ways]
    assert len({json.dumps([a[key] for key in ("estimate", "lower", "upper")]) for a in answers}) == 1
    assert len(formulas) == 1


@pytest.mark.parametrize(("factor", "exponent", "bend"), list(product((2, 5), (1, 2), (178, 320))))
def test_a_change_of_regime_is_found_between_its_runs(factor: float, exponent: float, bend: float) -> None:
    def law(n: float) -> float:
        x = n / bend
        return float(x**exponent if x <= 1 else 1 + factor * (x**exponent - 1))

    found = extrapolate(curve("size", law, tuple(100.0 * k for k in range(1, 9))), [3200, 300, 3200])
    assert [p.n for p in found.predictions] == [3200, 300, 3200]
    assert found.predictions[0].t == pytest.approx(law(3200), rel=1e-3)
    (note,) = (str(flag) for flag in found.flags if flag.kind is NoteKind.REGIMES)
    after, before = (float(x) for x in re.findall(r"= (\d+) and (\d+)", note)[0])
    assert after <= bend <= before


def test_one_law_has_no_change_of_regime() -> None:
    found = extrapolate(curve("size", lambda n: 3 + 1e-5 * n**2, tuple(100.0 * k for k in range(1, 11))), [4000])
    assert not any(flag.kind is NoteKind.REGIMES for flag in found.flags)


def test_changes_of_regime_are_found_through_noise() -> None:
    r, found = random.Random(5), 0
    for count in (9, 10, 12, 9, 10, 12):
        bend, factor = 100 * r.uniform(3.2, count - 4.2), r.choice((2, 5))
        runs = []
        for n in (100.0 * k for k in range(1, count + 1)):
            grown = n / bend if n <= bend else 1 + factor * (n / bend - 1)
            times = [grown * math.exp(0.03 * r.gauss(0, 1)) for _ in range(3)]
            runs.append(Run(n, sorted(times)[1], tuple(times)))
        change = change_of_regime(Curve("c", "size", tuple(runs)))
        if change is not None:
            found += 1
            assert change.after <= bend <= change.before
    assert found >= 4


@pytest.mark.parametrize("factor", [0.6, 1.5, 2, 3])
def test_where_only_the_last_run_leaves_the_law_the_interval_holds_what_may_follow(factor: float) -> None:
    runs = [Run(100.0 * 2**k, 2.0**k * (factor if k == 5 else 1.0)) for k in range(6)]
    found = extrapolate(Curve("c", "size", tuple(runs)), [12800])
    interval = found.predictions[0].interval
    assert interval.lo <= 128 <= interval.hi
    assert interval.lo <= 128 * factor <= interval.hi
    assert any(str(flag).startswith("regimes: the run at 3200 leaves the law") for flag in found.flags)
