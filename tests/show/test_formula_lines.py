"""Laws of formulas as lines: wrapped without loss, folded where long, never longer than memory allows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apet.api import compile_text
from apet.show.formula_lines import block, formula_rows, greatest_by_name, text_of, wrapped, written_size

WORDS = st.lists(st.sampled_from(["a", "+ b[i, j]", "- c", "max(1, 2)", "[1 <= p]", "x" * 30]), min_size=1, max_size=40)


@given(WORDS, st.integers(20, 120))
def test_wrapping_loses_nothing_and_keeps_brackets_whole(words: list[str], width: int) -> None:
    text = " ".join(words)
    lines = wrapped(text, width)
    assert " ".join(lines).split() == text.split()
    assert all(line.count("[") == line.count("]") for line in lines)
    assert all(len(line) <= max(width, 30) for line in lines)


def test_a_bracket_longer_than_a_line_is_broken_all_the_same() -> None:
    assert max(map(len, wrapped("[" + " + ".join(["a"] * 100) + "] b", 40))) <= 40


def test_the_total_names_its_candidates() -> None:
    app = compile_text("param P; L = par (p = 1, P) { use(p, w[p]); use(disk, 1) }; w[p] = op[p];")
    assert sorted(greatest_by_name(app)[4:-1].split(", ")) == ["T0", "T[disk]", "max_p T[cpu[p]]"]
    assert greatest_by_name(compile_text("L = delay(1);")) == "T0"


def test_a_family_is_given_with_its_range() -> None:
    app = compile_text("param P; L = par (p = 1, P) use(p, delay(p));")
    notes = {row.name: row.note for row in formula_rows(app)}
    assert notes["T[cpu[p]]"] == "for p = 1..P"


def test_long_sums_are_folded_to_the_lines_allowed() -> None:
    app = compile_text("L = {" + ";".join(f"op{k}[1]" for k in range(200)) + "};")
    lines = block(formula_rows(app)[:1], 80, most_lines=3)
    assert len(lines) <= 3
    assert "more terms" in lines[-1]
    assert all(len(line) <= 80 for line in lines)


def test_a_formula_that_would_fill_the_memory_is_counted_not_written() -> None:
    steps = "".join(f"E{k} = {{ E{k + 1}; a{k}[1] }} || {{ E{k + 1}; b{k}[1] }};" for k in range(60))
    app = compile_text(f"L = E0; {steps} E60 = {{ c[1] || d[2] }};")
    assert len(text_of(app.T0)) < 10**6
    assert written_size(app.T0, 1) <= written_size(app.T0)
