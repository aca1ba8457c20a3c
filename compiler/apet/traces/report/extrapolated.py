"""The model of several traces, and the trace made of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from apet.answers.answer import Answer
from apet.answers.blocks import Heading, Lines
from apet.traces.extrapolate.explanations import described
from apet.traces.extrapolate.features import TracePoint
from apet.traces.extrapolate.fitting import FeatureSum, Fitted
from apet.traces.extrapolate.grids import divided
from apet.traces.extrapolate.model import ModelLoop, ModelNode, ModelSlot, TraceModel
from apet.traces.extrapolate.presence import Conditions
from apet.traces.fold.folded import Folded
from apet.traces.report.folded import in_short

WORDS = {"p": "partner", "n": "number", "v": "number by member"}
LEAST = 0.001
"""Volumes below this share of all are not shown."""


class ModelLine(NamedTuple):
    """A line of the listing: how deep, what is done, under which conditions."""

    depth: int
    text: str
    conditions: Conditions = ()


def extrapolated_answer(model: TraceModel, folded: Folded, longest: int | None) -> Answer:
    """What the traces are of, the model with its sums, what they leave open, and the trace in short."""
    point = _middle(model, folded)
    plane = " × ".join(map(str, divided(folded.ranks, 2)))
    listing = [f"{'  ' * line.depth}{line.text}{_if(line.conditions)}" for line in _listing(model.body, point, 0)]
    if longest is not None and len(listing) > longest:
        listing = [*listing[:longest], f"… {len(listing) - longest:,} more lines (--longest 0 shows all)"]
    open_numbers = list(dict.fromkeys(_open(model.body, point)))
    left = len(open_numbers) - MOST_OPEN
    listed = [*open_numbers[:MOST_OPEN], *([f"… {left:,} more"] if left > 0 else [])]
    short = f"{folded.ranks:,} ranks, a plane of {plane} (P1 × P2) · "
    short += in_short(folded.actions, folded.size(), len(folded.kinds))
    traces = [{"trace": t.folded.name, "ranks": t.folded.ranks, "sizes": dict(t.sizes)} for t in model.traces]
    return Answer(
        kind="trace",
        subject=folded.name,
        parameters={**dict(point.sizes), "ranks": folded.ranks},
        results={
            **{"traces": traces, "sizes": dict(point.sizes), "ranks": folded.ranks, "actions": folded.actions},
            **{"kinds": len(folded.kinds), "model": [_object(node, point) for node in model.body]},
        },
        blocks=[
            [Heading(f"{len(model.traces)} traces: {_taken(model)}"), Heading(f"{folded.name}: {short}")],
            [Lines(listing)],
            [Heading("not decided by these traces, least and greatest at this point:"), Lines(listed)]
            if listed
            else [],
        ],
    )


MOST_OPEN = 12
DEEPEST = 64


def _taken(model: TraceModel) -> str:
    columns: dict[str, set[float]] = {}
    for folded, sizes, _ in model.traces:
        for name, value in (*sizes, ("P", folded.ranks)):
            columns.setdefault(name, set()).add(value)
    return " · ".join(f"{name} = {', '.join(f'{v:g}' for v in sorted(values))}" for name, values in columns.items())


def _middle(model: TraceModel, folded: Folded) -> TracePoint:
    """The point, at a rank that is at no end of a plane where there is one, in first iterations."""
    rows, columns = divided(folded.ranks, 2)
    wanted = dict(part.split("=") for part in folded.name.split(", "))
    sizes = tuple((name, float(wanted[name])) for name, _ in model.traces[0].sizes)
    return TracePoint(sizes, rows // 2 * columns + columns // 2, folded.ranks, (0,) * DEEPEST)


def _if(conditions: Conditions) -> str:
    return f"   if {', '.join(each.text for each in conditions)} ({conditions[0].name})" if conditions else ""


def _listing(nodes: Sequence[ModelNode], point: TracePoint, depth: int) -> Iterator[ModelLine]:
    for node in nodes:
        if isinstance(node, ModelLoop):
            counter = ", k" if node.unrolled else ""
            yield ModelLine(depth, f"{number(node.times)} ×{counter}", node.conditions)
            yield from _listing(node.body, point, depth + 1)
            continue
        for entered, volume in sorted(node.volumes.items()):
            if volume.best.terms and volume.best.at(point) > 1:
                first = f" at the beginning of {entered} loop{'s' if entered > 1 else ''}" if entered else ""
                yield ModelLine(depth, f"compute {number(volume)} flops{first}")
        if node.slot.form[0] != "compute":
            yield ModelLine(depth, _slot(node), node.conditions)


def _slot(node: ModelSlot) -> str:
    words, partners = list[str](), iter(node.partners)
    form = iter(node.slot.form[1:])
    for kind, word in zip(node.slot.kinds, node.words, strict=True):
        if kind == "p":
            words.append(described(next(partners)[0]))
        elif kind == "d":
            words.append(next(form))
        elif word is not None:
            words.append(number(word) + (" each" if kind == "v" else ""))
    group = f" among {described(node.group)}" if node.group is not None else ""
    return f"{node.slot.form[0]} {', '.join(words)}{group}".rstrip()


def number(fitted: Fitted) -> str:
    """`8 n/P1 + 2`, `52.1 n² ± 0.3 %`"""
    text = sum_text(fitted.best)
    return text if fitted.exact else f"({text} ± {100 * fitted.best.error:.2g} %)"


def sum_text(total: FeatureSum) -> str:
    """The terms with their signs."""
    text = ""
    for coefficient, feature in total.terms:
        value = f"{abs(coefficient):.6g}"
        term = feature.text if value == "1" and feature.factors else f"{value} {feature.text}".strip()
        sign = "- " if coefficient < 0 else "+ " if text else ""
        text += f" {sign}{term}" if text else f"{sign}{term}"
    return text or "0"


def _open(nodes: Sequence[ModelNode], point: TracePoint) -> Iterator[str]:
    """Numbers for which sums that explain as much differ by more than a little at a point."""
    for node in nodes:
        if isinstance(node, ModelLoop):
            yield from _open_number(f"iterations: {number(node.times)}", node.times, point)
            yield from _open(node.body, point)
            continue
        name = f"{node.slot.form[0]} at line {node.slot.line}"
        for at, word in enumerate(node.words):
            if word is not None and node.slot.kinds[at] != "d":
                yield from _open_number(f"{name}, argument {at + 1}: {number(word)}", word, point)
        for volume in node.volumes.values():
            yield from _open_number(f"compute before {name}: {number(volume)}", volume, point)


def _open_number(name: str, fitted: Fitted, point: TracePoint) -> Iterator[str]:
    low, high = fitted.range(point)
    if high - low > OPEN * max(abs(low), abs(high)) and high > OPEN_FROM:
        yield f"{name}: {low:,.6g} … {high:,.6g}"


OPEN, OPEN_FROM = 0.02, 1.5
"""Numbers that vary by less than this share, or are less than that, are not listed as open."""


def _object(node: ModelNode, point: TracePoint) -> dict[str, Any]:
    conditions = [{"grid": each.name, "condition": each.text} for each in node.conditions]
    if isinstance(node, ModelLoop):
        body = [_object(each, point) for each in node.body]
        return {"loop": _number(node.times, point), "conditions": conditions, "body": body}

    numbers = [None if word is None else _number(word, point) for word in node.words]
    return {
        "action": node.slot.form[0],
        "form": list(node.slot.form[1:]),
        "line": node.slot.line,
        "conditions": conditions,
        "partners": [described(rules[0]) for rules in node.partners],
        "group": None if node.group is None else described(node.group),
        "numbers": numbers,
        "computes": [_number(volume, point) | {"entered": e} for e, volume in sorted(node.volumes.items())],
    }


def _number(fitted: Fitted, point: TracePoint) -> dict[str, Any]:
    low, high = fitted.range(point)
    return {
        "sum": sum_text(fitted.best),
        "error": fitted.best.error,
        "value": fitted.best.at(point),
        "least": low,
        "greatest": high,
    }
