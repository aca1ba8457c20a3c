"""javalang's tree as `syntax`: Java 8. Newer Java is a syntax error with its place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.java import errors
from apet.java.parse import javalang_operands as operands
from apet.java.parse.javalang_diagnosis import lexical_error, syntax_error, token_span
from apet.program import syntax as s
from apet.program import types
from apet.program.ir import LineColumn
from apet.program.syntax.declarations import Class, CompilationUnit, Field, Method, Unused

Node = Any
"""A node of javalang."""

KINDS = {"ClassDeclaration": "class", "EnumDeclaration": "enum", "InterfaceDeclaration": "interface"}


def parse(source: Source) -> CompilationUnit:
    """The unit in a text; `ApetError` with the place of the first error."""
    from javalang.parser import JavaSyntaxError, Parser
    from javalang.tokenizer import LexerError, tokenize

    tokens: list[Node] = []
    parser: Node = None
    try:
        tokens.extend(tokenize(source.text))
        parser = Parser(tokens)
        tree = parser.parse()
    except LexerError as error:
        raise ApetError(lexical_error(source, str(error))) from None
    except JavaSyntaxError as error:
        raise ApetError(syntax_error(source, error)) from None
    except RecursionError:
        place = token_span(source, parser.tokens.look())
        raise ApetError(errors.JavaNestsTooDeep(source, place, sys.getrecursionlimit() // 20)) from None
    # javalang stumbles over some texts without saying where: the last token that it took is nearest.
    except (AttributeError, IndexError, StopIteration, TypeError, ValueError):
        last = parser.tokens.last() if parser else tokens[-1] if tokens else None
        place = token_span(source, last)
        raise ApetError(errors.JavaSyntax(source, place, "this is no Java that can be read")) from None
    reader = _JavalangReader(source)
    return CompilationUnit(tuple(c for t in tree.types for c in reader.classes(t)))


def variables(node: Node) -> tuple[str, ...]:
    """The names of the type parameters of a class or method."""
    return tuple(v.name for v in getattr(node, "type_parameters", None) or ())


class _JavalangReader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.at = LineColumn(1, 1)
        self.unused = Unused()

    def place(self, node: Node) -> LineColumn:
        """A node's place; that of what is around it where javalang does not say."""
        position = getattr(node, "position", None)
        if position is not None:
            self.at = LineColumn(position[0], position[1])
        return self.at

    # Declarations

    def classes(self, node: Node) -> Iterator[Class]:
        """A class, then those inside it."""
        kind = KINDS.get(type(node).__name__)
        if kind is None:
            return
        members = node.body.declarations or [] if kind == "enum" else node.body
        yield self.class_(node, kind, members)
        for member in members:
            if type(member).__name__ in KINDS:
                yield from self.classes(member)

    def class_(self, node: Node, kind: str, members: list[Node]) -> Class:
        """One class with the heads of its members."""
        at = self.place(node)
        parents = getattr(node, "extends", None) or []
        parents = [*(parents if isinstance(parents, list) else [parents]), *(getattr(node, "implements", None) or [])]
        declared = self.of_members(node.name, kind, members, tuple(self.type(p).name for p in parents), at)
        return replace(declared, variables=variables(node))

    def of_members(self, name: str, kind: str, members: list[Node], parents: tuple[str, ...], at: LineColumn) -> Class:
        """A class of its name and its members."""
        fields: dict[str, Field] = {}
        methods: list[Method] = []
        constructors: list[Method] = []
        blocks: list[Method] = []

        for member in members:
            match type(member).__name__:
                case "FieldDeclaration" | "ConstantDeclaration":
                    for f in self.fields(member):
                        fields[f.name] = f
                case "MethodDeclaration":
                    methods.append(self.method(member, name))
                case "ConstructorDeclaration":
                    constructors.append(self.method(member, name))
                case "list":
                    blocks.append(self.static_block(member, name, at))
        return Class(name, kind, parents, fields, tuple(methods), tuple(constructors), at, "", tuple(blocks))

    def static_block(self, statements: list[Node], owner: str, at: LineColumn) -> Method:
        """An initialiser as a method without a name."""
        return Method(owner, "static", (), types.Type("void"), True, False, lambda: self.body(statements, at), at)

    def fields(self, node: Node) -> Iterator[Field]:
        """The fields of one declaration."""
        at = self.place(node)
        constant = type(node).__name__ == "ConstantDeclaration"
        static, final = constant or "static" in node.modifiers, constant or "final" in node.modifiers
        for d in node.declarators:
            kind = self.declared(node.type, d)
            yield Field(kind, d.name, static, final, self.later(d, kind, at), at)

    def later(self, declarator: Node, kind: types.Type, at: LineColumn) -> Callable[[], s.Expression | None]:
        """What reads an initialiser."""

        def read() -> s.Expression | None:
            self.at = at
            return None if declarator.initializer is None else self.initial(declarator.initializer, kind)

        return read

    def method(self, node: Node, owner: str) -> Method:
        """The head of a method or constructor."""
        at = self.place(node)
        formals = tuple(
            s.Formal(types.Type(k.name, k.dimensions + 1) if p.varargs else k, p.name)
            for p in node.parameters
            for k in (self.type(p.type),)
        )

        result = getattr(node, "return_type", None)
        if getattr(result, "name", "") == "record":  # of Java 16: javalang takes its head for that of a method
            start = self.source.offset(*at)
            raise ApetError(errors.JavaSyntax(self.source, Span(start, start + 1), "a record is no Java 8"))
        variadic = bool(node.parameters) and bool(node.parameters[-1].varargs)
        kind = types.Type("void") if result is None else self.type(result)
        static = "static" in node.modifiers
        locked, read = "synchronized" in node.modifiers, lambda: self.body(node.body, at)
        return Method(
            owner, node.name, formals, kind, static, variadic, read, at, synchronized=locked, variables=variables(node)
        )

    def body(self, statements: list[Node] | None, at: LineColumn) -> s.CodeBlock | None:
        """A method's body."""
        self.at = at
        return None if statements is None else self.block(statements)

    def type(self, node: Node) -> types.Type:
        """A type; of a qualified or generic one its simple name."""
        while getattr(node, "sub_type", None) is not None:
            node = node.sub_type
        name = str(node.name).rpartition(".")[2]
        type_arguments = [a.type for a in getattr(node, "arguments", None) or ()]
        arguments = tuple(types.Type("Object") if a is None else self.type(a) for a in type_arguments)
        return types.Type("" if name == "var" else name, len(node.dimensions or ()), arguments)

    def declared(self, base: Node, declarator: Node) -> types.Type:
        """The type of one declarator: brackets may stand after its name."""
        kind = self.type(base)
        return types.Type(kind.name, kind.dimensions + len(declarator.dimensions or ()), kind.arguments)

    # Statements

    def block(self, statements: list[Node]) -> s.CodeBlock:
        """Statements in order."""
        at = self.at
        return s.CodeBlock(tuple(self.statement(x) for x in statements), at)

    def statement(self, node: Node) -> s.Statement:
        """Any statement."""
        if node is None:
            return s.EmptyStatement(self.at)
        at = self.place(node)
        reader = _STATEMENTS.get(type(node).__name__)
        statement: s.Statement = s.EmptyStatement(at) if reader is None else reader(self, node)
        label = getattr(node, "label", None)
        return s.Labelled(label, statement, at) if label else statement

    def local(self, node: Node) -> s.LocalVariables:
        """A declaration of local variables."""
        at, declarators = self.place(node), []
        for d in node.declarators:
            kind = self.declared(node.type, d)
            initial = None if d.initializer is None else self.initial(d.initializer, kind)
            declarators.append(s.Declarator(kind, d.name, initial, at))
        return s.LocalVariables(tuple(declarators), at)

    def initial(self, node: Node, kind: types.Type) -> s.Expression:
        """An initialiser: braces make an array of the declared type."""
        value = self.expression(node)
        return s.NewArray(kind, (), value, value.at) if isinstance(value, s.ArrayLiteral) else value

    def for_(self, node: Node) -> s.Statement:
        """A `for` of either kind."""
        at, control = self.place(node), node.control
        if type(control).__name__ == "EnhancedForControl":
            d = control.var.declarators[0]
            kind, iterable = self.declared(control.var.type, d), self.expression(control.iterable)
            return s.ForEach(kind, d.name, iterable, self.statement(node.body), at)

        start = control.init or []
        start = start if isinstance(start, list) else [start]
        first = tuple(
            self.local(x) if type(x).__name__ == "VariableDeclaration" else s.Do(self.expression(x), at) for x in start
        )
        condition = None if control.condition is None else self.expression(control.condition)
        updates = tuple(self.expression(x) for x in control.update or ())
        return s.For(first, condition, updates, self.statement(node.body), at)

    def switch(self, node: Node) -> s.Switch:
        """A switch; groups without statements join the next one."""
        at, cases, labels, default = self.place(node), list[s.SwitchCase](), list[s.Expression](), False
        selector = self.expression(node.expression)

        for group in node.cases:
            default = default or not group.case
            labels += [s.Identifier(c, at) if isinstance(c, str) else self.expression(c) for c in group.case]
            inner = tuple(self.statement(x) for x in group.statements)
            if inner:
                cases.append(s.SwitchCase(() if default else tuple(labels), inner, False, inner[0].at))
                labels, default = [], False
        return s.Switch(selector, tuple(cases), at)

    def try_(self, node: Node) -> s.Try:
        """`try`, with or without resources."""
        at = self.place(node)
        start = tuple(
            s.LocalVariables((s.Declarator(self.type(r.type), r.name, self.expression(r.value), at),), at)
            for r in node.resources or ()
        )
        body = self.block(node.block)
        handlers = tuple(self.block(c.block) for c in node.catches or ())
        last = None if node.finally_block is None else self.block(node.finally_block)
        caught = tuple(tuple(types.Type(n.rpartition(".")[2]) for n in c.parameter.types) for c in node.catches or ())
        return s.Try(start, body, handlers, caught, last, at)

    def optional(self, node: Node) -> s.Statement | None:
        """A statement or None."""
        return None if node is None else self.statement(node)

    # Expressions

    def expression(self, node: Node) -> s.Expression:
        """Any expression with the operators before it and the selectors behind it."""
        self.place(node)
        reader = _EXPRESSIONS.get(type(node).__name__)
        term = s.Opaque(operands.opaque(node), self.at) if reader is None else reader(self, node)
        term = self.selected(term, getattr(node, "selectors", None) or ())
        return self.signed(term, node)

    def selected(self, term: s.Expression, selectors: Any) -> s.Expression:
        """`.member`, `[index]` and `.call()` behind an expression."""
        for one in selectors:
            at = self.place(one)
            match type(one).__name__:
                case "ArraySelector":
                    term = s.ArrayAccess(term, self.expression(one.index), at)
                case "MethodInvocation":
                    term = s.MethodCall(term, one.member, self.arguments(one), at)
                case "MemberReference":
                    term = s.FieldAccess(term, one.member, at)
                case _:
                    return s.Opaque(operands.opaque(one), at)
            term = self.signed(self.selected(term, getattr(one, "selectors", None) or ()), one)

        return term

    def signed(self, term: s.Expression, node: Node) -> s.Expression:
        """Operators that stand before or after an expression."""
        for operator in getattr(node, "postfix_operators", None) or ():
            term = s.Increment(operator, term, False, term.at)
        for operator in reversed(getattr(node, "prefix_operators", None) or ()):
            step = operator in ("++", "--")
            term = s.Increment(operator, term, True, term.at) if step else s.UnaryOp(operator, term, term.at)
        return term

    def arguments(self, node: Node) -> tuple[s.Expression, ...]:
        """The arguments of a call."""
        return tuple(self.expression(a) for a in node.arguments or ())

    def binary(self, node: Node) -> s.Expression:
        """Operators of two operands; a long chain to the left is no depth."""
        chain = [node]
        while operands.is_plain_binary(chain[-1].operandl):
            chain.append(chain[-1].operandl)
        term = self.expression(chain[-1].operandl)

        for one in reversed(chain):
            if one.operator == "instanceof":
                term = s.InstanceOf(term, self.type(one.operandr), (), term.at)
            else:
                term = s.BinaryOp(one.operator, term, self.expression(one.operandr), term.at)
        return term

    def qualified(self, text: str | None, at: LineColumn) -> s.Expression | None:
        """`a.b.c` as members; None for nothing."""
        if not text:
            return None
        first, *more = text.split(".")
        term: s.Expression = s.Identifier(first, at)
        for name in more:
            term = s.FieldAccess(term, name, at)
        return term

    def reference(self, node: Node) -> s.Expression:
        """A name, with its qualifier."""
        target = self.qualified(node.qualifier, self.at)
        return s.Identifier(node.member, self.at) if target is None else s.FieldAccess(target, node.member, self.at)

    def call(self, node: Node) -> s.Expression:
        """A call, with its qualifier."""
        at = self.at
        return s.MethodCall(self.qualified(node.qualifier, at), node.member, self.arguments(node), at)

    def new_array(self, node: Node) -> s.Expression:
        """An array."""
        at = self.at
        sizes = tuple(self.expression(d) for d in node.dimensions or () if d is not None)
        initial = None if node.initializer is None else self.expression(node.initializer)
        return s.NewArray(types.Type(self.type(node.type).name, len(node.dimensions or ())), sizes, initial, at)

    def this(self, node: Node) -> s.Expression:
        """`this`, qualified or not; selectors come behind it."""
        return s.Identifier("this", self.at)

    def super_member(self, node: Node) -> s.Expression:
        """`super.field`."""
        return s.FieldAccess(s.Identifier("super", self.at), node.member, self.at)


