"""Task graphs to models: whole models as goldens, and the laws that they obey whatever the numbers are."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.brute_force import brute_force
from tests.conftest import Golden

import apet
from apet.api.models import read
from apet.cost import Application, Setting, analyse
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java import translate as translate_java
from apet.machine import Machines, parse_machines
from apet.machine.network import End
from apet.model.check import check
from apet.model.pamela import parse
from apet.pasl import translate
from apet.simulator.simulation import simulate

ROOT = Path(__file__).resolve().parents[2]
GRAPHS = ROOT / "tests" / "data" / "pasl"
SHIPPED = ROOT / "samples" / "pasl"
ALL = [*sorted(GRAPHS.glob("*.pasl")), *sorted(SHIPPED.glob("*.pasl"))]
ENDS: tuple[End, ...] = ("tmin", "tmax")
LAB = "join-2005"
COUNTING = """schema = 1
name = "messages take a second each"
[[machine]]
name = "fast"
count = 3
[machine.op_s]
sum_int = 1e-9
mpy_int = 1e-3
[[machine]]
name = "slow"
count = 4
[machine.op_s]
sum_int = 3e-9
mpy_int = 3e-3
[network]
topology = "{topology}"
latency_s = 1.0
bandwidth_B_per_s = 1.0
"""


@cache
def machines(topology: str = "bus") -> Machines:
    return parse_machines(Source("counting.toml", COUNTING.format(topology=topology)))


def text_of(text: str) -> str:
    return translate(Source(str(GRAPHS / "here.pasl"), text), translate_java, "flat").text


def app_of(text: str, network: str = "bus") -> Application:
    app: Application = apet.compile_text(text_of(text), network=network)
    return app


def flat(path: Path) -> Application:
    """A shipped task graph as it is predicted on machines that know the flat level only."""
    return analyse(read(path, None, "flat"), Setting("probability", "bus"))


def seconds(app: Application, P: int, resource: str, schedule: str = "static", **values: int) -> float:
    """T of one resource."""
    found = apet.predict(app, machines(), P, schedule=schedule, values=values)
    return float(next(limit.seconds for limit in found.limits if limit.name == f"T[{resource}]"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_a_task_graph_gives_its_model(path: Path, assert_golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    source = Source(path.name, path.read_text(encoding="utf-8"))
    assert_golden(GRAPHS / f"{path.stem}.expected.pam", translate(source, translate_java, usual_level="flat").text)


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_model_made_is_one_without_mistakes(path: Path) -> None:
    model = parse(Source(path.stem, (GRAPHS / f"{path.stem}.expected.pam").read_text(encoding="utf-8")))
    assert not check(model).diagnostics
    assert len(model.equations) >= 3


@pytest.mark.parametrize("schedule", ["static", "join"])
@pytest.mark.parametrize("P", [2, 5, 32])
def test_pi_from_its_graph_is_the_model_written_by_hand(P: int, schedule: str) -> None:
    graph = """param n = 1000000000; param tasks = 100; param q = 0.785 in [0, 1];
    batch draw[tasks] {
        task "pi-task.pam" with points = n / tasks; arguments 8 B per worker; results 8 B per worker;
    }"""
    made, written = app_of(graph), apet.compile(ROOT / "samples" / "pamela" / "pi.pam", network="bus")
    assert [str(f) for f in (made.T0, made.T_total, made.lower, made.upper)] == [
        str(f) for f in (written.T0, written.T_total, written.lower, written.upper)
    ]
    assert {k: str(f) for k, f in made.T.items()} == {k: str(f) for k, f in written.T.items()}
    one, other = (apet.predict(a, apet.load_machines(LAB), P, schedule=schedule) for a in (made, written))
    for a, b in ((one.estimate, other.estimate), (one.lower, other.lower), (one.upper, other.upper)):
        assert tuple(a) == pytest.approx(tuple(b), rel=1e-12)


@pytest.mark.parametrize("application", ["pi", "primes"])
def test_the_eight_published_programs_grow_with_their_load_and_shrink_with_processors(application: str) -> None:
    plan = tomllib.loads((SHIPPED / "variants.toml").read_text(encoding="utf-8"))
    chosen = next(a for a in plan["application"] if a["name"] == application)
    app, lab = flat(SHIPPED / chosen["graph"]), apet.load_machines(plan["machines"])
    times = {
        (name, P): apet.predict(app, lab, P, values=values).estimate
        for name, values in chosen["variants"].items()
        for P in plan["processors"]
    }
    assert len(times) == 20
    for (one, two), P in ((pair, P) for pair in (("A", "B"), ("C", "D")) for P in plan["processors"]):
        assert times[one, P].hi < times[two, P].hi <= 2 * times[one, P].hi
    for more, fewer in pairwise(plan["processors"]):
        assert all(times[name, more].hi < times[name, fewer].hi for name in "ABCD")


@pytest.mark.parametrize("name", ["pi", "primes"])
def test_a_program_made_from_java_costs_more_than_one_that_counts_less_but_the_same_messages(name: str) -> None:
    made = flat(SHIPPED / f"{name}.pasl")
    written = apet.compile(ROOT / "samples" / "pamela" / f"{name if name == 'pi' else 'primes-q'}.pam", network="bus")
    lab = apet.load_machines(LAB)
    if name == "pi":
        assert str(made.T["bus"]) == str(written.T["bus"])
        one, other = apet.predict(made, lab, 8), apet.predict(written, lab, 8)
        assert one.estimate.lo > other.estimate.lo
        assert one.estimate.hi < 1.2 * other.estimate.hi
    else:
        assert str(made.T["bus"]) == "sum_{1<=p<=P} share[p] (t_send[0, p](16) + t_send[p, 0](8))"


@given(tasks=st.integers(0, 60), P=st.integers(1, 7), schedule=st.sampled_from(["static", "join"]))
def test_every_task_is_one_message_out_and_one_back(tasks: int, P: int, schedule: str) -> None:
    app = app_of('param m = 1; batch a[m] { task "unit.pam" with m = 1; }')
    assert seconds(app, P, "bus", schedule, m=tasks) == pytest.approx(2 * tasks)


@given(tasks=st.integers(1, 60), P=st.integers(1, 7))
def test_data_for_workers_is_sent_once_to_each(tasks: int, P: int) -> None:
    once = app_of('param m; batch a[m] { task "unit.pam"; arguments 9 B per worker; results 4 B per worker; }')
    assert seconds(once, P, "bus", m=tasks) == pytest.approx(P * (1 + 9 + 1 + 4))
    both = app_of('param m; batch a[m] { task "unit.pam"; arguments 9 B per worker; arguments 2 B; }')
    assert seconds(both, P, "bus", m=tasks) == pytest.approx(P * 10 + tasks * (3 + 1))


@settings(max_examples=25)
@given(first=st.integers(1, 30), second=st.integers(1, 30), P=st.integers(1, 7))
def test_what_flows_comes_back_from_the_source_and_goes_out_to_the_target(first: int, second: int, P: int) -> None:
    def bus(flow: str, where: str = "") -> float:
        app = app_of(
            f"""param f; param s;
            batch a[f] {{ task "unit.pam" with m = 1; {where} }} batch b[s] {{ task "unit.pam" with m = 1; }}
            flow a -> b {flow};"""
        )
        return seconds(app, P, "bus", f=first, s=second)

    messages = 2 * first + 2 * second
    assert bus("") == pytest.approx(messages)
    assert bus("(7 B)") == pytest.approx(messages + 7 * first + 7 * first)
    assert bus("(7 B) per task") == pytest.approx(messages + 7 * first + 7 * first * second)
    assert bus("(7 B) per worker") == pytest.approx(2 * first + 7 * first + P * (1 + 7 * first) + second)
    assert bus("(7 B)", "on coordinator;") == pytest.approx(2 * second + 7 * first)


@given(replicas=st.integers(0, 5), tasks=st.integers(1, 20), P=st.integers(1, 7))
def test_replicas_are_messages_and_nothing_else(replicas: int, tasks: int, P: int) -> None:
    app = app_of('param r; param m; batch a[m] { task "unit.pam" with m = 1; arguments 3 B; replicas r; }')
    assert seconds(app, P, "bus", m=tasks, r=replicas) == pytest.approx(tasks * (4 + 1) + P * replicas * 4)


@given(
    counts=st.lists(st.integers(1, 40), min_size=1, max_size=5),
    lengths=st.lists(st.integers(0, 50), min_size=5, max_size=5),
    P=st.integers(1, 7),
    schedule=st.sampled_from(["static", "join"]),
)
def test_batches_one_after_the_other_take_the_sum_of_their_times(
    counts: list[int], lengths: list[int], P: int, schedule: str
) -> None:
    once = "arguments 0 B per worker; results 0 B per worker;"
    batches = [
        f'batch b{k}[{count}] {{ task "unit.pam" with m = {length}; {once} }}'
        for k, (count, length) in enumerate(zip(counts, lengths, strict=False))
    ]
    chain = f"flow {' -> '.join(f'b{k}' for k in range(len(counts)))};" if len(counts) > 1 else ""
    free = machines("none")

    def time(text: str) -> apet.Interval:
        return apet.predict(app_of(text, "none"), free, P, schedule=schedule).estimate

    whole, parts = time("\n".join(batches) + chain), [time(b) for b in batches]
    assert whole.hi == pytest.approx(sum(p.hi for p in parts), rel=1e-12)


@settings(max_examples=30)
@given(counts=st.tuples(st.integers(1, 20), st.integers(1, 20)), P=st.integers(1, 7))
def test_batches_that_no_flow_joins_take_between_the_longer_and_the_sum(counts: tuple[int, int], P: int) -> None:
    batches = [f'batch b{k}[{count}] {{ task "unit.pam" with m = {k + 3}; }}' for k, count in enumerate(counts)]
    both, *each = [apet.predict(app_of(t), machines(), P).guaranteed for t in ("\n".join(batches), *batches)]
    assert both.lo >= max(e.lo for e in each) * (1 - 1e-9)
    run = simulate(app_of("\n".join(batches)).model, machines().configure(P), "tmax", {"P": P}, "bus", "probability")
    assert both.lo * (1 - 1e-9) <= run.makespan <= both.hi * (1 + 1e-9)


@settings(max_examples=15)
@given(n=st.integers(0, 2), p=st.integers(0, 2), tasks=st.integers(0, 3))
def test_a_task_costs_in_a_batch_what_it_costs_alone_and_two_messages(n: int, p: int, tasks: int) -> None:
    task = (GRAPHS / "capture.pam").read_text(encoding="utf-8")
    alone = apet.compile_text(f"{task} param given; L = task[1](given);", network="bus")
    graph = """param n; param tasks; param k; param p;
    batch here[k] { task "capture.pam" task with m = n + p, n = tasks + n, rest = p * tasks; }"""
    inside: tuple[Application, dict[str, int]] = app_of(graph), {"n": n, "p": p, "tasks": tasks, "k": 1}
    outside: tuple[Application, dict[str, int]] = alone, {"m": n + p, "given": tasks + n, "rest": p * tasks}
    one, two = (
        brute_force(app.model, machines().configure(1), "tmax", values, "bus") for app, values in (outside, inside)
    )
    assert two.t0 == pytest.approx(one.t0 + 2, rel=1e-12)


@pytest.mark.parametrize("name", ["farm", "capture"])
@settings(max_examples=8)
@given(P=st.integers(1, 7), data=st.data())
def test_a_prediction_agrees_with_unrolling_and_encloses_a_run(name: str, P: int, data: st.DataObject) -> None:
    model = (GRAPHS / f"{name}.expected.pam").read_text(encoding="utf-8")
    app = apet.compile_text(model, network="bus")
    names = {"farm": ("blocks", "size"), "capture": ("n", "k")}[name]
    values = {n: data.draw(st.integers(1, 4), n) for n in names}
    on, found = machines().configure(P), apet.predict(app, machines(), P, values=values)
    ends = zip(ENDS, found.estimate, found.lower, found.upper, strict=True)
    for end, estimate, lower, upper in ends:
        want = brute_force(app.model, on, end, values, "bus", "probability")
        run = simulate(app.model, on, end, {"P": P, **values}, "bus", "probability")
        assert estimate == pytest.approx(want.estimate, rel=1e-9)
        assert lower * (1 - 1e-9) <= run.makespan <= upper * (1 + 1e-9)


@given(n=st.integers(0, 12))
def test_a_value_may_be_named_like_an_index_of_the_task(n: int) -> None:
    app = app_of('param n; param i; batch a[1] { task "indices.pam" with m = n, k = i; on coordinator; }', "none")
    found = apet.predict(app, machines(), 1, n=n, i=2)
    assert found.estimate.hi == pytest.approx(1e-9 * 2 * n * (n + 1) / 2)


def test_the_level_is_what_the_call_says_else_what_the_file_says_else_core() -> None:
    graph = '{} batch a[1] {{ task "../../../samples/java/PiTask.java" with points = 9; }}'
    core, flat = "tp_mpy_double[p]", "assign_double[p]"
    for level, said, sign in (("", "", core), ("", "flat", flat), ("core", "flat", core), ("flat", "core", flat)):
        text = graph.format(f"level {said};" if said else "")
        assert sign in translate(Source(str(GRAPHS / "here.pasl"), text), translate_java, level).text


def test_a_mistake_of_several_tasks_is_told_for_each() -> None:
    with pytest.raises(apet.ApetError) as caught:
        text_of('batch a[1] { task "one.pam"; } batch b[1] { task "unit.pam" x; } batch c[1] { task "two.java"; }')
    assert [type(d).__name__ for d in caught.value.diagnostics] == ["MissingTask", "NoSuchEquation", "MissingTask"]


def test_a_task_with_a_null_byte_in_its_name_cannot_be_read() -> None:
    with pytest.raises(ApetError, match=r"cannot read .*: embedded null byte"):
        translate(Source("a.pasl", 'batch a[1] { task "a\0.pam"; }'), translate_java)


def test_what_a_run_can_count_is_left_open() -> None:
    path = SHIPPED / "primes.pasl"
    source = Source(str(path), path.read_text(encoding="utf-8"))
    named, counted = (read_parameters(translate(source, translate_java, counted=c).text) for c in (False, True))
    assert not {"rounds_10", "q_10", "q_11"} & named.keys()
    assert {"rounds_10", "q_10", "q_11"} <= counted.keys()
    assert "numbers" not in counted


def read_parameters(text: str) -> Mapping[str, object]:
    return parse(Source("model", text), None).parameters
