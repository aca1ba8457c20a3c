"""The translator: which function translates which kind of expression or statement, on one page.

Java nests everything in everything (a switch in an expression, a class in a statement, a lambda in a call), so each
part of a translation needs all others. They meet here: every part takes a `Translator` and asks it for what is inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from apet.java.translator import (
    calls,
    conditions,
    exceptions,
    expressions,
    fields,
    lambdas,
    loops,
    methods,
    objects,
    statements,
)
from apet.java.translator.arithmetic import converted
from apet.java.translator.facts import Evaluated, Fact
from apet.java.translator.frame import MethodFrame
from apet.java.translator.mutual_recursion import completed
from apet.java.translator.resolved import typed
from apet.java.translator.variables import read_name
from apet.program import syntax as s
from apet.program import types
from apet.program.ir import Body
from apet.program.jumps import Jumps
from apet.program.syntax.declarations import Field, Method


class Translator(MethodFrame):
    """Translates one method; for the methods that it calls it begins others, on the same state."""

    def evaluate(self, e: s.Expression) -> Evaluated:  # noqa: C901  one case per kind of expression
        """Write the operations of an expression; its type and what is known of its value."""
        match e:  # the most frequent ones first
            case s.Identifier():
                return typed(self, e.at, read_name(self, e))
            case s.Literal():
                return expressions.literal(e)
            case s.BinaryOp():
                return expressions.binary(self, e)
            case s.ArrayAccess():
                return expressions.index(self, e)
            case s.MethodCall():
                return typed(self, e.at, calls.call(self, e))
            case s.FieldAccess():
                return typed(self, e.at, expressions.member(self, e))
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
            case s.InstanceOf():
                return expressions.instance_of(self, e)
            case s.New():
                return objects.new(self, e)
            case s.NewArray():
                return objects.new_array(self, e)
            case s.AddressOf():
                return expressions.address(self, e)
            case s.Comma():
                return expressions.comma(self, e)
            case s.ArrayLiteral():
                return objects.literal_array(self, types.Type("Object", 1), e)
            case s.Lambda():
                return lambdas.lambda_value(self, e)
            case s.Reference():
                return lambdas.reference(self, e)
            case s.Switch():
                return statements.switch(self, e)[1]
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
            case s.Throw():
                return statements.throw(self, statement)
            case s.Switch():
                return statements.switch(self, statement)[0]
            case s.Try():
                return exceptions.try_(self, statement)
            case s.Synchronized():
                return statements.synchronized(self, statement)
            case s.Labelled():
                return statements.labelled(self, statement)
            case s.LocalClass():
                objects.declare_class(self, statement.declared)
                return Jumps()
            case s.EmptyStatement():
                return Jumps()
            case _:
                assert_never(statement)

    def begin(self, method: Method) -> Translator:
        """A translator of another method."""
        return Translator(self.state, method)

    def body(self, method: Method) -> Body:
        """A method, translated at its first call."""
        if method in self.state.bodies:
            return completed(self.state, method)
        return methods.translated(self.begin(method))

    def field_fact(self, owner: str, field: Field) -> Fact:
        """What is known of a field here: what this method assigned last, else what holds everywhere."""
        key = f"this.{field.name}"
        return self.facts[key] if key in self.facts else fields.field_fact(self, owner, field)
