"""What names mean where the sources leave it open: overloads, type variables, types: javac's answer, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.java.translator.facts import Evaluated, Instance
from apet.program import syntax as s
from apet.program import types
from apet.program.ir import LineColumn
from apet.program.syntax.declarations import Method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apet.java.translator.translator import Translator


def typed(t: Translator, at: LineColumn, one: Evaluated) -> Evaluated:
    """An expression whose type is open has the one that javac says."""
    if not _is_open(t, one.type):
        return one
    name = t.resolved(at)
    return one if name is None or name.type in (types.UNKNOWN, types.VOID) else one._replace(type=name.type)


def target_type(t: Translator, e: s.MethodCall, kind: types.Type) -> types.Type:
    """The type of what a method is called on."""
    name = t.resolved(e.at) if _is_open(t, kind) else None
    return kind if name is None or name.target == types.UNKNOWN else name.target


def library_owner(t: Translator, e: s.MethodCall) -> str | None:
    """The class of the library whose method a call without a target means: one that the class inherits from, or one
    that is imported statically; None where the method has a source, or nobody knows."""
    program = t.state.program
    if e.name in ("this", "super") or program.named(t.owner, e.name, len(e.arguments), near=True):
        return None
    name = t.resolved(e.at)
    if name is not None:
        return None if name.own else name.owner
    return "Math" if "Math" in program.imported(t.owner) else None


def method_called(
    t: Translator,
    e: s.MethodCall,
    kind: types.Type,
    target: Evaluated,
    arguments: Sequence[Evaluated],
    super_call: bool,
) -> Method | None:
    """The method in a source that a call means: of the class that the target was made of, where that is known."""
    program, near = t.state.program, e.target is None
    start = kind.name
    if super_call:
        own = program.get(t.owner)
        start = own.parents[0] if own is not None and own.parents else ""
    elif isinstance(target.fact, Instance):
        start = target.fact.type.name
    method = program.method(start, e.name, [a.type for a in arguments], near)
    candidates = program.named(start, e.name, len(arguments), near)
    name = t.resolved(e.at) if len(candidates) > 1 or (near and method is None) else None
    if name is None:
        rival = program.rival(method, [a.type for a in arguments]) if method is not None and candidates[1:] else None
        if method is not None and rival is not None:
            t.unsupported(f"{method.title} and {rival.title} both fit this call: the first is taken", e.at)
        return method

    if not name.own:
        return method if isinstance(target.fact, Instance) else None
    if not candidates:
        candidates = program.named(name.owner, e.name, len(arguments))  # of a static import
    exact = [m for m in candidates if _takes(m, name.formals)]
    # What is inherited stands behind what overrides it.
    return exact[0] if exact else method


def constructor_called(t: Translator, e: s.New, arguments: Sequence[Evaluated]) -> Method | None:
    """The constructor that `new` means."""
    declared = t.state.program.get(e.type.name)
    constructors = () if declared is None else declared.constructors
    several = [m for m in constructors if m.accepts(len(arguments))]
    name = t.resolved(e.at) if len(several) > 1 else None
    exact = [m for m in several if name is not None and _takes(m, name.formals)]
    return exact[0] if exact else t.state.program.constructor(e.type.name, [g.type for g in arguments])


def _takes(method: Method, formals: tuple[types.Type, ...]) -> bool:
    return tuple(f.type for f in method.formals) == formals


def _is_open(t: Translator, kind: types.Type) -> bool:
    """Whether a type is not known, or a type variable."""
    return kind == types.UNKNOWN or t.state.program.is_variable(kind.name)
