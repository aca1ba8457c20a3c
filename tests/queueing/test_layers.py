"""Layered queues: small ones have formulas or short chains."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.jobs import ClassResult, JobsResult
from apet.queueing.data.varied import parameters, value_of, varied, with_value
from apet.queueing.methods import layers
from apet.queueing.methods.answer import queue
from apet.queueing.questions.targets import target
from apet.queueing.read import parse_queue_file, read_queue

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "queueing" / "booking.lqn"

HOSTS = """
[[processors]]
name = "free"
type = "delay"
[[processors]]
name = "cpu"
"""
CLIENT = """
[[tasks]]
name = "users"
processor = "free"
population = {population}
think = {think}
[[entries]]
name = "order"
task = "users"
phases = [{{ {does} }}]
"""


def server(name: str, entry: str, work: str, more: str = "", host: str = "free") -> str:
    """A task with one entry."""
    return f"""
[[tasks]]
name = "{name}"
processor = "{host}"
{more}
[[entries]]
name = "{entry}"
task = "{name}"
{work}
"""


def client(does: str, population: int = 1, think: float = 0.0) -> str:
    return HOSTS + CLIENT.format(does=does, population=population, think=think)


def solved(text: str) -> JobsResult:
    result = queue(parse_queue_file(Source("layers.toml", text)).problem)
    assert isinstance(result, JobsResult)
    return result


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "MOST_EVENTS", 4_000_000)


def assert_inside(one: ClassResult, truth: float) -> None:
    """The response time is that, within an interval that is narrow."""
    assert one.half_width is not None
    assert one.half_width < 0.03 * truth
    assert abs(one.response_time - truth) <= one.half_width


@pytest.mark.parametrize(("users", "processes"), [(1, 1), (4, 1), (6, 2), (5, 3)])
def test_users_of_a_task_are_a_machine_repair_model(users: int, processes: int) -> None:
    text = client('calls = { work = 1 }, order = "fixed"', users, 2.0)
    text += server("worker", "work", "phases = [{ demand = 1.0 }]", f"processes = {processes}")
    one = solved(text)

    weights = [1.0]
    for n in range(1, users + 1):
        weights.append(weights[-1] * (users - n + 1) / 2.0 / min(n, processes))
    rate = sum(w * min(n, processes) for n, w in enumerate(weights)) / sum(weights)
    assert_inside(one.classes[0], users / rate - 2.0)
    assert one.stations[-1].utilization == pytest.approx(rate / processes, rel=0.02)


def test_a_second_phase_holds_the_server_and_not_the_caller() -> None:
    a, b, c = 1.0, 0.5, 2.0  # seconds of the caller, and of the first and the second phase
    text = client(f'demand = {a}, calls = {{ work = 1 }}, order = "fixed"')
    text += server("worker", "work", f"phases = [{{ demand = {b} }}, {{ demand = {c} }}]")

    # States: caller works, alone; and beside phase 2; phase 1; caller waits for the end of phase 2. The caller works in
    # two slices of a / 2 around its call, so that it is in the first of them or in the second.
    step = a / 2
    names = ["first", "first|2", "1", "wait", "second|2", "second"]
    ways = [("first", "1", step), ("1", "second|2", b), ("second|2", "first|2", step), ("second|2", "second", c)]
    ways += [("second", "first", step), ("first|2", "wait", step), ("first|2", "first", c), ("wait", "1", c)]
    flows = np.zeros((6, 6))
    for old, new, seconds in ways:
        flows[names.index(old), names.index(new)] += 1 / seconds
        flows[names.index(old), names.index(old)] -= 1 / seconds
    chances = np.linalg.lstsq(np.vstack([flows.T, np.ones(6)]), np.array([0.0] * 6 + [1.0]), rcond=None)[0]
    assert_inside(solved(text).classes[0], 1 / (chances[names.index("1")] / b))


def test_calls_are_geometrically_many_or_exactly_so_many() -> None:
    work = server("worker", "work", 'phases = [{ demand = 1.0, dist = { type = "det" } }]')
    fixed = solved(client('calls = { work = 3 }, order = "fixed"') + work).classes[0]
    assert fixed.response_time == pytest.approx(3)
    assert fixed.percentiles is not None
    assert fixed.percentiles.seconds == pytest.approx([3] * 4)

    random = solved(client("calls = { work = 3 }") + work).classes[0]
    assert_inside(random, 3)
    assert random.percentiles is not None
    assert random.percentiles.seconds[0] == math.ceil(math.log(0.5) / math.log(0.75)) - 1


def test_a_call_that_is_forwarded_waits_for_the_last_one_and_frees_the_first() -> None:
    text = client('calls = { work = 1 }, order = "fixed"', 2)
    text += server("worker", "work", "phases = [{ demand = 1.0 }]\nforward = { rest = 1.0 }")
    text += server("other", "rest", "phases = [{ demand = 1.0 }]")
    # Two jobs in a cycle of two queues: the line of both is at one of them in two of three states.
    assert_inside(solved(text).classes[0], 3.0)


def test_nobody_waits_for_a_send() -> None:
    text = client('demand = 1.0, sends = { work = 1 }, order = "fixed"')
    result = solved(text + server("worker", "work", "phases = [{ demand = 0.5 }]"))
    assert_inside(result.classes[0], 1.0)
    assert result.stations[-1].utilization == pytest.approx(0.5, rel=0.02)


ACTIVITIES = """
[[entries]]
name = "order"
task = "users"
start = "a"
[[tasks]]
name = "users"
processor = "free"
population = 1
"""


def activities(*names: str, dist: str = "exp") -> str:
    rows = (
        f'[[activities]]\nname = "{n}"\ntask = "users"\ndemand = 1.0\ndist = {{ type = "{dist}" }}\n' for n in names
    )
    return HOSTS + ACTIVITIES + "".join(rows)


def order(after: str, then: str, more: str = "") -> str:
    return f'[[precedences]]\ntask = "users"\nafter = {list(after)}\nthen = {list(then)}\n{more}\n'


def test_threads_of_activities_join_choose_and_come_again() -> None:
    forked = activities(*"abcd") + order("a", "bc") + order("bc", "d")
    assert_inside(solved(forked).classes[0], 1 + 1.5 + 1)

    either = activities(*"abcd", dist="det") + order("a", "bd", "chances = [0.25, 0.75]") + order("b", "c")
    assert_inside(solved(either).classes[0], 1 + 0.25 * 2 + 0.75)

    looped = activities(*"abcd", dist="det") + order("a", "bd", "counts = [2.0]") + order("b", "c")
    assert_inside(solved(looped).classes[0], 1 + 2 * 2 + 1)


def test_arrivals_from_outside_are_a_queue_and_too_many_are_refused() -> None:
    text = HOSTS + server("worker", "work", "arrival_rate = 0.5\nphases = [{ demand = 1.0 }]", host="cpu")
    assert_inside(solved(text).classes[0], 2.0)
    with pytest.raises(ApetError, match="unstable"):
        solved(text.replace("0.5", "1.5"))


def test_a_cycle_without_time_is_refused() -> None:
    with pytest.raises(ApetError, match="takes no time at all"):
        solved(client("calls = { work = 1 }") + server("worker", "work", "phases = [{}]"))


def test_numbers_of_a_file_may_be_varied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers, "MOST_EVENTS", 1_000_000)
    problem = varied(read_queue(SAMPLE).problem)
    values = {"servers[host]": 3, "servers[task web]": 2, "population[users]": 7, "think[users]": 1.5}
    assert set(parameters(problem)) >= set(values)
    for name, value in values.items():
        changed = with_value(problem, name, value)
        assert value_of(changed, name) == value
        assert changed != problem
    assert target(problem, "population[users]", 1.0, within=(40, 46)).met is not None


def test_a_task_of_any_number_of_processes_serves_thousands() -> None:
    text = HOSTS + server("worker", "work", "arrival_rate = 100\nphases = [{ demand = 20.0 }]", 'type = "delay"')
    assert_inside(solved(text).classes[0], 20.0)


def test_what_a_request_leaves_before_a_join_is_not_there_for_the_next() -> None:
    text = activities(*"abcd", dist="det") + order("a", "bc", "chances = [0.5, 0.5]") + order("bc", "d")
    assert solved(text).classes[0].response_time == pytest.approx(2)


def test_threads_that_a_loop_never_joins_and_too_many_places_are_refused() -> None:
    text = activities(*"abcd") + order("a", "bd", "counts = [2.0]") + order("b", "cd")
    with pytest.raises(ApetError, match="pile up"):
        solved(text)
    many = activities("a", *(f"a{k}" for k in range(50))).replace("population = 1", "population = 1_000_000")
    many += "".join(f'[[precedences]]\ntask = "users"\nafter = ["a{k}"]\nthen = ["a"]\n' for k in range(50))
    with pytest.raises(ApetError, match="places for tasks"):
        solved(many)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("then = ['d']", "then = []", "then is missing"),
        ("then = ['d']", "then = 5", "then should be an array"),
        ("after = ['a']", "after = 'a'", "after should be an array"),
        ("after = ['a']", "", "after is missing"),
        ("after = ['a']", "after = ['b']", "what follows b is given twice"),
        ("then = ['d']", "then = ['d']\njoin = 'al'", "there is no 'al'"),
        ("then = ['d']", "then = ['d']\nfork = 'all'", "there is no such key"),
        ("then = ['b', 'c']", "then = ['b', 'c']\nchances = 0.5", "chances should be an array"),
        (
            "then = ['b', 'c']",
            "then = ['b', 'c']\nchances = [0.5, 0.5]\ncounts = [1.0]",
            "one begins, or each again and again",
        ),
        ('start = "a"', 'start = "z"', "'z' is no activity"),
        ('start = "a"', 'start = "a"\nphases = [{ demand = 1.0 }]', "this entry starts with an activity"),
        ('name = "d"\n', 'name = "d"\nreplies = "order"\n', "replies should be an array"),
        ("population = 1", "population = 1\nprocesses = 2", "a task with a population serves nobody"),
        ("population = 1", "type = 'delya'", "delya"),
        ("population = 1", "type = 'delay'\nprocesses = 2", "a delay serves any number"),
    ],
)
def test_what_would_be_dropped_is_refused(old: str, new: str, problem: str) -> None:
    text = activities(*"abcd") + order("a", "bc") + order("bc", "d")
    assert old in text
    with pytest.raises(ApetError) as raised:
        parse_queue_file(Source("layers.toml", text.replace(old, new, 1)))
    assert problem in "\n".join(d.text for d in raised.value.diagnostics)


def test_an_activity_that_answers_another_entry_is_refused() -> None:
    text = activities("a").replace('name = "a"', 'name = "a"\nreplies = ["work"]')
    text += server("worker", "work", "phases = [{ demand = 1.0 }]")
    with pytest.raises(ApetError, match="a answers other entries"):
        parse_queue_file(Source("layers.toml", text))


@pytest.mark.parametrize("demand", ["1.0", "[1.0, 2.0]"])
def test_methods_of_networks_are_refused(demand: str) -> None:
    text = client(f"demand = {demand}")
    for method in ("exact", "bounds"):
        with pytest.raises(ApetError, match=f"the method '{method}' is for networks"):
            queue(parse_queue_file(Source("layers.toml", text)).problem, method)
