"""What notebooks show of APET's values: tables, formulas and pictures as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from apet.answers.predictions import limit_text, time_columns
from apet.cost import CostModel
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.page.markup import Html, bar, formula_table, marked, picture, sentences, table
from apet.prediction.prediction import Limit, Prediction
from apet.questions.compare.comparison import Comparison
from apet.questions.explain.explanation import Explanation, Term
from apet.questions.regions.regions import Line, Plane
from apet.questions.solve.solution import Solution
from apet.questions.sweep.summary import OBJECTIVES, SweepPoint, SweepSummary
from apet.show.formula_lines import bound_rows, formula_rows
from apet.show.tables import time_cells
from apet.show.times import percent, single
from apet.show.values import value_text

MOST_ROWS, MOST_TERMS, MOST_GROUPS = 40, 8, 8
LEAST_FOR_PICTURE = 2


def html(value: object) -> str | None:
    """HTML of a value, or of a list of predictions; None for what has none."""
    match value:
        case Prediction():
            return _prediction(value)
        case [Prediction(), *_]:
            listed = [each for each in value if isinstance(each, Prediction)]
            return predictions(listed) if len(listed) == len(value) else None
        case CostModel():
            return _cost_model(value)
        case Machines():
            return _machines(value)
        case Explanation():
            return _explanation(value)
        case Solution():
            return _solution(value)
        case Comparison():
            return _comparison(value)
        case SweepSummary():
            return _sweep(value)
        case Line() | Plane():
            return _regions(value)
        case _:
            return None


# Predictions


def _prediction(prediction: Prediction) -> Html:
    return Html(predictions([prediction]) + _terms(prediction.limits))


def predictions(listed: Sequence[Prediction]) -> Html:
    """One row each; above them what they share, below them a picture where they differ in P."""
    names = list(dict.fromkeys(name for p in listed for name in p.parameters))
    varied = [n for n in names if len({p.parameters.get(n) for p in listed}) > 1]
    varied = ["P", *(n for n in varied if n != "P")] if "P" in names else varied
    of = "s" if all(_are_times(p.limits) for p in listed) else ""
    headings, times = time_columns(listed, "guaranteed" if of else "bounds", of)
    columns = [*times, [limit_text(p) for p in listed]]
    rows = [
        [*(_value(p.parameters.get(n)) for n in varied), *cells] for p, *cells in zip(listed, *columns, strict=True)
    ]

    shared = " · ".join(f"{n} = {_value(listed[0].parameters[n])}" for n in names if n not in varied)
    head = [*varied, *headings, "limited by"]
    html = sentences([shared] if shared else []) + table(head, rows, ">" * (len(head) - 1) + "<")
    return Html(html + _against_processors(listed) if of and varied == ["P"] else html)


def _are_times(terms: Sequence[Limit | Term]) -> bool:
    """Whether they are of a model, and so in seconds: those of other cost models have names of their own."""
    return all(term.name == "T0" or term.name.startswith("T[") for term in terms)


def _value(value: Number | Interval | None) -> str:
    return "" if value is None else value_text(value)


def _against_processors(listed: Sequence[Prediction]) -> str:
    processors = {p.parameters["P"] for p in listed}
    if len(processors) < LEAST_FOR_PICTURE or len(processors) < len(listed):
        return ""
    from apet.show.plots import interval_figure

    return picture(interval_figure(listed, "Run time"), "Estimate and guaranteed interval against processors")


def _terms(terms: Sequence[Limit | Term]) -> Html:
    of = "s" if _are_times(terms) else ""
    times = time_cells([t.seconds for t in terms[:MOST_TERMS]], of)
    rows = [[t.name, time, percent(t.share), bar(t.share)] for t, time in zip(terms[:MOST_TERMS], times, strict=True)]
    return table(("term at tmax", "time" if of else "value", "share", ""), rows, "<>><")


# Models and machines


def _cost_model(app: CostModel) -> Html:
    facts = " · ".join([f"branches: {app.setting.branches}", *(f"parameter {name}" for name in app.parameters)])
    title = Html(f"<p><b>{marked(app.name)}</b></p>")
    return Html(title + formula_table([*formula_rows(app), *bound_rows(app)]) + sentences([facts]))


def _machines(lab: Machines) -> Html:
    every = (*lab.groups, lab.coordinator)
    listed = every if len(every) <= MOST_GROUPS else (*every[: MOST_GROUPS - 1], lab.coordinator)
    heads = ["", *(g.name if g is not lab.coordinator else f"{g.name} (coordinator)" for g in listed)]
    facts = [
        ["machines", *(str(g.count) for g in listed)],
        ["cores", *(str(g.cores) for g in listed)],
        ["load of others", *(_share(g.load) for g in listed)],
        ["cost per hour", *("" if g.cost_per_hour is None else f"{g.cost_per_hour:g}" for g in listed)],
    ]
    operations = sorted({op for g in listed for op in g.op_s})
    times = [[op, *(_seconds(g.op_s.get(op)) for g in listed)] for op in operations[:MOST_ROWS]]
    rows = [row for row in facts if any(cell not in ("", "none") for cell in row[1:])] + times
    remarks = [f"{len(every) - len(listed)} further kinds of machines"] if len(every) > len(listed) else []
    if len(operations) > MOST_ROWS:
        remarks.append(f"{len(operations) - MOST_ROWS} further operations")

    remarks += [_network(lab), *([lab.note] if lab.note else [])]
    title = Html(f"<p><b>{marked(lab.name)}</b> ({marked(lab.file)}): {lab.processors:,} processors</p>")
    return Html(title + table(heads, rows, "<" + ">" * len(listed)) + sentences(remarks) + _provenance(lab))


def _share(load: Interval) -> str:
    if not load.hi:
        return "none"
    return percent(float(load.lo)) if load.is_point else f"{percent(float(load.lo))} … {percent(float(load.hi))}"


def _seconds(interval: Interval | None) -> str:
    if interval is None:
        return ""
    low, high = single(float(interval.lo)), single(float(interval.hi))
    return low if low == high else f"{low} … {high}"


def _network(lab: Machines) -> str:
    network = lab.network
    if network.latency_s is None or network.bandwidth_B_per_s is None:
        return "network: not known"
    speed = " … ".join(dict.fromkeys(f"{float(end) / 1e6:.4g}" for end in network.bandwidth_B_per_s))
    return f"network: {network.topology}, latency {_seconds(network.latency_s)}, bandwidth {speed} MB/s"


def _provenance(lab: Machines) -> Html:
    from apet.page.sections import flat

    facts = [[name, str(value)] for name, value in flat(lab.provenance)]
    if not facts:
        return Html("")
    return Html(f"<details><summary>where the numbers come from</summary>{table(('', ''), facts, '<<')}</details>")


# Answers


def _explanation(explanation: Explanation) -> Html:
    from apet.questions.explain.plots import explanation_figure
    from apet.questions.explain.report import crossover_sentence, idle_sentences

    values = " · ".join(f"{name} = {value_text(v)}" for name, v in explanation.parameters.items())
    side = explanation.tmax
    moved = sorted(((n, e) for n, e in side.elasticities.items() if e), key=lambda pair: -abs(pair[1]))[:MOST_TERMS]
    body = str(_terms(side.terms))
    body += table(("1 % more of", "adds"), [[n, f"{e:+.3g} %"] for n, e in moved], "<>") if moved else ""
    remarks = [crossover_sentence(c) for c in explanation.crossovers] + idle_sentences(explanation, "T")
    body += sentences(remarks[:MOST_TERMS])
    if _are_times(side.terms) and explanation.swings:
        body += picture(explanation_figure(explanation, values), "What each interval does to T, and what T is made of")
    return Html(sentences([values]) + body)


def _solution(s: Solution) -> Html:
    from apet.questions.solve.report import answer_rows, answer_sentences

    least = "at least" if s.at_least else "at most"
    question = f"{s.name} for {least} {float(s.deadline):,.10g} {s.measured.removeprefix('1')}".rstrip()
    rows = answer_rows(s)
    header = ("", s.name, s.title, "expected")[: len(rows[0])]
    return Html(table(header, rows, "<" * len(header), question) + sentences(answer_sentences(s)))


def _comparison(comparison: Comparison) -> Html:
    from apet.questions.compare.plots import comparison_figure
    from apet.questions.compare.report import comparison_sentences, pair_rows

    titles = sentences([f"A: {comparison.first.title}", f"B: {comparison.second.title}"])
    header, rows = pair_rows(comparison)
    body = titles + table(header, rows, ">" * (len(header) - 1) + "<") + sentences(comparison_sentences(comparison))
    if len(comparison.scanned) >= LEAST_FOR_PICTURE or comparison.varied is not None:
        body += picture(comparison_figure(comparison), "Times of both sides, and who is faster where")
    return Html(body)


def _sweep(summary: SweepSummary) -> Html:
    points = f"{summary.points:,} points" + (
        f", {summary.undefined:,} without a prediction" if summary.undefined else ""
    )
    ends = [("best", summary.best), ("worst", summary.worst)]
    best = _points(summary, [(name, point) for name, point in ends if point is not None])
    front = _points(summary, [("", point) for point in summary.front[:MOST_ROWS]], "Pareto front")
    body = sentences([points]) + best + (front if len(summary.front) > 1 else "")
    if len(summary.front) >= LEAST_FOR_PICTURE:
        from apet.questions.sweep.plots import front_figure

        body += picture(front_figure(summary, "Pareto front"), "Time against cost of the points that no other beats")
    return Html(body)


def _points(summary: SweepSummary, points: Sequence[tuple[str, SweepPoint]], caption: str = "") -> Html:
    head = ["", *summary.names, summary.objective, "limited by"]
    rows = []
    times = time_cells([point.times[OBJECTIVES[summary.objective]] for _, point in points])
    for (name, point), time in zip(points, times, strict=True):
        values = [v if isinstance(v, str) else value_text(v) for v in point.values.values()]
        rows.append([name, *values, time, point.dominant])
    return table(head, rows, "<" + ">" * (len(head) - 2) + "<", caption)


def _regions(regions: Line | Plane) -> Html:
    from apet.questions.regions.plots import regions_figure

    return picture(regions_figure(regions, "Bottleneck"), "Which term of the time decides where")
