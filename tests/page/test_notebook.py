"""Values in notebooks: tables, mathematics and pictures; hostile names are text; the shipped notebooks run."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apet
from apet.answers.blocks import Table
from apet.answers.html import table
from apet.cost import Application
from apet.formula import Formula, Graph
from apet.ground.notebooks import html
from apet.ground.source import Source
from apet.machine import Machines, parse_machines

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "samples" / "notebooks").glob("*.ipynb"))
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
EMPTY = {"img", "br", "wbr"}
KNOWN = [
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "p",
    "h3",
    "pre",
    "details",
    "summary",
    "code",
    "span",
    "img",
    "wbr",
]


class Outline(HTMLParser):
    """The elements of a page, refused where they do not nest, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.names, self.text = list[str](), set[str](), ""
        self.attributes = list[tuple[str, str | None]]()
        self.feed(text)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def app() -> Application:
    found: Application = apet.compile("pamela/pi.pam")
    return found


@pytest.fixture(scope="module")
def lab() -> Machines:
    found: Machines = apet.load_machines("join-2005")
    return found


Make = Callable[[Application, Machines], Any]
VALUES: dict[str, tuple[Make, tuple[str, ...]]] = {
    "application": (lambda a, m: a, ("pi.pam", "T[cpu[p]]", "for p = 1..P", "tasks")),
    "machines": (lambda a, m: m, ("JoiN laboratory", "p4-1800", "mpy_double", "network: bus, latency 100 µs")),
    "prediction": (lambda a, m: apet.predict(a, m, 32), ("24.5 … 36.0 s", "24.4 … 36.0 s", "T[cpu[12]]", "> 99 %")),
    "predictions": (lambda a, m: [apet.predict(a, m, P) for P in (2, 8)], ("254.7 … 374.8 s", "66.3 …  97.4 s")),
    "explanation": (
        lambda a, m: apet.explain(a, m, 32),
        ("T[cpu[12]]", "t_call_random", "0.970", "Another term takes over"),
    ),
    "solution": (
        lambda a, m: apet.solve(a, m, 60.0),
        ("deadline 60 s · P from 1 to 32", "P = 13..32", "Every value was tried."),
    ),
    "comparison": (lambda a, m: apet.compare((a, m), (a, apet.load_machines("cluster-64"))), ("B by bounds", "0.0846")),
    "sweep": (lambda a, m: apet.sweep(a, m, {"P": [2, 4, 8]}), ("3 points", "Pareto front", "best", "374.7 s")),
    "line": (lambda a, m: apet.regions(a, m, {"n": (1e2, 1e9)}, P=8), ()),
}
PICTURES = {"predictions", "explanation", "comparison", "sweep", "line"}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_is_shown_with_its_figures(name: str, app: Application, lab: Machines) -> None:
    make, texts = VALUES[name]
    value = make(app, lab)
    shown = html(value)
    assert shown is not None
    if not isinstance(value, list):
        assert value._repr_html_() == shown
    page = Outline(shown)
    assert not [t for t in texts if t not in page.text]
    pictures = re.findall(r'<img alt="[^"]+" style="[^"]*" src="data:image/svg\+xml;base64,([^"]+)">', shown)
    assert bool(pictures) == (name in PICTURES)
    for each in pictures:
        assert ElementTree.fromstring(base64.b64decode(each)).tag.endswith("svg")


def test_a_short_formula_is_mathematics_and_a_long_one_folded_text(app: Application) -> None:
    shown = app.T0._repr_latex_()
    assert shown is not None
    assert shown.startswith(r"$\displaystyle \max_{1 \le p \le P}")
    graph = Graph()
    long = Formula(graph, graph.maximum([graph.symbol(f"x{i}") for i in range(10_000)]))
    assert long._repr_latex_() is None
    assert len(repr(long)) < 200


def test_a_long_formula_opens_when_asked_for() -> None:
    text = " || ".join(f"work[{i}]" for i in range(1, 400))
    shown = html(apet.compile_text(f"L = {{ {text} }};"))
    assert shown is not None
    assert "<details>" in shown
    assert len(shown) < 40_000


def test_what_has_no_picture_of_its_own_is_left_to_others() -> None:
    assert [html(value) for value in ([], [1, 2], "text", None, {"a": 1})] == [None] * 5


def test_a_closed_model_has_no_seconds_where_its_unit_is_not_known() -> None:
    found = apet.predict(apet.load_model("queueing/terminals.toml", of="throughput"))
    shown = found._repr_html_()
    assert shown is not None
    assert " s<" not in shown


def test_hostile_names_are_text(tmp_path: Path, lab: Machines) -> None:
    quoted = json.dumps(HOSTILE)
    text = f"""schema = 1
name = {quoted}
note = {quoted}
[provenance]
source = {quoted}
[[machine]]
name = {quoted}
count = 4
op_s = {{ step = [1.0, 2.0] }}
[coordinator]
op_s = {{ step = [1.0, 2.0] }}
"""
    odd = parse_machines(Source(HOSTILE, text))
    model = tmp_path / "<script>alert(3)<slash>.pam"
    model.write_text("param P; L = par (p = 1, P) step[p];", encoding="utf-8")
    app = apet.compile(model)
    values = [odd, app, apet.predict(app, odd, 2), apet.explain(app, odd, 2), apet.solve(app, odd, 1.5)]
    values += [apet.compare((app, odd), (app, odd)), apet.sweep(app, [odd, odd], {"P": [1, 2]})]
    for value in values:
        shown = html(value)
        assert shown is not None
        page = Outline(re.sub(r"<math.*?</math>", "", shown, flags=re.DOTALL))
        assert page.names <= {*KNOWN}
        assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert HOSTILE in Outline(html(odd) or "").text


@settings(max_examples=50)
@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4), st.text())
def test_every_cell_of_a_table_comes_back_as_it_was(rows: list[tuple[str, str]], rest: str) -> None:
    page = Outline(table(Table(("", ""), rows, "<>", rest=rest, label=rest)))
    want = "".join(a + b for a, b in rows) + rest
    assert page.text == want


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The notebooks with what a fresh kernel gave."""
    client, reader = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    folder = tmp_path_factory.mktemp("notebooks")
    found = {}
    for path in NOTEBOOKS:
        notebook = reader.read(path, as_version=4)
        reader.validate(notebook)
        run = client.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}})
        found[path.stem] = run.execute()
    return found


@pytest.mark.parametrize("name", [path.stem for path in NOTEBOOKS])
def test_a_notebook_runs_and_shows_tables_mathematics_and_pictures(name: str, executed: dict[str, Any]) -> None:
    outputs = [o for cell in executed[name].cells if cell.cell_type == "code" for o in cell.outputs]
    assert {o.output_type for o in outputs} <= {"execute_result", "display_data"}
    data = [o.data for o in outputs]
    assert any("<table" in d.get("text/html", "") for d in data)
    assert any("data:image/svg+xml" in d.get("text/html", "") for d in data)
    assert any("text/latex" in d for d in data)
    for each in data:
        Outline(re.sub(r"<math.*?</math>", "", each.get("text/html", ""), flags=re.DOTALL))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert not [c for c in cells if c["cell_type"] == "code" and (c["outputs"] or c["execution_count"])]
