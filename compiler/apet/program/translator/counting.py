"""Which loops count: a variable that goes from a start to a limit in equal steps, and how many rounds that makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from apet.program import syntax as s
from apet.program.algebra import Value, apply, as_value
from apet.program.counter_range import CounterRange, counter_range
from apet.program.translator.facts import shown
from apet.program.translator.variables import symbol_of

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=", "==": "=="}


class Counting(NamedTuple):
    """A counter, its step, how it is compared with which expression, and whether more is asked than that."""

    counter: str
    step: int
    relation: str
    limit: s.Expression
    further: bool
    squared: bool = False


def counting(t: Translator, condition: s.Expression | None, updates: dict[str, int], body: object) -> Counting | None:
    """What a loop counts by, from its condition; `updates` are constant steps of variables, once in each round."""
    first, further = condition, False
    while isinstance(first, s.BinaryOp) and first.operator == "&&":
        first, further = first.left, True
    if not isinstance(first, s.BinaryOp) or first.operator not in MIRRORED:
        return None

    changed = t.method.scan.facts(body).assigned
    for side, other, relation in (
        (first.left, first.right, first.operator),
        (first.right, first.left, MIRRORED[first.operator]),
    ):
        squared = (
            isinstance(side, s.BinaryOp)
            and side.operator == "*"
            and isinstance(side.left, s.Identifier)
            and isinstance(side.right, s.Identifier)
            and side.left.name == side.right.name
        )
        counter = side.left if squared and isinstance(side, s.BinaryOp) else side
        if not isinstance(counter, s.Identifier) or counter.name not in t.types or counter.name not in updates:
            continue
        step = updates[counter.name]
        if len(changed.get(counter.name, ())) or not step or not _toward(step, relation):
            continue
        if squared and not (step > 0 and relation in ("<", "<=")):
            continue
        return Counting(counter.name, step, relation, other, further, squared)
    return None


def _toward(step: int, relation: str) -> bool:
    return relation in (("<", "<=", "!=") if step > 0 else (">", ">=", "!="))


def constant_steps(t: Translator, updates: tuple[s.Expression, ...]) -> dict[str, int]:
    """Variables that change by a constant, with the constant; 0 for one that changes otherwise or more than once."""
    steps: dict[str, int] = {}
    for update in updates:
        name, step = _step(t, update)
        for other in t.method.scan.facts(update).assigned:
            steps[other] = step if other == name and other not in steps else 0
    return steps


def _step(t: Translator, e: s.Expression) -> tuple[str, int]:
    name, operator, by = change_of(e)
    size = 1 if by is None else constant(t, by) if operator in ("+", "-") else None
    return name, 0 if size is None else size if operator == "+" else -size


def change_of(e: s.Expression) -> tuple[str, str, s.Expression | None]:
    """The variable that an expression changes by itself, the operator, and by what (None: by 1); "" of any other."""
    match e:
        case s.Increment(operator, s.Identifier(name, _), _, _):
            return name, operator[0], None
        case s.Assign(operator, s.Identifier(name, _), value, _) if operator:
            return name, operator, value
        case s.Assign("", s.Identifier(name, _), s.BinaryOp(operator, s.Identifier(other, _), value, _), _) if (
            other == name
        ):
            return name, operator, value
        case s.Assign(
            "", s.Identifier(name, _), s.BinaryOp("+" | "*" as operator, value, s.Identifier(other, _), _), _
        ) if other == name:
            return name, operator, value
        case _:
            return "", "", e


def constant(t: Translator, e: s.Expression) -> int | None:
    """The whole number that an expression is known to be."""
    number = symbol_of(t, e)
    if number is None:
        return None
    integer = number.integer
    if integer is None and isinstance(e, s.Identifier | s.FieldAccess) and len(number.names) == 1:
        note = t.state.parameters.get(next(iter(number.names)))
        if note is not None and note.value is not None and number.terms == as_value(note.name).terms:
            integer = note.value.integer if _is_final(t, e) else None
    return integer


def _is_final(t: Translator, e: s.Identifier | s.FieldAccess) -> bool:
    declaration = t.state.program.field(t.owner, e.name, near=True)
    return declaration is not None and declaration[1].final


def rounds(
    t: Translator, counting: Counting, start: Value | None, limit: Value | None, index: str
) -> CounterRange | None:
    """The range of a counting loop's index, in the program's own names; None where start or limit are not known."""
    start, limit = shown(start), shown(limit)
    if start is None or limit is None:
        return None
    if counting.squared:
        limit = apply("ceil" if counting.relation == "<" else "floor", apply("sqrt", limit))
    is_whole = t.conversions.is_integral(t.types[counting.counter])
    return counter_range(counting.relation, counting.step, start, limit, index, is_whole)
