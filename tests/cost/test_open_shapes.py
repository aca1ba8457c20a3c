"""Graphs whose longest path has no formula: T0 is the longest path all the same, found where the values are known."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from tests.graph_models import CircleError, Drawing, Unfolded, list_schedule, loads, longest_path, text_of

import apet
from apet.answers.formulas import application_results, latex_text, mathml_text, python_text
from apet.cost import Application, analyse
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.source import Source
from apet.model.pamela import parse

GRAPHS = Path(__file__).parent.parent / "data" / "graphs"
MACHINES = apet.load_machines("join-2005")
ORDERS = 6
DRAWN = range(400)


def application(text: str) -> Application:
    return analyse(parse(Source("graph.pam", text)))


def path_of(prediction: apet.Prediction) -> float:
    return next((limit.seconds for limit in prediction.limits if limit.name == "T0"), 0.0)


@pytest.mark.parametrize("contended", [False, True])
def test_t0_is_the_longest_path_and_bounds_hold_in_any_order(contended: bool) -> None:
    open_shapes = 0
    for seed in DRAWN:
        model = Drawing(Random(seed), contended).model()
        text, random = text_of(model), Random(seed)
        app = application(text)
        try:
            steps = Unfolded(model)
        except CircleError:
            with pytest.raises(ApetError):
                apet.predict(app, MACHINES, 4)
            continue

        prediction = apet.predict(app, MACHINES, 4)
        assert path_of(prediction) == longest_path(steps), (seed, text)
        load = max((work / model.servers.get(r, 1) for r, work in loads(steps).items()), default=0)
        assert prediction.estimate.lo == pytest.approx(float(max(longest_path(steps), load)), rel=1e-12), (seed, text)
        orders = [[random.random() for _ in steps.seconds] for _ in range(ORDERS)]
        runs = [float(list_schedule(steps, model.servers, order)) for order in orders]
        assert prediction.guaranteed.lo <= min(runs) <= max(runs) <= prediction.guaranteed.hi, (seed, text)
        open_shapes += app.open_shape is not None
    assert open_shapes > len(DRAWN) / 2


@pytest.mark.parametrize("seed", range(40))
def test_parameters_give_what_numbers_in_their_places_give(seed: int) -> None:
    model = Drawing(Random(seed), True).model()
    try:
        expected = apet.predict(application(text_of(model, literal=True)), MACHINES, 4)
    except ApetError:
        return
    prediction = apet.predict(application(text_of(model)), MACHINES, 4)
    assert (path_of(prediction), prediction.estimate) == (path_of(expected), expected.estimate)
    if application(text_of(model)).open_shape is not None:
        assert prediction.guaranteed == expected.guaranteed


PUBLISHED = {
    "t0_back2": 50,
    "t0_diagonal": 50,
    "t0_skew": 298,
    "t0_two_indices2": 20,
    "chol": 0.044,
    "pc": 0.302,
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_paths_that_were_found_by_other_programs(name: str) -> None:
    app = apet.compile(GRAPHS / f"{name}.pam")
    assert app.open_shape is not None
    assert path_of(apet.predict(app, MACHINES, 4)) == pytest.approx(PUBLISHED[name], rel=1e-5)


def test_wavefronts_with_messages_between_their_members() -> None:
    app = apet.compile(GRAPHS / "startp_param.pam")
    message = 3 * 8e-6 + 6000 * 0.07e-9 + 25e-6
    prediction = apet.predict(app, MACHINES, 4, values={"n": 2, "m": 2})
    assert path_of(prediction) == pytest.approx(3 * 300e-6 + 2 * message, rel=1e-9)


BACK = "param n = 8 in [1, 500]; param d = 2; L = graph { b[i = 1, n]: delay(1 s) after b[i - d]; };"


def test_formulas_say_at_least() -> None:
    app = application(BACK)
    assert "T_0 &\\geq" in latex_text(app)
    assert "<!-- T0 &gt;= -->" in mathml_text(app)
    assert application_results(app)["at_least"] == ("T0", "T")
    with pytest.raises(ApetError, match="T0 has no formula"):
        python_text(app)
    assert "at_least" not in application_results(application(BACK.replace("- d", "- 1")))


def test_ranges_of_what_an_order_depends_on_hold_every_choice() -> None:
    app = application(BACK)
    each = [apet.predict(app, MACHINES, 4, values={"n": n, "d": d}) for n in range(3, 9) for d in (1, 2)]
    few = apet.predict(app, MACHINES, 4, values={"n": Interval(3, 8), "d": Interval(1, 2)})
    assert few.estimate == Interval(2, 8)
    assert (few.guaranteed.lo, few.guaranteed.hi) == pytest.approx((2, 8))
    assert {p.estimate.lo for p in each} == {2, 3, 4, 5, 6, 7, 8}
    many = apet.predict(app, MACHINES, 4, values={"n": Interval(3, 500)})
    assert many.guaranteed.lo <= many.estimate.lo <= 2
    assert many.guaranteed.hi >= many.estimate.hi >= 250


def test_what_changes_an_order_is_no_axis_of_a_formula() -> None:
    app = application(BACK)
    with pytest.raises(ApetError, match="changes which members"):
        apet.regions(app, MACHINES, {"n": None})
    explanation = apet.explain(app, MACHINES, 4)
    assert not {"n", "d"} & {i.name for i in explanation.idle}
    assert apet.solve(app, MACHINES, 4, "n", within=(1, 20)).enough == (Interval(1, 8),)


def test_tasks_that_are_dealt_give_graphs_an_end() -> None:
    graph = "graph { b[i = 1, share[p]]: delay(1) after b[i - 2]; c: delay(1) after b }"
    text = f"param P; param tasks = 20; L = par (p = 1, P) {graph};"
    prediction = apet.predict(application(text), MACHINES, 4)
    assert path_of(prediction) == 4  # 5 tasks each, two at once, and the last step


def test_a_loop_around_a_graph_is_written_out_where_its_order_depends_on_the_round() -> None:
    text = "param m = 4; L = seq (k = 1, m) graph { b[i = 1, 2 * k]: delay(1) after b[i - k] };"
    assert path_of(apet.predict(application(text), MACHINES, 4)) == 8
