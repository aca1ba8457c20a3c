"""Laws of the limits of a call, and of the line that shows progress."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import scipy.stats  # noqa: F401  # so that the limit does not end the import

from apet.cli.main import main
from apet.cli.parsers import UNLIMITED, whole_parser
from apet.ground import activity
from apet.ground.activity import Activity

ROOT = Path(__file__).resolve().parents[2]
SCANNED = "param n = 3; L = par (i = 1, n) use(d[i % 7], 1 + n % 3);\n"
RANGE = "--set=n=1..10000"
LONG = "".join(f"E{k} = seq (i = 1, {k + 2}) delay(i * {k});\n" for k in range(40_000)) + "L = E1;\n"
NETWORK = """
[[stations]]
name = "cpu"

"""
NETWORK += "".join(
    f'[[classes]]\nname = "{name}"\npopulation = {jobs}\nthink = 2.0\nservice = {{ cpu = 0.2 }}\n\n'
    for name, jobs in (("a", 700), ("b", 700), ("c", 30))
)
SUMMED = "L = delay(sum(i = 1, 10^6, sqrt(i)));\n"
MACHINES = ("-m", "join-2005")


def _long(verb: str, folder: Path) -> list[str]:
    """A call of a verb that takes many seconds."""
    model, other = folder / "scanned.pam", folder / "summed.pam"
    long, trace, network = folder / "long.pam", folder / "trace.txt", folder / "network.toml"
    long.write_text(LONG)
    trace.write_text("0 init\n1 init\n" + "0 compute 1e6\n0 send 1 1 100\n1 recv 0 1 100\n" * 200_000)
    network.write_text(NETWORK)
    model.write_text(SCANNED)
    other.write_text(SUMMED)
    written = str(folder / "result")
    calls = {
        "predict": [str(model), *MACHINES, RANGE],
        "explain": [str(model), *MACHINES, RANGE, "--sobol", "16384"],
        "solve": [str(model), *MACHINES, "--for", "n", "--range", "1..1e6", "--deadline", "100"],
        "compare": [str(other), str(model), *MACHINES, RANGE],
        "sweep": [str(model), *MACHINES, "--vary", "n=1:1000000", "-o", f"{written}.csv"],
        "report": [str(model), *MACHINES, RANGE, "-o", f"{written}.html"],
        "simulate": ["pamela/pi.pam", *MACHINES, "--set", "tasks=1e9"],
        "predict --quantiles": ["pamela/pi.pam", *MACHINES, "--quantiles", "50", "--draws", "5000000"],
        "queue": [str(network), "--method", "exact"],
        "trace replay": [str(trace), "--platform", str(ROOT / "samples" / "traces" / "cluster.xml")],
        **{verb: [str(long)] for verb in ("compile", "inspect", "check")},
        "regions": [str(long), *MACHINES, "--for", "P"],
    }
    return [*verb.split()[:1], *([] if "--" in verb else verb.split()[1:]), *calls[verb]]


@pytest.fixture(scope="module", autouse=True)
def loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a first prediction over a range loads is no part of a limit of 400 ms."""
    assert main([*_long("predict", tmp_path_factory.mktemp("loaded")), "--time-limit", "3 s"]) == 2


COUNTED = ("predict", "explain", "solve", "compare", "sweep", "report", "simulate", "predict --quantiles")
NAMED = ("queue", "compile", "inspect", "check", "regions", "trace replay")


