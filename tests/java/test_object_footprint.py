"""Objects beyond the first level of caches, in the order of their allocation or not; what young collections copy."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import apet
from apet import java
from apet.cli.main import main
from apet.ground.source import Source
from apet.java.profile.parameter_values import parameters

DATA = Path(__file__).resolve().parents[1] / "data" / "java-footprint"
MACHINES = apet.load_machines("zen5-openjdk17")
NAMES = sorted(json.loads((DATA / "sizes.json").read_text(encoding="utf-8")))
has_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")


def model(fields: str, body: str, size: str = "int a; P next;") -> str:
    source = f"class K {{ static class P {{ {size} }} {fields} double run() {{ int s = 0; {body} return s; }} }}"
    return java.translate(Source("K.java", source), "K.run", "core").text


def in_order_and_shuffled(text: str) -> tuple[float, float]:
    """Seconds at the middle of the interval, where each visit goes on in the order of allocation and in no order."""
    app = apet.compile_text(text)
    values: dict[str, float] = {p.name: 0.5 if p.name[:2] == "q_" else 999 for p in parameters(text) if not p.value}
    far = {p.name: 5e7 for p in parameters(text) if p.name.startswith("spread_")}
    any_order = {p.name: 1.0 for p in parameters(text) if p.name.startswith("shuffled_")}
    ends = [apet.predict(app, MACHINES, 1, values=values | far | more).estimate for more in ({}, any_order)]
    return float(ends[0].hi), float(ends[1].hi)


@pytest.mark.parametrize(
    ("fields", "size"),
    [("", 16), ("int a;", 16), ("int a; P b;", 24), ("double x, y;", 32), ("long x; int a;", 24), ("byte a, b;", 16)],
)
def test_objects_have_a_header_of_twelve_bytes_and_are_multiples_of_eight(fields: str, size: int) -> None:
    text = model("P[] all; int n;", "for (int i = 0; i < n; i++) s += all[i].f();", f"{fields} int f() {{ return 1; }}")
    line = next(p for p in parameters(text) if p.name == "spread_1")
    assert line.value in (f"{size} * n", f"n * {size}")


@pytest.mark.parametrize(
    ("body", "operation"),
    [
        ("for (P p = first; p != null; p = p.next) s += p.a;", "wait_memory"),
        ("for (int i = 0; i < n; i++) { P p = all[i]; s += p.a; }", "gather_memory"),
        ("for (P p : all) s += p.a;", "gather_memory"),
        ("for (int i = 0; i < n; i++) s += boxes.get(i);", "gather_memory"),
    ],
)
def test_the_next_object_is_waited_for_where_the_one_before_tells_it(body: str, operation: str) -> None:
    text = model("P first; P[] all; int n; java.util.List<Integer> boxes;", body)
    assert f"{operation}[p]" in text
    assert ("wait_memory" in text) == (operation == "wait_memory")


@pytest.mark.parametrize("body", ["for (int i = 0; i < n; i++) s += first.a;", "s += first.next.a;"])
def test_an_object_that_stays_is_near(body: str) -> None:
    assert "shuffled" not in model("P first; int n;", body)


@pytest.mark.parametrize("name", NAMES)
def test_programs_full_of_objects_take_longer_in_any_order(name: str) -> None:
    translation = apet.translate(DATA / f"{name}.java", entry=f"{name}.run", level="core")
    in_order, shuffled = in_order_and_shuffled(translation.text)
    assert shuffled > in_order or "spread_" not in translation.text


@has_jdk
@pytest.mark.parametrize(("name", "least", "most"), [("ListShuffled", 0.9, 1.0), ("ListInOrder", 0.0, 0.01)])
def test_a_profile_tells_in_which_order_objects_lie(
    name: str, least: float, most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    values = profiled(name, 30_000, capsys)
    spread = next(v for k, v in values.items() if k.startswith("spread_"))
    assert least <= next(v for k, v in values.items() if k.startswith("shuffled_")) <= most
    assert 0.8 * 24 * 30_000 < spread < 1.3 * 24 * 30_000, "all nodes are visited between two visits of one"


def profiled(name: str, n: int, capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    """What a run of a program at a size gives the parameters of its model."""
    assert main(["profile", str(DATA / f"{name}.java"), "--set", f"n={n}", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert isinstance(values, dict)
    return values


@pytest.mark.parametrize(
    ("step", "is_move"),
    [
        ("int x = a[i] < t ? p : q; s += x;", True),
        ("s += a[i] < t ? 1 : 0;", True),
        ("if (a[i] < t) s = p;", True),
        ("int d = a[i] - t; if (d < 0) d = -d; s += d;", True),
        ("if ((a[i] & 1) == 0) s += i;", True),
        ("if (a[i] < t) s++;", False),
        ("if (a[i] < t) System.identityHashCode(null);", False),
        ("if (a[i] < t) s = s * 3 + 1; else s = s ^ i;", False),
        ("int d = a[i] - t; if (d < 0) s -= d; else s += d;", False),
        ("int v = a[i]; s = v < t ? s + v : s - v;", False),
    ],
)
def test_what_goes_on_from_round_to_round_is_no_conditional_move(step: str, is_move: bool) -> None:
    text = model("int[] a; int t, p, q;", f"for (int i = 0; i < a.length; i++) {{ {step} }}")
    guess = next(p for p in parameters(text) if p.name.startswith("miss_"))
    assert ("< 9 / 50" in guess.value) == is_move, guess.value
