"""Errors in the choice of a file, or in a request to it."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.diagnostics import Advisory, Diagnostic


class NoMachines(Diagnostic):
    """A model without a machine model."""

    message = "{model} needs a machine model: times of {operations}"
    hint = "{advised}"


def no_machines(model: str, operations: Sequence[str]) -> NoMachines:
    """The error for a model with these operations; up to four are named in a call that works."""
    first = ", ".join(operations[:FEW]) + (", …" if len(operations) > FEW else "")
    times = {name: f"op.{name}=1us" for name in operations} | {"send": "latency=10us, bandwidth=1Gbit/s"}
    advice = f"name a machine file, such as --machines {_nearest(operations)}, or measure one with apet benchmark"
    if len(operations) <= FEW:
        call = ", ".join(("cores=8", *(times[name] for name in operations)))
        advice = f"give them: --machines '{call}', or name a machine file"
    return NoMachines(None, None, model, first, advice)


FEW = 4
"""Operations that a hint names."""


def _nearest(operations: Sequence[str]) -> str:
    """The machine model that comes with APET and lacks the fewest of these operations."""
    from apet.machine.files import load_machines, shipped_machines

    return max(shipped_machines(), key=lambda name: len(load_machines(name).operations.intersection(operations)))


class NeedsNoMachines(Diagnostic):
    """A machine model for what has a formula without."""

    message = "--machines does not apply to {path}: its formula has no operations"
    hint = "leave it out; what may be set says apet inspect"


class NoModel(Diagnostic):
    """A machine model where an application belongs."""

    message = "{path} is a machine model, not an application"
    hint = "give the application first, and this file with --machines"


class EmptyFile(Diagnostic):
    """A file without any content, which is of no kind."""

    message = "the file is empty"
    hint = "{advised}"


class NotImported(Diagnostic):
    """A log of a service where a file of APET belongs."""

    message = "this is an access log or a load test"
    hint = "apet import makes a queueing network of it: apet import {path} -o queue.toml"


class NoPlatform(Diagnostic):
    """A trace without a platform."""

    message = "{path} is a trace: it needs a platform to run on"
    hint = "give one: --platform cluster.xml, and --hostfile where ranks do not take its hosts in turn"


class NotForThisKind(Diagnostic):
    """An option that means nothing for a file of this kind."""

    message = "--{option} does not apply to {path}, {what}"
    hint = "--of is for queues, --platform for traces, --method for runs, --machines for models"


TWO_SIDES = "two models, two machine models after --machines, or one of each and --with NAME=VALUE"


class DifferentUnits(Diagnostic):
    """A time to be compared with something else."""

    message = "one side is a time and the other is not"
    hint = TWO_SIDES


class OtherUnit(Diagnostic):
    """A value of a parameter with the unit of another quantity."""

    message = "{name} = {value!r}: {reason}"
    hint = "leave the unit out, or give one of the parameter's quantity"


class OptionNotParameter(Diagnostic):
    """A keyword of `predict` that is an option, where a parameter of the model is called the same."""

    message = "{name} is an option of predict; {model} has a parameter of that name"
    hint = 'set the parameter with values={{"{name}": …}}'


class NoTables(Diagnostic):
    """A table for what is no model."""

    message = "{path} is no model in PAMELA-E: it has no table '{name}'"
    hint = "tables are for .pam models: --set {name}=[4, 8] or --set {name}=file.csv"


class NotCheckedHere(Diagnostic):
    """A trace, which has a check of its own."""

    message = "{path} is a trace"
    hint = "traces have a check of their own: apet check"


class RefusedOnOneCore(Advisory):
    """What a prediction without machines would be refused for."""

    message = "on one core, as without --machines: {reason}"
    hint = "{advice_text}"
    reason: str
    advice_text = ""
