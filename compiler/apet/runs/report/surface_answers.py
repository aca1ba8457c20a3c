"""Predictions over several parameters as an answer: with the formula by its terms, call paths, and the next run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Heading, Lines, Table
from apet.ground.interval import Interval
from apet.ground.notes import Note
from apet.runs.experiments import Experiment
from apet.runs.fit.surface.call_tree import CallPathFit
from apet.runs.fit.surface.fitted import SurfaceFit
from apet.runs.fit.surface.next_run import NextRun
from apet.runs.measurements import quantity
from apet.runs.report.answers import count, trust_lines, whole_where_exact
from apet.runs.report.surface_plots import surface_figure
from apet.runs.surface_law import LawTerm, formula, law_text, term_text
from apet.show.tables import interval_cells
from apet.show.times import column, percent, single, unit_for

LONGEST = 8
"""Terms of a formula that are shown."""
DEEPEST = 20
"""Levels of a call tree that are indented."""
LONGEST_PATH = 60


def surface_answer(fit: SurfaceFit, notes: Sequence[Note], extra: Sequence[Answer] = ()) -> Answer:
    """Predictions with intervals, trust, notes, the formula by term; `extra` are what else was asked, as of
    `tree_answer` and `next_answer`."""
    experiment, said = fit.experiment, [*notes, *fit.notes]
    last = fit.predictions[-1].x if fit.predictions else experiment.largest
    names = experiment.names
    terms = [{"phase": phase, **_term(t, names), "share": share} for share, phase, t in shares(fit, last)]
    return Answer(
        kind="prediction",
        unit=experiment.unit,
        subject=experiment.name,
        parameters={
            p.name: {"role": p.role, "values": [whole_where_exact(v) for v in experiment.values(k)]}
            for k, p in enumerate(experiment.parameters)
        },
        predictions=list(_rows(fit)),
        notes=said,
        results={
            **{"name": experiment.name, "constants": experiment.constants, "points": len(experiment.points)},
            **{"design": fit.design.value, "trust": fit.trust},
            "formula": {"text": formula(fit.law), "differs_by": difference(fit), "terms": terms},
            **{key: value for each in extra for key, value in each.results.items()},
        },
        blocks=[
            [Heading(heading(experiment))],
            [_table(fit)],
            [Lines(trust_lines(fit.trust, said))],
            _terms(fit),
            *(block for each in extra for block in each.blocks),
        ],
        figure=partial(surface_figure, fit),
    )


def _rows(fit: SurfaceFit) -> Iterator[Estimate]:
    """Nine of ten such runs lie between the ends, which guarantees nothing."""
    for p in fit.predictions:
        low, high = (Interval(end, end) for end in p.interval)
        ends = {"tmin_s": p.interval.lo, "tmax_s": p.interval.hi}
        more: dict[str, Any] = {"estimate_s": p.t, **ends, "phases_s": p.phases}
        if p.law_interval is not None:
            more["if_the_law_goes_on"] = {"tmin": p.law_interval.lo, "tmax": p.law_interval.hi}
        yield Estimate(_at(fit.experiment.names, p.x), Interval(p.t, p.t), low, high, more=more)


def heading(experiment: Experiment) -> str:
    """What was measured."""
    over = []
    for k, parameter in enumerate(experiment.parameters):
        values = experiment.values(k)
        over.append(f"{parameter.name} = {count(values[0])} to {count(values[-1])} ({len(values)})")
    runs = sum(max(len(p.repetitions), 1) for p in experiment.points)
    repeated = f", {runs} runs in all" if runs > len(experiment.points) else ""
    phases = len(experiment.phases)
    profiled = f", {phases} phases" if phases > 1 else ""
    fixed = "".join(f", {n} = {v if isinstance(v, str) else count(v)}" for n, v in experiment.constants.items())
    return f"{experiment.name} · {len(experiment.points)} points over {', '.join(over)}{repeated}{profiled}{fixed}"


def _table(fit: SurfaceFit) -> Table | Lines:
    points, names = fit.predictions, fit.experiment.names
    if not points:
        return Lines(["(no point was asked for)"])
    unit = unit_for([p.t for p in points], fit.experiment.unit)
    columns = [
        *([count(p.x[k]) for p in points] for k in range(len(names))),
        [f"{t} {unit.name}".rstrip() for t in column([p.t for p in points], unit)],
        interval_cells([p.interval for p in points], unit, outward=1),
    ]
    header = [*names, quantity(fit.experiment.unit), "90 % of such runs"]
    laws = [p.law_interval for p in points if p.law_interval]
    if len(laws) == len(points):
        columns.append(interval_cells(laws, unit, outward=1))
        header.append("if the law goes on")
    return Table(header, list(zip(*columns, strict=True)), ">" * len(names) + "<" * (len(header) - len(names)))


def _terms(fit: SurfaceFit) -> Block:
    """The formula, and its terms by their share at the last target."""
    names = fit.experiment.names
    likeliest = f"likeliest formula: T = {law_text(fit.law, LONGEST)}"
    if not fit.predictions:
        return [Lines([likeliest])]

    last = fit.predictions[-1].x
    rows = sorted(shares(fit, last), key=lambda row: -row[0])
    cells = [[percent(s), _short(phase), term_text(t, names)] for s, phase, t in rows[:LONGEST]]
    rest = f"… and {len(rows) - LONGEST} more (--json lists all)" if len(rows) > LONGEST else ""
    off = f"the table uses the average of likely formulas; this one differs by up to {percent(difference(fit))} there"
    return [
        Lines([likeliest, f"at {place(names, last)}:"]),
        Table(["share", "phase", "term"], cells, "><<", 4, rest),
        Lines([off]),
    ]


def shares(fit: SurfaceFit, x: Sequence[float]) -> list[tuple[float, str, LawTerm]]:
    """Each term of the formula with its share of the formula's time, and its phase."""
    whole = fit.law.seconds(x)
    return [(t.seconds(x) / whole, p.name, t) for p in fit.law.phases for t in p.terms]


