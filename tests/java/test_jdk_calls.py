"""Calls of the JDK that nobody measured take the time that the JDK's own source has, inside that of their class."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from apet.cli.main import main
from apet.ground.interval import Interval
from apet.ground.resources import located
from apet.java import jdk_calls
from apet.java.jdk_calls import with_jdk_times
from apet.java.parse.archive import SourceArchive
from apet.machine import load_machines
from apet.machine.operation_classes import class_of

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
MACHINES = load_machines(located("zen5-openjdk17"))
TALLY = """package java.util;
public class Tally extends Base implements Counting {
  private int n; private int[] a = new int[8];
  public Tally(int first) { n = first; }
  public int count() { return n; }
  public int add(int k) { if (k < 0) throw new IllegalArgumentException("" + k); n += k; return n; }
  public int add(int k, int l) { return add(k) + add(l); }
  public int total() { int s = 0; for (int x : a) s += x; return s; }
  public int down(int k) { return k <= 0 ? 0 : up(k - 1); }
  public int up(int k) { return down(k - 1) + 1; }
  @IntrinsicCandidate
  public int quick() { int s = 0; for (int i = 0; i < 100; i++) s += a[i & 7] * i % 7; return s; }
  public native int outside();
}
"""
BASE = """package java.util;
public abstract class Base { abstract int count(); public int twice() { return 2 * count(); } }
"""


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a small archive, which is that of the JDK inside."""
    path = tmp_path / "src.zip"
    with ZipFile(path, "w") as file:
        file.writestr("java.base/java/util/Tally.java", TALLY)
        file.writestr("java.base/java/util/Base.java", BASE)
        file.writestr("java.base/java/util/ArrayList.java", TALLY.replace("Tally", "ArrayList"))
        file.writestr("java.base/java/util/Broken.java", "class Broken { int f( }")
        file.writestr("java.sql/java/sql/Tally.java", "class Tally { }")
    monkeypatch.setattr(jdk_calls, "jdk_archive", lambda: SourceArchive(str(path)))
    return str(path)


def time_of(operation: str) -> Interval:
    return with_jdk_times(MACHINES, [operation]).groups[0].op_s[operation]


def class_time(operation: str) -> Interval:
    pattern = class_of(operation, MACHINES.groups[0])
    assert pattern is not None
    return MACHINES.groups[0].classes[pattern]


@pytest.mark.parametrize("operation", ["call_Tally_count", "call_Tally_twice", "call_Tally_add", "call_new_Tally"])
def test_a_call_takes_what_its_source_takes(archive: str, operation: str) -> None:
    machines = with_jdk_times(MACHINES, [operation])
    time, wide = machines.groups[0].op_s[operation], class_time(operation)
    assert time.lo < time.hi < wide.hi / 20
    assert machines.assumed == {operation: archive}


def test_a_loop_of_the_source_is_dearer_than_a_field(archive: str) -> None:
    assert time_of("call_Tally_total").hi > 2 * time_of("call_Tally_count").hi


def test_calls_of_an_interface_are_those_of_the_usual_class(archive: str) -> None:
    assert time_of("call_List_count") == time_of("call_ArrayList_count")


def test_methods_that_call_each_other_come_to_an_end(archive: str) -> None:
    assert time_of("call_Tally_down").hi < class_time("call_Tally_down").hi


def test_what_the_virtual_machine_replaces_takes_at_most_what_its_source_does(archive: str) -> None:
    time, wide = time_of("call_Tally_quick"), class_time("call_Tally_quick")
    assert time.lo == wide.lo
    assert time.hi < wide.hi


@pytest.mark.parametrize(
    "operation", ["call_Tally_outside", "call_Tally_none", "call_Broken_f", "call_Nobody_f", "call_f", "call_new_None"]
)
def test_without_a_source_the_class_holds(archive: str, operation: str) -> None:
    assert with_jdk_times(MACHINES, [operation]).assumed == {}


def test_what_is_measured_is_left_as_it_is(archive: str) -> None:
    assert with_jdk_times(MACHINES, ["call_ArrayList_size"]) is MACHINES


def test_without_the_source_of_a_jdk_nothing_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jdk_calls, "jdk_archive", lambda: None)
    assert with_jdk_times(MACHINES, ["call_Tally_count"]) is MACHINES


def test_a_prediction_names_where_its_times_come_from(
    archive: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "Task.java"
    program.write_text(
        "class Task { double run(int n) { int s = 0; for (int i = 0; i < n; i++) s += t.add(i); "
        "return s + Other.f(); } Tally t; }"
    )
    main(["predict", str(program), "--machines", "zen5-openjdk17", "--set", "n=100"])
    advice = capsys.readouterr().err
    assert f"no time of its own for call_Tally_add: 1 time is derived from {archive}" in advice
    assert "no time of its own for call_Other_f: 1 time is assumed, by class" in advice


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of the user."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "apet"


def test_a_derived_time_is_kept(archive: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = time_of("call_Tally_total")
    monkeypatch.setattr(jdk_calls, "_call_time", lambda *_: pytest.fail("derived again"))
    assert time_of("call_Tally_total") == first


@pytest.mark.parametrize("content", ["", "[1]", '{"call_Tally_total": [1]}', '{"call_Tally_total": ["a", 2]}'])
def test_a_damaged_cache_is_as_none(archive: str, cache: Path, content: str) -> None:
    first = time_of("call_Tally_total")
    (file,) = cache.glob("jdk-calls-*.json")
    file.write_text(content)
    assert time_of("call_Tally_total") == first


def test_a_cache_that_others_may_write_to_is_not_read(archive: str, cache: Path) -> None:
    first = time_of("call_Tally_total")
    (file,) = cache.glob("jdk-calls-*.json")
    file.write_text('{"call_Tally_total": [1, 2]}')
    file.chmod(0o666)
    assert time_of("call_Tally_total") == first


def test_another_archive_has_times_of_its_own(archive: str, cache: Path) -> None:
    first = time_of("call_Tally_total")
    with ZipFile(archive, "w") as file:
        file.writestr("java.base/java/util/Tally.java", TALLY.replace("new int[8]", "new int[800]"))
        file.writestr("java.base/java/util/Base.java", BASE)
    assert time_of("call_Tally_total").hi > first.hi
