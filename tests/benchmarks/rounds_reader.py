"""Reads the C integer programs of the termination competition into statements, with libclang; for judging only."""

from __future__ import annotations

from pathlib import Path

from clang.cindex import Cursor, CursorKind, Index, TypeKind

from apet.program.rounds import statements as s

K = CursorKind


class NotRead(Exception):
    """What the programs of the collection do not need as a rule."""


def read(path: Path) -> tuple[s.Statement, tuple[str, ...]]:
    """The body of the last function of a file, and its formals."""
    unit = Index.create().parse(str(path), args=["-std=gnu99", "-w"])
    functions = [c for c in unit.cursor.get_children() if c.kind == K.FUNCTION_DECL and c.is_definition()]
    if not functions:
        raise NotRead("no function")
    main = functions[-1]
    if any(_loops(f) for f in functions[:-1]) and any(f.spelling in _called(main) for f in functions[:-1]):
        raise NotRead("calls a function with loops")
    if main.spelling in _called(main):
        raise NotRead("recursion")
    body = next(c for c in main.get_children() if c.kind == K.COMPOUND_STMT)
    return _Reader().statement(body), tuple(a.spelling for a in main.get_arguments())


def _loops(cursor: Cursor) -> bool:
    return any(c.kind in (K.WHILE_STMT, K.FOR_STMT, K.DO_STMT) for c in cursor.walk_preorder())


def _called(cursor: Cursor) -> set[str]:
    return {c.spelling for c in cursor.walk_preorder() if c.kind == K.CALL_EXPR}


class _Reader:
    def statement(self, c: Cursor) -> s.Statement:
        children = list(c.get_children())
        match c.kind:
            case K.COMPOUND_STMT:
                return s.Block(tuple(self.statement(x) for x in children))
            case K.DECL_STMT:
                return s.Block(tuple(self.declared(x) for x in children))
            case K.NULL_STMT:
                return s.Block(())
            case K.IF_STMT:
                other = self.statement(children[2]) if len(children) > 2 else s.Block(())
                return s.If(self.expression(children[0]), self.statement(children[1]), other)
            case K.WHILE_STMT:
                return s.Loop(self.expression(children[0]), self.statement(children[1]), label=_label(c))
            case K.DO_STMT:
                body, condition = self.statement(children[0]), self.expression(children[1])
                return s.Loop(condition, body, is_do=True, label=_label(c))
            case K.FOR_STMT:
                return self.counted(c, children)
            case K.BREAK_STMT:
                return s.Jump("break")
            case K.CONTINUE_STMT:
                return s.Jump("continue")
            case K.RETURN_STMT:
                done = tuple(s.Do(self.expression(x)) for x in children)
                return s.Block((*done, s.Jump("return")))
            case kind if kind.is_expression():
                return s.Do(self.expression(c))
            case _:
                raise NotRead(c.kind.name)

    def counted(self, c: Cursor, children: list[Cursor]) -> s.Statement:
        """libclang leaves out the missing parts of `for (;;)`, so that they are told by where the semicolons stand."""
        semicolons = [t.extent.start.offset for t in c.get_tokens() if t.spelling == ";"][:2]
        parts, body = children[:-1], children[-1]
        start = [x for x in parts if x.extent.start.offset < semicolons[0]]
        condition = [x for x in parts if semicolons[0] < x.extent.start.offset < semicolons[1]]
        updates = [x for x in parts if x.extent.start.offset > semicolons[1]]
        loop = s.Loop(
            self.expression(condition[0]) if condition else s.Whole(1),
            self.statement(body),
            tuple(self.expression(x) for x in updates),
            label=_label(c),
        )
        return s.Block((*(self.statement(x) for x in start), loop))

    def declared(self, c: Cursor) -> s.Statement:
        if c.kind != K.VAR_DECL:
            return s.Block(())
        values = [x for x in c.get_children() if x.kind.is_expression()]
        if not _is_whole(c):
            return s.Block(tuple(s.Do(self.expression(x)) for x in values))
        return s.Do(s.Assign(c.spelling, self.expression(values[-1]) if values else s.Unknown()))

    def expression(self, c: Cursor) -> s.Expression:
        children = list(c.get_children())
        match c.kind:
            case K.UNEXPOSED_EXPR | K.PAREN_EXPR | K.CSTYLE_CAST_EXPR if children:
                return self.expression(children[-1])
            case K.INTEGER_LITERAL:
                return s.Whole(int(next(iter(c.get_tokens())).spelling.rstrip("uUlL"), 0))
            case K.DECL_REF_EXPR if _is_whole(c) and c.referenced.kind in (K.VAR_DECL, K.PARM_DECL):
                return s.Name(c.spelling)
            case K.BINARY_OPERATOR | K.COMPOUND_ASSIGNMENT_OPERATOR:
                return self.binary(children[0], _operator(c, children[0]), children[1])
            case K.UNARY_OPERATOR:
                return self.unary(c, children[0])
            case K.CONDITIONAL_OPERATOR:
                return s.Choice(*(self.expression(x) for x in children))
            case _:
                return s.Unknown(tuple(self.expression(x) for x in children if x.kind.is_expression()))

    def binary(self, left: Cursor, operator: str, right: Cursor) -> s.Expression:
        value = self.expression(right)
        if operator.endswith("=") and operator not in ("==", "!=", "<=", ">="):
            target = self.expression(left)
            if not isinstance(target, s.Name):
                return s.Unknown((target, value))
            return s.Assign(target.name, _joined(target, operator[:-1], value) if operator != "=" else value)
        if operator == ",":
            return s.Unknown((self.expression(left), value))
        return _joined(self.expression(left), operator, value)

    def unary(self, c: Cursor, operand: Cursor) -> s.Expression:
        tokens = [t.spelling for t in c.get_tokens()]
        inner = self.expression(operand)
        if tokens[0] == "!":
            return s.Not(inner)
        if tokens[0] == "-":
            return s.Binary("-", s.Whole(0), inner)
        if tokens[0] == "+":
            return inner
        if tokens[0] == "&" and _is_whole(operand):
            raise NotRead("address of a number")
        step = next((t for t in (tokens[0], tokens[-1]) if t in ("++", "--")), None)
        if step is not None and isinstance(inner, s.Name):
            value = s.Binary("+" if step == "++" else "-", inner, s.Whole(1))
            return s.Assign(inner.name, value, is_postfix=tokens[0] != step)
        return s.Unknown((inner,))


def _joined(left: s.Expression, operator: str, right: s.Expression) -> s.Expression:
    match operator:
        case "+" | "-" | "*" | "/" | "%" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "&&" | "||":
            return s.Binary(operator, left, right)
        case _:
            return s.Unknown((left, right))


def _operator(c: Cursor, left: Cursor) -> str:
    end = left.extent.end.offset
    return next(str(t.spelling) for t in c.get_tokens() if t.extent.start.offset >= end and t.spelling != ")")


def _is_whole(c: Cursor) -> bool:
    return c.type.get_canonical().kind in (
        TypeKind.INT, TypeKind.UINT, TypeKind.LONG, TypeKind.ULONG, TypeKind.LONGLONG, TypeKind.SHORT, TypeKind.CHAR_S,
        TypeKind.BOOL, TypeKind.USHORT, TypeKind.UCHAR,
    )  # fmt: skip


def _label(c: Cursor) -> str:
    return f"{c.location.line}:{c.location.column}"
