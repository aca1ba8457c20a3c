"""The classes of a program with counters at the places that a model asks for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

from apet.java.bytecode.call_sites import CallCounters
from apet.java.bytecode.class_file import ClassFile
from apet.java.bytecode.code_places import STATEMENT, SourceCopy, placed_methods
from apet.java.bytecode.counters import MethodCounters
from apet.java.bytecode.instructions import ATHROW, INVOKE_SPECIAL
from apet.java.bytecode.pieces import CALLS, PROFILE
from apet.java.bytecode.tallies import Numbers, Sum, Tally, first_of
from apet.java.parse.class_names import ClassNames
from apet.java.profile.asked import Site
from apet.java.translator.library_calls import SIZED
from apet.program.ir import OTHERS
from apet.program.translator.operations import library_name
from apet.program.translator.sized_calls import PER_ELEMENT

_SIZED = {library_name(*name.split(".")): sized for name, sized in SIZED.items()}
SORTS = {name: name.replace("call_", PER_ELEMENT, 1) for name, sized in _SIZED.items() if sized.sorts}
"""Calls that sort, and what they do once for each step of n log2 n."""
SIZED_CALLS = _SIZED.keys() - SORTS.keys()
"""Calls that the model splits into a fixed part and one for each element, which one clock cannot tell apart; of a sort
the fixed part is nothing."""
AT_CALLS = ("thrown", "class", "size", "stream", "visit", "box", "time")
"""Kinds of sites at calls, which stand on lines of their own."""
LAMBDA_HEAD = re.compile(r"\s*(?:\([^()]*\)|[\w$]+)\s*->\s*\{?\s*")
OF_METHODS = ("method", "formal", "unseen")
"""Kinds of sites whose place may be that of a call: the method may stand in another file."""


class Counting(NamedTuple):
    """How sites are counted: of a formal there may be several methods, of which the one counts that is called most."""

    tallies: Mapping[Site, Sequence[Tally]]
    numbers: int
    loops: str
    """What the harness is told of loops: the counters of their ends, each behind a digit for how it ends."""
    anonymous: Mapping[str, int]
    """By anonymous class, the line where its object is made."""
    names: Mapping[str, str]
    """By binary name, what classes of one simple name are called."""


def copies(texts: Mapping[str, str], sites: Iterable[Site]) -> dict[str, SourceCopy]:
    """The sources by plain name, with calls that are asked for on lines of their own."""
    calls: defaultdict[str, list[Site]] = defaultdict(list)
    for site in sites:
        if site.kind in AT_CALLS:
            calls[site.file].append(site)
    return {name: SourceCopy(text, {s.at for s in calls[name]}) for name, text in texts.items()}


def count(
    compiled: Path, into: Path, sources: Mapping[str, SourceCopy], sites: Sequence[Site], owners: AbstractSet[str]
) -> Counting:
    """Write the classes of a folder into another one, with counters for sites; of the classes `owners`
    (simple names), what their fields hold too."""
    numbers = Numbers()
    tallies: dict[Site, Sequence[Tally]] = {}
    anonymous: dict[str, int] = {}
    files: defaultdict[str, list[tuple[Path, ClassFile]]] = defaultdict(list)
    for path in sorted(compiled.rglob("*.class")):
        own = ClassFile(path.read_bytes())
        files[own.source].append((path, own))

    left_out: set[int] = set()
    names = class_names(sources)
    called: dict[str, str] = {}
    for name, classes in files.items():
        source = sources.get(name)
        if source is not None:
            file = FileCounters(source, [c for _, c in classes], numbers, names[name].of_binary)
            called |= file.called()
            # What is counted at a call comes before its clock starts.
            for site in sorted(sites, key=lambda s: s.kind == "time"):
                if site.file in (name, "") or (site.kind in OF_METHODS and not tallies.get(site)):
                    tallies[site] = tallies.get(site) or file.tallies(site, site.file in (name, ""))
            left_out |= file.finish(any(s.kind == "time" for s in sites), owners)
            anonymous.update(file.anonymous())
        for path, own in classes:
            target = into / path.relative_to(compiled)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes() if source is None else own.written())
    loops = ",".join(f"{counts + 2 * jumps}{k}" for k, (counts, jumps) in numbers.loops.items())
    full = {site: [t for t in own if not left_out & set(t.used())] for site, own in tallies.items()}
    return Counting({site: own for site, own in full.items() if own}, numbers.next, loops, anonymous, called)


def class_names(sources: Mapping[str, SourceCopy]) -> dict[str, ClassNames]:
    """The names of the classes of each source, in the order in which a translation has read them."""
    names: dict[str, ClassNames] = {}
    taken: set[str] = set()
    for name, source in sources.items():
        names[name] = ClassNames(source.text, taken)
        taken |= names[name].taken
    return names


class FileCounters:
    """Puts counters into the classes of one source."""

    def __init__(
        self, source: SourceCopy, classes: Sequence[ClassFile], numbers: Numbers, names: Mapping[str, str]
    ) -> None:
        self.source = source
        self.classes = classes
        self.numbers = numbers
        self.names = names
        self.methods = [MethodCounters(m, numbers) for m in placed_methods(classes, source)]

    def tallies(self, site: Site, is_here: bool = True) -> Sequence[Tally]:
        """How a site is counted; nothing where no code is found for it. `is_here`: its place is one of this source."""
        offset = self.source.offset(site.at) if is_here else 0
        line = self.source.line_of(site.at) if site.kind in AT_CALLS else None
        match site.kind:
            case "test":
                return self._one(first_of(m.test(offset) for m in self._smallest(offset)))
            case "case":
                return self._one(first_of(m.case(offset) for m in self._smallest(offset)))
            case "handler":
                return self._one(first_of(m.handler(offset) for m in self._smallest(offset)))
            case "loop":
                return self._one(self._loop(site))
            case "method":
                named = self._meant(site, is_here)
                return [m.calls(site.variable == OTHERS) for m in named[:1]]
            case "unseen":
                return [Tally(second=m.entered()) for m in self._meant(site, is_here)]
            case "formal":
                counted = (m.formal(site.variable, site.dimension) for m in self._meant(site, is_here))
                return [t for t in counted if t is not None]
            case "lambda":
                return self._one(self._handed(offset))
            case "length":
                return self._one(
                    first_of(CallCounters(m).new_arrays(offset, site.dimension) for m in self._smallest(offset))
                )
            case "local":
                return self._one(first_of(CallCounters(m).begun(offset) for m in self._smallest(offset)))
            case _:
                return self._one(self._at_call(site, offset, line))

    def _one(self, tally: Tally | None) -> Sequence[Tally]:
        return [] if tally is None else [tally]

    def _smallest(self, offset: int) -> list[MethodCounters]:
        """The methods made from the least text around a place: initialisers stand in all constructors."""
        found = [(m, m.method.around(offset, ~0)) for m in self.methods]
        sized = [(m, r[0].stop - r[0].start) for m, r in found if r]
        least = min((size for _, size in sized), default=0)
        return [m for m, size in sized if size == least]

    def _loop(self, site: Site) -> Tally | None:
        offset, over = self.source.offset(site.at), self.source.loop_over(site.at)
        counts = self.source.word(site.at) == "for"
        chosen = self._smallest(offset if over is None else over)
        return first_of(m.loop(offset, over, counts) for m in chosen)

    def _named(self, name: str) -> list[MethodCounters]:
        """Methods of a name, constructors of a class of that name, or the lambda of a line (`lambda_12`)."""
        line = name.removeprefix("lambda_")
        if line.isdecimal() and name != line:
            made = [m for m in self.methods if m.method.method.name.startswith("lambda$")]
            lines = [(self._first_line(m), m) for m in made]
            nearest = min((k for k, _ in lines if k >= int(line)), default=-1)
            return [m for k, m in lines if k == nearest]
        if name == "static":
            return [m for m in self.methods if m.method.method.name == "<clinit>"]
        return [m for m in self.methods if name == (self._simple(m) if self._makes(m) else m.method.method.name)]

    def _makes(self, m: MethodCounters) -> bool:
        return m.method.method.name == "<init>"

    def _simple(self, m: MethodCounters) -> str:
        binary = m.method.owner.name.rpartition("/")[2]
        return self.names.get(binary, binary.rpartition("$")[2])

    def called(self) -> dict[str, str]:
        """What classes of one simple name are called, by their binary names."""
        binary = {m.method.owner.name: m.method.owner.name.rpartition("/")[2] for m in self.methods}
        return {name.replace("/", "."): self.names[own] for name, own in binary.items() if own in self.names}

    def _first_line(self, m: MethodCounters) -> int:
        """The line of the source where a method's code begins."""
        table = m.method.line_table
        return self.source.lines.get(table[0][1], 0) if table else 0

    def _declared_at(self, m: MethodCounters, offset: int) -> bool:
        """Whether a place is the name in the declaration of a method."""
        start = m.method.start
        return start is not None and offset <= start and not set("{};") & set(self.source.code(offset, start))

    def _meant(self, site: Site, is_here: bool) -> list[MethodCounters]:
        """The method that is declared at a place; where that is a call, those of the name in the class."""
        named = self._named(site.member)
        own = [m for m in named if self._simple(m) == site.owner]
        if not is_here:
            return own
        offset = self.source.offset(site.at)
        if site.member.startswith("lambda_") and named:
            return self._lambda(offset) or named
        declared = [m for m in named if self._declared_at(m, offset)]
        # What is declared in it begins behind it.
        return [min(declared, key=lambda m: m.method.start or 0)] if declared else own

    def _is_lambda(self, m: MethodCounters) -> bool:
        return m.method.method.name.startswith("lambda$")

    def _lambda(self, offset: int) -> list[MethodCounters]:
        """The lambda that begins at a place or next behind it; of several the outer one."""
        made = [m for m in self.methods if self._is_lambda(m) and m.method.stop > offset]
        for m in made:
            start = m.method.start if m.method.ranges else None
            if start is not None and start >= offset and LAMBDA_HEAD.fullmatch(self.source.code(offset, start)):
                return [m]
        # Where a pattern or a chain of calls hides the beginning, the end tells.
        return sorted(made, key=lambda m: (max(m.method.start or 0, offset), -m.method.stop))[:1]

    def _handed(self, offset: int) -> Tally | None:
        """Calls of a lambda, or of a method of an anonymous class, each time that its object is made."""
        named = [m for m in self.methods if not self._is_lambda(m) and self._declared_at(m, offset)]
        nearest = sorted(named, key=lambda m: m.method.start or 0)
        chosen = next(iter([*nearest, *self._lambda(offset)]), None)
        if chosen is None:
            return None
        referred = tuple(t for m in self.methods for t in m.references(chosen))
        if referred and not self._is_lambda(chosen):
            direct = tuple(t._replace(times=-1) for m in self.methods for t in m.invocations(chosen))
            return Tally(referred, chosen.entered() + direct)
        makers = [m for m in self.methods if m is not chosen and m.method.around(offset, STATEMENT)]
        sizes = [(r.stop - r.start, m) for m in makers for r in m.method.around(offset, STATEMENT)[:1]]
        least = min((size for size, _ in sizes), default=0)
        made: Sum = tuple(t for size, m in sizes if size == least for t in m.statement(offset))
        return Tally(made, chosen.entered())

    def _at_call(self, site: Site, offset: int, line: int | None) -> Tally | None:
        is_loop = self.source.word(site.at) == "for"
        every = [CallCounters(m) for m in self.methods]
        if line is None:
            chosen = [CallCounters(m) for m in self._smallest(offset)]
            if site.kind == "visit":
                return first_of(c.visit_field(offset, self.source.word(site.at)) for c in chosen)
            return first_of(c.visit_element(offset) for c in chosen) if site.kind == "box" else None
        match site.kind:
            case "thrown":
                return first_of(c.thrown(line) for c in every)
            case "class":
                return first_of(c.classes(line) for c in every)
            case "stream":
                return first_of(c.stream(line) for c in every)
            case "size":
                return first_of(self._size(c, line) for c in every)
            case "visit" | "box":
                return first_of(c.visit_call(line, site.kind == "box") for c in every)
            case _:
                timed = site.member not in SIZED_CALLS
                return first_of(c.time(line, is_loop) for c in every) if timed else None

    def _size(self, calls: CallCounters, line: int) -> Tally | None:
        for one in calls.call(line):
            owner, name, _ = calls.named(one)
            sized = SIZED.get(f"{owner.rpartition('/')[2]}.{name}", SIZED.get(f"array.{name}"))
            if sized is not None:
                return calls.size(line, sized.of, sized.less, sized.is_length)
        return None

    def finish(self, is_timed: bool, owners: AbstractSet[str]) -> set[int]:
        """Write the code of all methods; the counters of those that have no room for them."""
        left_out: set[int] = set()
        for m in self.methods:
            if self._simple(m) in owners:
                CallCounters(m).fields()
            self._watch_exceptions(m)
            if is_timed:
                self._watch_handlers(m)
            if not m.method.put_in.write(m.method.owner, self.source.lines):
                left_out |= m.own
        return left_out

    def _watch_exceptions(self, m: MethodCounters) -> None:
        """Whether an exception that is handled was thrown by the program, or by the virtual machine or a library."""
        handlers = {h.handler: "handled" for h in m.method.code.handlers}
        throws = {i.at: "threw" for i in m.method.instructions if i.operation == ATHROW}
        for at, name in (*handlers.items(), *throws.items()):
            m.before(at, m.pieces.dup + m.pieces.call(PROFILE, name, 0, "Ljava/lang/Throwable;"))

    def _watch_handlers(self, m: MethodCounters) -> None:
        """A call that has thrown ends where its exception is handled."""
        for start, handler in dict.fromkeys((h.start, h.handler) for h in m.method.code.handlers):
            number = m.new()
            m.before(start, m.pieces.call(CALLS, "tries", number))
            m.before(handler, m.pieces.call(CALLS, "caught", number))

    def anonymous(self) -> Iterator[tuple[str, int]]:
        """By anonymous class, the line where its object is made."""
        for m in self.methods:
            for one in m.method.instructions:
                if one.operation == INVOKE_SPECIAL:
                    owner, name, _ = m.method.owner.member(one.operand)
                    if name == "<init>" and owner.rpartition("$")[2].isdigit():
                        yield owner.replace("/", "."), self.source.lines.get(m.method.line(one.at), 0)
