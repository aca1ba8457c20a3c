"""Runs over several parameters: never taken for one, read from every format, and predicted as the recipe has it."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bad_inputs import BadInput, bad_inputs
from tests.conftest import Refuse
from tests.runs.formats import FORMATS, wide

from apet import api
from apet.ground.diagnostics import ApetError
from apet.runs.errors import NeitherPhaseNorParameter, SeveralParameters
from apet.runs.experiments import DesignPoint, Experiment, RunParameter
from apet.runs.fit.surface.average import CurveData, averaged
from apet.runs.fit.surface.call_tree import call_tree
from apet.runs.fit.surface.intervals import Design
from apet.runs.fit.surface.next_run import few_points, next_run
from apet.runs.fit.surface.opinions import gaussian_process, plane
from apet.runs.fit.surface.structures import FitSetting
from apet.runs.fit.surface.surface import fit_surface
from apet.runs.fit.surface.term_library import library
from apet.runs.read import read_experiment, read_runs
from apet.runs.surface_law import formula

NBODY = str(Path(__file__).resolve().parents[2] / "samples" / "runs" / "nbody.csv")
PARAMETERS = (RunParameter("n", "size"), RunParameter("P", "procs"))


@pytest.mark.parametrize("bad", bad_inputs("experiments"), ids=str)
def test_a_bad_file_is_answered_with_its_message(bad: BadInput, assert_refused: Refuse) -> None:
    assert_refused(bad, "fit", bad.name, *bad.arguments)


# Files

values = st.lists(st.integers(1, 10**6), min_size=2, max_size=4, unique=True)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=15)
@given(data=st.data(), ns=values, ps=values, diagonal=st.booleans())
def test_two_varying_parameters_are_never_taken_for_one(
    tmp_path_factory: pytest.TempPathFactory,
    name: str,
    data: st.DataObject,
    ns: list[int],
    ps: list[int],
    diagonal: bool,
) -> None:
    points = list(zip(ns, ps, strict=False)) if diagonal else list(itertools.product(ns, ps))
    rows = [(float(n), float(p), data.draw(st.floats(1e-6, 1e3))) for n, p in points]
    path = tmp_path_factory.mktemp("runs") / name
    path.write_text(FORMATS[name](rows))
    for read in (
        lambda: read_runs(str(path)),
        lambda: read_runs(str(path), kind="procs"),
        lambda: api.load_model(path),
    ):
        with pytest.raises(ApetError) as caught:
            read()
        assert all(isinstance(d, SeveralParameters) for d in caught.value.diagnostics)

    experiment = read_experiment(str(path)).experiment
    assert set(experiment.names) == {"n", "P"}
    measured = {(p.x[experiment.names.index("n")], p.x[experiment.names.index("P")]): p.t for p in experiment.points}
    assert measured == pytest.approx({(n, p): t for n, p, t in rows})


@pytest.mark.parametrize("name", FORMATS)
def test_a_condition_leaves_one_parameter(tmp_path: Path, name: str) -> None:
    rows = [(float(n), float(p), n / p + p) for n in (100, 200, 400) for p in (1, 2)]
    path = tmp_path / name
    path.write_text(FORMATS[name](rows))
    curve = read_runs(str(path), where={"P": "2"}).curve
    assert {r.n: r.t for r in curve.runs} == pytest.approx({100: 52, 200: 102, 400: 202})
    assert read_runs(str(path), where={"n": "100"}).curve.kind == "procs"


@given(values, st.lists(st.integers(2, 9), min_size=2, max_size=3, unique=True))
def test_a_grid_over_a_column_of_any_name_is_no_phase(
    tmp_path_factory: pytest.TempPathFactory, ns: list[int], ks: list[int]
) -> None:
    path = tmp_path_factory.mktemp("runs") / "x.csv"
    path.write_text("n,k,t\n" + "".join(f"{n},{k},{n * k + 100.5}\n" for n in ns for k in ks))
    with pytest.raises(ApetError) as caught:
        read_runs(str(path))
    assert isinstance(caught.value.diagnostics[0], SeveralParameters | NeitherPhaseNorParameter)


def test_parameters_in_names_of_profiles_are_not_taken_for_one(tmp_path: Path) -> None:
    for n, p in itertools.product((10, 20, 40), (1, 2)):
        head = f"  {n} function calls in {n / p:.3f} seconds\n\n   Ordered by: standard name\n\n"
        rows = "   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"
        row = f"        1    {n / p:.3f}    {n / p:.3f}    {n / p:.3f}    {n / p:.3f} a.py:1(solve)\n"
        (tmp_path / f"n{n}_P{p}.txt").write_text(head + rows + row)
    with pytest.raises(ApetError, match="2 parameters vary: n, P"):
        read_runs(str(tmp_path))
    experiment = read_experiment(str(tmp_path), name_pattern="n{n}_P{P}").experiment
    assert {p.x: p.t for p in experiment.points} == {(n, p): n / p for n in (10, 20, 40) for p in (1, 2)}


def test_the_paths_of_a_call_tree_are_inclusive(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    text = "PARAMETER n\nPARAMETER P\nPOINTS (1 1) (1 2) (2 1) (2 2)\n"
    for region, own in (("main", 1), ("main->solve", 4), ("main->solve->halo", 5)):
        text += f"REGION {region}\n" + f"DATA {own}\n" * 4
    path.write_text(text)
    experiment = read_experiment(str(path)).experiment
    assert experiment.points[0].t == 10
    assert experiment.points[0].paths == {"solve": 9, "solve/halo": 5}
    assert experiment.phases == ("solve",)


def test_a_frame_is_read_as_its_csv() -> None:
    class Table:
        def to_csv(self, *, index: bool) -> str:
            assert not index
            return wide([(100.0, 1.0, 2.0), (200.0, 1.0, 4.0), (100.0, 2.0, 1.0), (200.0, 2.0, 2.0)])

    assert read_experiment(Table()).experiment.points[0] == DesignPoint((100, 1), 2, (2,), {})


# The recipe


def study() -> Experiment:
    """The curve of the published check: n^1.5/P + log P + n with a wave of one per cent."""
    points = []
    for k, (n, p) in enumerate(itertools.product((100, 200, 400, 800, 1600), (1, 2, 4, 8, 16))):
        t = (1e-6 * n**1.5 / p + 2e-5 * math.log2(p) + 1e-7 * n) * (1 + 0.01 * math.sin(7 * k))
        points.append(DesignPoint((float(n), float(p)), t, (t,)))
    return Experiment("study", PARAMETERS, tuple(points), {})


TARGETS = [(3200, 32), (6400, 64), (1600, 64), (6400, 16)]
RECIPE = (FitSetting(0.08, 3.0, 3.5), FitSetting(0.12, 2.0, 3.0))
"""The settings of the prototype."""


def test_the_average_of_structures_is_near_the_values_of_the_recipe() -> None:
    """The published prototype leaves coefficients as the search has them, fitted to relative errors."""
    x = np.array([p.x for p in study().points])
    data = CurveData(x, np.array([p.t for p in study().points]), np.zeros(25))
    terms = library(PARAMETERS, (5, 5), (1600, 16))
    assert len(terms.chosen) == 216

    first = averaged(data, np.array(TARGETS, dtype=float), terms, RECIPE[:1])
    assert np.exp(first.logs) == pytest.approx([0.00588599, 0.00828068, 0.00116311, 0.03255028], rel=1e-3)
    assert first.spread == pytest.approx([0.00674, 0.01377, 0.05444, 0.00498], rel=0.04)
    assert first.scale == pytest.approx(0.3553, rel=1e-3)
    second = averaged(data, np.array(TARGETS, dtype=float), terms, RECIPE[1:])
    assert np.exp(second.logs) == pytest.approx([0.00590686, 0.00833641, 0.00119187, 0.03260911], rel=1e-3)


def test_the_simple_opinions_have_the_values_of_the_recipe() -> None:
    x = np.array([p.x for p in study().points])
    z, ahead = (np.log(v / np.array([1600, 16])) for v in (x, np.array(TARGETS)))
    logs = np.log([p.t for p in study().points])
    process = np.exp(gaussian_process(z, logs, ahead, PARAMETERS))
    assert process == pytest.approx([0.00494553, 0.00484737, 0.00117679, 0.02091245], rel=1e-3)
    assert np.exp(plane(z, logs, ahead)) == pytest.approx([0.00579983, 0.00796916, 0.00115379, 0.02915444], rel=1e-3)


def test_the_intervals_hold_the_curve_without_noise() -> None:
    fit = fit_surface(study(), TARGETS)
    for point in fit.predictions:
        n, p = point.x
        assert (
            float(point.interval.lo) <= 1e-6 * n**1.5 / p + 2e-5 * math.log2(p) + 1e-7 * n <= float(point.interval.hi)
        )
    assert fit.trust == "high"
    assert fit.law.seconds((1600, 16)) == pytest.approx(fit_surface(study(), [(1600, 16)]).predictions[0].t)


def test_the_formula_in_symbols_is_the_law() -> None:
    law = fit_surface(study(), TARGETS).law
    python = formula(law).evaluate({"n": 3200, "P": 32})
    assert float(python) == pytest.approx(law.seconds((3200, 32)), rel=1e-9)


def test_lines_alone_ask_for_the_corner() -> None:
    points = tuple(p for p in study().points if 100 in p.x or p.x[1] == 1)
    lines = Experiment("lines", PARAMETERS, points, {})
    fit = fit_surface(lines, [(3200, 32)])
    assert fit.design is Design.LINES
    assert fit.trust == "low"
    assert "add the run n=1600, P=16" in " ".join(map(str, fit.notes))
    advised = next_run(lines, (3200, 32))
    assert advised is not None
    assert min(advised.x[0] / 100, advised.x[1]) > 1


def test_parameters_that_vary_only_together_are_not_trusted() -> None:
    points = tuple(p for p in study().points if p.x[0] == 100 * p.x[1])
    fit = fit_surface(Experiment("weak", PARAMETERS, points, {}), [(1600, 32)])
    assert (fit.design, fit.trust) == (Design.LINES, "low")
    assert any(str(note).startswith("together: ") for note in fit.notes)


def test_a_plan_of_two_parameters_has_eight_points() -> None:
    points = few_points([(100, 1600), (1, 16)])
    assert len(points) == 8
    assert {(100, 1), (100, 16), (1600, 1), (1600, 16), (400, 4)} <= set(points)


def test_many_points_are_thinned_to_those_that_matter() -> None:
    points = tuple(DesignPoint((float(n), float(p)), n * n / p * 1e-6, ()) for n in range(1, 41) for p in range(1, 11))
    fit = fit_surface(Experiment("many", PARAMETERS, points, {}), [(80, 20)])
    assert fit.predictions[0].t == pytest.approx(80 * 80 / 20 * 1e-6, rel=0.02)
    assert any(str(note).startswith("points: ") for note in fit.notes)


def test_three_parameters_are_fitted_together() -> None:
    parameters = (*PARAMETERS, RunParameter("m", "size"))
    points = tuple(
        DesignPoint((float(n), float(p), float(m)), n * m / p * 1e-6 + 1e-5 * m, ())
        for n, p, m in itertools.product((100, 200, 400), (1, 2, 4), (10, 20, 40))
    )
    fit = fit_surface(Experiment("three", parameters, points, {}), [(800, 8, 80)])
    assert fit.predictions[0].t == pytest.approx(800 * 80 / 8 * 1e-6 + 8e-4, rel=0.1)


def test_messages_that_begin_with_the_second_processor_are_followed_beyond() -> None:
    points = []
    for n, p in few_points([(200, 3200), (1, 16)]):
        work, halo = 1e-8 * n * n / p, 4e-7 * n * (p > 1)
        points.append(DesignPoint((n, p), work + halo, (), {"work": work, "halo": max(halo, 1e-12)}))
    fit = fit_surface(Experiment("halo", PARAMETERS, tuple(sorted(points)), {}), [(6400, 32), (3200, 64)])
    for point in fit.predictions:
        n, p = point.x
        assert point.phases["halo"] == pytest.approx(4e-7 * n, rel=0.2)
        assert point.t == pytest.approx(1e-8 * n * n / p + 4e-7 * n, rel=0.1)


def test_runs_far_apart_do_not_favour_sums_of_next_to_nothing() -> None:
    points = []
    for n, p in few_points([(64, 1024), (1, 16)]):
        work, broadcast = 4e-10 * n**3 / p, 2e-8 * n * n * math.log2(p)
        points.append(DesignPoint((n, p), work + broadcast, (), {"work": work, "broadcast": max(broadcast, 1e-9)}))
    fit = fit_surface(Experiment("broadcast", PARAMETERS, tuple(sorted(points)), {}), [(1024, 64), (4096, 64)])
    for point in fit.predictions:
        n, p = point.x
        assert point.t == pytest.approx(4e-10 * n**3 / p + 2e-8 * n * n * math.log2(p), rel=0.25)
        assert point.phases["broadcast"] == pytest.approx(2e-8 * n * n * math.log2(p), rel=0.25)


def test_terms_are_products_of_their_shapes() -> None:
    terms = library(PARAMETERS, (5, 5), (1600, 16))
    x = np.array([p.x for p in study().points])
    table = terms.values(x)
    for number in (0, 7, 100, 215):
        (a, j), (b, k) = terms.term(number)
        n, p = x[:, 0], x[:, 1]
        logs = (np.log(n) / np.log(1600)) ** j * (np.log(p) / np.log(16)) ** k
        assert table[:, number] == pytest.approx((n / 1600) ** a * (p / 16) ** b * logs)


# What follows


def test_shares_of_call_paths_are_shares() -> None:
    experiment = read_experiment(NBODY).experiment
    rows, folded = call_tree(experiment, (8192, 64))
    assert [r.path for r in rows][:1] == ["forces"]
    assert len(rows) + folded == len(experiment.paths)
    for row in rows:
        assert 0 <= float(row.interval.lo) <= row.share <= float(row.interval.hi) <= 1
    assert next(r for r in rows if r.path == "ring").work_grows
    assert not rows[0].work_grows


def test_call_paths_follow_their_callers_larger_shares_first() -> None:
    points = []
    for n, p in itertools.product((100, 200, 400), (1, 2, 4)):
        t = 1e-6 * n * n / p
        paths = {"a": 0.3 * t, "b": 0.7 * t, "b/x": 0.2 * t, "b/y": 0.4 * t}
        points.append(DesignPoint((float(n), float(p)), t, (), paths))
    rows, _ = call_tree(Experiment("paths", PARAMETERS, tuple(points), {}), (800, 8))
    assert [r.path for r in rows] == ["b", "b/y", "b/x", "a"]


def test_a_share_is_one_of_the_whole_run_where_paths_leave_time_out() -> None:
    points = []
    for n, p in itertools.product((100, 200, 400), (1, 2, 4)):
        t = 1e-6 * n * n / p
        points.append(DesignPoint((float(n), float(p)), t, (), {"a": 0.3 * t, "b": 0.2 * t}))
    rows, _ = call_tree(Experiment("paths", PARAMETERS, tuple(points), {}), (800, 8))
    assert {r.path: r.share for r in rows} == pytest.approx({"a": 0.3, "b": 0.2}, rel=1e-3)


def test_repetitions_far_apart_are_noted_once_and_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    rows = [f"{n},{p},{n / p * k}" for n in (100, 200, 400) for p in (1, 2, 4) for k in (1, 1.1, 10)]
    path.write_text("\n".join(["n,P,t", *rows]), encoding="utf-8")
    file = read_experiment(path)
    (note,) = file.notes
    assert "9 points differ" in note.text
    assert fit_surface(file.experiment, [(800, 8)]).trust == "low"


def test_a_fit_is_a_cost_model_in_all_its_parameters() -> None:
    model = api.load_model(NBODY, parameters=("n", "P"))
    assert set(model.parameters) == {"n", "P"}
    prediction = api.predict(model, P=64, values={"n": 8192})
    point = fit_surface(read_experiment(NBODY).experiment, [(8192, 64)]).predictions[0]
    assert float(prediction.guaranteed.lo) <= point.t <= float(prediction.guaranteed.hi)
    assert float(prediction.guaranteed.lo) <= float(point.interval.lo) * 1.05
    assert float(prediction.guaranteed.hi) >= float(point.interval.hi) * 0.95
