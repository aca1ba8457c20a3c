"""Statements of C as terms of the translator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from apet.c.parse import variables
from apet.c.parse.libclang import children_of, walk
from apet.c.parse.memory import bare
from apet.c.parse.switches import switch
from apet.program import syntax as s

if TYPE_CHECKING:
    from apet.c.parse.functions import FunctionReader

Reading = Callable[["FunctionReader", Any], s.Statement]


def statement(f: FunctionReader, cursor: Any) -> s.Statement:
    """A statement; one of a kind that is not modelled is counted as one operation."""
    directive = f.file.directives.at.get(f.at(cursor))
    if directive is not None and directive.lock and cursor.kind.name != "UNEXPOSED_STMT":
        return s.Synchronized(s.Literal("lock", directive.lock, f.at(cursor)), _read(f, cursor), f.at(cursor))
    return _read(f, cursor)


def _read(f: FunctionReader, cursor: Any) -> s.Statement:
    kind = cursor.kind
    read = READ.get(kind.name)
    if read is not None:
        return read(f, cursor)
    if kind.is_expression():
        return doing(f, cursor)
    return s.Do(f.opaque(cursor), f.at(cursor))


def doing(f: FunctionReader, cursor: Any) -> s.Statement:
    """An expression as a statement; `({ ... })` is its statements, a cast to void what it holds."""
    inside, at = bare(cursor), f.at(cursor)
    if inside.kind.name == "StmtExpr":
        (block,) = children_of(inside)
        return compound(f, block)
    value = f.expression(inside)
    parts = [value]
    while isinstance(parts[0], s.Comma):
        parts[:1] = [parts[0].left, parts[0].right]
    if len(parts) > 1:
        return s.CodeBlock(tuple(s.Do(part, at) for part in parts), at)
    idle = isinstance(value, s.Identifier | s.Literal | s.Reference)
    return s.EmptyStatement(at) if idle else s.Do(value, at)


def unexposed(f: FunctionReader, cursor: Any) -> s.Statement:
    """What clang does not name, as an attribute in front of a statement."""
    inside = [c for c in children_of(cursor) if c.kind.is_statement() or c.kind.is_expression()]
    return statement(f, inside[0]) if inside else s.Do(f.opaque(cursor), f.at(cursor))


def compound(f: FunctionReader, cursor: Any) -> s.Statement:
    """A block, whose labels become what jumps to them breaks out of or goes on with."""
    f.scopes.enter()
    statements = labelled(f, [*children_of(cursor)])
    f.scopes.leave()
    return s.CodeBlock(statements, f.at(cursor))


def labelled(f: FunctionReader, children: Sequence[Any]) -> tuple[s.Statement, ...]:
    """Statements of a block. What stands before a label that a `goto` in it leads to is a block that is left there;
    what stands behind a label that a `goto` in it leads back to is a loop that ends when it comes to its end."""
    last = max((k for k, c in enumerate(children) if c.kind.name == "LABEL_STMT"), default=-1)
    if last < 0:
        return tuple(statement(f, c) for c in children)
    label, at = children[last].spelling, f.at(children[last])
    before, rest = children[:last], [*children_of(children[last]), *children[last + 1 :]]
    held = f.labels.get(label)

    f.labels[label] = "break"
    first = labelled(f, before)
    if any(_leads(c, label) for c in before):
        first = (s.Labelled(label, s.CodeBlock(first, at), at),)
    f.labels[label] = "continue"
    then = tuple(statement(f, c) for c in rest)
    if any(_leads(c, label) for c in rest):
        again = s.CodeBlock((*then, s.Jump("break", "", at)), at)
        then = (s.Labelled(label, s.While(s.Literal("boolean", "true", at), again, at), at),)
    f.labels.pop(label)
    if held is not None:
        f.labels[label] = held
    return (*first, *then)


def _leads(cursor: Any, label: str) -> bool:
    return any(c.kind.name == "GOTO_STMT" and target(c) == label for c in walk(cursor))


def target(cursor: Any) -> str:
    """The label that a `goto` leads to."""
    return next((str(c.spelling) for c in children_of(cursor) if c.kind.name == "LABEL_REF"), "")


def goto(f: FunctionReader, cursor: Any) -> s.Statement:
    """A jump to the end of a block around it or back to its beginning; any other is named and goes nowhere."""
    label, at = target(cursor), f.at(cursor)
    kind = f.labels.get(label)
    if kind is None:
        f.note(f"a goto into another block is not followed: {label}", cursor)
        return s.Do(f.opaque(cursor), at)
    return s.Jump(kind, label, at)


def label_alone(f: FunctionReader, cursor: Any) -> s.Statement:
    """A label that is no statement of a block."""
    return s.CodeBlock(labelled(f, [cursor]), f.at(cursor))


def if_(f: FunctionReader, cursor: Any) -> s.Statement:
    condition, then, *rest = children_of(cursor)
    otherwise = statement(f, rest[0]) if rest else None
    return s.If(f.truth(condition), statement(f, then), otherwise, f.at(cursor))


def while_(f: FunctionReader, cursor: Any) -> s.Statement:
    """`while`; of `while (n--)` the step is taken out of the condition: at the start of each round, and at the end."""
    condition, body = children_of(cursor)
    at, asked = f.at(cursor), f.truth(condition)
    f.counted("rounds", at, cursor)
    step = asked.left if isinstance(asked, s.BinaryOp) and asked.operator not in ("&&", "||") else None
    if not isinstance(step, s.Increment) or not isinstance(step.operand, s.Identifier):
        return s.While(asked, statement(f, body), at)
    assert isinstance(asked, s.BinaryOp)
    plain = s.BinaryOp(asked.operator, step.operand, asked.right, asked.at)
    if step.prefix:
        return s.CodeBlock((s.Do(step, at), s.For((), plain, (step,), statement(f, body), at)), at)
    inside = statement(f, body)
    statements = inside.statements if isinstance(inside, s.CodeBlock) else (inside,)
    loop = s.While(plain, s.CodeBlock((s.Do(step, at), *statements), at), at)
    return s.CodeBlock((loop, s.Do(step, at)), at)


def do(f: FunctionReader, cursor: Any) -> s.Statement:
    body, condition = children_of(cursor)
    asked = f.truth(condition)
    f.counted("rounds", f.at(cursor), cursor)
    if isinstance(asked, s.Literal) and asked.text == "false":
        # `do { ... } while (0)` of a macro runs once, unless it holds a `continue`.
        once = statement(f, body)
        if not any(c.kind.name in ("CONTINUE_STMT", "BREAK_STMT") for c in walk(body)):
            return once
        return s.DoWhile(once, asked, f.at(cursor))
    return s.DoWhile(statement(f, body), asked, f.at(cursor))


def for_(f: FunctionReader, cursor: Any) -> s.Statement:
    """`for`, whose parts clang leaves out where they are empty."""
    f.scopes.enter()
    *parts, body = children_of(cursor)
    start, condition, step = _parts(cursor, parts)
    f.counted("rounds", f.at(cursor), cursor)
    if start is not None and start.kind.is_expression():
        begin: tuple[s.Statement, ...] = tuple(s.Do(e, e.at) for e in _in_order(f.expression(start)))
    else:
        begin = () if start is None else (statement(f, start),)
    asked = None if condition is None else f.truth(condition)
    steps = [] if step is None else _in_order(f.expression(step))
    team, held = _team(f, cursor), f.shared
    f.shared |= team is not None
    loop = s.For(begin, asked, tuple(steps), statement(f, body), f.at(cursor), team)
    f.shared = held
    f.scopes.leave()
    return loop


def _in_order(e: s.Expression) -> list[s.Expression]:
    """What commas join."""
    return [*_in_order(e.left), e.right] if isinstance(e, s.Comma) else [e]


def _team(f: FunctionReader, cursor: Any) -> s.Team | None:
    """The threads that share the rounds of a loop: a team inside another one has one thread."""
    directive = f.file.directives.at.get(f.at(cursor))
    if directive is None or not directive.is_dealt:
        return None
    if f.shared:
        f.note("threads inside threads are counted as one", cursor)
        return None
    return directive.team(f.file.directives.numbers)


def _parts(cursor: Any, parts: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Start, condition and step, by the semicolons that they stand between."""
    if len(parts) == 3:
        return parts[0], parts[1], parts[2]
    ends, depth = list[int](), 0
    for token in cursor.get_tokens():
        depth += (token.spelling in "([{") - (token.spelling in ")]}")
        if token.spelling == ";" and depth == 1:
            ends.append(token.extent.start.offset)
        if len(ends) == 2:
            break
    placed: list[Any] = [None, None, None]
    for part in parts:
        placed[sum(part.extent.start.offset > end for end in ends)] = part
    return placed[0], placed[1], placed[2]


def return_(f: FunctionReader, cursor: Any) -> s.Statement:
    value = [*children_of(cursor)]
    return s.Return(f.whole(value[0]) if value else None, f.at(cursor))


READ: dict[str, Reading] = {
    **{"COMPOUND_STMT": compound, "UNEXPOSED_STMT": unexposed, "LABEL_STMT": label_alone, "GOTO_STMT": goto},
    **{"IF_STMT": if_, "WHILE_STMT": while_, "DO_STMT": do, "FOR_STMT": for_, "RETURN_STMT": return_},
    **{"SWITCH_STMT": switch, "DECL_STMT": variables.declared, "StmtExpr": doing},
    "CONTINUE_STMT": lambda f, c: s.Jump("continue", "", f.at(c)),
    "BREAK_STMT": lambda f, c: s.Jump("break", "", f.at(c)),
    "NULL_STMT": lambda f, c: s.EmptyStatement(f.at(c)),
}
"""What reads each kind of statement of C."""
