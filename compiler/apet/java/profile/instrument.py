"""Java with counters in it: every condition, loop, array length and recursive method tells what it did.

A condition `c` becomes `ApetProfile.test(k, c)`, a loop counts its entries and rounds, a method that was asked for
counts its calls. The program does the same as before.
"""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.java import errors
from apet.java.parse.tree_sitter_expressions import COMMENTS
from apet.java.profile.handed_code import count_anonymous, count_lambda
from apet.java.profile.nodes import (
    Node,
    anchor,
    belongs_to_object,
    below,
    binds,
    class_around,
    has_this,
    is_statement,
    text_of,
    unwrapped,
)
from apet.java.profile.timed_calls import WantedCalls, watch
from apet.java.translator.library_calls import SIZED, TARGET

LOOPS = ("for_statement", "while_statement", "do_statement", "enhanced_for_statement")
PLAIN = ("identifier", "field_access", "array_access", "method_invocation")
"""Expressions whose type does not depend on what they are written in."""
WHOLE = ("int", "long")
NUMERIC = ("int", "long", "short", "byte", "char", "double", "float")


METHODS = ("method_declaration", "constructor_declaration")


class CountedSite(NamedTuple):
    """A place that counts: its number, kind, line, column (of bytes, as the translator has it) and text.

    Kinds are "test", "loop", "method", "fields", "lambda", "local", "formal", "length", "change", "switch", "case",
    "try" and "catch", and at calls "size", "time" and "class". `text` is the condition's for a test, the name for a
    method ("solve"), a formal of it ("solve:n", or "solve:a[1]" for a length, at the method's place) or a call, the
    operation for a call that is timed, and the number of the switch or try for a case or catch. `labelled` is false for
    the `default` of a switch.
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
    sites: tuple[CountedSite, ...]


def instrument(
    text: str, name: str, first: int = 0, methods: Container[str] = (), wanted: WantedCalls | None = None
) -> Instrumented:
    """Put counters into Java, numbered from `first`; `methods` are those whose formals are asked for, and
    local variables (`n =`), `wanted` calls to be timed or told apart by class.

    Raises `ApetError` without tree-sitter, or where it is no Java.
    """
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
    return InstrumentingWriter(data, first, methods, wanted or WantedCalls()).written(root)


class InstrumentingWriter:
    """Collects sites, and what is put in where."""

    def __init__(self, data: bytes, first: int, methods: Container[str], wanted: WantedCalls) -> None:
        self.data = data
        self.methods = methods
        self.wanted = wanted
        self.first = first
        self.sites: list[CountedSite] = []
        self.cuts: list[tuple[int, int, str]] = []

    def written(self, root: Node) -> Instrumented:
        """The text with everything put in; at one offset, what closes comes before what opens."""
        package = next((c for c in root.named_children if c.type == "package_declaration"), None)
        self.cuts.append((0 if package is None else package.end_byte, -(10**9), " import apet.ApetProfile; "))
        for node in below(root, self.is_full):
            self.visit(node)
            watch(self, node)

        parts, at = [], 0
        # Of two insertions around one node the later is the inner one: it opens after the other and closes before it.
        order = {id(c): -k if -(10**9) < c[1] < 0 else k for k, c in enumerate(self.cuts)}
        for offset, _, inserted in sorted(self.cuts, key=lambda c: (c[0], c[1], order[id(c)])):
            parts += [self.data[at:offset].decode(), inserted]
            at = offset
        parts.append(self.data[at:].decode())

        return Instrumented("".join(parts), tuple(self.sites))

    def is_full(self, node: Node) -> bool:
        """Whether a node is a method without room for counters."""
        return node.type in METHODS and anchor(node.child_by_field_name("name")).line in self.wanted.full

    def site(self, kind: str, node: Node, text: str = "", labelled: bool = True) -> int:
        """A new site at a node."""
        number = self.first + len(self.sites)
        self.sites.append(CountedSite(number, kind, *anchor(node), text, labelled))
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
            self.test(unwrapped(node.child_by_field_name("condition")))
        elif node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) in ("&&", "||"):
            self.test(node.child_by_field_name("left"))
        elif node.type in LOOPS:
            self.loop(node)

        elif node.type == "method_declaration":
            self.method(node)
            self.fields(node)
            count_anonymous(self, node)
        elif node.type == "constructor_declaration":
            self.constructor(node)

        elif node.type == "array_creation_expression":
            self.lengths(node)
        elif node.type == "method_invocation":
            self.elements(node)
        elif node.type == "variable_declarator":
            self.local(node)
        elif node.type == "lambda_expression":
            count_lambda(self, node)
        elif node.type == "switch_expression":
            self.switch(node)
        elif node.type in ("try_statement", "try_with_resources_statement"):
            self.handlers(node)

    def test(self, node: Node) -> None:
        """A condition that is no constant."""
        if node is None or node.type in ("true", "false"):
            return

        number = self.site("test", node, text_of(node))
        if binds(node):
            # The names that a pattern binds are seen further on only where it stands in && or || itself.
            operator = node.child_by_field_name("operator")
            fails = operator is not None and text_of(operator) in ("!", "||")
            before, after = ("|| (", ") || ApetProfile.failed") if fails else ("&& (", ") && ApetProfile.held")
            method = "assumed" if fails else "asked"
            self.around(node, f"(ApetProfile.{method}({number}) {before}", f"{after}({number}))")
            return

        self.around(node, f"ApetProfile.test({number}, ", ")")

    def loop(self, node: Node) -> None:
        """Entries before the loop, rounds in its body, and the condition as a branch of its own."""
        number = self.site("loop", node)
        whole = node.parent if node.parent is not None and node.parent.type == "labeled_statement" else node
        looked_at = f" ApetProfile.object({number}, this);" if has_this(node) else ""
        self.around(whole, f"{{ ApetProfile.enter({number});{looked_at} ", " }")
        self.around(node.child_by_field_name("body"), f"{{ ApetProfile.round({number}); ", " }")
        condition = unwrapped(node.child_by_field_name("condition"))
        if condition is not None and condition.type not in ("true", "false") and not binds(condition):
            counted = "true" if node.type == "for_statement" else "false"
            self.around(condition, f"ApetProfile.again({number}, {counted}, ", ")")

    def method(self, node: Node) -> None:
        """Calls of a method that may call itself, and the means of its formals; these also of methods asked for."""
        body = node.child_by_field_name("body")
        name = text_of(node.child_by_field_name("name"))
        if body is None:
            return
        calls = (n for n in below(body) if n.type == "method_invocation")
        if name not in self.methods and not any(text_of(n.child_by_field_name("name")) == name for n in calls):
            return

        number = self.site("method", node, name)
        counters = [f"ApetProfile.call({number});", *self.formals(node, name)]
        start, stop = body.start_byte + 1, body.end_byte - 1
        self.cuts.append((start, -(10**9), f" {' '.join(counters)} try {{ "))
        self.cuts.append((stop, 10**9, f" }} finally {{ ApetProfile.back({number}); }} "))

    def fields(self, node: Node) -> None:
        """The fields of a class that is asked for, of objects and static ones, at the entry of its methods."""
        body, owner = node.child_by_field_name("body"), class_around(node)
        if body is None or owner not in self.wanted.owners:
            return
        number = self.site("fields", node, owner)
        whose = f"object({number}, this)" if belongs_to_object(node) else f"fields({number}, {owner}.class, null)"
        self.cuts.append((body.start_byte + 1, -(10**9), f" ApetProfile.{whose};"))

    def formals(self, node: Node, name: str) -> list[str]:
        """What counts the formals of a method that are numbers, or arrays of numbers."""
        counters: list[str] = []
        for formal in node.child_by_field_name("parameters").named_children:
            kind, own = formal.child_by_field_name("type"), formal.child_by_field_name("name")
            rows = text_of(kind).count("[") if kind is not None and kind.type == "array_type" else 0
            behind = formal.child_by_field_name("dimensions")  # `int a[]`
            rows += 0 if behind is None else text_of(behind).count("[")
            if formal.type == "spread_parameter":  # the last of a variadic method: an array of what is written
                own = formal.named_children[-1].child_by_field_name("name")
                rows = text_of(formal).partition("...")[0].count("[") + 1
            elif kind is None or own is None:
                continue

            if kind is not None and text_of(kind) in NUMERIC and not rows:
                site = self.site("formal", node, f"{name}:{text_of(own)}")
                counters.append(f"ApetProfile.value({site}, {text_of(own)});")

            for k in range(1, rows + 1):
                site = self.site("formal", node, f"{name}:{text_of(own)}[{k}]")
                counters.append(f"ApetProfile.extent({site}, {text_of(own)}, {k});")
        return counters

    def constructor(self, node: Node) -> None:
        """The formals of a constructor that is asked for, behind the constructor that it calls."""
        name, body = text_of(node.child_by_field_name("name")), node.child_by_field_name("body")
        if name not in self.methods:
            return
        calls = [c for c in body.named_children if c.type == "explicit_constructor_invocation"]
        start = calls[0].end_byte if calls else body.start_byte + 1
        self.cuts.append((start, -(10**9), f" {' '.join(self.formals(node, name))} "))

    def lengths(self, node: Node) -> None:
        """The lengths of a new array."""
        for part in node.named_children:
            if part.type == "dimensions_expr" and part.named_children:
                inner = part.named_children[-1]
                number = self.site("length", node)
                self.around(inner, f"ApetProfile.length({number}, ", ")")

    def local(self, node: Node) -> None:
        """What a whole number that is asked for begins with."""
        name, value = text_of(node.child_by_field_name("name")), node.child_by_field_name("value")
        is_array = node.parent is None or node.child_by_field_name("dimensions") is not None
        kind = None if is_array else node.parent.child_by_field_name("type")
        if f"{name} =" in self.methods and value is not None and kind is not None and text_of(kind) in WHOLE:
            self.around(value, f"ApetProfile.begun({self.site('local', node, name)}, ", ")")

    def elements(self, node: Node) -> None:
        """How many elements a library's method works on."""
        target, name = node.child_by_field_name("object"), text_of(node.child_by_field_name("name"))
        arguments = [c for c in node.child_by_field_name("arguments").named_children if c.type not in COMMENTS]
        owner = "" if target is None else text_of(target).rpartition(".")[2]
        sized = SIZED.get(f"{owner}.{name}" if owner[:1].isupper() else f"array.{name}")
        if (
            sized is None
            or target is None
            or max(sized.of, TARGET if sized.less is None else sized.less) >= len(arguments)
        ):
            return

        number = self.site("size", node, name)
        if sized.is_length:
            measured = target if sized.of == TARGET else arguments[sized.of]
            if measured.type in PLAIN:
                self.around(measured, f"ApetProfile.elements({number}, ", ")")
            return
        self.around(arguments[sized.of], f"ApetProfile.length({number}, ", ")")
        if sized.less is not None:
            self.around(arguments[sized.less], f"ApetProfile.less({number}, ", ")")

    def switch(self, node: Node) -> None:
        """What is switched on, and which case is entered from outside."""
        selector = unwrapped(node.child_by_field_name("condition"))
        number = self.site("switch", node)
        self.around(selector, f"ApetProfile.seen({number}, ", ")")
        statement = is_statement(node)
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
        self.cuts.append((body.start_byte + 1, -(10**9), f" ApetProfile.tries({number});"))
        for clause in (c for c in node.named_children if c.type == "catch_clause"):
            inside = clause.child_by_field_name("body")
            counter = f" ApetProfile.caught({self.site('catch', inside, str(number))}, {number});"
            self.cuts.append((inside.start_byte + 1, -(10**9), counter))