@pytest.mark.parametrize("verb", [*COUNTED, *NAMED])
def test_a_long_call_ends_at_its_limit_with_what_it_was_doing(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A call that goes on for `limits.GRACE` would be the end of this process."""
    assert main([*_long(verb, tmp_path), "--time-limit", "400 ms"]) == 2
    printed = capsys.readouterr().err
    assert re.search(r"error: stopped after 400 ms \(--time-limit\) while ", printed), printed
    assert verb in NAMED or re.search(r" while .*: [\d,]+ .*\n  hint: (.*, or )?allow more time\n", printed), printed
    assert not (tmp_path / "result.html").exists()
    assert not (tmp_path / "result.csv").exists()
    assert not list(tmp_path.glob(".apet-*"))
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_every_verb_that_may_take_long_has_limits() -> None:
    parser = whole_parser()
    for name, verb in parser.verbs.items():
        options = verb._option_string_actions
        assert ("--time-limit" in options, "--memory-limit" in options) == (name not in UNLIMITED,) * 2, name


def test_a_sweep_that_reaches_its_limit_can_be_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = _long("sweep", tmp_path)
    assert main([*call, "--time-limit", "2s"]) == 2
    printed = capsys.readouterr().err
    assert "--resume" in printed or "no part was finished" in printed
    assert "stopped after 2s (--time-limit)" in printed


def test_the_last_resort_ends_a_library_that_does_not_return(tmp_path: Path) -> None:
    """Python code that swallows what ends it stands for a library; a process that it has started ends, too."""
    script = f"""
import time
from apet.cli import limits
from apet.ground import children, whole_files
limits.GRACE = 0.3

def write(path):
    print(child.pid, flush=True)
    with limits.CallLimits("0.2", None):
        while True:
            try:
                time.sleep(10)
            except KeyboardInterrupt:
                pass

child = children.start(["sleep", "60"])
whole_files.write_whole({str(tmp_path / "result.txt")!r}, write)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    ran = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    assert ran.returncode == 2
    assert ran.stderr == "error: stopped after 0.2 s (--time-limit)\n  hint: allow more time\n"
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ProcessLookupError):
        _wait_for_end(int(ran.stdout))


