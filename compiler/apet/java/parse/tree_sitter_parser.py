"""tree-sitter's tree as `syntax`: any Java that there is, bodies read when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from apet.ground.source import Source
from apet.java.parse.class_names import ClassNames
from apet.java.parse.tree_sitter_expressions import EXPRESSIONS, ExpressionReader, Node, at, children, only, text
from apet.program import syntax as s
from apet.program import types
from apet.program.syntax.declarations import Class, CompilationUnit, Field, Method

CLASSES = {
    "class_declaration": "class",
    "record_declaration": "record",
    "enum_declaration": "enum",
    "interface_declaration": "interface",
}


def available() -> bool:
    """Whether tree-sitter and its Java grammar are installed."""
    from importlib.util import find_spec

    return find_spec("tree_sitter") is not None and find_spec("tree_sitter_java") is not None


def parse(source: Source, names: ClassNames) -> CompilationUnit | None:
    """The unit in a text; None where tree-sitter finds an error in it."""
    from tree_sitter import Language, Parser
    from tree_sitter_java import language

    root = Parser(Language(language())).parse(source.text.encode()).root_node
    if root.has_error:
        return None
    reader = _TreeReader(source, names)
    return CompilationUnit(tuple(reader.classes(root)))


class _TreeReader(ExpressionReader):
    # Declarations

    def classes(self, node: Node) -> Iterator[Class]:
        """The classes in a node, each before the ones inside it."""
        for child in children(node):
            if child.type in CLASSES:
                yield self.class_(child)
                body = child.child_by_field_name("body")
                yield from self.classes(body)
                for inner in children(body):
                    if inner.type == "enum_body_declarations":
                        yield from self.classes(inner)
                    elif inner.type == "enum_constant":
                        yield from self.constant(inner, text(child.child_by_field_name("name")))

    def class_(self, node: Node) -> Class:
        """One class with the heads of its members."""
        name = node.child_by_field_name("name")
        called = self.names.declared(text(name), name.start_byte)
        return self.of_members(node, called, node.child_by_field_name("body"), self.parents(node))

    def constant(self, node: Node, enum: str) -> Iterator[Class]:
        """The class of a constant of an enum, if it has a body."""
        body = node.child_by_field_name("body")
        if body is not None:
            name = f"{enum}_{text(node.child_by_field_name('name'))}"
            yield self.of_members(body, name, body, (enum,))
            yield from self.classes(body)

    def anonymous(self, node: Node) -> Class | None:
        """The class behind `new`, if there is one; it is called after the line it begins in."""
        body = next((c for c in node.named_children if c.type == "class_body"), None)
        if body is None:
            return None
        parent = self.type(node.child_by_field_name("type")).name
        return self.of_members(body, self.unused(f"{parent}_{at(node).line}"), body, (parent,))

    def of_members(self, node: Node, name: str, body: Node, parents: tuple[str, ...]) -> Class:
        """A class of its name and its body."""
        members = children(body)
        for member in tuple(members):
            if member.type == "enum_body_declarations":
                members += children(member)

        fields: dict[str, Field] = {}
        methods: list[Method] = []
        constructors: list[Method] = []
        blocks: list[Method] = []
        initialisers: list[Method] = []
        for member in members:
            if member.type in ("field_declaration", "constant_declaration"):
                fields.update((f.name, f) for f in self.fields(member))
            elif member.type == "method_declaration":
                methods.append(self.method(member, name))
            elif member.type == "constructor_declaration":
                constructors.append(self.method(member, name))
            elif member.type == "compact_constructor_declaration":
                constructors.append(self.compact(member, node, name))
            elif member.type == "static_initializer":
                blocks.append(self.initialiser(children(member)[0], name, True))
            elif member.type == "block":
                initialisers.append(self.initialiser(member, name, False))

        if node.type == "record_declaration":
            for formal in self.formals(node.child_by_field_name("parameters"))[0]:
                fields[formal.name] = Field(formal.type, formal.name, False, True, lambda: None, at(node))
        kind, all_constructors = CLASSES.get(node.type, "class"), tuple(constructors)
        variables = self.variables(node)
        # A constant with a body is a class below its enum, and no enum.
        constants = sum(m.type == "enum_constant" for m in members) if kind == "enum" else None
        owned = (fields, tuple(methods), all_constructors)
        return Class(
            name, kind, parents, *owned, at(node), "", tuple(blocks), variables, tuple(initialisers), constants
        )

    def variables(self, node: Node) -> tuple[str, ...]:
        """The names of the type parameters of a class or method."""
        declared = node.child_by_field_name("type_parameters")
        return () if declared is None else tuple(text(children(c)[0]) for c in children(declared))

    def initialiser(self, block: Node, owner: str, static: bool) -> Method:
        """A block among the members of a class as a method without formals."""
        name = "static" if static else "init"
        return Method(owner, name, (), types.Type("void"), static, False, lambda: self.body(block), at(block))

    def compact(self, node: Node, record: Node, owner: str) -> Method:
        """A compact constructor has the formals of its record."""
        formals, variadic = self.formals(record.child_by_field_name("parameters"))
        body = node.child_by_field_name("body")
        return Method(owner, owner, formals, types.Type("void"), False, variadic, lambda: self.body(body), at(node))

    def parents(self, node: Node) -> tuple[str, ...]:
        """Simple names of the classes that one extends or implements."""
        names: list[str] = []
        for child in node.named_children:
            if child.type == "superclass":
                names += [self.type(c).name for c in children(child)]
            elif child.type in ("super_interfaces", "extends_interfaces"):
                names += [self.type(c).name for c in children(children(child)[0])]
        return tuple(names)

    def fields(self, node: Node) -> Iterator[Field]:
        """The fields of one declaration."""
        modifiers = self.modifiers(node)
        constant = node.type == "constant_declaration"
        base = self.type(node.child_by_field_name("type"))
        for d in node.children_by_field_name("declarator"):
            kind = self.declared(base, d)
            read = self.later_initial(d, kind)
            static, final = constant or "static" in modifiers, constant or "final" in modifiers
            yield Field(kind, text(d.child_by_field_name("name")), static, final, read, at(d))

    def later_initial(self, declarator: Node, kind: types.Type) -> Callable[[], s.Expression | None]:
        """What reads an initialiser."""
        value = declarator.child_by_field_name("value")
        return lambda: None if value is None else self.initial(value, kind)

    def modifiers(self, node: Node) -> frozenset[str]:
        """The modifiers of a member."""
        return frozenset(m.type for c in node.children if c.type == "modifiers" for m in c.children)

    def method(self, node: Node, owner: str) -> Method:
        """The head of a method or constructor."""
        formals, variadic = self.formals(node.child_by_field_name("parameters"))
        kind = node.child_by_field_name("type")
        result = types.Type("void") if kind is None else self.type(kind)
        dimensions = node.child_by_field_name("dimensions")
        if dimensions is not None:
            result = types.Type(result.name, result.dimensions + self.dimensions(dimensions))

        body = node.child_by_field_name("body")
        modifiers = self.modifiers(node)
        static, locked = "static" in modifiers, "synchronized" in modifiers
        name = owner if node.type == "constructor_declaration" else text(node.child_by_field_name("name"))
        written = None if body is None else lambda: text(body)
        read = partial(self.body, body)
        variables = self.variables(node)
        return Method(owner, name, formals, result, static, variadic, read, at(node), written, locked, variables)

    def body(self, node: Node | None) -> s.CodeBlock | None:
        """A method's body."""
        return None if node is None else self.block(node)

    def formals(self, node: Node | None) -> tuple[tuple[s.Formal, ...], bool]:
        """Formals, and whether the last takes any number of arguments."""
        formals: list[s.Formal] = []
        variadic = False

        for child in () if node is None else children(node):
            if child.type == "formal_parameter":
                formals.append(
                    s.Formal(self.declared(self.type(child.child_by_field_name("type")), child), self.name(child))
                )
            elif child.type == "spread_parameter":
                kind = next(self.type(c) for c in children(child) if c.type not in ("modifiers", "variable_declarator"))
                name = next(self.name(c) for c in children(child) if c.type == "variable_declarator")
                formals.append(s.Formal(types.Type(kind.name, kind.dimensions + 1, kind.arguments), name))
                variadic = True
        return tuple(formals), variadic

    def name(self, node: Node) -> str:
        """The name that a declaration gives."""
        identifier = node.child_by_field_name("name")
        return "_" if identifier is None else text(identifier)

    # Statements

    def block(self, node: Node) -> s.CodeBlock:
        """A block; its statements in order."""
        return s.CodeBlock(tuple(self.statement(c) for c in children(node)), at(node))

    def statement(self, node: Node) -> s.Statement:
        """Any statement."""
        self.deeper(node)
        try:
            reader = _STATEMENTS.get(node.type)
            return s.EmptyStatement(at(node)) if reader is None else reader(self, node)
        finally:
            self.depth -= 1

    def optional(self, node: Node, name: str) -> s.Statement | None:
        """The statement in a field of a node, or None."""
        child = node.child_by_field_name(name)
        return None if child is None else self.statement(child)

    def local(self, node: Node) -> s.LocalVariables:
        """A declaration of local variables."""
        base = self.type(node.child_by_field_name("type"))
        return s.LocalVariables(
            tuple(self.declarator(d, base) for d in node.children_by_field_name("declarator")), at(node)
        )

    def declarator(self, node: Node, base: types.Type) -> s.Declarator:
        """One declarator."""
        kind = self.declared(base, node)
        return s.Declarator(kind, self.name(node), self.later_initial(node, kind)(), at(node))

    def initial(self, node: Node, kind: types.Type) -> s.Expression:
        """An initialiser: braces make an array of the declared type."""
        value = self.expression(node)
        return s.NewArray(kind, (), value, value.at) if isinstance(value, s.ArrayLiteral) else value

    def for_(self, node: Node) -> s.For:
        """A plain `for`."""
        start: list[s.Statement] = []
        for child in node.children_by_field_name("init"):
            local = child.type == "local_variable_declaration"
            start.append(self.local(child) if local else s.Do(self.expression(child), at(child)))
        condition = node.child_by_field_name("condition")
        updates = tuple(self.expression(c) for c in node.children_by_field_name("update"))
        test = None if condition is None else self.expression(condition)
        return s.For(tuple(start), test, updates, self.statement(node.child_by_field_name("body")), at(node))

    def for_each(self, node: Node) -> s.ForEach:
        """A `for` over a collection."""
        kind = self.type(node.child_by_field_name("type"))
        body = self.statement(node.child_by_field_name("body"))
        return s.ForEach(kind, self.name(node), self.field(node, "value"), body, at(node))

    def switch(self, node: Node) -> s.Switch:
        """A switch; groups without statements join the next one."""
        cases: list[s.SwitchCase] = []
        labels: list[s.Expression] = []
        for child in children(node.child_by_field_name("body")):
            parts = children(child)
            default = False
            for part in (p for p in parts if p.type == "switch_label"):
                values = [p for p in children(part) if p.type != "guard"]
                default = default or not values
                labels += [self.label(p) for p in values]

            inner = tuple(self.statement(p) for p in parts if p.type != "switch_label")
            arrow = child.type == "switch_rule"
            if inner or arrow:
                cases.append(s.SwitchCase(() if default else tuple(labels), inner, arrow, at(child)))
                labels = []
        return s.Switch(self.field(node, "condition"), tuple(cases), at(node))

    def label(self, node: Node) -> s.Expression:
        """A label; a pattern is only counted."""
        return s.Opaque("pattern", at(node)) if "pattern" in node.type else self.expression(node)

    def try_(self, node: Node) -> s.Try:
        """`try`, with or without resources."""
        start: list[s.Statement] = []
        resources = node.child_by_field_name("resources")
        for r in () if resources is None else children(resources):
            value = r.child_by_field_name("value")
            if value is not None:
                kind = self.type(r.child_by_field_name("type"))
                start.append(
                    s.LocalVariables((s.Declarator(kind, self.name(r), self.expression(value), at(r)),), at(r))
                )

        parts = children(node)
        handlers = tuple(self.statement(c.child_by_field_name("body")) for c in parts if c.type == "catch_clause")
        last = next((self.statement(children(c)[0]) for c in parts if c.type == "finally_clause"), None)
        caught = tuple(self.caught(c) for c in parts if c.type == "catch_clause")
        return s.Try(tuple(start), self.statement(node.child_by_field_name("body")), handlers, caught, last, at(node))

    def caught(self, clause: Node) -> tuple[types.Type, ...]:
        """The classes of exceptions that a handler takes."""
        formal = next(c for c in children(clause) if c.type == "catch_formal_parameter")
        kinds = next(c for c in children(formal) if c.type == "catch_type")
        return tuple(self.type(c) for c in children(kinds))

    def labelled(self, node: Node) -> s.Labelled:
        """`label: statement`."""
        label, body = children(node)
        return s.Labelled(text(label), self.statement(body), at(node))

    def jump(self, node: Node) -> s.Jump:
        """`break` or `continue`."""
        labels = children(node)
        return s.Jump(node.type.partition("_")[0], text(labels[0]) if labels else "", at(node))

    def explicit_constructor(self, node: Node) -> s.Do:
        """`this(...)` or `super(...)`."""
        name = text(node.child_by_field_name("constructor"))
        return s.Do(s.MethodCall(None, name, self.arguments(node), at(node)), at(node))

    def expression_statement(self, node: Node) -> s.Statement:
        """An expression as a statement; a switch stands for itself."""
        inner = children(node)[0]
        return self.switch(inner) if inner.type == "switch_expression" else s.Do(self.expression(inner), at(node))


