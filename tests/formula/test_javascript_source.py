"""Formulas as JavaScript, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.formula.expressions import Case, cases, quantity

from apet.formula import Formula, Graph
from apet.formula.algebra.reduction import sum_over
from apet.formula.show.javascript_source import javascript_source, literal

RUNNER = """
const lines = require("readline").createInterface({ input: process.stdin });
const names = ["t_send", "t_mpy_double", "share"];
const quantity = (name) => (...given) => {
  let total = names.includes(name) ? names.indexOf(name) : name.length;
  given.forEach((value, k) => { total += (k + 2) * Math.trunc(value); });
  return ((total % 7) + 7) % 7;
};
lines.on("line", (line) => {
  const { source, values, operations } = JSON.parse(line);
  const quantities = Object.fromEntries(operations.map((name) => [name, quantity(name)]));
  let answer;
  try { answer = (0, eval)(source)(values, quantities, 1e6).map(String); } catch (error) { answer = String(error); }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
"""


@pytest.fixture(scope="module")
def node() -> Iterator[subprocess.Popen[str]]:
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    with subprocess.Popen([found, "-e", RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def run(process: subprocess.Popen[str], source: str, values: dict[str, float], operations: list[str]) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"source": source, "values": values, "operations": operations}) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def _evaluated(process: subprocess.Popen[str], case: Case) -> float:
    formula = Formula(case.graph, case.node)
    values = {p: float(case.values[p]) for p in formula.parameters}
    source = javascript_source(case.graph, [case.node])
    return float(run(process, source, values, list(formula.operations))[0])


@settings(max_examples=250, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases())
def test_the_function_gives_the_value(node: subprocess.Popen[str], case: Case) -> None:
    expected = float(case.evaluated())
    assert _evaluated(node, case) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=cases(inexact=True, families=False))
def test_the_function_gives_roots_and_logarithms(node: subprocess.Popen[str], case: Case) -> None:
    assert _evaluated(node, case) == pytest.approx(float(case.evaluated()), rel=1e-12, abs=1e-12)


def test_several_results_share_what_they_have_in_common(node: subprocess.Popen[str]) -> None:
    graph = Graph()
    shared = graph.call("floor", [graph.over(graph.symbol("n"), graph.symbol("P"))])
    roots = [graph.times(shared, graph.symbol("a")), shared, graph.one]
    source = javascript_source(graph, roots)
    assert source.count("= floor((") == 1
    assert run(node, source, {"n": 7, "P": 2, "a": 3}, []) == ["9", "3", "1"]


HOSTILE = ["</script><script>alert(1)</script>", '"]; alert(1); ["', "\\", "\u2028", "__proto__", "if", "a&b"]


def test_names_of_a_model_are_only_ever_strings(node: subprocess.Popen[str]) -> None:
    graph = Graph()
    root = graph.plus(*(graph.symbol(name) for name in HOSTILE), graph.item("t_</script>", [graph.one]))
    source = javascript_source(graph, [root])
    assert "<" not in source.replace("<=", "").replace(" < ", "")
    assert source.isascii()
    values = {name: float(k) for k, name in enumerate(HOSTILE) if name != "__proto__"}
    given_values = values | {"__proto__": 4.0}
    expected = sum(range(len(HOSTILE))) + quantity("t_</script>", [1], [])
    assert run(node, source, given_values, ["t_</script>"]) == [str(expected)]


def test_a_loop_that_would_take_too_long_is_refused(node: subprocess.Popen[str]) -> None:
    graph = Graph()
    graph.integers.add("n")
    index = graph.index("i", graph.one, graph.symbol("n"))
    body = graph.item("t_send", [index])
    root = sum_over(graph, index, graph.one, graph.symbol("n"), body)
    source = javascript_source(graph, [root])
    assert run(node, source, {"n": 10}, ["t_send"]) == [str(sum(quantity("t_send", [k], []) for k in range(1, 11)))]
    assert "RangeError" in run(node, source, {"n": 1e9}, ["t_send"])


@pytest.mark.parametrize(("tenths", "whole"), list(product(range(1, 30, 7), (10, 30))))
def test_what_a_decimal_fraction_makes_whole_is_whole(node: subprocess.Popen[str], tenths: int, whole: int) -> None:
    graph = Graph()
    product_of = graph.times(graph.symbol("q"), graph.symbol("n"))
    roots = [graph.call("floor", [product_of]), graph.call("ceil", [product_of])]
    found = run(node, javascript_source(graph, roots), {"q": tenths / 10, "n": whole}, [])
    assert found == [str(tenths * whole // 10)] * 2


def test_a_string_ends_no_script() -> None:
    assert json.loads(literal("</script>")) == "</script>"
    assert "<" not in literal("<!--")
