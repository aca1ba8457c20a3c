"""The model at core level: per loop, throughput against critical path against memory, plus events.

One round of a loop is a parallel section: its recurrences (latencies one after the other), each unit of the core with
what it has to do, and the cache lines it waits for. The slowest decides, which is the time without contention of the
section. What a core cannot overlap follows as events: mispredictions, loop entries, calls, allocation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction

from apet.model import terms
from apet.program.algebra import SELDOM, ZERO, Value, apply, as_value, quotient, substituted
from apet.program.free_names import free_names, walk
from apet.program.ir import (
    BOX,
    Body,
    CodeBranch,
    CodeLoop,
    Item,
    Items,
    LineColumn,
    Op,
    ParameterKind,
    ParameterSite,
    SourceNote,
)
from apet.program.levels import counts as c
from apet.program.levels.escape import without_scalars
from apet.program.levels.events import events, kind_of_miss, mispredictions
from apet.program.levels.flat import PROCESSOR, FlatWriter, repeated, sequence, step, weighed
from apet.program.levels.inlining import Inliner
from apet.program.levels.memory import extents_in_scope, footprint, levels, traffic
from apet.program.levels.objects import OBJECTS, ObjectLines, visits
from apet.program.levels.paths import REGISTER, LatencyPath, recurrences
from apet.program.levels.placement import addresses, hoisted, is_straight, reassociated
from apet.program.levels.reuse import reuses
from apet.program.levels.units import UNITS
from apet.program.levels.vectors import vector_element
from apet.program.model_names import ModelNames
from apet.program.model_text import model_text
from apet.program.named_factors import names_in
from apet.program.symbols import HIDDEN
from apet.program.value_terms import NOWHERE

WINDOW = 224
"""Operations that a core has in flight: rounds of a short inner loop overlap with what comes after it."""
UNROLLED = 16
VECTOR_COST = Fraction(7, 4)
"""What an operation of a vector takes, as a multiple of a single one: many cross a border of cache lines."""
DIVIDED_B = 16
"""Bytes that a divider works on in the time of a single number, however long the vector is."""
NO_PLACE = LineColumn(1, 1)
MACHINE = (
    SourceNote("vector_B", "bytes of a vector register of the machine", NO_PLACE, as_value(64)),
    SourceNote("predictor_memory", "mispredictions per run that its branch predictor learns", NO_PLACE, as_value(2000)),
    SourceNote("cache_L1", "bytes of its first-level data cache", NO_PLACE, as_value(32 * 1024)),
    SourceNote("cache_L2", "bytes of its second-level cache", NO_PLACE, as_value(1024 * 1024)),
    SourceNote("cache_L3", "bytes of its third-level cache", NO_PLACE, as_value(32 * 1024 * 1024)),
)


VISIT_KINDS = (ParameterKind.SHUFFLED, ParameterKind.ORDERED, ParameterKind.SPREAD)
"""Kinds of the parameters of a visit, in the order of `OBJECTS`."""


def core_text(
    state: ModelNames, title: str, entry: str, bodies: dict[str, Body], bound: frozenset[str]
) -> tuple[str, Sequence[SourceNote]]:
    """The whole model, and the parameters that this level adds."""
    inliner = Inliner(bodies)
    writer = CoreWriter(state, set(state.used) | {n.name for n in MACHINE} | set(UNITS) | {"cache"})
    writer.bound, writer.entry = bound, entry

    names = [entry, *(name for name in bodies if name != entry and not inliner.vanishes(name))]
    while names:
        for name in names:
            items = without_scalars(inliner.inlined(bodies[name].items))
            if name.endswith("_call"):
                loops = any(isinstance(i, CodeLoop) for i in walk(items))
                items = (*items, Op("call_looping" if loops else "call_recursive", None))
            writer.equation(replace(bodies[name], items=items))
        # What is small is opened wherever it is called, unless too much has been opened around it.
        names = [name for name in inliner.called if name not in writer.equations]
    extra = (*MACHINE, *writer.notes)
    return model_text(state, title, entry, writer.equations, extra), extra


class CoreWriter(FlatWriter):
    """Writes equations as sections over the units of a core."""

    def __init__(self, state: ModelNames, used: set[str]) -> None:
        super().__init__(used)
        self.state = state
        self.notes: list[SourceNote] = []
        self.touched: Value = ZERO
        self.whole: Value = ZERO
        self.entry = ""
        self.called = False
        self.around: list[CodeLoop] = []
        self._parameters = set(state.parameters)  # a method's equation adds to them, all that has been read is there
        self.distances: dict[Value, Value] = {}
        self.objects: dict[str, ObjectLines] = {}
        self.vectors: dict[LineColumn, int] = {}
        """Bytes of the elements whose rounds are in part done alone, by the place of the loop that was written last."""

    def equation(self, body: Body) -> None:
        """One method: what it touches in memory is a parameter of its own where it depends on parameters only."""
        self.formals = frozenset(body.formals)
        self.called = body.name != self.entry
        # Lengths of arrays are known by what `setup` made them of, which nothing else may have asked for.
        self._parameters |= free_names(body.items) - self.bound - self.formals
        names = self.formals.union(self.parameters())
        body = replace(body, items=extents_in_scope(body.items, names))
        self.touched = self._touched(body)
        super().equation(body)

    def _touched(self, body: Body) -> Value:
        total, lost, names = ZERO, False, self.formals.union(self.parameters())
        for one in footprint(body.items).values():
            total, lost = (total + one, lost) if one.names <= names else (total, True)
        total = self.whole if lost and not total.names else total
        if total.constant is not None or total.names & {*body.formals}:
            return total
        parameter = self.note(f"bytes_{body.name}", f"bytes of arrays that {body.name} works on", body.at, total)
        self.whole = parameter if not self.whole.terms else self.whole
        return parameter

    def note(
        self,
        name: str,
        text: str,
        at: LineColumn,
        value: Value | None,
        unit: bool = False,
        kind: ParameterKind = ParameterKind.OTHER,
        site: ParameterSite | None = None,
    ) -> Value:
        """A parameter of the core level; its value may be put aside with `--set`, as a profile does."""
        unique, k = name, 1
        while unique in self.used:
            k += 1
            unique = f"{name}_{k}"
        self.used.add(unique)
        self._parameters.add(unique)
        low, high = (ZERO, as_value(1)) if unit else (None, None)
        self.notes.append(SourceNote(unique, text, at, value, low, high, kind, site))
        return as_value(unique)

    def missed(self, text: str, at: LineColumn, value: Value, kind: ParameterKind, probability: str = "") -> Value:
        """The mispredictions of one branch or loop end, as a parameter; none where there are none."""
        if not value.terms:
            return ZERO
        site = ParameterSite("", at, variable=probability)
        return self.note(f"miss_{at.line}", f"line {at.line}: {text}", at, value, unit=True, kind=kind, site=site)

    def object_lines(self, place: str, lines: ObjectLines) -> ObjectLines:
        """The lines that a visit of an object brings, as parameters: one place has one set of them."""
        if place not in self.objects:
            where, site, what = _parts(place)
            names = [
                self.note(
                    f"{name}_{site.at.line}", f"{where}: {text} {what}", site.at, value, name != "spread", kind, site
                )
                for (name, text), kind, value in zip(OBJECTS.items(), VISIT_KINDS, lines, strict=True)
            ]
            self.objects[place] = ObjectLines(*names)
        return self.objects[place]

    def in_scope(self) -> frozenset[str]:
        """Parameters, formals of the equation, and indices of the loops around."""
        return self.formals.union(self.parameters(), (x.index for x in self.around))

    def parameters(self) -> Set[str]:
        """Names that values of parameters may be made of."""
        return self._parameters

    def items(self, items: Items, name: str) -> list[terms.Process]:
        """Straight code of a method, or of a loop with loops inside: units work side by side, nothing is carried on."""
        opened: list[Item] = []
        for item in items:
            if isinstance(item, CodeLoop):
                moved, loop = hoisted(item)
                opened += [*moved, loop]
            else:
                opened.append(item)
        return self.block(tuple(opened), name, None)

    def block(self, items: Items, name: str, loop: CodeLoop | None) -> list[terms.Process]:
        """Straight items as one section, then the others in order."""
        straight = tuple(i for i in items if is_straight(i))
        processes = self.section(straight, loop, innermost=len(straight) == len(items))
        for item in items:
            if not is_straight(item):
                processes += self.structured(item, name)
        return processes

    def structured(self, item: Item, name: str) -> list[terms.Process]:
        """What has loops or calls inside."""
        if isinstance(item, CodeBranch):
            then, otherwise = self.items(item.then, name), self.items(item.otherwise, name)
            is_jump = item.condition is not None and item.condition.on_class
            missed = mispredictions(item, self.around, self, False) if is_jump else ZERO
            return [*c.one_written(kind_of_miss(item), missed), *weighed(item.probability, then, otherwise)]
        if isinstance(item, CodeLoop):
            return self.loop(item, name)
        return self.item(item, name)

    def section(self, items: Items, loop: CodeLoop | None, innermost: bool) -> list[terms.Process]:
        """The units' work, the recurrences and the memory side by side; then the events."""
        free = addresses(items)
        free |= reassociated(loop).keys() if loop is not None and innermost else frozenset()
        unrolled = loop is not None and innermost and loop.counted
        counted = c.count(items, free, not unrolled)
        chains = recurrences(loop, free, self.touched) if loop is not None and innermost else {}
        factor = divided = chain_weight = as_value(1)
        if loop is not None and innermost:
            size = vector_element(loop, chains, free) if self.state.vectors else None
            if size is not None:
                loads = counted.get("load", {})
                factor = quotient((VECTOR_COST if loads else 1) * size, "vector_B")
                divided = as_value(Fraction(size, DIVIDED_B))
                # What is only filled is aligned by stores that overlap: no round is done alone.
                self.vectors[loop.at] = size if loads else 0
            else:
                self.vectors[loop.at] = 0
            chain_weight = self.exposed(loop, counted, chains)

        sides: list[terms.Process] = []
        for unit in UNITS:
            part = divided if unit == "fdiv" else factor
            if work := c.written({n: v * part for n, v in counted.get(unit, {}).items()}):
                sides.append(c.held(unit, work))
        # Recurrences of one length run side by side: one of them stands for all.
        different = {tuple(sorted(p.weights)): p for p in chains.values()}
        sides += [s for path in different.values() for s in self.chain(path, chain_weight)]
        if loop is not None and innermost:
            sides += self.lines(loop)
        processes: list[terms.Process] = []
        if sides:
            inside = sides[0] if len(sides) == 1 else terms.Parallel(tuple(sides), NOWHERE)
            processes.append(terms.Use(PROCESSOR, inside, NOWHERE))

        around = (*self.around, loop) if loop is not None and loop not in self.around else self.around
        touched = self.touched if loop is not None else ZERO
        apart = events(items, loop, around, touched, self)
        for name, weight in visits(items, loop, self.around, self).items():
            apart[name] = apart.get(name, ZERO) + weight
        return processes + c.written(apart)

    def chain(self, path: LatencyPath, weight: Value) -> list[terms.Process]:
        """A recurrence, with the part of it that is not hidden."""
        inside = c.written(dict(path.weights))
        return [sequence(weighed(weight, inside, []))] if inside else []

    def exposed(self, loop: CodeLoop, counted: c.Counts, chains: Mapping[str, LatencyPath]) -> Value:
        """The part of a short loop's critical path that the next loop around it cannot hide: min(1, operations of one
        entry / 224); all of it where the value is carried on, or nothing is around."""
        if not chains:
            return as_value(1)
        carried = {*chains} - {REGISTER}
        entries = as_value(1)  # of this loop, for one of what begins anew
        for outer in reversed(self.around):
            if carried <= {i.variable for i in outer.body if isinstance(i, Op) and i.name == "assign" and i.variable}:
                break
            if not is_short(outer):
                return as_value(1)
            entries = entries * outer.rounds
        else:
            if self.around or not (self.called and loop.counted and not any("." in n or "[" in n for n in carried)):
                return as_value(1)

        slots = counted.get("issue", {}).get("tp_issue", ZERO)
        rounds = loop.rounds
        if not slots.terms or len(slots.terms) > 4 or any(HIDDEN in n for n in rounds.names):
            return as_value(1)

        # Indices of the loops around are at the middle of their ranges.
        ranges = ((x.index, x.low, x.high) for x in self.around)
        middles = {n: quotient(low + high, 2) for n, low, high in ranges if low is not None and high is not None}
        work = substituted(rounds, middles) * slots * entries
        return (
            quotient(work, work + WINDOW)
            if loop.counted and not loop.further
            else apply("min", 1, quotient(work, WINDOW))
        )

    def lines(self, loop: CodeLoop) -> list[terms.Process]:
        """Cache lines by the level that holds what is touched between two uses of them."""
        moves = traffic(loop)
        if not self.touched.terms:
            return []
        around = [x for x in self.around if x is not loop]
        moved: dict[Value, dict[str, Value]] = {}
        for kind, accesses in (("line", moves.streams), ("strided", moves.strided)):
            for op, lines in accesses:
                for reuse in reuses(op, around):
                    of_kind = moved.setdefault(self.held_bytes(reuse.distance, loop), {})
                    of_kind[kind] = of_kind.get(kind, ZERO) + lines * reuse.part

        processes: list[terms.Process] = []
        for distance, by_kind in moved.items():
            for level, here in levels(distance):
                written = [p for kind, lines in by_kind.items() for p in c.one_written(f"{kind}_{level}", lines)]
                processes += weighed(here, written, [])
        return [c.held("cache", processes)] if processes else []

    def held_bytes(self, distance: Value | None, loop: CodeLoop) -> Value:
        """The bytes between two uses of lines, with a name; all that the method touches where they have none."""
        if distance is None or not distance.names - self.formals <= self.parameters():
            return self.touched
        if distance.constant is not None or distance.names & self.formals:
            return distance
        named = self.distances.get(distance)
        if named is None:
            text = f"bytes between two uses of what the loop in line {loop.at.line} streams"
            named = self.distances[distance] = self.note(f"bytes_{loop.at.line}", text, loop.at, distance)
        return named

    def loop(self, loop: CodeLoop, name: str) -> list[terms.Process]:
        """A loop whose rounds are sections."""
        if all(is_straight(i) for i in loop.body):
            inside = self.section(loop.body, loop, innermost=True)
        else:
            self.around.append(loop)
            inside = self.block(loop.body, name, loop)
            self.around.pop()

        processes = self.in_rounds(loop, inside, name)
        if processes and not is_short(loop):
            processes = [*self.one_by_one(loop), *processes]
        return processes

    def one_by_one(self, loop: CodeLoop) -> list[terms.Process]:
        """The rounds of a vectorised loop that no vector is filled with: a cycle each."""
        size = self.vectors.get(loop.at, 0)
        if not size:
            return []
        singles = quotient("vector_B", size)
        known = not any(HIDDEN in n for n in loop.rounds.names)
        many = apply("min", loop.rounds, singles) if known else singles
        return repeated(self.unused("k", loop.body), as_value(1), many, [step("lat_sum_int")])

    def in_rounds(self, loop: CodeLoop, body: list[terms.Process], name: str) -> list[terms.Process]:
        """`seq` around sections; their mean number where a loop may be left early and has no use for its index."""
        names = names_in(tuple(body))
        is_mean = loop.weighted and loop.low is not None and loop.index not in names
        return self.rounds(left_early(loop) if is_mean else loop, body, name, names)


def is_short(loop: CodeLoop) -> bool:
    """Whether a compiler writes all rounds of a loop one after the other."""
    many = loop.rounds.integer
    return many is not None and many <= UNROLLED and loop.counted


def _parts(place: str) -> tuple[str, ParameterSite, str]:
    """File and line, the site, and what is there, of "File.java:line: the object of column 5"."""
    where, _, what = place.rpartition(": ")
    file, _, line = where.rpartition(":")
    at = LineColumn(int(line), int(what.rpartition(" ")[2]))
    return where, ParameterSite(file, at, variable="box" if what.startswith(BOX) else ""), what


def left_early(loop: CodeLoop) -> CodeLoop:
    """A loop of N rounds that each round leaves with probability q, as one of (1 - (1 - q)^N) / q rounds on average."""
    q = apply("max", loop.leaves, SELDOM)
    return replace(loop, low=None, high=None, rounds=quotient(1 - apply("^", 1 - q, loop.rounds), q), weighted=False)