_STATEMENTS: dict[str, Callable[[_TreeReader, Node], s.Statement]] = {
    "local_variable_declaration": _TreeReader.local,
    "expression_statement": _TreeReader.expression_statement,
    "block": _TreeReader.block,
    "constructor_body": _TreeReader.block,
    "if_statement": lambda r, n: s.If(
        r.field(n, "condition"), r.statement(n.child_by_field_name("consequence")), r.optional(n, "alternative"), at(n)
    ),
    "while_statement": lambda r, n: s.While(r.field(n, "condition"), r.statement(n.child_by_field_name("body")), at(n)),
    "do_statement": lambda r, n: s.DoWhile(r.statement(n.child_by_field_name("body")), r.field(n, "condition"), at(n)),
    "for_statement": _TreeReader.for_,
    "enhanced_for_statement": _TreeReader.for_each,
    "return_statement": lambda r, n: s.Return(r.expression(children(n)[0]) if children(n) else None, at(n)),
    "break_statement": _TreeReader.jump,
    "continue_statement": _TreeReader.jump,
    "yield_statement": lambda r, n: s.Yield(only(r, n), at(n)),
    "throw_statement": lambda r, n: s.Throw(only(r, n), at(n)),
    "switch_expression": _TreeReader.switch,
    "try_statement": _TreeReader.try_,
    "try_with_resources_statement": _TreeReader.try_,
    "synchronized_statement": lambda r, n: s.Synchronized(
        only(r, n), r.statement(n.child_by_field_name("body")), at(n)
    ),
    "labeled_statement": _TreeReader.labelled,
    **dict.fromkeys(CLASSES, lambda r, n: s.LocalClass(r.class_(n), at(n))),
    "explicit_constructor_invocation": _TreeReader.explicit_constructor,
}


