"""What a name means where the grammar leaves it open."""

from __future__ import annotations

from collections.abc import Container

from apet.model.resolved import Hold, Message, Operation, ResolvedModel
from apet.model.terms import BUILTINS, FUNCTIONS, Delay, Invoke, Model, Name, Process, ResourceDeclaration, Use
from apet.model.walk import scoped

PROCESSORS, BUS, SENDERS, RECEIVERS = "cpu", "bus", "tx", "rx"
MACHINE_FAMILIES = frozenset((PROCESSORS, BUS, SENDERS, RECEIVERS))
"""Families of resources that come with the machines: processors, the bus, the ports of a switch."""
OWN = "resource "


def own_family(name: str) -> str:
    """The family of a resource that the model names: never one that comes with the machines."""
    return OWN + name if name in MACHINE_FAMILIES else name


def declaration(model: Model, family: str) -> ResourceDeclaration | None:
    """How the model declares a family; None where it does not."""
    return None if family in MACHINE_FAMILIES else model.resources.get(family.removeprefix(OWN))


def shown_family(model: ResolvedModel, family: str) -> str:
    """The name of a family in reports: the model's own, unless the machines have a family of that name in use too."""
    name = family.removeprefix(OWN)
    return family if name != family and name in _machine_families(model) else name


def _machine_families(model: ResolvedModel) -> set[str]:
    """The families of the machines that the processes of a model may use."""
    families = set[str]()
    for process, _ in scoped(model.equations):
        match process:
            case Message():
                families |= {BUS, SENDERS, RECEIVERS}
            case Operation():
                families.add(PROCESSORS)
            case Hold(member, _, _):
                families.add(member.family)
    return families & MACHINE_FAMILIES


def held_process(use: Use, values: Container[str]) -> Process:
    """The process that a use holds its resource for.

    `use(r, x)` with a lone name or call is read as a process; where x is a value in force (`values` holds the names of
    parameters, indices and formals), a function or a built-in, it is a time: `use(r, delay(x))`.
    """
    body = use.body
    if not isinstance(body, Invoke):
        return body
    if body.subscripts is None and body.arguments is None:
        return Delay(Name(body.name, body.span), body.span) if body.name in values else body
    is_function = body.subscripts is None and body.name in FUNCTIONS
    is_builtin = body.subscripts is not None and body.name in BUILTINS
    return Delay(body, body.span) if is_function or is_builtin else body
