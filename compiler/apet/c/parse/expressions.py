"""Expressions of C as terms of the translator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from apet.c.parse import libclang, walks
from apet.c.parse.kinds import FUNCTION, is_array, is_pointer, kind_of
from apet.c.parse.libclang import children_of
from apet.c.parse.literals import literal
from apet.c.parse.memory import allocation, bare, member, offset
from apet.c.parse.targets import called
from apet.program import syntax as s
from apet.program import types

if TYPE_CHECKING:
    from apet.c.parse.functions import FunctionReader

MATH = {
    **dict.fromkeys(("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "exp", "log", "log10", "ceil", "floor"), ""),
    **dict.fromkeys(("pow", "atan2", "cbrt", "hypot", "sinh", "cosh", "tanh", "log1p", "expm1", "rint", "fma"), ""),
    **{"fabs": "abs", "abs": "abs", "labs": "abs", "llabs": "abs", "fmax": "max", "fmin": "min"},
}
"""Functions of math.h and stdlib.h that are operations of a core or named as such."""
ENDS = ("exit", "_exit", "abort", "__assert_fail", "quick_exit", "_Exit", "err", "errx")
Reading = Callable[["FunctionReader", Any], s.Expression]


def expression(f: FunctionReader, cursor: Any) -> s.Expression:
    """An expression; one of a kind that is not modelled is counted as one operation."""
    read = READ.get(cursor.kind.name)
    return read(f, cursor) if read is not None else f.opaque(cursor)


def inner(f: FunctionReader, cursor: Any) -> s.Expression:
    """What brackets, implicit conversions and `_Generic` hold; a number that clang converts is one of that type."""
    inside = [c for c in children_of(cursor) if c.kind.is_expression()]
    if len(inside) != 1:
        return f.opaque(cursor)
    value = expression(f, inside[0])
    if isinstance(value, s.Literal) and value.kind != "String":
        number = libclang.constant(cursor)
        return value if number is None else literal(number, kind_of(cursor.type), value.at)
    return value


def generic(f: FunctionReader, cursor: Any) -> s.Expression:
    """`_Generic`: the association that fits, which clang says no more of than its type."""
    wanted = cursor.type.get_canonical()
    options = [c for c in children_of(cursor) if c.kind.is_expression()][1:]
    fitting = [c for c in options if c.type.get_canonical() == wanted]
    return expression(f, fitting[0]) if fitting else f.opaque(cursor)


def number(f: FunctionReader, cursor: Any) -> s.Expression:
    """A literal, or `sizeof` and the like of a type whose size is known."""
    value = libclang.constant(cursor)
    return f.opaque(cursor) if value is None else literal(value, kind_of(cursor.type), f.at(cursor))


def text(f: FunctionReader, cursor: Any) -> s.Expression:
    """A literal text."""
    return s.Literal("String", '""', f.at(cursor))


def null(f: FunctionReader, cursor: Any) -> s.Expression:
    """The null pointer."""
    return s.Literal("null", "null", f.at(cursor))


def name(f: FunctionReader, cursor: Any) -> s.Expression:
    """A variable, a function as a value, or a constant of an enumeration."""
    meant, at = cursor.referenced, f.at(cursor)
    if meant.kind.name == "ENUM_CONSTANT_DECL":
        return literal(meant.enum_value, types.INT, at)
    if meant.kind.name == "FUNCTION_DECL":
        return s.Reference(s.Identifier(f.file.name, at), meant.spelling, at)
    walked = walks.element(f, cursor, at)
    if walked is not None:
        return s.AddressOf(walked, at)
    named = s.Identifier(f.scopes.name(meant), at)
    if f.scopes.is_addressed(meant):
        return s.ArrayAccess(named, s.Literal("int", "0", at), at)
    return named


def subscript(f: FunctionReader, cursor: Any) -> s.Expression:
    """`a[i]`, also as `i[a]`."""
    first, second = children_of(cursor)
    array, index = (first, second) if is_pointer(kind_of(first.type)) else (second, first)
    walked = walks.element(f, array, f.at(cursor), index)
    if walked is not None:
        return walked
    return s.ArrayAccess(expression(f, array), expression(f, index), f.at(cursor), is_array(cursor))


def unary(f: FunctionReader, cursor: Any) -> s.Expression:
    """Signs, negations, steps, `*` and `&`."""
    operator, at = libclang.unary_operator(cursor), f.at(cursor)
    (inside,) = children_of(cursor)
    if operator == "*":
        return pointed(f, inside, at, is_array(cursor))
    if operator == "&":
        return _address(f, inside, at)
    if operator == "!":
        return f.truth(inside, negated=True)
    if operator in ("__extension__", "__real"):
        return expression(f, inside)
    meant = bare(inside).referenced if "x" in operator else None
    if meant is not None and meant.hash in f.scopes.walks:
        operand: s.Expression = s.Identifier(f.scopes.name(meant), at)
    else:
        operand = expression(f, inside)
    if "x" in operator:
        step = operator.replace("x", "")
        return s.Increment(step, operand, operator.endswith("x"), at)
    if operator in ("+", "-", "~"):
        folded = libclang.constant(cursor) if isinstance(operand, s.Literal) else None
        value = s.UnaryOp(operator, f.whole(inside, operand), at)
        return value if folded is None or isinstance(folded, float) else literal(folded, kind_of(cursor.type), at)
    return f.opaque(cursor)


def pointed(f: FunctionReader, cursor: Any, at: s.LineColumn, in_place: bool) -> s.Expression:
    """`*p` and `*(p + i)`: an element, or a row in place."""
    inside, zero = bare(cursor), s.Literal("int", "0", at)
    walked = walks.element(f, cursor, at)
    if walked is not None:
        return walked
    if kind_of(cursor.type).name == "function":
        return f.expression(cursor)
    if inside.kind.name == "BINARY_OPERATOR" and libclang.binary_operator(inside) == "+":
        left, right = children_of(inside)
        if is_pointer(kind_of(left.type)) and not is_pointer(kind_of(right.type)):
            return s.ArrayAccess(f.expression(left), f.whole(right), at, in_place)
    return s.ArrayAccess(f.expression(cursor), zero, at, in_place)


def _address(f: FunctionReader, inside: Any, at: s.LineColumn) -> s.Expression:
    operand = expression(f, inside)
    if (
        isinstance(operand, s.ArrayAccess)
        and isinstance(operand.subscript, s.Literal)
        and operand.subscript.text == "0"
    ):
        return operand.array  # the address of the first element
    return s.AddressOf(operand, at)


def binary(f: FunctionReader, cursor: Any) -> s.Expression:
    """An operator of two operands; those of pointers are offsets."""
    operator = libclang.binary_operator(cursor)
    left, right = children_of(cursor)
    at = f.after(left)
    if operator == "=":
        return assignment(f, left, right, at)
    if operator == ",":
        return s.Comma(expression(f, left), expression(f, right), at)
    if operator in ("&&", "||"):
        return s.BinaryOp(operator, f.truth(left), f.truth(right), at)
    of_pointers = is_pointer(kind_of(left.type)) or is_pointer(kind_of(right.type))
    walked = walks.compared(f, operator, left, right, at) if of_pointers and f.scopes.walks else None
    if walked is not None:
        return walked
    if of_pointers and operator in ("+", "-"):
        return offset(f, operator, left, right, at)
    folded = libclang.constant(cursor)
    if isinstance(folded, int) and kind_of(cursor.type).name in types.INTEGRAL:
        return literal(folded, kind_of(cursor.type), at)
    return s.BinaryOp(operator, f.whole(left), f.whole(right), at)


def assignment(f: FunctionReader, left: Any, right: Any, at: s.LineColumn) -> s.Expression:
    """`=`: of memory that is just allocated, with its size."""
    meant = bare(left).referenced
    if meant is not None and meant.hash in f.scopes.walks:
        return s.Assign("", s.Identifier(f.scopes.name(meant), at), walks.subscript_of(f, meant, right), at)
    made = allocation(f, right, left.type)
    return s.Assign("", expression(f, left), made if made is not None else expression(f, right), at)


def compound(f: FunctionReader, cursor: Any) -> s.Expression:
    """`+=` and the like; `p += n` of a pointer goes on by an offset."""
    operator, at = libclang.binary_operator(cursor)[:-1], f.at(cursor)
    left, right = children_of(cursor)
    meant = bare(left).referenced
    if meant is not None and meant.hash in f.scopes.walks:
        return s.Assign(operator, s.Identifier(f.scopes.name(meant), at), f.whole(right), at)
    if is_pointer(kind_of(left.type)):
        return s.Assign("", expression(f, left), offset(f, operator, left, right, at), at)
    return s.Assign(operator, expression(f, left), f.whole(right), at)


def conditional(f: FunctionReader, cursor: Any) -> s.Expression:
    """`?:`, whose middle may be missing."""
    parts = [*children_of(cursor)]
    if len(parts) != 3:
        return f.opaque(cursor)
    return s.Conditional(f.truth(parts[0]), f.whole(parts[1]), f.whole(parts[2]), f.at(cursor))


def cast(f: FunctionReader, cursor: Any) -> s.Expression:
    """A conversion that is written: between pointers it takes nothing."""
    inside = [c for c in children_of(cursor) if c.kind.is_expression()]
    made = allocation(f, cursor, cursor.type)
    if made is not None:
        return made
    value, kind = f.whole(inside[-1]), kind_of(cursor.type)
    return value if kind in (types.VOID, FUNCTION) or not kind.name else s.Cast(kind, value, f.at(cursor))


def call(f: FunctionReader, cursor: Any) -> s.Expression:
    """A call: of a function of the program, of the mathematical library, by a pointer, of a library."""
    callee, *given = children_of(cursor)
    at, meant = f.at(cursor), cursor.referenced
    if meant is None or meant.kind.name != "FUNCTION_DECL":
        arguments = tuple(f.whole(a) for a in given)
        known = [name for name in called(callee, f.file.unit.pointed) if f.file.is_defined(name)]
        if known:
            return _one_of(f, expression(f, callee), known, arguments, at)
        f.note("a call through a pointer is one operation where it is not known what it points to", cursor)
        return s.Cast(kind_of(cursor.type), s.MethodCall(expression(f, callee), "apply", arguments, at), at)

    function = meant.spelling.removeprefix("__builtin_")
    arguments = tuple(f.whole(a) for a in given)
    plain = function[:-1] if function[-1:] in ("f", "l") and function[:-1] in MATH else function
    if plain in MATH and not f.file.is_defined(function):
        value = s.MethodCall(s.Identifier("Math", at), MATH[plain] or plain, arguments, at)
        return s.Cast(kind_of(cursor.type), value, at)
    if function in ENDS and not f.file.is_defined(function):
        return s.MethodCall(s.Identifier("System", at), "exit", arguments, at)
    if function in ("longjmp", "siglongjmp", "_longjmp"):
        return s.Opaque("longjmp", at)
    if function == "expect" and arguments:
        return arguments[0]
    value = s.MethodCall(None, function, arguments, at)
    kind = kind_of(cursor.type)
    return value if f.file.is_defined(function) or kind == types.VOID or not kind.name else s.Cast(kind, value, at)


def _one_of(
    f: FunctionReader, callee: s.Expression, known: list[str], arguments: tuple[s.Expression, ...], at: s.LineColumn
) -> s.Expression:
    """A call of the function that a pointer is equal to; that of the last one is what is left."""
    value: s.Expression = s.MethodCall(None, known[-1], arguments, at)
    for function in known[-2::-1]:
        is_it = s.BinaryOp("==", callee, s.Reference(s.Identifier(f.file.name, at), function, at), at)
        value = s.Conditional(is_it, s.MethodCall(None, function, arguments, at), value, at)
    return value


def list_of_items(f: FunctionReader, cursor: Any) -> s.Expression:
    """`{a, b, ...}` where no declaration takes it: its items in order."""
    items = [expression(f, c) for c in children_of(cursor) if c.kind.is_expression()]
    return f.chained(items, f.at(cursor)) if items else s.Literal("int", "0", f.at(cursor))


def compound_literal(f: FunctionReader, cursor: Any) -> s.Expression:
    """`(struct p){1, 2}`: its items, as a value of its type."""
    items = [c for c in children_of(cursor) if c.kind.is_expression()]
    return s.Cast(kind_of(cursor.type), f.chained([expression(f, c) for c in items], f.at(cursor)), f.at(cursor))


READ: dict[str, Reading] = {
    **dict.fromkeys(("UNEXPOSED_EXPR", "PAREN_EXPR"), inner),
    **dict.fromkeys(("INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_UNARY_EXPR"), number),
    **{"STRING_LITERAL": text, "GNU_NULL_EXPR": null, "GENERIC_SELECTION_EXPR": generic, "DECL_REF_EXPR": name},
    **{"ARRAY_SUBSCRIPT_EXPR": subscript, "MEMBER_REF_EXPR": member, "UNARY_OPERATOR": unary},
    **{"BINARY_OPERATOR": binary, "COMPOUND_ASSIGNMENT_OPERATOR": compound, "CONDITIONAL_OPERATOR": conditional},
    **{"CSTYLE_CAST_EXPR": cast, "CALL_EXPR": call, "INIT_LIST_EXPR": list_of_items},
    "COMPOUND_LITERAL_EXPR": compound_literal,
}
"""What reads each kind of expression of C; any other is counted as one operation, which is said at its place."""
UNMODELLED = frozenset(
    (
        *("IMAGINARY_LITERAL", "ADDR_LABEL_EXPR", "BLOCK_EXPR", "PACK_EXPANSION_EXPR", "SIZE_OF_PACK_EXPR"),
        *("LAMBDA_EXPR", "FIXED_POINT_LITERAL", "BUILTIN_BIT_CAST_EXPR", "CONCEPT_SPECIALIZATION_EXPR"),
        *("REQUIRES_EXPR", "INDIRECT_GOTO_STMT", "ASM_STMT", "MS_ASM_STMT"),
    )
)
"""Kinds of extensions, and of C++, that are counted as one operation; those of other languages begin with `FOREIGN`."""
FOREIGN = ("OBJC_", "OBJ_", "CXX_", "SEH_", "OMP_")
