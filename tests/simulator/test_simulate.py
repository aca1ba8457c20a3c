"""The simulator: reference runs, the semantics of each form, and its mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.machine_table import Table, read_table
from tests.work import growth

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.machine.network import End
from apet.model.pamela import parse, read_model
from apet.simulator.simulation import Simulation, simulate

MODELS = Path(__file__).resolve().parents[1] / "data" / "models"
NAMES = sorted(p.stem for p in MODELS.glob("*.pam"))
TABLE = Table({p: {"a": (1.0, 2.0), "b": (0.5, 1.25)} for p in range(17)}, (0.5, 1.0), (8.0, 16.0), {16: 2})


def run(
    text: str,
    end: End = "tmin",
    topology: str = "none",
    branches: str = "probability",
    seed: int = 0,
    most_events: int = 10_000_000,
    **parameters: float,
) -> Simulation:
    model = parse(Source("x.pam", text))
    return simulate(model, TABLE, end, parameters, topology, branches, seed, most_events=most_events)


def mistake(text: str, branches: str = "probability", most_events: int = 10_000) -> str:
    with pytest.raises(ApetError) as caught:
        run(text, branches=branches, most_events=most_events)
    return str(caught.value)


@pytest.mark.parametrize("end", ["tmin", "tmax"])
@pytest.mark.parametrize("name", NAMES)
def test_a_run_gives_the_reference_makespan(name: str, end: End) -> None:
    want = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))[end]["simulated"]
    found = simulate(read_model(MODELS / f"{name}.pam"), read_table(MODELS / f"{name}.toml"), end, {})
    assert found.makespan == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "makespan"),
    [
        ("L = {};", 0),
        ("L = a[1]; b[1];", 1.5),
        ("L = a[1] || b[1];", 1.5),
        ("L = a[1] || b[2];", 1),
        ("L = a[16] || a[16] || a[16];", 2),  # two cores
        ("L = par (i = 1, 6) a[1 + (i - 1) % 3];", 2),
        ("L = seq (i = 1, 2.5) delay(i);", 3),
        ("L = seq (i = 3, 2) delay(i);", 0),
        ("L = par (i = 3, 2) delay(i); delay(1);", 1),
        ("resource d servers 2; L = par (i = 1, 5) use(d, 2);", 6),
        ("resource d[k] servers k; L = par (i = 1, 4) use(d[2], 1) || par (i = 1, 4) use(d[3], 1);", 2),
        ("L = use(d, { delay(1); use(d, 2) }) || use(d, 1);", 4),  # no second server for the one who holds it
        ("L = use(d, par (i = 1, 3) use(d, 2));", 2),  # nor for the children of its holder
        ("L = use(1, { a[1]; a[1] }) || a[1];", 3),
        ("L = use(p, 3) || use(p, 2);", 5),  # a free name is a resource
        ("param x = y + 1; param y = 2; L = use(d, x);", 3),
        ("param tasks = 34; L = par (p = 1, 16) seq (k = 1, share[p]) a[p];", 3),
        ("L = w[3](2); w[p](n) = seq (i = 1, n) a[p];", 2),
        ("param i = 7; L = seq (i = 1, 2) w; w = delay(i);", 14),  # an equation sees no index of its caller
        ("L = seq (i = 1, 2) seq (i = i, 3) delay(i);", 6 + 5),  # an inner index hides the outer one
        ("L = delay(sum(i = 1, 4, i * i));", 30),
        ("L = delay(floor(log(1000) / log(10)));", 3),  # 2 in floats
        ("L = par (i = 1, ceil(sqrt(10^100 + 1)) - 10^50) use(d, 2);", 2),  # 10^34 branches in floats
        ("L = w(log(1000) / log(10)); w(x) = seq (i = 1, x) delay(1);", 3),
        ("L = par (i = 1, 2) use(log[1], 1);", 2),  # a resource that is called like a function
        ("L = use(r[P], 1) || use(r[16], 1);", 2),
        ("L = use(P, 1) || use(16, 1);", 1),
    ],
)
def test_each_form_takes_the_time_that_the_language_says(text: str, makespan: float) -> None:
    assert run(text).makespan == makespan


@pytest.mark.parametrize(("topology", "makespan"), [("none", 1.5), ("bus", 4.5), ("switch", 3.0)])
def test_a_message_holds_what_the_topology_says(topology: str, makespan: float) -> None:
    assert run("L = send[0, 1](16) || send[0, 2](16) || send[3, 4](16);", topology=topology).makespan == makespan


@pytest.mark.parametrize("topology", ["none", "bus", "switch"])
def test_a_message_to_oneself_takes_and_holds_nothing(topology: str) -> None:
    done = run("L = par (i = 1, 9) send[2, 2](10^9);", topology=topology)
    assert (done.makespan, done.busy) == (0, {})


def test_requests_of_one_instant_queue_in_program_order() -> None:
    # At 1 s both ask for d; the first one written gets it, though its process was made later.
    text = "L = { delay(1); par (i = 1, 1) { use(d, 1); delay(5) } } || { delay(1); use(d, 3) };"
    assert run(text).makespan == 1 + 1 + 5


def test_a_release_comes_before_a_request_of_the_same_instant() -> None:
    assert run("L = { delay(2); use(d, 1) } || use(d, 2);").makespan == 3


def test_whoever_has_waited_longest_is_served_first() -> None:
    text = "L = use(d, 5) || { delay(2); use(d, 1); delay(9) } || { delay(1); use(d, 4) };"
    assert run(text).makespan == 5 + 4 + 1 + 9


def test_busy_time_is_server_time() -> None:
    done = run("L = a[16] || a[16] || use(disk, { delay(1); use(bus, 2) });")
    assert done.busy == {"cpu[16]": 2.0, "disk": 3.0, "bus": 2.0}
    assert done.events == 4


def test_the_other_end_of_the_interval_is_used_on_request() -> None:
    assert run("L = a[1]; b[2];", "tmax").makespan == 3.25


def test_a_deadlock_names_every_waiting_place_and_what_is_held() -> None:
    found = mistake("L = use(x, { delay(1); use(y, 1) })\n || use(y, { delay(1); use(x, 1) }) || use(x, 1);")
    assert "x.pam:1:24: error: deadlock after 1 s: this waits for 'y' while it holds 'x'" in found
    assert "x.pam:2:24: error: deadlock after 1 s: this waits for 'x' while it holds 'y'" in found
    assert found.count("deadlock") == 2  # the third waits for x, but holds nothing


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("L = a[p];", "x.pam:1:5: error: 'p' is a named processor, and its costs need a number"),
        ("L = zork[1];", "x.pam:1:5: error: processor 1 has no operation 'zork'"),
        ("L = use(d, zork);", "x.pam:1:12: error: 'zork' takes one subscript, its processor; none given"),
        ("L = delay(2 - 3);", "x.pam:1:11: error: a duration of -1 s"),
        ("L = delay(10^9999);", "x.pam:1:11: error: a duration of inf s"),
        ("L = if { a[1] } else { b[1] };", "x.pam:1:5: error: this branch has no probability"),
        ("L = if (2) { a[1] };", "x.pam:1:9: error: a probability of 2"),
        ("L = a[3 / 2];", "x.pam:1:5: error: a subscript of 1.5"),
        ("L = send[0, 1];", "x.pam:1:5: error: 'send' takes 1 argument; none given"),
        ("L = w[1]; w = a[1];", "x.pam:1:5: error: 'w' takes no subscripts; 1 given"),
        ("resource d servers 0; L = use(d, 1);", "x.pam:1:20: error: d has 0 servers"),
        ("L = delay(share[1]);", "x.pam:1:11: error: share[p] deals tasks, and the model has no parameter 'tasks'"),
        ("L = delay(nobody);", "x.pam:1:11: error: unknown name 'nobody'"),
        ("L = seq (i = 1, 10^15) {};", "x.pam:1:5: error: the simulation was stopped after 10,000 iterations"),
        ("L = par (i = 1, 10^99) a[1];", "x.pam:1:5: error: the simulation was stopped after 10,000 iterations"),
        ("L = seq (i = 1, 6000) { a[1]; a[1] };", "error: the simulation was stopped after 10,000 events"),
    ],
)
def test_a_mistake_is_told_at_its_place(text: str, message: str) -> None:
    assert message in mistake(text)


def test_a_branch_is_taken_as_often_as_its_probability_says() -> None:
    makespan = run("L = seq (i = 1, 10000) if (0.3) delay(1);", seed=5).makespan
    assert 2_800 < makespan < 3_200
    assert run("L = seq (i = 1, 10000) if (0.3) delay(1);", branches="average").makespan == pytest.approx(
        5_000, rel=0.05
    )


def test_the_same_seed_gives_the_same_run() -> None:
    text = "L = seq (i = 1, 100) if (0.5) a[1] else b[1];"
    assert run(text, seed=3) == run(text, seed=3)
    assert len({run(text, seed=s).makespan for s in range(20)}) > 1


@pytest.mark.parametrize(("branches", "makespan"), [("best", 3 * 0.5 + 4), ("worst", 1 + 2 + 3 + 1_000)])
def test_best_and_worst_take_the_side_with_less_or_more_work(branches: str, makespan: float) -> None:
    text = "L = seq (i = 1, 3) { if b[1] else delay(i) }; if { delay(4) } else { seq (k = 1, 1000) delay(1) };"
    assert run(text, branches=branches).makespan == makespan


@pytest.mark.parametrize(
    ("opening", "inner", "closing"),
    [
        ("{ delay(1); ", "a[1]", " }"),
        ("{ delay(1) || ", "a[1]", " }"),
        ("use(d, ", "a[1]", ")"),
        ("if (1) { ", "a[1]", " }"),
        ("par (i = 1, 1) ", "a[1]", ""),
        ("seq (i = 1, 1) ", "a[1]", ""),
    ],
)
@pytest.mark.parametrize("branches", ["probability", "best"])
def test_a_thousand_levels_are_no_obstacle(opening: str, inner: str, closing: str, branches: str) -> None:
    chance = 0.5 if branches == "best" else 1
    text = f"L = if ({chance}) {{ {opening * 1000}{inner}{closing * 1000} }};"
    depth = 1001 if ";" in opening else 1
    found = run(text, branches=branches).makespan
    assert found == (0 if branches == "best" else depth)


def test_a_million_iterations_are_a_million_events() -> None:
    assert run("L = seq (i = 1, 10^6) a[1];").events == 10**6


def test_twice_the_iterations_take_twice_the_work() -> None:
    assert growth(lambda n: run(f"L = seq (i = 1, {n}) a[1];"), 1000) < 2.1


TABLES = {
    "param size = [1, 5, 1]; param q = 0.5 in [0, 1]; L = seq (i = 1, 3) if (q) delay(size[i]) else delay(2);": (4, 9),
    "param size = [1, 2, 3]; param q = 0.5 in [0, 1]; L = if (q) { seq (i = 1, 3) delay(size[i]) } else delay(7);": (
        6,
        7,
    ),
}


@pytest.mark.parametrize("text", TABLES)
def test_the_side_with_less_work_is_found_in_each_round_that_looks_up_a_table(text: str) -> None:
    best, worst = (run(text, branches=branches).makespan for branches in ("best", "worst"))
    assert (best, worst) == TABLES[text]
