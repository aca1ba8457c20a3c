"""What each alternative of the grammar makes.

Three ways to say it: `ALONE` has functions of the value and place of a single symbol; `ACTIONS` of the values,
start offsets and end offsets of the symbols on the right side; and where a model has many of a kind, `TAKING` has
functions that take the symbols from the parser's stack themselves. Terms that a model has many of are made by
`tuple.__new__`, which takes half the time of calling the class.

A lone name is read as a call. Where it stands in an expression, the rule of `atom` makes it a `Name`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apet.ground.source import Span
from apet.model.pamela.items import (
    ContinuationItem,
    EquationItem,
    FunctionItem,
    IncludeItem,
    MemberRange,
    ParameterItem,
    PartName,
    ResourceItem,
    TableItem,
)
from apet.model.pamela.literals import literal
from apet.model.pamela.rows import Alone, Entry, Taking
from apet.model.pamela.steps import stepped_loop, stepped_sum
from apet.model.terms import (
    Binary,
    Branch,
    Delay,
    Expression,
    GraphPart,
    Invoke,
    Loop,
    Name,
    Number,
    Parallel,
    PartGraph,
    Process,
    Sequence,
    SumOver,
    Unary,
    Use,
)

Values = list[Any]
Offsets = list[int]
Place = tuple[int, int]
_new = tuple.__new__


def join(pieces: list[list[Process]], span: Span) -> Process:
    """One process of stretches between `;`, each a list of branches between `||`; `;` binds tighter.

    Where the two are mixed, the sequences have the span of the whole, which is how the check for it finds them.
    """
    if len(pieces) == 1:
        return pieces[0][0] if len(pieces[0]) == 1 else Parallel(tuple(pieces[0]), span)
    if all(len(p) == 1 for p in pieces):
        return Sequence(tuple(p[0] for p in pieces), span)
    runs: list[list[Process]] = [[]]
    for piece in pieces:
        runs[-1].append(piece[0])
        runs += [[step] for step in piece[1:]]
    return Parallel(tuple(r[0] if len(r) == 1 else Sequence(tuple(r), span) for r in runs), span)


def _part(name: PartName, branches: list[Process], after: list[Invoke], span: Span) -> GraphPart[Process]:
    """A part of a graph; its ranges become loops around what it does."""
    body = join([branches], span)
    for index, low, high, head in reversed(name.ranges):
        body = Loop("par", index, low, high, body, head)
    return GraphPart(name.name, body, len(name.ranges), tuple(after), name.span)


# One symbol


def number(text: str, place: Place) -> Number:
    """A literal."""
    return literal(text, _new(Span, place))


def plain_call(name: str, place: Place) -> Invoke:
    """A lone name."""
    return _new(Invoke, (name, None, None, _new(Span, place)))


def expression(value: Any, place: Place) -> Expression:
    """The content of an `atom`: a lone name is a value here."""
    if type(value) is Invoke and value.subscripts is None and value.arguments is None:
        return Name(value.name, value.span)
    return value  # type: ignore[no-any-return]


def plain_name(name: str, place: Place) -> Name:
    """A lone name in an expression, at once."""
    return _new(Name, (name, _new(Span, place)))


def one(value: Any, place: Place) -> list[Any]:
    """The list of one."""
    return [value]


ALONE: dict[str, Alone] = {
    "one": one,
    "one_name": one,
    "continuation": lambda value, place: ContinuationItem(value, Span(*place)),
    "include": lambda value, place: IncludeItem(value.split('"')[1], Span(*place)),
    "process": lambda value, place: join(value, _new(Span, place)),
    "plain_call": plain_call,
    "plain_part": lambda value, place: PartName(value, [], Span(*place)),
    "number": number,
}
COMPOSED: dict[tuple[Alone, Alone], Alone] = {
    (plain_call, expression): plain_name,
    (plain_name, one): lambda name, place: [_new(Name, (name, _new(Span, place)))],
    (number, expression): number,
}
"""Two in a row as one."""

# From the stack: an entry is (row, value, place, the stack below)

Taken = tuple[Any, Place, Entry]


def more(stack: Entry) -> Taken:
    """A list, a mark, one more value."""
    _, value, (_, end), (_, _, _, (_, values, (start, _), below)) = stack
    values.append(value)
    return values, (start, end), below


def subscripted_call(stack: Entry) -> Taken:
    """`name [ subscripts ]`"""
    _, _, (_, end), (_, subscripts, _, (_, _, _, (_, name, (start, _), below))) = stack
    span = _new(Span, (start, end))
    return _new(Invoke, (name, tuple(subscripts), None, span)), span, below


def full_call(stack: Entry) -> Taken:
    """`name [ subscripts ] ( arguments )`"""
    _, _, (_, end), (_, arguments, _, (_, _, _, (_, _, _, stack))) = stack
    _, subscripts, _, (_, _, _, (_, name, (start, _), below)) = stack
    span = _new(Span, (start, end))
    return _new(Invoke, (name, tuple(subscripts), tuple(arguments), span)), span, below


def loop(stack: Entry) -> Taken:
    """`seq ( index = low , high ) body`; its span is the head."""
    _, body, (_, last), (_, _, (_, end), (_, high, _, (_, _, _, stack))) = stack
    _, low, _, (_, _, _, (_, index, _, (_, _, _, (_, kind, (start, _), below)))) = stack
    return Loop(kind, index, low, high, body, Span(start, end)), (start, last), below


def binary(stack: Entry) -> Taken:
    """`left operator right`"""
    _, right, (_, end), (_, operator, _, (_, left, (start, _), below)) = stack
    span = _new(Span, (start, end))
    return _new(Binary, (operator, left, right, span)), span, below


TAKING: dict[str, Taking] = {
    "more": more,
    "subscripted_call": subscripted_call,
    "full_call": full_call,
    "loop": loop,
    "binary": binary,
}

# Values and offsets


def _use_time(v: Values, s: Offsets, e: Offsets) -> Use:
    return Use(v[2], Delay(v[4], Span(s[4], e[4])), Span(s[0], e[5]))


def _nothing(s: Offsets) -> Sequence[Process]:
    return Sequence((), Span(s[0], s[0]))


def _more_items(v: Values, s: Offsets, e: Offsets) -> Any:
    v[0].append(v[1])
    return v[0]


ACTIONS: dict[str, Callable[[Values, Offsets, Offsets], Any]] = {
    "first": lambda v, s, e: v[0],
    "second": lambda v, s, e: v[1],
    "absent": lambda v, s, e: None,
    "no_items": lambda v, s, e: [],
    "more_items": _more_items,
    "no_names": lambda v, s, e: [],
    "param": lambda v, s, e: ParameterItem(v[1], v[2], v[3], Span(s[1], e[1])),
    "table": lambda v, s, e: TableItem(v[1], v[4], Span(s[1], e[1])),
    "function": lambda v, s, e: FunctionItem(v[1], v[3], v[6], Span(s[1], e[1])),
    "range": lambda v, s, e: (v[2], v[4]),
    "resource": lambda v, s, e: ResourceItem(v[1], v[2], v[3], Span(s[1], e[1])),
    "equation": lambda v, s, e: EquationItem(v[0], v[2], Span(s[0], e[2])),
    "empty_group": lambda v, s, e: Sequence((), Span(s[0], e[1])),
    "group": lambda v, s, e: v[1],
    "delay": lambda v, s, e: Delay(v[2], Span(s[0], e[3])),
    "use": lambda v, s, e: Use(v[2], v[4], Span(s[0], e[5])),
    "use_time": _use_time,
    "if_probable": lambda v, s, e: Branch(v[2], v[4], _nothing(e[4:]), Span(s[0], e[3])),
    "if_probable_else": lambda v, s, e: Branch(v[2], v[4], v[6], Span(s[0], e[3])),
    "empty_graph": lambda v, s, e: PartGraph((), Span(s[0], e[0])),
    "graph": lambda v, s, e: PartGraph(tuple(v[2]), Span(s[0], e[0])),
    "part": lambda v, s, e: _part(v[0], v[2], [], Span(s[2], e[2])),
    "part_after": lambda v, s, e: _part(v[0], v[2], v[4], Span(s[2], e[2])),
    "ranged_part": lambda v, s, e: PartName(v[0], v[2], Span(s[0], e[0])),
    "member_range": lambda v, s, e: MemberRange(v[0], v[2], v[4], Span(s[0], e[4])),
    "if_free_else": lambda v, s, e: Branch(None, v[1], v[3], Span(s[0], e[0])),
    "empty_call": lambda v, s, e: Invoke(v[0], None, (), Span(s[0], e[2])),
    "argument_call": lambda v, s, e: Invoke(v[0], None, tuple(v[2]), Span(s[0], e[3])),
    "subscripted_empty_call": lambda v, s, e: Invoke(v[0], tuple(v[2]), (), Span(s[0], e[5])),
    "unary": lambda v, s, e: Unary(v[0], v[1], Span(s[0], e[1])),
    "stepped_loop": lambda v, s, e: stepped_loop(Loop(v[0], v[2], v[4], v[6], v[10], Span(s[0], e[9])), v[8]),
    "stepped_sum": lambda v, s, e: stepped_sum(SumOver(v[2], v[4], v[6], v[10], Span(s[0], e[11])), v[8]),
    "sum_over": lambda v, s, e: SumOver(v[2], v[4], v[6], v[8], Span(s[0], e[9])),
}


def action(left: str, length: int, alias: str) -> Alone | Callable[[int], Any] | Taking | None:
    """The action of a rule in the form that its number of symbols asks for; None for one that changes nothing."""
    if length == 1:
        return expression if left == "atom" else None if alias == "first" else ALONE[alias]
    build = ACTIONS.get(alias)
    if length == 0:
        assert build is not None
        empty = build
        return lambda start: empty([], [start], [start])
    return TAKING[alias] if build is None else _taking(build, length)


def _taking(make: Callable[[Values, Offsets, Offsets], Any], length: int) -> Taking:
    """Take as many symbols from the stack and make something of their values and offsets."""
    places = range(length - 1, -1, -1)

    def take(stack: Entry) -> Taken:
        v, s, e = [None] * length, [0] * length, [0] * length
        for k in places:
            _, v[k], (s[k], e[k]), stack = stack
        return make(v, s, e), (s[0], e[-1]), stack

    return take
