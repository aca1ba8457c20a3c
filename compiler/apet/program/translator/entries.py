"""Which method a translation begins with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.source import Source, Span
from apet.program import errors
from apet.program.syntax.declarations import Class, Method
from apet.program.translator.classes import Program

MOST_SHOWN = 8


def entry_method(program: Program, source: Source, wanted: str | None) -> Method:
    """The method that `--entry` names, else `main`, else `run`, else the only one there is."""
    own = [c for c in program.own if c.file == source.name]
    if not own:
        raise ApetError(errors.NoClass(source, None))
    if wanted is not None:
        return _named(program, source, own, wanted)

    methods = [m for c in own for m in c.methods if m.has_body]
    for candidates in (
        [m for m in methods if m.name == "main" and m.static],
        [m for m in methods if m.name == "run" and not m.formals],
        [m for m in methods if m.name in ("main", "run", "execute", "task", "call", "compute", "solve")],
        methods,
    ):
        methods_of_class = _first_class(candidates, own)
        if len(methods_of_class) == 1:
            return methods_of_class[0]
        if methods_of_class and candidates is not methods:
            candidates_text = ", ".join(_written(m) for m in methods_of_class[:MOST_SHOWN])
            raise ApetError(
                errors.AmbiguousEntry(
                    source, _place(source, methods_of_class[1]), candidates_text, _written(methods_of_class[0])
                )
            )
    names = ", ".join(_written(m) for m in methods[:MOST_SHOWN])
    advice = f"choose one with --entry: {names}" if names else f"the file has no {program.routine} with a body"
    raise ApetError(errors.NoEntry(source, None, program.routine, advice))


def _first_class(candidates: list[Method], own: list[Class]) -> list[Method]:
    """Candidates of the first class of the file that has any: the others are inner or accompanying classes."""
    for c in own:
        members = [m for m in candidates if m.owner == c.name]
        if members:
            return members
    return []


def entry_titles(methods: Sequence[Method]) -> list[str]:
    """What `--entry` takes for methods: their titles, with the line of those whose types have the same simple names."""
    titles = Counter(m.title for m in methods)
    return [m.title if titles[m.title] == 1 else f"{m.title}:{m.at.line}" for m in methods]


def _named(program: Program, source: Source, own: list[Class], wanted: str) -> Method:
    plain_name, _, line = wanted.rpartition(":")
    head, bracket, types = (plain_name if line.isdigit() else wanted).partition("(")
    owner, _, name = head.strip().rpartition(".")
    owner = owner.rpartition(".")[2]
    classes = {c.name: c for c in own}
    if owner and owner not in classes:
        class_names = ", ".join(list(classes)[:MOST_SHOWN])
        raise ApetError(
            errors.UnknownMember(source, None, "class", "classes", owner, nearest(owner, classes), class_names)
        )

    among = [classes[owner]] if owner else own
    methods = [m for c in among for line in program.line(c.name) for m in (*line.methods, *line.constructors)]
    matching = list(dict.fromkeys(m for m in methods if m.name == name))
    if bracket:
        plain = re.sub(r"<[^()]*?>+", "", types.rstrip(") ")).replace("...", "[]")
        wanted_types = [t.strip() for t in plain.split(",") if t.strip()]
        matching = [m for m in matching if [f.type.name + "[]" * f.type.dimensions for f in m.formals] == wanted_types]
    if line.isdigit():
        matching = [m for m in matching if m.at.line == int(line)]

    if not matching:
        names = list(dict.fromkeys(_written(m) for m in methods))
        plain = nearest(
            head.strip() if owner else name, [m.name if not owner else f"{m.owner}.{m.name}" for m in methods]
        )
        listed, kind = ", ".join(names[:MOST_SHOWN]) or "none", program.routine
        raise ApetError(errors.UnknownMember(source, None, kind, f"{kind}s", wanted, plain, listed))
    bodies = [m for m in matching if m.has_body]
    if not bodies:
        raise ApetError(errors.NoBody(source, _place(source, matching[0]), matching[0].title))
    if len({m.owner for m in bodies}) == 1 and len(bodies) > 1:
        titles = entry_titles(bodies)
        shown = ", ".join(titles[:MOST_SHOWN])
        raise ApetError(errors.AmbiguousEntry(source, _place(source, bodies[1]), shown, f"'{titles[0]}'"))
    return bodies[0]


def _written(method: Method) -> str:
    return f"{method.owner}.{method.name}"


def _place(source: Source, method: Method) -> Span | None:
    start = source.offset(*method.at)
    return Span(start, start + len(method.name))
