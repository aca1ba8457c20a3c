"""Models nested thousands of levels deep."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.robustness.inputs import written

import apet
from apet.machine import Machines
from apet.model.printer import print_model

ROOT = Path(__file__).resolve().parents[2]


Deep = Callable[[int], str]

DEEP: dict[str, Deep] = {
    "seq": lambda n: "L = " + "".join(f"seq (i{k} = 1, 2) " for k in range(n)) + "sum_int[1];",
    "par": lambda n: "L = " + "".join(f"par (i{k} = 1, 2) " for k in range(n)) + "sum_int[1];",
    "bars": lambda n: "L = " + "{ sum_int[1] || " * n + "sum_int[2]" + " }" * n + ";",
    "use": lambda n: "L = " + "use(disk, " * n + "sum_int[1]" + ")" * n + ";",
    "if": lambda n: "param q = 0.5 in [0, 1];\nL = " + "if (q) " * n + "sum_int[1];",
    "else": lambda n: "L = " + "if (0.5) sum_int[1] else " * n + "sum_int[2];",
    "braces": lambda n: "L = " + "{" * n + "sum_int[1]" + "}" * n + ";",
    "parentheses": lambda n: "param n = 1;\nL = delay(" + "(1 + n * " * n + "1" + ")" * n + ");",
    "minus": lambda n: "param n = 1;\nL = delay(" + "-" * (2 * n) + "n);",
    "plus": lambda n: "param n = 1;\nL = delay(" + "n + " * n + "n);",
    "power": lambda n: "param n = 1;\nL = delay(" + "n ^ " * n + "n);",
    "quotient": lambda n: "param n = 1;\nL = delay(" + "1 / (1 + " * n + "n" + ")" * n + ");",
    "sum": lambda n: "L = delay(" + "".join(f"sum(i{k} = 1, 2, " for k in range(n)) + "1" + ")" * n + ");",
    "max": lambda n: "param n = 1;\nL = delay(" + "max(n, 1 + " * n + "1" + ")" * n + ");",
    "subscripts": lambda n: "L = w[" + "1 + (" * n + "0" + ")" * n + f"];\nw[p] = sum_int[p - {n - 1}];",
    "equations": lambda n: (
        "L = e0;" + "".join(f"e{k} = {{ sum_int[1]; e{k + 1} }};" for k in range(n)) + f"e{n} = {{}};"
    ),
    "parameters": lambda n: (
        "L = delay(a0);" + "".join(f"param a{k} = a{k + 1};" for k in range(n)) + f"param a{n} = 1;"
    ),
}
DEEPER = 300
"""Resources that are all held at once are compared with each other; their nest takes quadratic time."""
HELD: Deep = lambda n: "L = " + "".join(f"use(r{k}, " for k in range(n)) + "delay(1)" + ")" * n + ";"  # noqa: E731


def assert_goes_through(text: str, machines: Machines) -> None:
    app = apet.compile_text(text)
    # Powers of two beyond what a float holds are an answer, too.
    try:
        prediction = apet.predict(app, machines)
        assert prediction.guaranteed.lo <= prediction.guaranteed.hi
    except apet.ApetError as error:
        assert "too large" in str(error)  # noqa: PT017  # either outcome is right
    printed = print_model(app.model)
    assert print_model(apet.compile_text(printed).model) == printed
    for formula in (app.T0, app.T_total):
        assert formula.text()
        assert formula.latex()
        assert formula.python()
        assert formula.json()


@pytest.mark.parametrize("name", DEEP)
def test_a_thousand_levels_are_compiled_predicted_printed_and_exported(name: str, machines: Machines) -> None:
    limit = sys.getrecursionlimit()
    assert_goes_through(DEEP[name](1000), machines)
    assert sys.getrecursionlimit() == limit


def test_hundreds_of_resources_may_be_held_at_once(machines: Machines) -> None:
    assert_goes_through(HELD(DEEPER), machines)


@pytest.mark.parametrize("name", DEEP)
def test_twenty_thousand_levels_end_in_an_answer_or_a_message(name: str, tmp_path: Path) -> None:
    """In a process of its own: too deep a recursion would end it without a word."""
    path = written(tmp_path, DEEP[name](20_000).encode())
    code = "import sys; from apet.cli.main import main; sys.exit(main(['compile', sys.argv[1]]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "compiler")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    deep = "nested more than 10,000 levels deep" in done.stderr
    assert done.returncode == (2 if deep else 0), done.stderr[-500:]
    assert deep or name == "braces"
    assert "Traceback" not in done.stderr


def test_braces_and_parentheses_alone_are_no_levels(machines: Machines) -> None:
    text = "L = " + "{" * 20_000 + "delay(" + "(" * 20_000 + "1" + ")" * 20_001 + "}" * 20_000 + ";"
    assert apet.predict(apet.compile_text(text), machines).estimate == apet.Interval(1, 1)
