"""Clocks around calls of a library, and counters of the classes that calls of own methods meet.

A clock starts when the arguments of a call are there, and stops when it returns: `x.f(a, b)` becomes
`apet.ApetCalls.ends(k, x.f(a, apet.ApetCalls.begins(k, b)))`. Code takes its type from where it is handed to, so
that no clock can stand around it: in `x.f(a, y -> …)` it starts at `a`, in `x.f(by(y -> …))` before the arguments.
Loops over collections time each step of the iterator.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NamedTuple

from apet.java.parse.syntax import LineColumn
from apet.java.parse.tree_sitter_expressions import COMMENTS
from apet.java.profile.handed_code import count_stream
from apet.java.profile.nodes import Node, anchor, below, has_this, names_class, text_of
from apet.java.translator.library_calls import PER_ELEMENT, SIZED
from apet.java.translator.operations import library_name

if TYPE_CHECKING:
    from apet.java.profile.instrument import InstrumentingWriter

CALLS = ("method_invocation", "object_creation_expression")
RUNTIME = "apet.ApetCalls"
CODE = ("lambda_expression", "method_reference")
"""What has no type by itself, so that no clock can stand around it. What is called back while a clock runs is a part of
the call's time, and not counted again."""
_SIZED = {library_name(*name.split(".")): sized for name, sized in SIZED.items()}
SORTS = {name: name.replace("call_", PER_ELEMENT, 1) for name, sized in _SIZED.items() if sized.sorts}
"""Calls that sort, and what they do once for each step of n log2 n."""
SIZED_CALLS = _SIZED.keys() - SORTS.keys()
"""Calls that the model splits into a fixed part and one for each element, which one clock cannot tell apart; of a sort
the fixed part is nothing."""


class WantedCalls(NamedTuple):
    """What a model asks of calls: operations to time by place, lines and names of methods that several classes have,
    and of those that end streams; how often javac has refused a line with these; and lines of methods that are too
    large for any counter.

    At first such a line keeps the clocks of whole statements, which change no type."""

    timed: Mapping[LineColumn, str] = {}
    dispatched: AbstractSet[tuple[int, str]] = frozenset()
    streams: AbstractSet[tuple[int, str]] = frozenset()
    refused: Mapping[int, int] = {}
    full: AbstractSet[int] = frozenset()
    visits: Mapping[LineColumn, bool] = {}
    """Places where objects are visited, and whether it is the box that a call returns."""
    changes: AbstractSet[LineColumn] = frozenset()
    """Places of elements that are changed: whether each is the one that was changed before."""
    owners: AbstractSet[str] = frozenset()
    """Classes whose fields the model asks for: their methods look at them, with loops or without."""


def watch(writer: InstrumentingWriter, node: Node) -> None:
    """Put a clock or a counter at a call that the model asks for."""
    if node.type == "array_access" and anchor(node) in writer.wanted.changes:
        index = node.child_by_field_name("index")
        writer.around(index, f"ApetProfile.changed({writer.site('change', node)}, ", ")")
    if node.type not in (*CALLS, "field_access", "array_access", "enhanced_for_statement") or _is_place(node):
        return
    place = anchor(node)
    if writer.wanted.refused.get(place.line, 0) > _is_statement(node):
        return

    is_box, target = writer.wanted.visits.get(place), node.child_by_field_name("object")
    # What nobody takes may have no value.
    if (is_box and not _is_statement(node)) or (
        is_box is False and target is not None and target.type != "super" and not names_class(target)
    ):
        writer.around(node if is_box else target, f"apet.ApetObjects.visit({writer.site('visit', node)}, ", ")")
    operation = writer.wanted.timed.get(place)
    if operation is not None and node.type == "enhanced_for_statement":
        number = writer.site("time", node, operation)
        writer.around(node.child_by_field_name("value"), f"{RUNTIME}.stepped({number}, ", ")")
    elif operation is not None and operation not in SIZED_CALLS:
        _time(writer, node, operation)

    if node.type == "method_invocation":
        name = text_of(node.child_by_field_name("name"))
        if (place.line, name) in writer.wanted.dispatched:
            _classes(writer, node, name)
        if (place.line, name) in writer.wanted.streams:
            count_stream(writer, node)
    elif writer.wanted.dispatched:
        _mark(writer, node)


def _time(writer: InstrumentingWriter, node: Node, operation: str) -> None:
    target, listed = node.child_by_field_name("object"), node.child_by_field_name("arguments")
    arguments = [c for c in listed.named_children if c.type not in (*COMMENTS, *CODE)]
    if any(c.type == "class_body" for c in node.named_children):
        return  # it has code that is no part of the call
    statement, hands_code = _is_statement(node), any(c.type in CODE for c in listed.named_children)
    if hands_code and (target is None or names_class(target)) and not arguments and not statement:
        return  # javac would have to find the types of the code without what they come from
    if not statement and node.parent.type in ("for_statement", "lambda_expression"):
        return  # it may have no value

    number = writer.site("time", node, operation)
    last = arguments[-1] if arguments else target
    starts = last is not None and last.type not in ("null_literal", "super")
    starts = starts and (bool(arguments) or not names_class(target))
    # What is made of code has its type from where it is handed to: the clock starts before it is made.
    starts = starts and not any(inner.type in CODE for inner in below(last))
    if starts:
        writer.around(last, f"{RUNTIME}.begins({number}, ", ")")
    if statement:
        before = "{ " if starts else f"{{ {RUNTIME}.begins({number}); "
        writer.around(node.parent, before, f" {RUNTIME}.ends({number}); }}")
    else:
        first = f"{number}" if starts else f"{RUNTIME}.now({number})"
        writer.around(node, f"{RUNTIME}.ends({first}, ", ")")


def _is_place(node: Node) -> bool:
    """Whether an element is assigned, or a row of which an element is taken: what holds no value by itself."""
    above = node.parent
    if node.type != "array_access" or above is None:
        return False
    first = above.named_children[0].start_byte == node.start_byte
    return above.type == "update_expression" or (first and above.type in ("array_access", "assignment_expression"))


def _is_statement(node: Node) -> bool:
    return bool(node.type == "method_invocation" and node.parent.type == "expression_statement")


def _mark(writer: InstrumentingWriter, node: Node) -> None:
    """An anonymous class tells its line: the translation has called it after that."""
    for body in (c for c in node.named_children if c.type == "class_body"):
        writer.cuts.append((body.start_byte + 1, -(10**9), f" static final int apetLine = {node.start_point[0] + 1};"))


def _classes(writer: InstrumentingWriter, node: Node, name: str) -> None:
    """Count the classes of the objects that a method is called on."""
    target = node.child_by_field_name("object")
    if target is None and has_this(node):
        number = writer.site("class", node, name)
        writer.cuts.append((node.start_byte, 10**9, f'{RUNTIME}.of({number}, "{name}", this).'))
    elif target is not None and target.type != "super" and not names_class(target):
        number = writer.site("class", node, name)
        writer.around(target, f'{RUNTIME}.of({number}, "{name}", ', ")")
