"""Formulas as lines of text: named, wrapped, folded where they are long."""

from __future__ import annotations

import re
from collections.abc import Sequence

from apet.cost import CostModel, Resource
from apet.formula.formula import Formula
from apet.formula.graph.nodes import Add, Call, Extreme, NodeId, operands
from apet.ground.records import NamedTuple

LONGEST_TEXT = 200_000
DEEPEST = 4
PIECE = re.compile(r"([\[\] ])")


class Row(NamedTuple):
    """A named formula; `note` says for which members it stands; `relation` is ">=" where it says the least."""

    name: str
    formula: Formula | str
    note: str = ""
    relation: str = "="


def formula_rows(app: CostModel) -> list[Row]:
    """T0, the load of each resource, and T as the greatest of them by name; or the terms of another estimate."""
    shape = app.open_shape
    loads = ">=" if shape is not None and shape.in_loads else "="
    rows = [Row(app.term(r.label), r.load, members_of(app, r), loads) for r in app.resources]
    if app.has_base:
        rows.insert(0, Row(app.base, app.T0, relation="=" if shape is None else ">="))
    return [*rows, Row(app.symbol, greatest_by_name(app) if app.is_greatest_term else app.T_total)]


def bound_rows(app: CostModel) -> list[Row]:
    """The two sharper bounds; a bound that is T itself is named so."""
    upper: Formula | str = "lower" if app.upper == app.lower else app.upper
    lower: Formula | str = app.symbol if app.lower == app.T_total else app.lower
    if app.upper == app.T_total:
        upper = app.symbol
    return [Row("lower", lower), Row("upper", upper)]


def members_of(app: CostModel, resource: Resource) -> str:
    """`for p = 1..P`: the members that a family's load is given for; empty for a single resource."""
    if not resource.members:
        return ""

    def shown(node: NodeId) -> str:
        return Formula(app.graph, node).text()

    if resource.ranges:
        return "for " + ", ".join(f"{shown(b.index)} = {shown(b.low)}..{shown(b.high)}" for b in resource.ranges)
    return "for every " + ", ".join(map(shown, resource.members))


def greatest_by_name(app: CostModel) -> str:
    """`max(T0, max_p T[cpu[p]], T[bus])`."""
    parts = [app.base] if app.has_base else []
    for resource in app.resources:
        over = ",".join(Formula(app.graph, m).text() for m in resource.members)
        parts.append(f"max_{over} {app.term(resource.label)}" if over else app.term(resource.label))
    return f"max({', '.join(parts)})" if len(parts) > 1 else parts[0]


def written_size(formula: Formula, longest: int | None = None) -> int:
    """How many terms the text of a formula has when sums and maxima are folded at `longest`."""
    nodes = formula.graph.nodes
    sizes: dict[NodeId, int] = {}
    for node in sorted(formula.nodes()):
        inner = operands(nodes[node])
        if longest and isinstance(nodes[node], Add | Extreme | Call):
            inner = inner[:longest]
        sizes[node] = 1 + sum(sizes[n] for n in inner)
    return sizes[formula.node]


def text_of(formula: Formula | str, longest: int | None = None) -> str:
    """The text, folded at `longest`; more narrowly if it would be very long."""
    if isinstance(formula, str):
        return formula
    for fold in (longest or None, 40, 8, 3, 1):
        if written_size(formula, fold) <= LONGEST_TEXT:
            return formula.text(fold)
    return f"… ({written_size(formula):,} terms)"


def block(rows: Sequence[Row], width: int, longest: int | None = None, most_lines: int = 0) -> list[str]:
    """`name = formula` per row, names aligned, wrapped at the width; at most `most_lines` each (0: any number)."""
    left = max(len(row.name) for row in rows)
    lines = []
    for row in rows:
        head = f"  {row.name:<{left}} {row.relation} "
        body = _fitted(row, width - len(head), longest, most_lines)
        lines += [(head if k == 0 else " " * len(head)) + line for k, line in enumerate(body)]
    return lines


def _fitted(row: Row, width: int, longest: int | None, most_lines: int) -> list[str]:
    body = _noted(text_of(row.formula, longest), row.note, width)
    if not most_lines or len(body) <= most_lines:
        return body
    for fold in (8, 5, 3, 2, 1):
        body = _noted(text_of(row.formula, fold), row.note, width)
        if len(body) <= most_lines:
            return body
    return [*body[: most_lines - 1], body[most_lines - 1][: width - 2].rstrip() + " …"]


def _noted(text: str, note: str, width: int) -> list[str]:
    """The lines of a text, and the note after the last, on a line of its own where it does not fit."""
    lines = wrapped(text, width)
    if note and len(lines[-1]) + 3 + len(note) <= width:
        lines[-1] += f"   {note}"
    elif note:
        lines.append(note)
    return lines


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken before `+` and `-` and after commas, else at spaces.

    Inside square brackets only where what they hold is longer than a line.
    """
    if len(text) <= width:
        return [text]

    lines, line = [], ""
    for phrase in _phrases(_words(text, width)):
        for word in [" ".join(phrase)] if sum(map(len, phrase)) <= width // 2 else phrase:
            if line and len(line) + 1 + len(word) > width:
                lines.append(line.rstrip())
                line = word
            else:
                line = f"{line} {word}" if line else word
    return [*lines, line]


def _words(text: str, longest: int, inside: int = 0) -> list[str]:
    """The text split at spaces that stand in at most `inside` square brackets; longer words one level further in."""
    words, word, depth = [], "", 0
    for piece in (*PIECE.split(text), " "):
        if piece == " " and depth <= inside:
            words += [word] if len(word) <= longest or inside > DEEPEST else _words(word, longest, inside + 1)
            word = ""
        else:
            word += piece
            depth += (piece == "[") - (piece == "]")
    return [*words, word] if word else words


def _phrases(words: list[str]) -> list[list[str]]:
    """Words that stay together if they can: a term with its sign, or up to a comma."""
    phrases: list[list[str]] = [[]]
    for word in words:
        last = phrases[-1][-1] if phrases[-1] else ""
        if word in ("+", "-") or last.endswith((",", ";", "|", "·")):
            phrases.append([])
        phrases[-1].append(word)
    return [phrase for phrase in phrases if phrase]
