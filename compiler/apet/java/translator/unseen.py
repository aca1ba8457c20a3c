"""Methods that only code without a source calls: `compareTo` by a sort, `hashCode` by a table, a lambda that an array
holds, the static block of a class by its first use.

No call of them is written in the model, so a run tells how often each was entered, and the model has all of these
calls behind those of its entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from apet.program.algebra import as_value
from apet.program.free_names import walk
from apet.program.ir import Body, Callee, CodeLoop, Items, ParameterKind
from apet.program.symbols import HIDDEN
from apet.program.syntax.declarations import Class, Method
from apet.program.translator.invocation import argument

if TYPE_CHECKING:
    from apet.java.translator.translator import JavaTranslator

OF_OBJECT = ("equals", "finalize", "hashCode", "toString")
"""Methods of every object that a library calls."""
_EQUAL = re.compile("Hash|Map|Set|contains|equals|indexOf|remove|distinct|frequency")
CALLERS = {
    **dict.fromkeys(("equals", "hashCode"), _EQUAL),
    "compareTo": re.compile("sort|Tree|Priority|Search|search|max|min|compare"),
}
"""Which operations of libraries call a method."""


def with_unseen(t: JavaTranslator, body: Body) -> Body:
    """The entry with the calls of methods that a run may enter although no call of them is written."""
    state, items = t.state, list(body.items)
    tried: set[Method] = set()
    while waiting := [m for m in _candidates(t) if m not in tried]:
        for method in waiting:
            tried.add(method)
            if state.operations_written <= state.extent.operations and not _is_written(t, method):
                calls = _calls(t, method)
                if _reached(t, calls.body) & {body.name}:
                    t.unsupported(
                        f"{method.name} runs the task again from code without a source: not counted", method.at
                    )
                else:
                    items.append(calls)
    state.bodies[state.entry] = replace(body, items=tuple(items))
    return state.bodies[state.entry]


def _candidates(t: JavaTranslator) -> Iterator[Method]:
    yield from (method for _, method in [*t.program.lambdas.values()])
    program = t.program
    yield from (block for c in [*program.own] if c.name != t.state.entry.owner for block in c.blocks if _is_used(t, c))
    names = {name for m in program.reachable(t.state.entry) for name in m.facts.created}
    # Classes inside methods become known where they are made.
    inside = [c for c in program.own if any(m in t.state.captured for m in c.methods)]
    made = {c.name: c for n in names if (c := program.get(n)) is not None} | {c.name: c for c in inside}
    for declared in made.values():
        yield from (m for m in declared.methods if not m.static and m.has_body and _may_be_called(t, declared, m))


def _may_be_called(t: JavaTranslator, declared: Class, method: Method) -> bool:
    """Whether code without a source may call a method: one of every object or of a class without a source, or one that
    a call means that was not opened."""
    program = t.program
    above = [parent for c in program.line(declared.name) for parent in c.parents]
    unopened = any(name.endswith(f"_{method.name}") for name in t.state.operations)
    is_library = method.name in OF_OBJECT or any(program.get(parent) is None for parent in above)
    if t.state.counted:
        return unopened or is_library
    # Without a run only what some call of a library is known to call.
    callers = CALLERS.get(method.name)
    called = any(callers.search(name) for name in t.state.operations) if callers else method.name not in OF_OBJECT
    return unopened or (is_library and bool(t.state.operations) and called)


def _is_used(t: JavaTranslator, declared: Class) -> bool:
    return t.state.counted or any(m.owner == declared.name for m in t.state.bodies)


def _is_written(t: JavaTranslator, method: Method) -> bool:
    return any((m.owner, m.at) == (method.owner, method.at) for m in t.state.bodies)


def _reached(t: JavaTranslator, items: Items) -> set[str]:
    """The equations that items call, and those that these call."""
    equations = {b.name: b.items for b in t.state.bodies.values()} | {b.name: b.items for b in t.state.steps.values()}
    reached, waiting = set[str](), [items]
    while waiting:
        called = {item.equation for item in walk(waiting.pop()) if isinstance(item, Callee)}
        waiting += [equations.get(name, ()) for name in called - reached]
        reached |= called
    return reached


def _calls(t: JavaTranslator, method: Method) -> CodeLoop:
    """All calls of a method."""
    f, at = t.begin(method), method.at
    text = f"calls of {method.name} by code without a source, in all"
    of_method: dict[str, Any] = {"owner": method.owner, "member": method.name, "variable": t.state.task}
    # A static block runs once; of what a run does not reach, the model has nothing.
    usual = as_value(1) if method.name == "static" and not t.state.counted else as_value(0) if t.state.counted else None
    many = f.note(f"calls_{at.line}", text, at, usual, kind=ParameterKind.UNSEEN, **of_method)
    body = f.body(method)
    arguments = tuple(argument(f, method, formal, at) for formal in body.formals)
    t.state.arguments.setdefault(method, []).append({})  # nobody knows what it is given
    called = (Callee(body.name, arguments, at),)
    return CodeLoop(f"k{HIDDEN}", None, None, many, called, False, 0, "", as_value(0), at)