def test_even_a_library_that_keeps_the_interpreter_is_ended() -> None:
    script = """
from apet.cli import limits
limits.GRACE = 0.3
with limits.CallLimits("0.2", None):
    sum(range(10**12))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    ran = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, timeout=20, check=False)
    assert ran.returncode == 1


def _wait_for_end(pid: int) -> None:
    for _ in range(50):
        os.kill(pid, 0)
        stat = Path(f"/proc/{pid}/stat")
        if stat.exists() and stat.read_text().split(") ")[1][0] == "Z":
            raise ProcessLookupError
        time.sleep(0.05)


def test_memory_is_limited_and_what_filled_it_is_named(tmp_path: Path) -> None:
    model = tmp_path / "model.pam"
    model.write_text(LONG)
    ran = _apet("predict", str(model), *MACHINES, "--memory-limit", "100 MB")
    assert ran.returncode == 2, ran.stderr
    assert ran.stderr.startswith("error: memory ran out: more than 100 MB (--memory-limit) while compiling ")
    assert ran.stderr.endswith("allow more memory\n")


def test_a_limit_of_memory_leaves_room_for_a_usual_call() -> None:
    ran = _apet("predict", "pamela/pi.pam", *MACHINES, "--memory-limit", "100MB")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_memory_that_runs_out_without_a_limit_is_no_fault_of_apet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        with Activity("collecting", "rows", lambda: 7, whole=9, advice="take fewer"):
            try:
                raise MemoryError
            except MemoryError as error:
                raise RuntimeError("a library failed") from error

    monkeypatch.setattr("apet.cli.predict.load_target", fail)
    assert main(["predict", "pamela/pi.pam", *MACHINES]) == 2
    assert capsys.readouterr().err.startswith("error: memory ran out")


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("--time-limit", "0", "it should be above 0 and finite"),
        ("--time-limit", "soon", "there is no unit of time 'soon'"),
        ("--time-limit", "5 weeks", "there is no unit of time 'weeks'"),
        ("--memory-limit", "1 kB", "APET itself takes up to 100 MB"),
        ("--memory-limit", "1 TBB", "there is no unit 'TBB'"),
    ],
)
def test_limits_that_are_none(option: str, value: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["predict", "pamela/pi.pam", *MACHINES, option, value]) == 2
    printed = capsys.readouterr().err
    assert reason in printed
    assert option in printed


def test_activities_nest_and_count() -> None:
    assert activity.description() == "", "what an earlier command was doing has ended"
    with Activity("solving", advice="take fewer jobs"):
        for k in activity.over(["a", "b", "c"], "scanning n", "values"):
            if k == "c":
                assert activity.description() == "solving, scanning n: 2 of 3 values"
                assert activity.advice() == "take fewer jobs"
                break
        assert activity.description() == "solving"
    assert activity.innermost() is None


def test_what_a_failed_command_reported_last_ends_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        activity.report("primes, n = 20,000", 0.1)
        raise RuntimeError("a library failed")

    monkeypatch.setattr("apet.cli.predict.load_target", fail)
    before = activity.description()
    assert main(["predict", "pamela/pi.pam", *MACHINES]) == 1
    assert activity.description() == before


@pytest.mark.parametrize("number", [0, 3, activity.MANY - 1, activity.MANY, activity.MANY + 1, 3 * activity.MANY])
def test_items_that_are_counted_are_the_items(number: int) -> None:
    assert list(activity.over_many(range(number), "evaluating", "rounds")) == list(range(number))
    assert list(activity.over(range(number), "evaluating", "rounds")) == list(range(number))


LONG_WORK = {
    "fit": (
        ["fit", "nbody", "--to", "n=100000,P=64", "--tree", "--next"],
        ("reading", "fitting the runs", "another run"),
    ),
    "extrapolate": (["extrapolate", "kmeans"], ("fitting the runs",)),
    "jobs": (["jobs", "nightly", "--cores", "32"], ("reading", "replaying the job")),
    "report": (
        ["report", "pamela/pi.pam", *MACHINES, "-P", "2"],
        ("compiling", "looking for another", "work of each line"),
    ),
    "explain": (["explain", "pamela/pi.pam", *MACHINES, "-P", "2"], ("compiling", "looking for another term")),
    "solve": (["solve", "pamela/pi.pam", *MACHINES, "--deadline", "1min"], ("compiling", "trying values")),
    "regions": (["regions", "pamela/pi.pam", *MACHINES, "--for", "P"], ("compiling", "mapping")),
    "quantiles": (["predict", "pamela/pi.pam", *MACHINES, "-P", "2", "--quantiles", "50"], ("compiling", "drawing")),
    "simulate": (["simulate", "pamela/pi.pam", *MACHINES, "-P", "4", "--set", "n=1e4"], ("compiling", "simulating")),
}


@pytest.mark.parametrize("verb", LONG_WORK)
def test_long_work_names_what_is_being_done(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    begun, enter = list[str](), Activity.__enter__

    def recorded(self: Activity) -> Activity:
        begun.append(self.what)
        return enter(self)

    monkeypatch.setattr(Activity, "__enter__", recorded)
    call, expected = LONG_WORK[verb]
    assert main(call) == 0
    for what in expected:
        assert any(what in each for each in begun), (what, begun)


def test_a_terminal_shows_progress_after_a_second_and_keeps_nothing_of_it(tmp_path: Path) -> None:
    screen, printed = _on_terminal([*_long("predict", tmp_path), "--time-limit", "2s"])
    line = r"\r\x1b\[K\[[#.]{24}\] +\d+% (searching the range|evaluating a loop): [\d,]+ of [\d,]+"
    assert re.search(line, screen), screen
    shown = screen.rpartition("\x1b[K")[2].replace("\r", "")
    assert re.sub(r"\x1b\[[\d;]*m", "", shown).startswith("error: stopped after 2s")
    assert printed == ""


def test_a_short_call_shows_no_progress() -> None:
    screen, printed = _on_terminal(["predict", "pamela/pi.pam", *MACHINES, "-P", "32"])
    assert screen == ""
    assert "P = 32" in printed or "32" in printed


def _on_terminal(arguments: list[str]) -> tuple[str, str]:
    """What a call writes to standard error, which is a terminal, and to standard output, which is none."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "apet.cli.main", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    screen = b""
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                screen += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break

    out = process.communicate()[0]
    os.close(ours)
    return screen.decode(), out.decode()


def _apet(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "apet.cli.main", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "compiler")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
