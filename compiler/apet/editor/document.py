"""One open text: its diagnostics, the name at a place, and what renaming it would change."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from apet.cost import deep_recursion
from apet.cost.equation_costs import equation_costs
from apet.editor.occurrences import WORD, Meaning, Occurrence, occurrences
from apet.formula import Formula
from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source, Span
from apet.machine import Machines
from apet.model.lints import lints
from apet.model.pamela.including import alone
from apet.model.pamela.parse import declarations, with_entry
from apet.model.resolve import resolve
from apet.model.terms import BUILTINS, FUNCTIONS, Model
from apet.pasl.check import check as check_tasks
from apet.pasl.read import read_tasks
from apet.show.formula_lines import text_of
from apet.trials.languages import is_task_graph

LONGEST_FORMULA = 2000
SOFT = ("def", "include", "graph", "after")
"""Words of the language that are names elsewhere."""
KEYWORDS = ("param", "resource", "servers", "seq", "par", "if", "else", "use", "delay", "sum", "in", *SOFT)
DECLARED = ("parameter", "resource", "equation", "function", "part")
FIXED = ("operation", "built-in", "name")
"""Kinds of names that are declared outside the model."""


class OpenDocument:
    """A PAMELA-E text, or, by the name of its file, a PASL text, which has diagnostics only."""

    def __init__(self, name: str, text: str, machines: Machines | None = None) -> None:
        self.source = Source(name, text)
        self.machines = machines
        self.model: Model | None = None
        self.diagnostics = self._check()

    def _check(self) -> list[Diagnostic]:
        """Errors and advice; the model is kept where the text can be read."""
        with deep_recursion(), paused_collector():
            try:
                return self._check_graph() if is_task_graph(self.source.name) else self._check_model()
            except ApetError as error:
                return list(error.diagnostics)

    def _check_graph(self) -> list[Diagnostic]:
        check_tasks(read_tasks(self.source))
        return []

    def _check_model(self) -> list[Diagnostic]:
        # names can be answered as soon as the text can be read, also of a model that is wrong
        self.model = declarations(alone(self.source))
        if self.model.source is not self.source:
            declarations(self.source)  # says that no file is included here
        model = with_entry(self.model)
        resolved = resolve(model)
        self.model = model
        return [*resolved.warnings, *lints(model, resolved)]

    # Names

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """All names in the order of the text; none where it cannot be read."""
        if self.model is None:
            return []
        with deep_recursion():
            return occurrences(self.model)

    def at(self, offset: int) -> Occurrence | None:
        """The name at an offset, its end included."""
        spans = [name.span for name in self.occurrences]
        k = bisect_right(spans, (offset, len(self.source.text) + 1)) - 1
        if k >= 0 and spans[k].start <= offset <= spans[k].end:
            return self.occurrences[k]
        return None

    def places(self, meaning: Meaning) -> list[Span]:
        """The places of all names with this meaning."""
        return [name.span for name in self.occurrences if name.meaning == meaning]

    @property
    def broken(self) -> bool:
        """Whether the text cannot be read."""
        return self.model is None and bool(self.diagnostics)

    def can_rename(self, meaning: Meaning) -> bool:
        """Whether a name is declared in this text."""
        return meaning.kind not in FIXED and (meaning.kind != "resource" or meaning.declared is not None)

    def words(self) -> list[tuple[str, str]]:
        """Completions with their kinds: names of the text and of the machine model, and words of the language."""
        kinds = {m.meaning.name: m.meaning.kind for m in self.occurrences if m.meaning.kind in DECLARED}
        kinds |= {m.meaning.name: "operation" for m in self.occurrences if m.meaning.kind == "operation"}
        if self.machines is not None:
            kinds |= dict.fromkeys(self.machines.operations, "operation")
        kinds |= dict.fromkeys((*FUNCTIONS, *BUILTINS), "function") | dict.fromkeys(KEYWORDS, "keyword")
        return sorted(kinds.items())

    def rename(self, offset: int, new: str) -> list[tuple[Span, str]]:
        """What to write where for another name. `ValueError` says why it cannot be done."""
        name = self.at(offset)
        if name is None:
            raise ValueError("there is no name here")
        if not self.can_rename(name.meaning):
            raise ValueError(f"{name.meaning.name} is not declared in this model")
        self._check_name(name.meaning, new)
        return [(span, new if span.end > span.start else f"({new})") for span in self.places(name.meaning)]

    def _check_name(self, meaning: Meaning, new: str) -> None:
        if WORD.fullmatch(new) is None:
            raise ValueError(f"{new!r} is no name: letters, digits, _ and $, no digit first")
        if new in KEYWORDS or new == "send" or new in BUILTINS or new in FUNCTIONS:
            raise ValueError(f"{new} means something else in every model")
        if meaning.kind == "parameter" and "P" in (meaning.name, new) and new != meaning.name:
            raise ValueError("P is the number of processors in every model")
        if new != meaning.name and any(other.meaning.name == new for other in self.occurrences):
            raise ValueError(f"the model has the name {new} already")

    # Meaning

    @cached_property
    def costs(self) -> dict[str, Formula]:
        """The time without contention of each equation."""
        if self.model is None:
            return {}
        return equation_costs(self.model)

    def hover(self, offset: int) -> tuple[Span, str] | None:
        """What the name at an offset is, as Markdown."""
        name = self.at(offset)
        return None if name is None else (name.span, self._described(name.meaning))

    def _described(self, meaning: Meaning) -> str:
        kind, name = meaning.kind, meaning.name
        match kind:
            case "parameter" | "function":
                return _code(self._declaration(meaning)) + f"\n\n{kind}"
            case "equation":
                cost = self._cost(name)
                return f"equation `{name}`" + (f"\n\ntakes without contention\n\n{_code(cost)}" if cost else "")
            case "operation":
                return self._operation(name)

            case "resource":
                declared = _code(self._declaration(meaning)) if meaning.declared is not None else f"`{name}`"
                return f"{declared}\n\nresource" + ("" if meaning.declared else ", one server")
            case "built-in":
                return f"`{name}` is built in"
            case _:
                return f"{kind} `{name}`"

    def _declaration(self, meaning: Meaning) -> str:
        """The declaration of a name as it stands in the text, up to its semicolon."""
        text, span = self.source.text, meaning.declared
        if span is None:
            return meaning.name
        begin = re.search(r"\w+\s+$", text[: span.start])
        start = span.start if begin is None else begin.start()
        end = text.find(";", span.end)
        return text[start : end if end >= 0 else len(text)].strip()

    def _cost(self, equation: str) -> str:
        cost = self.costs.get(equation)
        if cost is None:
            return ""
        text = text_of(cost)
        return text if len(text) <= LONGEST_FORMULA else f"{text[:LONGEST_FORMULA]} …"

    def _operation(self, name: str) -> str:
        head = f"operation `{name}`: a machine model says how long it takes"
        if name == "send":
            return "message `send[from, to](size)`: takes the latency and size / bandwidth"
        if self.machines is None:
            return head

        rows = [f"| {g.name} | {_interval(g.op_s[name])} |" for g in self.machines.groups if name in g.op_s]
        if not rows:
            return f"operation `{name}`: {self.machines.name} lacks it"
        return "\n".join(
            [f"operation `{name}` on {self.machines.name}", "", "| machine | seconds |", "|---|---|", *rows]
        )


def _interval(seconds: object) -> str:
    low, high = float(seconds.lo), float(seconds.hi)  # type: ignore[attr-defined]
    return f"{low:.4g} … {high:.4g}" if low != high else f"{low:.4g}"


def _code(text: str) -> str:
    return f"```pamela\n{text}\n```"
