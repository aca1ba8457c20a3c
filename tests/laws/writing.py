"""The symbols of the grammar as random texts, each by one of its productions.

Where a kind of number is wanted (an end, a processor, a duration), most expressions are of forms that have one
(`WANTED`), so that most models are valid; the others are drawn freely.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from tests.laws.forms import WANTED, WRONG, jump
from tests.laws.grammar import FAR, OF_SYMBOL, PARSER, PRODUCTIONS, SYMBOLS, Pair, distances, heights
from tests.laws.machine_pool import OPERATION_NAMES
from tests.laws.scopes import Callee, Scope

KINDS = tuple(str(rule.alias).rpartition("__")[0] for rule in PRODUCTIONS)
LITERALS = {t.name: t.pattern.value for t in PARSER.terminals}
WEIGHTS = {
    **{
        "first": 3.0,
        "one": 2.5,
        "call": 3,
        "delay": 3,
        "use": 2,
        "use_time": 2,
        "loop": 2,
        "stepped_loop": 0.5,
        "group": 1.5,
    },
    **{"if_probable": 0.7, "if_probable_else": 1.2, "if_free_else": 0.3, "graph": 0.8, "empty_graph": 0.05},
    **{"empty_group": 0.1, "sum_over": 0.3, "stepped_sum": 0.15, "include": 0, "second": 0.6, "ranged_part": 2.5},
    **{"part_after": 3, "plain_part": 1, "unary": 0.4, "power": 0.6},
}
"""Of productions by name, 1 where it is missing: what is written more often."""
CALLS = {
    **{"plain_call": (0, None), "empty_call": (0, 0), "subscripted_call": (1, None)},
    **{"subscripted_empty_call": (1, 0), "argument_call": (0, 1), "full_call": (1, 1)},
}
"""Whether there are subscripts, and arguments; None: no parentheses."""
INDICES = ("i", "j", "k", "l")
RESOURCES = ("r", "disk", "s")
LIKE_BUILTINS = ("cpu", "send", "max", "log", "share", "bus", "tx", "T0", "a", "i")
DISTANCES = (
    *((" - 1", ""), (" - 1", ""), (" - 1", " - 1"), (" - 1", " + 1"), ("", " - 1"), (" - 2", ""), (" + 1", "")),
    *((" - 2", " + 1"), (" - n", ""), (" - 1", " - m"), ("", " + 1"), (" - 1", " - 2")),
)
"""To the members that a member waits for."""
MOST_LEAVES = 8

Called = tuple[str, str, tuple[str, ...], tuple[str, ...]]
"""A call: the production, the name, and what its subscripts and arguments have to be."""


class Writer:
    """Writes symbols. `arities` are the subscripts of each resource that was used, `leaves` counts what costs time."""

    def __init__(self, random: Random, branches: str) -> None:
        self.random, self.branches = random, branches
        self.leaves = 0
        self.room = 0
        self.wrong = random.random() < 0.12
        self.named = ("p", "o") if random.random() < 0.12 else ()
        self.arities: dict[str, int] = {}
        self.functions = {"f": random.randint(1, 2), "g": 1}
        self.equations: dict[str, Callee] = {}

    def text(self, symbol: str, scope: Scope, sort: str, goal: Pair | None = None, forced: int | None = None) -> str:
        """One of the texts of a symbol."""
        free = forced is None and goal is None
        if free and symbol in ("expr", "bare_number") and sort in WANTED and self.random.random() < 0.93:
            written = self.wanted(sort, scope)
            return (
                f"({written})"
                if symbol == "bare_number" and re.fullmatch(r"\w*[a-z]\w*|\w+[\[(].*", written)
                else written
            )
        if symbol == "call":
            return self.call(scope, sort, goal, KINDS[forced] if forced is not None else self.led_form(sort, goal))
        if symbol == "reference":
            kind = KINDS[forced] if forced is not None else self.random.choice(("plain_call", "subscripted_call"))
            return self.reference(scope, kind)
        if symbol == "expr" and sort == "resource" and free:
            return self.resource(scope)
        if symbol == "expr" and sort != "number":
            self.room = 6
        k = forced if forced is not None else self.production(symbol, scope, goal)
        self.room -= 1
        return self.written(k, scope, sort, goal)

    def led_form(self, sort: str, goal: Pair | None) -> str:
        """The form of call that leads to the goal."""
        if goal is None:
            return ""
        options = self.processes("") if sort == "process" else self.numbers(Scope(("n",), ()), "")
        ways = {form: distances(goal[0])[k] for k in OF_SYMBOL["call"] for form in [KINDS[k]]}
        return min((form for form, *_ in options), key=lambda form: ways[form])

    def production(self, symbol: str, scope: Scope, goal: Pair | None) -> int:
        if goal is not None:
            least = min(distances(goal[0])[k] for k in OF_SYMBOL[symbol])
            return self.random.choice([k for k in OF_SYMBOL[symbol] if distances(goal[0])[k] == least])
        options = [k for k in OF_SYMBOL[symbol] if self.allowed(k, scope)]
        expression = symbol in ("expr", "addition", "product", "signed", "power", "atom", "atom_only", "exprs")
        if (expression and self.room <= 0) or (not expression and (scope.depth > 4 or self.leaves > MOST_LEAVES)):
            if symbol == "step":
                return self.random.choice([k for k in options if KINDS[k] in ("first", "delay", "use_time")])
            named = bool(scope.known() or scope.numbers)
            return min(options, key=lambda k: (heights()[k], named != (SYMBOLS[k] == ("call",))))
        return self.random.choices(options, [self.weight(k) for k in options])[0]

    def weight(self, k: int) -> float:
        """What is only one more `;` is seldom written."""
        return 0.2 if SYMBOLS[k][-1:] == ("SEMICOLON",) else WEIGHTS.get(KINDS[k], 1.0)

    def allowed(self, k: int, scope: Scope) -> bool:
        match KINDS[k]:
            case "if_free_else":
                return self.branches != "probability"
            case "part_after":
                return bool(scope.parts)
            case "include":
                return False
        return True

    def written(self, k: int, scope: Scope, sort: str, goal: Pair | None, names: list[str] | None = None) -> str:
        """A production, its parts with the scope and the sort that they have there."""
        names, places = self.places(k, scope, sort, names)
        at, forced = _way(k, goal)
        rest = None if forced is not None else goal
        words = []
        for place, symbol in enumerate(SYMBOLS[k]):
            inner, wanted = places.get(place, (scope, sort))
            if symbol == "NAME":
                words.append(names.pop(0))
            elif symbol == "NUMBER":
                words.append(self.random.choice(("0", "1", "2", "3", "0.5", ".25", "2e0", "2.")))
            elif symbol in LITERALS:
                words.append(LITERALS[symbol])
            elif place == at:
                words.append(self.text(symbol, inner, wanted, rest, forced))
            else:
                words.append(self.text(symbol, inner, wanted))
            if symbol == "step" and "ELSE" in SYMBOLS[k][place + 1 :]:
                words[-1] = _closed(words[-1])
        return " ".join(words)

    def places(
        self, k: int, scope: Scope, sort: str, names: list[str] | None
    ) -> tuple[list[str], dict[int, tuple[Scope, str]]]:
        """The names of a production, and scope and sort of its parts where they are not those of the whole."""
        kind = KINDS[k]
        deeper = scope.inside()
        at = [place for place, symbol in enumerate(SYMBOLS[k]) if symbol not in LITERALS]
        if kind in ("loop", "stepped_loop", "sum_over", "stepped_sum"):
            index = self.index(scope)
            inner = deeper.with_index(index, whole=kind in ("loop", "sum_over"))
            *ends, body = [place for place in at if SYMBOLS[k][place] != "NAME"]
            sorts = ["low", "end", "step"][: len(ends)]
            places = {place: (scope, wanted) for place, wanted in zip(ends, sorts, strict=True)}
            return [index], {**places, body: (inner, "process" if "loop" in kind else "number")}
        if kind in ("delay", "use", "use_time"):
            self.leaves += kind != "use"
            sorts = {"delay": ["time"], "use": ["resource", "process"], "use_time": ["resource", "time"]}[kind]
            return [], {place: (deeper, wanted) for place, wanted in zip(at, sorts, strict=True)}
        if kind in ("if_probable", "if_probable_else"):
            return [], {at[0]: (scope, "chance"), **dict.fromkeys(at[1:], (deeper, "process"))}
        if kind == "graph":
            return [], {at[0]: (replace(deeper, parts=[]), "process")}
        if kind in ("part", "part_after"):
            inner = replace(deeper, part=[])
            return [], dict.fromkeys(at, (inner, sort))
        if kind in ("plain_part", "ranged_part") and scope.parts is not None and scope.part is not None:
            name = "uvwyz"[len(scope.parts) % 5] + "1" * (len(scope.parts) // 5)
            scope.parts.append((name, scope.part))
            return [name], {}
        if kind == "member_range" and scope.part is not None:
            index, outside = self.index(scope), replace(scope, whole=scope.known(), part=None)
            scope.part.append(index)
            low, high = (place for place in at if SYMBOLS[k][place] != "NAME")
            return [index], {low: (outside, "low"), high: (outside, "end")}
        return names or [], self.sorts_of_binary(k, scope, sort)

    def sorts_of_binary(self, k: int, scope: Scope, sort: str) -> dict[int, tuple[Scope, str]]:
        """Parts of an expression are numbers; small ones as exponents."""
        if KINDS[k] in ("binary", "unary", "second"):
            places = dict.fromkeys(range(3), (scope, "number"))
            return {**places, 2: (scope, "exponent")} if "CIRCUMFLEX" in SYMBOLS[k] else places
        return {}

    # Names and numbers

    def index(self, scope: Scope) -> str:
        """One that is free, now and then one that hides another name."""
        free = [i for i in INDICES if i not in scope.known()]
        if not free or self.random.random() < 0.12:
            return self.random.choice([*scope.known(), *scope.numbers, "n", "x"])
        return free[0]

    def wanted(self, sort: str, scope: Scope) -> str:
        """A number of that kind."""
        random = self.random
        if sort in ("processor", "member") and self.named and random.random() < 0.3:
            return random.choice(self.named)
        form = random.choice(WRONG if self.wrong and random.random() < 0.2 else WANTED[sort])
        if not scope.tables and "t[" in form:
            form = "{v}"

        def expression() -> str:
            self.room = 5
            return self.text("expr", scope, "number")

        names = scope.known() or tuple("123")
        v, w = (random.choice(names if random.random() < 0.85 else ("1", "2", "3")) for _ in range(2))
        known = {
            "v": v,
            "w": w,
            "x": random.choice(scope.numbers or names),
            "N": random.choice(("0", "1", "1", "2", "3")),
        }
        return re.sub(r"{E}", lambda _: f"({expression()})", form).format(
            **known, J=jump(random) if "{J}" in form else ""
        )

    def resource(self, scope: Scope) -> str:
        """A processor, or a member of one of few families."""
        if self.random.random() < 0.2:
            return self.wanted("held processor", scope)
        name = self.random.choice(RESOURCES if self.random.random() < 0.95 else LIKE_BUILTINS)
        arity = self.arities.setdefault(name, self.random.choice((0, 1, 1, 2, 2, 3)))
        subscripts = [self.text("expr", scope, "member") for _ in range(arity)]
        return f"{name}[{', '.join(subscripts)}]" if arity else name

    def call(self, scope: Scope, sort: str, goal: Pair | None, form: str = "") -> str:
        """A call of a process, or of a value."""
        options = self.processes(form) if sort == "process" else self.numbers(scope, form)
        if not options:
            has_subscripts, count = CALLS[form]
            options = [(form, "a", ("member",) * has_subscripts, ("number",) * (count or 0))]
        form, name, subscripts, arguments = self.random.choice(options)
        self.leaves += sort == "process"
        if goal is not None and PRODUCTIONS[goal[0]].origin.name in ("call", "exprs"):
            goal = None  # is met by the call itself
        led = [goal] + [None] * 9 if goal else [None] * 10
        texts = [self.text("expr", scope, wanted, led.pop(0)) for wanted in (*subscripts, *arguments)]
        callee = Callee(form, subscripts, arguments)
        return callee.written(name, tuple(texts[: len(subscripts)]), tuple(texts[len(subscripts) :]))

    def processes(self, form: str) -> list[Called]:
        """What may be called as a process: operations, messages and equations."""
        found = 2 * [_called("subscripted_call", name, ("processor",)) for name in OPERATION_NAMES]
        found += [
            ("full_call", "send", ("processor", "processor"), ("size",)),
            ("full_call", "a", ("processor",), ("number",)),
        ]
        for name, callee in self.equations.items():
            called = (callee.form, name, ("member",) * len(callee.subscripts), ("time",) * len(callee.formals))
            found += [called] * 3
        return [called for called in found if form in ("", called[0])]

    def numbers(self, scope: Scope, form: str) -> list[Called]:
        """What may be called as a number: names, functions and tables."""
        found = 10 * [_called("plain_call", name) for name in (*scope.known(), *scope.numbers)]
        if found and self.room <= 0 and not form:
            return found
        found += [("argument_call", name, (), ("number",)) for name in ("abs", "floor", "ceil", "sqrt", "log2", "log")]
        found += [("argument_call", name, (), ("number",) * k) for name in ("min", "max") for k in (2, 2, 3)]
        found += [("argument_call", name, (), ("number",) * k) for name, k in self.functions.items()] * 2
        found += [("subscripted_call", "t", ("entry",), ())] * 2 * scope.tables
        found += [("subscripted_call", "share", ("share",), ()), ("full_call", "share", ("share",), ("low",))]
        return [called for called in found if form in ("", called[0])]

    def reference(self, scope: Scope, kind: str) -> str:
        """A part of the graph so far, or members of it; of this part, an earlier member."""
        parts = scope.parts or [("u", [])]
        name, indices = self.random.choice(parts)
        if kind == "plain_call" and len(parts) > 1:
            return self.random.choice(parts[:-1])[0]
        if name != parts[-1][0]:
            subscripts = [self.wanted("place", scope) for _ in indices or "1"]
            return f"{name}[{', '.join(subscripts)}]"
        steps = self.random.choice(DISTANCES)[: len(indices)] or ("",)
        return f"{name}[{', '.join(f'{i}{step}' for i, step in zip(indices or ['1'], steps, strict=False))}]"


def _called(form: str, name: str, subscripts: tuple[str, ...] = (), arguments: tuple[str, ...] = ()) -> Called:
    return form, name, subscripts, arguments


def _closed(step: str) -> str:
    """A step that no `else` behind it belongs to."""
    outside = step
    while outside != (outside := re.sub(r"{[^{}]*}", "", outside)):
        pass
    words = re.findall(r"\w+", outside)
    return step if words.count("if") <= words.count("else") else f"{{ {step} }}"


def _way(k: int, goal: Pair | None) -> tuple[int, int | None]:
    """Where in a production the goal is looked for, and the production that has to be there if it is at once."""
    if goal is None:
        return -1, None
    if k == goal[0]:
        return goal[1], goal[2]
    far = [min((distances(goal[0])[c] for c in OF_SYMBOL.get(symbol, ())), default=FAR) for symbol in SYMBOLS[k]]
    return (far.index(min(far)), None) if min(far, default=FAR) < FAR else (-1, None)
