"""Kernels of methods that nobody prepared: what is drawn, and what is written for it."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import public_methods

SUMS = """\
package few.sums;

public class Sums {
  public static int total(int[] a, int from) { int s = 0; for (int i = from; i < a.length; i++) s += a[i]; return s; }
  public static int first(int[] a) { return a[0]; }
  public static int any(java.util.function.IntPredicate p) { for (int i = 0; ; i++) if (p.test(i)) return i; }
  static int hidden(int[] a) { for (int v : a) if (v > 3) return v; return 0; }
  public void fill(String s, char[] all) { for (int i = 0; i < all.length; i++) all[i] = s.charAt(0); }
}
"""


def test_public_methods_with_loops_and_plain_arguments_are_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "src/few/sums"
    folder.mkdir(parents=True)
    (folder / "Sums.java").write_text(SUMS)
    drawn = list(public_methods.candidates(tmp_path))
    assert [one.method.name for one in drawn] == ["total", "fill"]
    assert drawn[0].root == tmp_path / "src"

    total, fill = (public_methods.text_of("K_one", one) for one in drawn)
    assert "import few.sums.Sums;" in total
    assert "return Sums.total(a0.clone(), (int) (n));" in total
    assert "new Sums().fill(a0, a1.clone());" in fill


def test_what_is_not_predicted_is_not_covered() -> None:
    inside = {"measured_s": 2.0, "tmin": 1.0, "tmax": 4.0}
    outside = {"measured_s": 9.0, "tmin": 1.0, "tmax": 4.0}
    assert "2 of 4 points predicted, 0.25 inside, width 4.00" in public_methods.figures([inside, outside], 4)
