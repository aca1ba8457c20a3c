"""The verbs on files that are formulas: measured runs, queueing networks, traces."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from apet.cli.main import main

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
KMEANS, SP = str(SAMPLES / "runs" / "kmeans.json"), str(SAMPLES / "runs" / "sp-openmp.csv")
TERMINALS, BI = (str(SAMPLES / "queueing" / n) for n in ("terminals.toml", "bi-pipelined.toml"))
RING, CLUSTER = (str(SAMPLES / "traces" / n) for n in ("ring.txt", "cluster.xml"))
PLATFORM = ["--platform", CLUSTER]
CALLS = [
    ["predict", KMEANS, "--set", "n=64000"],
    ["predict", TERMINALS],
    ["predict", RING, *PLATFORM],
    ["explain", TERMINALS, "--set", "D_disk=0.2"],
    ["explain", SP, "--kind", "procs", "-P", "16", "--method", "amdahl"],
    ["explain", RING, *PLATFORM],
    ["solve", KMEANS, "--deadline", "0.1"],
    ["solve", TERMINALS, "--deadline", "2 s"],
    ["solve", TERMINALS, "--of", "throughput", "--target", "3"],
    ["solve", RING, *PLATFORM, "--for", "bandwidth", "--near-best", "5%"],
    ["sweep", TERMINALS, "--vary", "N=4:12:4"],
    ["sweep", RING, *PLATFORM, "--vary", "bandwidth=0.5:4:2x", "--vary", "speed=1,2"],
    ["regions", KMEANS, "--for", "n", "--method", "fractal"],
    ["regions", TERMINALS, "--for", "N", "--of", "response", "--set", "D_disk=0.2"],
    ["regions", RING, *PLATFORM, "--for", "bandwidth=0.01:100"],
    ["compare", TERMINALS, "--with", "N=10"],
    ["compare", KMEANS, "--with", "n=64000"],
    ["inspect", TERMINALS],
    ["compile", RING, *PLATFORM],
]


@pytest.mark.parametrize("call", CALLS, ids=lambda c: " ".join(Path(w).name for w in c))
def test_every_verb_answers_without_machines(call: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == 0
    shown = capsys.readouterr()
    assert not shown.err
    assert "T0" not in shown.out
    assert "nan" not in shown.out
    assert not shown.out.startswith("P ")


@pytest.mark.parametrize("verb", ["predict", "explain"])
def test_json_says_whether_bounds_are_guaranteed(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for path, options in ((KMEANS, ["--set", "n=20000"]), (TERMINALS, ["--of", "throughput"])):
        assert main([verb, path, *options, "--json"]) == 0
        found[path] = json.loads(capsys.readouterr().out)
    assert [f["bounds"] for f in found.values()] == ["estimated", "guaranteed"]
    assert [f["unit"] for f in found.values()] == ["s", "1/s"]


WRONG = [
    (["explain", KMEANS, "--set", "m=3"], "no parameter 'm'"),
    (["explain", KMEANS, "--set", "n=1"], "outside its declared range [1000, 1024000]"),
    (
        ["explain", KMEANS, "--machines", "join-2005"],
        "--machines is for models, and the file is a file of",
    ),
    (["explain", KMEANS, "--of", "response"], "--of is for queues"),
    (["explain", KMEANS, "--method", "fractl"], "did you mean 'fractal'?"),
    (["explain", RING], "it needs a platform"),
    (["explain", RING, *PLATFORM, "--set", "bandwith=2"], "did you mean 'bandwidth'?"),
    (["explain", TERMINALS, "--of", "thruput"], "did you mean 'throughput'?"),
    (["explain", TERMINALS, "--of", "bounds"], "bounds are known of one closed class"),
    (["compile", BI], "a file of jobs with precedence has no formulas"),
    (["explain", BI, "--sobol"], "--sobol needs formulas"),
    (["sweep", BI, "--vary", "N=1,2", "-o", "sweep.csv"], "--output needs formulas"),
    (["explain", TERMINALS, "--platform", CLUSTER], "--platform is for traces"),
    (["solve", RING, *PLATFORM, "--deadline", "1"], "what is asked for?"),
    (["solve", TERMINALS, "--of", "throughput", "--deadline", "1"], "throughput is no time"),
    (["solve", TERMINALS, "--target", "1"], "what is asked for is a time"),
    (["solve", TERMINALS, "--near-best", "500%"], "between 0 and 100 %"),
    (["sweep", TERMINALS, "--vary", "P=1:4"], "P"),
    (["regions", TERMINALS, "--for", "N", "--of", "upper", "--of", "lower"], "is one too many"),
    (["compile", KMEANS, "--emit", "model"], "--emit model does not apply"),
    (["predict", TERMINALS, "--quantiles", "0.5"], "--quantiles is for models"),
    (["compare", TERMINALS, KMEANS, "--of", "throughput"], "--of does not apply"),
    (["predict", str(SAMPLES / "runs" / "fitted.toml")], "is a machine model"),
]


@pytest.mark.parametrize(
    ("call", "said"), WRONG, ids=lambda c: " ".join(Path(w).name for w in c) if isinstance(c, list) else ""
)
def test_a_wrong_call_is_explained(call: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert not shown.out


def test_a_queue_too_large_for_symbols_names_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "large.toml"
    stations = "".join(f'[[stations]]\nname = "s{k}"\n' for k in range(4))
    service = ", ".join(f"s{k} = 0.{k + 1}" for k in range(4))
    file.write_text(f'{stations}[[classes]]\nname = "c"\npopulation = 5000\nthink = 1.0\nservice = {{ {service} }}\n')
    assert main(["explain", str(file)]) == 2
    said = capsys.readouterr().err
    assert "too large for formulas" in said
    assert f"apet predict {file}" in said
    assert "--of bounds" in said
    assert main(["solve", str(file), "--of", "bounds", "--deadline", "100 s"]) == 0


def test_a_fit_in_a_machine_file_says_what_is_wrong_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "few.json").write_text('{"kind": "size", "points": [{"n": 1, "t": 1.0}]}')
    machine = tmp_path / "lab.toml"
    for value, said in (
        ('{ fit = "few.json" }', "needs runs at 3 different n"),
        ('{ fit = "none.json" }', "none.json"),
        ('{ fit = "few.json", methd = "auto" }', "methd"),
        ("{ fit = 3 }", "fit"),
    ):
        machine.write_text(f'schema = 1\n[[machine]]\nname = "node"\n[machine.op_s]\ncluster = {value}\nmerge = 1e-6\n')
        assert main(["predict", str(SAMPLES / "runs" / "cluster.pam"), "-m", str(machine)]) == 2
        assert said in capsys.readouterr().err


def test_an_argument_outside_the_runs_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    model, machine = (str(SAMPLES / "runs" / n) for n in ("cluster.pam", "fitted.toml"))
    assert main(["predict", model, "-m", machine, "--set", "n=1e12"]) == 2
    assert "'cluster' is fitted to kmeans.json, from 1000 to" in capsys.readouterr().err
