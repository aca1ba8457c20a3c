"""Every kind of statement and expression that libclang has is read, or is one that is named where it stands."""

from __future__ import annotations

import pytest
from tests.c.translated import translated

from apet.c.parse import expressions, statements

cindex = pytest.importorskip("clang.cindex")
EXAMPLES = {
    "ASM_STMT": 'void f(void) { __asm__("nop"); }',
    "ADDR_LABEL_EXPR": "void f(void) { void *p = &&out; goto *p; out:; }",
    "IMAGINARY_LITERAL": "double f(void) { return __real(2.0 + 3.0i); }",
}
PARTS = ("CASE_STMT", "DEFAULT_STMT")


def test_every_kind_is_read_or_named() -> None:
    kinds = {k.name for k in cindex.CursorKind.get_all_kinds() if k.is_statement() or k.is_expression()}
    own = {name for name in kinds if not name.startswith(expressions.FOREIGN) or name == "CXX_UNARY_EXPR"}
    assert own - {*expressions.READ, *statements.READ, *PARTS, "MEMBER_REF"} == expressions.UNMODELLED


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_is_not_modelled_is_named_at_its_place_and_translated(kind: str) -> None:
    model = translated(EXAMPLES[kind], "f")
    assert any(kind.lower().replace("_", " ") in str(one) for one in model.advice)
