"""What can be wrong with a machine model or with its use. `path` is the key path, arrays counted from 1."""

from __future__ import annotations

from apet.ground.diagnostics import Advisory, Diagnostic


class NoOperations(Diagnostic):
    message = "{path} has no operation"
    hint = "give seconds per operation, for example: sum_double = [1.1e-9, 1.4e-9]"


class NoNumberOfCores(Diagnostic):
    """`cores=` without a number of processors."""

    message = "{name}: a number of processors is needed"
    hint = "write --machines cores=8"


class NotInACall(Diagnostic):
    """A part of a machine model in a call that is no pair."""

    message = "--machines {call}: '{part}' is no key with a value of its own"
    hint = "write --machines 'cores=8, op.update=1ns..2ns, latency=2us, bandwidth=10Gbit/s'"


class NotOfACall(Diagnostic):
    """A key that a machine model in a call does not have."""

    message = "--machines {call}: there is no key '{key}' here{near}"
    hint = "keys: cores, load, topology, latency, bandwidth, op.NAME; for more write a machine file"


class NotADistribution(Diagnostic):
    message = "{path} should {problem}"
    hint = 'write {{ samples = [1.1e-9, 1.3e-9] }} or {{ quantiles = {{ "0.05" = 1.1e-9, "0.95" = 1.5e-9 }} }}'


class NotALevel(Diagnostic):
    message = "{path}: '{level}' is not the level of a quantile"
    hint = 'a level is a number from 0 to 1 in quotes: "0.05" is the value that 5 % do not exceed'


class QuantilesFall(Diagnostic):
    message = "{path}: the quantile at {level} is {value}, but the one at {before} is {other}"
    hint = "each level comes once, and quantiles do not fall as the level rises"


class QuantilesAreNoEnds(Advisory):
    message = "{file} gives {what} by quantiles that leave up to {share} of the values outside"
    hint = "what is guaranteed holds for runs within the outermost quantiles; give the levels 0 and 1"


class NotAName(Diagnostic):
    message = "{path}: '{name}' cannot be the name of {thing}"
    hint = "{reason}"


class UnknownSchema(Diagnostic):
    message = "schema {number} is not known"
    hint = "this version of APET reads schema {supported}"
    path: str
    number: str
    supported: int


class UnknownTopology(Diagnostic):
    message = "{path}: there is no topology '{name}'{suggestion}"
    hint = "topologies: {topologies}"


class UnknownLinkEnd(Diagnostic):
    message = "{path}: there is no machine '{name}'{suggestion}"
    hint = "machines: {machines}; '*' is every machine"


class EmptyLink(Diagnostic):
    message = "{path} overrides nothing"
    hint = "give latency_s, bandwidth_B_per_s or both"


class NotToml(Diagnostic):
    message = "not TOML: {detail}"


class IsFolder(Diagnostic):
    message = "{file} is a folder, not a machine model{suggestion}"
    hint = "machine models that come with APET: {shipped}"


class NoSuchFile(Diagnostic):
    message = "there is no machine model '{file}'{suggestion}"
    hint = "give the path of a file, or one that comes with APET: {shipped}"


class NoSuchConfiguration(Diagnostic):
    message = "P = {wanted} is not possible: {file} has {available} processors"
    hint = "P goes from 1 to {available}"
    wanted: int
    available: int
    file: str
