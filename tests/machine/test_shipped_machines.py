"""The shipped machine files that were derived: their times follow from the tables that they list themselves."""

from __future__ import annotations

import pytest

from apet.machine import Machines, load_machines, shipped_machines

SHIPPED = [name for name in shipped_machines() if "made_of" in load_machines(name).provenance]
TYPES = ("int", "long", "float", "double")
NEEDED = {
    *(f"{op}_{kind}" for op in ("sum", "sub", "mpy", "div", "assign", "access", "compare") for kind in TYPES),
    *("mod_int", "mod_long", "assign", "access", "compare"),
    *("sqrt_double", "log_double", "exp_double", "sin_double"),
    *("call", "return", "new", "array_access", "field_access", "call_random", "add_list"),
}


@pytest.fixture(scope="module", params=SHIPPED)
def machines(request: pytest.FixtureRequest) -> Machines:
    return load_machines(str(request.param))


def test_cycles_of_an_operation_are_those_of_its_instructions(machines: Machines) -> None:
    instructions, made_of = machines.provenance["instructions"], machines.provenance["made_of"]
    for op, cycles in machines.provenance["cycles"].items():
        for end in (0, 1):
            assert cycles[end] == sum(times * instructions[name][end] for name, times in made_of[op].items()), op


def test_times_are_cycles_over_the_clock_rate(machines: Machines) -> None:
    cycles, clocks = machines.provenance["cycles"], machines.provenance["clock_Hz"]
    assert set(clocks) == {group.name for group in machines.groups}
    for group in machines.groups:
        assert set(group.op_s) == set(cycles)
        for op, interval in group.op_s.items():
            derived = [c / clocks[group.name] for c in cycles[op]]
            assert [interval.lo, interval.hi] == pytest.approx(derived, rel=5e-6), op


def test_factors_are_the_ratios_of_the_clock_rates(machines: Machines) -> None:
    clocks = [machines.provenance["clock_Hz"][group.name] for group in machines.groups]
    assert machines.factors() == pytest.approx([clock / max(clocks) for clock in clocks], rel=1e-5)


def test_every_operation_of_the_small_file_is_in_the_others() -> None:
    small = load_machines("two-nodes").operations
    assert all(small <= load_machines(name).operations for name in SHIPPED)


@pytest.mark.parametrize("name", ["join-2005", "cluster-64"])
def test_the_large_files_have_every_operation_that_models_use(name: str) -> None:
    assert load_machines(name).operations >= NEEDED


def test_the_laboratory_is_the_published_one() -> None:
    lab = load_machines("join-2005")
    published = {"p4-850": (9, 850e6, 128), "p4-1500": (12, 1.5e9, 512), "p4-1800": (11, 1.8e9, 256)}
    clocks = lab.provenance["clock_Hz"]
    assert {g.name: (g.count, clocks[g.name], g.memory_MB) for g in lab.groups} == published
    assert (lab.processors, lab.network.topology) == (32, "bus")
    assert lab.provenance["method"] == "derived, not measured"


def test_halving_the_laboratory_removes_the_slowest_first() -> None:
    lab = load_machines("join-2005")
    kept = [[(g.group.name, g.last - g.first + 1) for g in lab.configure(P).groups] for P in (23, 16, 2)]
    assert kept == [[("p4-1800", 11), ("p4-1500", 12)], [("p4-1800", 11), ("p4-1500", 5)], [("p4-1800", 2)]]


def test_the_slow_network_of_the_laboratory_holds_in_both_directions() -> None:
    lab = load_machines("join-2005").configure()
    slow, quick = lab.send(0, 32, 10**6, "tmin"), lab.send(0, 1, 10**6, "tmin")
    assert slow == lab.send(32, 0, 10**6, "tmin") == lab.send(32, 31, 10**6, "tmin")
    assert slow == pytest.approx(2e-4 + 1e6 / 1.1866e6)
    assert quick == pytest.approx(1e-4 + 1e6 / 11.866e6)


@pytest.mark.parametrize("name", shipped_machines())
def test_every_output_shows_that_a_machine_model_was_not_measured(name: str) -> None:
    machines = load_machines(name)
    mark = {"fictitious": " (fictitious machine)", "derived": " (derived)", "measured": ""}[machines.provenance["kind"]]
    assert machines.name.endswith(mark)
    assert ("(" in machines.name) == bool(mark)
