"""Directives of OpenMP: what the busiest thread counts is what the model says; schedules, locks and reductions."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.c.translated import body, translated
from tests.java.law_of_counts import answer_of, machine

import apet
from apet import c
from apet.cli.main import main
from apet.ground.source import Source

pytest.importorskip("clang.cindex")
FILE = Path(__file__).parents[1] / "data" / "c" / "threads.c"
NAMES = re.findall(r"^void (\w+)\(int n\)", FILE.read_text(encoding="utf-8"), re.MULTILINE)
THREADS, SIZES = 3, (0, 1, 7, 40)
COUNTING = """
#include <omp.h>
#include <stdio.h>
static long M[{threads}];
#define MARK (M[omp_get_thread_num()]++)
#include "{file}"
static long busiest(void) {{
    long most = 0;
    for (int k = 0; k < {threads}; k++) {{ most = M[k] > most ? M[k] : most; M[k] = 0; }}
    return most;
}}
int main(void) {{
    omp_set_num_threads({threads});
{calls}
}}
"""
LOOP = (
    "double f(int n, double *a) {{ double s = 0;\n\n#pragma omp {}\n    for (int i = 0; i < n; i++)\n{}\nreturn s; }}"
)


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], int]:
    if shutil.which("gcc") is None:
        pytest.skip("needs gcc")
    folder = tmp_path_factory.mktemp("threads")
    calls = "".join(f'    {f}({n}); printf("{f} {n} %ld\\n", busiest());\n' for f in NAMES for n in SIZES)
    (folder / "marks.c").write_text(COUNTING.format(threads=THREADS, file=FILE, calls=calls), encoding="utf-8")
    subprocess.run(["gcc", "-O1", "-w", "-fopenmp", "marks.c", "-o", "marks"], cwd=folder, check=True)
    lines = subprocess.run([folder / "marks"], capture_output=True, text=True, check=True).stdout.splitlines()
    return {(name, int(n)): int(count) for name, n, count in map(str.split, lines)}


@pytest.mark.parametrize("name", NAMES)
def test_the_busiest_thread_has_the_rounds_that_the_model_gives_it(
    name: str, truth: dict[tuple[str, int], int], tmp_path: Path
) -> None:
    model = c.translate(Source(str(FILE), FILE.read_text(encoding="utf-8")), name, "flat").text
    place = tmp_path / "marks.toml"
    text = machine(list(apet.compile_text(model).operations))
    place.write_text(text.replace("count = 1", f"count = {THREADS}"), encoding="utf-8")
    for n in SIZES:
        words = ["predict", str(FILE), "--entry", name, "-m", str(place), "--set", f"n={n}", "-P", str(THREADS)]
        assert answer_of([*words, "--json"]).kind(truth[name, n]) == "right", n


def test_chunks_go_to_the_thread_that_is_free_first_and_are_dealt_in_turn_where_they_are_alike() -> None:
    in_turn, free = (
        translated(LOOP.format(f"parallel for schedule({kind}, 4)", "a[i] = 0;"), "f", "flat")
        for kind in ("static", "dynamic")
    )
    assert free.text == in_turn.text
    assert not free.advice


def test_chunks_that_are_not_alike_are_named_where_they_go_to_whoever_is_free() -> None:
    text = LOOP.format("parallel for schedule(dynamic)", "for (int j = 0; j < i; j++) a[j] = 0;")
    assert "free first" in str(translated(text, "f").advice[0])


def test_a_critical_section_holds_a_resource() -> None:
    text = LOOP.format("parallel for", "{\n#pragma omp critical (sums)\n        a[0] += a[i];\n    }")
    assert "use(critical_sums, " in body(text)
    assert "use(critical_section, " in body(text.replace("(sums)", ""))


def test_copies_of_a_reduction_are_added_once_for_each_thread() -> None:
    text = body(LOOP.format("parallel for reduction(+ : s)", "s += a[i];"))
    after = text.partition("par (thread = 1, P)")[2]
    assert "sum_double[p]" in after.partition("if (1 / 2)")[0]
    assert "seq (k = 1, P - 1)" in after


@pytest.mark.parametrize(
    ("directive", "named"),
    [
        ("parallel for collapse(2)", "collapse(2)"),
        ("parallel for schedule(guided)", "schedule(guided)"),
        ("parallel for reduction(max : s)", "reduction(max : s)"),
        ("parallel for schedule(static, n / 4)", "a chunk of n / 4 rounds"),
        ("parallel", "a parallel region"),
        ("taskloop", "taskloop"),
    ],
)
def test_what_is_not_modelled_is_named_at_its_place(directive: str, named: str) -> None:
    (note,) = translated(LOOP.format(directive, "a[i] = 0;"), "f").advice
    assert named in str(note)
    assert note.source is not None
    assert note.span is not None
    assert note.source.position(note.span.start) == (3, 1)


def test_rounds_that_nobody_knows_beforehand_are_those_of_one_thread() -> None:
    text = "void f(int n, int *a) {\n#pragma omp parallel for\n    for (int i = 0; a[i] < n; i++) a[i]++; }"
    model = translated(text, "f", "flat")
    assert "par (" not in model.text
    assert "one thread" in str(model.advice[0])


def test_threads_inside_threads_are_one() -> None:
    inner = "#pragma omp parallel for\n        for (int j = 0; j < n; j++)\n            a[j] = i;"
    model = translated(LOOP.format("parallel for", inner), "f", "flat")
    assert model.text.count("par (") == 1
    assert "threads inside threads" in str(model.advice[0])


def test_what_a_run_counts_is_a_mean_over_all_threads_and_said_to_be() -> None:
    model = translated(LOOP.format("parallel for", "while (a[i] > 1) a[i] /= 2;"), "f")
    assert "every thread is taken to have the mean" in str(model.advice[0])


def test_bounds_of_threads_say_what_they_assume(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "void f(int n, double *a) {\n#pragma omp parallel for\n    for (int i = 0; i < n; i++) a[i] = i; }"
    (tmp_path / "f.c").write_text(text, encoding="utf-8")
    call = ["predict", str(tmp_path / "f.c"), "--set", "n=50", "--machines", "xeon-gcc12-O2", "-P", "2"]
    assert main(call) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "guaranteed" in said
    assert "do not compete for memory" in said
