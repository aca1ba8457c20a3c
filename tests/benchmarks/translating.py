"""Translating Java, in lines per second, beside what its two parsers take alone for the same text."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

from tests.benchmarks.measure import ROOT, Row, Spread, Table

METHOD = """  double m{k}(double x, int i) {{
    double s = 0.0;
    int hits = 0;
    for (int j = 0; j < n; j++) {{
      s += a[j] * x + {k}.5;
      if (c[j] > i && s < 1e9) {{
        hits++;
        s = s / 2.0 - Math.sqrt(x);
      }} else {{
        c[j] = hits + j * 3;
      }}
    }}
    while (hits > 0) {{
      hits >>= 1;
    }}
    return s;
  }}
"""
Texts = list[tuple[str, str, str | None]]
"""Names, texts and entries."""


def methods(count: int, reached: int) -> Texts:
    """A class of methods with loops and conditions, of which `run` calls some."""
    body = "".join(METHOD.format(k=k) for k in range(count))
    calls = "".join(f"    t += m{k}({k}.0, {k});\n" for k in range(reached))
    fields = "  int n = 100;\n  double[] a = new double[100];\n  int[] c = new int[100];\n"
    text = f"public class Many {{\n{fields}{body}  void run() {{\n    double t = 0;\n{calls}    a[0] = t;\n  }}\n}}\n"
    return [("Many.java", text, None)]


def kernels() -> Texts:
    """The kernels of the tests: whole small files, all reached."""
    found = sorted((ROOT / "tests" / "data" / "java").glob("K_*.java"))
    return [(p.name, p.read_text(encoding="utf-8"), None) for p in found]


def library(most: int) -> Texts:
    """Files of a JDK's own sources with one of their methods as the entry; none where no sources are installed."""
    archives = sorted(Path("/usr/lib/jvm").glob("*/lib/src.zip"))
    if not archives:
        return []
    from apet.ground.source import Source
    from apet.java.parse.reading import read_unit

    found: Texts = []
    with ZipFile(archives[0]) as archive:
        names = sorted(n for n in archive.namelist() if n.startswith("java.base/java/") and n.endswith(".java"))
        for name in names[:: max(1, len(names) // most)]:
            text = archive.read(name).decode()
            unit = read_unit(Source(name, text))
            entries = [m.title for c in unit.classes for m in c.methods if m.body is not None]
            if entries and len(set(entries)) == len(entries):
                found.append((name.rpartition("/")[2], text, entries[len(entries) // 2]))
    return found


def translating(quick: bool) -> Table:
    """Whole translations, text to text, in turn with the parsers alone."""
    table = Table("translate", "Translating Java: text to model, beside the parsers alone")
    corpora = {
        "kernels": kernels()[: 4 if quick else None],
        "one method of many reached": methods(20 if quick else 1_000, 3),
        "all methods reached": methods(10 if quick else 200, 10 if quick else 200),
        "JDK sources, one entry each": library(5 if quick else 150),
    }
    for title, texts in corpora.items():
        if texts:
            _measure(table, title, texts, 1 if quick else 3)
    table.notes.append("A translation reads the whole text and lowers the methods that its entry reaches.")
    table.notes.append("Rates are lines per second of processor time, of the fastest run.")
    table.notes.append("The lines of a text are all its lines, comments and empty ones too.")
    return table


def _measure(table: Table, title: str, texts: Texts, repeats: int) -> None:
    lines = sum(text.count("\n") for _, text, _ in texts)
    ways = _ways()
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    processor: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(repeats):
        for name, way in ways.items():
            start, begun = time.perf_counter(), time.process_time()
            for file, text, entry in texts:
                way(file, text, entry)
            processor[name].append(time.process_time() - begun)
            seconds[name].append(time.perf_counter() - start)
    bases: dict[str, Row] = {}
    for name, found in seconds.items():
        spread, own = Spread.of(found), Spread.of(processor[name])
        rate = (lines / own.low, "lines")
        base = bases.get(name.partition(",")[0])
        against, ratio = ("", None) if base is None else (base.name, spread.middle / base.wall.middle)
        row = Row(f"{title}: {name}", spread, own, None, rate, against, ratio)
        bases.setdefault(name.partition(",")[0], row)
        table.rows.append(row)


def _ways() -> dict[str, Callable[[str, str, str | None], object]]:
    from apet.ground.source import Source
    from apet.java import translate

    def whole(level: str) -> Callable[[str, str, str | None], object]:
        return lambda file, text, entry: translate(Source(file, text), entry, level, "tree-sitter")

    return {
        "tree-sitter, parser alone": lambda file, text, entry: _tree_sitter(text),
        "tree-sitter, apet translate, flat": whole("flat"),
        "tree-sitter, apet translate, core": whole("core"),
        "javalang, parser alone": lambda file, text, entry: _javalang(text),
    }


def _tree_sitter(text: str) -> object:
    from tree_sitter import Language, Parser
    from tree_sitter_java import language

    return Parser(Language(language())).parse(text.encode())


def _javalang(text: str) -> object:
    from javalang.parser import JavaSyntaxError, Parser
    from javalang.tokenizer import LexerError, tokenize

    try:
        return Parser(list(tokenize(text))).parse()
    except (JavaSyntaxError, LexerError, TypeError, AttributeError, StopIteration):
        return None
