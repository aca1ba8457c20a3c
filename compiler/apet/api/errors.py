"""Errors in the choice of a file, or in a request to it."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NoMachines(Diagnostic):
    """A model without a machine model."""

    message: ClassVar[str] = "{model} needs a machine model"
    hint: ClassVar[str] = "give one: --machines join-2005; only what has no operations and messages needs none"
    model: str


class NeedsNoMachines(Diagnostic):
    """A machine model for what has a formula without."""

    message: ClassVar[str] = "--machines does not apply to {path}: its formula has no operations"
    hint: ClassVar[str] = "leave it out; what may be set says apet inspect"
    path: str


class NoModel(Diagnostic):
    """A machine model where an application belongs."""

    message: ClassVar[str] = "{path} is a machine model, not an application"
    hint: ClassVar[str] = "give the application first, and this file with --machines"
    path: str


class NoPlatform(Diagnostic):
    """A trace without a platform."""

    message: ClassVar[str] = "{path} is a trace: it needs a platform to run on"
    hint: ClassVar[str] = "give one: --platform cluster.xml, and --hostfile where ranks do not take its hosts in turn"
    path: str


class NotForThisKind(Diagnostic):
    """An option that means nothing for a file of this kind."""

    message: ClassVar[str] = "--{option} does not apply to {path}, {what}"
    hint: ClassVar[str] = "--of is for queues, --platform for traces, --method for runs, --machines for models"
    option: str
    path: str
    what: str


TWO_SIDES = "two models, two machine models after --machines, or one of each and --with NAME=VALUE"


class DifferentUnits(Diagnostic):
    """A time to be compared with something else."""

    message: ClassVar[str] = "one side is a time and the other is not"
    hint: ClassVar[str] = TWO_SIDES


class OptionNotParameter(Diagnostic):
    """A keyword of `predict` that is an option, where a parameter of the model is called the same."""

    message: ClassVar[str] = "{name} is an option of predict; {model} has a parameter of that name"
    hint: ClassVar[str] = 'set the parameter with values={{"{name}": …}}'
    name: str
    model: str


class NoColumn(Diagnostic):
    """A file of tables without the one that is set."""

    message: ClassVar[str] = "{path} has no column or list '{name}'"
    hint: ClassVar[str] = "it has: {names}; a CSV of one column needs no heading"
    path: str
    name: str
    names: str


class NoTables(Diagnostic):
    """A table for what is no model."""

    message: ClassVar[str] = "{path} is no model in PAMELA-E: it has no table '{name}'"
    hint: ClassVar[str] = "tables are for .pam models: --set {name}=[4, 8] or --set {name}=file.csv"
    path: str
    name: str


class NotCheckedHere(Diagnostic):
    """A trace, which has a check of its own."""

    message: ClassVar[str] = "{path} is a trace"
    hint: ClassVar[str] = "traces have a check of their own: apet trace check"
    path: str
