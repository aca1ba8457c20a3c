"""What can be wrong with a machine model or with its use. `path` is the key path, arrays counted from 1."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class NoOperations(Diagnostic):
    message: ClassVar[str] = "{path} has no operation"
    hint: ClassVar[str] = "give seconds per operation, for example: sum_double = [1.1e-9, 1.4e-9]"
    path: str


class NoNumberOfCores(Diagnostic):
    """`cores=` without a number of processors."""

    message: ClassVar[str] = "{name}: a number of processors is needed"
    hint: ClassVar[str] = "write --machines cores=8"
    name: str


class NotInACall(Diagnostic):
    """A part of a machine model in a call that is no pair."""

    message: ClassVar[str] = "--machines {call}: '{part}' is no key with a value of its own"
    hint: ClassVar[str] = "write --machines 'cores=8, op.update=1ns..2ns, latency=2us, bandwidth=10Gbit/s'"
    call: str
    part: str


class NotOfACall(Diagnostic):
    """A key that a machine model in a call does not have."""

    message: ClassVar[str] = "--machines {call}: there is no key '{key}' here{near}"
    hint: ClassVar[str] = "keys: cores, load, topology, latency, bandwidth, op.NAME; for more write a machine file"
    call: str
    key: str
    near: str


class NotADistribution(Diagnostic):
    message: ClassVar[str] = "{path} should {problem}"
    hint: ClassVar[str] = 'write { samples = [1.1e-9, 1.3e-9] } or { quantiles = { "0.05" = 1.1e-9, "0.95" = 1.5e-9 } }'
    path: str
    problem: str

    @property
    def advice(self) -> str:
        """The hint, whose braces are TOML's."""
        return self.hint


class NotALevel(Diagnostic):
    message: ClassVar[str] = "{path}: '{level}' is not the level of a quantile"
    hint: ClassVar[str] = 'a level is a number from 0 to 1 in quotes: "0.05" is the value that 5 % do not exceed'
    path: str
    level: str


class QuantilesFall(Diagnostic):
    message: ClassVar[str] = "{path}: the quantile at {level} is {value}, but the one at {before} is {other}"
    hint: ClassVar[str] = "each level comes once, and quantiles do not fall as the level rises"
    path: str
    level: str
    value: str
    before: str
    other: str


class QuantilesAreNoEnds(Advisory):
    message: ClassVar[str] = "{file} gives {what} by quantiles that leave up to {share} of the values outside"
    hint: ClassVar[str] = "what is guaranteed holds for runs within the outermost quantiles; give the levels 0 and 1"
    file: str
    what: str
    share: str


class NotAName(Diagnostic):
    message: ClassVar[str] = "{path}: '{name}' cannot be the name of {thing}"
    hint: ClassVar[str] = "{reason}"
    path: str
    name: str
    thing: str
    reason: str


class UnknownSchema(Diagnostic):
    message: ClassVar[str] = "schema {number} is not known"
    hint: ClassVar[str] = "this version of APET reads schema {supported}"
    path: str
    number: str
    supported: int


class UnknownTopology(Diagnostic):
    message: ClassVar[str] = "{path}: there is no topology '{name}'{suggestion}"
    hint: ClassVar[str] = "topologies: {topologies}"
    path: str
    name: str
    suggestion: str
    topologies: str


class UnknownLinkEnd(Diagnostic):
    message: ClassVar[str] = "{path}: there is no machine '{name}'{suggestion}"
    hint: ClassVar[str] = "machines: {machines}; '*' is every machine"
    path: str
    name: str
    suggestion: str
    machines: str


class EmptyLink(Diagnostic):
    message: ClassVar[str] = "{path} overrides nothing"
    hint: ClassVar[str] = "give latency_s, bandwidth_B_per_s or both"
    path: str


class NotToml(Diagnostic):
    message: ClassVar[str] = "not TOML: {detail}"
    detail: str


class IsFolder(Diagnostic):
    message: ClassVar[str] = "{file} is a folder, not a machine model{suggestion}"
    hint: ClassVar[str] = "machine models that come with APET: {shipped}"
    file: str
    suggestion: str
    shipped: str


class NoSuchFile(Diagnostic):
    message: ClassVar[str] = "there is no machine model '{file}'{suggestion}"
    hint: ClassVar[str] = "give the path of a file, or one that comes with APET: {shipped}"
    file: str
    suggestion: str
    shipped: str


class NoSuchConfiguration(Diagnostic):
    message: ClassVar[str] = "P = {wanted} is not possible: {file} has {available} processors"
    hint: ClassVar[str] = "P goes from 1 to {available}"
    wanted: int
    available: int
    file: str