def difference(fit: SurfaceFit) -> float:
    """The greatest relative difference of the formula from the predictions."""
    return max((abs(fit.law.seconds(p.x) / p.t - 1) for p in fit.predictions), default=0.0)


def _term(term: LawTerm, names: Sequence[str]) -> dict[str, Any]:
    pairs = zip(names, term.factors, strict=True)
    factors = {n: {"exponent": f.exponent, "logarithms": f.logarithms} for n, f in pairs}
    return {"coefficient_s": term.coefficient, "factors": factors}


def _at(names: Sequence[str], x: Sequence[float]) -> dict[str, int | float]:
    return {n: whole_where_exact(v) for n, v in zip(names, x, strict=True)}


def place(names: Sequence[str], x: Sequence[float]) -> str:
    """`n = 8,000, P = 128`."""
    return ", ".join(f"{n} = {count(v)}" for n, v in zip(names, x, strict=True))


# Call paths

TREE_HEADER = ("", "call path", "now", "there", "90 %", "grows as", "seconds")


def tree_answer(rows: Sequence[CallPathFit], folded: int, names: Sequence[str], target: Sequence[float]) -> Answer:
    """One line for each call path, children below their parents."""
    block: Block = [Lines(["no call path: the runs are not profiled"])]
    if rows:
        title = f"call paths at {place(names, target)} (! where time x P grows)"
        rest = f"… and {folded} below 3 %" if folded else ""
        block = [Lines([title]), Table(TREE_HEADER, tree_cells(rows, names), "<<>><<<", rest=rest)]
    return Answer(kind="prediction", subject="", results={"tree": [_path(r, names) for r in rows]}, blocks=[block])


def tree_cells(rows: Sequence[CallPathFit], names: Sequence[str]) -> list[list[str]]:
    """The cells of each call path; its name is indented below those that call it."""
    paths, cells = {r.path for r in rows}, []
    for r in rows:
        parts = r.path.split("/")
        depth = sum("/".join(parts[:k]) in paths for k in range(1, len(parts)))
        label = "  " * min(depth, DEEPEST) + _short(parts[-1] if depth else r.path)
        mark = "!" if r.work_grows else ""
        now_and_there = [percent(r.share_now), percent(r.share), path_interval(r)]
        cells.append([mark, label, *now_and_there, path_growth(r), path_formula(r, names)])
    return cells


def _short(path: str) -> str:
    """A call path that fits a line: where it begins and ends."""
    half = LONGEST_PATH // 2
    return path if len(path) <= LONGEST_PATH else f"{path[:half]}…{path[-half:]}"


def path_interval(row: CallPathFit) -> str:
    """The share at the target lies within it."""
    return f"{percent(float(row.interval.lo))} … {percent(float(row.interval.hi))}"


def path_growth(row: CallPathFit) -> str:
    """`n^1.98, P^-1.00`."""
    return ", ".join(f"{n}^{e:.2f}" for n, e in row.growth.items())


def path_formula(row: CallPathFit, names: Sequence[str]) -> str:
    """Its seconds, by the likeliest formula."""
    return " + ".join(term_text(t, names, 3) for t in row.law.terms)


def _path(row: CallPathFit, names: Sequence[str]) -> dict[str, Any]:
    ends = {"share_min": row.interval.lo, "share_max": row.interval.hi}
    about = {"path": row.path, "share_now": row.share_now, "share": row.share, **ends}
    terms = [_term(t, names) for t in row.law.terms]
    return {**about, "growth": row.growth, "work_grows": row.work_grows, "terms": terms}


# The next run


def next_answer(run: NextRun | None, names: Sequence[str], target: Sequence[float]) -> Answer:
    """The run worth its cost, or that there is none."""
    if run is None:
        return Answer(kind="prediction", subject="", blocks=[[Lines(["next run: none narrows the interval"])]])
    ends = [f"{single(float(i.lo))} … {single(float(i.hi))}" for i in (run.before, run.after)]
    cost = f"next run: {place(names, run.x)}, about {single(run.seconds)}"
    line = f"{cost}; at {place(names, target)} {ends[0]} becomes {ends[1]}"
    following = {"at": _at(names, run.x), "cost_s": run.seconds, "before_s": run.before, "after_s": run.after}
    return Answer(kind="prediction", subject="", results={"next": following}, blocks=[[Lines([line])]])
