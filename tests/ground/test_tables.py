"""One table in every way that people and tools write it is one table, wherever a table is read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.ground.tables import place, table_rows
from apet.joblogs.read.table import is_task_table
from apet.joblogs.read.table import read_table as read_tasks
from apet.model.given_tables import declarations_of
from apet.questions.sweep.notation import read_points
from apet.questions.sweep.space import Axis
from apet.queueing.measured.tables import read_table as read_metrics

Rows = Sequence[Sequence[str]]
POINTS: Rows = [["n", "q"], ["1000", "0.1"], ["2000", "2.5"]]
TASKS: Rows = [["task", "start", "end", "after"], ["fetch", "0", "12.5", "-"], ["parse", "12.5", "40", "fetch"]]
METRICS: Rows = [["throughput", "utilization[web]"], ["10", "0.25"], ["20", "0.5"], ["30", "0.7"]]


def _divided(rows: Rows, by: str, comma: bool = False) -> str:
    return (
        "\n".join(by.join(c.replace(".", ",") if comma and k else c for c in row) for k, row in enumerate(rows)) + "\n"
    )


def _records(rows: Rows) -> list[dict[str, object]]:
    return [dict(zip(rows[0], map(_value, row), strict=True)) for row in rows[1:]]


def _value(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


FORMS = {
    "comma": lambda rows: _divided(rows, ","),
    "comma and blank": lambda rows: _divided(rows, ", "),
    "semicolon": lambda rows: _divided(rows, ";"),
    "semicolon, decimal comma": lambda rows: _divided(rows, ";", comma=True),
    "tab": lambda rows: _divided(rows, "\t"),
    "tab, decimal comma": lambda rows: _divided(rows, "\t", comma=True),
    "blanks": lambda rows: _divided(rows, "   "),
    "remark": lambda rows: "# made by hand\n\n" + _divided(rows, ",").replace("\n", "\n# between\n", 1),
    "BOM": lambda rows: "\ufeff" + _divided(rows, ","),
    "lines of Windows": lambda rows: _divided(rows, ",").replace("\n", "\r\n"),
    "quotes": lambda rows: "\n".join(",".join(f'"{cell}"' for cell in row) for row in rows),
    "JSON records": lambda rows: json.dumps(_records(rows), indent=1),
    "JSON Lines": lambda rows: "\n".join(map(json.dumps, _records(rows))),
}


@pytest.mark.parametrize("form", FORMS)
def test_points_of_a_sweep(form: str, tmp_path: Path) -> None:
    axis = read_points(_written(tmp_path, FORMS[form](POINTS)))
    assert axis.names == ("n", "q")
    assert _columns(axis) == [[1000, 2000], [0.1, 2.5]]


@pytest.mark.parametrize("form", FORMS)
def test_a_table_of_a_model(form: str, tmp_path: Path) -> None:
    text = declarations_of({"q": _written(tmp_path, FORMS[form](POINTS))})["q"].text
    assert text.replace("0.10", "0.1") == "param q = [0.1, 2.5];"


@pytest.mark.parametrize("form", [form for form in FORMS if "JSON" not in form])
def test_tasks_of_a_workflow(form: str, tmp_path: Path) -> None:
    rows = [TASKS[0], [*TASKS[1][:3], *([] if form == "blanks" else [""])], TASKS[2]]
    path = _written(tmp_path, FORMS[form](rows))
    assert is_task_table(Path(path).read_bytes())
    log = read_tasks(path)
    assert log.end == 40_000_000
    assert [stage.parents for stage in log.stages] == [(), (0,)]


@pytest.mark.parametrize("form", [form for form in FORMS if "JSON" not in form])
def test_metrics_of_a_service(form: str, tmp_path: Path) -> None:
    table = read_metrics(read_source(_written(tmp_path, FORMS[form](METRICS))))
    assert table.throughput == {"requests": [10, 20, 30]}
    assert list(table.utilization.values()) == [[0.25, 0.5, 0.7]]


def test_units_stand_behind_numbers(tmp_path: Path) -> None:
    axis = read_points(_written(tmp_path, "n;q\n8 kB;2,5 ms\n64k;50 %\n"))
    assert _columns(axis) == [[8000, 64000], [0.0025, 0.5]]


def test_a_comma_that_may_mark_thousands_is_refused_with_its_place() -> None:
    with pytest.raises(ApetError, match=r"t\.csv:2:6: error: 1,234 may be 1\.234 or 1234"):
        list(table_rows(Source("t.csv", "n;t\n10; 1,234\n20;12,345\n".replace("; ", ";  "))))
    assert [row.cells for row in table_rows(Source("t.csv", "n;t\n10;1,234\n20;12,5\n"))][1] == ["10", "1.234"]


def test_a_remark_within_quotes_is_text() -> None:
    rows = list(table_rows(Source("t.csv", 'task,n\n"a\n# b",1\n')))
    assert rows[1].cells == ["a\n# b", "1"]


def test_rows_and_cells_have_places() -> None:
    source = Source("t.csv", "# about\nn, t\n1, 22\n\n1, 1\n")
    rows = list(table_rows(source))
    assert [row.line for row in rows] == [2, 3, 5]
    assert [source.text[slice(*place(source, row, 1))] for row in rows] == ["t", "22", "1"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[1, 2]", "1:1: error: this is no table of records: this is no object"),
        ('[{"n": 1}', "this is no JSON"),
        ('{"n": 1}\n{"n": [1]}', "2:1: error: this is no table of records: n has parts of its own"),
        ("[]", "there is no record"),
    ],
)
def test_json_that_is_no_table_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(ApetError) as caught:
        list(table_rows(Source("t.json", text)))
    assert reason in str(caught.value)


def _columns(axis: Axis) -> list[list[float]]:
    return [column.cells(np.arange(axis.size)).tolist() for column in axis.values]


def _written(folder: Path, text: str) -> str:
    path = folder / "table.csv"
    path.write_bytes(text.encode())
    return str(path)
