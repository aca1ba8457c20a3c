"""Bounds of task graphs: no schedule that leaves no server idle breaks them, and one pool has Graham's bound."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.graph_models import (
    Graph,
    Model,
    Part,
    Process,
    Step,
    Together,
    Unfolded,
    list_schedule,
    loads,
    longest_path,
    text_of,
)

import apet
from apet.cost import analyse
from apet.ground.source import Source
from apet.model.pamela import parse

MACHINES = apet.load_machines("join-2005")
ORDERS = 60


def predicted(model: Model) -> apet.Prediction:
    return apet.predict(analyse(parse(Source("graph.pam", text_of(model)))), MACHINES, 4)


def drawn(seed: int, parts: int, bodies: tuple[str, ...], servers: int) -> Model:
    """A graph of so many parts, each a step on one of some resources, two in turn or at once."""
    random, graph = Random(seed), list[Part]()

    def step() -> Step:
        return Step(random.choice(bodies), str(random.randint(1, 9)))

    for k in range(parts):
        before = [j for j in range(k) if random.random() < 2.5 / parts]
        shape = random.random()
        body: Process = step() if shape < 0.7 else Together(random.choice((";", "||")), (step(), step()))
        graph.append(Part(f"p{k}", (), body, tuple((f"p{j}", None) for j in before)))
    return Model(Graph(tuple(graph)), {}, {"r": servers, "u": 2})


def graham(steps: Unfolded, servers: int) -> Fraction:
    """W / m plus the longest path over t (1 - 1 / m); delays count in full (R. L. Graham, 1969)."""
    ends: list[Fraction] = []
    for resource, seconds, before in zip(steps.resources, steps.seconds, steps.before, strict=True):
        own = seconds * (1 - Fraction(1, servers)) if resource else seconds
        ends.append(own + max((ends[k] for k in before), default=Fraction(0)))
    return max(ends) + sum(loads(steps).values(), Fraction(0)) / servers


@pytest.mark.parametrize("seed", range(60))
def test_a_graph_on_one_pool_is_bounded_as_by_graham(seed: int) -> None:
    servers = 1 + seed % 4
    model = drawn(seed, 8 + seed % 30, ("r", "r", "r", ""), servers)
    assert predicted(model).upper.hi <= float(graham(Unfolded(model), servers)) * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(100))
def test_no_order_of_waiting_steps_breaks_a_bound(seed: int) -> None:
    model = drawn(seed, 5 + seed % 40, ("r", "r", "u", "u", ""), 1 + seed % 3)
    steps, random, prediction = Unfolded(model), Random(seed), predicted(model)
    orders = [[random.random() for _ in steps.seconds] for _ in range(ORDERS)]
    runs = [float(list_schedule(steps, model.servers, order)) for order in orders]
    assert prediction.guaranteed.lo <= min(runs) <= max(runs) <= prediction.guaranteed.hi


BEFORE = "b[k - 1, i, j], b[k, i - 1, j], b[k, i, j - 1]"
WAVE = "graph {{ b[k = 1, n, i = 1, Px, j = 1, Py]: {{ {0}; delay(1) }} after " + BEFORE + " }}"


def test_members_on_processors_of_their_own_do_not_delay_each_other() -> None:
    text = "param Px; param Py; param n; L = " + WAVE.format("use(w[(i - 1) * Py + j], 2)") + ";"
    app = analyse(parse(Source("wave.pam", text)))
    assert app.upper == app.lower == app.T0


def test_members_on_one_pool_have_the_bound_of_graham_in_symbols() -> None:
    text = "param Px; param Py; param n; resource r servers 4; L = " + WAVE.format("use(r, 2)") + ";"
    app = analyse(parse(Source("wave.pam", text)))
    values = {"Px": 3, "Py": 2, "n": 5}
    assert app.upper.evaluate(values) == (3 + 2 + 5 - 2) * (2 * Fraction(3, 4) + 1) + Fraction(2 * 3 * 2 * 5, 4)


@pytest.mark.parametrize("seed", range(6))
def test_large_graphs_have_the_longest_path_at_any_times(seed: int) -> None:
    model, random = drawn(seed, 120, ("r", "r", ""), 3), Random(seed)
    names = {str(k): f"t{k}x" for k in range(1, 10)}
    named = Graph(tuple(p._replace(body=_renamed(p.body, names)) for p in model.body.parts))  # type: ignore[union-attr]
    values = {name: random.randint(1, 50) for name in names.values()}
    open_times = model._replace(body=named, values=values)
    app = analyse(parse(Source("graph.pam", text_of(open_times))))
    steps = Unfolded(open_times)
    assert app.T0.evaluate(values) == longest_path(steps)
    assert app.upper.evaluate(values) <= graham(steps, 3)


def _renamed(process: Process, names: dict[str, str]) -> Process:
    if isinstance(process, Step):
        return process._replace(seconds=names[process.seconds])
    assert isinstance(process, Together)
    return process._replace(bodies=tuple(_renamed(b, names) for b in process.bodies))
