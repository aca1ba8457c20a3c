"""Boxes: numbers as objects, which are made, opened and visited."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.java.translated import flat, invoked

from apet import java
from apet.cli.main import main
from apet.ground.source import Source

with_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")


def core(body: str, formals: str = "Integer[] a, int n", result: str = "int") -> str:
    """The model of a method at core level."""
    text = f"public class T {{ static {result} run({formals}) {{ {body} }} }}"
    return java.translate(Source("T.java", text), "T.run").text


def test_a_number_that_an_array_of_boxes_gets_is_a_new_object() -> None:
    stored = core("for (int i = 0; i < n; i++) a[i] = i * 3; return 0;")
    assert "    new[p];" in stored
    assert "vector_B" not in stored


@pytest.mark.parametrize("value", ["7", "-128", "(char) 97", "true"])
def test_boxes_that_are_there_beforehand_are_not_made(value: str) -> None:
    assert "new[p]" not in core(f"for (int i = 0; i < n; i++) a[i] = {value}; return 0;", "Object[] a, int n")


def test_a_box_that_stays_in_its_method_is_not_made() -> None:
    local = "int s = 0; for (int i = 0; i < n; i++) { Integer k = i * 3; s += k; } return s;"
    assert "new[p]" not in core(local)
    assert "new[p]" in flat(f"class T {{ static int run(int n) {{ {local} }} }}", "T.run")


def test_a_sum_goes_through_a_box_that_stays_in_its_method() -> None:
    body = "double s = 0; for (int i = 0; i < n; i++) { Double k = s * 3; s = k + 1; } return s;"
    carried = core(body, result="double")
    assert "lat_mpy_double[p]; lat_sum_double[p]" in carried.replace("\n", " ").replace("  ", " ")


def test_a_generic_class_of_the_program_is_given_boxes() -> None:
    stack = "static class Pile<E> { Object[] all = new Object[9]; int n; void put(E e) { all[n++] = e; } }"
    text = f"public class T {{ {stack} static void run(Pile<Integer> p, int k) {{ p.put(k); p.put(5); }} }}"
    model = flat(text, "T.run")
    run = model[model.index("run[p]") :]
    assert run[: run.index("};")].count("new[p];") == 1


@pytest.mark.parametrize("loop", ["for (int x : a) s += x;", "for (int i = 0; i < a.length; i++) s += a[i];"])
def test_a_box_is_opened_by_a_load_of_its_own(loop: str) -> None:
    model = core(f"int s = 0; {loop} return s;")
    assert "tp_load_reference[p]; tp_load_int[p]" in model
    assert {"tp_load_reference", "tp_load_int"} <= invoked(model)


@with_jdk
def test_a_profile_sees_where_the_boxes_of_an_array_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
    fill = "a = new Integer[n]; for (int i = 0; i < n; i++) a[i] = i * 3;"
    shuffled = "java.util.Collections.shuffle(java.util.Arrays.asList(a), new java.util.Random(1));"
    run = "int s = 0; for (int i = 0; i < a.length; i++) s += a[i] & 7; a[0]++; a[1] += 2; return s;"
    for name, order in (("InOrder", ""), ("Shuffled", shuffled)):
        text = f"public class {name} {{ Integer[] a; void setup(int n) {{ {fill} {order} }} int run() {{ {run} }} }}"
        (tmp_path / f"{name}.java").write_text(text)

    def shuffled_lines(name: str) -> float:
        assert main(["profile", str(tmp_path / f"{name}.java"), "--set", "n=50000", "--json"]) == 0
        values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
        return next(float(v) for k, v in values.items() if k.startswith("shuffled_"))

    assert shuffled_lines("InOrder") < 0.1
    assert shuffled_lines("Shuffled") > 0.9
