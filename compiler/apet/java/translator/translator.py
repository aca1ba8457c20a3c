"""The translator of Java: what its calls, objects, lambdas and exceptions mean."""

from __future__ import annotations

from typing import assert_never

from apet.java.translator import calls, dispatch, exceptions, lambdas, objects, resolved, unseen
from apet.java.translator.program import JavaProgram
from apet.program import syntax as s
from apet.program.algebra import Value
from apet.program.ir import Body, LineColumn
from apet.program.jumps import Jumps
from apet.program.syntax.declarations import Method
from apet.program.translator.facts import Evaluated, Instance
from apet.program.translator.for_each import Iterator
from apet.program.translator.state import TranslationState
from apet.program.translator.translator import Translator


class JavaTranslator(Translator):
    """Translates one method of Java."""

    def __init__(self, state: TranslationState, method: Method) -> None:
        super().__init__(state, method)
        assert isinstance(state.program, JavaProgram)
        self.program = state.program

    def call(self, e: s.MethodCall) -> Evaluated:
        return calls.call(self, e)

    def of_language(self, e: s.New | s.Lambda | s.InstanceOf) -> Evaluated:
        match e:
            case s.New():
                return objects.new(self, e)
            case s.Lambda():
                return lambdas.lambda_value(self, e)
            case s.InstanceOf():
                return objects.instance_of(self, e)
            case _:
                assert_never(e)

    def run_of_language(self, statement: s.Throw | s.LocalClass) -> Jumps:
        match statement:
            case s.Throw():
                return exceptions.throw(self, statement)
            case s.LocalClass():
                objects.declare_class(self, statement.declared)
                return Jumps()
            case _:
                assert_never(statement)

    def class_named(self, e: s.Expression) -> str | None:
        return calls.class_named(self, e)

    def static_field(self, owner: str, e: s.FieldAccess) -> Evaluated:
        return calls.static_field(self, owner, e)

    def typed(self, at: LineColumn, one: Evaluated) -> Evaluated:
        return resolved.typed(self, at, one)

    def this(self) -> Instance | None:
        return dispatch.this(self)

    def on_object(self, method: Method, target: Evaluated) -> Method:
        return dispatch.on_object(self, method, target)

    def iterator(self, source: Evaluated, at: LineColumn) -> Iterator:
        return dispatch.iterator(self, source, at)

    def not_instance(self, e: s.InstanceOf, share: Value) -> None:
        objects.not_instance(self, e, share)

    def with_unseen(self, body: Body) -> Body:
        return unseen.with_unseen(self, body)
