"""What the language server does while one writes: quick fixes that remove their diagnostic, signatures, costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.editor.lsp_client import PI, URI, Client, applied, connected, place

from apet.editor.document import OpenDocument
from apet.editor.quick_fixes import quick_fixes
from apet.editor.signatures import signature_at

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    pytest.importorskip("pygls")
    with connected() as client:
        yield client


FIXES = {
    "param size = 3;\nL = delay(sise);": [
        ("Replace by 'size'", "param size = 3;\nL = delay(size);"),
        ("Declare param sise", "param sise;\nparam size = 3;\nL = delay(sise);"),
    ],
    "L = delay(2 kb * 1 s / B);": [("Replace by 'kB'", "L = delay(2 kB * 1 s / B);")],
    "L = sned[0, 1](8);": [("Replace by 'send'", "L = send[0, 1](8);")],
    "L = delay(mxa(1, 2));": [("Replace by 'max'", "L = delay(max(1, 2));")],
    "// a comment\nL = seq (i = 1, n) a[1];": [("Declare param n", "// a comment\nparam n;\nL = seq (i = 1, n) a[1];")],
    "param n; param P;\nL = seq (j = 1, n / P) a[1];": [
        ("Drop no work: ceil(…)", "param n; param P;\nL = seq (j = 1, ceil(n / P)) a[1];"),
        ("Drop the rest: floor(…)", "param n; param P;\nL = seq (j = 1, floor(n / P)) a[1];"),
    ],
    "L = a[1];\nM[p] = { b[p]; c[p]; };\n// end\n": [("Remove 'M'", "L = a[1];\n// end\n")],
    "param x = 2;\nL = a[1];": [("Remove 'x'", "L = a[1];")],
    "L = a[1]\nM = L;": [("Insert ';'", "L = a[1];\nM = L;")],
    "L = par (p = 1, 2) seq (k = 1, share[p]) a[p];": [
        ("Declare param tasks", "param tasks;\nL = par (p = 1, 2) seq (k = 1, share[p]) a[p];")
    ],
    "L = a[1]; // nothing is wrong": [],
    "L = ;": [],
}


@pytest.mark.parametrize("text", FIXES)
def test_a_fix_does_what_the_hint_says_and_removes_the_diagnostic(text: str, client: Client) -> None:
    shown = client.change(text)
    context = {"diagnostics": shown}
    actions = client.result("textDocument/codeAction", textDocument={"uri": URI}, range=WHOLE, context=context)
    fixed = [(a["title"], applied(text, a["edit"]["changes"][URI])) for a in actions]
    assert fixed == FIXES[text]
    assert all(a["kind"] == "quickfix" and len(a["diagnostics"]) == 1 for a in actions)
    for action, (_, after) in zip(actions, fixed, strict=True):
        messages = [d["message"] for d in client.change(after)]
        assert action["diagnostics"][0]["message"] not in messages


def test_fixes_are_those_at_the_place_that_is_asked_about(client: Client) -> None:
    client.change("L = delay(a);\nM = delay(b);")
    line = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 20}}
    context: dict[str, Any] = {"diagnostics": []}
    actions = client.result("textDocument/codeAction", textDocument={"uri": URI}, range=line, context=context)
    assert [a["title"] for a in actions] == ["Declare param b"]


def test_diagnostics_of_other_files_have_no_fixes_here() -> None:
    here, other = (OpenDocument(name, "L = delay(x);") for name in ("a.pam", "b.pam"))
    assert quick_fixes(here.diagnostics[0], here.source)
    assert not quick_fixes(here.diagnostics[0], other.source)


HEAD = "work[p](m) = seq (i = 1, m) { a[p]; };\ndef area(a, b) = a * b;\nL = "
SIGNATURES = {
    "work[": ("work[p](m)", "p"),
    "work[2](": ("work[p](m)", "m"),
    "work[2](area(3, ": ("area(a, b)", "b"),
    "work[2](area(3, 4), ": ("work[p](m)", "m"),
    "send[0, ": ("send[from, to](bytes)", "to"),
    "send[0, 1](": ("send[from, to](bytes)", "bytes"),
    "seq (i = 1, ": ("seq (index = low, high, step)", "high"),
    "use(disk, ": ("use(resource, process)", "process"),
    "compute[": ("compute[processor]", "processor"),
    "min(1, 2, 3, 4": ("min(a, b, …)", "…"),
}


@pytest.mark.parametrize("typed", SIGNATURES)
def test_the_call_that_is_being_written_has_its_signature(typed: str, client: Client) -> None:
    client.change(HEAD + typed)
    end = {"line": 2, "character": len("L = " + typed)}
    answer = client.result("textDocument/signatureHelp", textDocument={"uri": URI}, position=end)
    (shown,) = answer["signatures"]
    start, stop = shown["parameters"][answer["activeParameter"]]["label"]
    assert (shown["label"], shown["label"][start:stop]) == SIGNATURES[typed]


@pytest.mark.parametrize("text", ["", "L = ", "L = { a[1]; ", "L = (", "work[1]", "]]((", "L = a[1] // f("])
def test_outside_of_calls_there_is_no_signature(text: str) -> None:
    assert signature_at(text, len(text)) is None


def test_the_time_of_each_equation_stands_behind_its_heading(client: Client) -> None:
    client.change(PI)
    hints = client.result("textDocument/inlayHint", textDocument={"uri": URI}, range=WHOLE)
    lines = PI.split("\n")
    places = [place(PI, f"\n{name} =")["line"] + 1 for name in ("L", "worker[p]", "task[p]")]
    assert [h["position"] for h in hints] == [{"line": k, "character": len(lines[k])} for k in places]
    assert all(h["label"].startswith("  T0 = ") for h in hints)
    assert "t_send[0, p](8) + floor(n/tasks) share[p]" in hints[1]["tooltip"]

    first = {"start": {"line": 0, "character": 0}, "end": {"line": places[0], "character": 0}}
    assert client.result("textDocument/inlayHint", textDocument={"uri": URI}, range=first) == hints[:1]
    client.change("L = delay(")
    assert client.result("textDocument/inlayHint", textDocument={"uri": URI}, range=WHOLE) == []
