"""Java with counters in it: every condition, loop, array length and recursive method tells what it did.

A condition `c` becomes `ApetProfile.test(k, c)`, a loop counts its entries and rounds, a method that was asked for
counts its calls. The program does the same as before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.java import errors

Node = Any
LOOPS = ("for_statement", "while_statement", "do_statement", "enhanced_for_statement")
COMMENTS = ("line_comment", "block_comment")
NUMERIC = ("int", "long", "short", "byte", "char", "double", "float")


class Site(NamedTuple):
    """A place that counts: its number, kind, line, column and text.

    Kinds are "test", "loop", "method", "formal", "length", "switch", "case", "try" and "catch". `text` is the
    condition's for a test, the name for a method ("solve") or a formal of it ("solve:n"), and the number of the switch
    or try for a case or catch. `labelled` is false for the `default` of a switch.
    """

    number: int
    kind: str
    line: int
    column: int
    text: str
    labelled: bool = True


class Instrumented(NamedTuple):
    """The new text and its sites in the order of the text."""

    text: str
    sites: tuple[Site, ...]


def instrument(text: str, name: str, first: int = 0) -> Instrumented:
    """Put counters into Java, numbered from `first`. Raises `ApetError` without tree-sitter, or where it is no Java."""
    try:
        from tree_sitter import Language, Parser
        from tree_sitter_java import language
    except ImportError:
        advice = "pip install tree-sitter tree-sitter-java"
        raise ApetError(errors.NotProfiled(None, None, name, "tree-sitter is not installed", advice)) from None

    data = text.encode()
    root = Parser(Language(language())).parse(data).root_node
    if root.has_error:
        raise ApetError(errors.NotProfiled(None, None, name, "it does not parse", f"try: javac {name}"))
    return _InstrumentingWriter(data, first).written(root)


class _InstrumentingWriter:
    def __init__(self, data: bytes, first: int) -> None:
        self.data = data
        self.first = first
        self.sites: list[Site] = []
        self.cuts: list[tuple[int, int, str]] = []

    def written(self, root: Node) -> Instrumented:
        """The text with everything put in; at one offset, what closes comes before what opens."""
        for node in _below(root):
            self.visit(node)
        parts, at = [], 0
        for offset, _, inserted in sorted(self.cuts, key=lambda c: (c[0], c[1])):
            parts += [self.data[at:offset].decode(), inserted]
            at = offset
        parts.append(self.data[at:].decode())
        return Instrumented("".join(parts), tuple(self.sites))

    def site(self, kind: str, node: Node, text: str = "", labelled: bool = True) -> int:
        """A new site at a node."""
        row, column = node.start_point
        line = self.data.split(b"\n")[row]
        number = self.first + len(self.sites)
        self.sites.append(Site(number, kind, row + 1, len(line[:column].decode(errors="replace")) + 1, text, labelled))
        return number

    def around(self, node: Node, before: str, after: str) -> None:
        """Put something around a node; an outer node is wrapped around an inner one."""
        # Sorts insertions at one offset: what a larger node opens comes first, and what it closes comes last.
        size = node.end_byte - node.start_byte
        self.cuts.append((node.start_byte, 10**9 - size, before))
        self.cuts.append((node.end_byte, size - 10**9, after))

    def visit(self, node: Node) -> None:
        """One node, if it counts."""
        if node.type in ("if_statement", "ternary_expression"):
            self.test(_inner(node.child_by_field_name("condition")))
        elif node.type == "binary_expression" and _text(node.child_by_field_name("operator")) in ("&&", "||"):
            self.test(node.child_by_field_name("left"))
        elif node.type in LOOPS:
            self.loop(node)
        elif node.type == "method_declaration":
            self.method(node)
        elif node.type == "array_creation_expression":
            self.lengths(node)
        elif node.type == "switch_expression":
            self.switch(node)
        elif node.type in ("try_statement", "try_with_resources_statement"):
            self.handlers(node)

    def test(self, node: Node) -> None:
        """A condition that is no constant and binds no name."""
        if node is None or node.type in ("true", "false") or _binds(node):
            return
        number = self.site("test", node, _text(node))
        self.around(node, f"ApetProfile.test({number}, ", ")")

    def loop(self, node: Node) -> None:
        """Entries before the loop, rounds in its body, and the condition as a branch of its own."""
        number = self.site("loop", node)
        whole = node.parent if node.parent is not None and node.parent.type == "labeled_statement" else node
        self.around(whole, f"{{ ApetProfile.enter({number}); ", " }")
        self.around(node.child_by_field_name("body"), f"{{ ApetProfile.round({number}); ", " }")
        condition = _inner(node.child_by_field_name("condition"))
        if condition is not None and condition.type not in ("true", "false") and not _binds(condition):
            counted = "true" if node.type == "for_statement" else "false"
            self.around(condition, f"ApetProfile.again({number}, {counted}, ", ")")

    def method(self, node: Node) -> None:
        """Calls of a method that may call itself, and the means of its formals."""
        body = node.child_by_field_name("body")
        name = _text(node.child_by_field_name("name"))
        if body is None or not any(n.type == "method_invocation" for n in _below(body)):
            return
        calls = (n for n in _below(body) if n.type == "method_invocation")
        if not any(_text(n.child_by_field_name("name")) == name for n in calls):
            return

        number = self.site("method", node, name)
        counters = [f"ApetProfile.call({number});"]
        for formal in node.child_by_field_name("parameters").named_children:
            kind, own = formal.child_by_field_name("type"), formal.child_by_field_name("name")
            if kind is not None and own is not None and _text(kind) in NUMERIC:
                counters.append(
                    f"ApetProfile.value({self.site('formal', formal, f'{name}:{_text(own)}')}, {_text(own)});"
                )
        start, stop = body.start_byte + 1, body.end_byte - 1
        self.cuts.append((start, -(10**9), f" {' '.join(counters)} try {{ "))
        self.cuts.append((stop, 10**9, f" }} finally {{ ApetProfile.back({number}); }} "))

    def lengths(self, node: Node) -> None:
        """The lengths of a new array."""
        for part in node.named_children:
            if part.type == "dimensions_expr" and part.named_children:
                inner = part.named_children[-1]
                number = self.site("length", node)
                self.around(inner, f"ApetProfile.length({number}, ", ")")

    def switch(self, node: Node) -> None:
        """What is switched on, and which case is entered from outside."""
        selector = _inner(node.child_by_field_name("condition"))
        number = self.site("switch", node)
        self.around(selector, f"ApetProfile.seen({number}, ", ")")
        statement = node.parent is not None and node.parent.type == "expression_statement"
        before: Node | None = None
        default = False

        for group in node.child_by_field_name("body").named_children:
            parts = [c for c in group.named_children if c.type not in COMMENTS]
            inside = [c for c in parts if c.type != "switch_label"]
            default = default or any(c.type == "switch_label" and not c.named_children for c in parts)
            if not inside:
                continue
            own = self.site("case", group, str(number), not default)
            default = False
            if group.type == "switch_rule":
                self.rule(inside[0], own, statement)
            else:
                self.cuts.append((inside[0].start_byte, -(10**8), f"ApetProfile.enter({own}); "))
                if before is not None and before.type == "expression_statement":
                    self.cuts.append((before.end_byte, 10**8, f" ApetProfile.leave({own});"))
            before = inside[-1]

    def rule(self, node: Node, number: int, statement: bool) -> None:
        """What stands behind an arrow: a block, or something that becomes one."""
        counter = f"ApetProfile.enter({number}); "
        if node.type == "block":
            self.cuts.append((node.start_byte + 1, -(10**9), f" {counter}"))
        else:
            word = "" if statement or node.type == "throw_statement" else "yield "
            self.around(node, f"{{ {counter}{word}", " }")

    def handlers(self, node: Node) -> None:
        """How often a body is entered, and how often each of its handlers."""
        body = node.child_by_field_name("body")
        number = self.site("try", node)
        self.cuts.append((body.start_byte + 1, -(10**9), f" ApetProfile.enter({number});"))
        for clause in (c for c in node.named_children if c.type == "catch_clause"):
            inside = clause.child_by_field_name("body")
            counter = f" ApetProfile.enter({self.site('catch', inside, str(number))});"
            self.cuts.append((inside.start_byte + 1, -(10**9), counter))


def _below(node: Node) -> Iterator[Node]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(one.named_children))


def _inner(node: Node | None) -> Node | None:
    """What stands in brackets."""
    while node is not None and node.type in ("parenthesized_expression", "condition") and node.named_children:
        node = node.named_children[0]
    return node


def _binds(node: Node) -> bool:
    """Whether an `instanceof` in a condition declares a name: it is seen only where the condition stays bare."""
    inside = (n for n in _below(node) if n.type == "instanceof_expression")
    return any(
        n.child_by_field_name("name") is not None or n.child_by_field_name("pattern") is not None for n in inside
    )


def _text(node: Node) -> str:
    return str(node.text.decode())
