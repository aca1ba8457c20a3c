"""What is put around single instructions: calls, new arrays, visits of objects, elements that change.

What stands on the stack below what is looked at goes into variables of its own, behind those of the method, and comes
back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from apet.java.bytecode.code_places import STATEMENT, CodeRange
from apet.java.bytecode.counters import MethodCounters
from apet.java.bytecode.instructions import (
    CONSTANTS,
    GET_FIELD,
    INVOKE_DYNAMIC,
    INVOKE_STATIC,
    INVOKES,
    LONG_STORES,
    MULTI_NEW_ARRAY,
    NEW_ARRAYS,
    PUT_FIELD,
    RETURNS,
    STORES,
    Instruction,
)
from apet.java.bytecode.pieces import CALLS, OBJECTS, PROFILE, formal_types, width
from apet.java.bytecode.tallies import Tally, Term, mean

OBJECT = "Ljava/lang/Object;"
_INIT, _LOAD_ELEMENT, _DUP = "<init>", 50, 89
_NEW_ARRAY = re.compile(r"\bnew\s+[\w.$]+\s*\[\s*[^\]\s]")


class CallCounters:
    """Counters at the calls of one method."""

    def __init__(self, counters: MethodCounters) -> None:
        self.counters = counters
        self.method = counters.method
        self.pieces = counters.pieces

    def invocations(self, line: int | None) -> list[Instruction]:
        """The calls on a line of the copy."""
        return [i for i in self.method.instructions if i.operation in INVOKES and self.method.line(i.at) == line]

    def named(self, one: Instruction) -> tuple[str, str, str]:
        """Owner, name and descriptor of what is called."""
        return self.method.owner.member(one.operand)

    def call(self, line: int | None) -> list[Instruction]:
        """The call that stands alone on a line: of a new object its constructor."""
        found = [i for i in self.invocations(line) if i.operation != INVOKE_DYNAMIC]
        made = [i for i in found if self.named(i)[1] == _INIT]
        return made or found[:1] if len({self.named(i) for i in found}) > 1 else found

    def time(self, line: int | None, is_loop: bool) -> Tally | None:
        """Clocks around a call, or around each step of a loop over a collection."""
        number = -1
        for one in self.invocations(line):
            owner, name, _ = self.named(one)
            if is_loop and name not in ("hasNext", "next"):
                continue
            if owner.rpartition("$")[2].isdigit() or one.operation == INVOKE_DYNAMIC:
                continue  # it has code that is no part of the call
            number = self.counters.new() if number < 0 else number
            if not is_loop or name == "hasNext":
                self.counters.before(one.at, self.pieces.call(CALLS, "begins", number))
            if is_loop and name == "hasNext":
                self.counters.behind(one.at, self.pieces.dup + self.pieces.call(CALLS, "more", number, "Z"))
            else:
                self.counters.behind(one.at, self.pieces.call(CALLS, "ends", number))
        return Tally(counters=(number,)) if number >= 0 else None

    def thrown(self, line: int | None) -> Tally | None:
        """How often a call is made, and how often it ends with an exception."""
        tally: Tally | None = None
        for one in self.call(line):
            made, ended = Term(self.counters.arrivals(one.at), "first"), self.counters.new()
            self.counters.behind(one.at, self.pieces.call(PROFILE, "hit", ended))
            own = Tally((made,), (made, Term(ended, "first", -1)))
            tally = own if tally is None else tally.joined(own)
        return tally

    def classes(self, line: int | None) -> Tally | None:
        """The classes of the objects that a method is called on."""
        number = -1
        for one in self.call(line):
            if one.operation != INVOKE_STATIC and self.named(one)[1] != _INIT:
                number = self.counters.new() if number < 0 else number
                name = self.pieces.owner.string(self.named(one)[1])
                piece = self.pieces.dup + bytes((19, *name.to_bytes(2, "big")))
                self._on_target(one, piece + self.pieces.call(CALLS, "of", number, f"{OBJECT}Ljava/lang/String;"))
        counted = () if number < 0 else mean(number).first
        return Tally(first=counted, counters=(number,)) if number >= 0 else None

    def stream(self, line: int | None) -> Tally | None:
        """How many elements the end of a stream takes."""
        number = -1
        for one in self.call(line):
            kind = f"L{self.named(one)[0]};"
            if one.operation != INVOKE_STATIC and kind.startswith("Ljava/util/stream/"):
                number = self.counters.new() if number < 0 else number
                self._on_target(one, self.pieces.call(CALLS, "taken", number, kind, kind))
        return mean(number) if number >= 0 else None

    def size(self, line: int | None, of: int, less: int | None, is_length: bool) -> Tally | None:
        """How many elements a call works on: the length of an argument (-1: the target), or what one says."""
        number = -1
        for one in self.call(line):
            kinds = self._taken(one)
            number = self.counters.new() if number < 0 else number
            shift = 1 if one.operation != INVOKE_STATIC else 0
            if max(of, of if less is None else less) + shift >= len(kinds):
                continue
            variables, store, load = self._spilled(kinds)
            looked = self._looked(kinds, variables, of + shift, number, "elements" if is_length else "length")
            if less is not None:
                looked += self._looked(kinds, variables, less + shift, number, "less")
            self.counters.before(one.at, store + looked + load)
        return mean(number) if number >= 0 else None

    def _looked(self, kinds: Sequence[str], variables: Sequence[int], k: int, number: int, name: str) -> bytes:
        kind = OBJECT if name == "elements" else kinds[k]
        return self.pieces.load(variables[k], kinds[k]) + self.pieces.call(PROFILE, name, number, kind)

    def new_arrays(self, offset: int, dimension: int) -> Tally | None:
        """The lengths of the new array at a place, in a dimension."""
        tally: Tally | None = None
        for statement in self.method.around(offset, STATEMENT):
            made = self._new_arrays(statement)
            turn = len(_NEW_ARRAY.findall(self.method.source.code(statement.start, offset)))
            if turn < len(made):
                own = self._length(made[turn], dimension - 1)
                tally = own if tally is None else tally.joined(own)
        return tally

    def _length(self, one: Instruction, dimension: int) -> Tally:
        number = self.counters.new()
        if one.operation in NEW_ARRAYS:
            self.counters.before(one.at, self.pieces.dup + self.pieces.call(PROFILE, "length", number, "I"))
        else:
            kinds = ["I"] * one.data[3]
            variables, store, load = self._spilled(kinds)
            self.counters.before(one.at, store + self._looked(kinds, variables, dimension, number, "length") + load)
        return mean(number)

    def _new_arrays(self, statement: CodeRange) -> list[Instruction]:
        """New arrays of a statement but those of elements in braces: these are filled at once."""
        found: list[Instruction] = []
        inside = self.method.within(statement)
        for k, one in enumerate(inside):
            is_filled = k + 1 < len(inside) and inside[k + 1].operation == _DUP
            if one.operation == MULTI_NEW_ARRAY or (
                one.operation in NEW_ARRAYS and not (is_filled and inside[k - 1].operation in CONSTANTS)
            ):
                found.append(one)
        return found

    def begun(self, offset: int) -> Tally | None:
        """What a whole number begins with."""
        tally: Tally | None = None
        for statement in self.method.around(offset, STATEMENT):
            last = self.method.within(statement)[-1]
            if last.operation in STORES:
                number, is_long = self.counters.new(), last.operation in LONG_STORES
                piece = self.pieces.dup2 if is_long else self.pieces.dup
                self.counters.before(
                    last.at, piece + self.pieces.call(PROFILE, "length", number, "J" if is_long else "I")
                )
                tally = mean(number) if tally is None else tally.joined(mean(number))
        return tally

    def visit_field(self, offset: int, name: str) -> Tally | None:
        """Visits of the object whose field a place names."""
        for statement in self.method.around(offset, STATEMENT):
            used = [
                i
                for i in self.method.within(statement)
                if i.operation in (GET_FIELD, PUT_FIELD) and self.named(i)[1] == name
            ]
            if used:
                before = re.findall(rf"\.\s*{re.escape(name)}\b", self.method.source.code(statement.start, offset))
                return self.visit(used[min(len(before), len(used) - 1)], is_result=False)
        return None

    def visit_element(self, offset: int) -> Tally | None:
        """Visits of the box that an array holds."""
        for statement in self.method.around(offset, STATEMENT):
            for one in self.method.within(statement):
                if one.operation == _LOAD_ELEMENT:
                    return self.visit(one, is_result=True)
        return None

    def visit_call(self, line: int | None, is_result: bool) -> Tally | None:
        """Visits of what a call is made on, or of what it returns."""
        called = [i for i in self.call(line) if is_result or i.operation != INVOKE_STATIC]
        if not called or (is_result and self.named(called[-1])[2].rpartition(")")[2][0] not in "L["):
            return None
        return self.visit(called[-1], is_result)

    def visit(self, one: Instruction, is_result: bool) -> Tally:
        """Visits of what an instruction works on, or of its result."""
        number = self.counters.new()
        piece = self.pieces.dup + self.pieces.call(OBJECTS, "visit", number, OBJECT)
        if is_result:
            self.counters.behind(one.at, piece)
        elif one.operation == GET_FIELD:
            self.counters.before(one.at, piece)
        else:
            self._on_target(one, piece)
        return Tally(counters=(number,))

    def fields(self) -> None:
        """Look at fields where a method begins, and where a constructor with a loop ends."""
        owner, p, number = self.method.owner, self.pieces, self.counters.new()
        if self.method.method.is_static:
            constant = bytes((19, *owner.class_constant(owner.name).to_bytes(2, "big")))
            self.counters.before(0, constant + p.call(PROFILE, "fields", number, "Ljava/lang/Class;"))
            return
        look = p.load(0, "A") + p.call(PROFILE, "object", number, OBJECT)
        if self.method.method.name != _INIT:
            self.counters.before(0, look)
        elif any(target <= i.at for i in self.method.instructions for target in i.targets):
            for one in self.method.instructions:
                if one.operation in RETURNS:
                    self.counters.before(one.at, look)

    def _taken(self, one: Instruction) -> list[str]:
        """The types of what a call takes off the stack, the target first."""
        _, _, descriptor = self.named(one)
        kinds = formal_types(descriptor) if "(" in descriptor else [descriptor]
        if one.operation == GET_FIELD:
            kinds = []
        return kinds if one.operation == INVOKE_STATIC else [OBJECT, *kinds]

    def _on_target(self, one: Instruction, piece: bytes) -> None:
        """A piece that finds what a call is made on at the top of the stack."""
        _, store, load = self._spilled(self._taken(one)[1:])
        self.counters.before(one.at, store + piece + load)

    def _spilled(self, kinds: Sequence[str]) -> tuple[list[int], bytes, bytes]:
        """Variables for values of these types, what puts the values there, and what takes them back."""
        variables: list[int] = []
        number = self.method.code.max_locals
        for kind in kinds:
            variables.append(number)
            number += width(kind)
        put_in = self.method.put_in
        put_in.extra_locals = max(put_in.extra_locals, number - self.method.code.max_locals)
        pairs = list(zip(variables, kinds, strict=True))
        store = b"".join(self.pieces.store(v, k) for v, k in reversed(pairs))
        return variables, store, b"".join(self.pieces.load(v, k) for v, k in pairs)
