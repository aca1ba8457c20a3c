"""Counters in code that is handed to others: lambdas, and methods of anonymous classes; and in streams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from apet.java.profile.nodes import Node, surely_valued, text_of

if TYPE_CHECKING:
    from apet.java.profile.instrument import InstrumentingWriter


def count_lambda(writer: InstrumentingWriter, node: Node) -> None:
    """How often a lambda is called each time that the statement it stands in runs."""
    body = node.child_by_field_name("body")
    counted = body if body.type == "block" else surely_valued(body)
    if counted is None:
        return

    number = _entered(writer, node, node)
    formals = [
        (writer.site("formal", node, f"{name}:{formal}"), writer.site("formal", node, f"{name}:{formal}[1]"), formal)
        for name, formal in _asked(writer, node)
    ]
    if body.type == "block":
        values = "".join(f" ApetProfile.noted(0, {site}, {length}, {formal});" for site, length, formal in formals)
        writer.cuts.append((body.start_byte + 1, -(10**9), f" ApetProfile.round({number});{values}"))
        return
    noted = f"{number}"
    for site, length, formal in formals:
        noted = f"ApetProfile.noted({noted}, {site}, {length}, {formal})"
    writer.around(counted, f"ApetProfile.passed({noted}, ", ")")


def _asked(writer: InstrumentingWriter, node: Node) -> Iterator[tuple[str, str]]:
    """The formals of a lambda whose means are asked for, each with the name that the translation gives the lambda."""
    name, formals = f"lambda_{node.start_point[0] + 1}", node.child_by_field_name("parameters")
    if name not in writer.methods:
        return
    for formal in [formals] if formals.type == "identifier" else formals.named_children:
        own = formal if formal.type == "identifier" else formal.child_by_field_name("name")
        if own is not None:
            yield name, text_of(own)


def count_anonymous(writer: InstrumentingWriter, node: Node) -> None:
    """The same of a method of an anonymous class."""
    body = node.child_by_field_name("body")
    if body is None or node.parent.parent is None or node.parent.parent.type != "object_creation_expression":
        return
    number = _entered(writer, node, node.parent.parent)
    writer.cuts.append((body.start_byte + 1, -(10**9), f" ApetProfile.round({number});"))


def count_stream(writer: InstrumentingWriter, node: Node) -> None:
    """How many elements the end of a stream takes, where the model asks for them."""
    number = writer.site("stream", node)
    writer.around(node.child_by_field_name("object"), f"apet.ApetCalls.taken({number}, ", ")")


def _entered(writer: InstrumentingWriter, node: Node, creation: Node) -> int:
    """A new site, which counts how often the statement runs that an object is made in."""
    statement = creation
    while statement.parent is not None and statement.parent.type not in ("block", "class_body"):
        statement = statement.parent
    number = writer.site("lambda", node)
    if statement.parent is not None and statement.parent.type == "block":
        writer.cuts.append((statement.start_byte, -(10**9), f"ApetProfile.enter({number}); "))
    return number
