"""The parameters of a translated model, and the values that a run gives them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.java.levels.collections import COPIED
from apet.java.levels.memory import TARGET_OCTAVES, TARGETS, forgotten
from apet.java.parse.syntax import LineColumn
from apet.java.profile.counts import Count, CountedRun
from apet.java.profile.instrument import CountedSite
from apet.java.profile.met_classes import classes_before, share
from apet.java.profile.visits import AT_PLACE, of_place

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
MISSED = re.compile(
    r"line (?P<line>\d+): mispredictions (?P<what>of this branch|of this call's target|at the end of this loop)"
)
SiteCount = tuple[CountedSite, Count]
MEANS = {"length of the new array": "length", "elements that this call": "size", "elements of the stream": "stream"}
"""How the comments of parameters begin that are means at a place, and the kind of its site."""


class ModelParameter(NamedTuple):
    """A parameter of a translated model: its name, its value as text ("" where it has none), its comment, and whether
    it has a range."""

    name: str
    value: str
    comment: str
    has_range: bool


_PARAMETER = re.compile(
    r"^param (?P<name>[\w$]+)(?: = (?P<value>.*?))?(?P<range> in \[.*?\])?;\s*// (?P<comment>.*)$", re.MULTILINE
)


def parameters(model: str) -> list[ModelParameter]:
    """The parameters of a translated model in order."""
    found = _PARAMETER.finditer(model)
    return [ModelParameter(m["name"], m["value"] or "", m["comment"], bool(m["range"])) for m in found]


def values(
    model: str,
    counted: CountedRun,
    misses: bool,
    learnt: float = LEARNT,
    places: Mapping[str, LineColumn] | None = None,
) -> dict[str, float]:
    """What a run says of the parameters of a model: name to value. With `misses`, mispredictions too, of which a
    predictor remembers `learnt` per run.

    `places` are those of the parameters in the source (`Translation.places`); without them, lines and texts are
    compared. What the run did not reach keeps its value in the model, or becomes 0 where it has none.
    """
    return _Filler(counted, learnt, places or {}).filled(parameters(model), misses)


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
    def __init__(self, profile: CountedRun, learnt: float, places: Mapping[str, LineColumn]) -> None:
        self.profile = profile
        self.sites = [pair for sites in profile.sites.values() for pair in sites]
        self.learnt = learnt
        self.places = places
        self.turns: dict[tuple[str, LineColumn, str], int] = {}
        self.used: set[int] = set()
        self.tests: dict[str, Count] = {}
        self.classes: dict[str, tuple[str, set[str]]] = {}

    def filled(self, wanted: Sequence[ModelParameter], misses: bool) -> dict[str, float]:
        """Values by name."""
        values: dict[str, float] = {p.name: self.profile.copied_bytes for p in wanted if p.name == COPIED.name}
        self.classes = classes_before(wanted, self.places)
        for p in wanted:
            value = of_place(self.profile, p.comment) if AT_PLACE.match(p.comment) else self.value(p)
            # A number of rounds is never negative: what a field says that is, is not known.
            if value is not None and (value >= 0 or p.has_range):
                values[p.name] = value

        for p in wanted if misses else ():
            value = self.missed(p)
            if value is not None:
                values[p.name] = value
        return values

    def value(self, p: ModelParameter) -> float | None:
        """The value of one parameter; None where the run has nothing to say."""
        at = re.match(r"(?P<file>[^:]+):(?P<line>\d+): (?P<rest>.*)$", p.comment)
        if at is None:
            return None

        sites, rest = self.at(at["file"], int(at["line"])), at["rest"]
        if p.name in self.classes:
            site = self.site_at(p, at["file"], "class")
            if site is None:
                return None
            self.tests[p.name] = site[1]
            return share(self.profile.classes.get(site[0].number, {}), *self.classes[p.name])
        if (m := re.match(r"probability of `(.*)`", rest)) is not None:
            return self.share(p, at["file"], sites, m[1])
        if rest.startswith("probability of this case"):
            return self.case(p, at["file"], sites)
        if rest == "probability of this exception":
            return self.handled(sites)
        if rest.startswith("rounds of "):
            one = self.placed(p, at["file"], "loop", sites)
            return None if one is None else _ratio(one.second, one.first)
        if (m := re.match(r"calls of (\w+) made", rest)) is not None:
            one = self.placed(p, at["file"], "method") or self.named("method", m[1])
            return None if one is None else _ratio(one.second, one.first)
        if (m := re.match(r"(\w+) of (?:this call of )?(\w+), (?:mean|on average)", rest)) is not None:
            one = self.formal(p, at["file"], m[2], m[1])
            return None if one is None else _ratio(one.total, one.first)
        if (kind := next((k for start, k in MEANS.items() if rest.startswith(start)), None)) is not None:
            one = self.placed(p, at["file"], kind, sites)
            return None if one is None else _ratio(one.total, one.first)
        if re.match(r"calls of \w+ by ", rest):
            one = self.placed(p, at["file"], "lambda")
            return None if one is None else one.second / max(one.first, 1)
        if p.value:
            return None
        if rest.startswith("`"):
            one = self.placed(p, at["file"], "local")
            return None if one is None or not one.first else one.total / one.first
        if (m := re.match(r"formal ([\w$]+) of ([\w$]+)$", rest)) is not None:
            return self.handed(p, at["file"], m[1], m[2])
        return self.known(rest)

    def handed(self, p: ModelParameter, file: str, formal: str, method: str) -> float | None:
        """A formal of what prepares the task: the size of its run, else the mean that was counted."""
        if method in ("setup", self.profile.entry):
            return float(self.profile.sizes[0]) if len(self.profile.sizes) == 1 else None
        one = self.formal(p, file, method, formal)
        return None if one is None or not one.first else one.total / one.first

    def of_objects(self, name: str) -> float | None:
        """The mean of a field over objects, where a single class has one of that name."""
        same = [value for key, value in self.profile.means.items() if key.partition(".")[2] == name]
        return same[0] if len(same) == 1 else None

    def known(self, rest: str) -> float | None:
        """A field as it was after `setup`, the length of an array, or the size itself."""
        if (m := re.match(r"field ([\w$]+) of ([\w$]+)$", rest)) is not None:
            return self.profile.means.get(f"{m[2]}.{m[1]}")
        if (m := re.match(r"length (?:in dimension (\d+) )?of field ([\w$]+) of ([\w$]+)$", rest)) is not None:
            return self.profile.means.get(f"{m[3]}.{m[2]}[{m[1] or 1}]")
        if (m := re.match(r"field ([\w$]+)", rest)) is not None:
            return self.profile.fields.get(m[1], self.of_objects(m[1]))
        if (m := re.match(r"length (?:in dimension (\d+) )?of field ([\w$]+)", rest)) is not None:
            lengths, k = self.profile.arrays.get(m[2], ()), int(m[1] or 1)
            return lengths[k - 1] if k <= len(lengths) else self.of_objects(f"{m[2]}[{k}]")
        return None

    def at(self, file: str, line: int) -> list[tuple[CountedSite, Count]]:
        """The sites of a line; a condition after the ones inside it."""
        return [(s, c) for s, c in self.profile.sites.get(file, ()) if s.line == line]

    def next_site(self, sites: Sequence[SiteCount], kind: str) -> SiteCount | None:
        """The next site of a kind that no parameter has yet."""
        for site, count in sites:
            if site.kind == kind and site.number not in self.used:
                self.used.add(site.number)
                return site, count
        return None

    def placed(self, p: ModelParameter, file: str, kind: str, sites: Sequence[SiteCount] = ()) -> Count | None:
        """What the site at the place of a parameter has counted, of several there one after the other in turn; without
        one, the next of `sites`."""
        site = self.site_at(p, file, kind) or self.next_site(sites, kind)
        return None if site is None else site[1]

    def site_at(self, p: ModelParameter, file: str, kind: str) -> SiteCount | None:
        """The site at the place of a parameter."""
        place = self.places.get(p.name)
        sites = self.profile.sites.get(file, ())
        here = [(s, c) for s, c in sites if place is not None and s.kind == kind and (s.line, s.column) == tuple(place)]
        if not here or place is None:
            return None
        turn = self.turns[file, place, kind] = self.turns.get((file, place, kind), -1) + 1
        site = here[turn % len(here)]
        self.used.add(site[0].number)
        return site

    def formal(self, p: ModelParameter, file: str, method: str, formal: str) -> Count | None:
        """The mean of a formal, or of the length of an array that it is."""
        length = re.match(r"(.*)_length([0-9]*)_*$", formal)
        text = f"{method}:{formal.rstrip('_')}" if length is None else f"{method}:{length[1]}[{length[2] or 1}]"
        place = self.places.get(p.name)
        same = [(s, c) for s, c in self.sites if s.kind == "formal" and s.text == text]
        here = [c for s, c in same if place is not None and (s.line, s.column) == tuple(place)]
        # Of overloaded methods the one that is called: the place is that of a call, not of the method.
        return here[0] if here else max((c for _, c in same), key=lambda c: c.first, default=None)

    def share(self, p: ModelParameter, file: str, sites: Sequence[SiteCount], text: str) -> float | None:
        """How often a condition held; at its place, else the same text, then the order in the line."""
        here = self.placed(p, file, "test")
        if here is not None:
            self.tests[p.name] = here
            return _ratio(here.second, here.first)
        written = re.sub(r"\s", "", text.rstrip("…"))
        tests = [(s, c) for s, c in sites if s.kind == "test" and s.number not in self.used]
        tests.sort(key=lambda t: len(t[0].text))
        exact = [t for t in tests if re.sub(r"\s", "", t[0].text) == written]
        near = [t for t in tests if written in re.sub(r"\s", "", t[0].text)]
        left = [t for t in tests if written.startswith(re.sub(r"\s", "", t[0].text))]
        chosen = (left or exact or near or tests)[:1]
        if not chosen:
            return None

        site, count = chosen[0]
        self.used.add(site.number)
        self.tests[p.name] = count
        return _ratio(count.second, count.first)

    def numbered(self, number: int) -> Count:
        """What the site of a number has counted."""
        return next(c for s, c in self.sites if s.number == number)

    def case(self, p: ModelParameter, file: str, sites: Sequence[SiteCount]) -> float | None:
        """How often a case of a switch is taken where none before it was."""
        mine = self.site_at(p, file, "case") or self.next_site(sites, "case")
        if mine is None:
            return None
        same = [(s, c) for s, c in self.sites if s.kind == "case" and s.text == mine[0].text and s.labelled]
        earlier = sum(c.first for s, c in same if s.number < mine[0].number)
        return _ratio(mine[1].first, self.numbered(int(mine[0].text)).first - earlier)

    def handled(self, sites: Sequence[SiteCount]) -> float | None:
        """How often a handler is entered for each time that its body is."""
        mine = self.next_site(sites, "catch")
        return None if mine is None else _ratio(mine[1].first, self.numbered(int(mine[0].text)).first)

    def named(self, kind: str, text: str) -> Count | None:
        """A site by what it is about."""
        return next((c for s, c in self.sites if s.kind == kind and s.text == text), None)

    def missed(self, p: ModelParameter) -> float | None:
        """Mispredictions each time, with the part of them that the predictor's memory takes from run to run."""
        at = MISSED.match(p.comment)
        if at is None:
            return None

        if at["what"] != "at the end of this loop":
            names = [n for n in re.findall(r"\bq_\w+", p.value) if n in self.tests]
            one = self.tests[names[0]] if names else None
            if one is not None and at["what"] == "of this call's target":
                # One jump chooses between all classes: it counts where the first is.
                remaining = forgotten(one.missed, float(TARGETS) * self.learnt, TARGET_OCTAVES)
                return 0.0 if self.classes[names[0]][1] else _ratio(one.missed, one.first) * remaining
            if one is not None and "<" in p.value and SELECTED[0] <= _ratio(one.second, one.first) <= SELECTED[1]:
                return 0.0
        else:
            one = next((c for s, c in self.sites if s.kind == "loop" and s.line == int(at["line"])), None)
        return None if one is None else min(1.0, _ratio(one.missed, one.first) * forgotten(one.missed, self.learnt))


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
