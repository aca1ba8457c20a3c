"""Predictions over several parameters as text, for people."""

from __future__ import annotations

from collections.abc import Sequence

from apet.runs.experiments import Experiment
from apet.runs.fit.surface.call_tree import CallPathFit
from apet.runs.fit.surface.next_run import NextRun
from apet.runs.fit.surface.surface import SurfaceFit
from apet.runs.surface_law import LawTerm, law_text, term_text
from apet.show.tables import intervals, table
from apet.show.times import column, percent, single, unit_for

LONGEST = 8
"""Terms of a formula that are shown."""
DEEPEST = 20
"""Levels of a call tree that are indented."""
LONGEST_PATH = 60


def surface_text(fit: SurfaceFit, notes: Sequence[str]) -> str:
    """Heading, predictions with intervals, trust, notes, the formula by term."""
    lines = [heading(fit.experiment), "", *_table(fit), "", f"  trust: {fit.trust}"]
    lines += [f"  note:  {text}" for text in (*notes, *fit.notes)]
    return "\n".join([*lines, "", *_terms(fit)])


def heading(experiment: Experiment) -> str:
    """What was measured."""
    over = []
    for k, parameter in enumerate(experiment.parameters):
        values = experiment.values(k)
        over.append(f"{parameter.name} = {number(values[0])} to {number(values[-1])} ({len(values)})")
    runs = sum(max(len(p.repetitions), 1) for p in experiment.points)
    repeated = f", {runs} runs in all" if runs > len(experiment.points) else ""
    phases = len(experiment.phases)
    profiled = f", {phases} phases" if phases > 1 else ""
    fixed = "".join(f", {n} = {v if isinstance(v, str) else number(v)}" for n, v in experiment.constants.items())
    return f"{experiment.name} · {len(experiment.points)} points over {', '.join(over)}{repeated}{profiled}{fixed}"


def _table(fit: SurfaceFit) -> list[str]:
    points = fit.predictions
    if not points:
        return ["  (no point was asked for)"]
    times, ends = [p.t for p in points], [float(e) for p in points for e in p.interval]
    unit = unit_for(times)
    low = column([float(p.interval.lo) for p in points], unit, -1, among=ends)
    high = column([float(p.interval.hi) for p in points], unit, 1, among=ends)

    names = fit.experiment.names
    columns = [[number(p.x[k]) for p in points] for k in range(len(names))]
    columns += [[f"{t} {unit.name}" for t in column(times, unit)], intervals(low, high, unit.name)]
    header = [*names, "run time", "90 % of such runs"]
    return table(header, list(zip(*columns, strict=True)), ">" * len(names) + "<<")


def _terms(fit: SurfaceFit) -> list[str]:
    """The formula, and its terms by their share at the last target."""
    names = fit.experiment.names
    lines = [f"  likeliest formula: T = {law_text(fit.law, LONGEST)}"]
    if not fit.predictions:
        return lines

    last = fit.predictions[-1].x
    lines.append(f"  at {place(names, last)}:")
    rows = sorted(shares(fit, last), key=lambda row: -row[0])
    listed = rows[:LONGEST]
    cells = [[percent(s), _short(phase), term_text(t, names)] for s, phase, t in listed]
    lines += table(["share", "phase", "term"], cells, "><<", "    ")
    if len(rows) > len(listed):
        lines.append(f"    … and {len(rows) - len(listed)} more (--json lists all)")

    off = difference(fit)
    lines.append(f"  the table uses the average of likely formulas; this one differs by up to {percent(off)} there")
    return lines


def shares(fit: SurfaceFit, x: Sequence[float]) -> list[tuple[float, str, LawTerm]]:
    """Each term of the formula with its share of the formula's time, and its phase."""
    whole = fit.law.seconds(x)
    return [(t.seconds(x) / whole, p.name, t) for p in fit.law.phases for t in p.terms]


def difference(fit: SurfaceFit) -> float:
    """The greatest relative difference of the formula from the predictions."""
    return max((abs(fit.law.seconds(p.x) / p.t - 1) for p in fit.predictions), default=0.0)


TREE_HEADER = ("", "call path", "now", "there", "90 %", "grows as", "seconds")


def tree_text(rows: Sequence[CallPathFit], folded: int, names: Sequence[str], target: Sequence[float]) -> str:
    """One line for each call path, children below their parents."""
    if not rows:
        return "  no call path: the runs are not profiled"

    lines = [f"  call paths at {place(names, target)} (! where time x P grows)"]
    lines += table(TREE_HEADER, tree_cells(rows, names), "<<>><<<")
    if folded:
        lines.append(f"  … and {folded} below 3 %")
    return "\n".join(lines)


def tree_cells(rows: Sequence[CallPathFit], names: Sequence[str]) -> list[list[str]]:
    """The cells of each call path; its name is indented below those that call it."""
    paths, cells = {r.path for r in rows}, []
    for r in rows:
        parts = r.path.split("/")
        depth = sum("/".join(parts[:k]) in paths for k in range(1, len(parts)))
        label = "  " * min(depth, DEEPEST) + _short(parts[-1] if depth else r.path)
        mark = "!" if r.work_grows else ""
        shares = [percent(r.share_now), percent(r.share), path_interval(r)]
        cells.append([mark, label, *shares, path_growth(r), path_formula(r, names)])
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


def next_text(run: NextRun | None, names: Sequence[str], target: Sequence[float]) -> str:
    """The run worth its cost, or that there is none."""
    if run is None:
        return "  next run: none narrows the interval"
    ends = [f"{single(float(i.lo))} … {single(float(i.hi))}" for i in (run.before, run.after)]
    where = place(names, target)
    return f"  next run: {place(names, run.x)}, about {single(run.seconds)}; at {where} {ends[0]} becomes {ends[1]}"


def place(names: Sequence[str], x: Sequence[float]) -> str:
    """`n = 8,000, P = 128`."""
    return ", ".join(f"{n} = {number(v)}" for n, v in zip(names, x, strict=True))


def number(n: float) -> str:
    """With thousands separated."""
    return f"{int(n):,}" if n == int(n) and abs(n) < 1e15 else f"{n:,.6g}"
