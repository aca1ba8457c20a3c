"""Questions that are asked of syntax alone: what is assigned where, what is called.

A method's terms are walked once. What a loop assigns and calls is kept with the method, since it is asked for several
times, and what is outside a loop is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from apet.program import syntax as s

if TYPE_CHECKING:
    from apet.program.syntax.declarations import Class

Term = s.Expression | s.Statement
PLAIN = (
    *(
        "str",
        "Type",
        "LineColumn",
        "bool",
        "tuple[tuple[Type, str], ...]",
        "tuple[tuple[Type, ...], ...]",
        "tuple[Formal, ...]",
    ),
    *("Class", "Class | None"),
)
"""Types of what is no term."""


class Facts:
    """What a term assigns, declares and calls; whether it holds a `continue`, or a `try`."""

    __slots__ = ("assigned", "called", "catches", "continues", "created", "declared", "elsewhere")

    def __init__(self) -> None:
        self.assigned: dict[str, list[s.Expression | None]] = {}
        """Simple names, with what each is assigned; None for `++`, `--` and compound assignments."""
        self.declared: dict[str, s.Expression | None] = {}
        """Local variables with their initialisers."""
        self.elsewhere: set[str] = set()
        """Fields that are assigned by a qualified name: of other objects, or of a class."""
        self.called: dict[str, None] = {}
        """Names of methods, in the order of the text."""
        self.created: dict[str, None] = {}
        """Names of classes of which objects are made."""
        self.continues = False
        self.catches = False

    def add(self, other: Facts) -> None:
        """What another term does, too."""
        for name, values in other.assigned.items():
            self.assigned.setdefault(name, []).extend(values)
        self.declared.update(other.declared)
        self.elsewhere |= other.elsewhere
        self.called.update(other.called)
        self.created.update(other.created)
        self.continues |= other.continues
        self.catches |= other.catches


class Scan:
    """What has been found out about terms of one method.

    Terms are looked up by identity, which is faster than comparing them; each entry holds its term, so that no other
    one gets its identity.
    """

    def __init__(self) -> None:
        self._facts: dict[int, tuple[object, Facts]] = {}
        self._pure: dict[int, tuple[object, bool]] = {}

    def facts(self, top: object) -> Facts:
        """What a term assigns, declares and calls."""
        seen = self._facts.get(id(top))
        if seen is not None:
            return seen[1]

        facts = Facts()
        stack: list[Any] = [top]
        while stack:
            one = stack.pop()
            kind = type(one)
            if kind is tuple:
                stack.extend(one[::-1])
                continue
            inside = _INSIDE.get(kind)
            if inside is None:
                continue
            # Facts of inner loops are asked for again when those are translated: they are kept for each.
            if kind in LOOPS and one is not top:
                facts.add(self.facts(one))
                continue
            note = _NOTED.get(kind)
            if note is not None:
                note(facts, one)
            stack.extend(inside(one))
        self._facts[id(top)] = (top, facts)
        return facts

    def pure(self, e: s.Expression) -> bool:
        """Whether an expression may be evaluated twice: it assigns nothing, calls nothing and decides nothing."""
        seen = self._pure.get(id(e))
        if seen is None:
            seen = self._pure[id(e)] = (e, not any(_changes(t) for t in terms(e)))
        return seen[1]


LOOPS = (s.For, s.While, s.DoWhile, s.ForEach)
CHANGING = (
    s.MethodCall,
    s.New,
    s.NewArray,
    s.Assign,
    s.Increment,
    s.Conditional,
    s.Switch,
    s.Opaque,
    s.Lambda,
    s.InstanceOf,
)


PURE = ("abs", "max", "min")
"""Methods of Math that a condition may look at again."""


def _changes(term: object) -> bool:
    if type(term) is s.MethodCall and type(term.target) is s.Identifier and term.target.name == "Math":
        return term.name not in PURE
    return isinstance(term, CHANGING) or (type(term) is s.BinaryOp and term.operator in ("&&", "||"))


def _inside(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the terms directly inside a term of some kind, the last one first."""
    # Annotations are texts here (`from __future__ import annotations`), so that they can be compared with `PLAIN`.
    names = [n for n, hint in reversed(kind.__annotations__.items()) if hint not in PLAIN]
    if not names:
        return lambda term: ()
    if len(names) == 1:
        get = attrgetter(names[0])
        return lambda term: (get(term),)
    return attrgetter(*names)


def _assigns(facts: Facts, t: s.Assign) -> None:
    _changes_field(facts, t.target, None if t.operator else t.value)


def _steps(facts: Facts, t: s.Increment) -> None:
    _changes_field(facts, t.operand, None)


def _changes_field(facts: Facts, target: s.Expression, value: s.Expression | None) -> None:
    name = simple(target)
    if name:
        facts.assigned.setdefault(name, []).append(value)
    elif isinstance(target, s.FieldAccess):
        facts.elsewhere.add(target.name)


def _declares(facts: Facts, t: s.Declarator) -> None:
    facts.declared[t.name] = t.initial


def _calls(facts: Facts, t: s.MethodCall) -> None:
    facts.called[t.name] = None


def _creates(facts: Facts, t: s.New) -> None:
    facts.created[t.type.name] = None
    if t.body is not None:
        _class(facts, t.body)


def _local_class(facts: Facts, t: s.LocalClass) -> None:
    _class(facts, t.declared)


def _class(facts: Facts, declared: Class) -> None:
    """What the methods of a class inside a method do, they may do when that method runs."""
    for m in (*declared.methods, *declared.constructors):
        facts.add(m.facts)


def _tries(facts: Facts, t: s.Try) -> None:
    facts.catches = True


def _jumps(facts: Facts, t: s.Jump) -> None:
    facts.continues |= t.kind == "continue"


_NOTED: dict[type, Callable[[Facts, Any], None]] = {
    s.Assign: _assigns,
    s.Increment: _steps,
    s.Declarator: _declares,
    s.MethodCall: _calls,
    s.New: _creates,
    s.Jump: _jumps,
    s.Try: _tries,
    s.LocalClass: _local_class,
}
_INSIDE = {k: _inside(k) for k in (*s.EXPRESSIONS, *s.STATEMENTS, s.Declarator, s.SwitchCase)}


def terms(top: object) -> Iterator[Any]:
    """All terms inside a term, itself first, without recursion."""
    stack: list[Any] = [top]
    while stack:
        one = stack.pop()
        kind = type(one)
        if kind is tuple:
            stack.extend(one[::-1])
            continue
        inside = _INSIDE.get(kind)
        if inside is not None:
            yield one
            stack.extend(inside(one))


def assigned(*tops: object) -> dict[str, list[s.Expression | None]]:
    """Simple names that terms assign, with what each is assigned."""
    return Scan().facts(tops).assigned


def simple(target: s.Expression) -> str:
    """The name that is assigned: `x`, or `this.x` as `x`; "" for an element or another object's field."""
    if isinstance(target, s.Identifier):
        return target.name
    if isinstance(target, s.FieldAccess) and isinstance(target.target, s.Identifier) and target.target.name == "this":
        return target.name
    return ""
