"""Counters in a source: for each parameter that a run can count, where its counter stands and what its value is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from apet.c.parse.libclang import children_of
from apet.c.parse.reading import CUnit
from apet.c.parse.switches import LABELS, numbers_of
from apet.c.profile.edits import Edits
from apet.program.ir import LineColumn, ParameterKind, ParameterSite, SourceNote

HEAD = """
extern int atexit(void (*)(void));
static long long apet_n[{many}][2];
static double apet_sum[{many}];
static int apet_depth[{many}];
static inline int apet_test(int k, int holds) {{ apet_n[k][0]++; apet_n[k][1] += holds; return holds; }}
static inline long long apet_first(int k, long long v) {{ apet_n[k][0]++; apet_sum[k] += v; return v; }}
static inline void apet_leave(int *k) {{ apet_depth[*k]--; }}
{switches}
#line 1
"""
"""What stands in front of a source with counters."""
ENTER = (
    " apet_n[{k}][1]++; if (!apet_depth[{k}]++) apet_n[{k}][0]++;"
    " int apet_in{k} __attribute__((cleanup(apet_leave))) = {k}; (void) apet_in{k};"
)
KINDS = {
    ParameterKind.TEST: "test",
    ParameterKind.ROUNDS: "rounds",
    ParameterKind.CASE: "case",
    ParameterKind.LOCAL: "local",
    ParameterKind.CALLS: "calls",
    ParameterKind.UNSEEN: "all",
    ParameterKind.ARGUMENT: "argument",
    ParameterKind.FIELD: "field",
}
OF_FUNCTIONS = ("calls", "all", "argument")
Counted = Callable[[float, float, float], float]


class Counter(NamedTuple):
    """A counter by its number, and the value that its two counts and its sum are."""

    number: int
    value: Counted


def _share(first: float, second: float, total: float) -> float:
    return second / first if first else 0.0


def _mean(first: float, second: float, total: float) -> float:
    return total / first if first else 0.0


def _second(first: float, second: float, total: float) -> float:
    return second


class Counters:
    """Puts counters into one source."""

    def __init__(self, unit: CUnit, file: str, edits: Edits) -> None:
        self.unit = unit
        self.edits = edits
        self.file = file
        self.source = next(os.path.basename(c.file) for c in unit.classes if c.name == file)
        self.counters: dict[tuple[str, LineColumn, str], Counter] = {}
        self.switches: list[str] = []
        self.fields: dict[str, str] = {}
        self.many = 1

    def add(self, parameters: Mapping[str, SourceNote]) -> dict[str, Counter]:
        """Counters for parameters, by name; those that have none are left out."""
        counters: dict[str, Counter] = {}
        for name, note in parameters.items():
            kind, site = KINDS.get(note.kind), note.site
            if kind is None or site is None or site.file != self.source:
                continue
            if kind == "field":
                if note.value is None:
                    self.fields[name] = site.member
                continue
            key = kind, site.at, f"{site.member}.{site.variable}" if kind in OF_FUNCTIONS else ""
            if key not in self.counters and (counter := self._counter(kind, site)) is not None:
                self.counters[key] = counter
            if key in self.counters:
                counters[name] = self.counters[key]
        return counters

    def head(self) -> str:
        """What stands in front of the source."""
        return HEAD.format(many=self.many, switches="\n".join(self.switches))

    def _counter(self, kind: str, site: ParameterSite) -> Counter | None:
        if kind in OF_FUNCTIONS:
            return self._of_function(kind, site)
        place = self.unit.places.get((self.file, kind, site.at))
        if place is None:
            return None
        cursor, negated = place
        match kind:
            case "test":
                return self._test(cursor, negated)
            case "rounds":
                return self._rounds(cursor)
            case "case":
                return self._cases(cursor, site.at)
            case _:
                number = self._number()
                is_put = self.edits.around(cursor, f"apet_first({number}, ", ")")
                return Counter(number, _mean) if is_put else None

    def _number(self) -> int:
        self.many += 1
        return self.many - 1

    def _test(self, cursor: Any, negated: bool) -> Counter | None:
        number = self._number()
        if not self.edits.around(cursor, f"apet_test({number}, (", ") != 0)"):
            return None
        return Counter(number, (lambda a, b, c: 1 - _share(a, b, c) if a else 0.0) if negated else _share)

    def _rounds(self, loop: Any) -> Counter | None:
        *_, last = children_of(loop)
        body = next(iter(children_of(loop))) if loop.kind.name == "DO_STMT" else last
        number = self._number()
        is_put = self.edits.around(loop, f"{{ apet_n[{number}][0]++; ", " }", statement=True)
        is_put = is_put and self.edits.around(body, f"{{ apet_n[{number}][1]++; ", " }", statement=True)
        return Counter(number, _share) if is_put else None

    def _cases(self, switch: Any, at: LineColumn) -> Counter | None:
        """All arms of a switch at once: a function looks at the selector, one arm after the other."""
        selector, body = children_of(switch)
        lines, name = list[str](), f"apet_switch{self.many}"
        for child in children_of(body):
            labels, is_default, one = list[tuple[int, int]](), False, child
            while one is not None and one.kind.name in LABELS:
                parts = [*children_of(one)]
                is_default |= one.kind.name == "DEFAULT_STMT"
                labels += [] if one.kind.name == "DEFAULT_STMT" else [numbers_of(one)]
                one = parts[-1] if parts else None
            if not labels or is_default:
                continue
            number = self._number()
            start = child.extent.start
            self.counters["case", LineColumn(start.line, start.column), ""] = Counter(number, _share)
            asked = " || ".join(f"({low}LL <= v && v <= {high}LL)" for low, high in labels)
            lines.append(f"apet_n[{number}][0]++; if ({asked}) {{ apet_n[{number}][1]++; return v; }}")
        if not self.edits.around(selector, f"{name}(", ")"):
            return None
        self.switches.append(f"static long long {name}(long long v) {{ {' '.join(lines)} return v; }}")
        return self.counters.get(("case", at, ""))

    def _of_function(self, kind: str, site: ParameterSite) -> Counter | None:
        """At the beginning of a function: its calls from outside and all of them, or the sum of a formal."""
        function = self.unit.functions.get(site.member)
        if function is None:
            return None
        block = next(c for c in children_of(function) if c.kind.name == "COMPOUND_STMT")
        number = self._number()
        text = ENTER.format(k=number)
        if kind == "argument":
            text = f" apet_n[{number}][0]++; apet_sum[{number}] += (double) {site.variable};"
        is_put = self.edits.inside(block, text)
        value = {"calls": _share, "all": _second, "argument": _mean}[kind]
        return Counter(number, value) if is_put else None
