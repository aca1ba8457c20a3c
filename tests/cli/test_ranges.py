"""One syntax of ranges: two dots or a colon, then perhaps a step or a factor, in every option that takes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from apet.cli.main import main

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SERVERS, KMEANS = str(SAMPLES / "pamela/servers.pam"), str(SAMPLES / "runs/kmeans.json")


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 0
    return capsys.readouterr().out.replace("..", ":")


@pytest.mark.parametrize(
    "words",
    [
        ["predict", SERVERS, "-P", "1{}8:2x", "--csv"],
        ["predict", SERVERS, "-P", "2{}5", "--csv"],
        ["predict", SERVERS, "--set", "C=1{}8", "--csv"],
        ["sweep", SERVERS, "--vary", "C=1{}9:2", "--csv"],
        ["sweep", SERVERS, "--vary", "C=2{}16:2x", "--csv"],
        ["compare", SERVERS, "--with", "k=2", "--vary", "C=1{}50", "--json"],
        ["solve", SERVERS, "--for", "C", "--range", "1{}50", "--deadline", "1 min", "--json"],
        ["regions", SERVERS, "--for", "C=1{}50", "--json"],
        ["extrapolate", KMEANS, "--to", "1e4{}8e4:2x", "--json"],
    ],
    ids=lambda words: f"{words[0]} {words[2]}",
)
def test_two_dots_and_a_colon_mean_the_same(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    if words[0] == "sweep":
        words = words[:-1]
    with_dots, with_colon = (output(capsys, *(word.format(mark) for word in words)) for mark in ("..", ":"))
    assert with_dots == with_colon


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["predict", SERVERS, "--set", "C=1..8:2x"], "C = 1..8:2x: an interval has no step"),
        (["sweep", SERVERS, "--vary", "service=0.1..0.3"], "the range 0.1..0.3 needs a step or a factor"),
        (["sweep", SERVERS, "--vary", "C=8..1"], "the range 8..1 ends before it begins"),
        (["regions", SERVERS, "--for", "C=1..8:2"], "a range has two ends"),
        (["compare", SERVERS, "--with", "k=2", "--vary", "C=5"], "--vary C=5: a range has two ends"),
    ],
)
def test_a_range_that_fits_nothing_is_refused(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["sweep", "--vary", "P=2..16:2x"],
        ["compare", "--with", "n=9", "-P", "4"],
        ["solve", "--deadline", "5 s"],
        ["solve", "--deadline", "5 s", "--range", "1..300"],
        ["regions", "--for", "P=1..32"],
        ["report", "-o", "page.html"],
    ],
)
def test_verbs_need_no_machines_where_the_model_needs_none(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("plain.pam").write_text("param P; param n = 40; L = par (i = 1, n) use(1 + i % P, 1 s);", encoding="utf-8")
    assert main([words[0], "plain.pam", *words[1:]]) == 0
