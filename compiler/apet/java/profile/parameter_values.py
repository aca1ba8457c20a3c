"""The values that a run gives the parameters of a translated model, and the parameters as a text shows them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.java.profile.asked import Site, asked
from apet.java.profile.counts import Count, CountedRun
from apet.program.ir import ParameterKind, SourceNote
from apet.program.levels.memory import LINE, TARGET_OCTAVES, TARGETS, forgotten

LEARNT = 2000.0
"""Mispredictions per run that a branch predictor remembers, unless the machine file tells."""
DOUBT = "predictor_doubt"
ON_DATA = f"(1 + {DOUBT} / 2)"
"""What the guess is multiplied by where a branch looks at data that is only read: outcomes without a pattern."""
DOUBTED = (0.1, 5 / 3)
"""From a branch whose outcomes have a pattern to one whose rarer side is always mispredicted, as multiples of the
static guess, 3/5 of the rarer side."""
SELECTED = (0.18, 0.82)
"""Shares between which a compiler turns the choice of one int into a conditional move, which is never mispredicted."""
FIELDS = (ParameterKind.FIELD, ParameterKind.FIELD_LENGTH)
MISSES = (ParameterKind.MISSED, ParameterKind.MISSED_SELECT, ParameterKind.MISSED_TARGET)
MEANS = (
    *(ParameterKind.ARGUMENT, ParameterKind.LENGTH, ParameterKind.ELEMENTS),
    *(ParameterKind.STREAM, ParameterKind.LOCAL, ParameterKind.FORMAL),
)
"""Kinds whose sites sum up values."""


class ModelParameter(NamedTuple):
    """A parameter as a model shows it: its name, its value as text ("" where it has none), and its comment."""

    name: str
    value: str
    comment: str


_PARAMETER = re.compile(
    r"^param (?P<name>[\w$]+)(?: = (?P<value>.*?))?(?: in \[.*?\])?;\s*// (?P<comment>.*)$", re.MULTILINE
)


def parameters(model: str) -> list[ModelParameter]:
    """The parameters of a translated model in order."""
    return [ModelParameter(m["name"], m["value"] or "", m["comment"]) for m in _PARAMETER.finditer(model)]


def values(
    parameters: Mapping[str, SourceNote], counted: CountedRun, misses: bool, learnt: float = LEARNT
) -> dict[str, float]:
    """What a run says of parameters by name. With `misses`, mispredictions too, of which a predictor remembers `learnt`
    per run.

    What the run did not reach keeps its value in the model, or becomes 0 where it has none.
    """
    return _Filler(counted, learnt, parameters).filled(misses)


def with_doubt(model: str) -> str:
    """A model whose static guesses of mispredictions are multiplied by one more parameter, `DOUBT`."""
    guesses = [p for p in parameters(model) if p.name.startswith("miss_") and p.value]
    for p in guesses:
        factor = ON_DATA if " on data," in p.comment else DOUBT
        model = model.replace(
            f"param {p.name} = {p.value} in ", f"param {p.name} = min(1, {factor} * ({p.value})) in ", 1
        )

    first = model.find("param ")
    if not guesses or first < 0:
        return model
    line = f"param {DOUBT} in [0, 2];  // how far the static guesses of mispredictions are from what a run shows\n"
    return model[:first] + line + model[first:]


class _Filler:
    def __init__(self, profile: CountedRun, learnt: float, wanted: Mapping[str, SourceNote]) -> None:
        self.profile = profile
        self.learnt = learnt
        self.wanted = wanted
        self.sites = asked(wanted)
        self.classes = classes_before(wanted)

    def filled(self, misses: bool) -> dict[str, float]:
        """Values by name."""
        values: dict[str, float] = {}
        for name, note in self.wanted.items():
            is_miss = note.kind in MISSES
            value = self.missed(name, note) if is_miss and misses else None if is_miss else self.value(name, note)
            # A number of rounds is never negative: what a field says that is, is not known.
            if value is not None and (value >= 0 or note.low is not None):
                values[name] = value
        return values

    def value(self, name: str, note: SourceNote) -> float | None:
        """The value of one parameter; None where the run has nothing to say."""
        if note.kind in FIELDS:
            return None if note.value is not None else self.field(note)
        if name not in self.sites:
            return None
        site = self.sites[name]
        count = self.profile.sites.get(site)
        match note.kind:
            case ParameterKind.SHUFFLED | ParameterKind.ORDERED | ParameterKind.SPREAD:
                return visited(self.profile.visits[site], note.kind) if site in self.profile.visits else None
            case ParameterKind.RECEIVER:
                return share(self.profile.classes.get(site, {}), *self.classes[name])
            case ParameterKind.FORMAL:
                return None if note.value is not None else self.handed(count, site)
        if count is None or (note.kind is ParameterKind.LOCAL and (note.value is not None or not count.first)):
            return None
        if note.kind in MEANS:
            return _ratio(count.total, count.first)
        return (
            count.second / max(count.first, 1)
            if note.kind is ParameterKind.LAMBDA
            else _ratio(count.second, count.first)
        )

    def handed(self, count: Count | None, site: Site) -> float | None:
        """A formal of what prepares the task: the size of its run, else the mean that was counted."""
        if site.member in ("setup", self.profile.entry):
            return float(self.profile.sizes[0]) if len(self.profile.sizes) == 1 else None
        return None if count is None or not count.first else count.total / count.first

    def field(self, note: SourceNote) -> float | None:
        """A field, or the length of an array, of the task as it was after `setup`; else its mean over objects."""
        assert note.site is not None
        name, dimension = f"{note.site.owner}.{note.site.member}", note.site.dimension
        if note.kind is ParameterKind.FIELD:
            return self.profile.fields.get(name, self.profile.means.get(name))
        lengths = self.profile.arrays.get(name, ())
        if dimension <= len(lengths):
            return lengths[dimension - 1]
        return self.profile.means.get(f"{name}[{dimension}]")

    def missed(self, name: str, note: SourceNote) -> float | None:
        """Mispredictions each time, with the part of them that the predictor's memory takes from run to run."""
        one = self.profile.sites.get(self.sites[name]) if name in self.sites else None
        if one is None:
            return None
        if note.kind is ParameterKind.MISSED_TARGET:
            # One jump chooses between all classes: it counts where the first is.
            of = note.site.variable if note.site is not None else ""
            remaining = forgotten(one.missed, float(TARGETS) * self.learnt, TARGET_OCTAVES)
            return 0.0 if self.classes.get(of, ("", set()))[1] else _ratio(one.missed, one.first) * remaining
        is_selection = note.kind is ParameterKind.MISSED_SELECT
        if is_selection and SELECTED[0] <= _ratio(one.second, one.first) <= SELECTED[1]:
            return 0.0
        return min(1.0, _ratio(one.missed, one.first) * forgotten(one.missed, self.learnt))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def visited(counted: Sequence[float], kind: ParameterKind) -> float:
    """The value of a parameter of a visit, by its kind."""
    visits, shuffled, ordered, between = counted
    if kind is ParameterKind.SHUFFLED:
        return shuffled / visits
    if kind is ParameterKind.ORDERED:
        return ordered / visits
    # Each line is visited once in as many visits as there are lines: the mean is all that they take.
    far = shuffled + ordered
    return LINE * between / far if far else 0.0


def classes_before(parameters: Mapping[str, SourceNote]) -> dict[str, tuple[str, set[str]]]:
    """The class of each parameter of a call that is one of several methods, and those that are asked for before it.

    A translation lists the parameters of one call from the last class back.
    """
    owners: dict[str, tuple[str, set[str]]] = {}
    call: object = None
    later: list[str] = []

    for name, note in parameters.items():
        if note.kind is not ParameterKind.RECEIVER or note.site is None:
            continue
        owner, here = note.site.owner, (note.site.file, note.site.at, note.site.member)
        if here != call or owner in (owners[one][0] for one in later):
            call, later = here, []

        for one in later:
            owners[one][1].add(owner)
        later.append(name)
        owners[name] = (owner, set())
    return owners


def share(counts: Mapping[str, int], owner: str, before: set[str]) -> float | None:
    """How often a call is that of a class, of the calls that are of none before it; None where there was none."""
    left = sum(calls for name, calls in counts.items() if name not in before)
    return counts.get(owner, 0) / left if left else None
