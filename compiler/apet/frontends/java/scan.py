"""Questions that are asked of syntax alone: what is assigned where, what is called."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apet.frontends.java import syntax as s
from apet.frontends.java.program import Program

Term = s.Expression | s.Statement


def terms(top: object) -> Iterator[object]:
    """All terms inside a term, itself first, without recursion."""
    stack: list[object] = [top]
    while stack:
        one = stack.pop()
        if isinstance(one, s.Place | s.Type | str):
            continue
        if isinstance(one, tuple):
            stack.extend(reversed(one))
            continue
        fields = getattr(one, "__match_args__", None)
        if fields is not None:
            yield one
            stack.extend(getattr(one, name) for name in reversed(fields))


def assigned(*tops: object) -> dict[str, list[s.Expression | None]]:
    """Simple names that are assigned, with what each is assigned; None for `++`, `--` and compound assignments."""
    found: dict[str, list[s.Expression | None]] = {}
    for top in tops:
        for t in terms(top):
            if isinstance(t, s.Assign):
                name = simple(t.target)
                if name:
                    found.setdefault(name, []).append(None if t.operator else t.value)
            elif isinstance(t, s.Step):
                name = simple(t.operand)
                if name:
                    found.setdefault(name, []).append(None)
    return found


def declared(top: object) -> dict[str, s.Expression | None]:
    """Local variables declared inside a term, with their initialisers."""
    return {d.name: d.initial for d in terms(top) if isinstance(d, s.Declarator)}


def simple(target: s.Expression) -> str:
    """The name that is assigned: `x`, or `this.x` as `x`; "" for an element or another object's field."""
    if isinstance(target, s.Name):
        return target.name
    if isinstance(target, s.Member) and isinstance(target.target, s.Name) and target.target.name == "this":
        return target.name
    return ""


def reachable(program: Program, entry: s.Method) -> frozenset[s.Method]:
    """The methods that the entry may call, by name: more than will be called, never fewer."""
    by_name = program.by_name()
    found, waiting = {entry}, [entry]
    while waiting:
        for name in waiting.pop().called:
            for m in by_name.get(name, ()):
                if m not in found:
                    found.add(m)
                    waiting.append(m)
    return frozenset(found)


def called(body: object) -> Iterable[str]:
    """Names of methods that a term calls; `new Name` for constructors."""
    for t in terms(body):
        if isinstance(t, s.Call):
            yield t.name
        elif isinstance(t, s.New):
            yield f"new {t.type.name}"
