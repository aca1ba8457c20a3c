"""Layered queueing networks in the text form of LQNS (`.lqn`, `.in`): sections of processors, tasks, entries and
activities, each a list that ends with -1."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from apet.ground.documents.document import Document
from apet.ground.source import Source, Span
from apet.queueing.read.lqn import LqnTables

TOKEN = re.compile(
    r"""(?P<skip>\s+|\#[^\n]*)|"[^"\n]*"|->|[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w])|[@$]?\w[\w.\-]*(?<![-.])|."""
)
END = "-1"
PHASE_LISTS = {"s": "demand", "c": "variation", "f": "fixed", "Z": "think", "M": ""}
"""By letter what the numbers by phase are; M only asks for results, as H does."""
LOCKS = {"P": "semaphores", "V": "semaphores", "R": "locks", "U": "locks", "W": "locks", "X": "locks"}
SECTIONS = {"U": "groups of processors", "R": "reports with expressions", "C": "convergence of expressions"}
MARKS = {"": "&", "chances": "+", "counts": ","}
"""Between activities that begin together, of which one begins, or that a loop repeats."""


class Token(NamedTuple):
    """A word of the text, and where it stands."""

    text: str
    span: Span


def lqn_of_text(source: Source) -> Document:
    """The layered queues of a file; `ApetError` with its place for what is not modelled."""
    return _TextReader(source).document()


