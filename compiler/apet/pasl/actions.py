"""The tree that Lark makes of a PASL text, as items with terms in them."""

from __future__ import annotations

from typing import Any

from lark import Token, Tree

from apet.ground.source import Span
from apet.model.pamela.literals import literal
from apet.model.terms import Binary, Expression, Invoke, Name, Unary
from apet.pasl.syntax import BatchTask, Binding, Named

Item = tuple[str, Span, tuple[Any, ...]]
"""Kind, place and values of an item."""

DEEPEST = 500
MEANT = frozenset(("NAME", "NUMBER", "STRING", "SIGN", "TIMES", "POWER", "COMPARISON"))
"""Terminals that say something; keywords have done so by their rule."""


def items(tree: Tree[Token]) -> list[Item]:
    """All items of a file, in order."""
    all_items: list[Item] = []
    for child in tree.children:
        assert isinstance(child, Tree)
        all_items.append((str(child.data), _place(child), _values(child)))
    return all_items


def _parts(tree: Any) -> list[Any]:
    """What stands in a tree besides its keywords."""
    return [c for c in tree.children if isinstance(c, Tree) or c.type in MEANT]


def _values(item: Tree[Token]) -> tuple[Any, ...]:
    children = _parts(item)
    name = _named(children[0])
    parts = {str(c.data): c for c in children if isinstance(c, Tree)}

    match item.data:
        case "application" | "level":
            return (name,)
        case "parameter":
            value = expression(parts["value"].children[0]) if "value" in parts else None
            low, high = [expression(e) for e in _parts(parts["range"])] if "range" in parts else (None, None)
            return name, value, low, high
        case "batch":
            index, (count, *members) = (_index(children[1]), children[2:]) if "index" in parts else (None, children[1:])
            return name, index, expression(count), [_member(m) for m in members]
        case _:
            names = [_named(c) for c in children if isinstance(c, Token)]
            if "size" not in parts:
                return names, None, None
            size, *per = parts["size"].children
            return names, expression(size), _per(per)


def _index(tree: Any) -> tuple[Named, Named]:
    """The name of the tasks' index, and the number that it begins with."""
    name, first = tree.children
    return _named(name), _named(first)


def _member(member: Any) -> tuple[str, Span, Any]:
    first, *rest = _parts(member)
    value: Any
    match member.data:
        case "task":
            value = _task(member)
        case "arguments" | "results":
            value = expression(first), _per(rest)
        case "replicas":
            value = expression(first)
        case _:
            value = _named(first)

    return str(member.data), _place(member), value


def _task(task: Tree[Token]) -> BatchTask:
    file, *rest = _parts(task)
    parts = {str(c.data): c for c in rest if isinstance(c, Tree)}
    entry = ".".join(str(n) for n in parts["entry"].children) if "entry" in parts else ""
    bindings: list[Binding] = []
    for one in _parts(parts["bindings"]) if "bindings" in parts else ():
        assert isinstance(one, Tree)
        bindings.append(Binding(_named(one.children[0]), expression(one.children[1])))
    name = _named(file)
    return BatchTask(Named(name.name[1:-1], name.span), entry, tuple(bindings), _place(task))


def _per(trees: list[Any]) -> Named | None:
    return _named(_parts(trees[0])[0]) if trees else None


def _named(token: Any) -> Named:
    return Named(str(token), _span(token))


def _span(token: Token) -> Span:
    assert token.start_pos is not None
    return Span(token.start_pos, token.start_pos + len(token))


def _place(tree: Tree[Token]) -> Span:
    meta = tree.meta
    return Span(meta.start_pos, meta.end_pos)


class DeepExpression(Exception):
    """An expression that nests deeper than `DEEPEST`."""

    def __init__(self, span: Span) -> None:
        super().__init__("an expression nests too deep")
        self.span = span


def expression(tree: Any) -> Expression:
    """The expression of a tree, made without recursion; `DeepExpression` where it nests too deep for others."""
    operands_ready: list[Expression] = []
    depths: list[int] = []
    waiting: list[tuple[Any, bool]] = [(tree, False)]
    while waiting:
        one, ready = waiting.pop()
        parts = [c for c in one.children if isinstance(c, Tree)]
        if not ready:
            waiting.append((one, True))
            waiting += [(c, False) for c in reversed(parts)]
            continue

        operands = operands_ready[len(operands_ready) - len(parts) :]
        depth = 1 + max(depths[len(depths) - len(parts) :], default=0) if parts else 1
        del operands_ready[len(operands_ready) - len(parts) :], depths[len(depths) - len(parts) :]
        if depth > DEEPEST:
            raise DeepExpression(_place(tree))
        operands_ready.append(_made(one, operands))
        depths.append(depth)
    (whole,) = operands_ready
    return whole


def _made(tree: Tree[Token], operands: list[Expression]) -> Expression:
    span = _place(tree)
    tokens = [c for c in tree.children if isinstance(c, Token)]

    match tree.data:
        case "number":
            return literal(str(tokens[0]), span)
        case "name":
            return Name(str(tokens[0]), span)
        case "call":
            return Invoke(str(tokens[0]), None, tuple(operands), span)
        case "unary":
            return Unary(str(tokens[0]), operands[0], span)
        case _:
            return Binary(str(tokens[0]), operands[0], operands[1], span)
