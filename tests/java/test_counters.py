"""Counters put into classes count what the source says, and change nothing that the program does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from apet.ground.source_files import read_source
from apet.java.bytecode.class_file import ClassFile
from apet.java.jvm import compile_java, find_jdk, run_java
from apet.java.profile.asked import Site
from apet.java.profile.counted_classes import copies, count
from apet.java.profile.counts import Count, CountedRun
from apet.java.profile.fits import fitted
from apet.java.profile.parameter_values import DOUBT, parameters, values, with_doubt
from apet.java.profile.profiling import POSITIONS, prepare, run_profile
from apet.java.translation import translate_resolved
from apet.program.algebra import as_value
from apet.program.ir import LineColumn, ParameterKind, ParameterSite, SourceNote

needs_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

TASK = """\
public class Task {
\tstatic int f$(int k$) { return k$ < 2 ? k$ : f$(k$ - 1) + f$(k$ - 2); }
  static int thrown(Object o) {
    if (o instanceof String t && t.length() > 2) throw new IllegalStateException(t); return 1;
  }
  static int run(int n) {
    int s = 0; Object[] words = {"a", "bcd", null};
    for (int i = 0; i < n; i++) if (i % 3 == 0 && s >= 0 || i == 1) s += i;
    while (true) { if (s < 5) break; s /= 2; }
    for (int i = 0; i < n; i++)
      try { s += thrown(words[i % 3]); } catch (IllegalStateException e) { s++; } finally { s--; }
    for (Object word : words) { if (!(word instanceof String known)) { continue; } s += known.length(); }
    do s += 2; while (s < n);
    switch (n % 4) { case 0: s++; case 2: s += 3; break; default: s--; }
    return s + f$(5);
  }
}
"""


def counted(tmp_path: Path) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """What a run with n = 10 counts: by kind and line, first and second, from left to right."""
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    jdk, translation = find_jdk(), translate_resolved(read_source(str(path)), "Task.run")
    program = prepare(jdk, [str(path)], str(tmp_path), translation.parameters)
    sites = run_profile(jdk, program, ("Task", "run"), [10], True, 60.0).sites
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for site, one in sorted(sites.items(), key=lambda pair: pair[0].at):
        found.setdefault((site.kind, site.at.line), []).append((one.first, one.second))
    return found


@needs_jdk
def test_conditions_loops_handlers_and_cases_are_counted_where_they_stand(tmp_path: Path) -> None:
    found = counted(tmp_path)
    assert found["test", 4] == [(10, 7), (10, 3)]  # the pattern, and all of the condition
    assert found["test", 8] == [(10, 4), (10, 4), (10, 5)]
    assert found["loop", 9] == [(1, 3)]
    assert found["handler", 11] == [(10, 3)]
    assert found["test", 12] == [(3, 1)]
    assert found["loop", 13] == [(1, 1)]
    assert found["case", 14] == [(1, 0), (1, 1)]


@needs_jdk
def test_a_program_with_counters_prints_what_it_printed_before(tmp_path: Path) -> None:
    main = "  public static void main(String[] a) {\n    System.out.println(run(10));\n"
    main += "    new Throwable().printStackTrace(System.out);\n  }\n}\n"
    path, jdk = tmp_path / "Task.java", find_jdk()
    path.write_text(TASK.removesuffix("}\n") + main)
    translation = translate_resolved(read_source(str(path)), "Task.run")
    program = prepare(jdk, [str(path)], str(tmp_path), translation.parameters)
    (tmp_path / "before").mkdir()
    compile_java(jdk, [path], str(tmp_path / "before"), "a test")
    plain = run_java(jdk, ["-cp", str(tmp_path / "before"), "Task"], "a test", 60)
    # Nothing has started the counters: they count into arrays of one run.
    starter = "import apet.ApetProfile; public class S { public static void main(String[] a) throws Exception {"
    starter += f" ApetProfile.start({program.numbers}, true); Task.main(a); }} }}"
    (tmp_path / "S.java").write_text(starter)
    compile_java(jdk, [tmp_path / "S.java"], str(tmp_path / "classes"), "a test", f"{program.harness}:{program.folder}")
    words = ["-cp", f"{program.folder}:{program.harness}", "S"]
    assert run_java(jdk, words, "a test", 60).splitlines()[:-1] == plain.splitlines()


@needs_jdk
def test_classes_are_written_as_they_were_read(tmp_path: Path) -> None:
    path = tmp_path / "Task.java"
    path.write_text(TASK)
    compile_java(find_jdk(), [*POSITIONS, path], str(tmp_path), "a test")
    data = (tmp_path / "Task.class").read_bytes()
    assert ClassFile(data).written() == data


@needs_jdk
def test_a_place_that_no_code_was_made_from_counts_nothing(tmp_path: Path) -> None:
    path, site = tmp_path / "A.java", Site("test", "A.java", LineColumn(1, 40))
    path.write_text("class A { int f(int n) { if (false) n++; return n; } }")
    compile_java(find_jdk(), [*POSITIONS, path], str(tmp_path), "a test")
    sources = copies({"A.java": path.read_text()}, [site])
    assert count(tmp_path, tmp_path / "counted", sources, [site], frozenset()).tallies == {}


MODEL = """\
param n;                                  // Task.java:5: field n
param q_5 in [0, 1];                      // Task.java:5: probability of `i % 3 == 0`
param rounds_6;                           // Task.java:6: rounds of `while (true)`, on average
param calls_f;                            // Task.java:2: calls of f made by one call from outside, itself included
param miss_5 = 3 * min(q_5, 1 - q_5) / 5 in [0, 1];  // line 5: mispredictions of this branch, each time
"""
HERE = LineColumn(5, 20)


def notes() -> dict[str, SourceNote]:
    def note(name: str, kind: ParameterKind, line: int = 5, **what: str) -> SourceNote:
        at = HERE if line == 5 else LineColumn(line, 1)
        return SourceNote(name, "", at, kind=kind, site=ParameterSite("Task.java", at, **what))  # type: ignore[arg-type]

    return {
        "n": note("n", ParameterKind.FIELD, 1, owner="Task", member="n"),
        "q_5": note("q_5", ParameterKind.TEST),
        "rounds_6": note("rounds_6", ParameterKind.ROUNDS, 6),
        "calls_f": note("calls_f", ParameterKind.CALLS, 2, owner="Task", member="f"),
        "miss_5": SourceNote(
            "miss_5",
            "",
            HERE,
            as_value(1),
            as_value(0),
            as_value(1),
            ParameterKind.MISSED,
            ParameterSite("", HERE, variable="q_5"),
        ),
    }


def profile() -> CountedRun:
    """A run in which the third of 900,000 rounds went one way, half of them mispredicted."""
    sites = {
        Site("loop", "Task.java", LineColumn(6, 1)): Count(10, 50, 0, 0.0),
        Site("method", "Task.java", LineColumn(2, 1), "f", owner="Task"): Count(2, 30, 0, 0.0),
        Site("test", "Task.java", HERE): Count(900_000, 300_000, 450_000, 0.0),
    }
    return CountedRun(sites, {"Task.n": 7.0}, {}, (7,))


def test_parameters_get_the_shares_rounds_and_calls_of_the_run() -> None:
    found = values(notes(), profile(), misses=True)
    assert found == {
        "n": 7.0,
        "q_5": pytest.approx(1 / 3),
        "rounds_6": 5.0,
        "calls_f": 15.0,
        "miss_5": pytest.approx(0.5),
    }


def test_mispredictions_are_left_to_the_model_unless_asked_for() -> None:
    assert "miss_5" not in values(notes(), profile(), misses=False)


def test_doubt_multiplies_every_static_guess_and_nothing_else() -> None:
    doubtful = {p.name: p.value for p in parameters(with_doubt(MODEL))}
    assert doubtful.pop("miss_5") == f"min(1, {DOUBT} * (3 * min(q_5, 1 - q_5) / 5))"
    assert doubtful.pop(DOUBT) == ""
    assert doubtful == {p.name: p.value for p in parameters(MODEL) if p.name != "miss_5"}


@pytest.mark.parametrize(
    ("counts", "text"),
    [
        ([45, 190, 435, 780], "1/2 n^2 - 1/2 n"),
        ([7, 7, 7, 7], "7"),
        ([10, 20, 30, 40], "n"),
        ([0.5, 2.0, 4.5, 8.0], "1/200 n^2"),
    ],
)
def test_counts_that_are_a_polynomial_are_found_exactly(counts: list[float], text: str) -> None:
    assert fitted([10, 20, 30, 40], counts, "n") == text


def test_other_counts_get_a_power_law_with_its_error() -> None:
    assert fitted([1, 4, 16, 64], [2.0, 4.0, 8.0, 16.1], "n").startswith("1.998 n^0.50")
