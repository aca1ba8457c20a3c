"""Laws of simulated runs over random models."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.brute_force import brute_force
from tests.strategies import Case, Features, cases

from apet.ground.source import Source
from apet.machine.network import End
from apet.model.pamela import parse
from apet.model.resolve import resolve
from apet.simulator.simulation import Simulator, simulate

ENDS: tuple[End, ...] = ("tmin", "tmax")


@given(cases(Features(nested=False)))
def test_servers_are_busy_for_exactly_their_load(case: Case) -> None:
    model = parse(Source("random.pam", case.text))
    topology = "bus" if case.topology == "switch" else case.topology
    want = brute_force(model, case.table, "tmin", topology=topology).loads
    busy = simulate(model, case.table, "tmin", {}, topology).busy
    assert {r: t for r, t in busy.items() if t} == {r: t for r, t in want.items() if t}


@given(cases(Features(branches=True)), st.integers(0, 99))
def test_the_same_call_gives_the_same_run(case: Case, seed: int) -> None:
    model = parse(Source("random.pam", case.text))
    one, two = (simulate(model, case.table, "tmax", {}, case.topology, seed=seed) for _ in range(2))
    assert one == two


@given(cases(Features(branches=True)), st.integers(0, 99))
def test_a_run_does_not_depend_on_those_before_it(case: Case, seed: int) -> None:
    model = parse(Source("random.pam", case.text))
    simulator = Simulator(resolve(model), case.table, "tmax", {}, case.topology)
    simulator.run(seed + 1)
    after, alone = simulator.run(seed), simulate(model, case.table, "tmax", {}, case.topology, seed=seed)
    assert (after.makespan, after.events) == (alone.makespan, alone.events)
    assert after.busy == {**dict.fromkeys(after.busy, 0.0), **alone.busy}


@given(cases())
def test_a_run_on_a_bus_is_never_below_the_bound_without_one(case: Case) -> None:
    # List scheduling has anomalies: a run on a bus may be shorter than one without, but never below the bound.
    model = parse(Source("random.pam", case.text))
    free = brute_force(model, case.table, "tmin", topology="none").lower
    assert simulate(model, case.table, "tmin", {}, "bus").makespan >= free


@given(cases(Features(sends=False)))
def test_without_contention_a_run_takes_the_longest_path(case: Case) -> None:
    cores = dict.fromkeys(case.table.op_s, 10000)
    text = case.text.replace("servers", "servers 10000 *").replace("* 1 +", "+")
    model = parse(Source("random.pam", text))
    table = replace(case.table, servers=cores)
    assert simulate(model, table, "tmin", {}).makespan == pytest.approx(brute_force(model, table, "tmin").t0)
