"""Every option of every verb, for every kind of file: it changes the answer, writes its file, or is refused."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from apet.cli import parsers
from apet.cli.main import main
from apet.cli.verbs import OF_KINDS

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
    "--range": "1..2",
    "--price": "app=1",
    "--most-cost": "1",
    "--vary": "speed=1,2",
    "--points": "points.csv",
    "--pareto": "front.csv",
    "--cost": "cost_per_hour",
    "--minimise": "estimate",
    "--engine": "dask",
    "--dask": "tcp://localhost:1",
    "--workers": "1",
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
    "--role": "n=size",
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
}
"""A value of each option that changes what has one of its kind."""
ABOUT_THE_CALL = {"-h", "--help", "--time-limit", "--memory-limit", "--debug", "--quiet", "--input-kind", "--yes"}
ABOUT_THE_CALL |= {"--skip-undefined"}
"""Options that change the answer only where something goes wrong, or is not known by itself."""
# The other verbs take the same options, and minutes: `CALLS` of all of OF_KINDS tries them.
QUICK = ("predict", "simulate", "compile", "check", "export")
CALLS = [(verb, kind) for verb in QUICK for kind in OF_KINDS[verb]]


def _outcome(call: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, set[str]]:
    """The exit status, what is printed, and the files that are new."""
    before = {path.name for path in folder.iterdir()}
    code = main(call)
    shown = capsys.readouterr()
    files = {path.name for path in folder.iterdir()} - before
    for name in files:
        (folder / name).unlink()
    return code, shown.out + shown.err, files


@pytest.mark.parametrize(("verb", "kind"), CALLS)
def test_an_option_has_an_effect_or_is_refused(
    verb: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hosts.txt").write_text("node-0\nnode-0\nnode-1\n")
    (tmp_path / "points.csv").write_text("n\n1000\n2000\n")
    base = [verb, *shlex.split(OF_KINDS[verb][kind].replace("samples/", f"{SAMPLES}/"))]
    plain = _outcome(base, tmp_path, capsys)
    assert plain[0] == 0, plain[1]

    actions = parsers.parser_of(verb, base).verbs[verb]._actions
    ignored = []
    for action in actions:
        if not action.option_strings or ABOUT_THE_CALL & set(action.option_strings):
            continue
        name = next((n for n in action.option_strings if n in VALUES), action.option_strings[-1])
        words = [name] if action.nargs == 0 else [name, VALUES[name]]
        if name in base or _outcome([*base, *words], tmp_path, capsys) != plain:
            continue
        ignored.append(" ".join(words))
    assert not ignored