def _jump(kind: str) -> Callable[[_JavalangReader, Node], s.Statement]:
    return lambda r, n: s.Jump(kind, n.goto or "", r.at)


_STATEMENTS: dict[str, Callable[[_JavalangReader, Node], s.Statement]] = {
    "LocalVariableDeclaration": _JavalangReader.local,
    "StatementExpression": lambda r, n: s.Do(r.expression(n.expression), r.place(n)),
    "BlockStatement": lambda r, n: r.block(n.statements),
    "IfStatement": lambda r, n: s.If(
        r.expression(n.condition), r.statement(n.then_statement), r.optional(n.else_statement), r.place(n)
    ),
    "WhileStatement": lambda r, n: s.While(r.expression(n.condition), r.statement(n.body), r.place(n)),
    "DoStatement": lambda r, n: s.DoWhile(r.statement(n.body), r.expression(n.condition), r.place(n)),
    "ForStatement": _JavalangReader.for_,
    "ReturnStatement": lambda r, n: s.Return(None if n.expression is None else r.expression(n.expression), r.place(n)),
    "BreakStatement": _jump("break"),
    "ContinueStatement": _jump("continue"),
    "ThrowStatement": lambda r, n: s.Throw(r.expression(n.expression), r.place(n)),
    "SwitchStatement": _JavalangReader.switch,
    "TryStatement": _JavalangReader.try_,
    **dict.fromkeys(KINDS, lambda r, n: s.LocalClass(next(r.classes(n)), r.place(n))),
    "SynchronizedStatement": lambda r, n: s.Synchronized(r.expression(n.lock), r.block(n.block), r.place(n)),
}
_EXPRESSIONS: dict[str, Callable[[_JavalangReader, Node], s.Expression]] = {
    "Literal": operands.literal,
    "MemberReference": _JavalangReader.reference,
    "This": _JavalangReader.this,
    "BinaryOperation": _JavalangReader.binary,
    "Assignment": operands.assign,
    "TernaryExpression": operands.conditional,
    "Cast": lambda r, n: s.Cast(r.type(n.type), r.expression(n.expression), r.at),
    "MethodInvocation": _JavalangReader.call,
    "SuperMethodInvocation": lambda r, n: s.MethodCall(s.Identifier("super", r.at), n.member, r.arguments(n), r.at),
    "SuperMemberReference": _JavalangReader.super_member,
    "ExplicitConstructorInvocation": operands.own("this"),
    "SuperConstructorInvocation": operands.own("super"),
    "LambdaExpression": operands.lambda_,
    "MethodReference": operands.reference,
    "ClassCreator": operands.new,
    "InnerClassCreator": operands.new,
    "ArrayCreator": _JavalangReader.new_array,
    "ArrayInitializer": lambda r, n: s.ArrayLiteral(tuple(r.expression(x) for x in n.initializers), r.at),
}
