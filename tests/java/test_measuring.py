"""Measured machine files, and programs validated on them: real runs of a JVM, small and quick."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.java.measure.machine_text import machine_text
from apet.machine import parse_machines
from apet.program.measure.bands import ErrorBand
from apet.program.measure.cases import cases, java_source

JAVA = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")
KERNEL = """\
public class K_sum extends Kernel {
  int n; int[] a;
  public void setup(int n) { this.n = n; a = rnd(n, 100, 7); System.out.println("not an answer"); }
  public double run() { int s = 0; for (int i = 0; i < n; i++) { if (a[i] < 50) s += a[i]; } return s; }
}
"""


def small() -> dict[str, object]:
    """A machine file's content as a measurement makes it, with two operations."""
    provenance = {"method": "apet benchmark", "date": "today", "mode": "C2", "parameters": {"vector_B": 32}}
    machine = {"name": "this", "count": 2, "cores": 1, "op_s": {"sum_int": [1e-10, 2e-10], "call": [0.0, 1e-9]}}
    network = {"topology": "none", "latency_s": [1e-5, 2e-5], "bandwidth_B_per_s": [1e9, 2e9]}
    return {"schema": 1, "name": 'a "quoted" name', "machine": [machine], "network": network, "provenance": provenance}


def test_a_written_file_reads_back_as_what_was_measured() -> None:
    found = parse_machines(Source("m.toml", machine_text(small())))
    assert (found.groups[0].op_s["sum_int"].lo, found.groups[0].op_s["sum_int"].hi) == (1e-10, 2e-10)
    assert found.provenance["parameters"] == {"vector_B": 32}
    assert found.name == 'a "quoted" name'


def test_the_intervals_of_a_shipped_measurement_hold_the_middle_of_its_samples() -> None:
    from apet.machine import load_machines, shipped_machines

    measured = [m for m in map(load_machines, shipped_machines()) if m.provenance.get("method") == "apet benchmark"]
    assert measured
    for machines in measured:
        samples = machines.provenance["measured_s"]
        for name, time in machines.groups[0].op_s.items():
            ordered = sorted(samples[name])
            assert time.lo <= ordered[len(ordered) // 2] <= time.hi, name


def test_what_is_taken_off_a_case_was_timed_before_it() -> None:
    seen: set[str] = set()
    for case in cases():
        assert set(case.extra) <= seen, case.name
        assert case.name not in seen
        seen.add(case.name)


def test_every_case_is_written_as_a_method_and_registered() -> None:
    text = java_source()
    for case in cases():
        for way in ("lat", "tp"):
            assert text.count(f"static double {way}_{case.name}(int n)") == 1
            assert text.count(f"Operations::{way}_{case.name})") == 1


def test_a_band_never_narrows() -> None:
    from apet.program.measure.bands import band

    for mode in ("C2", "C1", "Xint"):
        for level in ("core", "flat"):
            assert isinstance(band(mode, level), ErrorBand)
            assert min(band(mode, level)) >= 1


def test_without_a_jdk_the_message_says_how_to_install_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from apet.java.jvm import find_jdk

    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(ApetError, match="no java found"):
        find_jdk()


@JAVA
def test_a_jvm_that_does_not_end_is_killed(tmp_path: Path) -> None:
    from apet.java.jvm import compile_java, find_jdk, run_java

    (tmp_path / "Endless.java").write_text("class Endless { public static void main(String[] a) { while (true) {} } }")
    compile_java(find_jdk(), [tmp_path / "Endless.java"], str(tmp_path), "a test")
    with pytest.raises(ApetError, match=r"did not end within 0\.5 s"):
        run_java(find_jdk(), ["-cp", str(tmp_path), "Endless"], "a test", 0.5)


@JAVA
def test_a_task_that_throws_is_reported_with_its_words(tmp_path: Path) -> None:
    from apet.java.jvm import compile_java, find_jdk, run_java

    text = 'class Bad { public static void main(String[] a) { throw new IllegalStateException("no luck"); } }'
    (tmp_path / "Bad.java").write_text(text)
    compile_java(find_jdk(), [tmp_path / "Bad.java"], str(tmp_path), "a test")
    with pytest.raises(ApetError, match="no luck"):
        run_java(find_jdk(), ["-cp", str(tmp_path), "Bad"], "a test", 10)


@JAVA
def test_an_instrumented_run_counts_exactly(tmp_path: Path) -> None:
    from apet.ground.source_files import read_source
    from apet.java.jvm import SOURCES, find_jdk
    from apet.java.profile.profiling import prepare, run_profile
    from apet.java.translation import translate_resolved

    (tmp_path / "K_sum.java").write_text(KERNEL)
    shutil.copy(SOURCES / "Kernel.java", tmp_path)
    path = str(tmp_path / "K_sum.java")
    program = prepare(find_jdk(), [path], str(tmp_path), translate_resolved(read_source(path), "K_sum.run").parameters)
    found = run_profile(find_jdk(), program, ("K_sum", "run"), [1000], True, 30)
    counts = {site.kind: count for site, count in found.sites.items()}
    assert counts["test"].first == 1000
    assert 400 < counts["test"].second < 600
    assert found.fields["K_sum.n"] == 1000
    assert found.arrays["K_sum.a"] == (1000,)


@JAVA
@pytest.mark.measures
def test_a_measured_machine_predicts_a_kernel_within_its_interval(tmp_path: Path) -> None:
    from apet.cli.main import main
    from apet.java.jvm import SOURCES

    (tmp_path / "K_sum.java").write_text(KERNEL)
    shutil.copy(SOURCES / "Kernel.java", tmp_path)
    (tmp_path / "sizes.json").write_text('{"sum": [100000]}')
    machine, out = str(tmp_path / "this.toml"), str(tmp_path / "out.json")
    assert main(["benchmark", "--quick", "-o", machine]) == 0
    kernel, sizes = str(tmp_path / "K_sum.java"), str(tmp_path / "sizes.json")
    assert (
        main(["validate", kernel, "--sizes", sizes, "-m", machine, "--profile", "--forks", "2", "--json", "-o", out])
        == 0
    )
    (row,) = json.loads(Path(out).read_text())
    assert (row["name"], row["n"]) == ("K_sum", 100000)
    # A factor of two beyond the interval: this tells a broken chain of tools, not the noise of a busy machine.
    assert row["tmin"] / 2 <= row["measured_s"] <= row["tmax"] * 2


@JAVA
def test_validation_says_what_is_wrong_with_its_input(tmp_path: Path) -> None:
    from apet.java.validate.kernels import kernel_class, read_sizes, sizes_of

    (tmp_path / "A.java").write_text("class A {}")
    with pytest.raises(ApetError, match="no class in it extends Kernel"):
        kernel_class(str(tmp_path / "A.java"))
    for sizes in ("[0]", "[]", "[1.5]", "[true]", "[2147483648]", "7"):
        (tmp_path / "s.json").write_text(f'{{"dot": [5], "sum": {sizes}}}')
        with pytest.raises(ApetError, match="'sum' needs a list of numbers from 1 to 2,147,483,647"):
            read_sizes(str(tmp_path / "s.json"))
    (tmp_path / "s.json").write_text("[5]")
    with pytest.raises(ApetError, match="no object of lists of whole numbers"):
        read_sizes(str(tmp_path / "s.json"))
    with pytest.raises(ApetError, match="gives no sizes for K_sum"):
        sizes_of("K_sum", {"dot": [1]}, "s.json")
