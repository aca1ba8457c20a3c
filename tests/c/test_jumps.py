"""Jumps that a model does not follow: what is predicted with them is no guarantee, and they are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apet.cli.main import main

pytest.importorskip("clang.cindex")
BODIES = {
    "computed": "void *at[] = {&&a, &&b}; goto *at[n & 1]; a: s++; b: s--; return s;",
    "inside": "int i = 0; if (n) goto in; for (; i < n; i++) { s++; in: s--; } return s;",
    "statements": "int k = ({ int j = n; while (j > 0) j--; j; }); return k + s;",
    "duff": "switch (n & 1) { case 0: do { s++; case 1: s--; } while (--n > 0); } return s;",
}


@pytest.mark.parametrize("name", BODIES)
def test_a_jump_that_is_not_followed_is_named_and_nothing_is_guaranteed(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "task.c").write_text(f"int f(int n) {{\nint s = 0; {BODIES[name]} }}\n", encoding="utf-8")
    call = ["predict", str(tmp_path / "task.c"), "--entry", "f", "--set", "n=3", "-m", "xeon-gcc12-O2", "-P", "1"]
    assert main(call) == 0
    said = capsys.readouterr()
    assert "not followed" in said.err
    assert "as assumed" in said.out
    assert "Guaranteed" not in said.out
    assert main([*call, "--json"]) == 0
    (prediction,) = json.loads(capsys.readouterr().out)["predictions"]
    assert "what follows line 2" in prediction["assumed"]
