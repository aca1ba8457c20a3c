"""What programs know diagnostics by does not change with the names of classes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apet.cli.main import main

KINDS = {
    "L = w[1]\nM = w[2];": "MissingSemicolon",
    "param floor; L = delay(floor);": "ReservedName",
    "L = delay(3 parsec);": "WrongUnit",
    "param a = b; param b = a; L = delay(a);": "CircularParameters",
    "L = delay(sine(2));": "UnknownFunction",
    "L = delay(sqrt(-1));": "OutsideDomain",
    "resource r servers 0; L = use(r, delay(1));": "NoServers",
}


@pytest.mark.parametrize(("text", "kind"), KINDS.items(), ids=KINDS.values())
def test_check_names_kinds_of_errors_for_programs(
    text: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.pam"
    path.write_text(text)
    assert main(["check", str(path), "--json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert kind in [d["kind"] for d in report["diagnostics"]]
