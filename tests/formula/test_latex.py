"""Formulas as LaTeX and MathML: one layout, two languages."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from tests.formula.expressions import Case, cases, new_graph

from apet.formula import Formula, Graph
from apet.formula.algebra.reduction import max_over, sum_over
from apet.formula.graph.nodes import Binder, Interference, Load, NodeId, Peak
from apet.formula.show.latex import latex
from apet.formula.show.mathml import mathml

Build = Callable[[Graph], NodeId]


def _share_of_work(g: Graph) -> NodeId:
    p = g.index("p", g.one, g.symbol("P"))
    time = g.add([(g.item("t_mpy_double", [p]), 2), (g.item("t_call", [p]), 2)])
    return g.over(g.times(g.item("share", [p]), g.symbol("n"), time), g.symbol("tasks"))


def _indexed(g: Graph) -> NodeId:
    p = g.index("p", g.one, g.symbol("P"))
    return g.plus(g.symbol("n"), max_over(g, p, g.one, g.symbol("P"), g.item("t_send", [g.zero, p], [g.const(8)])))


def _nested(g: Graph) -> NodeId:
    i = g.index("i", g.one, g.symbol("P"))
    j = g.index("i", g.one, i)
    inner = max_over(g, j, g.one, i, g.item("t_x", [i, j]))
    return sum_over(g, i, g.one, g.symbol("P"), inner)


def _peak(g: Graph) -> NodeId:
    p, q = (g.index(name, g.one, g.symbol("P")) for name in "pq")
    load = Load((Binder(p, g.one, g.symbol("P")),), (p,), g.item("t_x", [p]), g.zero, g.zero, True)
    late = Load((), (g.one,), g.symbol("n"), g.symbol("m"), g.zero, False)
    return g.intern(Peak((load, late), (q,), g.item("cores", [q])))


def _interference(g: Graph) -> NodeId:
    load = Load((), (), g.symbol("n"), g.zero, g.zero, True)
    return g.intern(Interference((load,), (load, load), (), g.const(2)))


PAIRS: list[tuple[Build, str]] = [
    (lambda g: g.item("t_mpy_double", [g.symbol("p")]), r"t_{\mathrm{mpy\_double}, p}"),
    (lambda g: g.item("t_send", [g.zero, g.symbol("p")], [g.const(8)]), r"t_{\mathrm{send}, 0, p}(8)"),
    (lambda g: g.item("share", [g.symbol("p")]), r"\mathit{share}_{p}"),
    (lambda g: g.symbol("block_size"), r"\mathit{block\_size}"),
    (lambda g: g.symbol("a$b"), r"\mathit{a\$b}"),
    (lambda g: g.const(Fraction(-1, 3)), r"- \frac{1}{3}"),
    (lambda g: g.const(Fraction(1, 4)), "0.25"),
    (lambda g: g.add([(g.symbol("n"), -1), (g.symbol("m"), 2)], -3), "2 m - n - 3"),
    (lambda g: g.scale(g.over(g.symbol("n"), g.symbol("P")), Fraction(2, 3)), r"\frac{2 n}{3 P}"),
    (lambda g: g.power(g.symbol("n"), -2), r"\frac{1}{n^{2}}"),
    (lambda g: g.times(g.symbol("n"), g.shift(g.symbol("m"), 1)), "n (m + 1)"),
    (lambda g: g.scale(g.call("pow", [g.const(2), g.symbol("n")]), 3), r"3 \cdot 2^{n}"),
    (lambda g: g.times(g.symbol("n"), g.call("mod", [g.symbol("m"), g.symbol("P")])), r"n (m \bmod P)"),
    (lambda g: g.call("floor", [g.scale(g.symbol("x"), Fraction(1, 2))]), r"\lfloor 0.5 x \rfloor"),
    (lambda g: g.call("ceil", [g.symbol("x")]), r"\lceil x \rceil"),
    (lambda g: g.call("log2", [g.symbol("x")]), r"\mathrm{log}_{2}(x)".replace(r"\mathrm{log}", r"\log")),
    (lambda g: g.call("sqrt", [g.symbol("x")]), r"\sqrt{x}"),
    (lambda g: g.compare("<=", g.symbol("n"), g.symbol("m")), r"[n \le m]"),
    (lambda g: g.maximum([g.symbol("n"), g.symbol("m")]), r"\max(n, m)"),
    (lambda g: g.times(g.symbol("nodes"), g.symbol("input")), r"\mathit{nodes} \cdot \mathit{input}"),
    (lambda g: g.times(g.symbol("n"), g.symbol("input")), r"n \cdot \mathit{input}"),
    (lambda g: g.scale(g.symbol("input"), 5), r"5\, \mathit{input}"),
    (lambda g: g.times(g.symbol("input"), g.shift(g.symbol("m"), 1)), r"\mathit{input} \cdot (m + 1)"),
    (lambda g: g.scale(g.symbol("n"), Fraction(1, 128 * 10**9)), r"7.8125 \cdot 10^{-12} n"),
    (
        _share_of_work,
        r"\frac{2\, \mathit{share}_{p} \cdot n}{\mathit{tasks}}(t_{\mathrm{mpy\_double}, p} + t_{\mathrm{call}, p})",
    ),
    (_indexed, r"n + \max_{1 \le p \le P} t_{\mathrm{send}, 0, p}(8)"),
    (_nested, r"\sum_{i = 1}^{P} \max_{1 \le i' \le i} t_{\mathrm{x}, i, i'}"),
    (
        _peak,
        r"\max_{q} \left[ \min h + \frac{\sum w}{\mathit{cores}_{q}} \,\middle|\, \begin{array}{l} "
        r"(h, w) = (0, t_{\mathrm{x}, p}) \text{ for } q = p, 1 \le p \le P \\ "
        r"(h, w) = (m, n) \text{ for } q = 1, w > 0 \end{array} \right]",
    ),
    (
        _interference,
        r"\left[ \frac{\sum w - \sum v}{2} \,\middle|\, \begin{array}{l} v = n \\ w = n \\ w = n \end{array} \right]",
    ),
]


@pytest.mark.parametrize(("build", "expected"), PAIRS, ids=[expected for _, expected in PAIRS])
def test_latex_reads_as_in_the_papers(build: Build, expected: str) -> None:
    graph = new_graph()
    assert latex(graph, build(graph)) == expected


@settings(max_examples=150)
@given(cases(inexact=True))
def test_braces_and_fences_are_balanced(case: Case) -> None:
    shown = latex(case.graph, case.node)
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", shown):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert len(re.findall(r"\\left(?![a-z])", shown)) == len(re.findall(r"\\right(?![a-z])", shown))


ARITY = {"mfrac": 2, "msub": 2, "msup": 2, "msubsup": 3, "munder": 2, "munderover": 3}
KNOWN = {*ARITY, "math", "mrow", "mi", "mn", "mo", "mtext", "msqrt", "mtable", "mtr", "mtd"}


@settings(max_examples=150)
@given(cases(inexact=True))
def test_mathml_is_one_well_formed_element_of_known_ones(case: Case) -> None:
    root = ElementTree.fromstring(mathml(case.graph, case.node))
    names = [element.tag.split("}")[1] for element in root.iter()]
    assert names[0] == "math"
    assert set(names) <= KNOWN
    for element in root.iter():
        name = element.tag.split("}")[1]
        assert len(element) == ARITY.get(name, len(element))


def test_mathml_escapes_names() -> None:
    graph = Graph()
    shown = mathml(graph, graph.plus(graph.symbol("<script>"), graph.item('t_"&', [graph.symbol("a&b")])))
    root = ElementTree.fromstring(shown)
    assert "<script>" not in shown
    assert {"<script>", "a&b", '"&'} <= {e.text for e in root.iter()}


@pytest.mark.parametrize("face", [latex, mathml])
def test_large_and_deep_formulas_are_written(face: Callable[[Graph, NodeId], str]) -> None:
    graph = Graph()
    wide = graph.plus(*(graph.symbol(f"x{k}") for k in range(10_000)))
    assert all(f"x{k}" in face(graph, wide) for k in (0, 9_999))
    node = graph.symbol("x")
    for k in range(1_000):
        node = graph.maximum([graph.plus(node, graph.symbol(f"a{k}")), graph.symbol(f"b{k}")])
    assert face(graph, node).count("max") == 1_000


def test_formulas_offer_both_faces() -> None:
    graph = Graph()
    formula = Formula(graph, graph.symbol("n"))
    assert formula.latex() == "n"
    assert formula.mathml().endswith("<mi>n</mi></math>")
