"""Statements: what they do, in order, and with which probability they jump away instead of going on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator import calls, expressions, loops
from apet.java.translator.algebra import ZERO, Value, as_value
from apet.java.translator.conditions import cut, test
from apet.java.translator.facts import Known, Result, merged, shown
from apet.java.translator.frame import Flow, Frame
from apet.java.translator.ir import Branch, Weighted
from apet.java.translator.variables import assign_variable, declare

ALWAYS = as_value(1)


def run(f: Frame, statement: s.Statement) -> Flow:
    """Write the operations of a statement; the jumps it may make."""
    return _RUNNERS[type(statement)](f, statement)


def run_all(f: Frame, statements: Sequence[s.Statement]) -> Flow:
    """Statements in order; what follows a jump runs with the probability that the jump is not taken."""
    for k, statement in enumerate(statements):
        flow = run(f, statement)
        leaving = flow.total
        if leaving.constant == 0:
            continue
        rest = statements[k + 1 :]
        if not rest or leaving.constant == 1:
            return flow
        staying = 1 - leaving
        branch = f.out[-1] if f.out else None
        with f.writing() as items:
            after = run_all(f, rest)
        if isinstance(statement, s.If) and isinstance(branch, Branch) and branch.leaves and items:
            f.out[-1] = _continued(branch, staying, tuple(items))
        elif items:
            f.out.append(Weighted(staying, tuple(items), rest[0].at))
        return flow.joined(after.scaled(staying))
    return Flow()


def _continued(branch: Branch, staying: Value, rest: tuple[Any, ...]) -> Branch:
    """The rest of a block after `if (...) return;` is the other side of that branch."""
    then_stays = staying == branch.probability
    then = (*branch.then, *rest) if then_stays else branch.then
    otherwise = branch.otherwise if then_stays else (*branch.otherwise, *rest)
    return Branch(branch.probability, then, otherwise, branch.condition, branch.at, True)


def _block(f: Frame, b: s.Block) -> Flow:
    outside = dict(f.types)
    flow = run_all(f, b.statements)
    for name in set(f.types) - set(outside):
        f.known.pop(name, None)
    f.types = outside
    return flow


def _local(f: Frame, d: s.Local) -> Flow:
    for one in d.declarators:
        if one.initial is None:
            declare(f, one.name, one.type)
            continue
        value = expressions.evaluate(f, one.initial)
        kind = value.type if one.type == types.UNKNOWN else one.type
        declare(f, one.name, kind)
        given = expressions.converted(f, value, kind)
        assign_variable(f, one.name, given)
        f.known[one.name] = _symbol(f, one, kind, given.known)
    return Flow()


def _symbol(f: Frame, d: s.Declarator, kind: s.Type, known: Known) -> Known:
    """In the entry, a whole number that is set once becomes a parameter of its own name."""
    if f.method is not f.job.entry or f.loops or not types.is_integral(kind) or kind == types.CHAR:
        return known
    if d.name in f.changing:
        return known
    value = shown(known)
    if value is not None and value.constant is None:
        return known
    text = f"{f.where(d.at)}: " + (f"`{cut(f.shown(d.at, 200))}`" if value is None else f"local variable {d.name}")
    from apet.java.translator.ir import Note

    return f.job.parameter(Note(f.job.local(d.name), text, d.at, value), exact=True)


def _do(f: Frame, d: s.Do) -> Flow:
    e = d.expression
    if isinstance(e, s.Call) and e.name == "exit" and isinstance(e.target, s.Name) and e.target.name == "System":
        return Flow({"return": ALWAYS})
    expressions.evaluate(f, e)
    return Flow()


def _if(f: Frame, i: s.If) -> Flow:
    found = test(f, i.condition, expressions.evaluate)
    q = found.probability
    before = dict(f.known)
    with f.writing() as then:
        one = run(f, i.then) if q.constant != 0 else Flow()
    after_then, f.known = f.known, before
    with f.writing() as otherwise:
        other = run(f, i.otherwise) if i.otherwise is not None and q.constant != 1 else Flow()
    if q.constant == 1:
        f.known = after_then
        f.out += then
        return one
    if q.constant == 0:
        f.out += otherwise
        return other
    then_leaves, other_leaves = one.total.constant == 1, other.total.constant == 1
    if other_leaves:
        f.known = after_then
    elif not then_leaves:
        f.keep_common(after_then, f.known)
    clean = (then_leaves and not other.total.terms) or (other_leaves and not one.total.terms)
    f.out.append(Branch(q, tuple(then), tuple(otherwise), found.condition, i.at, clean))
    return one.scaled(q).joined(other.scaled(1 - q))


def _return(f: Frame, r: s.Return) -> Flow:
    value = Result(types.VOID)
    if r.value is not None:
        value = expressions.converted(f, expressions.evaluate(f, r.value), f.method.result)
    f.returned.append(value)
    return Flow({"return": ALWAYS})


def _jump(f: Frame, j: s.Jump) -> Flow:
    return Flow({f"{j.kind}:{j.label}" if j.label else j.kind: ALWAYS})


def _throw(f: Frame, t: s.Throw) -> Flow:
    expressions.evaluate(f, t.value)
    f.op("throw", None)
    return Flow({"return": ALWAYS})


def _try(f: Frame, t: s.Try) -> Flow:
    flow = run_all(f, (*t.start, t.body))
    for name in f.method.scan.facts(t.body).assigned:
        f.known.pop(name, None)
    for handler in t.handlers:
        q = f.note(f"q_{handler.at.line}", "probability of this exception", handler.at, ZERO, unit=True)
        with f.writing() as items:
            flow = flow.joined(run(f, handler).scaled(q))
        for name in f.method.scan.facts(handler).assigned:
            f.known.pop(name, None)
        f.out.append(Branch(q, tuple(items), (), None, handler.at))
    if t.last is not None:
        flow = flow.joined(run(f, t.last).scaled(1 - flow.total))
    return flow


def _synchronized(f: Frame, b: s.Synchronized) -> Flow:
    expressions.evaluate(f, b.lock)
    f.op("monitor", None)
    f.unsupported("a monitor is counted as one operation; waiting for it is not modelled", b.at)
    return run(f, b.body)


def _labelled(f: Frame, b: s.Labelled) -> Flow:
    if isinstance(b.body, s.For | s.While | s.DoWhile | s.ForEach):
        return loops.run_loop(f, b.body, run, b.label)
    flow = run(f, b.body)
    return flow.without(f"break:{b.label}")


def _switch(f: Frame, w: s.Switch) -> Flow:
    return switch(f, w)[0]


def switch_value(f: Frame, w: s.Switch) -> Result:
    """A switch as an expression: one of the values it yields."""
    return switch(f, w)[1]


def switch(f: Frame, w: s.Switch) -> tuple[Flow, Result]:
    """Arms in order, each with the probability that it is taken if none before it is; and the value."""
    selector = expressions.evaluate(f, w.selector)
    f.op("switch", None, selector)
    arms: list[tuple[s.Case, list[Any], Flow, dict[str, Known], Result]] = []
    before = f.known
    for k, case in enumerate(w.cases):
        f.known = dict(before)
        value = Result(types.UNKNOWN)
        with f.writing() as items:
            if case.arrow and len(case.statements) == 1 and isinstance(case.statements[0], s.Do):
                value = expressions.evaluate(f, case.statements[0].expression)
                flow = Flow()
            else:
                statements = list(case.statements)
                for later in () if case.arrow else w.cases[k + 1 :]:
                    if statements and _ends(statements[-1]):
                        break
                    statements += later.statements
                flow = run_all(f, statements)
        arms.append((case, items, flow.without("break", "yield"), f.known, value))
    known, found = None, Result(types.UNKNOWN)
    default = [a for a in arms if not a[0].labels]
    branches: list[Any] = default[-1][1] if default else []
    flow = default[-1][2] if default else Flow()
    known = default[-1][3] if default else before
    found = default[-1][4] if default else found
    for case, items, jumps, after, value in reversed([a for a in arms if a[0].labels]):
        text = f"probability of this case of the switch in line {w.at.line}, if none before it is taken"
        q = f.note(f"q_{case.at.line}", text, case.at, unit=True)
        branches = [Branch(q, tuple(items), tuple(branches), None, case.at)]
        flow = jumps.scaled(q).joined(flow.scaled(1 - q))
        known = {k: merged(v, known[k]) for k, v in after.items() if k in known}
        found = Result(value.type if found.type == types.UNKNOWN else found.type)
    f.known = known
    f.out += branches
    return flow, found._replace(value=f.op("either", None, selector))


def _ends(statement: s.Statement) -> bool:
    """Whether nothing after a statement is reached, as far as its form tells."""
    match statement:
        case s.Jump() | s.Return() | s.Throw() | s.Yield():
            return True
        case s.Block(statements, _):
            return bool(statements) and _ends(statements[-1])
        case s.If(_, then, otherwise, _):
            return otherwise is not None and _ends(then) and _ends(otherwise)
        case s.Synchronized(_, body, _) | s.Labelled(_, body, _):
            return _ends(body)
        case _:
            return False


def _yield(f: Frame, y: s.Yield) -> Flow:
    expressions.evaluate(f, y.value)
    return Flow({"yield": ALWAYS})


def _loop(f: Frame, loop: s.For | s.While | s.DoWhile | s.ForEach) -> Flow:
    return loops.run_loop(f, loop, run, "")


def _empty(f: Frame, e: s.Empty) -> Flow:
    return Flow()


def _local_class(f: Frame, c: s.LocalClass) -> Flow:
    calls.declare_class(f, c.declared)
    return Flow()


_RUNNERS: dict[type, Callable[[Frame, Any], Flow]] = {
    s.Local: _local,
    s.Do: _do,
    s.If: _if,
    s.While: _loop,
    s.DoWhile: _loop,
    s.For: _loop,
    s.ForEach: _loop,
    s.Block: _block,
    s.Return: _return,
    s.Jump: _jump,
    s.Yield: _yield,
    s.Throw: _throw,
    s.Switch: _switch,
    s.Try: _try,
    s.Synchronized: _synchronized,
    s.Labelled: _labelled,
    s.LocalClass: _local_class,
    s.Empty: _empty,
}
