"""Methods: each becomes an equation at its first call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import as_value
from apet.program.free_names import free_names
from apet.program.ir import Body, Items, Op, ParameterKind, SourceNote
from apet.program.recursion import unfold
from apet.program.syntax.declarations import Method
from apet.program.translator.exceptions import uncaught
from apet.program.translator.facts import Evaluated, Fact, Instance, Lengths, merged
from apet.program.translator.mutual_recursion import left_out, recursive
from apet.program.translator.operations import is_operation
from apet.program.translator.statements import enter_monitor, run_all

if TYPE_CHECKING:
    from apet.program.translator.state import TranslationState
    from apet.program.translator.translator import Translator


def translated(t: Translator) -> Body:
    """The equation of the method that `t` is about; a recursive one in closed form where there is one."""
    state, method = t.state, t.method
    assert method.body is not None

    state.stack.append(method)
    symbols = _open(t)
    _arrive(t)
    if method.synchronized:
        enter_monitor(t, method.at)
    own = state.program.get(method.owner)
    for block in own.blocks if own is not None and method is state.entry and method.name == "main" else ():
        run_all(t, block.body.statements if block.body is not None else ())
    state.thrown[method] = uncaught(run_all(t, method.body.statements))
    state.stack.pop()

    items = t.done()
    state.operations_written += len(items) + t.values
    state.results[method] = _result(t)
    name = state.fresh(equation_name(state, method))
    if method.title in state.recursed:
        body = _unfolded(t, name, items, symbols)
    else:
        # What the entry is given are parameters of the model.
        formals = () if method is state.entry else symbols
        body = Body(name, tuple(n for n in formals if n in free_names(items)), items, method.at)

    state.bodies[method] = body
    state.owners[name] = method
    state.left_out[method] = left_out(state, method, items)
    return body


def _unfolded(t: Translator, name: str, items: Items, symbols: list[str]) -> Body:
    """The equation of a recursive method, or nothing, where all its calls stand behind the entry."""
    f = recursive(t, items)
    body = unfold(f, name, items, symbols)
    if f.in_all:
        t.state.in_all.append(body.items)
        return replace(body, formals=(), items=())
    return body


def _open(t: Translator) -> list[str]:
    """Bring the formals of the method into scope; their symbols in order."""
    state, method = t.state, t.method
    symbols: list[str] = []
    given = state.given.get(method, (None,) * len(method.formals))
    if method in state.captured:
        types_around, known_around = state.captured[method]
        t.types, t.facts = dict(types_around), dict(known_around)

    for formal, names, known in zip(method.formals, state.formals(method), given, strict=False):
        t.types[formal.name] = formal.type
        t.facts[formal.name] = formal_fact(formal, names) if known is None else known
        symbols += names
        if method is state.entry:
            _ask_for(t, formal, names)
    return symbols


def _ask_for(t: Translator, formal: s.Formal, names: Sequence[str]) -> None:
    """What the entry is given are parameters of the model."""
    method, is_array = t.method, bool(formal.type.dimensions)
    what = f"length of {formal.name}" if is_array else f"formal {formal.name} of {method.name}"
    kind = ParameterKind.FORMAL_LENGTH if is_array else ParameterKind.FORMAL
    for k, name in enumerate(names):
        of = {"owner": method.owner, "member": method.name, "variable": formal.name, "dimension": is_array * (k + 1)}
        site = t.state.site(t.owner, method.at, **of)
        t.state.parameter(
            SourceNote(name, f"{t.where(method.at)}: {what}", method.at, kind=kind, site=site), exact=True
        )


def formal_fact(formal: s.Formal, symbols: Sequence[str]) -> Fact:
    """What is known of a formal: its own symbol, or those of its lengths."""
    if formal.type.dimensions:
        return Lengths(tuple(as_value(n) for n in symbols) or (None,) * formal.type.dimensions)
    return as_value(symbols[0]) if symbols else None


def _arrive(t: Translator) -> None:
    """The formals take their values: an assignment each, as published."""
    if t.method is t.state.entry:
        return
    for formal in t.method.formals:
        t.out.append(Op("assign", formal.type, variable=formal.name, store=True, control=True))


def _result(t: Translator) -> Evaluated:
    fact: Fact = t.returned[0].fact if t.returned else None
    for one in t.returned[1:]:
        fact = merged(fact, one.fact)
    fact = Instance(fact.type) if isinstance(fact, Instance) else fact
    kind = t.method.result
    if kind == types.UNKNOWN and t.returned:
        kind = t.returned[0].type
    return Evaluated(kind, fact)


def equation_name(state: TranslationState, method: Method) -> str:
    """`name`, or `Class_name` where two classes have it, or with its types where it is overloaded."""
    own = state.program.get(method.owner)
    is_constructor = own is not None and method.name == own.name and method in own.constructors
    same = state.program.by_name().get(f"new {method.name}" if is_constructor else method.name, [])
    name = f"new_{method.name}" if is_constructor else method.name
    if len({m.owner for m in same}) > 1 and not name.startswith("new_"):
        name = f"{method.owner}_{name}"
    if len([m for m in same if m.owner == method.owner]) > 1:
        name = "_".join((name, *(types.word(x.type) + "s" * x.type.dimensions for x in method.formals)))
    return f"{method.owner}_{name}" if is_operation(name) else name
