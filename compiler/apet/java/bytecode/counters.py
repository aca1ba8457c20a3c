"""Counters at places of the source: which code is counted for each, and what the counts of a run say of it.

A branch is counted where it is asked and where it falls through, so that both its outcomes are known even where an
exception leaves between them; how often a statement begins is how often its first instruction is reached, without the
jumps back to it from inside.
"""

from __future__ import annotations

from apet.java.bytecode.code_places import (
    BRANCH_FALSE,
    BRANCH_TRUE,
    CONDITION,
    STATEMENT,
    TARGET,
    CodeRange,
    PlacedMethod,
)
from apet.java.bytecode.instructions import (
    CONDITIONAL,
    GOTO,
    INVOKE_DYNAMIC,
    INVOKES,
    LOOKUPSWITCH,
    RETURNS,
    TABLESWITCH,
    Instruction,
)
from apet.java.bytecode.pieces import PROFILE, TO_DOUBLE, Pieces
from apet.java.bytecode.tallies import Numbers, Sum, Tally, Term, mean

BLOCK = 0x2


class MethodCounters:
    """The counters of one method, each of which is put in once."""

    def __init__(self, method: PlacedMethod, numbers: Numbers) -> None:
        self.method = method
        self.numbers = numbers
        self.pieces = Pieces(method.owner)
        self.own: set[int] = set()
        """The numbers of its counters."""
        self._arrivals: dict[int, int] = {}
        self._jumps: dict[int, int] = {}
        self._switches: dict[int, int] = {}

    def new(self) -> int:
        """The number of a new counter."""
        number = self.numbers.new()
        self.own.add(number)
        return number

    def before(self, at: int, piece: bytes) -> None:
        """What runs whenever an instruction is reached."""
        self.method.put_in.before[at] += piece

    def behind(self, at: int, piece: bytes) -> None:
        """What runs where an instruction goes on with the next one; pieces around it lie in each other."""
        self.method.put_in.behind[at] = piece + self.method.put_in.behind[at]

    def arrivals(self, at: int) -> int:
        """The counter of how often an instruction is reached."""
        if at not in self._arrivals:
            self._arrivals[at] = self.new()
            self.before(at, self.pieces.call(PROFILE, "hit", self._arrivals[at]))
        return self._arrivals[at]

    def jump(self, one: Instruction) -> int:
        """The counter of a conditional jump: "first" how often it is asked, "second" how often it falls through."""
        if one.at not in self._jumps:
            number = self._jumps[one.at] = self.new()
            self.before(one.at, self.pieces.call(PROFILE, "asked", number))
            self.behind(one.at, self.pieces.call(PROFILE, "fell", number))
        return self._jumps[one.at]

    def taken(self, one: Instruction) -> Sum:
        """How often a jump is taken."""
        if one.operation == GOTO:
            return (Term(self.arrivals(one.at), "first"),)
        number = self.jump(one)
        return Term(number, "first"), Term(number, "second", -1)

    def fell(self, one: Instruction) -> Sum:
        """How often a conditional jump is not taken."""
        return (Term(self.jump(one), "second"),)

    def entries(self, one: CodeRange) -> Sum:
        """How often code is entered from outside."""
        inside = [i for i in self.method.within(one) if one.first in i.targets and i.operation in (*CONDITIONAL, GOTO)]
        back = tuple(Term(c, w, -n) for i in inside for c, w, n in self.taken(i))
        return (Term(self.arrivals(one.first), "first"), *back)

    def test(self, offset: int) -> Tally | None:
        """How often the condition at a place was decided, and how often it held."""
        tally: Tally | None = None
        for one in self.method.around(offset, CONDITION):
            first = self._first_side(one, offset)
            own = self._decided(one) if first is None else self._decided(*first)
            tally = own if tally is None or own is None else tally.joined(own)
        return tally

    def _first_side(self, one: CodeRange, offset: int) -> tuple[CodeRange, bool] | None:
        """The first side of `&&` or `||` that has no range of its own, as a pattern has none, and what it was where the
        second is reached; None of what is asked about as a whole."""
        code = self.method.source.code
        seconds = [r for r in self.method.ranges if r.flags == TARGET and r.stop == one.stop and r.start > offset]
        for second in seconds:
            operator = code(offset, second.start).rstrip(" (\n\t")[-2:]
            if (
                one.first < second.first <= one.last
                and operator in ("&&", "||")
                and code(offset, offset + 2) != operator
            ):
                return one._replace(last=second.first - 1), operator == "&&"
        return None

    def _decided(self, one: CodeRange, behind_holds: bool = True) -> Tally | None:
        """What a condition came to: the jump behind it leads to one side, others in it to the same or to the other."""
        inside = [i for i in self.method.within(one) if i.operation in CONDITIONAL or i.operation == GOTO]
        behind = one.last + 1
        last = self.method.put_in.by_place.get(behind)
        flags = 0 if last is None else self._branch(last)
        if last is None or not flags:
            if not inside:
                return None
            # A pattern that is matched leads to what is behind it without a jump.
            other, holds, stop = self.method.behind_gotos(behind), behind_holds, one.last
            outcomes: dict[bool, Sum] = {
                True: (Term(self.arrivals(self.method.within(one)[-1].at), "first"),),
                False: (),
            }
            missed: Sum = ()
        else:
            other, holds, stop = self.method.behind_gotos(last.targets[0]), bool(flags & BRANCH_TRUE), last.at
            outcomes = {True: self.taken(last), False: () if last.operation == GOTO else self.fell(last)}
            missed = () if last.operation == GOTO else (Term(self.jump(last), "missed"),)
        for i in inside:
            if not one.first < i.targets[0] <= stop:
                outcomes[self.method.behind_gotos(i.targets[0]) == other] += self.taken(i)
            missed = missed or ((Term(self.jump(i), "missed"),) if i.operation in CONDITIONAL else ())
        return Tally((*outcomes[True], *outcomes[False]), outcomes[holds], missed)

    def _branch(self, one: Instruction) -> int:
        """Whether a jump is where a condition is decided, and on which side it jumps: flags of its range."""
        if one.operation not in CONDITIONAL and one.operation != GOTO:
            return 0
        flags = (r.flags for r in self.method.ranges if r.first == one.at and r.last == one.next - 1)
        return next((f for f in flags if f & (BRANCH_TRUE | BRANCH_FALSE)), 0)

    def loop(self, offset: int, over: int | None, counts: bool) -> Tally | None:
        """Entries and rounds of the loop at a place; `over` is where that begins which it runs over."""
        method = self.method
        if over is not None:
            found = [r for r in method.ranges if r.flags & STATEMENT and r.start == over]
            longest = max((r.last - r.first for r in found), default=0)
            found = [r for r in found if r.last - r.first == longest]
        else:
            found = method.around(offset, STATEMENT)
        tally: Tally | None = None
        for one in found:
            own = self._rounds(one, over is not None, counts)
            tally = own if tally is None or own is None else tally.joined(own)
        return tally

    def _rounds(self, one: CodeRange, is_over: bool, counts: bool) -> Tally | None:
        end = self.method.behind_gotos(one.last + 1)
        exits = [
            i
            for i in self.method.jumps(one)
            if not one.first <= i.targets[0] <= one.last or self.method.behind_gotos(i.targets[0]) == end
        ]
        if is_over:
            return Tally(self.entries(one), self.fell(exits[0])) if exits else None
        body = self._body(one)
        condition = self._condition(one, body)
        decided = None if condition is None else self._decided(condition)
        if condition is not None and decided is not None:
            last = self.method.put_in.by_place.get(condition.last + 1)
            if last is not None and last.operation in CONDITIONAL:
                self.numbers.loops[self.jump(last)] = (counts, bool(self._branch(last) & BRANCH_TRUE))
        rounds = self.entries(body) if body is not None else decided.second if decided is not None else ()
        if not rounds:
            return None
        return Tally(self.entries(one), rounds, () if decided is None else decided.missed)

    def _body(self, one: CodeRange) -> CodeRange | None:
        """What a loop repeats: the largest statement in it that is led to."""
        wanted = STATEMENT | TARGET
        inside = [
            r
            for r in self.method.ranges
            if r.flags & wanted == wanted
            and one.first <= r.first
            and r.last <= one.last
            and one.start < r.start
            and r.stop <= one.stop
        ]
        return max(inside, key=lambda r: (r.stop - r.start, r.flags & BLOCK), default=None)

    def _condition(self, one: CodeRange, body: CodeRange | None) -> CodeRange | None:
        """What decides on a further round: the largest condition of a loop outside of its body."""
        inside = [
            r
            for r in self.method.ranges
            if r.flags & CONDITION
            and one.first <= r.first
            and r.last <= one.last
            and one.start < r.start
            and r.stop <= one.stop
            and (body is None or r.stop <= body.start or body.stop <= r.start)
        ]
        return max(inside, key=lambda r: r.stop - r.start, default=None)

    def case(self, offset: int) -> Tally | None:
        """How often a case is chosen, of those that none before it was."""
        led = [r for r in self.method.ranges if r.flags & TARGET and r.start >= offset]
        if not led:
            return None
        nearest = min(r.start for r in led)
        tally: Tally | None = None
        for at in {r.first for r in led if r.start == nearest}:
            for one in self.method.instructions:
                if one.operation in (TABLESWITCH, LOOKUPSWITCH) and at in one.targets:
                    tally = self._chosen(one, at) if tally is None else tally.joined(self._chosen(one, at))
        return tally

    def _chosen(self, one: Instruction, at: int) -> Tally:
        if one.at not in self._switches:
            number = self._switches[one.at] = self.new()
            self.before(one.at, self.pieces.dup + self.pieces.call(PROFILE, "chosen", number, "I"))
        default, keys = one.targets[0], one.keys()
        cases = list(zip(keys, one.targets[1:], strict=True))
        mine = tuple(k for k, target in cases if target == at)
        earlier = tuple(k for k, target in cases if target < at and target != default)
        return Tally(chosen=((self._switches[one.at], mine, earlier),))

    def handler(self, offset: int) -> Tally | None:
        """How often the body of a `try` is entered, and how often the handler at a place."""
        entered: Sum = ()
        tried: Sum = ()
        for one in self._blocks_at(offset):
            before = [h for h in self.method.code.handlers if h.handler <= one.first and one.first - h.handler <= 4]
            if not before:
                continue
            entered += (Term(self.arrivals(max(h.handler for h in before)), "first"),)
            last = max(h.handler for h in before)
            start = min(h.start for h in before if h.handler == last)
            body = [r for r in self.method.ranges if r.first == start and r.flags & BLOCK and r.stop <= offset]
            whole = max(body, key=lambda r: r.stop - r.start, default=None)
            tried += self.entries(whole) if whole else (Term(self.arrivals(start), "first"),)
        return Tally(tried, entered) if entered else None

    def _blocks_at(self, offset: int) -> list[CodeRange]:
        """The block that begins at a place, or the next one behind it."""
        led = [r for r in self.method.ranges if r.flags & BLOCK and r.start >= offset]
        nearest = min((r.start for r in led), default=-1)
        return [r for r in led if r.start == nearest]

    def calls(self, by_others: bool) -> Tally:
        """Calls of the method from outside, and all; `by_others`: those that its own code has not made, and all."""
        number = self.new()
        self.before(0, self.pieces.call(PROFILE, "call", number))
        self._where_it_ends(self.pieces.call(PROFILE, "back", number))
        called = (Term(number, "second"),)
        if not by_others:
            return Tally((Term(number, "first"),), called)
        return Tally((*called, *(t._replace(times=-1) for t in self.invocations(self))), called)

    def invocations(self, called: MethodCounters) -> Sum:
        """How often the code of this method calls one of the program's."""
        wanted = called.method.owner.name, called.method.method.name, called.method.method.descriptor
        found = [i for i in self.method.instructions if i.operation in INVOKES]
        calls = [i for i in found if self.method.owner.member(i.operand) == wanted]
        return tuple(Term(self.arrivals(i.at), "first") for i in calls)

    def references(self, called: MethodCounters) -> Sum:
        """How often the code of this method makes an object that calls one of the program's, as `X::name` does."""
        wanted = called.method.method.name, called.method.method.descriptor
        found = [i for i in self.method.instructions if i.operation == INVOKE_DYNAMIC]
        made = [i for i in found if self.method.owner.bootstrap_method(i.operand) == wanted]
        return tuple(Term(self.arrivals(i.at), "first") for i in made)

    def formal(self, name: str, dimension: int) -> Tally | None:
        """The sum of the values of a formal, or of its lengths in a dimension."""
        variable, kind = self.method.variables().get(name, (0, ""))
        if not kind:
            return None
        number = self.new()
        if dimension:
            load = self.pieces.load(variable, kind) + self.pieces.number(dimension)
            self.before(0, load + self.pieces.call(PROFILE, "extent", number, "Ljava/lang/Object;I"))
        elif kind in TO_DOUBLE:
            load = self.pieces.load(variable, kind) + TO_DOUBLE[kind]
            self.before(0, load + self.pieces.call(PROFILE, "value", number, "D"))
        else:
            load = self.pieces.load(variable, kind)
            self.before(0, load + self.pieces.call(PROFILE, "boxed", number, "Ljava/lang/Object;"))
        return mean(number)

    def entered(self) -> Sum:
        """How often the method is called; clocks of calls that it runs in stop meanwhile."""
        number = self.new()
        self.before(0, self.pieces.call(PROFILE, "round", number))
        self._where_it_ends(self.pieces.call(PROFILE, "over", number))
        return (Term(number, "second"),)

    def _where_it_ends(self, piece: bytes) -> None:
        for one in self.method.instructions:
            if one.operation in RETURNS:
                self.before(one.at, piece)
        self.method.put_in.at_exit += piece

    def statement(self, offset: int) -> Sum:
        """How often the statement around a place begins."""
        return tuple(t for one in self.method.around(offset, STATEMENT) for t in self.entries(one))
