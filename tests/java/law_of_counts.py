"""How often the marked statements of a Java method run: one JVM counts them, and `apet predict` says it.

`MARK` in a source is one execution. The JVM counts `M++`; in the translated model a mark is `Math.cbrt`, which alone
costs something on the machine that the method is predicted for, so that the time of the method is the count.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import apet
from apet.cli.main import main
from apet.ground.source import Source
from apet.java import translate_resolved

SECONDS = 10.0**6
"""What a mark costs: many times what calls of a library may take that a run has timed."""
MARK = re.compile(r"\b((?:\w+\.)?)MARK\b")
ABOUT_TIMES = re.compile(r"no time of its own|derived from|thrown away|is not in the model|compiled code")
"""Notes that doubt no count."""
COUNTER = """
import java.io.*; import java.lang.reflect.*; import java.net.*;
public class Counter {
    public static void main(String[] folder) throws Exception {
        URL[] classes = {new File(folder[0]).toURI().toURL()};
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = asked.readLine()) != null; ) {
            String[] words = line.split(" ");
            try (URLClassLoader fresh = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
                Class<?> own = fresh.loadClass("counted_" + words[0] + "." + words[0]);
                Field marks = own.getDeclaredField("M");
                Method run = own.getDeclaredMethod("run", int.class);
                marks.setAccessible(true);
                run.setAccessible(true);
                marks.setDouble(null, 0);
                run.invoke(null, Integer.parseInt(words[1]));
                System.out.println((long) marks.getDouble(null));
            }
        }
    }
}
"""


class Case(NamedTuple):
    """A class with `static double run(int n)` and marks; `static` tells that its source alone fixes the count."""

    name: str
    sizes: Sequence[int]
    static: bool
    source: Sequence[str]

    def text(self, mark: str) -> str:
        """The source with something in place of each mark, `\\1M` of which is the counter."""
        return MARK.sub(mark, "\n".join(self.source)) + "\n"


class Answer(NamedTuple):
    """What apet says of a method at a size: the ends of its estimate and of its bounds, whether it calls the estimate
    exact, what it assumed or noted, and the error where it has refused."""

    estimate: tuple[float, float] = (0.0, 0.0)
    bounds: tuple[float, float] = (0.0, 0.0)
    exact: bool = False
    doubts: Sequence[str] = ()
    error: str = ""

    def kind(self, count: int) -> str:
        """One of right, interval (an honest one), noted (off, and said to be unsure), wrong without a word, refused."""
        if self.error:
            return "refused"
        slack = 1e-6 * max(1, count)
        held = self.bounds[0] - slack <= count <= self.bounds[1] + slack
        if held and all(abs(end - count) <= slack for end in self.estimate):
            return "right"
        inside = self.estimate[0] - slack <= count <= self.estimate[1] + slack
        if held and inside and (self.doubts or not self.exact):
            return "interval"
        return "noted" if self.doubts else "wrong"


def cases(path: Path) -> list[Case]:
    """The methods of a file."""
    listed = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return [Case(c["name"], c["sizes"], c["static"], c["source"]) for c in listed]


def counted_by_java(methods: Sequence[Case], folder: Path) -> dict[tuple[str, int], int]:
    """How often the marks of each method run at each of its sizes: one javac, one JVM, new classes for each run."""
    folder.mkdir(parents=True)
    files = [folder / "Counter.java"]
    files[0].write_text(COUNTER)
    for case in methods:
        files.append(folder / f"counted_{case.name}" / f"{case.name}.java")
        files[-1].parent.mkdir()
        files[-1].write_text(f"package counted_{case.name}; " + case.text(r"\1M++"), encoding="utf-8")

    names = folder / "files"
    names.write_text("".join(f'"{file}"\n' for file in files))
    compiler = ["javac", "-nowarn", "-encoding", "UTF-8", "-d", str(folder / "classes"), f"@{names}"]
    subprocess.run(compiler, check=True, capture_output=True)
    points = [(case.name, n) for case in methods for n in case.sizes]
    java = ["java", "-XX:TieredStopAtLevel=1", "-Xss64m", "-cp", str(folder / "classes"), "Counter"]
    asked = "".join(f"{name} {n}\n" for name, n in points)
    run = subprocess.run([*java, str(folder / "classes")], input=asked, capture_output=True, text=True, check=True)
    return dict(zip(points, map(int, run.stdout.split()), strict=True))


class Predicting:
    """Asks apet, in this process, for the counts of methods; files are written into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)

    def answer(self, case: Case, n: int, profile: bool) -> Answer:
        """What `apet predict` says of a method at a size."""
        place = self.folder / case.name
        place.mkdir(exist_ok=True)
        task, machines = place / f"{case.name}.java", place / "marks.toml"
        text = case.text(r"\1M = Math.cbrt(\1M)")
        task.write_text(text, encoding="utf-8")
        words = ["predict", str(task), "--entry", "run", "-m", str(machines), "--set", f"n={n}", "-P", "1"]
        words += ["--json", *(["--profile"] if profile else [])]
        machines.write_text(machine(_operations(task, text)), encoding="utf-8")
        return answer_of(words)


def _operations(task: Path, text: str) -> Sequence[str]:
    try:
        model = translate_resolved(Source(str(task), text), "run", "flat").text
        return list(apet.compile_text(model).operations)
    except apet.ApetError:
        return []


def machine(operations: Sequence[str]) -> str:
    """A machine on which marks cost `SECONDS` and all else nothing; calls of the library are not timed for it."""
    ops = {
        "sum_int": 0.0,
        "compare_int": 0.0,
        **{name: SECONDS if name == "cbrt_double" else 0.0 for name in operations},
    }
    lines = "".join(f'"{name}" = {seconds}\n' for name, seconds in ops.items())
    head = 'schema = 1\nname = "marks"\n[provenance]\nmode = "Xint"\n'
    return f'{head}[[machine]]\nname = "marks"\ncount = 1\ncores = 1\n[machine.op_s]\n{lines}'


def answer_of(words: list[str]) -> Answer:
    out, notes = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(notes):
        status = main(words)
    if status:
        return Answer(error=notes.getvalue() or out.getvalue())
    said: dict[str, Any] = json.loads(out.getvalue())["predictions"][0]
    doubts = [t for t in re.findall(r"^(?:note|warning): (.*)", notes.getvalue(), re.M) if not ABOUT_TIMES.search(t)]
    estimate, bounds = ((said[k]["tmin"] / SECONDS, said[k]["tmax"] / SECONDS) for k in ("estimate", "guaranteed"))
    return Answer(estimate, bounds, bool(said.get("exact")), [*said.get("assumed", ()), *doubts])
