"""Questions that instrumenting asks of tree-sitter's nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apet.java.parse.syntax import LineColumn
from apet.java.parse.tree_sitter_expressions import at

Node = Any
MEMBERS = (
    *("method_declaration", "constructor_declaration", "compact_constructor_declaration", "static_initializer"),
    *("field_declaration", "class_body"),
)


def has_this(node: Node) -> bool:
    """Whether a statement belongs to an object: it stands in a method or constructor of one."""
    around = node.parent
    while around is not None and around.type not in MEMBERS:
        around = around.parent
    if around is None or around.type not in ("method_declaration", "constructor_declaration"):
        return False
    return not any(m.type == "static" for c in around.children if c.type == "modifiers" for m in c.children)


def anchor(node: Node) -> LineColumn:
    """Where the translator has the place of an expression: at its operator, or at the name of what is called."""
    inner = unwrapped(node)
    if inner is None:
        return at(node)
    field_name = {"binary_expression": "operator", "method_invocation": "name", "field_access": "field"}.get(inner.type)
    part = None if field_name is None else inner.child_by_field_name(field_name)
    return at(inner if part is None else part)


def below(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(one.named_children))


def unwrapped(node: Node | None) -> Node | None:
    """What stands in brackets."""
    while node is not None and node.type in ("parenthesized_expression", "condition") and node.named_children:
        node = node.named_children[0]
    return node


def binds(node: Node) -> bool:
    """Whether an `instanceof` in a condition declares a name: it is seen only where the condition stays bare."""
    inside = (n for n in below(node) if n.type == "instanceof_expression")
    return any(
        n.child_by_field_name("name") is not None or n.child_by_field_name("pattern") is not None for n in inside
    )


def text_of(node: Node) -> str:
    return str(node.text.decode())
