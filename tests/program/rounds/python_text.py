"""Statements for tests, written as Python: `/` goes towards 0, `any` is a number that is not known."""

from __future__ import annotations

import ast

from apet.program.rounds import statements as s

OPERATORS: dict[type, s.Operator] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%", ast.RShift: ">>", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.And: "&&", ast.Or: "||",
}  # fmt: skip


def statements(text: str) -> s.Statement:
    """A function's body; loops are called by their lines."""
    return _block(ast.parse(text).body)


def _block(body: list[ast.stmt]) -> s.Statement:
    return s.Block(tuple(_statement(one) for one in body))


def _statement(one: ast.stmt) -> s.Statement:
    match one:
        case ast.Assign([ast.Name(name)], value):
            return s.Do(s.Assign(name, _expression(value)))
        case ast.AugAssign(ast.Name(name), operator, value):
            return s.Do(s.Assign(name, s.Binary(OPERATORS[type(operator)], s.Name(name), _expression(value))))
        case ast.If(test, body, orelse):
            return s.If(_expression(test), _block(body), _block(orelse))
        case ast.While(test, body):
            return s.Loop(_expression(test), _block(body), label=str(one.lineno))
        case ast.Break():
            return s.Jump("break")
        case ast.Continue():
            return s.Jump("continue")
        case ast.Return():
            return s.Jump("return")
        case _:
            raise NotImplementedError(ast.dump(one))


def _expression(e: ast.expr) -> s.Expression:
    match e:
        case ast.Constant(value):
            return s.Whole(int(value))  # type: ignore[arg-type]
        case ast.Name("any"):
            return s.Unknown()
        case ast.Name(name):
            return s.Name(name)
        case ast.UnaryOp(ast.Not(), operand):
            return s.Not(_expression(operand))
        case ast.UnaryOp(ast.USub(), operand):
            return s.Binary("-", s.Whole(0), _expression(operand))
        case ast.BinOp(left, operator, right):
            return s.Binary(OPERATORS[type(operator)], _expression(left), _expression(right))
        case ast.Compare(left, [operator], [right]):
            return s.Binary(OPERATORS[type(operator)], _expression(left), _expression(right))
        case ast.BoolOp(operator, [first, *rest]):
            answer = _expression(first)
            for other in rest:
                answer = s.Binary(OPERATORS[type(operator)], answer, _expression(other))
            return answer
        case _:
            raise NotImplementedError(ast.dump(e))
