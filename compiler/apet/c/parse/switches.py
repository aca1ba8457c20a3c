"""`switch`: its arms in order, each with what follows it up to the next label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apet.c.parse.kinds import kind_of
from apet.c.parse.libclang import children_of, constant
from apet.c.parse.literals import literal
from apet.program import syntax as s

if TYPE_CHECKING:
    from apet.c.parse.functions import FunctionReader

LABELS = ("CASE_STMT", "DEFAULT_STMT")
MOST_NUMBERS = 256
"""Numbers that a range of cases is written out to."""


def switch(f: FunctionReader, cursor: Any) -> s.Statement:
    """A `switch`; labels inside an inner block (Duff's device) are named and not followed."""
    selector, body = children_of(cursor)
    children = [*children_of(body)] if body.kind.name == "COMPOUND_STMT" else [body]
    arms: list[tuple[list[s.Expression], bool, list[s.Statement], s.LineColumn]] = []
    f.scopes.enter()
    for child in children:
        labels, is_default, first = _labels(f, child)
        if labels or is_default:
            f.counted("case", f.at(child), cursor)
            arms.append((labels, is_default, [], f.at(child)))
        if not arms:
            continue  # nothing reaches what stands before the first label
        if first is not None:
            arms[-1][2].append(f.statement(first))
    f.scopes.leave()
    # The arm of `default` is the one without labels: cases that share it come to it in any case.
    cases = tuple(s.SwitchCase(() if d else tuple(labels), tuple(held), False, at) for labels, d, held, at in arms)
    return s.Switch(f.whole(selector), cases, f.at(cursor))


def numbers_of(case: Any) -> tuple[int, int]:
    """The least and the greatest number of a `case`, which may be a range: `case 2 ... 7:`."""
    first, *further = children_of(case)
    low = int(constant(first) or 0)
    return low, int(constant(further[0]) or 0) if len(further) > 1 else low


def _labels(f: FunctionReader, cursor: Any) -> tuple[list[s.Expression], bool, Any]:
    """The labels in front of a statement, whether one is `default`, and the statement."""
    labels, is_default = list[s.Expression](), False
    while cursor is not None and cursor.kind.name in LABELS:
        parts = [*children_of(cursor)]
        if cursor.kind.name == "DEFAULT_STMT":
            is_default = True
        else:
            low, high = numbers_of(cursor)
            if high - low >= MOST_NUMBERS:
                f.note("of a large range of cases the first number is looked at", cursor)
                high = low
            labels += [literal(number, kind_of(parts[0].type), f.at(parts[0])) for number in range(low, high + 1)]
        cursor = parts[-1] if parts else None
    return labels, is_default, cursor
