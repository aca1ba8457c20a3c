"""Kernels made of random methods of Java sources that nobody prepared, such as those of public projects.

    python -m tests.benchmarks.public_methods SOURCES... --count 40 --seed 1 -o FOLDER
    python -m tests.benchmarks.public_methods judge FOLDER --machines this.toml

The first command draws public methods whose arguments are numbers, texts, arrays or lists, and writes a kernel for
each: setup(n) makes random arguments from n, run() calls the method with copies of what it could change. A driver runs
each at growing sizes; those stay that throw nothing, take from a microsecond to 20 ms, and longer at a larger size. The
second predicts what was written, static and profiled, next to three JVMs for each point. The folder has links to the
sources: it is not for a repository that may not hold them.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_source
from apet.java.jvm import SOURCES
from apet.java.parse.class_files import package_of
from apet.java.parse.reading import read_unit
from apet.program.syntax.declarations import Class, Method
from apet.program.types import Type

SIZES = (4, 16, 64, 256, 1024, 4096, 16384)
LEAST_S, MOST_S = 1e-6, 2e-2
GROWTH = 1.3
"""A larger size takes at least so many times as long: a method that does not look at n is no kernel."""
SECONDS = 25
NUMBERS = {"int": "n", "long": "n", "double": "n * 0.37 + 0.5", "float": "n * 0.37f + 0.5f"}
MADE = {
    ("int", 1): ("rnd(n, Math.max(2, n), SEED)", "{0}.clone()"),
    ("long", 1): ("longs(n, SEED)", "{0}.clone()"),
    ("double", 1): ("rndd(n, SEED)", "{0}.clone()"),
    ("byte", 1): ("text(n, SEED).getBytes()", "{0}.clone()"),
    ("char", 1): ("text(n, SEED).toCharArray()", "{0}.clone()"),
    ("String", 0): ("text(n, SEED)", "{0}"),
    ("CharSequence", 0): ("text(n, SEED)", "{0}"),
    ("double", 2): ("rnd2(n, SEED)", "copy({0})"),
    ("int", 2): ("matrix(n, SEED)", "copy({0})"),
    ("Integer", 1): ("boxes(n, SEED)", "{0}.clone()"),
    ("String", 1): ("words(n, SEED)", "{0}.clone()"),
}
LISTS = {"Integer": "java.util.Arrays.asList(boxes(n, SEED))", "String": "java.util.Arrays.asList(words(n, SEED))"}
HELPERS = """
  static long[] longs(int n, long seed) {
    long[] a = new long[n];
    java.util.Random random = new java.util.Random(seed);
    for (int i = 0; i < n; i++) a[i] = random.nextInt(Math.max(2, n));
    return a;
  }

  static String text(int n, long seed) {
    char[] a = new char[n];
    java.util.Random random = new java.util.Random(seed);
    for (int i = 0; i < n; i++) a[i] = (char) ('a' + random.nextInt(26));
    return new String(a);
  }

  static Integer[] boxes(int n, long seed) {
    Integer[] a = new Integer[n];
    java.util.Random random = new java.util.Random(seed);
    for (int i = 0; i < n; i++) a[i] = random.nextInt(Math.max(2, n));
    return a;
  }

  static String[] words(int n, long seed) {
    String[] a = new String[n];
    for (int i = 0; i < n; i++) a[i] = text(8, seed + i);
    return a;
  }

  static int[][] matrix(int n, long seed) {
    int[][] a = new int[n][];
    for (int i = 0; i < n; i++) a[i] = rnd(n, Math.max(2, n), seed + i);
    return a;
  }

  static int[][] copy(int[][] a) {
    int[][] b = new int[a.length][];
    for (int i = 0; i < a.length; i++) b[i] = a[i].clone();
    return b;
  }

  static double[][] copy(double[][] a) {
    double[][] b = new double[a.length][];
    for (int i = 0; i < a.length; i++) b[i] = a[i].clone();
    return b;
  }