def _lambda(reader: ExpressionReader, node: Node) -> s.Expression:
    assert isinstance(reader, _TreeReader)
    formals, body = node.child_by_field_name("parameters"), node.child_by_field_name("body")
    if formals.type == "identifier":
        typed_formals: tuple[s.Formal, ...] = (s.Formal(types.Type(""), text(formals)),)
    elif formals.type == "inferred_parameters":
        typed_formals = tuple(s.Formal(types.Type(""), text(c)) for c in children(formals))
    else:
        typed_formals = reader.formals(formals)[0]
    inside = reader.block(body) if body.type == "block" else reader.expression(body)
    return s.Lambda(typed_formals, inside, at(node))


def _reference(reader: ExpressionReader, node: Node) -> s.Expression:
    parts = children(node)
    last = node.children[-1]
    target = (
        reader.expression(parts[0])
        if parts[0].type in EXPRESSIONS
        else s.Identifier(reader.type(parts[0]).name, at(node))
    )
    return s.Reference(target, text(last), at(node))


def _new(reader: ExpressionReader, node: Node) -> s.Expression:
    assert isinstance(reader, _TreeReader)
    kind = reader.type(node.child_by_field_name("type"))
    return s.New(kind, reader.arguments(node), at(node), reader.anonymous(node))


def _switch(reader: ExpressionReader, node: Node) -> s.Expression:
    assert isinstance(reader, _TreeReader)
    return reader.switch(node)


EXPRESSIONS["switch_expression"] = _switch
EXPRESSIONS["lambda_expression"] = _lambda
EXPRESSIONS["method_reference"] = _reference
EXPRESSIONS["object_creation_expression"] = _new
