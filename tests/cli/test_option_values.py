"""Pairs of options with values that make little sense: the answer is a result or a diagnostic, never a failure."""

from __future__ import annotations

import shlex
from pathlib import Path
from random import Random

import pytest
from tests.work import campaign

from apet.cli import parsers
from apet.cli.main import main
from apet.cli.verbs import OF_KINDS

ROOT = Path(__file__).resolve().parents[2]
CALLS = campaign(2_000)
SEED = 3
NUMBERS = (
    "",
    "0",
    "-1",
    "-0.5",
    "1/3",
    "0.5",
    "2.7",
    "1",
    "3",
    "1e30",
    "1e400",
    "nan",
    "inf",
    "5%",
    "-5%",
    "1e-30",
    "1_0",
)
RANGES = (
    "9..1",
    "1..1",
    "0..0",
    "-3..2",
    "0..1e30",
    "1..",
    "..",
    "1..9:0",
    "1..9:-1",
    "1..9:1x",
    "0..9:2x",
    "1:2:3:4",
    "1,,2",
)
TIMES = ("0s", "-1 s", "1e30 s", "1 us", "3 kB", "90", "1h")
WORDS = ("=", "x", "=1", "n=", "none", "none=1", "a=b=c", "é", "-", "[", "n[", "*" * 300, "1;2", "n=1,2")
NAMES = {
    "model": ("n", "tasks", "q", "P", "t_mpy_double", "latency_s"),
    "runs": ("n", "P", "size"),
    "queue": ("N", "D_cpu", "Z", "population", "servers[cpu]", "think", "arrival_rate"),
    "trace": ("bandwidth", "speed", "latency", "P"),
    "jobs": ("cores", "data", "spread", "skew.0"),
}
"""Names that mean something for the samples of each kind."""
ASSIGNED = {"--set", "--vary", "--for", "--with", "--price", "--to"}
ENDLESS = {"--debug", "-h", "--help", "--help-all", "--time-limit", "--memory-limit", "--engine", "--dask", "--workers"}


def _value(random: Random, kind: str, option: str) -> str:
    """A value that is wrong now and then, of an option that mostly takes such a one."""
    text = random.choice(random.choice((NUMBERS, NUMBERS, RANGES, TIMES, WORDS)))
    named = option in ASSIGNED if random.random() < 0.9 else option not in ASSIGNED
    return f"{random.choice(NAMES[kind])}={text}" if named else text


def calls(seed: int) -> list[str]:
    """A call with one or two more options, of values drawn."""
    random = Random(seed)
    verb = random.choice([*OF_KINDS])
    kind = random.choice([*OF_KINDS[verb]])
    base = [verb, *shlex.split(OF_KINDS[verb][kind].replace("samples/", f"{ROOT}/samples/"))]
    actions = [
        action
        for action in parsers.parser_of(verb, base).verbs[verb]._actions
        if action.option_strings and not ENDLESS & {*action.option_strings}
    ]
    for action in random.sample(actions, random.choice((1, 2, 2))):
        name = action.option_strings[-1]
        if name in base and action.nargs != 0:
            at = base.index(name)
            del base[at : at + 2]
        value = str(random.choice([*action.choices])) if action.choices else _value(random, kind, name)
        base += [name] if action.nargs == 0 else [f"{name}={value}"]
    return [*base, "--time-limit", "20s"]


@pytest.mark.parametrize("part", range(4))
def test_no_value_of_an_option_makes_the_tool_fail(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib.figure")  # a limit of time in the midst of an import would leave half of it behind
    monkeypatch.chdir(tmp_path)
    for k in range(part * CALLS // 4, (part + 1) * CALLS // 4):
        call = calls(SEED * 10**6 + k)
        code = main(call)
        shown = capsys.readouterr()
        assert code in (0, 2), f"apet {shlex.join(call)}\n{shown.err}"
        assert code == 0 or "error: " in shown.out + shown.err, f"apet {shlex.join(call)}: refused without a reason"
        assert "Traceback" not in shown.err