"""
DRIVER = """
public class Driver {
  public static void main(String[] a) throws Throwable {
    java.io.PrintStream out = System.out;
    System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream()));
    for (int i = 1; i < a.length; i++) {
      Kernel k = (Kernel) Class.forName(a[0]).getDeclaredConstructor().newInstance();
      k.setup(Integer.parseInt(a[i]));
      double best = 1e9, first = k.run();
      boolean same = true;
      long begun = System.nanoTime();
      while (System.nanoTime() - begun < 60_000_000L) {
        long before = System.nanoTime();
        double value = k.run();
        best = Math.min(best, (System.nanoTime() - before) * 1e-9);
        same &= value == first || value != value;
      }
      out.println(a[i] + " " + best + " " + same);
      if (best > LIMIT) break;
    }
  }
}
"""


class Candidate(NamedTuple):
    """A method, its class and file, and the root of its packages."""

    root: Path
    file: Path
    package: str
    owner: Class
    method: Method


def main(arguments: Sequence[str]) -> int:
    """The exit code."""
    if arguments[:1] == ["judge"]:
        return judge(arguments[1:])
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.public_methods", description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path, help="folders of sources")
    parser.add_argument("--count", type=int, default=40, help="kernels to write (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="the same one draws the same methods")
    parser.add_argument("-o", "--out", type=Path, required=True, help="a folder to write")
    options = parser.parse_args(arguments)

    options.out.mkdir(parents=True, exist_ok=True)
    drawn = in_turn([list(candidates(folder)) for folder in options.sources], random.Random(options.seed))
    sizes: dict[str, list[int]] = {}
    with ThreadPoolExecutor(2) as pool:
        for name, own in pool.map(lambda pair: kernel(options.out, *pair), enumerate(drawn)):
            if own and len(sizes) < options.count:
                sizes[name] = own
                print(name, own, flush=True)
                (options.out / "sizes.json").write_text(json.dumps(sizes, indent=1), encoding="utf-8")
            if len(sizes) >= options.count:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    return 0


def in_turn(groups: Sequence[list[Candidate]], chance: random.Random) -> Iterator[Candidate]:
    """One of each group after the other, in an order by chance; of a class at most two."""
    for group in groups:
        chance.shuffle(group)
    used: dict[Path, int] = {}
    while any(groups):
        for group in groups:
            while group:
                one = group.pop()
                used[one.file] = used.get(one.file, 0) + 1
                if used[one.file] <= 2:
                    yield one
                    break


def candidates(folder: Path) -> Iterator[Candidate]:
    """The methods of a folder whose arguments can be made, without those of tests."""
    for file in sorted(folder.rglob("*.java")):
        if "test" in str(file.relative_to(folder)).lower():
            continue
        try:
            source = read_source(str(file))
            classes = read_unit(source).classes
        except ApetError:
            continue
        package = package_of(source.text)
        root = file.parents[package.count(".")]
        if "".join(f"{p}." for p in file.parent.relative_to(root).parts) != package:
            continue
        for c in classes[:1]:
            if c.name != file.stem or not re.search(
                rf"public (?:(?:final|abstract|strictfp) )*class {c.name}\b(?!\s*<)", source.text
            ):
                continue
            plain = not c.constructors or any(not m.formals for m in c.constructors)
            for m in c.methods:
                if m.has_body and usable(m, plain, source.text):
                    yield Candidate(root, file, package, c, m)


def usable(method: Method, plain: bool, text: str) -> bool:
    """Whether a method is public, its arguments can be made, and there is something to be made of them."""
    head = re.search(rf"public (?:static |final |synchronized )*[\w<>\[\], ]+ {re.escape(method.name)}\s*\(", text)
    if head is None or method.name == "main" or not (method.static or plain):
        return False
    body = method.text() if method.text else ""
    if not re.search(rf"\b(?:for|while|do|{re.escape(method.name)})\b", body):
        return False
    types = [f.type for f in method.formals]
    return bool(types) and len(types) <= 6 and all(map(argument, types)) and any(t.name != "boolean" for t in types)


def argument(kind: Type) -> tuple[str, str] | None:
    """How setup makes an argument of a type, and what run() hands over; None where nobody knows."""
    if kind.dimensions == 0 and kind.name in NUMBERS:
        return "", NUMBERS[kind.name]
    if kind.dimensions == 0 and kind.name == "boolean":
        return "", "true"
    if kind.name in ("List", "Collection", "Iterable", "ArrayList") and not kind.dimensions:
        of = kind.arguments[0].name if kind.arguments else "Integer"
        return (LISTS[of], "new java.util.ArrayList<>({0})") if of in LISTS else None
    return MADE.get((kind.name, kind.dimensions))


def kernel(out: Path, number: int, one: Candidate) -> tuple[str, list[int]]:
    """Writes a kernel into a folder of its own, and runs it: its name, and sizes at which it is one (or none)."""
    name = f"K_{number:03}_{one.owner.name}_{one.method.name}"
    folder = out / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    first = one.package.split(".")[0]
    if first:
        (folder / first).symlink_to((one.root / first).resolve())
    else:
        for file in one.root.glob("*.java"):
            (folder / file.name).symlink_to(file.resolve())
    shutil.copy(SOURCES / "Kernel.java", folder)
    (folder / f"{name}.java").write_text(text_of(name, one), encoding="utf-8")
    sizes = sizes_of(folder, name)
    if not sizes:
        shutil.rmtree(folder)
    return name, sizes


def text_of(name: str, one: Candidate) -> str:
    """The source of a kernel."""
    fields, setup, handed = [], [], []
    for k, formal in enumerate(one.method.formals):
        made, passed = argument(formal.type) or ("", "")
        if made:
            of = formal.type.name
            kind = {
                "List": "java.util.List",
                "Collection": "java.util.List",
                "Iterable": "java.util.List",
                "ArrayList": "java.util.List",
            }.get(of, of)
            items = (
                f"<{formal.type.arguments[0].name if formal.type.arguments else 'Integer'}>"
                if kind.endswith("List")
                else ""
            )
            fields.append(f"  {kind}{items}{'[]' * formal.type.dimensions} a{k};")
            setup.append(f"    a{k} = {made.replace('SEED', str(k + 1))};")
        handed.append(passed.format(f"a{k}") if made or passed == "true" else f"({formal.type.name}) ({passed})")
    target = one.owner.name if one.method.static else f"new {one.owner.name}()"
    call = f"{target}.{one.method.name}({', '.join(handed)})"
    result = one.method.result
    if result.name == "void":
        value = (
            f"{call};\n    return a0 == null ? 0 : 1;"
            if fields and not handed[0].startswith("(") and handed[0] != "true"
            else f"{call};\n    return n;"
        )
    elif result.dimensions:
        value = f"return {call}.length;"
    elif result.name in ("int", "long", "double", "float", "short", "byte", "char"):
        value = f"return {call};"
    elif result.name == "boolean":
        value = f"return {call} ? 1 : 0;"
    else:
        value = f"return {call} == null ? 0 : 1;"
    head = f"import {one.package}{one.owner.name};\n" if one.package else ""
    body = "\n".join([*fields, "  int n;"])
    return (
        f"{head}\npublic class {name} extends Kernel {{\n{body}\n\n  public void setup(int n) {{\n    this.n = n;\n"
        + "\n".join(setup)
        + f"\n  }}\n\n  public double run() {{\n    {value}\n  }}\n{HELPERS}}}\n"
    )


def sizes_of(folder: Path, name: str) -> list[int]:
    """The largest size that takes long enough and not too long, and a quarter of it; none where it is no kernel."""
    folder = folder.resolve()  # tools run there: what crashes leaves its reports where they do no harm
    (folder / "Driver.java").write_text(DRIVER.replace("LIMIT", str(MOST_S)), encoding="utf-8")
    classes = folder / "classes"
    compiled = ["javac", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-sourcepath", str(folder), "-d", str(classes)]
    java = ["java", "-XX:+UseSerialGC", "-Xmx1g", "-Xss2m", "-cp", str(classes), "Driver", name, *map(str, SIZES)]
    out = ""
    try:
        subprocess.run(
            [*compiled, f"{folder}/Driver.java", f"{folder}/{name}.java"],
            cwd=folder,
            check=True,
            capture_output=True,
            timeout=90,
        )
        out = subprocess.run(java, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False).stdout
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        if isinstance(error, subprocess.TimeoutExpired) and error.stdout:
            out = error.stdout.decode()
    finally:
        shutil.rmtree(classes, ignore_errors=True)
        (folder / "Driver.java").unlink()
    rows = {int(r[0]): float(r[1]) for line in out.splitlines() if len(r := line.split()) == 3 and r[2] == "true"}
    good = [n for n in SIZES if n in rows and n // 4 in rows and LEAST_S < rows[n] < MOST_S]
    good = [n for n in good if rows[n] > GROWTH * rows[n // 4]]
    return [good[-1] // 4, good[-1]] if good else []


def judge(arguments: Sequence[str]) -> int:
    """Measures and predicts the kernels of a folder; a table, and a line of figures for each way."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.public_methods judge")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--machines", required=True)
    parser.add_argument("--only", default="", help="kernels whose names contain this")
    parser.add_argument("--ways", default="static,profiled", help="of static, profiled and near")
    parser.add_argument("--forks", default="3")
    options = parser.parse_args(arguments)

    sizes = json.loads((options.folder / "sizes.json").read_text())
    flags = {"static": [], "profiled": ["--profile"], "near": ["--profile", "--calibrate-at", "near"]}
    for way in options.ways.split(","):
        rows: list[dict[str, Any]] = []
        for name in sizes:
            if options.only in name:
                rows += judged(options, name, flags[way])
        print(f"{way}: {figures(rows, 2 * sum(options.only in name for name in sizes))}", flush=True)
    return 0


