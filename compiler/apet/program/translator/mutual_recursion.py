"""Methods that call each other: one of them counts its calls, the others are written inside it and once more outside.

While a method A is translated, what it calls may call A again. That call is left out there, since A's number of calls
covers it. Where such a method is called from outside A, the call of A stands in it. For a run, all calls of A in the
run stand behind the entry, and nowhere else: a share of a condition is the mean of all calls of its method, and not
that of its calls from outside A.
"""

from __future__ import annotations

from dataclasses import replace

from apet.program.algebra import Value
from apet.program.free_names import changed_inside, walk
from apet.program.ir import OTHERS, Body, Callee, Items, ParameterKind
from apet.program.recursion import Recursive
from apet.program.syntax.declarations import Method
from apet.program.translator.frame import MethodFrame
from apet.program.translator.invocation import argument, of_formal
from apet.program.translator.state import TranslationState


def left_out(state: TranslationState, method: Method, items: Items) -> frozenset[str]:
    """Titles of the methods whose calls a translated method leaves to them."""
    titles: set[str] = set()
    for item in walk(items):
        if isinstance(item, Callee):
            inside = state.owners.get(item.equation)
            titles |= (
                {item.equation} if item.recursive else state.left_out.get(inside, frozenset()) if inside else set()
            )
    return frozenset(titles - {method.title})


def recursive(f: MethodFrame, items: Items) -> Recursive:
    """What is told of a method that calls itself."""
    state, method = f.state, f.method
    called = {state.owners.get(i.equation) for i in walk(items) if isinstance(i, Callee) and not i.recursive}
    is_alone = not any(method.title in state.left_out.get(m, ()) for m in called if m is not None)
    is_inner = bool(left_out(state, method, items))
    in_all = state.counted and (is_inner or not is_alone)
    # In a circle of methods it may run inside a call of its own that another of them has made.
    caller = state.task if in_all else OTHERS if is_inner else ""

    def body_of(name: str) -> Body | None:
        return next((b for b in (*state.bodies.values(), *state.steps.values()) if b.name == name), None)

    def add(step: Body) -> None:
        state.steps[step.name] = step
        state.step_owners[step.name] = method

    def ask(kind: ParameterKind, name: str, text: str, formal: str) -> Value:
        of_method = {"owner": f.owner, "member": method.name, "variable": caller}
        return f.note(name, text, method.at, kind=kind, **(of_formal(method, formal) if formal else of_method))

    return Recursive(
        names=state,
        name=method.name,
        title=method.title,
        at=method.at,
        positions={
            symbols[0]: k
            for k, symbols in enumerate(state.formals(method))
            if len(symbols) == 1 and not method.formals[k].type.dimensions
        },
        is_alone=is_alone,
        in_all=in_all,
        alternatives=state.alternatives if state.counted else None,
        body_of=body_of,
        add=add,
        ask=ask,
    )


def completed(state: TranslationState, method: Method) -> Body:
    """The equation of a method, with the calls that it has left to a method which is not running any more."""
    body = state.bodies[method]
    missing = state.left_out.get(method, frozenset())
    if not missing or state.counted or any(m.title in missing for m in state.stack):
        return body
    by_title = {m.title: m for m in state.bodies}
    if not missing <= by_title.keys():
        return body

    # Set before the items are rewritten: a method of the circle may ask for this one again.
    state.left_out[method] = frozenset()
    state.steps[body.name] = body
    name = state.fresh(body.name)
    state.owners[name] = method
    state.bodies[method] = replace(body, name=name)
    f = MethodFrame(state, method)
    state.stack.append(method)
    state.bodies[method] = replace(body, name=name, items=_put(f, body.items, by_title))
    state.stack.pop()
    return state.bodies[method]


def _put(f: MethodFrame, items: Items, by_title: dict[str, Method]) -> Items:
    """Items with the calls that were left out."""
    return tuple(
        _called(f, i, by_title)
        if isinstance(i, Callee)
        else changed_inside(i, lambda inside: _put(f, inside, by_title))
        for i in items
    )


def _called(f: MethodFrame, call: Callee, by_title: dict[str, Method]) -> Callee:
    if not call.recursive:
        inside = f.state.owners.get(call.equation)
        wanted = completed(f.state, inside) if inside in f.state.bodies and inside is not f.method else None
        return call if wanted is None else replace(call, equation=wanted.name)
    if call.equation not in by_title or call.equation == f.method.title:
        return call

    method = by_title[call.equation]
    body = completed(f.state, method)
    positions = {n: k for k, symbols in enumerate(f.state.formals(method)) for n in symbols if len(symbols) == 1}
    arguments: list[Value] = []
    for formal in body.formals:
        value = call.formal_values[positions[formal]] if formal in positions and call.formal_values else None
        if value is None:
            value = argument(f, method, formal, call.at)
        arguments.append(value)
    return replace(call, equation=body.name, arguments=tuple(arguments), recursive=False, formal_values=())
