"""Why traces have no common model, or none at a point."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class NotGeneral(Diagnostic):
    """A slot or loop of which something follows no rule."""

    message = "{where}: {what} '{action}' follows no rule in the size and the ranks"
    hint = "give traces of other sizes or rank counts, or leave out those in which the program does otherwise"
    where: str
    action: str
    what: str


class TooIrregular(Diagnostic):
    """A trace that stays long when it is folded."""

    message = "{trace} has no regular structure: rank {rank} folds to {slots:,} slots (at most {most:,})"
    hint = "'apet fold' shows them; programs that deal work as it comes have other traces in each run"


class OtherVolumes(Diagnostic):
    """Traces whose volumes have different units."""

    message = "{trace} counts {volumes}, but {other} {others}"
    hint = "record all of them in the same way: apet record --mode"
    trace: str
    volumes: str
    other: str
    others: str


class WrongSizes(Diagnostic):
    """Sizes that are not one for each trace, or a point that lacks one."""

    message = "{option} {value}: {reason}"
    hint = "{advised}"


class SamePoint(Diagnostic):
    """Two traces of the same sizes and ranks that exchange other messages."""

    message = "{other} and {trace} are of {ranks} ranks{sizes} both, but exchange different messages"
    hint = "say in which size they differ, one number for each trace: --size n=96,192,…; or leave one of them out"
    other: str
    trace: str


class DoesNotFit(Diagnostic):
    """A trace that was made, and cannot be replayed."""

    message = (
        "{where}: several rules explain '{action}' in these traces, and the one taken makes no trace of {point}: "
        "on rank {rank}, {finding}"
    )
    hint = "add traces of other numbers of ranks, best one with ranks that are at no end of a grid (16)"
    where: str
    action: str
    point: str
    rank: int
    finding: str
