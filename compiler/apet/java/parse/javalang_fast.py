"""javalang's parser, told by a look ahead what it would otherwise find out by trying.

An opening bracket begins a lambda only where `->` follows its partner, and a cast only where a type stands between the
two; a statement that begins with a name declares a variable only where another name or `<`, `[` follows. The grammar
and its mistakes are javalang's.
"""

from __future__ import annotations

from typing import Any

from javalang import parser, tree
from javalang.tokenizer import BasicType, Identifier, Literal, Operator

Token = Any
"""A token of javalang."""
IN_TYPES = frozenset((".", ",", "<", ">", "[", "]", "?", "&", "extends", "super", "@"))
NO_DECLARATION = frozenset(("(", "++", "--", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<="))


class LookingParser(parser.Parser):  # type: ignore[misc]
    """Reads the list of tokens directly."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.end = self.tokens.default
        self.partner = _partners(tokens)

    def token(self, ahead: int = 0) -> Token:
        """A token from here, not taken."""
        at = self.tokens
        k = at.marker + ahead
        return at.list[k] if k < len(at.list) else self.end

    def fits(self, accepts: tuple[Any, ...]) -> bool:
        """Whether the next tokens have these values or kinds."""
        at = self.tokens
        k, found = at.marker, at.list
        for wanted in accepts:
            one = found[k] if k < len(found) else self.end
            k += 1
            if one.value != wanted if type(wanted) is str else not isinstance(one, wanted):
                return False
        return True

    def would_accept(self, *accepts: Any) -> bool:
        return self.fits(accepts)

    def try_accept(self, *accepts: Any) -> bool:
        if self.fits(accepts):
            self.tokens.marker += len(accepts)
            return True
        return False

    def accept(self, *accepts: Any) -> Any:
        at = self.tokens
        if self.fits(accepts) and at.marker + len(accepts) <= len(at.list):
            at.marker += len(accepts)
            at.value = at.list[at.marker - 1]
            return at.value.value
        return super().accept(*accepts)

    def parse_expression_2(self) -> Any:
        first = self.parse_expression_3()
        value = self.token().value
        if value in Operator.INFIX or value == "instanceof":
            return self.build_binary_operation([first, *self.parse_expression_2_rest()])
        return first

    def parse_expression_3(self) -> Any:
        if self.token().value == "(":
            return self.bracketed()
        return self.primary()

    def primary(self) -> Any:
        """An operand that begins with no bracket, with its operators and selectors."""
        at, prefix = self.tokens, list[str]()
        while (value := self.token().value) in Operator.PREFIX:
            prefix.append(value)
            at.marker += 1
        if prefix and value == "(":
            return self.with_prefix(prefix)
        found = self.parse_primary()
        found.prefix_operators, found.selectors, found.postfix_operators = prefix, [], []
        return self.behind(found)

    def behind(self, found: Any) -> Any:
        """Selectors and postfix operators."""
        token = self.token()
        while token.value in ("[", "."):
            selector = self.parse_selector()
            selector._position = token.position
            found.selectors.append(selector)
            token = self.token()
        while token.value in ("++", "--"):
            found.postfix_operators.append(token.value)
            self.tokens.marker += 1
            token = self.token()
        return found

    def with_prefix(self, prefix: list[str]) -> Any:
        """Signs before a bracket: they go to what is in it, or are dropped before a cast, as javalang does."""
        if self.is_lambda() or self.may_cast():
            return self.bracketed()
        found = self.parse_primary()
        found.prefix_operators, found.selectors, found.postfix_operators = prefix, [], []
        return self.behind(found)

    def bracketed(self) -> Any:
        """A lambda, a cast, or an expression in brackets."""
        if self.is_lambda() or self.may_cast():
            return super().parse_expression_3()
        found = self.parse_primary()
        found.prefix_operators, found.selectors, found.postfix_operators = [], [], []
        return self.behind(found)

    def is_lambda(self) -> bool:
        """Whether `->` follows the bracket that closes this one."""
        close = self.partner.get(self.tokens.marker)
        after = None if close is None or close + 1 >= len(self.tokens.list) else self.tokens.list[close + 1]
        return after is not None and after.value == "->"

    def may_cast(self) -> bool:
        """Whether only a type stands in this bracket."""
        close = self.partner.get(self.tokens.marker)
        if close is None:
            return True
        for k in range(self.tokens.marker + 1, close):
            one = self.tokens.list[k]
            if not (isinstance(one, Identifier | BasicType) or one.value in IN_TYPES):
                return False
        return True

    def parse_primary(self) -> Any:
        token = self.token()
        if isinstance(token, Identifier):
            return self.named(token)
        if isinstance(token, Literal):
            found = tree.Literal(value=token.value)
            found._position = token.position
            self.tokens.marker += 1
            return found
        return super().parse_primary()

    def named(self, token: Token) -> Any:
        """A name, qualified or not, and what follows it."""
        at, names = self.tokens, [token.value]
        at.marker += 1
        while self.token().value == "." and isinstance(self.token(1), Identifier):
            names.append(self.token(1).value)
            at.marker += 2
        value = self.token().value
        if value == "(":
            found = tree.MethodInvocation(arguments=self.parse_arguments())
        elif value in (".", "["):
            found = self.parse_identifier_suffix()
        else:
            found = tree.MemberReference()
        if isinstance(found, tree.MemberReference | tree.MethodInvocation):
            found.member = names.pop()
        elif isinstance(found, tree.ClassReference):
            found.type = tree.ReferenceType(name=names.pop())
        found._position = token.position
        found.qualifier = ".".join(names)
        return found

    def parse_block_statement(self) -> Any:
        token = self.token()
        if isinstance(token, Identifier):
            after = self.token(1).value
            if after in NO_DECLARATION or (after == "[" and self.token(2).value != "]") or self.is_call():
                return self.parse_statement()
        return super().parse_block_statement()

    def is_call(self) -> bool:
        """Whether a chain of names ends in a bracket or an assignment."""
        k = 1
        while self.token(k).value == "." and isinstance(self.token(k + 1), Identifier):
            k += 2
        return k > 1 and self.token(k).value in NO_DECLARATION


def _partners(tokens: list[Token]) -> dict[int, int]:
    """The place of the bracket that closes each opening one."""
    found: dict[int, int] = {}
    open_: list[int] = []
    for k, one in enumerate(tokens):
        if one.value == "(":
            open_.append(k)
        elif one.value == ")" and open_:
            found[open_.pop()] = k
    return found
