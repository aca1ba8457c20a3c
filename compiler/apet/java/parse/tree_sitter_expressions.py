"""tree-sitter's nodes as types and expressions of `syntax`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.java import errors
from apet.java.parse.class_names import ClassNames
from apet.java.parse.literals import checked_literal
from apet.program import syntax as s
from apet.program import types
from apet.program.ir import LineColumn
from apet.program.syntax.declarations import Unused

Node = Any
"""A node of tree-sitter."""

DEEPEST = 1_000
LITERALS = {
    "decimal_integer_literal": "int",
    "hex_integer_literal": "int",
    "octal_integer_literal": "int",
    "binary_integer_literal": "int",
    "decimal_floating_point_literal": "double",
    "hex_floating_point_literal": "double",
    "true": "boolean",
    "false": "boolean",
    "character_literal": "char",
    "string_literal": "String",
    "null_literal": "null",
}
COMMENTS = ("line_comment", "block_comment")


def children(node: Node) -> list[Node]:
    return [c for c in node.named_children if c.type not in COMMENTS]


ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")


def text(node: Node) -> str:
    text = str(node.text.decode())
    if "\\u" in text and node.type.endswith("identifier"):
        return ESCAPE.sub(lambda m: chr(int(m[1], 16)), text)  # the same name as without (specification, 3.3)
    return text


def at(node: Node) -> LineColumn:
    row, column = node.start_point
    return LineColumn(row + 1, column + 1)


class ExpressionReader:
    """Reads types and expressions; what reads statements adds the expressions that hold them."""

    def __init__(self, source: Source, names: ClassNames) -> None:
        self.source = source
        self.names = names
        self.depth = 0
        self.unused = Unused()

    def deeper(self, node: Node) -> None:
        """One level down; `ApetError` where that is too deep."""
        self.depth += 1
        if self.depth > DEEPEST:
            start = self.source.offset(*at(node))
            raise ApetError(errors.JavaNestsTooDeep(self.source, Span(start, start + 1), DEEPEST))

    def field(self, node: Node, name: str) -> s.Expression:
        """The expression in a field of a node."""
        return self.expression(node.child_by_field_name(name))

    # Types

    def type(self, node: Node) -> types.Type:
        """A type; of a qualified or generic one its simple name."""
        kind = node.type
        if kind == "array_type":
            inner = self.type(node.child_by_field_name("element"))
            dimensions = self.dimensions(node.child_by_field_name("dimensions"))
            return types.Type(inner.name, inner.dimensions + dimensions, inner.arguments)
        if kind == "generic_type":
            plain, *argument_lists = children(node)
            return types.Type(
                self.type(plain).name, 0, tuple(self.type(c) for a in argument_lists for c in children(a))
            )
        if kind == "wildcard":
            bounds = [c for c in children(node) if c.type != "super"]
            return self.type(bounds[-1]) if bounds else types.Type("Object")
        if kind == "annotated_type":
            return self.type(children(node)[-1])

        name = self.class_name(node)
        return types.Type("" if name == "var" else name)

    def class_name(self, node: Node) -> str:
        """What the class is called that a name means here; any other name without those before it."""
        written = text(node)
        if not self.names.repeated:
            return written.rpartition(".")[2].strip()
        return self.names.meant(written, node.start_byte)

    def dimensions(self, node: Node) -> int:
        """How many pairs of brackets."""
        return sum(c.type == "[" for c in node.children)

    def declared(self, base: types.Type, declarator: Node) -> types.Type:
        """The type of one declarator: brackets may stand after its name."""
        dimensions = declarator.child_by_field_name("dimensions")
        return (
            base
            if dimensions is None
            else types.Type(base.name, base.dimensions + self.dimensions(dimensions), base.arguments)
        )

    # Expressions

    def expression(self, node: Node) -> s.Expression:
        """Any expression."""
        kind = LITERALS.get(node.type)
        if kind is not None:
            return _literal(self.source, kind, text(node), at(node))
        self.deeper(node)
        try:
            reader = EXPRESSIONS.get(node.type)
            return s.Opaque(node.type, at(node)) if reader is None else reader(self, node)
        finally:
            self.depth -= 1

    def arguments(self, node: Node) -> tuple[s.Expression, ...]:
        """The arguments of a call."""
        return tuple(self.expression(c) for c in children(node.child_by_field_name("arguments")))

    def binary(self, node: Node) -> s.Expression:
        """Operators of two operands; a long chain to the left is no depth."""
        chain = [node]
        while (left := chain[-1].child_by_field_name("left")).type == "binary_expression":
            chain.append(left)
        term = self.expression(left)
        for one in reversed(chain):
            operator = one.child_by_field_name("operator").type
            term = s.BinaryOp(operator, term, self.field(one, "right"), at(one.child_by_field_name("operator")))
        return term

    def unary(self, node: Node) -> s.Expression:
        """A sign or a negation; the sign of a literal belongs to it."""
        operator = node.child_by_field_name("operator").type
        return s.UnaryOp(operator, self.field(node, "operand"), at(node))

    def update(self, node: Node) -> s.Expression:
        """`++` or `--`."""
        first = node.children[0]
        prefix = first.type in ("++", "--")
        operand = children(node)[0]
        return s.Increment(first.type if prefix else node.children[-1].type, self.expression(operand), prefix, at(node))

    def assign(self, node: Node) -> s.Expression:
        """An assignment."""
        operator = node.child_by_field_name("operator").type[:-1]
        return s.Assign(operator, self.field(node, "left"), self.field(node, "right"), at(node))

    def call(self, node: Node) -> s.Expression:
        """A call; a long chain of calls is no depth."""
        chain = [node]
        while (target := chain[-1].child_by_field_name("object")) is not None and target.type == "method_invocation":
            chain.append(target)
        term = None if target is None else self.expression(target)
        for one in reversed(chain):
            name = one.child_by_field_name("name")
            term = s.MethodCall(term, text(name), self.arguments(one), at(name))
        assert term is not None
        return term

    def instance(self, node: Node) -> s.Expression:
        """`instanceof`, with the variables of its pattern."""
        bindings: list[tuple[types.Type, str]] = []
        name, tested = node.child_by_field_name("name"), node.child_by_field_name("right")
        kind = types.UNKNOWN if tested is None else self.type(tested)
        if name is not None:
            bindings.append((kind, text(name)))
        stack = [p for p in (node.child_by_field_name("pattern"),) if p is not None]

        while stack:
            pattern = stack.pop()
            parts = children(pattern)
            if pattern.type in ("record_pattern_component", "type_pattern") and len(parts) == 2:
                bindings.append((self.type(parts[0]), text(parts[1])))
            else:
                stack += parts
        return s.InstanceOf(self.field(node, "left"), kind, tuple(bindings), at(node))

    def new_array(self, node: Node) -> s.Expression:
        """An array."""
        sizes: list[s.Expression] = []
        dimensions = 0
        for d in node.children_by_field_name("dimensions"):
            if d.type == "dimensions_expr":
                sizes.append(self.expression(children(d)[-1]))
                dimensions += 1
            else:
                dimensions += self.dimensions(d)

        base = self.type(node.child_by_field_name("type"))
        value = node.child_by_field_name("value")
        initial = None if value is None else self.expression(value)
        return s.NewArray(types.Type(base.name, base.dimensions + dimensions), tuple(sizes), initial, at(node))

    def member(self, node: Node) -> s.Expression:
        """`target.name`."""
        field = node.child_by_field_name("field")
        if field.type == "this":
            return s.Identifier("this", at(node))
        name = text(field)
        return s.FieldAccess(
            self.field(node, "object"), self.class_name(node) if name in self.names.repeated else name, at(field)
        )


def _literal(source: Source, kind: str, text: str, at: LineColumn) -> s.Literal:
    last = text[-1].lower()
    if kind == "int" and last == "l":
        kind = "long"
    elif kind == "double" and last == "f":
        kind = "float"
    return checked_literal(source, kind, text, at)


def only(reader: ExpressionReader, node: Node) -> s.Expression:
    return reader.expression(children(node)[0])


EXPRESSIONS: dict[str, Callable[[ExpressionReader, Node], s.Expression]] = {
    "identifier": lambda r, n: s.Identifier(r.class_name(n), at(n)),
    "this": lambda r, n: s.Identifier("this", at(n)),
    "super": lambda r, n: s.Identifier("super", at(n)),
    "parenthesized_expression": only,
    "binary_expression": ExpressionReader.binary,
    "unary_expression": ExpressionReader.unary,
    "update_expression": ExpressionReader.update,
    "assignment_expression": ExpressionReader.assign,
    "ternary_expression": lambda r, n: s.Conditional(
        r.field(n, "condition"), r.field(n, "consequence"), r.field(n, "alternative"), at(n)
    ),
    "cast_expression": lambda r, n: s.Cast(r.type(n.child_by_field_name("type")), r.field(n, "value"), at(n)),
    "instanceof_expression": ExpressionReader.instance,
    "method_invocation": ExpressionReader.call,
    "array_creation_expression": ExpressionReader.new_array,
    "array_initializer": lambda r, n: s.ArrayLiteral(tuple(r.expression(c) for c in children(n)), at(n)),
    "array_access": lambda r, n: s.ArrayAccess(r.field(n, "array"), r.field(n, "index"), at(n)),
    "field_access": ExpressionReader.member,
}
