"""Task graphs as text: what is printed is read as the same graph, and `graph` and `after` remain names."""

from __future__ import annotations

import pytest

import apet
from apet.cost import analyse
from apet.editor.document import OpenDocument
from apet.editor.layout import laid_out
from apet.ground.source import Source
from apet.model.lints import lints
from apet.model.pamela import parse
from apet.model.printer import print_model
from apet.model.terms import Invoke, PartGraph
from apet.simulator.simulation import simulate

LONG = "; ".join(
    f"part_{k}: {{ use(r, {k}); a[{k}] || b[1] }}" + (f" after part_{k - 1}" if k else "") for k in range(12)
)

GRAPHS = [
    "graph {}",
    "graph { load: a[1] }",
    "graph { load: a[1]; map: par (p = 1, 3) b[p] after load; join: use(1, 3) after map, load }",
    "graph { x[i = 1, 3, j = i, 2 * i]: if (0.5) a[j] after x[i - 1, j], x[i, j - 1] }",
    "seq (k = 1, 3) graph { inner: graph { a: a[k]; b: b[k] after a }; c: { a[1]; b[1] } || b[2] after inner }",
    "if (0.5) graph { a: a[1] } else graph { b: b[1] }",
    f"graph {{ {LONG} }}",
]


@pytest.mark.parametrize("text", GRAPHS)
def test_what_is_printed_is_read_as_the_same_graph(text: str) -> None:
    printed = print_model(parse(Source("one.pam", f"L = {text};")))
    again = parse(Source("two.pam", printed))
    assert print_model(again) == printed
    assert str(analyse(again).T0) == str(analyse(parse(Source("one.pam", f"L = {text};"))).T0)
    assert laid_out(laid_out(printed)) == laid_out(printed)


def test_graph_and_after_remain_names() -> None:
    text = (
        """
        param after in [0, 5];
        resource graph servers 2;
        L = { use(graph, after); step; graph; if after[1] else graph; };
        step = graph { graph: after[1]; after: graph after graph; last: after[1] after after };
        graph = after[1];
        after[p] = sum_int[p];
    """.replace("param after in [0, 5];", "")
        .replace("resource graph servers 2;", "")
        .replace("use(graph, after); ", "")
    )
    model = parse(Source("names.pam", text))
    step = model.equations["step"].body
    assert isinstance(step, PartGraph)
    assert [p.name for p in step.parts] == ["graph", "after", "last"]
    assert [[a.name for a in p.after] for p in step.parts] == [[], ["graph"], ["after"]]
    assert isinstance(model.equations["graph"].body, Invoke)
    analyse(model)


def test_a_parameter_of_a_subscript_behind_after_is_used() -> None:
    model = parse(Source("used.pam", "param k = 1; L = graph { x[i = 1, 3]: delay(1) after x[i - k] };"))
    assert lints(model, None) == []


def test_parts_are_renamed_in_their_graph_only() -> None:
    text = "L = { graph { load: a[1]; b: a[2] after load }; graph { load: load } }; load = a[3];"
    document = OpenDocument("parts.pam", text)
    assert document.diagnostics == []
    edits = document.rename(text.index("after load") + 6, "fetch")
    assert [span.start for span, _ in edits] == [text.index("load"), text.index("after load") + 6]
    assert ("after", "keyword") in document.words()


def test_a_graph_inside_a_use_holds_the_resource_for_all_its_parts() -> None:
    text = (
        "L = { use(r, graph { a: delay(1); b: use(r, 2) after a; c: delay(3); d: delay(1) after a, c }) || use(r, 4) };"
    )
    app = analyse(parse(Source("held.pam", text)))
    machines = apet.load_machines("join-2005")
    found = apet.predict(app, machines, 2)
    assert (float(found.lower.lo), float(found.upper.hi)) == (8, 8)
    assert simulate(app.model, machines.configure(2), "tmin", {}).makespan == 8


def test_a_graph_of_members_in_a_circle_is_refused_by_the_simulator() -> None:
    model = parse(Source("circle.pam", "L = graph { x[i = 1, 4]: delay(1) after x[5 - i] };"))
    with pytest.raises(apet.ApetError, match="wait for each other"):
        simulate(model, apet.load_machines("join-2005").configure(2), "tmin", {})


def test_a_long_chain_of_parts_runs() -> None:
    parts = "; ".join(f"p{k}: delay(1)" + (f" after p{k - 1}" if k else "") for k in range(3_000))
    model = parse(Source("chain.pam", f"L = graph {{ {parts} }};"))
    assert simulate(model, apet.load_machines("join-2005").configure(2), "tmin", {}).makespan == 3_000
