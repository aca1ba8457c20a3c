"""The verb `apet record --score`: compare the ways of taking a trace on this machine."""

from __future__ import annotations

import argparse
import statistics
from typing import TYPE_CHECKING

from apet.answers.answer import Answer
from apet.answers.json_form import json_text
from apet.cli import output
from apet.cli.trace_acquire import order_of
from apet.cli.version import version
from apet.ground import activity
from apet.show.times import single

if TYPE_CHECKING:
    from apet.traces.mpi.scoring import Scored, Scores

# What stands inside functions belongs to `apet.traces.mpi`: every verb of traces loads this file, few run MPI.


def run(options: argparse.Namespace) -> None:
    """Run and compare."""
    from apet.traces.mpi.flavours import program_path
    from apet.traces.mpi.scoring import score

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

    results = {"plain": plain, "modes": modes, "best": scores.best}
    return json_text(Answer(kind="comparison", subject="modes of recording", results=results), version())
