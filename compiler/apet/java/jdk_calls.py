"""How long calls of the JDK take by its own source, where nobody has measured them: narrower than their class.

The source of a method is translated as a task is, up to a depth, and predicted on the machine at several draws of what
only a run knows: shares of conditions from seldom to nearly always, sizes from none to some. The cheap and the dear
quarter of these predictions are its ends.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from apet.cost import Application, analyse
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.source import Source
from apet.java.derived_times import DerivedTimesCache
from apet.java.measure.statistics import quantile
from apet.java.parse.archive import SourceArchive, jdk_archive
from apet.java.parse.declarations import JavaMethod
from apet.java.parse.javac import Resolution
from apet.java.profile.call_times import CallTimes, addition_s, with_times
from apet.java.profile.counted_classes import SIZED_CALLS
from apet.java.translation import translation_of
from apet.java.translator.program import JavaProgram
from apet.java.translator.state import Extent, TranslationState
from apet.machine import Machines
from apet.machine.operation_classes import class_times, completed
from apet.model.pamela import parse
from apet.prediction import Predictor

_OPERATION = re.compile(r"call_(?P<owner>new|[A-Z][A-Za-z0-9]*)_(?P<name>\w+)")
_INTRINSIC = re.compile(r"[^;{}]*@(?:HotSpot)?IntrinsicCandidate\b")
_THROWN = re.compile(r"\{\s*throw\b[^;]*;\s*\}")
USUAL = {
    **dict.fromkeys(("Collection", "List", "AbstractList"), "ArrayList"),
    **dict.fromkeys(("Queue", "Deque"), "ArrayDeque"),
    **{"Map": "HashMap", "SortedMap": "TreeMap", "NavigableMap": "TreeMap", "CharSequence": "String"},
    **{"Set": "HashSet", "SortedSet": "TreeSet", "NavigableSet": "TreeSet"},
}
"""The class that a call of an interface usually meets."""
OPERATIONS, DEPTH = 600, 8
"""How far a method is opened."""
MOST_CHARACTERS = 80_000
"""Of a model that is evaluated: a longer one takes seconds, and is too vague to narrow anything."""
MOST_OVERLOADS, DRAWS = 6, 24
SHARES: tuple[Number, ...] = (0.02, 0.5, 0.98)
SIZES: tuple[Number, ...] = (0, 1, 4, 16, 64)
NOT_INLINED_S = 1e-9
"""What a call takes by itself where a compiler does not put the method in its place."""
LEAST_PART, MOST_PART = 0.5, 1.25
"""From a call that overlaps with what follows it to one among colder code, as multiples of what its source costs."""
TAIL = 0.25
"""Of the predictions at draws, what lies outside the interval at each end."""


def with_jdk_times(machines: Machines, operations: Iterable[str]) -> Machines:
    """The machines with times for those calls of the JDK that have none but that of their class; as they are where
    there is no source of a JDK. `assumed` then names its archive as the origin of these times."""
    classes = completed(machines, operations)
    calls = {name: m for name in class_times(classes) if (m := _OPERATION.fullmatch(name)) is not None}
    archive = jdk_archive() if calls else None
    if archive is None:
        return machines

    one = replace(classes, groups=classes.groups[:1])
    seconds: dict[str, Interval] = {}
    times = DerivedTimesCache(archive.path, machines)
    for name, m in calls.items():
        if name not in times.seconds:
            times.seconds[name] = _call_time(one, archive, m["owner"], m["name"])
        of_class, derived = one.groups[0].op_s[name], times.seconds[name]
        # Above the class, sizes or shares were drawn that such calls do not have; below it, the class is too coarse.
        if derived is not None and derived.lo <= of_class.hi:
            seconds[name] = _common_part(of_class, derived)
    times.keep()
    timed = with_times(machines, CallTimes(seconds, addition_s(one.groups[0])))
    return replace(timed, assumed={**timed.assumed, **dict.fromkeys(seconds, archive.path)})


def _common_part(of_class: Interval, derived: Interval) -> Interval:
    """What two intervals have in common; the second where they have nothing."""
    if of_class.hi < derived.lo or derived.hi < of_class.lo:
        return derived
    return Interval(max(of_class.lo, derived.lo), min(of_class.hi, derived.hi))


def _call_time(machines: Machines, archive: SourceArchive, owner: str, name: str) -> Interval | None:
    """Seconds of a call, whichever overload it means; None where there is no source, or none that can be predicted."""
    owner, constructed = (name, True) if owner == "new" else (USUAL.get(owner, owner), False)
    program = JavaProgram(archive(owner), archive)
    # What has been measured, or is split by element, need not be opened.
    measured = {n for n in machines.operations if n not in machines.assumed}
    extent = Extent(OPERATIONS, DEPTH, frozenset((*measured, *SIZED_CALLS)), thrown=False)
    ends: list[Interval] = []
    intrinsic = False

    for method in _overloads(program, owner, owner if constructed else name)[:MOST_OVERLOADS]:
        declaring = program.get(method.owner)
        assert declaring is not None
        source = archive.sources[declaring.file]
        # The virtual machine has code of its own for it, which is no slower.
        intrinsic |= _INTRINSIC.match(source.text, source.offset(*method.at)) is not None
        fresh = JavaProgram(archive(owner), archive)  # a translation adds classes
        ends += _predictions(machines, TranslationState(fresh, archive.sources, method, Resolution(), extent))
    if not ends:
        return None

    low = quantile([float(time.lo) for time in ends], TAIL)
    high = quantile([float(time.hi) for time in ends], 1 - TAIL)
    return Interval(0.0 if intrinsic else LEAST_PART * low, MOST_PART * high + NOT_INLINED_S)


def _overloads(program: JavaProgram, owner: str, name: str) -> list[JavaMethod]:
    """The methods of a name, or constructors, that a class has or inherits, the nearest of those with equal formals."""
    nearest: dict[tuple[str, ...], JavaMethod] = {}
    for c in program.line(owner):
        for m in (*c.named.get(name, ()), *(c.constructors if c.name == owner == name else ())):
            if m.has_body and not _only_throws(m):
                nearest.setdefault(tuple(str(f.type) for f in m.formals), m)
    return list(nearest.values())


def _only_throws(method: JavaMethod) -> bool:
    """Whether a method stands for one that some classes do not have: who calls it has an object of another class."""
    return method.text is not None and _THROWN.fullmatch(method.text()) is not None


def _predictions(machines: Machines, state: TranslationState) -> Iterator[Interval]:
    """Seconds of a method at draws of its parameters; none where it cannot be predicted."""
    level = "core" if any(name.startswith("tp_") for name in machines.operations) else "flat"
    try:
        text = translation_of(state, level).text
        if len(text) > MOST_CHARACTERS:
            return
        app = analyse(parse(Source(state.entry.title, text), None))
        predictor = Predictor(app, machines)
    except ApetError:
        return

    host = machines.provenance.get("parameters")
    chance = random.Random(state.entry.title)
    for _ in range(DRAWS):
        try:
            yield predictor.predict(1, _drawn(app, host if isinstance(host, dict) else {}, chance)).estimate
        except ApetError:  # these values do not go together: an end before its start
            continue


def _drawn(app: Application, host: Mapping[str, Number], chance: random.Random) -> dict[str, Number]:
    """A value for every parameter that has none: a share for what lies in [0, 1], one call of a recursion, else a
    size."""
    values = {n: v for n, v in host.items() if n in app.model.parameters}
    for p in app.model.parameters.values():
        if p.value is None and p.name not in values:
            choices = SHARES if p.low is not None else (1,) if p.name.startswith("calls_") else SIZES
            values[p.name] = chance.choice(choices)
    return values
