"""The translator of C: its calls are of functions of the program, of mathematics, by a pointer, or of a library."""

from __future__ import annotations

from collections.abc import Sequence

from apet.c.program import CProgram
from apet.program import syntax as s
from apet.program import types
from apet.program.syntax.declarations import Method
from apet.program.translator import functions
from apet.program.translator.facts import Evaluated, Functional
from apet.program.translator.invocation import invoke, is_small_enough
from apet.program.translator.mathematics import of_math
from apet.program.translator.operations import library_name
from apet.program.translator.sized_calls import SizedCall, for_each_element, size_of
from apet.program.translator.state import TranslationState
from apet.program.translator.translator import Translator

POINTED = "apply"
"""The name of a call by a pointer to a function."""

SIZED = {
    **dict.fromkeys(("memcpy", "memmove", "memset"), SizedCall(2, is_length=False)),
    "qsort": SizedCall(1, is_length=False, sorts=True),
}
"""Functions of C's library whose cost grows with the bytes that they move, or the elements that they sort."""


class CTranslator(Translator):
    """Translates one function of C."""

    def __init__(self, state: TranslationState, function: Method) -> None:
        super().__init__(state, function)
        assert isinstance(state.program, CProgram)
        self.program = state.program

    def call(self, e: s.MethodCall) -> Evaluated:
        """Write a call."""
        if e.target is not None and e.name == POINTED:
            return self._pointed(e, self.evaluate(e.target), [self.evaluate(a) for a in e.arguments])
        if e.target is not None and e.name == "exit":
            return self.end()
        arguments = [self.evaluate(a) for a in e.arguments]
        if e.target is not None:
            return of_math(self, e, arguments)
        function = self.program.function(self.owner, e.name)
        if function is not None and function.has_body and is_small_enough(self, function, e.at):
            return invoke(self, function, arguments, Evaluated(types.Type(self.owner)), e.at)
        return self._library(e, "" if function is None else function.owner, (), arguments)

    def _pointed(self, e: s.MethodCall, target: Evaluated, arguments: Sequence[Evaluated]) -> Evaluated:
        """A call by a pointer: of the function that it points to, where that is known."""
        if isinstance(target.fact, Functional):
            return functions.call_function(self, target.fact, arguments, e.at)
        named = e.target.name if isinstance(e.target, s.FieldAccess) and not target.type.name else target.type.name
        return self._library(e, "array" if target.type.dimensions else named, (target,), arguments)

    def _library(
        self, e: s.MethodCall, owner: str, target: Sequence[Evaluated], arguments: Sequence[Evaluated]
    ) -> Evaluated:
        """A call of a function without a body, which may call those that it is given."""
        name = library_name(owner, e.name)
        result = self.library(name, e.at, (*target, *arguments))
        sized = SIZED.get(e.name)
        if sized is not None and len(arguments) > sized.of:
            if size_of(sized, result, arguments) is None:
                self.unsupported(f"{e.name} of a size that is not known is counted as a call of a few elements", e.at)
            else:
                for_each_element(self, e, name, sized, result, arguments)
        functions.handed_over(self, e.name, arguments, e.at, None, types.UNKNOWN)
        return result
