"""What can be wrong with a machine model or with its use. `path` is the key path, arrays counted from 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from apet.diagnostics import Diagnostic


@dataclass(frozen=True)
class UnknownKey(Diagnostic):
    message: ClassVar[str] = "{path}: there is no such key{suggestion}"
    hint: ClassVar[str] = "keys here: {known}"
    path: str
    suggestion: str
    known: str


@dataclass(frozen=True)
class UnitInKey(Diagnostic):
    message: ClassVar[str] = "{path}: {complaint}; the key is '{right}', in {unit}"
    hint: ClassVar[str] = "{conversion}"
    path: str
    complaint: str
    right: str
    unit: str
    conversion: str


@dataclass(frozen=True)
class MissingKey(Diagnostic):
    message: ClassVar[str] = "{path} is missing"
    hint: ClassVar[str] = "{example}"
    path: str
    example: str


@dataclass(frozen=True)
class NoOperations(Diagnostic):
    message: ClassVar[str] = "{path} has no operation"
    hint: ClassVar[str] = "give seconds per operation, for example: sum_double = [1.1e-9, 1.4e-9]"
    path: str


@dataclass(frozen=True)
class WrongType(Diagnostic):
    message: ClassVar[str] = "{path} should be {expected}, not {found}"
    path: str
    expected: str
    found: str


@dataclass(frozen=True)
class TextForNumber(Diagnostic):
    message: ClassVar[str] = "{path} should be a number, not the text '{given}'"
    hint: ClassVar[str] = "{advised}"
    path: str
    given: str
    advised: str


@dataclass(frozen=True)
class NotFinite(Diagnostic):
    message: ClassVar[str] = "{path} should be a finite number, not {value}"
    path: str
    value: str


@dataclass(frozen=True)
class OutOfRange(Diagnostic):
    message: ClassVar[str] = "{path} is {value}, but should be {allowed}"
    path: str
    value: str
    allowed: str


@dataclass(frozen=True)
class EndsExchanged(Diagnostic):
    message: ClassVar[str] = "{path}: the lower end {low} is greater than the upper end {high}"
    hint: ClassVar[str] = "an interval is written [lower, upper]"
    path: str
    low: str
    high: str


@dataclass(frozen=True)
class DuplicateName(Diagnostic):
    message: ClassVar[str] = "{path}: the name '{name}' is taken by {other}"
    hint: ClassVar[str] = "{advised}"
    path: str
    name: str
    other: str
    advised: str


@dataclass(frozen=True)
class NotAName(Diagnostic):
    message: ClassVar[str] = "{path}: '{name}' cannot be the name of {thing}"
    hint: ClassVar[str] = "{reason}"
    path: str
    name: str
    thing: str
    reason: str


@dataclass(frozen=True)
class UnknownSchema(Diagnostic):
    message: ClassVar[str] = "schema {found} is not known"
    hint: ClassVar[str] = "this version of APET reads schema {known}"
    found: str
    known: int


@dataclass(frozen=True)
class UnknownTopology(Diagnostic):
    message: ClassVar[str] = "{path}: there is no topology '{found}'{suggestion}"
    hint: ClassVar[str] = "topologies: {known}"
    path: str
    found: str
    suggestion: str
    known: str


@dataclass(frozen=True)
class UnknownLinkEnd(Diagnostic):
    message: ClassVar[str] = "{path}: there is no machine '{name}'{suggestion}"
    hint: ClassVar[str] = "machines: {known}; '*' is every machine"
    path: str
    name: str
    suggestion: str
    known: str


@dataclass(frozen=True)
class EmptyLink(Diagnostic):
    message: ClassVar[str] = "{path} overrides nothing"
    hint: ClassVar[str] = "give latency_s, bandwidth_B_per_s or both"
    path: str


@dataclass(frozen=True)
class NotToml(Diagnostic):
    message: ClassVar[str] = "not TOML: {detail}"
    detail: str


@dataclass(frozen=True)
class NotText(Diagnostic):
    message: ClassVar[str] = "{file} is not a text file: {detail}"
    hint: ClassVar[str] = "a machine model is a TOML file in UTF-8"
    file: str
    detail: str


@dataclass(frozen=True)
class Unreadable(Diagnostic):
    message: ClassVar[str] = "{file} cannot be read: {detail}"
    file: str
    detail: str


@dataclass(frozen=True)
class IsFolder(Diagnostic):
    message: ClassVar[str] = "{file} is a folder, not a machine model{suggestion}"
    hint: ClassVar[str] = "machine models that come with APET: {shipped}"
    file: str
    suggestion: str
    shipped: str


@dataclass(frozen=True)
class NoSuchFile(Diagnostic):
    message: ClassVar[str] = "there is no machine model '{file}'{suggestion}"
    hint: ClassVar[str] = "give the path of a file, or one that comes with APET: {shipped}"
    file: str
    suggestion: str
    shipped: str


@dataclass(frozen=True)
class NoSuchConfiguration(Diagnostic):
    message: ClassVar[str] = "P = {wanted} is not possible: {file} has {available} processors"
    hint: ClassVar[str] = "P goes from 1 to {available}"
    wanted: int
    available: int
    file: str
