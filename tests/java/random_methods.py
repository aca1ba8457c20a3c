"""Random structured methods with marks: loops of all kinds, branches, calls, fields, exceptions, recursion, rows.

Every method ends, whatever it is called with, and is small enough to be run thousands of times in a test.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from tests.java.law_of_counts import Case

SIZES = (3, 10, 17)
DEEPEST = 3


class MethodWriter:
    """Writes one class; `static` stays true as long as the source alone fixes every count."""

    def __init__(self, seed: int, source_only: bool) -> None:
        self.random = random.Random(seed)
        self.source_only = source_only
        self.static = True
        self.names = 0
        self.members: list[str] = []

    def name(self, wanted: str) -> str:
        """A name; names are used again on purpose, so that scopes and classes share them."""
        self.names += 1
        return wanted if self.random.random() < 0.3 else f"{wanted}{self.names}"

    def limit(self, variables: Sequence[str]) -> str:
        """A whole number of which nothing is known but that it is small."""
        one = self.random.choice(variables)
        return self.random.choice(
            (one, f"{one} + 2", f"{one} / 2", f"{one} % 5", f"Math.min({one}, 6)", f"2 * {one}", "4")
        )

    def loop(self, variables: Sequence[str], depth: int) -> str:
        """A loop around something."""
        self.names += 1
        i, limit = f"i{self.names}", self.limit(variables)
        body = self.statement([*variables, i], depth + 1)
        kinds = (
            f"for (int {i} = 0; {i} < {limit}; {i}++) {{ {body} }}",
            f"for (int {i} = {limit}; {i} > 0; {i}--) {{ {body} }}",
            f"for (int {i} = 1; {i} <= {limit}; {i} *= 2) {{ {body} }}",
            f"for (int {i} = {limit}; {i} > 0; {i} /= 3) {{ {body} }}",
            f"for (int {i} = 0; {i} < {limit}; {i} += 3) {{ {body} }}",
            f"int {i} = 0; while ({i} < {limit}) {{ {i}++; {body} }}",
            f"int {i} = {limit}; while ({i}-- > 0) {{ {body} }}",
            f"int {i} = 0; do {{ {body} {i}++; }} while ({i} < {limit});",
            f"for (int {i} = 0, to{i} = {limit}; {i} < to{i}; {i}++, to{i}--) {{ {body} }}",
        )
        return f"{{ {self.random.choice(kinds)} }}"

    def branch(self, variables: Sequence[str], depth: int) -> str:
        """A condition on a counter, with an early exit now and then."""
        self.static = False
        one = self.random.choice(variables)
        test = self.random.choice((f"{one} % 2 == 0", f"{one} > 4", f"{one} * {one} % 7 < 3"))
        if "for (" not in test and self.random.random() < 0.2 and depth:
            return f"if ({one} == 5) break;" if depth > 1 else f"if ({test}) {{ MARK; }}"
        other = f" else {{ {self.statement(variables, depth + 1)} }}" if self.random.random() < 0.5 else ""
        return f"if ({test}) {{ {self.statement(variables, depth + 1)} }}{other}"

    def call(self, variables: Sequence[str], depth: int) -> str:
        """A call of a method of its own, whose formal has a name of another's."""
        self.names += 1
        own, formal = f"f{self.names}", self.random.choice(("n", "k", "i"))
        body = self.statement([formal], depth + 1)
        self.members.append(f"static void {own}(int {formal}) {{ {body} }}")
        return f"{own}({self.limit(variables)});"

    def made(self, variables: Sequence[str], depth: int) -> str:
        """An object whose field bounds a loop of a method of its class."""
        self.names += 1
        own, field, formal = f"C{self.names}", self.random.choice(("n", "size")), self.random.choice(("n", "size", "w"))
        size = self.random.randint(0, 6)
        self.members.append(
            f"static class {own} {{ int {field}; {own}(int {formal}) {{ this.{field} = {formal}; }}"
            f" void go() {{ for (int i = 0; i < {field}; i++) {{ MARK; }} }} }}"
        )
        return f"new {own}({size}).go();"

    def recursion(self, variables: Sequence[str], depth: int) -> str:
        """A call of a recursion of a known kind."""
        self.names += 1
        own, first = f"r{self.names}", f"Math.min({self.random.choice(variables)}, 9)"
        kinds = (
            ("int k", "if (k > 0) { MARK; OWN(k - 1); }", "FIRST"),
            ("int k", "MARK; if (k > 1) { OWN(k / 2); OWN(k / 2); }", "FIRST"),
            (
                "int lo, int hi",
                "MARK; if (hi - lo < 2) return; int m = (lo + hi) / 2; OWN(lo, m); OWN(m, hi);",
                "0, FIRST",
            ),
            (
                "int lo, int hi",
                "if (lo >= hi) return; MARK; int m = (lo + hi) / 2; OWN(lo, m); OWN(m + 1, hi);",
                "0, FIRST",
            ),
            ("int k, int a", "for (int i = 0; i < a; i++) { MARK; } if (k > 0) OWN(k - 1, a + 2);", "FIRST, 1"),
            ("int k", "MARK; if (k <= 1) return; OWN(k - 1); OWN(k - 2);", "FIRST"),
        )
        formals, body, given = self.random.choice(kinds)
        self.members.append(f"static void {own}({formals}) {{ {body.replace('OWN', own)} }}")
        return f"{own}({given.replace('FIRST', first)});"

    def thrown(self, variables: Sequence[str], depth: int) -> str:
        """An exception that is caught here, with a `finally` now and then."""
        self.static = False
        last = " finally { MARK; }" if self.random.random() < 0.5 else ""
        throw = f"if ({self.random.choice(variables)} % 3 == 1) throw new IllegalStateException();"
        return f"try {{ {throw} MARK; }} catch (RuntimeException e) {{ MARK; MARK; }}{last}"

    def rows(self, variables: Sequence[str], depth: int) -> str:
        """Rows of unequal length."""
        self.static = False
        self.names += 1
        a, i = f"a{self.names}", f"i{self.names}"
        size = f"Math.min({self.random.choice(variables)}, 8)"
        return (
            f"int[][] {a} = new int[{size}][]; for (int {i} = 0; {i} < {a}.length; {i}++) {a}[{i}] = new int[{i} % 4];"
            f" for (int r = 0; r < {a}.length; r++) for (int c = 0; c < {a}[r].length; c++) {{ MARK; }}"
        )

    def statement(self, variables: Sequence[str], depth: int) -> str:
        """Any statement; deep inside only a mark."""
        if depth >= DEEPEST:
            return "MARK;"
        kinds: list[Callable[[Sequence[str], int], str]] = [self.loop, self.loop, self.loop, self.call, self.made]
        kinds += [self.recursion] if depth == 0 or self.random.random() < 0.3 else []
        kinds += [] if self.source_only else [self.branch, self.thrown, self.rows]
        parts = [self.random.choice(kinds)(variables, depth) for _ in range(self.random.randint(1, 2))]
        return " ".join([*parts, *(["MARK;"] if self.random.random() < 0.5 else [])])


def generate(seed: int, count: int, source_only: bool = False) -> list[Case]:
    """Methods from a seed, the same ones every time."""
    made = []
    for k in range(count):
        writer, name = MethodWriter(seed * 100_003 + k, source_only), f"Random{seed}x{k}"
        body = " ".join(writer.statement(["n"], 0) for _ in range(2))
        lines = [f"class {name} {{", "static double M = 1;", *writer.members]
        lines += [f"static double run(int n) {{ {body} return M; }}", "}"]
        made.append(Case(name, SIZES, writer.static, lines))
    return made
