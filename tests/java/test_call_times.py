"""Library calls that nobody measured are timed in the run with counters, and calls told apart by class."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.cli.main import main
from apet.ground.interval import Interval
from apet.ground.resources import located
from apet.ground.source_files import read_source
from apet.java.jvm import find_jdk, run_java
from apet.java.profile.call_times import LEFT, SLOWER, CallTimes, TimedSite, call_times, narrower, with_times
from apet.java.profile.profiling import prepare, run_profile
from apet.java.translation import translate_resolved
from apet.machine import load_machines
from apet.machine.operation_classes import class_times, completed

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
needs_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")
MACHINES = load_machines(located("zen5-openjdk17"))
CALL = "call_CRC32_update"


def test_the_time_of_a_clock_is_taken_off() -> None:
    one = call_times([TimedSite("call_f", 10, (120.0, 125.0, 130.0))], (19.0, 20.0, 21.0), 0.25).seconds["call_f"]
    assert float(one.lo) == pytest.approx(0.4 * (120 - 20 - 2 - 4) * 1e-9)
    assert float(one.hi) == pytest.approx((130 - 20 + 2) * 1e-9)


def test_calls_at_several_places_count_as_often_as_they_are_made() -> None:
    sites = [TimedSite("call_f", 1, (1000.0,) * 3), TimedSite("call_f", 9, (100.0,) * 3)]
    one = call_times(sites, (0.0, 0.0, 0.0), 0.25).seconds["call_f"]
    assert float(one.lo) == pytest.approx((0.85 * 190 - 60) * 1e-9)
    assert float(one.hi) == pytest.approx(191e-9)


def test_a_clock_that_stops_for_handed_code_is_taken_off_once_more_each_time() -> None:
    plain, handed = (
        call_times([TimedSite("call_f", 1, (1000.0,) * 3, handed=h)], (20.0, 20.0, 20.0), 0.25).seconds["call_f"]
        for h in (0.0, 3.0)
    )
    assert float(plain.lo) == pytest.approx((0.85 * (1000 - 20) - 60) * 1e-9)
    assert float(handed.lo) == pytest.approx(0.4 * (1000 - 4 * (20 + 1 + 4)) * 1e-9)
    assert float(handed.hi) == pytest.approx((1000 - 4 * 20 + 4) * 1e-9)


def test_a_sort_is_timed_for_each_of_its_steps() -> None:
    once, often = (
        call_times([TimedSite("each_f", 2, (1e6,) * 3, steps)], (0.0, 0.0, 0.0), 0.25).seconds["each_f"]
        for steps in (1.0, 1e4)
    )
    assert float(often.lo) == pytest.approx(float(once.lo) / 1e4)
    assert float(often.hi) == pytest.approx(float(once.hi) / 1e4)


def test_all_steps_of_a_sort_take_no_longer_than_the_run() -> None:
    site = TimedSite("each_f", 1, (1e6,) * 3, 1e4)
    bounded = call_times([site], (0.0, 0.0, 0.0), 0.25, plain_ns=5e5).seconds["each_f"]
    assert 1e4 * float(bounded.hi) <= SLOWER * 5e5 * 1e-9 * 1.001


def test_what_takes_no_longer_than_a_clock_has_a_time() -> None:
    one = call_times([TimedSite("call_f", 10, (20.0,) * 3)], (19.0, 20.0, 21.0), 0.25).seconds["call_f"]
    assert 0 < one.lo < one.hi < 5e-9


@given(st.lists(st.tuples(st.integers(1, 1000), st.floats(25, 500)), min_size=1, max_size=5), st.floats(1e3, 1e7))
def test_calls_take_no_longer_together_than_the_run_without_clocks(
    calls: list[tuple[int, float]], plain_ns: float
) -> None:
    sites = [TimedSite(f"call_{k}", many, (ns, ns + 3, ns + 5)) for k, (many, ns) in enumerate(calls)]
    free, bound = (
        call_times(sites, (19.0, 20.0, 21.0), 0.25, plain_ns=plain).seconds for plain in (math.inf, plain_ns)
    )
    together = sum(site.calls * float(bound[site.operation].hi) for site in sites)
    assert together <= SLOWER * plain_ns * 1e-9 * (1 + 1e-9) or bound == free
    most = sum(site.calls * float(free[site.operation].hi) for site in sites)
    assert (bound == free) == (most <= SLOWER * plain_ns * 1e-9) or most == pytest.approx(SLOWER * plain_ns * 1e-9)
    for name, time in bound.items():
        assert 0 < time.lo <= time.hi <= free[name].hi
        assert time.lo <= free[name].lo


@given(
    calls=st.lists(st.tuples(st.integers(1, 50), st.floats(1.0, 400.0), st.floats(1.0, 4.0)), min_size=1, max_size=5),
    run=st.floats(10.0, 1e5),
    others=st.tuples(st.floats(0.0, 1e4), st.floats(1.0, 3.0)),
)
def test_calls_take_what_the_run_without_clocks_leaves_beside_the_rest(
    calls: list[tuple[int, float, float]], run: float, others: tuple[float, float]
) -> None:
    seconds = {f"call_{k}": Interval(ns, ns * wider) for k, (_, ns, wider) in enumerate(calls)}
    many = {f"call_{k}": float(n) for k, (n, _, _) in enumerate(calls)}
    rest = Interval(others[0], others[0] * others[1])
    times = CallTimes(seconds, 1.0, many, run)
    found = times.beside(rest)
    least, first = (sum(many[n] * float(one.seconds[n].lo) for n in many) for one in (times, found))
    most, last = (sum(many[n] * float(one.seconds[n].hi) for n in many) for one in (times, found))
    if found is times:
        assert most <= least or most < LEFT * (run - float(rest.hi))
        return
    assert first == pytest.approx(max(least, LEFT * (run - float(rest.hi))))
    assert last == pytest.approx(max(first, min(most, SLOWER * run - float(rest.lo))))
    assert all(seconds[name].lo <= time.lo * (1 + 1e-9) for name, time in found.seconds.items())
    assert all(time.hi <= seconds[name].hi * (1 + 1e-9) for name, time in found.seconds.items())


CIRCLE = """import java.util.Iterator;
import java.util.LinkedList;
public class K_circle {
  int n;
  public void setup(int n) { this.n = n; }
  public double run() {
    LinkedList<Integer> all = new LinkedList<>();
    for (int i = 0; i < n; i++) all.add(i);
    for (Iterator<Integer> it = all.iterator(); it.hasNext();) {
      it.next();
      it.remove();
    }
    return all.size();
  }
}
"""


@needs_jdk
def test_calls_whose_value_nobody_takes_are_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "K_circle.java"
    path.write_text(CIRCLE)
    words = ["--machines", "zen5-openjdk17", "--set", "n=2000", "--profile", "--json"]
    assert main(["predict", str(path), "--entry", "K_circle.run", *words]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["predictions"][0]["estimate"]["tmax"] < 1e-3  # an exception takes a microsecond or more
    assert "call_Iterator_remove" not in err


THROWING = """public class K_words {
  String[] words;
  public void setup(int n) {
    words = new String[n];
    for (int i = 0; i < n; i++) words[i] = i % 2 == 0 ? "7" : "x";
  }
  public double run() {
    double total = 0;
    for (String word : words) {
      try {
        total += Integer.parseInt(word);
      } catch (NumberFormatException e) {
        total -= 1;
      }
      total += Double.parseDouble("3.25");
    }
    return total;
  }
}
"""
UNEVEN = """public class K_uneven {
  int n;
  int[] one;
  public void setup(int n) { this.n = n; one = new int[n]; }
  public double run() {
    double total = 0;
    for (int k = 0; k < 3; k++) {
      int[] some = k == 1 ? one : new int[1];
      total += java.util.Arrays.deepHashCode(new Object[] {some});
    }
    return total;
  }
}
"""


@needs_jdk
def test_a_call_that_throws_is_timed_and_so_is_what_follows(tmp_path: Path) -> None:
    path = tmp_path / "K_words.java"
    path.write_text(THROWING)
    times = times_of(path, tmp_path, 300)
    assert times.calls["call_Integer_parseInt"] == 300
    assert times.calls["call_Double_parseDouble"] == 300, "the clock of a call that threw has stopped"
    assert times.seconds["call_Integer_parseInt"].hi > 5 * times.seconds["call_Double_parseDouble"].lo


@pytest.mark.measures
@needs_jdk
def test_of_few_calls_the_one_that_does_all_the_work_counts(tmp_path: Path) -> None:
    path = tmp_path / "K_uneven.java"
    path.write_text(UNEVEN)
    times = times_of(path, tmp_path, 3_000_000)
    (name,) = times.calls
    assert times.calls[name] == 3
    assert 3 * float(times.seconds[name].hi) > 0.5 * times.run_s


@needs_jdk
def test_a_run_with_clocks_is_run_without_them_too(tmp_path: Path) -> None:
    path = tmp_path / "K_sums.java"
    path.write_text(KERNEL)
    folder = tmp_path / "run"
    folder.mkdir()
    translation = translate_resolved(read_source(str(path)), "K_sums.run")
    jdk = find_jdk()
    prepared = prepare(jdk, [str(path)], str(folder), {}, translation.calls)
    words = [*prepared.virtual_machine("C2"), "ProfileRun", "K_sums", "run", str(prepared.numbers), "0t", "200"]
    plain = [line.split() for line in run_java(jdk, words, "K_sums", 60.0).splitlines() if line.startswith("plain ")]
    assert len(plain) == 1
    assert 1e3 < float(plain[0][2]) < 1e8


def test_a_machine_takes_the_times_of_a_run() -> None:
    timed = with_times(MACHINES, CallTimes({CALL: Interval(1e-8, 2e-8)}))
    assert timed.groups[0].op_s[CALL] == Interval(1e-8, 2e-8)
    assert class_times(completed(timed, [CALL])) == {}
    assert class_times(completed(MACHINES, [CALL])) == {CALL: "call_*"}


@pytest.mark.parametrize(
    ("own", "timed", "wanted"),
    [
        ((1, 4), (2, 3), (2, 3)),  # inside what the machine has
        ((1, 4), (0.5, 9), (1, 4)),  # around it
        ((1, 4), (1.5, 20), (1.5, 20)),  # against it in part: what both share may be as narrow as one likes
        ((1, 4), (5, 30), (5, 30)),  # against it
    ],
)
def test_of_a_time_that_the_machine_has_the_narrower_holds_if_both_agree(
    own: tuple[float, float], timed: tuple[float, float], wanted: tuple[float, float]
) -> None:
    assert narrower(Interval(*own), Interval(*timed)) == Interval(*wanted)
    machines = MACHINES.replace(groups=(MACHINES.groups[0].replace(op_s={"new": Interval(*own)}),))
    operations = with_times(machines, CallTimes({"new": Interval(*timed)})).groups[0].op_s
    assert operations["new"] == Interval(*wanted)


def test_times_are_scaled_by_how_long_an_addition_takes() -> None:
    own = MACHINES.groups[0].op_s["lat_sum_int"]
    addition = math.sqrt(float(own.lo) * float(own.hi))
    timed = with_times(MACHINES, CallTimes({CALL: Interval(1e-8, 2e-8)}, 2 * addition))
    assert float(timed.groups[0].op_s[CALL].lo) == pytest.approx(0.5e-8)


def test_times_of_a_run_do_not_replace_those_of_a_machine_that_nothing_compares_with_it() -> None:
    machines = load_machines(located("join-2005"))
    own = machines.groups[0].op_s["sum_int"]
    timed = with_times(machines, CallTimes({CALL: Interval(1e-8, 2e-8), "sum_int": Interval(1e-9, 2e-9)}, 1e-9))
    assert timed.groups[0].op_s["sum_int"] == own
    assert timed.groups[0].op_s[CALL] == Interval(1e-8, 2e-8)


KERNEL = """import java.util.zip.CRC32;
public class K_sums extends Kernel {
  interface Part { int of(int k); }
  static class Brief implements Part { public int of(int k) { return k; } }
  static class Lengthy implements Part {
    public int of(int k) { int s = 0; for (int i = 0; i < 9; i++) s += k ^ i; return s; }
  }
  int n; byte[] data; Part[] parts;
  public void setup(int n) {
    this.n = n; data = new byte[4096]; parts = new Part[n];
    for (int i = 0; i < n; i++) parts[i] = i % 10 == 0 ? new Brief() : new Lengthy();
  }
  public double run() {
    CRC32 sum = new CRC32();
    long s = 0;
    for (int i = 0; i < n; i++) { sum.update(data, 0, 4096); s += parts[i].of(i); }
    return s + sum.getValue();
  }
}
"""


@needs_jdk
def test_a_prediction_with_a_run_rests_on_no_class_of_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "K_sums.java"
    path.write_text(KERNEL)
    task = [str(path), "--entry", "K_sums.run", "--set", "n=2000", "--json"]
    assert main(["predict", *task, "--machines", "zen5-openjdk17", "--profile"]) == 0
    out, err = capsys.readouterr()
    estimate = json.loads(out)["predictions"][0]["estimate"]
    assert estimate["tmax"] < 6 * estimate["tmin"]
    assert CALL not in err

    assert main(["explain", *task, "--machines", "zen5-openjdk17", "--profile"]) == 0
    explained = json.loads(capsys.readouterr().out)
    assert explained["tornado"][0]["name"] == f"t_{CALL}"

    assert main(["profile", *task]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert values["q_16"] == pytest.approx(0.1)


STEPPED = """import java.util.*;
public class K_steps extends Kernel {
  Set<Integer> set = new TreeSet<>(); int[] array; Integer[] boxes;
  public void setup(int n) {
    array = rnd(n, 1 << 20, 5); boxes = new Integer[n];
    for (int i = 0; i < n; i++) { set.add(array[i]); boxes[i] = array[i]; }
  }
  public double run() {
    Integer[] sorted = boxes.clone();
    Arrays.sort(sorted);
    long s = 0;
    for (int x : set) s += x;
    for (int x : array) s ^= x;
    return s + sorted[0];
  }
}
"""


@needs_jdk
def test_steps_of_iterators_and_of_sorts_are_timed_in_the_run(tmp_path: Path) -> None:
    path = tmp_path / "K_steps.java"
    path.write_text(STEPPED)
    seconds = times_of(path, tmp_path, 3000).seconds
    assert 0 < seconds["call_Iterator_next"].hi < 1e-6
    assert 0 < seconds["each_Arrays_sort"].hi < 1e-6


def times_of(path: Path, folder: Path, size: int) -> CallTimes:
    """What a run of a kernel says of its calls."""
    inside, jdk = folder / "run", find_jdk()
    inside.mkdir()
    translation = translate_resolved(read_source(str(path)), f"{path.stem}.run")
    prepared = prepare(jdk, [str(path)], str(inside), translation.parameters, translation.calls)
    return run_profile(jdk, prepared, (path.stem, "run"), [size], False, 60.0).times


BATCH = """import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
public class Sorted {
  record Item(int key, int more) {}
  static int run(int seed, int count) {
    List<Item> items = new ArrayList<>();
    for (int k = 0; k < count; k++) items.add(new Item(seed * k % 17, k));
    items.sort(Comparator.comparingInt(Item::key).thenComparingInt(Item::more));
    return Other.of(items.size());
  }
}
"""
BATCH_OTHER = """public class Other {
  static int of(int n) {
    int steps = 0;
    while (n > 1) { n = n % 2 == 0 ? n / 2 : 3 * n + 1; steps++; }
    return steps;
  }
}
"""


@needs_jdk
def test_tasks_of_a_graph_are_timed_and_counted_as_single_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Sorted.java").write_text(BATCH)
    (tmp_path / "Other.java").write_text(BATCH_OTHER)
    task = 'task "Sorted.java" Sorted.run with seed = i, count = 300;'
    (tmp_path / "app.pasl").write_text(f"batch a[i = 1, 8] {{ {task} }} batch b[i = 1, 2] {{ {task} }}")
    words = ["--machines", "zen5-openjdk17", "--profile", "-P", "1", "--json"]
    assert main(["predict", str(tmp_path / "app.pasl"), *words]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert found["predictions"][0]["parameters"]["rounds_4"] == 16  # of 300
    assert "List_sort" not in err
    assert "thenComparingInt" not in err
