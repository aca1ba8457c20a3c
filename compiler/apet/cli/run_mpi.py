"""`apet run` of an MPI program: a trace of it, a platform of this machine, and replays there and on faster ones."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import NoReturn

from apet import api
from apet.answers.blocks import Lines, Table
from apet.api.reports import pictures_of
from apet.cli import output
from apet.cli.errors import WrongCall
from apet.cli.forecast import Forecast, ForecastTable, RunOrder, program_name
from apet.cli.trace_acquire import write_trace
from apet.cli.trace_calibrate import measured_network, provenance, rate_of, volumes_in, write_platform
from apet.ground.activity import Activity, over
from apet.ground.diagnostics import ApetError, render
from apet.ground.host import cores
from apet.ground.records import NamedTuple
from apet.show.times import single
from apet.traces.lines.header import comments_of, volumes_unit
from apet.traces.mpi import Order, acquire
from apet.traces.mpi.acquiring import checked
from apet.traces.mpi.errors import TookTooLong
from apet.traces.mpi.network import sizes_to_measure
from apet.traces.mpi.platform_text import described
from apet.traces.report.replay import replay_answer

LAUNCHERS = ("mpirun", "mpiexec", "orterun")
COUNTS = ("-n", "-np", "--n", "--np", "-c")
ALONE = (
    "--oversubscribe",
    "--allow-run-as-root",
    "--use-hwthread-cpus",
    "--report-bindings",
    "--tag-output",
    "-l",
    "-v",
)
PAIRS = ("-env", "-genv", "--mca", "-mca")
"""Options of launchers: how many ranks; those without a value; those with two. All others have one."""
MOST_RUNS = 3
CALIBRATING = 0.5
"""Part of what the recording leaves of the budget that runs for the speed may take."""
LARGEST_MESSAGE, MESSAGE_SIZES = 4 << 20, 30
"""Messages are measured in one pass: on a busy machine each round trip may take a slice of the scheduler."""
WHAT_IF: tuple[tuple[str, dict[str, float]], ...] = (
    ("this machine, a core for each rank", {}),
    ("cores twice as fast", {"speed": 2.0}),
    ("half the latency", {"latency": 0.5}),
    ("ten times the bandwidth", {"bandwidth": 10.0}),
    ("an ideal network", {"latency": 1e-6, "bandwidth": 1e6}),
)
"""Platforms of a forecast, as multiples of this machine's figures."""


class Launch(NamedTuple):
    """A call of an MPI launcher: ranks, the program with its arguments, and the launcher where it has options."""

    ranks: int
    command: tuple[str, ...]
    launcher: str | None


def launched(command: Sequence[str]) -> Launch | None:
    """What a command launches by mpirun or mpiexec; None for other commands. `ApetError` without a number of ranks."""
    launcher = os.path.basename(command[0])
    if not launcher.startswith(LAUNCHERS):
        return None
    ranks, options, left = 0, list[str](), list(command[1:])
    while left and left[0].startswith("-"):
        option = left.pop(0)
        if option in COUNTS:
            text = left.pop(0) if left else ""
            ranks = int(text) if text.isdecimal() else _refuse(f"{launcher} {option} {text}: no number of ranks")
            continue
        values = 0 if option in ALONE or "=" in option else 2 if option in PAIRS else 1
        options += [option, *left[:values]]
        del left[:values]
    if not ranks:
        _refuse(f"{launcher} does not say how many ranks")
    if not left or ":" in left:
        _refuse(f"{launcher} starts {'several programs' if left else 'no program'}")

    # A launcher by its name alone is looked for: it must be that of the program's own MPI.
    named = options or os.sep in command[0]
    return Launch(ranks, tuple(left), shlex.join([command[0], *options]) if named else None)


def _refuse(reason: str) -> NoReturn:
    raise ApetError(WrongCall(None, None, reason, "write one program and its ranks: apet run -- mpirun -n 8 ./program"))


def forecast(order: RunOrder, launch: Launch) -> Forecast:
    """Record, calibrate, replay. `ApetError`."""
    trace, platform = order.file("trace.txt"), order.file("platform.xml")
    mpi = Order(launch.command, launch.ranks, limit=order.budget, mpiexec=launch.launcher)
    seconds = _recorded(order, mpi, trace)
    _calibrated(order, mpi, trace, platform, seconds)
    here, hosts = api.read_platform(platform)
    replays = [
        (what, api.replay(trace, here.scaled(**factors), hosts))
        for what, factors in over(WHAT_IF, "replaying the trace", "platforms")
    ]

    rows = [
        [what, single(each.makespan_s), f"{replays[0][1].makespan_s / each.makespan_s:.2f} x"] for what, each in replays
    ]
    forecasts = ForecastTable(("forecast for", "run time", "faster"), rows, _remarks(mpi, seconds))
    found = replay_answer(replays[0][1], api.trace_gaps(trace))

    return Forecast(
        answer=found.replace(
            results={
                **found.results,
                "files": {"trace": trace, "platform": platform},
                "forecast": [{"platform": what, "makespan_s": each.makespan_s} for what, each in replays],
            },
            blocks=[*found.blocks, [Table(forecasts.header, forecasts.rows, "<>>"), Lines(forecasts.remarks)]],
        ),
        title=f"{program_name(launch.command)} on {launch.ranks} ranks",
        table=forecasts,
        model=lambda: api.load_model(trace, platform=platform),
        pictures=lambda: pictures_of(trace, {"platform": platform}),
        steps=_steps(order, trace, platform),
    )


