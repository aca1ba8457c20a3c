"""Statements: what they do, in order, and with which probability they jump away instead of going on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import ZERO, Value, as_value
from apet.program.ir import CodeBranch, LineColumn, Operand, ParameterKind, SourceNote, Weighted
from apet.program.jumps import Jumps
from apet.program.translator import loops
from apet.program.translator.arithmetic import converted
from apet.program.translator.conditions import cut, test
from apet.program.translator.facts import Evaluated, Fact, merged, shown
from apet.program.translator.variables import assign_variable, declare

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

ALWAYS = as_value(1)
MOST_NESTED = 30
"""Cases of a switch that stand in one another."""


def run_all(t: Translator, statements: Sequence[s.Statement]) -> Jumps:
    """Statements in order; what follows a jump runs with the probability that the jump is not taken."""
    for k, statement in enumerate(statements):
        flow = t.run(statement)
        leaving = flow.total
        if leaving.constant == 0:
            continue
        rest = statements[k + 1 :]
        if not rest or leaving.constant == 1:
            return flow

        # The rest runs only sometimes. After `if (...) return;` it is the other side of that branch, so that a
        # reader finds one branch and not two with probabilities that add up to 1.
        staying = 1 - leaving
        branch = t.out[-1] if t.out else None
        with t.writing() as items:
            after = run_all(t, rest)
        if isinstance(statement, s.If) and isinstance(branch, CodeBranch) and branch.leaves and items:
            t.out[-1] = _continued(branch, staying, tuple(items))
        elif items:
            t.out.append(Weighted(staying, tuple(items), rest[0].at))
        return flow.joined(after.scaled(staying))
    return Jumps()


def _continued(branch: CodeBranch, staying: Value, rest: tuple[Any, ...]) -> CodeBranch:
    """The rest of a block after `if (...) return;` is the other side of that branch."""
    then_stays = staying == branch.probability
    then = (*branch.then, *rest) if then_stays else branch.then
    otherwise = branch.otherwise if then_stays else (*branch.otherwise, *rest)
    return CodeBranch(branch.probability, then, otherwise, branch.condition, branch.at, True)


def block(t: Translator, b: s.CodeBlock) -> Jumps:
    outside = dict(t.types)
    flow = run_all(t, b.statements)
    for name in set(t.types) - set(outside):
        t.facts.pop(name, None)
    t.types = outside
    return flow


def local(t: Translator, d: s.LocalVariables) -> Jumps:
    for one in d.declarators:
        if one.initial is None:
            declare(t, one.name, one.type)
            continue
        value = t.evaluate(one.initial)
        kind = value.type if one.type == types.UNKNOWN else one.type
        declare(t, one.name, kind)
        stored = converted(t, value, kind)
        assign_variable(t, one.name, stored)
        t.facts[one.name] = _symbol(t, one, kind, stored.fact)

    return Jumps()


def _symbol(t: Translator, d: s.Declarator, kind: types.Type, fact: Fact) -> Fact:
    """In the entry, a whole number from 0 up that is set once becomes a parameter of its own name."""
    if t.method is not t.state.entry or t.loops or not t.conversions.is_integral(kind) or kind == types.CHAR:
        return fact
    if d.name in t.changing:
        return fact
    value = shown(fact)
    if value is not None and (value.constant is None or value.constant < 0):
        return fact
    text = f"{t.where(d.at)}: " + (f"`{cut(t.shown(d.at, 200))}`" if value is None else f"local variable {d.name}")
    site = t.state.site(t.owner, d.at, member=t.method.name, variable=d.name)
    note = SourceNote(t.state.local(d.name), text, d.at, value, kind=ParameterKind.LOCAL, site=site)
    return t.state.parameter(note, exact=True)


def do(t: Translator, d: s.Do) -> Jumps:
    if isinstance(d.expression, s.MethodCall):
        t.call(d.expression)  # the type of what nobody takes is not asked for
    else:
        t.evaluate(d.expression)
    return Jumps()


def if_(t: Translator, i: s.If) -> Jumps:
    usual = _unless_thrown(i)
    tested = test(t, i.condition, usual)
    q = tested.probability if usual is None or t.state.extent.thrown else usual

    before = dict(t.facts)
    with t.writing() as then:
        one = t.run(i.then) if q.constant != 0 else Jumps()
    after_then, t.facts = t.facts, before
    with t.writing() as otherwise:
        other = t.run(i.otherwise) if i.otherwise is not None and q.constant != 1 else Jumps()
    if q.constant == 1:
        t.facts = after_then
        t.out += then
        return one
    if q.constant == 0:
        t.out += otherwise
        return other

    then_leaves, other_leaves = one.total.constant == 1, other.total.constant == 1
    if other_leaves:
        t.facts = after_then
    elif not then_leaves:
        t.keep_common(after_then, t.facts)

    clean = (then_leaves and not other.total.terms) or (other_leaves and not one.total.terms)
    t.out.append(CodeBranch(q, tuple(then), tuple(otherwise), tested.condition, i.at, clean))
    return one.scaled(q).joined(other.scaled(1 - q))


def _unless_thrown(i: s.If) -> Value | None:
    """The probability of a condition of which one outcome only throws: programs seldom do, and a run tells."""
    if _only_throws(i.then):
        return ZERO
    return ALWAYS if i.otherwise is not None and _only_throws(i.otherwise) else None


def _only_throws(statement: s.Statement) -> bool:
    if isinstance(statement, s.CodeBlock):
        return bool(statement.statements) and isinstance(statement.statements[-1], s.Throw)
    return isinstance(statement, s.Throw)


def return_(t: Translator, r: s.Return) -> Jumps:
    value = Evaluated(types.VOID)
    if r.value is not None:
        value = converted(t, t.evaluate(r.value), t.method.result)
        if types.word(value.type) not in types.BYTES:
            t.op("either", None, value, operand=Operand.RETURNED)
    t.returned.append(value)
    return Jumps({"return": ALWAYS})


def synchronized(t: Translator, b: s.Synchronized) -> Jumps:
    if isinstance(b.lock, s.Literal) and b.lock.kind == "lock":
        with t.writing() as held:
            flow = t.run(b.body)
        t.out.append(Weighted(ALWAYS, tuple(held), b.at, b.lock.text))
        return flow
    t.evaluate(b.lock)
    enter_monitor(t, b.at)
    return t.run(b.body)


def enter_monitor(t: Translator, at: LineColumn) -> None:
    """A lock that is free."""
    t.op("monitor", None)
    t.unsupported("a monitor is counted as one operation; waiting for it is not modelled", at)


def labelled(t: Translator, b: s.Labelled) -> Jumps:
    if isinstance(b.body, s.For | s.While | s.DoWhile | s.ForEach):
        return loops.run_loop(t, b.body, b.label)
    flow = t.run(b.body)
    return flow.without(f"break:{b.label}")


def switch(t: Translator, w: s.Switch) -> tuple[Jumps, Evaluated]:
    """Arms in order, each with the probability that it is taken if none before it is; and the value."""
    selector = t.evaluate(w.selector)
    t.op("switch", None, selector)
    arms: list[tuple[s.SwitchCase, list[Any], Jumps, dict[str, Fact], Evaluated]] = []
    before = t.facts
    for k, case in enumerate(w.cases):
        t.facts = dict(before)
        value = Evaluated(types.UNKNOWN)
        with t.writing() as items:
            if case.arrow and len(case.statements) == 1 and isinstance(case.statements[0], s.Do):
                value = t.evaluate(case.statements[0].expression)
                flow = Jumps()
            else:
                statements = list(case.statements)
                for later in () if case.arrow else w.cases[k + 1 :]:
                    if statements and _ends(statements[-1]):
                        break
                    statements += later.statements
                flow = run_all(t, statements)
        arms.append((case, items, flow.without("break", "yield"), t.facts, value))

    result = Evaluated(types.UNKNOWN)
    default = [a for a in arms if not a[0].labels]
    branches: list[Any] = default[-1][1] if default else []
    flow = default[-1][2] if default else Jumps()
    facts = default[-1][3] if default else before
    result = default[-1][4] if default else result
    text = f"probability of this case of the switch in line {w.at.line}, if none before it is taken"
    taken = [
        (a, t.note(f"q_{a[0].at.line}", text, a[0].at, unit=True, kind=ParameterKind.CASE)) for a in arms if a[0].labels
    ]
    # From the last case back: each is a branch whose other side is everything behind it, up to the end of a row of
    # cases. Further rows come after it, with the probability that none in it is taken: models nest only so deep.
    rows: list[Any] = []
    for k, ((case, items, jumps, after, value), q) in reversed([*enumerate(taken)]):
        branches = [CodeBranch(q, tuple(items), tuple(branches), None, case.at)]
        if k % MOST_NESTED == 0:
            rest = math.prod((1 - other for _, other in taken[k : k + MOST_NESTED]), start=as_value(1))
            rows = [*branches, *([CodeBranch(rest, tuple(rows), (), None, case.at)] if rows else ())]
            branches = []
        flow = jumps.scaled(q).joined(flow.scaled(1 - q))
        facts = {k: merged(v, facts[k]) for k, v in after.items() if k in facts}
        result = Evaluated(value.type if result.type == types.UNKNOWN else result.type)

    t.facts = facts
    t.out += rows or branches
    return flow, result._replace(value=t.op("either", None, selector))


def _ends(statement: s.Statement) -> bool:
    """Whether nothing after a statement is reached, as far as its form tells."""
    match statement:
        case s.Jump() | s.Return() | s.Throw() | s.Yield():
            return True
        case s.CodeBlock(statements, _):
            return bool(statements) and _ends(statements[-1])
        case s.If(_, then, otherwise, _):
            return otherwise is not None and _ends(then) and _ends(otherwise)
        case s.Synchronized(_, body, _) | s.Labelled(_, body, _):
            return _ends(body)
        case _:
            return False
