"""First steps: models without operations need no machine model, and `check` takes files of every kind."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import apet
from apet.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
SERVERS = str(ROOT / "samples/pamela/servers.pam")
PLAIN = "param P; L = par (p = 1, P) use(p, delay(p));"


@pytest.fixture
def plain(tmp_path: Path) -> str:
    path = tmp_path / "plain.pam"
    path.write_text(PLAIN)
    return str(path)


@pytest.mark.parametrize("verb", ["predict", "simulate", "explain", "inspect"])
@pytest.mark.parametrize("arguments", [[], ["-P", "3"], ["--machines", "cores=3"]])
def test_a_model_without_operations_needs_no_machines(verb: str, arguments: list[str]) -> None:
    if verb == "inspect" and "-P" in arguments:
        pytest.skip("it knows no -P")
    assert main([verb, SERVERS, *arguments]) == 0


@pytest.mark.parametrize("arguments", [["-P", "1,3"], ["--machines", "cores=3", "-P", "1,3"]])
def test_processors_are_as_many_as_are_asked_for(
    plain: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["predict", plain, *arguments, "--csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    head = rows[0]
    assert [(row[head.index("P")], float(row[head.index("estimate_tmin_s")])) for row in rows[1:]] == [
        ("1", 1),
        ("3", 3),
    ]


def test_python_needs_no_machines_either() -> None:
    app = apet.compile_text(PLAIN)
    assert [apet.predict(app, None, P).estimate.lo for P in (None, 1, 4)] == [1, 1, 4]
    with pytest.raises(apet.ApetError, match="needs a machine model"):
        apet.predict(apet.compile_text("L = op[1];"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["samples/pamela/pi.pam"], "needs a machine model"),
        (["samples/pamela/pi.pam", "-m", "cores=4"], "operation 'sum_double' is not in cores=4"),
        (["samples/pamela/servers.pam", "-m", "cores=0"], "a number of processors is needed"),
        (["samples/pamela/servers.pam", "-m", "cores=4", "-P", "5"], "4"),
    ],
)
def test_what_plain_processors_cannot_do_is_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["predict", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "param P; L = par (p = 1, P) seq (i = 1, 1000 / P) work[p];",
        "param P; L = par (p = 1, P) { send[0, p](8); work[p]; read[p]; };",
    ],
)
def test_the_hint_about_missing_times_is_a_call_that_works(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.pam"
    path.write_text(text)
    assert main(["predict", str(path), "-P", "4"]) == 2
    hint = re.search(r"--machines '([^']+)'", capsys.readouterr().err)
    assert hint is not None
    assert main(["predict", str(path), "-P", "4", "--machines", hint[1]]) == 0


@pytest.mark.parametrize(
    "file",
    ["machines/join-2005.toml", "samples/queueing/terminals.toml", "samples/runs/cg.txt", "samples/pasl/matrix.pasl"],
)
def test_check_takes_files_of_every_kind(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(ROOT / file)]) == 0
    assert "no errors" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[[machine]]\nname = "a"\ncount = -1\n[machine.op_s]\nw = 1\n', "3:9: error"),
        ('[[stations]]\nname = "a"\nkind = 3\n', "error"),
    ],
)
def test_check_finds_what_is_wrong_with_them(
    text: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    assert main(["check", str(path)]) == 2
    assert place in capsys.readouterr().out


def test_check_takes_traces_and_job_logs(capsys: pytest.CaptureFixture[str]) -> None:
    for name, told in (("traces/ring.txt", "no errors found"), ("joblogs/nightly.json", "replay of this run")):
        assert main(["check", str(ROOT / "samples" / name)]) == 0
        assert told in capsys.readouterr().out


@pytest.mark.parametrize("text", ["1..3", "1:3", "1:3:1", "1,2..3", "1..3:1"])
def test_a_range_is_written_with_points_or_a_colon(text: str, plain: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", plain, "-P", text, "--csv"]) == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]] == ["1", "2", "3"]


@pytest.mark.parametrize("value", ["1 min..2 min", "60:120", "60 s..120000 ms", "1min:120s", "60000000 µs..120"])
def test_units_and_ranges_of_values(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", SERVERS, "--set", f"service={value}", "--csv"]) == 0
    head, row = (line.split(",") for line in capsys.readouterr().out.splitlines())
    assert [float(row[head.index(f"estimate_{end}_s")]) for end in ("tmin", "tmax")] == [480, 960]


@pytest.mark.parametrize(
    ("literal", "seconds"), [("2 min", 120), ("1.5h", 5400), ("3 µs", 3e-6), ("3 μs", 3e-6), ("min(2 min, 1 h)", 120)]
)
def test_units_of_models(literal: str, seconds: float) -> None:
    assert apet.predict(apet.compile_text(f"L = delay({literal});")).estimate.lo == pytest.approx(seconds)


OTHER_UNITS = {
    ("param n = 3; L = seq (i = 1, n) delay(1);", "n=3 kB"): "a size, and n is a plain number, which counts something",
    ("param t = [1 kB, 2 kB]; L = send[0, 1](t[1]);", "t=[1 s, 2 s]"): "'t' is given as a table of times",
}


@pytest.mark.parametrize(("text", "setting"), OTHER_UNITS)
def test_a_value_of_another_kind_is_refused(
    text: str, setting: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "m.pam").write_text(text)
    machines = "cores=2, latency=1us, bandwidth=1GB/s"
    assert main(["predict", str(tmp_path / "m.pam"), "-m", machines, "--set", setting]) == 2
    assert OTHER_UNITS[text, setting] in capsys.readouterr().err
