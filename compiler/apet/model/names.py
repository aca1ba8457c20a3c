"""What a name means where the grammar leaves it open."""

from __future__ import annotations

from collections.abc import Container

from apet.model.terms import BUILTINS, FUNCTIONS, Delay, Invoke, Model, Name, Process, ResourceDeclaration, Use
from apet.model.walk import processes

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


def shown_family(model: Model, family: str) -> str:
    """The name of a family in reports: the model's own, unless the machines have a family of that name in use too."""
    name = family.removeprefix(OWN)
    return family if name != family and name in _machine_families(model) else name


def _machine_families(model: Model) -> set[str]:
    """The families of the machines that the processes of a model may use."""
    families = set[str]()
    for process in processes(model):
        if isinstance(process, Invoke) and process.name not in model.equations and process.subscripts is not None:
            families |= {BUS, SENDERS, RECEIVERS} if process.name == "send" else {PROCESSORS}
        elif isinstance(process, Use) and not _names_resource(model, process):
            families.add(PROCESSORS)
    return families


def _names_resource(model: Model, use: Use) -> bool:
    """Whether a use surely names a resource of the model, rather than a processor."""
    name = use.resource.name if isinstance(use.resource, Name | Invoke) else ""
    return name in model.resources or (name in MACHINE_FAMILIES and name not in model.parameters)


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
