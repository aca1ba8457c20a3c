"""What one verb refuses, all verbs refuse, at the same place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apet.cli.main import main

MACHINES = """schema = 1
name = "four"
[[machine]]
name = "m"
count = 4
op_s = { a = [1.0, 2.0] }
[network]
topology = "bus"
latency_s = 0.1
bandwidth_B_per_s = 1e6
"""
VERBS = {
    "predict": [],
    "predict quantiles": ["--quantiles", "5,95"],
    "explain": [],
    "solve": ["--deadline", "1000", "--for", "n"],
    "sweep": ["--vary", "n=2:3", "-o", "sweep.csv"],
    "regions": ["--for", "n=2:3"],
    "compare": ["--with", "n=3"],
    "simulate": [],
    "report": ["-o", "report.html"],
}
REFUSED = {
    "use(9, n)": "9, n",
    "use(-1, n)": "-1",
    "use(1.5, n)": "1.5",
    "use(n + 3, n)": "n + 3",
    "par (i = 1, 9) use(i, n)": "i, n)",
    "par (i = 1, 9) { use(2, use(i, n)) || delay(n) }": "i, n)",
    "seq (i = 1, 9) par (k = 1, i) use(k, n)": "k, n)",
    "{ delay(n); a[9] }": "9]",
    "{ delay(n); par (i = 1, n) a[i / 2] }": "i / 2",
    "par (i = 1, n) use(d[i / 2], 1)": "i / 2",
    "{ delay(n); use(d[1, 0.5], 1) }": "0.5",
    "{ delay(n); send[1, n + 3](8) }": "n + 3",
    "{ delay(n); send[1, 2](1 - n) }": "1 - n",
    "{ delay(n); hold[n + 3] }": "p, 1)",
    "par (i = 1, 3) use(f[i], { delay(n); use(f[1 + i % 3], 1) })": "use(f[1 +",
    "{ use(f, { delay(n); use(g, 1) }) || use(g, { delay(n); use(f, 1) }) }": "use(g, 1)",
    "{ use(1, { a[1]; hold[n] }) || use(n, { a[n]; hold[1] }) }": "use(p, 1)",
}
"""Processes, and where in the text of the model the refusal points."""


@pytest.mark.parametrize("process", REFUSED)
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_refuses_what_the_others_refuse(
    verb: str, process: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = f"param n = 2 in [2, 3]; L = {process}; hold[p] = use(p, 1);"
    (tmp_path / "bad.pam").write_text(text + "\n")
    (tmp_path / "four.toml").write_text(MACHINES)
    status = main([verb.split()[0], "bad.pam", "--machines", "four.toml", *VERBS[verb]])
    message = capsys.readouterr().err
    assert status == 2
    places = re.findall(r"bad\.pam:1:(\d+): error: ", message)
    assert text.index(REFUSED[process]) + 1 in map(int, places)


RANGE = ["--set", "n=2..3"]


@pytest.mark.parametrize("process", [p for p in REFUSED if "f" not in p and "use(1, {" not in p])
def test_ranges_are_refused_as_values_are(
    process: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.pam").write_text(f"param n = 2 in [2, 3]; L = {process}; hold[p] = use(p, 1);\n")
    (tmp_path / "four.toml").write_text(MACHINES)
    assert main(["predict", "bad.pam", "--machines", "four.toml", *RANGE]) == 2
    assert re.search(r"bad\.pam:1:(\d+): error: ", capsys.readouterr().err)


def test_check_refuses_processors_that_no_parameter_can_make_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.pam").write_text("param n = 9; L = { a[9]; par (i = 1, n) a[i] };\n")
    (tmp_path / "four.toml").write_text(MACHINES)
    assert main(["check", "bad.pam", "--machines", "four.toml"]) == 2
    assert re.findall(r"bad\.pam:1:(\d+): error: ", capsys.readouterr().out) == ["22"]
