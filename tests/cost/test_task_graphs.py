"""Task graphs: T0 is the longest path, bounds hold and are sharp where they can be, closed forms are exact."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import apet
from apet.cost import Application, analyse
from apet.ground.source import Source
from apet.model.pamela import parse


def application(text: str) -> Application:
    return analyse(parse(Source("graph.pam", text)))


def numbers(text: str, **values: float) -> tuple[float, float, float]:
    """T0, lower and upper bound of a model of delays and uses."""
    app = application(text)
    cores = apet.load_machines("join-2005")
    prediction = apet.predict(app, cores, 4, values=values)
    return float(app.T0.evaluate(values)), float(prediction.lower.lo), float(prediction.upper.hi)


def formulas(text: str) -> dict[str, str]:
    app = application(text)
    return {"T0": str(app.T0), "lower": str(app.lower), "upper": str(app.upper)}


N = "a: {a}; b: {b}; c: {c} after a; d: {d} after a, b"


@given(st.tuples(*[st.integers(0, 9)] * 4))
def test_the_longest_path_of_the_smallest_graph(times: tuple[int, ...]) -> None:
    a, b, c, d = times
    text = "L = graph { " + N.format(**{n: f"delay({t})" for n, t in zip("abcd", times, strict=True)}) + " };"
    assert numbers(text) == (max(a + c, max(a, b) + d),) * 3


def test_what_is_series_parallel_has_the_formulas_of_series_and_parallel() -> None:
    parts = "u: a[1]; v: b[1] after u; w: use(r, c[2]) after u; x: use(r, 3) after u; y: a[1] after v, w, x"
    nested = "{ a[1]; { b[1] || use(r, c[2]) || use(r, 3) }; a[1] }"
    assert formulas(f"L = graph {{ {parts} }};") == formulas(f"L = {nested};")


def test_a_queue_in_a_graph_is_bounded_from_both_sides() -> None:
    # both users of r reach it at 3 at the earliest; one of them waits, whichever comes first
    uses = {"a": "delay(3)", "b": "delay(3)", "c": "use(r, 5)", "d": "use(r, 5)"}
    assert numbers("L = graph { " + N.format(**uses) + " };") == (8, 13, 13)


def test_parts_that_are_ordered_do_not_delay_each_other() -> None:
    uses = {"a": "use(r, 2)", "b": "delay(4)", "c": "use(r, 5)", "d": "delay(1)"}
    assert numbers("L = graph { " + N.format(**uses) + " };") == (7, 7, 7)


def test_a_load_off_the_path_delays_it_once() -> None:
    chain = "; ".join(f"c{k}: use(r, 1) after c{k - 1}" for k in range(1, 6))
    text = f"L = graph {{ c0: delay(1); {chain}; long: use(r, 4); x: delay(1) after c1; y: delay(2) after long, c3 }};"
    assert numbers(text)[2] == 4 + 2 + 5  # the path from `long` to y, with what else is done on r


@given(st.integers(0, 10**6))
def test_bounds_of_random_graphs_enclose_a_run(seed: int) -> None:
    random = Random(seed)
    parts = []
    for k in range(random.randint(2, 12)):
        before = [f"p{j}" for j in range(k) if random.random() < 0.3]
        body = random.choice(("delay({})", "use(r, {})", "use(s, {})", "use(r, delay({}))")).format(
            random.randint(0, 9)
        )
        parts.append(f"p{k}: {body}" + (f" after {', '.join(before)}" if before else ""))
    text = f"resource s servers 2; L = graph {{ {'; '.join(parts)} }};"
    t0, lower, upper = numbers(text)
    run = apet.simulate(application(text), apet.load_machines("join-2005"), P=4, end="tmin").makespan
    assert t0 <= lower <= run <= upper


SHAPES = {
    "chain": ("x[i = 1, n, j = 1, m]", "x[i - 1, j]"),
    "wavefront": ("x[i = 1, n, j = 1, m]", "x[i - 1, j], x[i, j - 1]"),
    "with diagonals": ("x[i = 1, n, j = 1, m]", "x[i - 1, j], x[i, j - 1], x[i - 1, j - 1]"),
    "backwards": ("x[i = 1, n, j = 1, m]", "x[i + 1, j], x[i, j + 1]"),
    "stencil": ("x[i = 1, n, j = 1, m]", "x[i - 1, j - 1], x[i - 1, j], x[i - 1, j + 1]"),
}
TIMES = {"equal": "3", "by column": "1 + j % 3 + (j == 2)", "by row": "2 + i % 2"}


@pytest.mark.parametrize(("shape", "times"), [*product(SHAPES, ("equal", "by column")), ("wavefront", "by row")])
def test_closed_forms_are_the_longest_path_of_all_members(shape: str, times: str) -> None:
    head, after = SHAPES[shape]
    graph = f"L = graph {{ {head}: delay({TIMES[times]}) after {after} }};"
    closed = application(f"param n; param m; {graph}")
    for n, m in product((0, 1, 2, 5), repeat=2):
        text = f"graph {{ {head}: delay({TIMES[times]}) after {after}; y: delay(0) after x[1, 1] }};"
        single = application("L = " + text.replace("1, n", f"1, {n}").replace("1, m", f"1, {m}"))
        values = {"n": n, "m": m}
        assert closed.T0.evaluate(values) == closed.upper.evaluate(values) == single.T0.evaluate({}), (n, m)


def test_a_pipeline_of_equal_stages_takes_n_plus_m_less_one_steps() -> None:
    graph = "graph { x[b = 1, n, s = 1, m]: delay(2) after x[b - 1, s], x[b, s - 1] }"
    text = f"param n in [1, 100]; param m in [1, 100]; L = {graph};"
    assert formulas(text) == dict.fromkeys(("T0", "lower", "upper"), "2 n + 2 m - 2")


def test_a_stencil_takes_its_steps_on_the_slowest_processor() -> None:
    graph = "graph { x[t = 1, n, p = 1, P]: a[p] after x[t - 1, p - 1], x[t - 1, p], x[t - 1, p + 1] }"
    text = f"param n; param P; L = {graph};"
    assert formulas(text) == dict.fromkeys(("T0", "lower", "upper"), "n (max_{1<=p<=P} t_a[p])")


@pytest.mark.parametrize("after", ["x[i - 1, j - 1], x[i - 1, j + 1]", "x[i, j - 1], x[i - 1, j + 1], x[i - 1, j]"])
@pytest.mark.parametrize("time", ["i + j", "2"])
def test_without_a_closed_form_there_are_bounds(after: str, time: str) -> None:
    closed = application(f"param n; param m; L = graph {{ x[i = 1, n, j = 1, m]: delay({time}) after {after} }};")
    for n, m in product((1, 3, 4), repeat=2):
        exact = application(
            f"L = graph {{ x[i = 1, {n}, j = 1, {m}]: delay({time}) after {after}; y: delay(0) after x[1, 1] }};"
        )
        values = {"n": n, "m": m}
        longest = exact.T0.evaluate({})
        assert closed.T0.evaluate(values) <= closed.lower.evaluate(values) <= longest <= closed.upper.evaluate(values)


def test_members_of_several_parts_wait_for_each_other() -> None:
    text = (
        "L = graph { x[i = 1, 4]: delay(i) after y[i - 1]; y[i = 1, 4]: delay(1) after x[i]; z: delay(5) after x[3] };"
    )
    assert numbers(text)[0] == max(1 + 1 + 2 + 1 + 3 + 1 + 4 + 1, 1 + 1 + 2 + 1 + 3 + 5)


def test_an_empty_part_ends_when_it_could_begin() -> None:
    text = "L = graph { x: delay(3); y[i = 1, 0]: delay(9) after x, y[i - 1]; z: delay(1) after y };"
    assert numbers(text) == (4, 4, 4)


@pytest.mark.parametrize(
    "text",
    [
        "L = graph {"
        + ";".join(f"p{k}: a{k % 7}[{k % 5}]" + (f" after p{k - 1}" if k else "") for k in range(10_000))
        + "};",
        "L = graph {"
        + ";".join(f"p{k}: delay({k % 9})" + (f" after p{k - 1}, p{k // 2}" if k else "") for k in range(3_000))
        + "};",
        "L = " + "graph { x: " * 300 + "a[1]" + " }" * 300 + ";",
    ],
    ids=["chain", "many arcs", "nested"],
)
def test_large_graphs_have_formulas_of_their_own_size(text: str) -> None:
    app = application(text)
    assert len(app.graph.nodes) < 40_000


@pytest.mark.parametrize(
    "parts",
    [
        "u[i = 1, n, j = 1 / n, 1]: delay(1) after u[i - 1, j]",
        "u[i = 1, n]: delay(1) after u[i - 1 / n]",
        "u[i = 1, n]: delay(1 / 0)",
        "u[i = 1, 0, j = 1 / 0, 1]: delay(1)",
        "u[i = 1, n, j = 1, 3 / n]: delay(i + j) after u[i, j - 1]",
    ],
)
def test_what_the_members_of_an_empty_range_would_ask_for_needs_no_value(parts: str) -> None:
    app, machines = application(f"param n = 0; L = graph {{ {parts} }};"), apet.load_machines("join-2005")
    assert list(apet.predict(app, machines, 4).guaranteed) == [0, 0]
    assert apet.simulate(app, machines, 4).makespan == 0


@pytest.mark.parametrize(
    ("parts", "place"),
    [
        ("u[i = 1, 1, j = 1 / n, 1]: delay(1) after u[i - 1, j]", "1 / n"),
        ("u[i = 0, 2, j = 1 / i, 1]: delay(1)", "1 / i"),
        ("u[i = 0, 2, j = n, 1]: delay(1) after u[i - 1 / i, j]", "1 / i"),
    ],
)
def test_what_a_member_asks_for_has_a_value(parts: str, place: str) -> None:
    text = f"param n = 0; L = graph {{ {parts} }};"
    with pytest.raises(apet.ApetError) as error:
        apet.predict(application(text), apet.load_machines("join-2005"), 4)
    assert f"graph.pam:1:{text.index(place) + 1}: error: " in str(error.value)


def test_the_end_of_a_range_may_be_a_root_or_a_logarithm() -> None:
    graph = "L = graph {{ u[i = 2, {}]: delay(1) after u[i - 1] }};"
    for end, members in (
        ("sqrt(10 ^ 20 + 1) - 9999999996", 3),
        ("ceil(log2(2 ^ 53 + 1)) - 50", 3),
        ("min(9, sqrt(15))", 2),
    ):
        assert numbers(graph.format(end)) == (members, members, members)
