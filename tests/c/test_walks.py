"""Pointers that walk an array have the rounds of its subscripts; the idioms of everyday loops leave no rounds open."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.c.translated import parameters, translated
from tests.java.law_of_counts import answer_of, machine

import apet

pytest.importorskip("clang.cindex")
WALKS = {
    "an end that is computed": "for (int *p = a; p < a + n; p++) MARK;",
    "an end that is kept": "int *e = a + n, *p; for (p = a; p != e; ++p) MARK;",
    "two in one start": "int *p, *q; for (p = a, q = a + n; p < q; ++p) MARK;",
    "backwards": "for (int *p = a + n - 1; p >= a; p--) MARK;",
    "by two": "for (int *p = a; p < &a[n]; p += 2) MARK;",
    "from both ends": "int *l = a, *r = a + n - 1; while (l < r) { MARK; l++; r--; }",
    "before the body": "for (int *p = a + n; p-- > a;) MARK;",
    "rows": "for (int *r = a; r < a + n * 3; r += 3) for (int *p = r; p < r + 3; p++) MARK;",
    "memory that is made": "int *b = malloc(n * sizeof *b); for (int *p = b; p - b < n; p++) MARK; free(b);",
    "a global array": "for (int *p = fixed; p < fixed + 40; p++) MARK;",
    "an element": "for (int *p = &a[1]; p <= &a[n - 1]; p++) if (*p == p[0]) MARK; else MARK;",
}
HEAD = "#include <stdlib.h>\n#include <math.h>\nint fixed[40];\n"


@pytest.mark.parametrize("name", WALKS)
def test_a_pointer_that_walks_an_array_runs_as_often_as_its_places(name: str, tmp_path: Path) -> None:
    body = f"void f(int n, int *a) {{ {WALKS[name]} }}\n"
    counted = '#include <stdio.h>\nint main(void) { static int a[99]; f(17, a); printf("%d", M); }'
    (tmp_path / "run.c").write_text(f"{HEAD}static int M;\n{body.replace('MARK', 'M++')}{counted}", encoding="utf-8")
    subprocess.run(["cc", "-w", "-o", tmp_path / "run", tmp_path / "run.c"], check=True)
    times = int(subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=True).stdout)

    source = tmp_path / "walk.c"
    source.write_text(HEAD + "volatile double x;\n" + body.replace("MARK", "x = cbrt(x)"), encoding="utf-8")
    model = translated(source.read_text(encoding="utf-8"), "f").text
    place = tmp_path / "marks.toml"
    place.write_text(machine(list(apet.compile_text(model).operations)), encoding="utf-8")
    answer = answer_of(["predict", str(source), "--entry", "f", "-m", str(place), "--set", "n=17", "-P", "1", "--json"])
    assert answer.kind(times) == "right"


LEFT = {
    "two arrays": "int *p = n > 5 ? a : b; for (int *e = p + n; p < e; p++) n--;",
    "an array that moves": "int *p = a; for (a++; p < a + n; p++) a++;",
    "other memory in each round": "int *o = 0; for (int *p = a; p != o; p++) { int *m = malloc(4); o = m; }",
}


@pytest.mark.parametrize("name", LEFT)
def test_a_pointer_that_is_in_several_arrays_keeps_its_rounds_open(name: str) -> None:
    model = f"{HEAD}void f(int n, int *a, int *b) {{ {LEFT[name]} }}"
    assert any(p.startswith("rounds_") for p in parameters(model))


IDIOMS = {
    "a step first": "while (i <= n) { i = i + 1; c = c + 1; }",
    "a step last": "while (i <= n) { c = c + 1; i = i + 1; }",
    "a step in a subscript": "while (i < n) s += x[i++];",
    "do while": "do { s += i; i++; } while (i < n);",
    "several counters": "for (i = 0, j = n; i < j; i++, j--) s += x[i];",
    "limits that are joined": "while (i < n && j < m) { i++; j += 2; }",
    "two pointers": "j = n - 1; while (i < j) { if (x[i] < x[j]) i++; else j--; }",
    "binary search": "j = n; while (i < j) { int k = (i + j) / 2; if (x[k] < s) i = k + 1; else j = k; }",
    "doubling": "for (i = 1; i < n; i *= 2) s++;",
    "merging": "while (i < n && j < m) { if (x[i] < x[j]) i++; else j++; }",
    "digits": "while (n > 0) { s += n % 10; n /= 10; }",
    "greatest common divisor": "while (m != 0) { int t = n % m; n = m; m = t; }",
    "an inner counter that goes on": "while (i < n) { if (j < m && x[j] < x[i]) j++; else { i++; s += j; } }",
}


@pytest.mark.parametrize("name", IDIOMS)
def test_an_everyday_loop_leaves_no_rounds_without_a_range(name: str) -> None:
    text = f"int f(int n, int m, int *x) {{ int i = 0, j = 0, c = 0, s = 0; {IDIOMS[name]} return s + c; }}"
    model = translated(text, "f").text
    open_rounds = re.findall(r"^param (rounds_\w+);", model, re.MULTILINE)
    assert not open_rounds, model
