"""What names mean where the sources leave it open: overloads, type variables, types: javac's answer, if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apet.java.parse.javac import ResolvedName
from apet.program import syntax as s
from apet.program import types
from apet.program.ir import LineColumn
from apet.program.syntax.declarations import Method
from apet.program.translator.facts import Evaluated, Instance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apet.java.translator.translator import JavaTranslator


def resolved(t: JavaTranslator, at: LineColumn) -> ResolvedName | None:
    """What javac says of a name in this method."""
    return t.program.resolution.name(t.state.source_of(t.owner).name, at)


def typed(t: JavaTranslator, at: LineColumn, one: Evaluated) -> Evaluated:
    """An expression whose type is open has the one that javac says."""
    if not _is_open(t, one.type):
        return one
    name = resolved(t, at)
    return one if name is None or name.type in (types.UNKNOWN, types.VOID) else one._replace(type=name.type)


def target_type(t: JavaTranslator, e: s.MethodCall, kind: types.Type) -> types.Type:
    """The type of what a method is called on."""
    name = resolved(t, e.at) if _is_open(t, kind) else None
    return kind if name is None or name.target == types.UNKNOWN else name.target


def library_owner(t: JavaTranslator, e: s.MethodCall) -> str | None:
    """The class of the library whose method a call without a target means: one that the class inherits from, or one
    that is imported statically; None where the method has a source, or nobody knows."""
    program = t.program
    if e.name in ("this", "super") or program.named(t.owner, e.name, len(e.arguments), near=True):
        return None
    name = resolved(t, e.at)
    if name is not None:
        return None if name.own else name.owner
    return "Math" if "Math" in program.imported(t.owner) else None


def method_called(
    t: JavaTranslator,
    e: s.MethodCall,
    kind: types.Type,
    target: Evaluated,
    arguments: Sequence[Evaluated],
    super_call: bool,
) -> Method | None:
    """The method in a source that a call means: of the class that the target was made of, where that is known."""
    program, near = t.program, e.target is None
    start = kind.name
    if super_call:
        own = program.get(t.owner)
        start = own.parents[0] if own is not None and own.parents else ""
    elif isinstance(target.fact, Instance):
        start = target.fact.type.name
    method = program.method(start, e.name, [a.type for a in arguments], near)
    candidates = program.named(start, e.name, len(arguments), near)
    name = resolved(t, e.at) if len(candidates) > 1 or (near and method is None) else None
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


def constructor_called(t: JavaTranslator, e: s.New, arguments: Sequence[Evaluated]) -> Method | None:
    """The constructor that `new` means."""
    declared = t.program.get(e.type.name)
    constructors = () if declared is None else declared.constructors
    several = [m for m in constructors if m.accepts(len(arguments))]
    name = resolved(t, e.at) if len(several) > 1 else None
    exact = [m for m in several if name is not None and _takes(m, name.formals)]
    return exact[0] if exact else t.program.constructor(e.type.name, [g.type for g in arguments])


def _takes(method: Method, formals: tuple[types.Type, ...]) -> bool:
    return tuple(f.type for f in method.formals) == formals


def _is_open(t: JavaTranslator, kind: types.Type) -> bool:
    """Whether a type is not known, or a type variable."""
    return kind == types.UNKNOWN or t.program.is_variable(kind.name)
