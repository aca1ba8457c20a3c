"""The language server over its real protocol: a process that is talked to by JSON-RPC."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.editor.lsp_client import PI, URI, Client, applied, connected, place
from tests.work import growth

import apet

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    pytest.importorskip("pygls")
    with connected() as client:
        yield client


def test_mistakes_come_and_go_with_the_text(client: Client) -> None:
    assert client.open(PI) == []
    client.change(PI.replace("task[p];", "task[p]"))
    wrong = client.change(PI.replace("param q", "param r"))
    assert any("q" in d["message"] and d["source"] == "apet" for d in wrong)
    start = next(d for d in wrong if d["severity"] == 1)["range"]["start"]
    assert start == place(PI, "(q)") | {"character": place(PI, "(q)")["character"] + 1}
    assert client.change(PI) == []


def test_columns_count_utf_16_units(client: Client) -> None:
    text = "L = /* 𝄞 é */ a[1]; b[x;"
    assert client.change(text)[0]["range"]["start"] == place(text, ";", 1)
    client.change("L = /* 𝄞 */ farm[1]; farm[p] = a[p];")
    shown = client.at("textDocument/hover", "L = /* 𝄞 */ farm[1]; farm[p] = a[p];", "farm")
    assert "t_a[p]" in shown["contents"]["value"]


def test_hovers_show_costs_and_machine_times(client: Client) -> None:
    client.change(PI)
    equation = client.at("textDocument/hover", PI, "worker[p];")["contents"]["value"]
    assert "t_send[0, p](8) + floor(n/tasks) share[p]" in equation
    operation = client.at("textDocument/hover", PI, "mpy_double")["contents"]["value"]
    assert "| p4-1800 | 3.333e-09 … 3.889e-09 |" in operation
    assert "param n = 1000000000" in client.at("textDocument/hover", PI, "n = 1")["contents"]["value"]
    assert client.at("textDocument/hover", PI, "// ") is None


def test_a_name_leads_to_its_declaration_and_all_its_places(client: Client) -> None:
    client.change(PI)
    found = client.at("textDocument/definition", PI, "task[p])")
    assert found["range"]["start"] == place(PI, "task[p] =")
    everywhere = client.at("textDocument/references", PI, "task[p])", context={"includeDeclaration": True})
    assert [f["range"]["start"] for f in everywhere] == [place(PI, "task[p])"), place(PI, "task[p] =")]
    assert client.at("textDocument/definition", PI, "mpy_double") is None


def test_renaming_changes_one_meaning_only(client: Client) -> None:
    client.change(PI)
    edit = client.at("textDocument/rename", PI, "p] = {", newName="who")
    places = [e["range"]["start"] for e in edit["changes"][URI]]
    inside = [
        k for k in range(len(PI)) if PI.startswith("p", k) and PI.index("worker[p] = {") <= k < PI.index("task[p] =")
    ]
    own = [k for k in inside if not PI[k - 1].isalnum() and not PI[k + 1].isalnum()]
    assert len(places) == len(own) == 6
    client.change(applied(PI, edit["changes"][URI]))
    assert client.at("textDocument/hover", PI, "worker[p];") is not None
    client.change(PI)


def test_renaming_tasks_keeps_what_share_deals(client: Client) -> None:
    client.change(PI)
    edit = client.at("textDocument/rename", PI, "tasks = 100", newName="parts")
    text = applied(PI, edit["changes"][URI])
    assert "share[p](parts)" in text
    before, after = (apet.predict(apet.compile_text(t), apet.load_machines("join-2005"), 4) for t in (PI, text))
    assert before.guaranteed == after.guaranteed
    processors = {"textDocument": {"uri": URI}, "position": place(PI, "P;")}
    assert "number of processors" in client.ask("textDocument/rename", **processors, newName="N")["error"]["message"]


@pytest.mark.parametrize(("new", "reason"), [("worker", "already"), ("2x", "no name"), ("seq", "something else")])
def test_a_name_that_cannot_be_is_refused(client: Client, new: str, reason: str) -> None:
    client.change(PI)
    where = {"textDocument": {"uri": URI}, "position": place(PI, "task[p])")}
    assert reason in client.ask("textDocument/rename", **where, newName=new)["error"]["message"]
    machine_word = {"textDocument": {"uri": URI}, "position": place(PI, "mpy_double")}
    assert "not declared" in client.ask("textDocument/rename", **machine_word, newName="x")["error"]["message"]
    assert client.result("textDocument/prepareRename", **machine_word) is None
    assert client.result("textDocument/prepareRename", **where)["start"] == place(PI, "task[p])")


def test_layout_symbols_and_completions(client: Client) -> None:
    client.change("L=a[1];b[2];")
    options = {"tabSize": 4, "insertSpaces": True}
    edits = client.result("textDocument/formatting", textDocument={"uri": URI}, options=options)
    assert edits[0]["newText"] == "L = a[1]; b[2];\n"
    client.change("L = a[")
    assert client.result("textDocument/formatting", textDocument={"uri": URI}, options=options) == []
    client.change(PI)
    symbols = client.result("textDocument/documentSymbol", textDocument={"uri": URI})
    assert [s["name"] for s in symbols] == ["P", "n", "tasks", "q", "L", "worker", "task"]
    words = {c["label"] for c in client.at("textDocument/completion", PI, "task[p])")}
    assert {"worker", "mpy_double", "seq", "share", "ceil"} <= words


def test_task_graphs_have_their_mistakes_shown(client: Client) -> None:
    graph = (ROOT / "samples" / "pasl" / "pi.pasl").read_text()
    assert client.open(graph, "file:///x/pi.pasl") == []
    assert client.open("application x; flow a -> b;", "file:///x/y.pasl") != []
    client.notify("textDocument/didClose", textDocument={"uri": "file:///x/y.pasl"})
    assert client.diagnostics() == []


def test_every_word_of_the_samples_is_known_where_it_stands() -> None:
    from apet.editor.document import OpenDocument
    from apet.editor.layout import TOKEN

    for path in sorted(ROOT.glob("samples/pamela/*.pam")):
        document = OpenDocument(path.name, path.read_text())
        words = {m.start() for m in TOKEN.finditer(document.source.text) if m.lastgroup == "name"}
        keywords = {m.start() for m in TOKEN.finditer(document.source.text) if m.group() in KEYWORDS}
        if "graph {" in document.source.text:
            keywords |= {m.start() for m in TOKEN.finditer(document.source.text) if m.group() in ("graph", "after")}
        assert {o.span.start for o in document.occurrences if o.span.start < o.span.end} == words - keywords, path.name


KEYWORDS = {"param", "resource", "def", "include", "servers", "seq", "par", "if", "else", "use", "delay", "sum", "in"}


def _long(lines: int) -> str:
    return "param n = 10;\nL = seq (i = 1, n) {\n" + "    a[1]; if (0.5) { b[2]; };\n" * lines + "};\n"


def test_a_long_model_without_mistakes_has_none(client: Client) -> None:
    assert client.change(_long(1000)) == []


def test_twice_the_lines_take_twice_the_work_to_check() -> None:
    """How long a person waits while typing is measured by the benchmark of pages."""
    from apet.editor.document import OpenDocument

    assert growth(lambda n: OpenDocument("x.pam", _long(n)), 500) < 2.1
