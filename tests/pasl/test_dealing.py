"""Numbered tasks go to workers as a run deals them: the oracle sorts the places of Webster's order."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apet
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java import translate as translate_java
from apet.machine import Machines, parse_machines
from apet.pasl import translate

GRAPH = """application tri;
param m = 4;
batch work[i = 1, m] { task "one.pam" task with n = i; }
"""
TASK = "task[p](n) = seq (k = 1, n) sum_int[p];\n"
JAVA = """class Task {
  int size;
  void setup(int size) { this.size = size; }
  double run() { double s = 0; for (int i = 0; i < size; i++) s += helped(i, 3); return s; }
  static double helped(int at, int limit) { return at * limit; }
}
"""


def machines_of(speeds: dict[str, tuple[int, str]]) -> Machines:
    """Groups of workers: how many, and the seconds of the operation."""
    groups = "".join(
        f'[[machine]]\nname = "{name}"\ncount = {count}\n[machine.op_s]\nsum_int = {seconds}\n'
        for name, (count, seconds) in speeds.items()
    )
    return parse_machines(
        Source("m.toml", f'schema = 1\nname = "m"\n[network]\nlatency_s = 0\nbandwidth_B_per_s = 1e9\n{groups}')
    )


def predicted(folder: Path, machines: Machines, tasks: int, workers: int) -> apet.Prediction:
    """The prediction of a graph whose i-th task takes i steps."""
    (folder / "one.pam").write_text(TASK)
    source = Source(str(folder / "tri.pasl"), GRAPH)
    text = translate(source, translate_java, usual_level="flat").text
    return apet.predict(apet.compile_text(text), machines, P=workers, m=tasks)


def longest(shares: list[int], seconds: list[int]) -> int:
    """The time of the worker that takes longest: task by task in the order of their places."""
    places = sorted((Fraction(2 * k + 1, 2 * s), w) for w, s in enumerate(shares) for k in range(s))
    times = [0] * len(shares)
    for number, (_, worker) in enumerate(places, 1):
        times[worker] += number * seconds[worker]
    return max(times)


@settings(max_examples=15, deadline=None)
@given(tasks=st.integers(1, 40), workers=st.integers(1, 7))
def test_equal_workers_get_the_tasks_in_turn(
    tasks: int, workers: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    machines = machines_of({"all": (7, "1")})
    shares = [(tasks + workers - 1 - w) // workers for w in range(workers)]
    one = predicted(tmp_path_factory.mktemp("deal"), machines, tasks, workers)
    assert float(one.estimate.lo) == float(one.estimate.hi) == longest(shares, [1] * workers)


@settings(max_examples=15, deadline=None)
@given(tasks=st.integers(1, 40), slow=st.integers(1, 3))
def test_unequal_workers_get_those_of_their_places(
    tasks: int, slow: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    machines = machines_of({"fast": (2, "1"), "slow": (3, "3")})
    workers = 2 + slow
    shares = [machines.configure(workers).shares(tasks)[w] for w in range(workers)]
    one = predicted(tmp_path_factory.mktemp("deal"), machines, tasks, workers)
    assert float(one.estimate.hi) == pytest.approx(longest(shares, [1, 1, 3, 3, 3]), rel=1e-12)


def test_a_formal_of_a_method_that_nobody_gives_values_is_no_name_of_a_task(tmp_path: Path) -> None:
    (tmp_path / "Task.java").write_text(JAVA)
    text = 'application t;\nbatch all[2] { task "Task.java" with NAME = 7; }\n'
    for name in ("size", "limit"):
        source = Source(str(tmp_path / "t.pasl"), text.replace("NAME", name))
        if name == "size":
            translate(source, translate_java, usual_level="flat")
            continue
        with pytest.raises(ApetError, match="limit"):
            translate(source, translate_java, usual_level="flat")
