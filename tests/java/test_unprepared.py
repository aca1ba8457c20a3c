"""Java that nobody prepared: what is translated is a model, calls have a time, and methods are javac's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.java.campaign.campaign import run, sources
from tests.java.campaign.outcome import PREDICTED, outcome, values_for_all
from tests.java.translated import flat, invoked
from tests.work import growth

import apet
from apet.ground.diagnostics import ApetError, render
from apet.ground.resources import located
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.java import translate
from apet.machine import load_machines
from apet.machine.operation_classes import completed

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
DATA = Path(__file__).resolve().parents[1] / "data" / "java-unprepared"
MACHINES = load_machines(located("zen5-openjdk17"))


def steps(text: str, entry: str | None = None) -> set[str]:
    """The operations and equations that a translation at flat level invokes."""
    return invoked(flat(text, entry))


@pytest.mark.parametrize("level", ["core", "flat"])
@pytest.mark.parametrize("folder", ["java-unprepared", "java-features"])
def test_whatever_is_translated_passes_the_check_and_predicts(level: str, folder: str) -> None:
    counts = run(sources([str(DATA.parent / folder)]), MACHINES, level, 100, 1)
    assert counts.kinds.total() > 15
    assert counts.kinds[PREDICTED] == counts.kinds.total(), counts.reasons


@pytest.mark.parametrize("method", ["pushed", "areas", "norms"])
def test_methods_of_the_program_are_not_taken_for_a_library(method: str) -> None:
    text = (DATA / "Shapes.java").read_text(encoding="utf-8")
    wanted = {
        "pushed": {"push", "pop", "hasNext", "next"},
        "areas": {"Circle_area", "Box_area"},
        "norms": {"norm", "call_Map_get", "call_List_get"},
    }[method]
    invoked = steps(text, f"Shapes.{method}")
    assert wanted <= invoked
    assert not {"next_iterator"} & invoked or method == "norms"


def test_a_call_that_nobody_measured_has_the_time_of_its_class() -> None:
    text = "class T { java.util.zip.CRC32 c; int n; void run() { for (int i = 0; i < n; i++) c.update(i); } }"
    app = apet.compile_text(translate(Source("T.java", text)).text)
    estimate = apet.predict(app, MACHINES, 1, values={"n": 1000}).estimate
    assert estimate.lo * 10 < estimate.hi
    assert completed(MACHINES, app.operations).assumed == {"call_CRC32_update": "call_*"}


def test_what_only_throws_costs_nothing_unless_it_is_set() -> None:
    text = 'class T { void run(int n) { if (n < 0) throw new IllegalArgumentException("n: " + n); n++; } }'
    model = flat(text)
    assert "param q_1 = 0 in [0, 1];" in model
    assert outcome(Source("T.java", text), "T.run", "core", MACHINES).kind == PREDICTED


def test_a_call_costs_more_for_each_element_that_it_works_on() -> None:
    text = "class T { void run(int n) { int[] a = new int[n]; java.util.Arrays.sort(a); Other.unknown(); } }"
    model = flat(text)
    assert "seq (k = 1, n * log2(max(2, n))) each_Arrays_sort[p];" in model
    short, long = (
        apet.predict(apet.compile_text(model), MACHINES, 1, values={"n": n}).estimate.lo for n in (10, 100_000)
    )
    assert long > 1000 * short


def test_an_index_that_a_value_outlives_is_at_the_middle_of_its_range() -> None:
    model = translate(Source("Ways.java", (DATA / "Ways.java").read_text(encoding="utf-8")), "Ways.middle").text
    app = apet.compile_text(model)
    assert apet.predict(app, MACHINES, 1, values=values_for_all(app)).estimate.hi > 0


OVERLOADS = """\
class T {
  static class Base {}
  static class Sub extends Base {}
  static class Far extends Sub {}
  void f(Object o) { } void f(Base b) { g1(); } void f(Sub s) { g2(); }
  void g1() { } void g2() { }
  void h(long v) { g1(); } void h(Object v) { g2(); } void h(int... v) { }
  void run() { CALL; }
}
"""


@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        ("f(new Far())", "g2"),
        ("f(new Base())", "g1"),
        ("h(3)", "g1"),
        ('h("a")', "g2"),
        ("h(Integer.valueOf(3))", "g1"),
    ],
)
def test_of_overloads_the_nearest_is_called(call: str, wanted: str) -> None:
    assert {"g1", "g2"} & steps(OVERLOADS.replace("CALL", call)) == {wanted}


STRANGERS = DATA.parent / "java-strangers"


@pytest.mark.parametrize("path", sorted(STRANGERS.glob("*.java")), ids=lambda p: p.stem)
def test_programs_of_every_style_pass_the_check_and_predict(path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    assert outcome(source, f"{path.stem}.run", "core", MACHINES).kind == PREDICTED


def test_a_call_that_two_methods_fit_is_told_with_its_place() -> None:
    text = "class T { void f(Integer a, Object b) { } void f(Object a, Integer b) { }\n void run() { f(1, 2); } }"
    shown = [render(a) for a in translate(Source("T.java", text)).advice]
    assert shown[0].startswith(
        "T.java:2:15: warning: T.f(Integer, Object) and T.f(Object, Integer) both fit this call: the first is taken"
    )


def test_a_synchronized_method_enters_a_monitor_and_a_class_is_a_constant() -> None:
    text = "class T { synchronized Object f() { return T.class; } void run() { f(); } }"
    assert "monitor" in steps(text)
    assert not {s for s in steps(text) if s.startswith("call_")}


def test_a_long_method_is_translated_in_time_linear_in_its_conditions() -> None:
    def translated(conditions: int) -> None:
        body = "".join(f"if (a[{i}] > {i}) s += {i};\n" for i in range(conditions))
        translate(Source("T.java", f"class T {{ int[] a; int run() {{ int s = 0;\n{body} return s; }} }}"))

    assert growth(translated, 100) < 2.3


def test_an_overload_whose_types_have_one_simple_name_is_chosen_by_its_line() -> None:
    task = "class T {\n void f(a.Item x) { }\n void f(b.Item x) { x = null; }\n}"
    assert ["assign_reference" in flat(task, f"T.f(Item):{line}") for line in (2, 3)] == [False, True]
    assert "// T.java: T.f(Item):3, flat level" in flat(task, "f:3")
    with pytest.raises(ApetError, match=r"several methods could be the entry: T.f\(Item\):2, T.f\(Item\):3"):
        flat(task, "T.f(Item)")


def test_that_weights_of_operations_are_shares_is_proved_once_and_for_all() -> None:
    small = "boolean odd(int x) { return x < 0 || x == lo || x == hi && x != mid || next.lo == x; }"
    run = "int run(int n) { int s = 0; for (int i = 0; i < n; i++) { if (odd(a[i]) || odd(s)) s += b[i]; } return s; }"
    fields = "int lo, hi, mid; int[] a, b; T next;"
    app = apet.compile_text(translate(Source("T.java", f"class T {{ {fields} {small} {run} }}")).text)
    assert len(app.free_branches) == 0
    assert {r.kind for r in app.requirements} == {"division by zero"}  # by sizes of caches; no weight is in doubt


def test_a_field_of_a_file_beside_and_a_method_may_have_one_name(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < depth; i++) s += i;"
    (tmp_path / "Rules.java").write_text(f"class Rules {{ int depth; int sum() {{ int s = 0; {loop} return s; }} }}")
    task = "class T { Rules r; int depth(int[] a) { int s = 0; for (int x : a) s += x; return s; }\n"
    path = tmp_path / "T.java"
    path.write_text(task + "int run(int[] a) { int s = depth(a); return s + r.sum(); } }")
    assert outcome(read_source(str(path)), "T.run", "flat", MACHINES).kind == PREDICTED
