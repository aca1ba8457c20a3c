"""javalang's operands as expressions of `syntax`: literals, objects, lambdas, references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from apet.java.parse.literals import checked_literal
from apet.program import syntax as s
from apet.program import types

Node = Any
"""A node of javalang, or what reads them."""


def is_plain_binary(node: Node) -> bool:
    """Whether a node is an operator of two operands with nothing before or behind it."""
    return (
        type(node).__name__ == "BinaryOperation"
        and not getattr(node, "prefix_operators", None)
        and not getattr(node, "selectors", None)
    )


def opaque(node: Node) -> str:
    """What is only counted, by what it is."""
    names = {"LambdaExpression": "lambda_expression", "MethodReference": "method_reference"}
    return names.get(type(node).__name__, "class_literal" if "Class" in type(node).__name__ else "expression")


def literal(reader: Node, node: Node) -> s.Expression:
    """A literal by the form of its text."""
    text = str(node.value)
    if text in ("true", "false"):
        return s.Literal("boolean", text, reader.at)
    if text == "null":
        return s.Literal("null", text, reader.at)
    if text[0] in "\"'":
        return s.Literal("String" if text[0] == '"' else "char", text, reader.at)

    last, hexadecimal = text[-1].lower(), text[:2].lower() == "0x"
    exponent = "p" in text.lower() if hexadecimal else "e" in text.lower()
    if last == "l":
        kind = "long"
    elif "." in text or exponent or (last in "df" and not hexadecimal):
        kind = "float" if last == "f" else "double"
    else:
        kind = "int"
    return checked_literal(reader.source, kind, text, reader.at)


def assign(reader: Node, node: Node) -> s.Expression:
    """An assignment."""
    at = reader.at
    target = reader.expression(node.expressionl)
    return s.Assign(node.type[:-1], target, reader.expression(node.value), at)


def conditional(reader: Node, node: Node) -> s.Expression:
    """`?:`."""
    at = reader.at
    parts = [reader.expression(x) for x in (node.condition, node.if_true, node.if_false)]
    return s.Conditional(parts[0], parts[1], parts[2], at)


def new(reader: Node, node: Node) -> s.Expression:
    """An object, and the anonymous class behind it."""
    at, kind = reader.at, reader.type(node.type)
    arguments = reader.arguments(node)
    if node.body is None:
        return s.New(kind, arguments, at)
    name = reader.unused(f"{kind.name}_{at.line}")
    return s.New(kind, arguments, at, reader.of_members(name, "class", node.body, (kind.name,), at))


def lambda_(reader: Node, node: Node) -> s.Expression:
    """A lambda; javalang gives a formal without brackets as a name."""
    at = reader.at
    formals = tuple(
        s.Formal(
            types.Type("") if getattr(p, "type", None) is None else reader.type(p.type),
            getattr(p, "name", None) or p.member,
        )
        for p in node.parameters
    )
    body = reader.block(node.body) if isinstance(node.body, list) else reader.expression(node.body)
    return s.Lambda(formals, body, at)


def reference(reader: Node, node: Node) -> s.Expression:
    """A method reference."""
    at = reader.at
    target = reader.type(node.expression).name if not hasattr(node.expression, "selectors") else None
    inner = s.Identifier(target, at) if target is not None else reader.expression(node.expression)
    name = getattr(node.method, "member", None) or str(node.method)
    return s.Reference(inner, name, at)


def own(name: str) -> Callable[[Node, Node], s.Expression]:
    """A call of a constructor of the same object."""
    return lambda r, n: s.MethodCall(None, name, r.arguments(n), r.at)
