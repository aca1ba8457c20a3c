"""The verb `apet trace score`: compare the ways of taking a trace on this machine."""

from __future__ import annotations

import argparse
import json
import statistics
from typing import TYPE_CHECKING

from apet.cli import arguments, output
from apet.cli.trace_acquire import order_of, running_options
from apet.cli.version import version
from apet.ground import activity
from apet.ground.diagnostics import ApetError
from apet.show.times import single

if TYPE_CHECKING:
    from apet.traces.mpi.scoring import Scored, Scores

# What stands inside functions belongs to `apet.traces.mpi`: every `apet trace` loads this file, few run MPI.
SUMMARY = "compare ways of taking a trace: what is recorded, overhead, size, repeatability"
DESCRIPTION = """Run an MPI program without a recorder and with each way of measuring volumes, several times in turn,
and compare them: what is recorded, what it costs, how large the trace is, and whether it is the same in every run."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("command", nargs="+", metavar="PROGRAM", help="after --: the program and its arguments")
    parser.add_argument("-n", type=arguments.Whole(1), required=True, dest="ranks", metavar="N", help="ranks")
    parser.add_argument("--blocks", metavar="PROGRAM", help="the same program, built by 'apet trace cc'")
    parser.add_argument("--runs", type=arguments.Whole(1), default=5, metavar="K", help="runs of each (default: 5)")
    arguments.results(parser)
    running_options(parser)


def run(options: argparse.Namespace) -> None:
    """Run and compare."""
    from apet.traces.mpi.errors import BadCount
    from apet.traces.mpi.flavours import program_path
    from apet.traces.mpi.scoring import score

    if not 2 <= options.runs <= 1000:
        raise ApetError(BadCount(None, None, "--runs", str(options.runs), "from 2 to 1000"))
    blocks = None if options.blocks is None else program_path([options.blocks])
    scores = score(order_of(options, None), blocks, options.runs, activity.report)
    output.write_result(_json(scores) if options.json else _text(scores), options.output)


def _text(scores: Scores) -> str:
    plain = statistics.median(scores.plain)
    lines = [f"without a recorder: {single(plain)}, ± {scores.noise:.0%}", ""]
    rows: list[tuple[str, ...]] = [("mode", "overhead", "events", "bytes/event", "volumes differ by", "trace", "needs")]
    for mode in scores.modes:
        if mode.reason:
            rows.append((mode.mode, "-", "-", "-", "-", "-", mode.needs))
        else:
            rows.append(_row(scores, mode))

    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines += [
        "  " + "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    lines += ["", *(f"  {m.mode}: not here: {m.reason}" for m in scores.modes if m.reason)]
    lines += [f"  {m.mode}: {m.left_out:,} calls have no place in a trace" for m in scores.modes if m.left_out]
    return "\n".join([*lines, f"  best here: --mode {scores.best}"])


def _row(scores: Scores, mode: Scored) -> tuple[str, ...]:
    trace = "identical" if mode.identical else "same messages" if mode.same_messages else "differs"
    return (
        mode.mode,
        f"{scores.overhead(mode):+.1%}",
        f"{mode.events:,}",
        f"{mode.size / mode.events:.1f}",
        "0" if mode.deviation == 0 else f"{mode.deviation:.2%}",
        trace,
        mode.needs,
    )


def _json(scores: Scores) -> str:
    modes = [
        {name: value for name, value in m._asdict().items() if name != "size"}
        | {"works": not m.reason, "bytes": m.size, "overhead": None if m.reason else scores.overhead(m)}
        for m in scores.modes
    ]
    plain = {"seconds": list(scores.plain), "noise": scores.noise}

    return json.dumps({"apet": version(), "unit": "s", "plain": plain, "modes": modes, "best": scores.best}, indent=2)
