"""The translator: which function translates which kind of expression or statement, on one page.

Programs nest everything in everything (a switch in an expression, a class in a statement, a lambda in a call), so each
part of a translation needs all others. They meet here: every part takes a `Translator` and asks it for what is inside.
A language says in a class below this one what its calls mean, and what terms mean that only it has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Self, assert_never

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value
from apet.program.ir import Body, LineColumn
from apet.program.jumps import Jumps
from apet.program.syntax.declarations import Field, Method
from apet.program.translator import (
    arrays,
    conditions,
    exceptions,
    expressions,
    fields,
    functions,
    loops,
    members,
    methods,
    statements,
)
from apet.program.translator.arithmetic import converted
from apet.program.translator.facts import Evaluated, Fact, Instance
from apet.program.translator.for_each import Iterator
from apet.program.translator.frame import MethodFrame
from apet.program.translator.mutual_recursion import completed
from apet.program.translator.variables import read_name


class Translator(MethodFrame, ABC):
    """Translates one method; for the methods that it calls it begins others, on the same state."""

    def evaluate(self, e: s.Expression) -> Evaluated:  # noqa: C901  one case per kind of expression
        """Write the operations of an expression; its type and what is known of its value."""
        match e:  # the most frequent ones first
            case s.Identifier():
                return self.typed(e.at, read_name(self, e))
            case s.Literal():
                return expressions.literal(e)
            case s.BinaryOp():
                return expressions.binary(self, e)
            case s.ArrayAccess():
                return expressions.index(self, e)
            case s.MethodCall():
                return self.typed(e.at, self.call(e))
            case s.FieldAccess():
                return self.typed(e.at, members.member(self, e))
            case s.Assign():
                return expressions.assign(self, e)
            case s.Increment():
                return expressions.step(self, e)
            case s.UnaryOp():
                return expressions.unary(self, e)
            case s.Cast():
                return converted(self, self.evaluate(e.operand), e.type)
            case s.Conditional():
                return conditions.conditional(self, e)
            case s.NewArray():
                return arrays.new_array(self, e)
            case s.AddressOf():
                return expressions.address(self, e)
            case s.Comma():
                return expressions.comma(self, e)
            case s.ArrayLiteral():
                return arrays.literal_array(self, types.Type("Object", 1), e)
            case s.Reference():
                return functions.reference(self, e)
            case s.Switch():
                return statements.switch(self, e)[1]
            case s.New() | s.Lambda() | s.InstanceOf():
                return self.of_language(e)
            case s.Opaque():
                return expressions.opaque(self, e)
            case _:
                assert_never(e)

    def run(self, statement: s.Statement) -> Jumps:
        """Write the operations of a statement; the jumps that it may make, also by the methods that it calls."""
        outside, self.thrown = self.thrown, Jumps()
        flow = self._run(statement)
        thrown, self.thrown = self.thrown, outside
        return thrown.joined(flow.scaled(1 - thrown.total)) if thrown else flow

    def run_all(self, written: Sequence[s.Statement]) -> Jumps:
        """Write statements in order."""
        return statements.run_all(self, written)

    def _run(self, statement: s.Statement) -> Jumps:
        match statement:
            case s.Do():
                return statements.do(self, statement)
            case s.LocalVariables():
                return statements.local(self, statement)
            case s.CodeBlock():
                return statements.block(self, statement)
            case s.If():
                return statements.if_(self, statement)
            case s.For() | s.While() | s.DoWhile() | s.ForEach():
                return loops.run_loop(self, statement, "")
            case s.Return():
                return statements.return_(self, statement)
            case s.Jump(kind, label):
                return Jumps({f"{kind}:{label}" if label else kind: statements.ALWAYS})
            case s.Yield():
                self.evaluate(statement.value)
                return Jumps({"yield": statements.ALWAYS})
            case s.Throw() | s.LocalClass():
                return self.run_of_language(statement)
            case s.Switch():
                return statements.switch(self, statement)[0]
            case s.Try():
                return exceptions.try_(self, statement)
            case s.Synchronized():
                return statements.synchronized(self, statement)
            case s.Labelled():
                return statements.labelled(self, statement)
            case s.EmptyStatement():
                return Jumps()
            case _:
                assert_never(statement)

    def begin(self, method: Method) -> Self:
        """A translator of another method."""
        return type(self)(self.state, method)

    def body(self, method: Method) -> Body:
        """A method, translated at its first call."""
        if method in self.state.bodies:
            return completed(self.state, method)
        return methods.translated(self.begin(method))

    def field_fact(self, owner: str, field: Field) -> Fact:
        """What is known of a field here: what this method assigned last, else what holds everywhere."""
        key = f"this.{field.name}"
        return self.facts[key] if key in self.facts else fields.field_fact(self, owner, field)

    def end(self) -> Evaluated:
        """The program ends here."""
        self.thrown = self.thrown.joined(Jumps({"return": statements.ALWAYS}))
        return Evaluated(types.VOID)

    # What a language says

    @abstractmethod
    def call(self, e: s.MethodCall) -> Evaluated:
        """Write a call."""

    def of_language(self, e: s.New | s.Lambda | s.InstanceOf) -> Evaluated:
        """Write an expression that only some languages have; the readers of others make none."""
        raise TypeError(f"{type(e).__name__} is of another language")

    def run_of_language(self, statement: s.Throw | s.LocalClass) -> Jumps:
        """Write a statement that only some languages have; the readers of others make none."""
        raise TypeError(f"{type(statement).__name__} is of another language")

    def class_named(self, e: s.Expression) -> str | None:
        """The simple name of the class that an expression names; None where it is a value."""
        return None

    def static_field(self, owner: str, e: s.FieldAccess) -> Evaluated:
        """A field of a class, where the language has such."""
        raise TypeError(f"{owner} is of another language")

    def typed(self, at: LineColumn, one: Evaluated) -> Evaluated:
        """An expression whose type the source leaves open, with what is known of it otherwise."""
        return one

    def this(self) -> Instance | None:
        """The class of the object that the method runs on, where it is not the method's own."""
        return None

    def on_object(self, method: Method, target: Evaluated) -> Method:
        """The method as it runs on an object."""
        return method

    def iterator(self, source: Evaluated, at: LineColumn) -> Iterator:
        """What gives the elements of something that is no array."""
        return Iterator(source, types.UNKNOWN)

    def not_instance(self, e: s.InstanceOf, share: Value) -> None:
        """Write what a test of a class takes besides, in the share of its runs in which it fails."""

    def with_unseen(self, body: Body) -> Body:
        """The entry with calls that no code of the program writes."""
        return body
