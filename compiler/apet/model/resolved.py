"""The model with its names resolved: what each step of a process is, on one page.

Made by `resolve` of a model without errors. Sequences, loops, branches and graphs are those of `terms`, around other
leaves: nobody behind this asks what a name means.
"""

from __future__ import annotations

from typing import TypeAlias

from apet.ground.diagnostics import Diagnostic
from apet.ground.records import NamedTuple
from apet.ground.source import Span
from apet.model.terms import Composed, Delay, Equation, Expression, Model


class Call(NamedTuple):
    """An equation with values for its subscripts and formals, in order; a lone free name is a named processor."""

    equation: Equation[Step]
    values: tuple[Expression, ...]
    span: Span


class Operation(NamedTuple):
    """A machine operation, which holds its processor."""

    name: str
    processor: Expression
    arguments: tuple[Expression, ...]
    span: Span


class Message(NamedTuple):
    """`send[sender, receiver](size)`, in bytes."""

    sender: Expression
    receiver: Expression
    size: Expression
    span: Span


class Member(NamedTuple):
    """One resource of a family: of `PROCESSORS` that with the number or name of its only subscript."""

    family: str
    subscripts: tuple[Expression, ...]
    span: Span


class Hold(NamedTuple):
    """Holds one server of a resource for the whole of `body`."""

    resource: Member
    body: Step
    span: Span


Step: TypeAlias = "Call | Operation | Message | Delay | Hold | Composed[Step]"


class ResolvedModel(NamedTuple):
    """The equations of a model, each behind those that it calls; free names that are processors; advice on names."""

    model: Model
    equations: dict[str, Equation[Step]]
    processors: frozenset[str]
    warnings: tuple[Diagnostic, ...]

    @property
    def entry(self) -> Equation[Step]:
        """The equation to begin with."""
        return self.equations[self.model.entry]
