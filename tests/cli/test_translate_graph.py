"""`apet translate` and `apet predict` on task graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet.cli.main import main

GRAPH = "pasl/matrix.pasl"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    found = capsys.readouterr()
    return status, found.out, found.err


def test_a_prediction_of_a_graph_is_that_of_its_translation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = tmp_path / "matrix.pam"
    assert main(["translate", GRAPH, "--level", "flat", "-o", str(model)]) == 0
    rows = [said(capsys, "predict", m, "-m", "join-2005", "-P", "2,16", "--csv") for m in (GRAPH, str(model))]
    assert rows[0][0] == 0
    assert rows[0][1] == rows[1][1]


@pytest.mark.parametrize(("emit", "first"), [("dot", 'digraph "matrix" {'), ("svg", "<svg "), ("model", "// matrix: ")])
def test_what_is_emitted_begins_as_it_should(emit: str, first: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "translate", GRAPH, "--emit", emit)
    assert (status, out[: len(first)]) == (0, first)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GRAPH, "--entry", "norm"), "error: --entry does not apply to pasl/matrix.pasl"),
        (("java/PiTask.java", "--emit", "dot"), "error: --emit dot does not apply to java/PiTask.java"),
        (("pasl/nothing.pasl",), "error: cannot read pasl/nothing.pasl"),
    ],
)
def test_what_does_not_apply_is_refused(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, _, err = said(capsys, "translate", *arguments)
    assert status == 2
    assert err.startswith(message)
