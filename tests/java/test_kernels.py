"""Kernels as strangers lay them out: in packages, with bases and helpers, and next to some that cannot run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.java.validate.kernels import kernel_class, sizes_of

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
JAVA = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

FILES = {
    "bench/sums/K_packed.java": """package bench.sums;
import bench.tools.Mix;
public class K_packed extends Kernel {
  int[] a;
  public void setup(int n) { a = rnd(n, 100, 1); }
  public double run() { int s = 0; for (int x : a) s += Mix.mix(x); return s; }
}
""",
    "bench/tools/Mix.java": "package bench.tools; public class Mix { public static int mix(int x) { return x * 31; } }",
    "deep/K_based.java": """/** Not this: class K_comment extends Kernel. */
abstract class Base<T> extends Kernel { int n; public void setup(int n) { this.n = n; } }
public class K_based extends Base<Integer> {
  int run(int k) { return k % 3; }
  public double run() { int s = 0; for (int i = 0; i < n; i++) s += run(i); return s; }
}
""",
    "other/K_based.java": "class K_based extends Kernel { public void setup(int n) {} public double run() {return 1;}}",
    "K_unknown.java": "class K_unknown extends Kernel { public void setup(int n) {} public double run() { return x; }}",
    "K_throws.java": """class K_throws extends Kernel {
  public void setup(int n) {} public double run() { throw new IllegalStateException("no"); }
}
""",
    "K_wrong.java": "class K_wrong extends Kernel { public void setup(int n) {} public double run() { return 1 + ; } }",
}


def written(folder: Path) -> None:
    """The files, below a folder."""
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "sizes.json").write_text(
        json.dumps({name: [2000] for name in ("packed", "based", "unknown", "throws", "wrong")})
    )


def test_the_kernel_of_a_file_is_found_by_its_syntax(tmp_path: Path) -> None:
    written(tmp_path)
    assert kernel_class(str(tmp_path / "bench/sums/K_packed.java")) == "bench.sums.K_packed"
    assert kernel_class(str(tmp_path / "deep/K_based.java")) == "K_based"
    with pytest.raises(ApetError, match=r"K_wrong.java:1:93: error: expected expression"):
        kernel_class(str(tmp_path / "K_wrong.java"))


@pytest.mark.parametrize("key", ["bench.sums.K_packed", "K_packed", "packed"])
def test_sizes_are_found_with_and_without_package_and_prefix(key: str) -> None:
    assert sizes_of("bench.sums.K_packed", {key: [5]}, "sizes.json") == [5]


@JAVA
def test_kernels_run_in_packages_and_next_to_some_that_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    files = [name for name in FILES if "tools" not in name]
    words = ["--sizes", "sizes.json", "--machines", "zen5-openjdk17", "--forks", "1", "--limit", "60", "--json"]
    assert main(["validate", *files, *words]) == 2

    result = capsys.readouterr()
    points = {row["name"]: row for row in json.loads(result.out)}
    assert list(points) == ["bench.sums.K_packed", "K_based"]
    assert all(row["measured_s"] > 0 and row["tmax"] > row["tmin"] > 0 for row in points.values())
    assert result.err.count("this kernel is left out") == 4
    assert "other/K_based.java: deep/K_based.java has a class K_based as well" in result.err
