"""Rules of the core level about objects: classes, interfaces, patterns, escape analysis, overloads of `append`."""

from __future__ import annotations

import pytest

from apet import java
from apet.ground.source import Source
from apet.program.levels.memory import forgotten

CLASSES = """
  static class P { final int a; P next; P(int a) { this.a = a; } int twice() { return 2 * a; }
    P plus(P o) { return new P(a + o.a); } }
  interface I { int f(int k); }
  static class A implements I { public int f(int k) { return k; } }
  static class B implements I { public int f(int k) { return k + 1; } }
  static class C implements I { public int f(int k) { return k ^ 3; } }
  sealed interface L permits Cons, Nil { } record Cons(int head, L tail) implements L { } record Nil() implements L { }
"""
MORE = """
  record R(int a, P p) { }
  static class Quick extends RuntimeException { Quick() { super("", null, false, false); } }
  static int looped(P p) { int s = 0; for (int k = 0; k < p.a; k++) s += k; return s; }
  static int within(P p) { return looped(p) + 1; }
"""


def model(body: str, fields: str = "int n; P kept; I[] all; L list; Object any; StringBuilder text;") -> str:
    source = f"class K {{ {CLASSES} {fields} public double run() {{ int s = 0; {body} return s; }} {MORE} }}"
    return java.translate(Source("K.java", source), "K.run", "core").text


def in_loop(step: str) -> str:
    return model(f"for (int i = 0; i < n; i++) {{ {step} }}")


@pytest.mark.parametrize(
    ("step", "is_allocated"),
    [
        ("s += new P(i).twice();", False),
        ("P p = new P(i); s += p.a;", False),
        ("s += new P(i).plus(new P(3)).a;", False),
        ("s += new R(i, null).a();", False),
        ("R r = new R(i, new P(2)); s += r.p().twice();", False),
        ("P p = new P(i); p.next = new P(2); s += p.next.a;", False),
        ("P p = new P(i), q = new P(2); s += p.twice(); kept = q;", True),
        ("kept = new P(i);", True),
        ("s += within(new P(i));", True),
        ("s += (i > 7 ? new P(i) : new P(2)).a;", True),
        ("P p = new P(i); p.next = kept; kept = p;", True),
        ("P p = new P(i); if (i > 7) p = new P(2); s += p.a;", True),
        ("text.append(new P(i));", True),
    ],
)
def test_only_what_leaves_its_method_is_allocated(step: str, is_allocated: bool) -> None:
    assert ("new[p]" in in_loop(step)) == is_allocated


def test_what_a_new_object_is_made_of_is_there_when_its_fields_are() -> None:
    walked = model("P p = new P(1); for (int i = 0; i < n; i++) p = p.plus(kept); s += p.a;")
    assert "|| { lat_load_int[p]; lat_sum_int[p] }" in walked, "each round waits for the object of the last one"


def test_an_exception_without_a_trace_is_a_jump() -> None:
    caught = "try {{ if (i > n - 9) throw new {}(); s++; }} catch (RuntimeException e) {{ s--; }}"
    assert "throw[p]" in in_loop(caught.format("RuntimeException"))
    assert "throw[p]" not in in_loop(caught.format("Quick"))


def test_nodes_of_a_set_are_visited_by_calls_that_a_run_times() -> None:
    fields = "int n; java.util.Set<Integer> set; java.util.List<Integer> list;"
    assert "call_Iterator_next[p]" in model("for (int x : set) s += x;", fields)
    assert "next_iterator[p]" in model("for (int x : list) s += x;", fields)


def test_what_a_method_returns_leaves_it_where_it_is_not_inlined() -> None:
    source = "class K { static class P { int a; } int n; P run() { P p = new P(); p.a = n; return p; } }"
    assert "new[p]" in java.translate(Source("K.java", source), "K.run", "core").text


def test_an_interface_that_an_object_lacks_is_searched_for() -> None:
    assert "if (1 - q_9) instanceof_absent[p]" in in_loop("if (any instanceof java.util.Map) s++;")
    assert "if (q_9) instanceof_absent[p]" in in_loop("if (!(any instanceof I)) s++;")
    assert "instanceof_absent" not in in_loop("if (any instanceof A) s++;")


def test_a_variable_of_a_pattern_is_what_was_asked() -> None:
    walked = model("L at = list; while (at instanceof Cons c) { s += c.head(); at = c.tail(); }")
    assert "|| lat_load_int[p]" in walked, "the next element is known when this one has come"


def test_a_wrong_target_of_several_methods_costs_more_than_a_branch() -> None:
    assert "mispredict_target[p]" in in_loop("s += all[i].f(i);")
    learnt = [forgotten(missed, 437.5, 2) for missed in (384, 768, 1536, 3072)]
    assert learnt == pytest.approx([0, 0.41, 0.91, 1.0], abs=0.01)


@pytest.mark.parametrize(
    ("argument", "suffix"),
    [("'c'", "["), ("true", "["), ("i", "_int["), ("i * 0.5", "_double["), ('"ab"', "_String["), ("any", "_Object[")],
)
def test_what_is_appended_tells_what_it_costs(argument: str, suffix: str) -> None:
    assert f"call_StringBuilder_append{suffix}" in in_loop(f"text.append({argument});")


def test_code_handed_to_a_call_that_knows_how_often_is_counted_by_a_name() -> None:
    handed = "java.util.stream.IntStream.range(0, n).map(i -> i * 3).sum()"
    source = f"class K {{ int n; public double run() {{ return {handed}; }} }}"
    assert "= n; " in java.translate(Source("K.java", source), "K.run", "core").text


def test_a_variable_that_is_given_what_it_refers_to_has_a_name() -> None:
    source = "class K { int a; K self() { return this; } int run(K k) { k = k.self(); return k.a; } }"
    assert "tp_load_int[p]" in java.translate(Source("K.java", source), "K.run", "core").text
