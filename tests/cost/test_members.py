"""Members of resource families that turn out to be one, or to be two: by subscripts, by values, by name."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.brute_force import brute_force

import apet
from apet.ground.interval import Interval, Number
from apet.ground.source import Source
from apet.machine import End, Machines, parse_machines
from apet.simulator.simulation import simulate

ENDS: tuple[End, ...] = ("tmin", "tmax")
SUBSCRIPTS = ("1", "2", "i", "k", "n - 1", "1 + i % 2", "i + k - 1", "3 - k")
"""Of a loop over i and one over k, both from 1 to 2, with n = 2."""


def machines(topology: str = "none", cores: int = 1) -> Machines:
    text = f"""schema = 1
name = "four"
[[machine]]
name = "m"
count = 4
cores = {cores}
[machine.op_s]
a = [1.0, 2.0]
b = [3.0, 5.0]
[network]
topology = "{topology}"
latency_s = 0.5
bandwidth_B_per_s = 16
"""
    return parse_machines(Source("four.toml", text))


def assert_runs_within_bounds(text: str, lab: Machines, values: Mapping[str, Number]) -> None:
    """The estimate is that of the unrolled model, and what is guaranteed encloses a run at either end."""
    app = apet.compile_text(text, network=lab.network.topology)
    prediction = apet.predict(app, lab, values=values)
    configuration = lab.configure()
    for end, estimate in zip(ENDS, prediction.estimate, strict=True):
        want = brute_force(app.model, configuration, end, values, lab.network.topology)
        assert estimate == pytest.approx(want.estimate)
        numbers = {"P": configuration.P, **values}
        run = simulate(app.model, configuration, end, numbers, lab.network.topology)
        assert prediction.guaranteed.lo <= run.makespan * (1 + 1e-12)
        assert run.makespan <= prediction.guaranteed.hi * (1 + 1e-12)


@st.composite
def nests(draw: st.DrawFn) -> str:
    """Uses within uses of one family with two or three subscripts, in two loops.

    The first subscript rises from each use to the one within it, or all subscripts are as they were: no deadlock.
    """
    dimensions = draw(st.integers(2, 3))

    def member(rank: int) -> str:
        return f"r[{', '.join([str(rank), *(draw(st.sampled_from(SUBSCRIPTS)) for _ in range(dimensions - 1))])}]"

    def nest(rank: int, outer: str) -> str:
        time = f"delay({draw(st.integers(0, 4))})"
        if rank > 3:
            return time
        inner = outer if outer and draw(st.integers(0, 3)) == 0 else member(rank)
        return f"{{ {time}; use({inner}, {nest(rank + 1, inner)}); {time} }}"

    branches = " || ".join(nest(draw(st.integers(1, 3)), "") for _ in range(draw(st.integers(1, 3))))
    return f"param n = 2; L = {draw(st.sampled_from(['par', 'seq']))} (i = 1, 2) par (k = 1, 2) {{ {branches} }};"


@given(nests())
def test_a_member_is_held_already_only_if_all_subscripts_are_equal(text: str) -> None:
    assert_runs_within_bounds(text, machines(), {})


@pytest.mark.parametrize(
    ("process", "seconds"),
    [
        ("{ use(r[1, 1], use(r[2, 1], delay(3))) || use(r[3, 1], use(r[2, 1], delay(5))) }", 8),
        ("par (i = 1, 4) use(r[i, 1], use(r[5, 1], 1))", 4),
        ("par (i = 1, 4) use(s[i, 1, 1], use(s[5, 1, 1], 1))", 4),
        ("par (i = 1, 4) use(r[i, 7], use(r[i, 7], 1))", 1),
        ("par (i = 1, 4) use(r[5, n - 1], use(r[n + 3, 1], 1))", 4),
        ("par (i = 1, 4) use(r[i, 1], use(d, use(r[5, 1], 1)))", 4),
        ("par (i = 1, 4) hold[i, 5](1)", 4),
    ],
)
def test_nested_uses_of_one_family_wait_for_what_they_share(process: str, seconds: float) -> None:
    text = f"param n = 2; L = {process}; hold[i, k](t) = use(r[i, t], use(r[k, t], t));"
    assert_runs_within_bounds(text, machines(), {})
    assert apet.predict(apet.compile_text(text), machines()).guaranteed == Interval(seconds, seconds)


# Named processors

NAMED = [
    "{ a[p] || a[q] }",
    "{ use(p, a[q]) || a[p] || b[1] }",
    "{ a[p]; b[q]; use(p, { a[q]; use(q, b[p]) }) }",
    "par (i = 1, 3) { a[p]; b[q] }",
    "{ par (i = 1, 3) a[i] || b[p] || b[q] }",
    "{ par (i = 1, 3) a[1 + i % 2] || use(p, 2) || use(q, { a[q]; use(p, a[p]) }) }",
    "{ work[p] || work[q] || work[2] }",
    "{ use(disk[p], 3) || use(disk[q], 1) || a[p] || a[q] }",
    "{ send[p, q](8) || send[q, 3](16) || send[p, 3](8) }",
]


@pytest.mark.parametrize("cores", [1, 2])
@pytest.mark.parametrize("process", NAMED)
@settings(max_examples=10)
@given(p=st.integers(1, 3), q=st.integers(1, 3), topology=st.sampled_from(["none", "bus", "switch"]))
def test_two_names_may_be_given_to_one_processor(process: str, cores: int, p: int, q: int, topology: str) -> None:
    if "send" in process and topology == "switch":
        topology = "bus"  # nobody waits for a receiver while it holds a sender
    text = f"L = {process}; work[x] = use(x, {{ a[x]; b[x] }});"
    numbered = f"param p; param q; {text}"
    values = {"p": p, "q": q}
    assert_runs_within_bounds(text, machines(topology, cores), values)
    by_name = apet.predict(apet.compile_text(text), machines(topology, cores), values=values)
    by_number = apet.predict(apet.compile_text(numbered), machines(topology, cores), values=values)
    assert (by_name.estimate, by_name.guaranteed) == (by_number.estimate, by_number.guaranteed)


def test_the_load_of_a_named_processor_says_when_it_bears_that_of_another() -> None:
    loads = apet.compile_text("L = { a[p] || b[q] };").T
    assert {label: str(load) for label, load in loads.items()} == {
        "p": "t_a[p] + t_b[q] [q == p]",
        "q": "t_b[q] + t_a[p] [p == q]",
    }


# Resources of the model with names of the machine's

OWN = [
    "{ use(cpu, 3) || a[1] }",
    "{ use(cpu[1], 3) || a[1] || use(1, 4) }",
    "par (i = 1, 4) { use(cpu[1], 1) || a[1] }",
    "{ use(bus, 3) || send[1, 2](8) || send[3, 4](8) }",
    "{ use(tx[1], 3) || send[1, 2](8) || use(rx[2], 3) }",
    "par (i = 1, 4) { use(bus, use(cpu[i], 3)); send[1, 2](8) }",
]


@pytest.mark.parametrize("topology", ["none", "bus", "switch"])
@pytest.mark.parametrize("servers", ["", "servers 2"])
@pytest.mark.parametrize("process", OWN)
def test_a_resource_of_the_model_is_never_one_of_the_machine(process: str, servers: str, topology: str) -> None:
    plain = process
    for name in ("cpu", "bus", "tx", "rx"):
        plain = plain.replace(f"use({name}", f"use(my_{name}")
    answers = []
    for text, prefix in ((process, ""), (plain, "my_")):
        declared = f"resource {prefix}cpu{'[k]' if 'cpu[' in text else ''} {servers};"
        declared += f" resource {prefix}bus {servers}; resource {prefix}tx[k] {servers};"
        model = f"{declared} L = {text};"
        assert_runs_within_bounds(model, machines(topology, 2), {})
        prediction = apet.predict(apet.compile_text(model), machines(topology, 2))
        answers.append((prediction.estimate, prediction.guaranteed))
    assert answers[0] == answers[1]


def test_a_resource_is_shown_by_its_own_name_unless_the_machine_uses_that_name_too() -> None:
    assert set(apet.compile_text("L = use(cpu[1], 3);").T) == {"cpu[1]"}
    assert set(apet.compile_text("L = { use(cpu[1], 3) || a[1] };").T) == {"resource cpu[1]", "cpu[1]"}
    assert set(apet.compile_text("L = { use(bus, 3) || a[1] };").T) == {"bus", "cpu[1]"}
    run = apet.simulate(apet.compile_text("L = { use(cpu[1], 3) || a[1] };"), machines())
    assert dict(run.busy) == {"resource cpu[1]": 3, "cpu[1]": 1}


# Branches

MEMBERS = st.sampled_from(
    ["d[1]", "d[n]", "d[m]", "d[n - 1]", "d[3 - n]", "d[1 + i % 2]", "d[1 + (i + 2) % 2]", "d[i]"]
)


@given(
    sides=st.tuples(*[st.lists(st.tuples(MEMBERS, st.integers(0, 4)), min_size=1, max_size=2)] * 2),
    loop=st.sampled_from(["seq", "par"]),
    mode=st.sampled_from(["best", "worst", "probability", "average"]),
    n=st.integers(1, 2),
    m=st.integers(1, 2),
)
def test_the_loads_of_two_branches_are_compared_by_member_however_it_is_written(
    sides: tuple[list[tuple[str, int]], ...], loop: str, mode: str, n: int, m: int
) -> None:
    then, otherwise = ("; ".join(f"use({member}, {time})" for member, time in side) for side in sides)
    text = f"param n; param m; L = {loop} (i = 1, 3) if (0.5) {{ {then} }} else {{ {otherwise} }};"
    app, values = apet.compile_text(text, branches=mode), {"n": n, "m": m}
    prediction = apet.predict(app, machines(), values=values)
    configuration = machines().configure()
    want = brute_force(app.model, configuration, "tmin", values, "none", mode)
    assert prediction.estimate.lo == pytest.approx(want.estimate)
    for seed in range(3):
        run = simulate(app.model, configuration, "tmin", {"P": 4, **values}, "none", mode, seed)
        assert prediction.guaranteed.lo <= run.makespan * (1 + 1e-12)
        assert run.makespan <= prediction.guaranteed.hi * (1 + 1e-12)


@pytest.mark.parametrize(("mode", "n", "seconds"), [("best", 1, 3), ("worst", 1, 3), ("best", 2, 1), ("worst", 2, 3)])
def test_both_sides_of_a_branch_on_one_member_are_one_load(mode: str, n: int, seconds: float) -> None:
    text = "param n; param m = 1; L = par (i = 1, 3) if (0.5) use(d[n], 1) else use(d[m], 1);"
    prediction = apet.predict(apet.compile_text(text, branches=mode), machines(), n=n)
    assert prediction.estimate.hi == seconds
    assert prediction.exact == (n == 1)


@given(n=st.integers(0, 5), mode=st.sampled_from(["best", "worst", "probability", "average"]))
def test_a_branch_on_a_comparison_is_decided(n: int, mode: str) -> None:
    text = "param P; L = par (p = 1, P) if (p < P) a[p + 1] else if (n < 3) delay(3 - n) else delay(n - 3); param n;"
    app = apet.compile_text(text, branches=mode)
    prediction = apet.predict(app, machines(), n=n)
    for end, low, high in zip(ENDS, prediction.lower, prediction.upper, strict=True):
        run = simulate(app.model, machines().configure(), end, {"P": 4, "n": n}, "none", mode)
        assert low <= run.makespan <= high


@pytest.mark.parametrize(
    ("text", "mode", "seconds"),
    [
        ("L = if (0.5) { use(r[1], 2) } else { seq (i = 1, 2) use(r[i], 1) };", "worst", 2),
        ("L = if (0.5) { b[1] } else { par (i = 1, 2) use(1 + (i + i) % 2, 1) };", "best", 2),
        ("L = par (i = 1, 2) par (k = 1, 1) if (0.5) { a[1] } else { a[2 - k] };", "best", 2),
        ("L = if (0.5) { seq (i = 1, 2) a[i] } else { b[1] };", "worst", 3),
        ("L = { if (0) delay(1) else par (i = 1, 1) if (1) a[1 + i] else a[2] } || a[2];", "probability", 2),
    ],
)
def test_sides_of_a_branch_may_be_loops(text: str, mode: str, seconds: float) -> None:
    prediction = apet.predict(apet.compile_text(text, branches=mode), machines())
    assert prediction.estimate.lo == seconds
    assert prediction.lower.lo <= seconds <= prediction.upper.lo


@pytest.mark.parametrize(
    ("text", "guaranteed"),
    [
        ("L = seq (i = 1, 2) par (j = 1, i) use(d[j, 1 + j], 1);", (2, 2)),
        ("L = par (i = 1, 2) seq (j = i, 2) use(r[j, 1 + j], 1);", (2, 3)),
        ("L = par (i = 1, 2) par (j = 1, i) { use(d[i, i], 1); use(d[i, 1 + j % 2], 1) };", (2, 6)),
        ("param m = 1; L = par (i = 1, 2) seq (j = 1, m) use(s[1, j % 2], 1);", (2, 2)),
        ("param n = 1; L = par (i = 1, n / 2) use(r[2], use(r[1], 1 / i));", (0, 0)),
        ("L = use(d[1, 1], 2) || par (i = 1, 2) par (j = 1, i / 2) use(d[j, i], 2);", (2, 2)),
        ("L = delay(1) || seq (i = 1, ceil(log(2) / log(3))) use(s[i % 3], 1 / i);", (1, 1)),
    ],
)
def test_dependent_loops_around_families(text: str, guaranteed: tuple[float, float]) -> None:
    low, high = apet.predict(apet.compile_text(text), machines()).guaranteed
    assert guaranteed[0] <= low <= high <= guaranteed[1]


def test_what_only_a_requirement_needs_is_asked_for() -> None:
    with pytest.raises(apet.ApetError, match="parameter 'n' has no value"):
        apet.predict(apet.compile_text("param n; L = use(n, 1);"), machines())


def test_uses_side_by_side_do_not_follow_each_other() -> None:
    """The tail of a[3] is not that of b[3], which may be the last to hold the processor."""
    text = "L = { par (i = 1, 1) {{ a[3]; delay(1)} || b[2 + i] }; delay(0) } || a[1];"
    lower = apet.compile_text(text).lower
    assert lower.evaluate({"t_a[3]": 3, "t_b[3]": 2, "t_a[1]": 1}) == 5


@pytest.mark.parametrize(("subscript", "bounds"), [("abs(i - j)", (5, 5)), ("i * j", (4, 4)), ("(i - j)^2", (5, 5))])
def test_loops_over_one_range_keep_their_own_variables_beside_other_parts(subscript: str, bounds: tuple[int, int]) -> None:
    """With one variable for both loops, all nine uses of the first nest would be of one member: 10 above 5."""
    nest = f"seq (i = 1, 3) par (j = 1, 3) use(r[1 + {subscript}], 1)"
    app = apet.compile_text(f"resource r[k]; L = {{ {{ {nest}; delay(1) }} || use(r[19], 1) }};")
    assert (app.lower.evaluate({}), app.upper.evaluate({})) == bounds


def test_worst_branches_take_the_greater_load_of_each_member_however_many_are_written() -> None:
    """s[1, 1] bears 3 on one side and 4 on the other, written as s[1, 1] and as s[1, j]."""
    step = "step[j](d) = { use(s[1, 1], 1); use(s[1, 2], use(s[1, j], 1)) };"
    one = "use(s[2, 2], use(s[2, 1], par (i = 1, 2) step[i](1)))"
    two = "use(s[2, 1], par (i = 1, 3) step[1 + (i + i) % 4](1))"
    app = apet.compile_text(f"L = if (1 / 2) {{ {one} }} else {{ {two} }}; {step}", branches="worst")
    assert app.T_total.evaluate({}) == 4