class _TextReader:
    def __init__(self, source: Source) -> None:
        self.out = LqnTables(source)
        words = (m for m in TOKEN.finditer(source.text) if m["skip"] is None)
        self.tokens = [Token(m[0], Span(*m.span())) for m in words]
        self.at = 0
        self.tasks: dict[str, str] = {}  # of entries

    def document(self) -> Document:
        sections: dict[str, Callable[[], None]] = {
            "G": self.general,
            "P": lambda: self.listed({"p": self.processor}),
            "T": lambda: self.listed({"t": self.task, "I": self.fan, "O": self.fan}),
            "E": lambda: self.listed({}, self.of_entry),
        }
        while self.at < len(self.tokens):
            token = self.next()
            if token.text in SECTIONS or token.text.startswith("$"):
                raise self.out.not_modelled(token.span, SECTIONS.get(token.text, "variables and expressions"))
            if token.text == "A":
                self.activities()
            elif token.text in sections:
                sections[token.text]()
            else:
                raise self.wrong(token, "a section: G, P, T, E or A")
        return self.out.document()

    # Words

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    def here(self) -> Span:
        """The place of the next word, or of the end."""
        end = len(self.out.source.text)
        return self.tokens[self.at].span if self.at < len(self.tokens) else Span(max(0, end - 1), end)

    def next(self) -> Token:
        if self.at >= len(self.tokens):
            raise self.out.refuse(self.here(), "the text ends here", "a list ends with -1")
        self.at += 1
        return self.tokens[self.at - 1]

    def wrong(self, token: Token, expected: str) -> Exception:
        return self.out.refuse(
            token.span, f"'{token.text[:40]}' where this should be {expected}", "see the manual of LQNS"
        )

    def name(self) -> str:
        token = self.next()
        if not re.match(r"\w", token.text):
            raise self.wrong(token, "a name")
        return token.text

    def number(self) -> float:
        token = self.next()
        return self.out.number(token.text, token.span)

    def numbers(self) -> list[float]:
        """Numbers to the end of a list."""
        row = list[float]()
        while self.peek() != END:
            row.append(self.number())
        self.next()
        return row

    def until(self, mark: str) -> None:
        while self.next().text != mark:
            pass

    # Sections

    def general(self) -> None:
        """A comment and settings of a solver, which say nothing about the model."""
        self.until(END)

    def listed(self, kinds: dict[str, Callable[[], None]], other: Callable[[Token], None] | None = None) -> None:
        """The rows of a section behind their number, each begun by the letter of its kind."""
        if re.fullmatch(r"\d+", self.peek()):
            self.next()
        while self.peek() != END:
            token = self.next()
            if token.text in kinds:
                kinds[token.text]()
            elif other:
                other(token)
            else:
                raise self.wrong(token, f"one of {', '.join(kinds)}, or -1")
        self.next()

    def options(self, ends: Sequence[str], flags: dict[str, str]) -> dict[str, float]:
        """Flags with their numbers, up to the next row: a bare number is "quantum" or "priority"."""
        given: dict[str, float] = {}
        while self.peek() not in (*ends, END):
            token = self.next()
            if token.text == "i":
                given["multiplicity"] = float("inf")
            elif token.text in flags:
                given[flags[token.text]] = self.number()
            elif token.text == ":":
                continue
            elif re.match(r"[-+.\d]", token.text):
                given[flags[""]] = self.out.number(token.text, token.span)
            else:
                raise self.out.not_modelled(token.span, f"the option '{token.text}'")
        return given

    def processor(self) -> None:
        place, name, scheduling = self.here(), self.name(), self.name()
        flags = {"m": "multiplicity", "r": "replication", "R": "speed-factor", "": "quantum"}
        self.out.processor(place, {"name": name, **self.options(("p", "d"), flags)}, scheduling)

    def task(self) -> None:
        place, name, scheduling, entries = self.here(), self.name(), self.name(), list[Token]()
        while self.peek() != END:
            entries.append(self.next())
        self.next()
        processor = self.name()
        flags = {"m": "multiplicity", "r": "replication", "z": "think-time", "": "priority"}
        self.out.task(place, {"name": name, **self.options(("t", "I", "O"), flags)}, processor, scheduling)
        for token in entries:
            self.out.entry(token.span, token.text, name)
            self.tasks[token.text] = name

    def fan(self) -> None:
        raise self.out.not_modelled(self.tokens[self.at - 1].span, "replication")

    def of_entry(self, kind: Token) -> None:
        """One row of an entry: numbers by phase, arrivals, forwarding, or its first activity."""
        if kind.text in LOCKS:
            raise self.out.not_modelled(kind.span, LOCKS[kind.text])
        place, name = self.here(), self.name()
        match kind.text:
            case "a":
                self.out.known(place, "entry", name)["arrival_rate"] = self.number()
            case "A":
                first = self.name()
                self.out.activity(place, first, self.tasks.get(name, ""))
                self.out.start(place, name, first)
            case "F":
                self.out.forward(place, name, self.name(), self.number())
                self.until(END)
            case "y" | "z":
                target = self.name()
                for i, mean in enumerate(self.numbers(), start=1):
                    if mean:
                        row = self.out.phase(place, name, i)
                        self.out.put(row, place, "calls" if kind.text == "y" else "sends", mean, target)
            case _ if kind.text in PHASE_LISTS:
                for i, value in enumerate(self.numbers(), start=1):
                    if value or kind.text == "c":
                        self.of_activity(self.out.phase(place, name, i), place, kind.text, value)
            case "p":
                raise self.out.not_modelled(kind.span, "priorities of entries")
            case "H":
                while re.match(r"[\d.:]", self.peek()):
                    self.next()
            case _:
                raise self.wrong(kind, "a row of an entry")

    def of_activity(self, row: dict[str, object], place: Span, letter: str, value: float) -> None:
        if PHASE_LISTS[letter]:
            self.out.put(row, place, PHASE_LISTS[letter], value)

    def activities(self) -> None:
        """The activities of a task, and how they follow each other."""
        task = self.name()
        while self.peek() not in (END, ":"):
            kind = self.next()
            place, name = self.here(), self.name()
            row = self.out.activity(place, name, task)
            if kind.text in ("y", "z"):
                target, mean = self.name(), self.number()
                self.out.put(row, place, "calls" if kind.text == "y" else "sends", mean, target)
            elif kind.text in PHASE_LISTS:
                self.of_activity(row, place, kind.text, self.number())
            else:
                raise self.out.not_modelled(kind.span, f"'{kind.text}' of activities")
        while self.next().text != END:
            if self.peek() == END:
                continue
            self.precedence(task)

    def precedence(self, task: str) -> None:
        """One line of how activities follow each other: a & b -> (0.3) c + (0.7) d."""
        place, before, joins = self.here(), [self.replying(task)], set[str]()
        while self.peek() in ("&", "+"):
            joins.add(self.next().text)
            before.append(self.replying(task))
        if len(joins) > 1:
            raise self.out.refuse(place, "& and + in one list", "all have to end (a & b), or any of them (a + b)")
        if self.peek() == "(":
            raise self.out.not_modelled(self.here(), "quorums")
        after, numbers = list[tuple[str, float | None]](), ""
        if self.peek() == "->":
            self.next()
            after, numbers = self.follower()
        self.out.precedence(place, task, (before, "+" not in joins), after, numbers)

    def replying(self, task: str) -> str:
        """The name of an activity, and the entries that it answers in brackets."""
        place, name = self.here(), self.name()
        if self.peek() == "[":
            while self.next().text in ("[", ","):
                self.out.reply(place, task, name, self.name())
        return name

    def follower(self) -> tuple[list[tuple[str, float | None]], str]:
        """What comes then, with probabilities or numbers of rounds."""
        place, after, numbers, marks = self.here(), list[tuple[str, float | None]](), "", set[str]()
        while True:
            number: float | None = None
            if self.peek() == "(":
                self.next()
                number, numbers = self.number(), "chances"
                self.until(")")
            elif re.match(r"[\d.]", self.peek()) and self.tokens[min(self.at + 1, len(self.tokens) - 1)].text == "*":
                number, numbers = self.number(), "counts"
                self.next()
            after.append((self.name(), number))
            if self.peek() not in ("&", "+", ","):
                break
            marks.add(self.next().text)
        if marks - {MARKS[numbers]}:
            forms = "a & b, (0.3) a + (0.7) b, or 3 * a, b"
            raise self.out.refuse(place, "this is none of the lists of activities", f"write {forms}")
        return after, numbers
