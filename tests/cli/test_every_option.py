"""Every option of every verb, for every kind of file, in text and in JSON: it changes the answer, or is refused."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.measuring_fakes import MEASURING, Notes, install

from apet.cli import parsers
from apet.cli.main import main
from apet.cli.verbs import OF_KINDS, VERBS

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
VALUES: dict[str, str] = {
    "-P": "1",
    "--set": "spread=0.2",
    "--branches": "worst",
    "--schedule": "join",
    "--entry": "L2",
    "--machines": "cores=1",
    "--of": "throughput",
    "--method": "powerlaw",
    "--kind": "procs",
    "--curve": "none",
    "--metric": "none",
    "--parameters": "n,P",
    "--where": "P=1",
    "--platform": str(SAMPLES / "traces" / "gigabit.xml"),
    "--hostfile": "hosts.txt",
    "--job": str(SAMPLES / "traces" / "ring.txt"),
    "--run-limit": "3 s",
    "--calibrate-at": "n=10",
    "--calibrate": "n",
    "--budget": "3 s",
    "--quantiles": "50%",
    "--noise": "independent",
    "--draws": "200",
    "--seed": "5",
    "--backend": "queueing",
    "--jobs": "2",
    "--think": "3 s",
    "--every": "9 s",
    "--sobol": "64",
    "--end": "tmin",
    "--depth": "2",
    "--deadline": "1 s",
    "--target": "1",
    "--near-best": "5%",
    "--percentile": "95",
    "--for": "n=10..20",
    "--range": "1..1",
    "--price": "app=1",
    "--most-cost": "1",
    "--vary": "speed=1,2",
    "--points": "points.csv",
    "--pareto": "front.csv",
    "--cost": "cost_per_hour",
    "--minimise": "estimate",
    "--most-points": "1",
    "--with": "n=9",
    "--title": "Other",
    "--emit": "latex",
    "--network": "bus",
    "--longest": "1",
    "--to": "123",
    "--at": "3=none.csv",
    "--efficiency": "33%",
    "--view": "speedup",
    "--role": "n=procs",
    "--name-pattern": "n{n}",
    "--phase": "none",
    "--sort": "growth",
    "--population": "1,2",
    "--cores": "3",
    "--executors": "3",
    "--executor-cores": "3",
    "--size": "1,2",
    "--scheduler": "fair",
    "--cost-per-hour": "0.4",
    "--tolerance": "50%",
    "--gantt": "gantt.svg",
    "--paje": "paje.trace",
    "--as": "anonymous",
    "--plot": "plot.svg",
    "-o": "output.txt",
    "--from": "trace",
    "--servers": "all=3",
    "--interval": "9 s",
    "--classes": "path",
    "--time-unit": "s",
    "--time-field": "none",
    "--sampled": "10%",
    "--rate": "2e9",
    "--region": "3=1.4",
    "--step": "1",
    "--processes": "2",
    "--source-path": "nowhere",
    "--level": "flat",
    "--most": "0",
    "--repeat": "2",
    "--plan": "n=1..9",
}
"""A value of each option that changes what has one of its kind."""
ABOUT_THE_CALL = {
    "--stdio",
    "-h",
    "--help",
    "--help-all",
    "--time-limit",
    "--memory-limit",
    "--debug",
    "--quiet",
    "--input-kind",
}
ABOUT_THE_CALL |= {"--yes", "--skip-undefined", "--run-limit", "--few-ranks", "--fresh"}
"""Options that change the answer only where something goes wrong, is not known by itself, or is there already."""
ABOUT_THE_CALL |= {"--engine", "--dask", "--workers"}
"""Where the rows are computed, which does not change them."""
OTHERS: dict[str, str] = {
    "compare model": "pi -m join-2005 -m zen5-openjdk17 --schedule join",
    "explain model": "pi -m join-2005 -P 32 --set tasks=70",
    "compile model": "pi",
    "regions model": "pi -m join-2005 --set tasks=7 --for q=0.1..0.9",
    "sweep queue": "terminals --vary N=4..6",
    "extrapolate trace": "ring ring --size n=1,2 --to n=4",
}
"""Calls that take less time than those of the help, or let more options matter."""
MODES: dict[str, str] = {
    "compile several": "nbody --parameters n,P",
    "inspect several": "nbody --parameters n,P",
    "predict several": "nbody --parameters n,P --to n=2000,P=8",
    "predict next": "kmeans --next --budget 1ms",
    "predict quantiles": "pi -m zen5-openjdk17 --quantiles 50%",
    "predict queueing": "pi -m join-2005 -P 4 --schedule join --backend queueing",
    "predict workflow": "workflow --cores 4",
    "predict users": "nightly --cores 32 --jobs 3 --think 10s",
    "predict arrivals": "nightly --cores 32 --every 5s",
    "explain job": "hop-blocking",
    "solve job": "hop-blocking --deadline 2s",
    "sweep job": "hop-blocking --vary N=1,2",
}
"""Calls in which options matter that do not elsewhere, or the other way round."""
CALLS: dict[str, str] = {
    **{f"{verb} {kind}": call for verb, kinds in OF_KINDS.items() for kind, call in kinds.items()},
    **OTHERS,
    **MODES,
    "fold": "ring",
    "import log": "log.txt",
    "import metrics": "metrics.csv",
    "format": "model.pam --check",
    "translate java": "pi.java",
    "translate pasl": "samples/pasl/pi.pasl",
    "list samples": "samples",
    "list machines": "machines",
    "show": "pi",
    "completion": "bash",
    "measure": "--budget 1ms --repeat 1 -- true {n}",
    "measure plan": "--plan n=1..9,P=1..4",
}
"""By verb, and by what else tells two calls of one verb apart: verbs that run other programs for long are left out."""
MOMENTS = re.compile(r'"seconds": [\d.e-]+|\d+-\d+-\d+[ T]\d+:\d+|in [\d.]+ m?s\b')
OF_BYTES = re.compile(MOMENTS.pattern.encode())
"""What says when something was done, and how long it took."""
FORMS = ("text", "json")
QUICK = (
    "predict",
    "compile",
    "check",
    "completion",
    "export",
    "fold",
    "import",
    "list",
    "translate",
    "measure",
    "show",
    "extrapolate",
)
"""Verbs of which both forms are tried in every run of the tests."""
SLOW = {"explain queue", "explain jobs", "simulate model", "regions model", "regions jobs", "solve runs", "solve queue"}
"""Calls that are tried only with the slow tests, as are sweeps and pages."""


def _cases(calls: Iterable[str] = CALLS) -> list[object]:
    """All calls in both forms, those of some verbs marked as slow."""
    cases = list[object]()
    for name in calls:
        verb = name.split()[0]
        for form in FORMS:
            slow = name in SLOW or verb in ("sweep", "report") or (form == "json" and verb not in QUICK)
            cases.append(pytest.param(name, form, marks=[pytest.mark.slow] if slow else []))
    return cases


def _outcome(call: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, dict[str, bytes]]:
    """The exit status, what is printed, and what stands in files that are new."""
    before = {*folder.rglob("*")}
    code = main(call)
    shown = capsys.readouterr()
    files = {}
    for path in sorted({*folder.rglob("*")} - before, reverse=True):
        if path.is_dir():
            path.rmdir()
        else:
            files[str(path.relative_to(folder))] = path.read_bytes()
            path.unlink()
    return code, MOMENTS.sub("", shown.out + shown.err), {name: OF_BYTES.sub(b"", text) for name, text in files.items()}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hosts.txt").write_text("node-0\nnode-0\nnode-1\n")
    (tmp_path / "points.csv").write_text("n\n1000\n2000\n")
    (tmp_path / "model.pam").write_text("L = delay(1);\n")
    (tmp_path / "two.txt").write_text("0 compute 5e8\n1 compute 5e8\n")
    (tmp_path / "pingpong.txt").write_text("".join(f"{2**k} {1e-6 + 2**k * 1e-9}\n" for k in range(20)))
    for sizes in ("sizes", "other"):
        (tmp_path / f"{sizes}.json").write_text(f'{{"K_horner": [{len(sizes)}], "primes": [{len(sizes)}]}}')
    for name, sample in (
        ("log.txt", "queueing/access.log"),
        ("metrics.csv", "queueing/web-metrics.csv"),
        ("pi.java", "java/Pi.java"),
        ("K_horner.java", "../tests/data/java-idioms/K_horner.java"),
    ):
        (tmp_path / name).write_bytes((SAMPLES / sample).read_bytes())
    return tmp_path


@pytest.mark.parametrize(("name", "form"), _cases())
def test_an_option_has_an_effect_or_is_refused(
    name: str, form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not _ignored(name, CALLS[name], VALUES, form, lambda call: _outcome(call, folder, capsys))


@pytest.mark.parametrize(("name", "form"), _cases(MEASURING))
def test_an_option_of_what_is_measured_has_an_effect_or_is_refused(
    name: str, form: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if name.endswith(" c"):
        pytest.importorskip("clang.cindex")
    notes, (call, values) = Notes(), MEASURING[name]
    install(notes, monkeypatch)

    def outcome(words: list[str]) -> object:
        notes.clear()
        return *_outcome(words, folder, capsys), [*notes]

    assert not _ignored(name, call, VALUES | values, form, outcome)


def _ignored(name: str, call: str, values: dict[str, str], form: str, outcome: Callable[[list[str]], Any]) -> list[str]:
    """The options of a verb that change nothing in a call."""
    verb = name.split()[0]
    base = [verb, *shlex.split(call.replace("samples/", f"{SAMPLES}/"))]
    actions = parsers.parser_of(verb, base).verbs[verb]._actions
    options = [action for action in actions if action.option_strings and not ABOUT_THE_CALL & {*action.option_strings}]
    if form == "json":
        base.insert(1, "--json")
        if not any("--json" in action.option_strings for action in options):  # a verb that makes files
            code, said, *_ = outcome(base)
            assert code == 2
            assert "--json" in said
            return []

    plain = outcome(base)
    if form == "json" and "--json has no effect" in plain[1]:
        return []
    assert plain[0] == 0, plain[1]
    assert outcome(base) == plain
    ignored = []
    for action in options:
        option = next((n for n in action.option_strings if n in values), action.option_strings[-1])
        words = [option] if action.nargs == 0 else [option, values[option]]
        if option not in base and outcome([verb, *words, *base[1:]]) == plain:
            ignored.append(" ".join(words))
    return ignored


def test_every_verb_is_tried() -> None:
    assert {*VERBS} == {name.split()[0] for name in (*CALLS, *MEASURING)}
