"""Layered queues: small ones have formulas or short chains; files of LQNS say the same as ours."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.jobs import ClassResult, JobsResult
from apet.queueing.data.varied import parameters, value_of, varied, with_value
from apet.queueing.methods import layers
from apet.queueing.methods.answer import queue
from apet.queueing.questions.targets import target
from apet.queueing.read import parse_queue_file, read_queue
from apet.queueing.read.lqn_text import lqn_of_text
from apet.queueing.read.lqn_xml import lqn_of_xml

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


XML = """<lqn-model name="small">
  <processor name="p1" scheduling="inf">
    <task name="u" scheduling="ref" multiplicity="3" think-time="1.5">
      <entry name="go" type="PH1PH2"><entry-phase-activities>
        <activity name="x" phase="1" host-demand-mean="0.5" call-order="DETERMINISTIC">
          <synch-call dest="serve" calls-mean="2"/></activity>
      </entry-phase-activities></entry>
    </task>
  </processor>
  <processor name="p2" scheduling="ps" quantum="0.1" multiplicity="2">
    <task name="s" scheduling="fcfs" multiplicity="4">
      <entry name="serve" type="NONE"/>
      <task-activities>
        <activity name="a" bound-to-entry="serve" host-demand-mean="0.25" host-demand-cvsq="0.5"/>
        <activity name="b" host-demand-mean="0.4"><asynch-call dest="log" calls-mean="0.5"/></activity>
        <activity name="c" host-demand-mean="0.1"/>
        <precedence><pre><activity name="a"/></pre>
          <post-OR><activity name="b" prob="0.3"/><activity name="c" prob="0.7"/></post-OR></precedence>
        <reply-entry name="serve"><reply-activity name="b"/><reply-activity name="c"/></reply-entry>
      </task-activities>
    </task>
    <task name="l" scheduling="inf"><entry name="log" type="PH1PH2" open-arrival-rate="0.2">
      <entry-phase-activities><activity name="y" phase="1" host-demand-mean="0.3"/></entry-phase-activities>
    </entry></task>
  </processor>
</lqn-model>"""
TEXT = """G "small" 1e-5 50 5 0.9 -1
P 2 p p1 i p p2 s 0.1 m 2 -1
T 3 t u r go -1 p1 z 1.5 m 3   t s n serve -1 p2 m 4   t l i log -1 p2 -1
E 3 s go 0.5 -1 f go 1 -1 y go serve 2 -1 A serve a s log 0.3 -1 a log 0.2 -1
A s
 s a 0.25 c a 0.5
 s b 0.4 z b log 0.5
 s c 0.1
: a -> (0.3) b + (0.7) c ; b[serve] ; c[serve]
-1
"""


def test_both_forms_of_a_file_of_lqns_are_one_model(tmp_path: Path) -> None:
    for name, text in (("small.lqnx", XML), ("small.lqn", TEXT)):
        (tmp_path / name).write_text(text)
    problem = read_queue(tmp_path / "small.lqnx").problem
    assert read_queue(tmp_path / "small.lqn").problem == problem
    assert lqn_of_xml(Source("a", XML)).content.keys() == lqn_of_text(Source("a", TEXT)).content.keys()

    assert main(["import", str(tmp_path / "small.lqn"), "-o", str(tmp_path / "ours.toml")]) == 0
    assert read_queue(tmp_path / "ours.toml").problem == problem


def test_priorities_of_lqns_are_greatest_first(tmp_path: Path) -> None:
    text = TEXT.replace("p2 s 0.1 m 2", "p2 h m 2").replace("p2 m 4", "p2 7 m 4")
    (tmp_path / "a.lqn").write_text(text)
    tasks = read_queue(tmp_path / "a.lqn").problem.tasks  # type: ignore[union-attr]
    assert [t.priority for t in tasks if t.name in ("s", "l")] == [1, 8]


@pytest.mark.parametrize(
    ("old", "new", "problem", "line"),
    [
        ("p p1 i", "p p1 r", "scheduling 'r' of processors: this is not modelled", 2),
        ("t s n", "t s S", "scheduling 'S' of tasks: this is not modelled", 3),
        ("m 4 ", "r 4 ", "replication: this is not modelled", 3),
        ("s go 0.5", "s go $d", "variables have no values here", 4),
        ("s go 0.5", "V go s go 0.5", "semaphores: this is not modelled", 4),
        ("serve 2 -1", "sreve 2 -1", "'sreve' is none of the entries; did you mean 'serve'", 3),
        ("c a 0.5", "c a 0.7", "a squared coefficient of variation of 0.7: this is not modelled", 6),
        ("(0.3) b", "(0.4) b", "there is one for each, and their sum is 1", 9),
        ("log 0.5", "serve 0.5", "it waits for itself: s -> s", 3),
        ("A s\n", "A s\n q a 3", "'q' of activities: this is not modelled", 6),
        ("; c[", "; %[", "'%' where this should be a name", 9),
    ],
)
def test_what_is_not_modelled_is_refused_by_name_and_place(
    old: str, new: str, problem: str, line: int, tmp_path: Path
) -> None:
    text = TEXT.replace(old, new, 1)
    if "waits for itself" in problem:
        text = text.replace("z b serve", "y b serve")
    (tmp_path / "small.lqn").write_text(text)
    with pytest.raises(ApetError) as raised:
        read_queue(tmp_path / "small.lqn")
    first = raised.value.diagnostics[0]
    assert problem in first.text
    assert first.span is not None
    assert first.source is not None
    assert first.source.position(first.span.start)[0] == line


def test_xml_may_not_declare_entities() -> None:
    with pytest.raises(ApetError, match="may not declare entities"):
        lqn_of_xml(Source("a.lqnx", f'<!DOCTYPE a [<!ENTITY b "c">]>{XML}'))


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
