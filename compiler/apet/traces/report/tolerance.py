"""What a trace tolerates of latency or bandwidth."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Sentences, Settings, Table, cut
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.show.plots import frame, sheet, time_scale, value_scale
from apet.show.times import percent, single, unit_for
from apet.traces.critical.tolerance import Limit, Tolerance

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_KINKS = 12
POINTS = 200
EXACT = "No message waits for another one on a link: the curve is the time itself, with all its kinks."
BOUNDED = "Links are shared: curves bound the time from below and above, and replays say what is in between."
"""How sure it is."""


def tolerance_answer(found: Tolerance) -> Answer:
    """Where the limit is kept, what further shares beyond the time here come to, and the kinks of the curve."""
    exact = found.curve.exact
    note = Note(NoteKind.METHOD, EXACT if exact else BOUNDED)
    question = f"{found.factor} from {found.ends[0]:,g} to {found.ends[1]:,g}"
    return Answer(
        kind="solution",
        subject=found.trace,
        predictions=[_row(found, x) for x in sorted({*found.ends, 1.0, *_inside(found)})],
        notes=[note],
        results={
            **{"trace": found.trace, "platform": found.platform, "for": found.factor, "range": list(found.ends)},
            **{"exact": exact, "best_s": found.best_s, "here_s": found.here_s, "near_best": found.near_best},
            **{"deadline_s": found.limit.seconds, **_limit(found.limit)},
            "tolerance": [{"share": s, "deadline_s": limit.seconds, **_limit(limit)} for s, limit in found.shares],
            "kinks": [
                {"from": k.multiple, "seconds": k.seconds, f"of_{found.factor}_s": k.in_proportion} for k in found.kinks
            ],
        },
        blocks=[
            [
                Heading(f"{found.trace} on {found.platform} · run time by replay · {question}"),
                Settings([_asked(found)]),
            ],
            [Table(["", found.factor], _met(found), "<<")],
            [_shares(found)],
            _kinks(found),
            [Sentences([note.sentence])],
        ],
        figure=lambda: _figure(found),
    )


def _asked(found: Tolerance) -> str:
    limit = f"deadline {single(found.limit.seconds)}"
    if found.near_best is None:
        return limit
    best = found.ends[0 if found.factor == "latency" else 1]
    return f"{limit}: within {percent(found.near_best)} of {single(found.best_s)}, the time at {found.factor} {best:,g}"


def _limit(limit: Limit) -> dict[str, Any]:
    """Multiples that are no numbers of JSON are null."""
    names = ("sure", "possible", "replayed")
    return {n: None if (x := getattr(limit, n)) is None or math.isinf(x) else x for n in names}


def _inside(found: Tolerance) -> list[float]:
    low, high = found.ends
    return [x for x in (found.limit.sure, found.limit.possible, found.limit.last) if low < x < high]


def _row(found: Tolerance, multiple: float) -> Estimate:
    lower, upper = found.curve.bounds(multiple)
    low, high = Interval(lower, lower), Interval(upper, upper)
    return Estimate({found.factor: multiple}, low, low, high, Interval(lower, upper))


def _met(found: Tolerance) -> list[list[str]]:
    """From the better end on: for sure, by replays, and not."""
    low, high = found.ends
    begin, end = found.ends if found.factor == "latency" else found.ends[::-1]
    at = begin
    rows = list[list[str]]()
    parts = [
        ("met", found.limit.sure),
        ("met by replay", found.limit.last),
        ("not met by replay", found.limit.possible),
    ]
    for name, bound in (*parts, ("not met", end)):
        until = min(max(bound, low), high)
        if until != at and (until > at) == (end > begin):
            rows.append([name, f"{at:,.6g} … {until:,.6g}"])
            at = until
    return rows


def _shares(found: Tolerance) -> Table:
    rows = []
    for share, limit in found.shares:
        sure, possible = (_multiple(x) for x in (limit.sure, limit.possible))
        between = sure if sure == possible else f"{sure} … {possible}"
        rows.append([f"{percent(share)} longer than here", _multiple(limit.last), "" if found.curve.exact else between])
    return Table([f"here {single(found.here_s)}", found.factor, "" if found.curve.exact else "bounds"], rows, "<>>")


def _multiple(x: float) -> str:
    return "any" if math.isinf(x) else "none" if x == 0 else f"{x:,.6g}"


def _kinks(found: Tolerance) -> list[Table]:
    """Those next to the platform itself."""
    what = "latencies" if found.factor == "latency" else "transfers"
    nearest = sorted(found.kinks, key=lambda k: abs(math.log(k.multiple)))[:MOST_KINKS]
    ordered = [k for k in found.kinks if k in nearest] + [k for k in found.kinks if k not in nearest]
    rows = [[f"{k.multiple:,.6g}", single(k.seconds), single(k.in_proportion)] for k in ordered]
    heads = [f"from {found.factor}", "run time" if found.curve.exact else "at least", f"{what} on the path"]
    return [cut(heads, rows, ">>>", MOST_KINKS, "more, further from here")] if len(rows) > 1 else []


def _figure(found: Tolerance) -> Figure:
    """Both curves, and the limit."""
    low, high = max(found.ends[0], 1e-3), min(found.ends[1], 1e3)
    xs = numpy.geomspace(low, high, POINTS).tolist()
    times = [found.curve.bounds(x) for x in xs]
    with sheet(7.2, 4.6) as figure:
        axes = figure.add_subplot()
        unit = unit_for([upper for _, upper in times])
        lower, upper = ([each[k] / unit.seconds for each in times] for k in range(2))
        axes.plot(xs, lower, color="#0072B2", linewidth=1.6, label="run time" if found.curve.exact else "at least")
        if not found.curve.exact:
            axes.plot(xs, upper, color="#D55E00", linewidth=1.6, label="at most")
        axes.axhline(found.limit.seconds / unit.seconds, color="#222222", linewidth=1.4, label="deadline")
        time_scale(axes, [*lower, *upper])
        value_scale(axes, xs, processors=False, whole=False)
        axes.set_xlabel(f"{found.factor}, multiple of the platform's")
        axes.set_ylabel(f"run time [{unit.name}]")
        axes.set_title(f"{found.trace} on {found.platform}", fontsize=11)
        frame(axes)
        axes.legend(frameon=False, fontsize=8.5)
    return figure