def judged(options: argparse.Namespace, name: str, flags: Sequence[str]) -> list[dict[str, Any]]:
    """The points of one kernel."""
    file = options.folder / name / f"{name}.java"
    words = [
        "-m",
        "apet",
        "validate",
        str(file),
        "--sizes",
        str(options.folder / "sizes.json"),
        "--machines",
        options.machines,
    ]
    try:
        done = subprocess.run(
            [sys.executable, *words, "--forks", options.forks, "--json", *flags],
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
    except subprocess.TimeoutExpired:
        print(f"* {name}: more than 600 s", flush=True)
        return []
    if done.returncode:
        print(f"* {name}: no prediction\n{done.stderr[-1500:]}", flush=True)
        return []
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    for row in rows:
        middle = math.sqrt(row["tmin"] * row["tmax"])
        mark = " " if row["tmin"] <= row["measured_s"] <= row["tmax"] else "*"
        measured = f"{row['measured_s'] * 1e6:10.2f} us {row['measured_s'] / middle:7.2f}"
        print(f"{mark} {name:60} {row['n']:6} {measured} {row['tmax'] / row['tmin']:6.2f}", flush=True)
    return rows


def figures(rows: Sequence[Mapping[str, Any]], points: int) -> str:
    """Coverage (what is not predicted is not covered), width, and the error of the middle."""
    if not rows:
        return f"{points} points, none predicted"
    inside = sum(r["tmin"] <= r["measured_s"] <= r["tmax"] for r in rows)
    width = math.exp(statistics.mean(math.log(r["tmax"] / r["tmin"]) for r in rows))
    error = sorted(math.exp(abs(math.log(math.sqrt(r["tmin"] * r["tmax"]) / r["measured_s"]))) for r in rows)
    return (
        f"{len(rows)} of {points} points predicted, {inside / points:.2f} inside, width {width:.2f}, "
        f"error median {statistics.median(error):.2f}, 90th percentile {error[int(0.9 * (len(error) - 1))]:.2f}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