def _recorded(order: RunOrder, mpi: Order, path: str) -> float | None:
    """Seconds of the recorded run, by the clock; None where the folder has a trace of this program already."""
    program, _ = checked(mpi)
    head = [f"# apet trace of {' '.join((os.path.basename(program), *mpi.command[1:]))}", f"# ranks: {mpi.ranks}"]
    if not order.fresh and _is_newer(path, program) and comments_of(path)[:2] == head and not _incomplete(path):
        output.advise(f"{path} is a trace of this program already; --fresh records it again")
        return None

    try:
        with Activity(f"recording {mpi.ranks} ranks of {mpi.command[0]}"):
            acquired = acquire(mpi._replace(limit=order.budget), lambda run: write_trace(run, path, False))
    except ApetError as error:
        _in_words_of_the_budget(order, error, "the program did")
    for lack in acquired.advice:
        output.warn(render(lack))
    output.advise(f"recorded {mpi.ranks} ranks in {single(acquired.seconds)}: {path}")
    return acquired.seconds


def _calibrated(order: RunOrder, mpi: Order, trace: str, path: str, seconds: float | None) -> None:
    """Write the platform of this machine, unless the folder has one that is newer than the trace."""
    if not order.fresh and _is_newer(path, trace):
        output.advise(f"{path} is a platform of this machine already; --fresh measures it again")
        return
    program, flavour = checked(mpi)
    unit = volumes_unit(trace)
    runs = MOST_RUNS if not seconds else min(MOST_RUNS, int(CALIBRATING * order.left / seconds))
    if runs < 1:
        raise ApetError(order.too_small("this machine was calibrated"))

    try:
        with Activity(f"timing {mpi.command[0]}"):
            rate = rate_of(mpi._replace(limit=order.left), program, volumes_in(trace), unit, runs)
        with Activity("measuring messages between two ranks"):
            sizes = sizes_to_measure(LARGEST_MESSAGE, MESSAGE_SIZES)
            network = measured_network(mpi._replace(limit=max(order.left, 0.1)), sizes, passes=1)
    except ApetError as error:
        _in_words_of_the_budget(order, error, "this machine was calibrated")
    text = described(rate, network, provenance(mpi, f"{flavour.family} {flavour.version}", unit, "run"))
    write_platform(path, rate, network, text, mpi.ranks, 1, trace)
    output.advise(f"calibrated this machine: {path}")


def _in_words_of_the_budget(order: RunOrder, error: ApetError, what: str) -> NoReturn:
    """A run that took too long has used up the budget; other errors stay."""
    if any(isinstance(d, TookTooLong) for d in error.diagnostics):
        raise ApetError(order.too_small(what)) from None
    raise error


def _is_newer(path: str, than: str) -> bool:
    return os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(than)


def _incomplete(path: str) -> bool:
    return any(gap.kind == "incomplete" for gap in api.trace_gaps(path))


def _remarks(mpi: Order, seconds: float | None) -> list[str]:
    """What the forecast is compared with, and what it cannot be compared with."""
    if mpi.ranks > cores():
        return [
            f"This machine has {cores()} cores: {mpi.ranks} ranks never ran at the same time; "
            "the replay assumes a core for each."
        ]
    if seconds is None:
        return []
    return [f"The recorded run took {single(seconds)} of wall time, including start-up and recording."]


def _steps(order: RunOrder, trace: str, platform: str) -> list[tuple[str, str]]:
    """What to do next with a trace."""
    on = f"{shlex.quote(trace)} --platform {shlex.quote(platform)}"
    steps = [
        ("why it takes so long", f"apet explain {on}"),
        ("another platform", f"apet simulate {shlex.quote(trace)} --platform OTHER.xml"),
        ("bounds for a range of networks", f"apet predict {on} --set bandwidth=0.5..2"),
        ("a bandwidth for a deadline", f"apet solve {on} --deadline 1s --for bandwidth"),
    ]
    if "nanoseconds" in volumes_unit(trace):
        steps.append(("volumes that repeat", "apet record --cc -- mpicc -O2 PROGRAM.c, then apet run again"))
    return steps
