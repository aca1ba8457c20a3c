"""The number of servers of a resource, by its subscripts and by expressions."""

from __future__ import annotations

import pytest

import apet
from apet.ground.source import Source
from apet.machine import Machines, parse_machines

FOUR = 'schema = 1\nname = "four"\n[[machine]]\nname = "m"\ncount = 4\n[machine.op_s]\na = 1.0\n'


@pytest.fixture(scope="module")
def four() -> Machines:
    return parse_machines(Source("four.toml", FOUR))


@pytest.mark.parametrize(
    ("servers", "member", "processors", "seconds"),
    [
        ("min(k, P)", "10", 2, 50),
        ("max(k, P)", "10", 2, 10),
        ("1 + (k > P)", "10", 2, 50),
        ("1 + (k < 0)", "-10", 2, 50),
        ("abs(k)", "-2", 1, 50),
        ("1 + abs(k - 3)", "5", 1, 34),
        ("max(2, 4 - k)", "7", 1, 50),
        ("1 + k % 2", "-3", 1, 50),
    ],
)
def test_a_subscript_may_be_any_whole_number(
    four: Machines, servers: str, member: str, processors: int, seconds: int
) -> None:
    text = f"param P; resource d[k] servers {servers}; L = par (i = 1, 100) use(d[{member}], 1);"
    app = apet.compile_text(text, "servers.pam")
    low, high = apet.predict(app, four, processors).guaranteed
    assert low <= seconds <= high + 1
    assert apet.simulate(app, four, processors).makespan == seconds


@pytest.mark.parametrize(
    ("declared", "use", "what"),
    [
        ("d[k] servers 2 - k", "d[3]", "resource 'd[3]' cannot have -1 servers"),
        ("d[k] servers k", "d[0]", "resource 'd[0]' cannot have 0 servers"),
        ("d[k] servers k", "d[i - 1]", "this number of servers is less than 1 or not whole"),
        ("d[k] servers k / 2", "d[1]", "resource 'd[1]' cannot have 0.5 servers"),
        ("d[k] servers 3 - k", "d[1 + i % 3]", "this number of servers is less than 1 or not whole"),
        ("d[k] servers k / 2", "d[i]", "this number of servers is less than 1 or not whole"),
        ("d[k] servers k", "d[n - 3]", "this number of servers is less than 1 or not whole"),
        ("d servers n / 2", "d", "this number of servers is less than 1 or not whole"),
    ],
)
def test_servers_are_whole_and_at_least_one(four: Machines, declared: str, use: str, what: str) -> None:
    text = f"param n = 3; resource {declared}; L = par (i = 1, 4) use({use}, 1);"
    with pytest.raises(apet.ApetError) as error:
        apet.predict(apet.compile_text(text, "servers.pam"), four)
    assert f"servers.pam:1:{text.index('servers') + 9}: error: {what}" in str(error.value)


def test_servers_of_what_is_held_for_no_time_within_another_member_count() -> None:
    app = apet.compile_text("param n; param x; resource s[k] servers k / 2; L = use(s[2], use(s[1 + n], 1 - x));")
    lab = apet.load_machines("two-nodes")
    assert apet.predict(app, lab, values={"n": 1, "x": 1}).guaranteed == apet.Interval(0, 0)  # held already
    with pytest.raises(apet.ApetError, match="this number of servers is less than 1 or not whole"):
        apet.predict(app, lab, values={"n": 4, "x": 1})


@pytest.mark.parametrize(
    ("declared", "use", "place"),
    [
        ("d[k] servers 0 / k <= 0", "d[0]", "0 / k"),
        ("d[k] servers k / k", "d[0]", "k / k"),
        ("d[k] servers k % k + 1", "d[n]", "k % k"),
        ("d servers n / n + 1", "d", "n / n"),
        ("d[k] servers 2 + 0 * log(k)", "d[i - 1]", "log(k)"),
        ("d servers 1 / 0", "d", "0"),
    ],
)
def test_a_number_of_servers_without_a_value_is_refused_at_its_place(
    four: Machines, declared: str, use: str, place: str
) -> None:
    text = f"param n = 0; resource {declared}; L = par (i = 1, 4) use({use}, 1);"
    with pytest.raises(apet.ApetError) as error:
        apet.predict(apet.compile_text(text, "servers.pam"), four)
    column = text.rindex(place, 0, text.index(";", text.index("servers"))) + 1
    assert f"servers.pam:1:{column}: error: " in str(error.value)


@pytest.mark.parametrize(
    "use", ["if (n > 0) use(d[n], 1)", "par (i = 1, n) use(d[n], 1)", "par (i = 1, n) use(d[0], 1)"]
)
def test_servers_of_what_no_run_uses_need_no_value(four: Machines, use: str) -> None:
    app = apet.compile_text(f"param n = 0; resource d[k] servers 1 / k; L = {use};", "servers.pam")
    assert list(apet.predict(app, four).guaranteed) == [0, 0]
    assert apet.simulate(app, four).makespan == 0
