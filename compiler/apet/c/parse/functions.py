"""One function of C in progress: where it stands, its names, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from apet.c.parse import expressions, libclang, statements
from apet.c.parse.kinds import is_pointer, kind_of
from apet.c.parse.libclang import children_of
from apet.c.parse.memory import bare, member_name
from apet.c.parse.scopes import Scopes
from apet.program import syntax as s
from apet.program import types

if TYPE_CHECKING:
    from apet.c.parse.reading import FileReader

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
DECIDED = ("<", "<=", ">", ">=", "==", "!=", "&&", "||")


class FunctionReader:
    """Reads the body of one function; `file` knows what is outside it."""

    def __init__(self, file: FileReader, scopes: Scopes) -> None:
        self.file = file
        self.scopes = scopes
        self.labels: dict[str, str] = {}
        """How a `goto` to a label that is around it is written: `break` or `continue`."""

        self.shared = False
        """Whether threads run what is being read."""

    def at(self, cursor: Any) -> s.LineColumn:
        """Where a term begins."""
        start = cursor.extent.start
        return s.LineColumn(start.line, start.column)

    def after(self, cursor: Any) -> s.LineColumn:
        """The place behind an operand: no other term has it, as the first of several may have its beginning."""
        end = cursor.extent.end
        return s.LineColumn(end.line, end.column)

    def counted(self, kind: str, at: s.LineColumn, cursor: Any, negated: bool = False) -> None:
        """Keep which term of the source a run can count at a place."""
        self.file.unit.places.setdefault((self.file.name, kind, at), (cursor, negated))

    def note(self, what: str, cursor: Any) -> None:
        """Say what is only counted, at its place."""
        self.file.note(what, self.at(cursor))

    def opaque(self, cursor: Any) -> s.Expression:
        """An expression that is only counted."""
        return s.Opaque(cursor.kind.name.lower(), self.at(cursor))

    def expression(self, cursor: Any) -> s.Expression:
        """An expression."""
        return expressions.expression(self, cursor)

    def statement(self, cursor: Any) -> s.Statement:
        """A statement."""
        return statements.statement(self, cursor)

    def whole(self, cursor: Any, value: s.Expression | None = None) -> s.Expression:
        """An operand: of a comparison the number that it is in C."""
        value = self.expression(cursor) if value is None else value
        is_decided = isinstance(value, s.BinaryOp) and value.operator in DECIDED
        is_decided |= isinstance(value, s.UnaryOp) and value.operator == "!"
        return s.Cast(types.Type("int"), value, value.at) if is_decided else value

    def truth(self, cursor: Any, negated: bool = False) -> s.Expression:
        """A condition: a comparison as it is, anything else compared with 0."""
        value, at = self.expression(cursor), self.at(cursor)
        inner = bare(cursor)
        kind = kind_of(inner.type)
        is_binary = inner.kind.name == "BINARY_OPERATOR" and libclang.binary_operator(inner) in DECIDED
        is_unary = inner.kind.name == "UNARY_OPERATOR" and libclang.unary_operator(inner) == "!"
        if not is_unary:
            self.counted(
                "test", value.at if is_binary else at, cursor, negated and (not is_binary or self._is_whole(inner))
            )
        if negated and isinstance(value, s.BinaryOp) and value.operator in OPPOSITE and self._is_whole(inner):
            return s.BinaryOp(OPPOSITE[value.operator], value.left, value.right, value.at)
        if is_binary or is_unary or (kind.name == "boolean" and not kind.dimensions):
            return s.UnaryOp("!", value, at) if negated else value
        if isinstance(value, s.Literal) and value.kind in ("int", "long", "uint", "ulong"):
            holds = (value.text.rstrip("L") != "0") != negated
            return s.Literal("boolean", "true" if holds else "false", at)
        zero = s.Literal("null", "null", at) if is_pointer(kind) else s.Literal("int", "0", at)
        return s.BinaryOp("==" if negated else "!=", value, zero, at)

    def _is_whole(self, comparison: Any) -> bool:
        """Whether a comparison is of whole numbers, so that another one is its opposite."""
        kinds = [kind_of(c.type) for c in children_of(comparison)]
        return all(kind.name in types.INTEGRAL and not kind.dimensions for kind in kinds)

    def chained(self, items: Sequence[s.Expression], at: s.LineColumn) -> s.Expression:
        """Expressions in order, whose value is that of the last one."""
        return reduce(lambda one, other: s.Comma(one, other, at), items)


def members_of(declared: Any) -> tuple[tuple[str, Any], ...]:
    """The members of a structure with their types."""
    record = declared.get_canonical().get_declaration()
    fields = [c for c in children_of(record) if c.kind.name == "FIELD_DECL"]
    return tuple((member_name(c.spelling), c.type) for c in fields)


def has_plain_members(declared: Any) -> bool:
    """Whether each member of a record has memory of its own, of its type: in no union, no field of bits."""
    record = declared.get_canonical().get_declaration()
    inside = children_of(record)
    return record.kind.name == "STRUCT_DECL" and not any(
        c.is_bitfield() if c.kind.name == "FIELD_DECL" else c.is_anonymous() for c in inside
    )
