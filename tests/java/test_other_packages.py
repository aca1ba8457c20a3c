"""Programs of several packages: an imported class is translated from its source, and counted and timed in its file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apet import java
from apet.cli.main import main
from apet.ground.source_files import read_source

pytest.importorskip("tree_sitter_java", reason="tree-sitter is not installed")
with_jdk = pytest.mark.skipif(shutil.which("javac") is None, reason="no JDK is installed")

TASK = """\
import static tools.text.Words.longest;

import tools.*;

public class Task {
  public static int run(int n) { return longest(n) + Table.size(n) + new Word(n).length(); }
}
"""
WORDS = """\
package tools.text;

import tools.Table;

public class Words {
  public static int longest(int n) {
    int most = 0;
    for (int k = 0; k < n; k++) if (k % 4 == 0) most += Table.size(k) & 1;
    return most;
  }
}
"""
TABLE = """\
package tools;

public class Table {
  static int[] sizes = new int[Integer.getInteger("none", 40)];

  public static int size(int k) {
    for (int i = 0; i < sizes.length; i++) k += sizes[i];
    return k + Integer.toString(k).length();
  }
}
"""
WORD = """\
package tools;

public class Word {
  final String text;

  public Word(int n) { text = "x".repeat(n); }

  public int length() { StringBuilder all = new StringBuilder(); all.append(text); return all.length(); }
}
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A program of three packages."""
    (tmp_path / "tools/text").mkdir(parents=True)
    for name, text in {"tools/text/Words": WORDS, "tools/Table": TABLE, "tools/Word": WORD, "Task": TASK}.items():
        (tmp_path / f"{name}.java").write_text(text)
    return tmp_path / "Task.java"


def test_classes_of_imported_packages_are_translated_from_their_sources(task: Path) -> None:
    translation = java.translate(read_source(str(task)))
    assert {Path(file).name for file in translation.files} == {"Task.java", "Words.java", "Table.java", "Word.java"}
    assert "longest[p](n)" in translation.text
    assert not {"call_Words_longest", "call_longest", "call_Table_size"} & set(translation.calls.values())


@with_jdk
def test_a_profile_counts_in_the_files_of_other_packages(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(task), "--entry", "Task.run", "--set", "n=400", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)["runs"][0]["values"]
    assert values["q_8"] == 0.25
    assert values["sizes_length"] == 40


@with_jdk
def test_calls_are_timed_in_files_without_a_parameter(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A long text takes longer to append than the benchmark's: only a clock in `Word.java` shows it."""

    def seconds(n: int) -> float:
        options = ["--set", f"n={n}", "--machines", "zen5-openjdk17", "-P", "1", "--profile", "--json"]
        assert main(["predict", str(task.parent / "tools/Word.java"), "--entry", "Word.length", *options]) == 0
        return float(json.loads(capsys.readouterr().out)["predictions"][0]["estimate"]["tmin"])

    assert seconds(400_000) > 10 * seconds(400)
