"""Questions that instrumenting asks of tree-sitter's nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    return (
        around is not None
        and around.type in ("method_declaration", "constructor_declaration")
        and belongs_to_object(around)
    )


def belongs_to_object(member: Node) -> bool:
    """Whether a method or constructor is not static."""
    return not any(m.type == "static" for c in member.children if c.type == "modifiers" for m in c.children)


def class_around(member: Node) -> str:
    """The name of the class that a member is declared in; "" of an anonymous one."""
    declaration = None if member.parent is None else member.parent.parent
    name = None if declaration is None else declaration.child_by_field_name("name")
    return "" if name is None else text_of(name)


def anchor(node: Node) -> LineColumn:
    """Where the translator has the place of an expression: at its operator, or at the name of what is called."""
    inner = unwrapped(node)
    if inner is None:
        return at(node)
    field_name = {"binary_expression": "operator", "method_invocation": "name", "field_access": "field"}.get(inner.type)
    part = None if field_name is None else inner.child_by_field_name(field_name)
    return at(inner if part is None else part)


def below(node: Node, left_out: Callable[[Node], bool] = lambda node: False) -> Iterator[Node]:
    """A node and all in it, in the order of the text, without what is `left_out`."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if left_out(one):
            continue
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


VALUES = ("binary_expression", "array_access", "field_access", "identifier", "unary_expression")
"""Expressions that surely have a value, of a type that stays as it is where it is handed on."""


def is_statement(node: Node) -> bool:
    """Whether a switch is a statement: by itself, or what a loop, an `if` or a label governs."""
    around = node.parent
    if around is None or around.type in ("block", "constructor_body", "switch_block_statement_group"):
        return around is not None
    if around.type == "expression_statement" and around.parent is not None and around.parent.type == "switch_rule":
        # What stands behind an arrow is a value where the switch around it is one.
        return is_statement(around.parent.parent.parent)
    if around.type in ("expression_statement", "labeled_statement"):
        return True
    governed = (around.child_by_field_name(name) for name in ("body", "consequence", "alternative"))
    return around.type.endswith("_statement") and any(part == node for part in governed if part is not None)


def surely_valued(node: Node) -> Node | None:
    """A part of an expression that is evaluated each time that it is, and surely has a value; None where there is none.

    A call may be of a method without a result: its target or one of its arguments has one, if it is a call, too.
    """
    if node.type in VALUES:
        return node
    if node.type == "ternary_expression":
        condition = unwrapped(node.child_by_field_name("condition"))
        return None if condition is None or binds(condition) else condition
    if node.type != "method_invocation":
        return None
    parts = [node.child_by_field_name("object"), *node.child_by_field_name("arguments").named_children]
    valued = (*VALUES, "method_invocation")
    return next((p for p in parts if p is not None and p.type in valued and not names_class(p)), None)


def names_class(node: Node | None) -> bool:
    """Whether a target is a class, by its first letter: `Thread.currentThread()`; a name in capitals is a constant."""
    if node is None or node.type not in ("identifier", "field_access", "scoped_identifier"):
        return False
    name = text_of(node).rpartition(".")[2]
    return name[:1].isupper() and (len(name) == 1 or not name.isupper())
