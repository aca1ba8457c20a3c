"""Exceptions: statements and calls that end with one, and the handlers and `finally` blocks that they come to.

An exception is a jump of a kind of its own, `throw` with the class that is thrown. A `try` takes off the flow of its
body what its handlers catch; what no handler of a method catches ends the method, and the call that the method runs in
jumps likewise. Only what is thrown by a statement of the program is known: what the virtual machine throws, or a
library, is told by a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import ZERO, as_value
from apet.program.ir import CodeBranch, LineColumn, ParameterKind
from apet.program.jumps import Jumps

if TYPE_CHECKING:
    from apet.program.syntax.declarations import Method
    from apet.program.translator.translator import Translator

THROW = "throw:"
"""What the kind of jump begins with that an exception is; the class follows."""


def catches(t: Translator) -> bool:
    """Whether anything that the entry may call goes on after an exception."""
    state = t.state
    if state.catching is None:
        methods = state.program.reachable(state.entry)
        state.catching = any(m.facts.catches for m in methods if m.body is not None)
    return state.catching


def uncaught(flow: Jumps) -> Jumps:
    """The exceptions that leave a method."""
    return Jumps({kind: share for kind, share in flow.items() if kind.startswith(THROW) and share.terms})


def thrown_by(t: Translator, method: Method, at: LineColumn) -> None:
    """A call ends with the exceptions that its method does: in the share of its calls that a run counts, else in that
    which the method's own branches say."""
    flow = t.state.thrown.get(method, Jumps())
    for kind, share in flow.items() if catches(t) else ():
        known = share if share.names <= t.state.parameters.keys() else as_value(Fraction(1, 2))
        text = f"probability that this call of {method.name} ends with {kind.removeprefix(THROW)}"
        of = {"owner": kind.removeprefix(THROW), "member": method.name}
        q = known
        if known.constant is None:
            q = t.note(f"q_{at.line}", text, at, known, unit=True, kind=ParameterKind.THROWN, **of)
        t.thrown = t.thrown.joined(Jumps({kind: q}))


def try_(t: Translator, block: s.Try) -> Jumps:
    """A `try`: its resources are closed and its `finally` runs whatever happens."""
    closing = [
        s.Do(s.MethodCall(s.Identifier(one.name, one.at), "close", (), one.at), one.at)
        for start in reversed(block.start)
        if isinstance(start, s.LocalVariables)
        for one in start.declarators
    ]
    before = dict(t.types)
    flow = t.run_all((*block.start, block.body))
    for one in closing:
        flow = flow.joined(t.run(one).scaled(1 - flow.total))
    t.types = before
    # An exception may have come before or after any assignment.
    for name in t.method.scan.facts(block.body).assigned:
        t.facts.pop(name, None)

    flow = _handled(t, block, flow)
    if block.last is not None:
        after = t.run(block.last)
        flow = flow.scaled(1 - after.total).joined(after)
    return flow


def _handled(t: Translator, block: s.Try, flow: Jumps) -> Jumps:
    """The flow behind the handlers, which take exceptions in order."""
    for handler, wanted in zip(block.handlers, block.caught, strict=True):
        taken = [kind for kind in flow if kind.startswith(THROW) and _takes(t, kind, wanted)]
        share = sum((flow[kind] for kind in taken), ZERO)
        flow = flow.without(*taken)
        known = share if share.names <= t.state.parameters.keys() else ZERO
        text, at = "probability of this exception", handler.at
        q = t.note(f"q_{at.line}", text, at, known, unit=True, kind=ParameterKind.HANDLER)
        with t.writing() as items:
            flow = flow.joined(t.run(handler).scaled(q))
        for name in t.method.scan.facts(handler).assigned:
            t.facts.pop(name, None)
        t.out.append(CodeBranch(q, tuple(items), (), None, at))
    return flow


def _takes(t: Translator, kind: str, wanted: Sequence[types.Type]) -> bool:
    return any(t.state.program.is_caught(kind.removeprefix(THROW), one.name) for one in wanted)
